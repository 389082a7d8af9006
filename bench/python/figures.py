#!/usr/bin/env python3
"""Measures the Python package beside the C++ calls, and beside what else Python users have: SciPy, pykdtree, scikit-learn,
shapely, rtree. What is not installed is left out, with a word.

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
from measure import Table, append_csv, note, today  # noqa: E402

FIELDS = ["cpu", "python", "date", "side", "threads", "n", "task", "ms"]
RADIUS, NEAREST = 2.0, 8
# So near to the radius, as a part of it, rounding may decide whether a pair is within: in doubles, and in float32, which the
# engine's neighbours are measured in.
NEAR, NEAR_IN_FLOATS = 2.0**-50, 2.0**-22
SLOW = 100_000  # agents, for peers that take a call of Python for each


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
        self.rows.append([cpu(), platform.python_version(), today(), side, threads, n, task,
                          f"{statistics.median(seconds) * 1e3:.4f}"])

    def load(self, name):
        try:
            return importlib.import_module(name)
        except ImportError:
            note(f"there is no {name}: left out")
            return None


def cpu():
    lines = (line.split(":", 1) for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines())
    about = {line[0].strip(): line[1].strip() for line in lines if len(line) == 2}
    if "model name" not in about:
        return platform.processor()
    return f"{about['model name']} (family {about['cpu family']}, model {about['model']})"


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


def pair_finders(bench, throng, points, many):
    """By name: all pairs within a radius, building included, on one thread; and whether it is one of ours."""
    finders = {}
    engine, lists, kept = throng.Engine(threads=1), throng.Lists(), throng.Pairs()
    single = points.astype(np.float32)

    def by_lists():
        engine.update(single)
        return len(engine.frame.neighbours(radius=RADIUS, half=True, out=lists).ij()[0])

    def by_pairs():
        engine.update(single)
        return len(engine.frame.pairs(within=RADIUS, out=kept))

    finders["throng"] = by_lists
    finders["throng pairs(within=)"] = by_pairs
    kd = bench.load("throng.scipy")
    if kd:
        finders["throng.scipy"] = lambda: len(kd.KDTree(points).query_pairs(RADIUS, output_type="ndarray"))
    spatial = bench.load("scipy.spatial")
    if spatial:
        finders["scipy cKDTree"] = lambda: len(spatial.cKDTree(points).query_pairs(RADIUS, output_type="ndarray"))
    neighbors = bench.load("sklearn.neighbors")
    if neighbors:
        finders["scikit-learn KDTree"] = lambda: halved(
            neighbors.KDTree(points).query_radius(points, RADIUS, count_only=True).sum(), len(points))
    if many:
        return finders
    geometry, tree = bench.load("shapely.geometry"), bench.load("shapely.strtree")
    if geometry and tree:
        finders["shapely STRtree"] = lambda: shapely_pairs(geometry, tree, points)
    index = bench.load("rtree.index")
    if index:
        finders["rtree"] = lambda: rtree_pairs(index, points)
    return finders


def check_counts(kd, points, answers):
    """Whether each side counts the pairs that are certainly within the radius, and none that are certainly not."""
    tree = kd.KDTree(points)
    for name, found in answers.items():
        near = NEAR_IN_FLOATS if name == "throng" else NEAR
        least, most = (halved(count, len(points)) for count in tree.count_neighbors(tree, RADIUS * np.array((1 - near, 1 + near))))
        if not least <= found <= most:
            raise RuntimeError(f"{name} finds {found} pairs, where there are {least} to {most}: {answers}")


def halved(found, points):
    """Pairs, of lists that have everyone itself and each pair twice."""
    return int(found - points) // 2


def shapely_pairs(geometry, tree, points):
    places = [geometry.Point(point) for point in points]
    built = tree.STRtree(places)
    lists = (built.query(place.buffer(RADIUS).envelope) for place in places)
    if int(importlib.import_module("shapely").__version__.split(".")[0]) >= 2:
        found = sum(int((np.hypot(*(points[ids] - points[i]).T) <= RADIUS).sum()) for i, ids in enumerate(lists))
    else:
        found = sum(sum(place.distance(other) <= RADIUS for other in its) for place, its in zip(places, lists))
    return halved(found, len(points))


def rtree_pairs(index, points):
    built = index.Index((i, (*point, *point), None) for i, point in enumerate(points.tolist()))
    found = 0
    for i, (x, y) in enumerate(points.tolist()):
        ids = np.fromiter(built.intersection((x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS)), np.int64)
        found += int((np.hypot(*(points[ids] - points[i]).T) <= RADIUS).sum())
    return halved(found, len(points))


def nearest_finders(bench, throng, points):
    """By name: the nearest of every agent, building included, on all threads."""
    engine = throng.Engine()
    single = points.astype(np.float32)

    def by_engine():
        engine.update(single)
        return engine.frame.nearest(k=NEAREST).distances

    finders = {"throng": by_engine}
    kd = bench.load("throng.scipy")
    if kd:
        finders["throng.scipy"] = lambda: kd.KDTree(points).query(points, k=NEAREST + 1, workers=-1)[0][:, 1:]
    spatial = bench.load("scipy.spatial")
    if spatial:
        finders["scipy cKDTree"] = lambda: spatial.cKDTree(points).query(points, k=NEAREST + 1, workers=-1)[0][:, 1:]
    pykdtree = bench.load("pykdtree.kdtree")
    if pykdtree:
        finders["pykdtree"] = lambda: pykdtree.KDTree(points).query(points, k=NEAREST + 1)[0][:, 1:]
    neighbors = bench.load("sklearn.neighbors")
    if neighbors:
        finders["scikit-learn KDTree"] = lambda: neighbors.KDTree(points).query(points, k=NEAREST + 1)[0][:, 1:]
    return finders


def take_turns(bench, finders):
    """The seconds of each side, and its last answer. What takes long gets one turn."""
    seconds, answers = {name: [] for name in finders}, {}
    for turn in range(bench.arguments.rounds):
        for name, find in finders.items():
            if turn > 0 and max(seconds[name]) > bench.arguments.patience:
                continue
            if turn == 0 and name.startswith("throng"):
                find()  # results grow to size
            spent, answers[name] = timed(find)
            # What is quick is asked again, since the others have had the caches, and the system its memory, meanwhile.
            if spent < 1:
                spent = statistics.median(timed(find)[0] for _ in range(3))
            seconds[name].append(spent)
    return seconds, answers


def judge(bench, task, n, threads, seconds, bars):
    for name, spent in seconds.items():
        bench.keep(name, threads, n, task, spent)
        if name.startswith("throng"):
            continue
        for ours in seconds:
            if ours.startswith("throng"):
                mine = statistics.median(seconds[ours])
                bench.table.ratio(f"{task}, {n:,}: {ours} against {name}", spent, [mine] * len(spent),
                                  bars.get(name), at_least=True)


def measure_peers(bench, throng, n, bars):
    world = Workload(bench.arguments.build, n)
    points = np.stack([world.x, world.y], 1).astype(np.float64)
    world.close()
    seconds, answers = take_turns(bench, pair_finders(bench, throng, points, n > SLOW))
    check_counts(importlib.import_module("throng.scipy"), points, answers)
    judge(bench, "pairs within 2, built", n, 1, seconds, {"scipy cKDTree": bars[0]})
    seconds, answers = take_turns(bench, nearest_finders(bench, throng, points))
    for name, distances in answers.items():
        if not np.allclose(distances, answers["throng"], rtol=1e-3, atol=1e-3):
            raise RuntimeError(f"{name} finds other neighbours")
    judge(bench, f"{NEAREST} nearest of all, built", n, os.cpu_count(), seconds, {"scipy cKDTree": bars[1]})


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--build", default=ROOT / "build" / "release", type=pathlib.Path, help="build directory")
    add("--rounds", default=5, type=int, help="turns that every side gets")
    add("--frames", default=5, type=int, help="timed frames a round")
    add("--patience", default=10, type=float, help="seconds after which a peer gets no second turn")
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
    for n in sizes:
        measure_peers(bench, throng, n, (20, 10) if n == 1_000_000 else (None, None))
    bench.table.print()
    if not arguments.no_csv and not arguments.quick:
        append_csv(arguments.results, cpu(), "-python", FIELDS, bench.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
