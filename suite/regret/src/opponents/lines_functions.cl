// What is accumulated along a row or a column. This text is there twice: for single numbers, where @ is 1, and for vectors, where it is v.

#if defined(IS_SUM) || defined(IS_DOT)
typedef struct { T@ sum; } acc@;
#elif defined(IS_LARGEST)
typedef struct { T@ top; } acc@;
#elif defined(IS_WHERE)
typedef struct { T@ top; I@ at; } acc@;
#elif defined(IS_SOFTMAX)
typedef struct { T@ top, sum; } acc@;
#elif defined(IS_UNIT)
typedef struct { T@ squares; } acc@;
#else
// Of differences from a line's first element.
typedef struct { T@ sum, squares; } acc@;
#endif

// Of no elements.
acc@ none@(void) {
    acc@ a;
#if defined(IS_SUM) || defined(IS_DOT)
    a.sum = (T@)(0);
#elif defined(IS_LARGEST)
    a.top = (T@)(-INFINITY);
#elif defined(IS_WHERE)
    a.top = (T@)(-INFINITY);
    a.at = (I@)(0);
#elif defined(IS_SOFTMAX)
    a.top = (T@)(LEAST);
    a.sum = (T@)(0);
#elif defined(IS_UNIT)
    a.squares = (T@)(0);
#else
    a.sum = a.squares = (T@)(0);
#endif
    return a;
}

// One more element: where it is, and the number it is multiplied with, or the first element.
acc@ add@(acc@ a, T@ v, I@ i, T@ w) {
#if defined(IS_SUM)
    a.sum += v;
#elif defined(IS_DOT)
    a.sum += v * w;
#elif defined(IS_LARGEST)
    a.top = fmax(a.top, v);
#elif defined(IS_WHERE)
    const I@ better = v > a.top;
    a.top = better ? v : a.top;
    a.at = better ? i : a.at;
#elif defined(IS_SOFTMAX)
    const I@ better = v > a.top;
    const T@ e = exp(-fabs(v - a.top));
    a.sum = better ? a.sum * e + (T@)(1) : a.sum + e;
    a.top = better ? v : a.top;
#elif defined(IS_UNIT)
    a.squares += v * v;
#else
    const T@ d = v - w;
    a.sum += d;
    a.squares += d * d;
#endif
    return a;
}

// Of the elements of both.
acc@ join@(acc@ a, acc@ b) {
#if defined(IS_SUM) || defined(IS_DOT)
    a.sum += b.sum;
#elif defined(IS_LARGEST)
    a.top = fmax(a.top, b.top);
#elif defined(IS_WHERE)
    const I@ better = (b.top > a.top) | ((b.top == a.top) & (b.at < a.at));
    a.top = better ? b.top : a.top;
    a.at = better ? b.at : a.at;
#elif defined(IS_SOFTMAX)
    const T@ top = fmax(a.top, b.top);
    a.sum = a.sum * exp(a.top - top) + b.sum * exp(b.top - top);
    a.top = top;
#elif defined(IS_UNIT)
    a.squares += b.squares;
#else
    a.sum += b.sum;
    a.squares += b.squares;
#endif
    return a;
}

// Of what so many items have, which are `step` places apart: all of them have it then.
acc@ combine@(acc@ mine, __local acc@ *all, const int step, const int l, const int items) {
    if (items == 1) return mine;
    all[l * step] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int count = items / 2; count > 0; count /= 2) {
        if (l < count) all[l * step] = join@(all[l * step], all[(l + count) * step]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return all[0];
}

#ifdef GIVES_ROWS

// An element of the result is made of what is subtracted and a factor.
T@ from@(acc@ a, T@ shift) {
#if defined(IS_SOFTMAX)
    return a.top;
#elif defined(IS_UNIT)
    return (T@)(0);
#else
    return shift + a.sum * ((T1)(1) / (T1)(REDUCED));
#endif
}

T@ by@(acc@ a) {
#if defined(IS_SOFTMAX)
    return (T@)(1) / a.sum;
#elif defined(IS_UNIT)
    return (T@)(1) / sqrt(a.squares);
#else
    const T@ mean = a.sum * ((T1)(1) / (T1)(REDUCED));
    const T@ variance = a.squares * ((T1)(1) / (T1)(REDUCED)) - mean * mean;
    return (T@)(1) / sqrt(fmax(variance, (T@)(0)) + (T@)((T1)(1) / (T1)(100000)));
#endif
}

T@ value@(T@ v, T@ from, T@ by) {
#if defined(IS_SOFTMAX)
    return exp(v - from) * by;
#elif defined(IS_UNIT)
    return v * by;
#else
    return (v - from) * by;
#endif
}

#else

// What is written for a line.
void result@(RESULTS, int line, acc@ a, T@ shift) {
#if defined(IS_SUM) || defined(IS_DOT)
    ((__global T@ *)out)[line] = a.sum;
#elif defined(IS_LARGEST)
    ((__global T@ *)out)[line] = a.top;
#elif defined(IS_WHERE)
    ((__global INT@ *)out)[line] = TO_INT@(a.at);
#else
    const T@ mean = a.sum * ((T1)(1) / (T1)(REDUCED));
    ((__global T@ *)out)[line] = shift + mean;
    ((__global T@ *)out1)[line] = fmax(a.squares * ((T1)(1) / (T1)(REDUCED)) - mean * mean, (T@)(0));
#endif
}

#endif

// To memory between two launches: parts of one line are `step` places apart.
void keep@(__global PART_T *parts, int place, int step, acc@ a) {
#if defined(IS_SUM) || defined(IS_DOT)
    ((__global T@ *)parts)[place] = a.sum;
#elif defined(IS_LARGEST)
    ((__global T@ *)parts)[place] = a.top;
#elif defined(IS_WHERE)
    ((__global INT@ *)parts)[place] = TO_INT@(a.at);
#elif defined(IS_SOFTMAX)
    ((__global T@ *)parts)[place] = a.top;
    ((__global T@ *)parts)[place + step] = a.sum;
#elif defined(IS_UNIT)
    ((__global T@ *)parts)[place] = a.squares;
#else
    ((__global T@ *)parts)[place] = a.sum;
    ((__global T@ *)parts)[place + step] = a.squares;
#endif
}

#ifndef IS_WHERE
// From there; the line begins at `x`.
acc@ take@(__global const PART_T *parts, int place, int step, __global const T1 *x) {
    acc@ a;
#if defined(IS_SUM) || defined(IS_DOT)
    a.sum = ((__global const T@ *)parts)[place];
#elif defined(IS_LARGEST)
    a.top = ((__global const T@ *)parts)[place];
#elif defined(IS_SOFTMAX)
    a.top = ((__global const T@ *)parts)[place];
    a.sum = ((__global const T@ *)parts)[place + step];
#elif defined(IS_UNIT)
    a.squares = ((__global const T@ *)parts)[place];
#else
    a.sum = ((__global const T@ *)parts)[place];
    a.squares = ((__global const T@ *)parts)[place + step];
#endif
    return a;
}
#endif
