#!/usr/bin/env python3
"""Measures the Python package beside the C++ calls. bench/compare/python measures it beside what else Python users have.

    bench/python/figures.py --build build/release --rounds 5
    bench/python/figures.py --quick                            a try of half a minute, with small worlds

All sides take turns within this process, on the same agents, and what counts is the ratio of their medians. A ratio says how
many times as long as the other side the package takes, or how many times as fast as a peer it is.
"""

import argparse
import ctypes
import importlib
import os
import pathlib
import platform
import statistics
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
from measure import Table, append_csv, cpu_name, note, today  # noqa: E402

FIELDS = ["cpu", "python", "date", "side", "threads", "n", "task", "ms"]
NEAREST = 8


class Workload:
    """A crowd, and the C++ calls on it."""

    def __init__(self, build, agents, serial=True):
        self.library = ctypes.CDLL(str(build / "bench" / "python" / "libthrong_bench_python.so"))
        self.library.workload_make.restype = ctypes.c_void_p
        self.library.workload_make.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_int32]
        self.library.workload_array.restype = ctypes.POINTER(ctypes.c_float)
        self.library.workload_array.argtypes = [ctypes.c_void_p, ctypes.c_int32]
        self.library.workload_frame.restype = ctypes.c_double
        self.library.workload_frame.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64)]
        for name in ("workload_step", "workload_drop"):
            getattr(self.library, name).argtypes = [ctypes.c_void_p]
        self.handle = self.library.workload_make(b"crowd", agents, serial)
        self.x, self.y, self.hx, self.hy = (
            np.ctypeslib.as_array(self.library.workload_array(self.handle, which), (agents,)) for which in range(4))

    def step(self):
        self.library.workload_step(self.handle)

    def frame(self):
        """The seconds of an update and all pairs in C++, and how many pairs there are."""
        pairs = ctypes.c_uint64()
        seconds = self.library.workload_frame(self.handle, ctypes.byref(pairs))
        if seconds < 0:
            raise RuntimeError("a frame of the C++ calls failed")
        return seconds, pairs.value

    def close(self):
        self.library.workload_drop(self.handle)


def timed(work):
    begin = time.perf_counter()
    answer = work()
    return time.perf_counter() - begin, answer


class Bench:
    def __init__(self, arguments):
        self.arguments = arguments
        self.table = Table()
        self.rows = []

    def keep(self, side, threads, n, task, seconds):
        self.rows.append([cpu_name(), platform.python_version(), today(), side, threads, n, task,
                          f"{statistics.median(seconds) * 1e3:.4f}"])


def measure_frames(bench, throng, n, bar):
    """Update for all agents from float32 arrays, and all overlapping pairs."""
    world = Workload(bench.arguments.build, n)
    engine, kept = throng.Engine(threads=1), throng.Pairs()

    def package():
        engine.update_boxes(centre=(world.x, world.y), half=(world.hx, world.hy))
        return len(engine.frame.pairs(out=kept))

    # A world that has just moved is in the caches, so each side has moves of its own.
    ours, theirs = [], []
    for step in range(3 + bench.arguments.frames * bench.arguments.rounds):
        world.step()
        seconds, found = timed(package)
        world.step()
        their_seconds, _ = world.frame()
        if step >= 3:
            ours.append(seconds)
            theirs.append(their_seconds)
    seconds, found = timed(package)
    if found != world.frame()[1]:
        raise RuntimeError("Python and C++ find another number of pairs")
    before = engine.memory().allocations
    for _ in range(5):
        world.step()
        package()
    bench.table.ratio(f"a frame of {n:,}, Python to C++", ours, theirs, bar)
    bench.table.add(f"allocations of 5 frames of {n:,}", engine.memory().allocations - before, "0",
                    engine.memory().allocations == before)
    bench.keep("throng", 1, n, "frame", ours)
    bench.keep("C++", 1, n, "frame", theirs)
    world.close()


def measure_results(bench, throng, n, bar):
    """First and later calls without `out`, beside later ones with it; each first call by an engine of its own."""
    points = (np.random.default_rng(1).random((n, 2)) * np.sqrt(n / 2.27)).astype(np.float32)
    calls = {
        "pairs": (throng.Pairs, lambda frame, **options: frame.pairs(**options)),
        f"{NEAREST} nearest": (throng.Lists, lambda frame, **options: frame.nearest(k=NEAREST, **options)),
    }
    for name, (kind, call) in calls.items():
        for dtype in (np.int32, np.intp):
            first, later, kept = [], [], []
            for _ in range(bench.arguments.rounds):
                throng.release_memory()
                engine = throng.Engine()
                engine.update(points, radius=0.5)
                frame, out = engine.frame, kind()
                first.append(timed(lambda: call(frame, dtype=dtype) is None)[0])
                call(frame, out=out)
                for _ in range(3):
                    later.append(timed(lambda: call(frame, dtype=dtype) is None)[0])
                    kept.append(timed(lambda: call(frame, out=out) is None)[0])
            for when, seconds in (("first call", first), ("later calls", later)):
                task = f"{name}, {np.dtype(dtype)}, {when}"
                bench.table.ratio(f"{task}, {n:,}: without out to with it", seconds, kept, bar[when])
                bench.keep("throng", os.cpu_count(), n, task, seconds)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--build", default=ROOT / "build" / "release", type=pathlib.Path, help="build directory")
    add("--rounds", default=5, type=int, help="turns that every side gets")
    add("--frames", default=5, type=int, help="timed frames a round")
    add("--quick", action="store_true", help="small worlds")
    add("--results", default=ROOT / "bench" / "results", type=pathlib.Path, help="where the CSV file goes")
    add("--no-csv", action="store_true", help="write no CSV file")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    os.environ.setdefault("THRONG_LIBRARY", str(arguments.build.resolve() / "bindings" / "c" / "libthrong_c.so"))
    sys.path.insert(0, str(ROOT / "bindings" / "python"))
    throng = importlib.import_module("throng")
    if os.getloadavg()[0] > 0.5:
        note(f"the machine is busy (load {os.getloadavg()[0]:.1f}): ratios will scatter")
    bench = Bench(arguments)
    sizes = (20_000, 50_000) if arguments.quick else (100_000, 1_000_000)
    for n in sizes:
        measure_frames(bench, throng, n, 1.08 if n < 1_000_000 else 1.03)
    measure_results(bench, throng, sizes[1], {"first call": 3, "later calls": 1.3})
    bench.table.print()
    if not arguments.no_csv and not arguments.quick:
        append_csv(arguments.results, cpu_name(), "-python", FIELDS, bench.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
