"""The suite's linear algebra by NumPy and the BLAS it brings (OpenBLAS, by default): an opponent of `measure --peer`.

`loops.c` says what is read and written. `scripts/peers --numpy` installs NumPy.
"""

import ctypes
import glob
import os
import sys
import time

# So that all programs have as many threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", os.environ.get("OMP_NUM_THREADS", str(len(os.sched_getaffinity(0)))))

import numpy as np


def blas(name, *types, result=None):
    """A function of the BLAS in NumPy's package, whose integers have 64 bits."""
    here = os.path.join(os.path.dirname(np.__file__), "..", "numpy.libs", "libscipy_openblas64_*.so")
    function = getattr(ctypes.CDLL(glob.glob(here)[0]), f"scipy_cblas_{name}64_")
    function.argtypes, function.restype = types, result
    return function


INT, FLAG, FLOAT = ctypes.c_int64, ctypes.c_int, ctypes.c_float
ARRAY = ctypes.c_void_p
ROW_MAJOR, AS_IT_IS = 101, 111


def at(array):
    return array.ctypes.data_as(ARRAY)


def sgemm(sizes, scalars, arrays, out):
    (n, m, k), (alpha, beta), (a, b, c) = sizes, scalars, arrays
    call = blas("sgemm", FLAG, FLAG, FLAG, INT, INT, INT, FLOAT, ARRAY, INT, ARRAY, INT, FLOAT, ARRAY, INT)

    def run():
        out[:] = c
        call(ROW_MAJOR, AS_IT_IS, AS_IT_IS, n, m, k, alpha, at(a), k, at(b), m, beta, at(out), m)

    return run


def gemv(sizes, scalars, arrays, out):
    (n, m), (alpha, beta), (a, x, y) = sizes, scalars, arrays
    call = blas("sgemv", FLAG, FLAG, INT, INT, FLOAT, ARRAY, INT, ARRAY, INT, FLOAT, ARRAY, INT)

    def run():
        out[:] = y
        call(ROW_MAJOR, AS_IT_IS, n, m, alpha, at(a), m, at(x), 1, beta, at(out), 1)

    return run


def dot(sizes, _scalars, arrays, out):
    call = blas("sdot", INT, ARRAY, INT, ARRAY, INT, result=FLOAT)
    x, y = arrays

    def run():
        out[0] = call(sizes[0], at(x), 1, at(y), 1)

    return run


def asum(sizes, _scalars, arrays, out):
    call = blas("sasum", INT, ARRAY, INT, result=FLOAT)

    def run():
        out[0] = call(sizes[0], at(arrays[0]), 1)

    return run


def reduction(reduce):
    """What BLAS does not have: NumPy's own."""

    def of(_sizes, _scalars, arrays, out):
        def run():
            out[0] = reduce(*arrays)

        return run

    return of


def scal(_sizes, scalars, arrays, out):
    """BLAS scales in place; this is NumPy's own."""
    return lambda: np.multiply(arrays[0], scalars[0], out=out)


KNOWN = {
    "sgemm": sgemm,
    "gemv": gemv,
    "scal": scal,
    "dot": dot,
    "asum": asum,
    "sum": reduction(np.sum),
    "largest": reduction(np.max),
}


def main():
    given, answers = sys.stdin.buffer, sys.stdout.buffer

    def answer(text):
        answers.write(f"{text}\n".encode())
        answers.flush()

    run, out = None, None
    while line := given.readline():
        match line.decode().rstrip("\n").split("\t"):
            case ["prepare", row, sizes, scalars, lengths, result]:
                if row not in KNOWN:
                    answer("no")
                    continue
                answer("yes")
                # All rows but those of doubles, which have other names, are of this type.
                arrays = [np.frombuffer(bytearray(given.read(int(n))), np.float32) for n in lengths.split()]
                out = np.zeros(int(result) // 4, np.float32)
                numbers = [np.float32(x) for x in scalars.split()]
                run = KNOWN[row]([int(n) for n in sizes.split()], numbers, arrays, out)
                answer("ready")
            case ["run"]:
                start = time.perf_counter_ns()
                run()
                answer(time.perf_counter_ns() - start)
            case ["result"]:
                answers.write(out.tobytes())
                answers.flush()


main()
