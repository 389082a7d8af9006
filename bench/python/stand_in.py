#!/usr/bin/env python3
"""Measures throng.scipy.KDTree beside scipy.spatial.KDTree, in two dozen worlds, and compares their answers.

    bench/python/stand_in.py --build build/release
    bench/python/stand_in.py --points 5000 --only even,pareto --rounds 1
    bench/python/stand_in.py --around         in boxes as large as the worlds, which wrap around
    bench/python/stand_in.py --check          small worlds, answers alone: 0 if they are equal in all

Both sides take turns, on the same data, each with its defaults: so on one thread. A ratio is the time of ours by SciPy's, of the
fastest of the rounds: below 1 ours is faster. `build` is the tree and a first query of all places; the others ask trees that have
been asked before. `single` and `balls` are loops over single points.
"""

import argparse
import functools
import importlib
import os
import pathlib
import statistics
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench" / "python"))
from worlds_of_points import WORLDS, made  # noqa: E402

BARS = {"worst": 3.0, "median": 0.2}
SINGLES, LISTED = 300, 10_000


class World:
    """Points, where they are asked, and with what radius: within it are about eight points of a common one."""

    def __init__(self, world, n, kind, is_around):
        self.name = world.__name__
        self.points, self.queries = made(world, n)
        self.boxsize = None
        if is_around:
            low = self.points.min(axis=0)
            self.points, self.queries = self.points - low, self.queries - low
            self.boxsize = np.maximum(self.points.max(axis=0) * (1 + 1 / n**0.5), 1e-9)
        k = min(8, len(self.points))
        sample = kind(self.points).query(self.points[:: max(len(self.points) // 1000, 1)], k)[0][:, -1]
        self.radius = float(np.median(sample)) or float(np.ptp(self.points[:, 0])) / n**0.5
        self.some = self.queries[:LISTED]
        self.singles = list(self.queries[:SINGLES])


def sorted_pairs(pairs):
    return np.sort(pairs[:, 0] * (1 << 32) + pairs[:, 1])


def sorted_entries(entries):
    order = np.lexsort((entries["j"], entries["i"]))
    return np.stack([entries[name][order].astype(float) for name in "ijv"])


# What is asked, and what of the answer does not depend on the order of what is equal.
TASKS = {
    "build": (lambda kind, tree, w: kind(w.points).query(w.queries), lambda found: found[0]),
    "k=1": (lambda kind, tree, w: tree.query(w.queries), lambda found: found[0]),
    "k=8": (lambda kind, tree, w: tree.query(w.queries, 8), lambda found: found[0]),
    "ball": (lambda kind, tree, w: tree.query_ball_point(w.some, w.radius), lambda found: found.tolist()),
    "lengths": (lambda kind, tree, w: tree.query_ball_point(w.queries, w.radius, return_length=True),
                lambda found: found),
    "pairs": (lambda kind, tree, w: tree.query_pairs(w.radius / 2, output_type="ndarray"), sorted_pairs),
    "counts": (lambda kind, tree, w: tree.count_neighbors(tree, w.radius * np.array([0.25, 0.5, 1, 2])), lambda found: found),
    "sparse": (lambda kind, tree, w: tree.sparse_distance_matrix(tree, w.radius / 2, output_type="ndarray"), sorted_entries),
    "single": (lambda kind, tree, w: [tree.query(point) for point in w.singles], lambda found: [each[0] for each in found]),
    "balls": (lambda kind, tree, w: [tree.query_ball_point(point, w.radius) for point in w.singles],
              lambda found: [sorted(each) for each in found]),
}


def timed(work):
    begin = time.perf_counter()
    answer = work()
    return time.perf_counter() - begin, answer


def measured(world, kinds, rounds):
    """For each task the fastest time of each side, and whether their answers are equal."""
    kinds = [functools.partial(kind, boxsize=world.boxsize) for kind in kinds]
    trees = [kind(world.points) for kind in kinds]
    for name, (ask, common) in TASKS.items():
        seconds, answers = [np.inf, np.inf], [None, None]
        for _ in range(rounds):
            for side, (kind, tree) in enumerate(zip(kinds, trees)):
                spent, answers[side] = timed(lambda: ask(kind, tree, world))
                seconds[side] = min(seconds[side], spent)
        mine, its = (common(answer) for answer in answers)
        yield name, seconds, np.array_equal(mine, its) if isinstance(mine, np.ndarray) else mine == its


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--build", default=ROOT / "build" / "release", type=pathlib.Path, help="build directory")
    add("--points", default=50_000, type=int, help="points of a world")
    add("--rounds", default=3, type=int, help="turns that each side gets")
    add("--only", default="", help="some worlds, with commas between")
    add("--around", action="store_true", help="with a boxsize")
    add("--check", action="store_true", help="compare answers in small worlds, and measure nothing")
    add("--strict", action="store_true", help="fail if a bar is missed")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.check:
        arguments.points, arguments.rounds = 1500, 1
    os.environ.setdefault("THRONG_LIBRARY", str(arguments.build.resolve() / "bindings" / "c" / "libthrong_c.so"))
    sys.path.insert(0, str(ROOT / "bindings" / "python"))
    try:
        kinds = [importlib.import_module("throng.scipy").KDTree, importlib.import_module("scipy.spatial").KDTree]
    except ModuleNotFoundError as missing:
        print(f"Skipped: {missing}")
        return 77
    wanted = [world for world in WORLDS if not arguments.only or world.__name__ in arguments.only.split(",")]
    ratios, differing = {}, []
    if not arguments.check:
        print(f"{'ms of SciPy, ratio of ours':26}" + "".join(f"{name:>15}" for name in TASKS))
    for world in wanted:
        line = f"{world.__name__:26}"
        points = World(world, arguments.points, kinds[1], arguments.around)
        for task, seconds, is_equal in measured(points, kinds, arguments.rounds):
            ratios[world.__name__, task] = seconds[0] / seconds[1]
            line += f"{seconds[1] * 1e3:9.2f} {seconds[0] / seconds[1]:5.2f}"
            if not is_equal:
                differing.append(f"{world.__name__}, {task}: the answers differ")
        if not arguments.check:
            print(line, flush=True)
    for fault in differing:
        print(fault)
    if arguments.check:
        print(f"{len(ratios) - len(differing)} of {len(ratios)} answers are equal")
        return 1 if differing else 0
    return judged(ratios, arguments.strict) or bool(differing)


def judged(ratios, is_strict):
    worst = max(ratios, key=ratios.get)
    found = {"worst": ratios[worst], "median": statistics.median(ratios.values())}
    print(f"worst {found['worst']:.2f} ({', '.join(worst)}; bar {BARS['worst']}), "
          f"median {found['median']:.3f} (bar {BARS['median']})")
    return int(is_strict and any(found[name] > bar for name, bar in BARS.items()))


if __name__ == "__main__":
    sys.exit(main())
