// Of all lanes of a vector.
acc1 across(accv a) {
#if defined(IS_SUM) || defined(IS_DOT)
#define LANE(s) { a.sum s }
#elif defined(IS_LARGEST)
#define LANE(s) { a.top s }
#elif defined(IS_WHERE)
#define LANE(s) { a.top s, a.at s }
#elif defined(IS_SOFTMAX)
#define LANE(s) { a.top s, a.sum s }
#elif defined(IS_UNIT)
#define LANE(s) { a.squares s }
#else
#define LANE(s) { a.sum s, a.squares s }
#endif
#if VEC == 4
    const acc1 x = LANE(.x), y = LANE(.y), z = LANE(.z), w = LANE(.w);
    return join1(join1(x, y), join1(z, w));
#elif VEC == 2
    const acc1 x = LANE(.x), y = LANE(.y);
    return join1(x, y);
#else
    const acc1 x = LANE();
    return x;
#endif
}

#ifdef IS_WHERE
// From memory between two launches, where there are only places.
acc1 take1(__global const int *parts, int place, int step, __global const T1 *x) {
    acc1 a;
    a.at = parts[place];
    a.top = x[a.at * NEXT];
    return a;
}
#endif
