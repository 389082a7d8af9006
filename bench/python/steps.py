#!/usr/bin/env python3
"""Measures whole steps of simulations and single calls of the Python package, on one thread, in turns with what else one would
write. What counts is the ratio of processor times, so a busy machine disturbs little.

    bench/python/steps.py                       all, in two minutes
    bench/python/steps.py --only trials --quick

    flocking   a periodic Vicsek step of 200,000 agents, beside SciPy
    trials     a trial move of hard discs with its decision, beside a cell list in plain Python
    calls      single calls, beside a SciPy query_ball_point of one point
"""

import argparse
import importlib
import os
import pathlib
import runpy
import statistics
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
from measure import Table  # noqa: E402

RADIUS, SPEED, NOISE = 1.0, 0.1, 0.2


def processor_time(work):
    begin = time.process_time()
    answer = work()
    return time.process_time() - begin, answer


def in_turns(rounds, **sides):
    """The times of each side."""
    times = {name: [] for name in sides}
    for _ in range(rounds):
        for name, work in sides.items():
            times[name].append(processor_time(work)[0])
    return times


class Flock:
    """Each takes the mean heading of all within the radius, and some noise. The world wraps around."""

    def __init__(self, throng, agents):
        from scipy.spatial import KDTree

        random = np.random.default_rng(1)
        self.tree, self.side = KDTree, float(np.sqrt(agents / 7))  # about 22 neighbours each
        self.x, self.heading = random.random((agents, 2)) * self.side, random.random(agents) * 2 * np.pi
        self.noise = random.normal(0, NOISE, agents)
        self.engine, self.near = throng.Engine(threads=1, period=self.side), throng.Lists()

    def step(self, sums_of):
        v = np.column_stack((np.cos(self.heading), np.sin(self.heading)))
        sums = sums_of(v)
        heading = np.arctan2(sums[:, 1], sums[:, 0]) + self.noise
        x = self.x + SPEED * np.column_stack((np.cos(heading), np.sin(heading)))
        return np.mod(x, self.side), heading

    def with_scipy(self, v):
        i, j = self.tree(self.x, boxsize=self.side).query_pairs(RADIUS, output_type="ndarray").T
        sums = v.copy()
        for axis in (0, 1):
            sums[:, axis] += np.bincount(i, v[j, axis], len(v)) + np.bincount(j, v[i, axis], len(v))
        return sums

    def with_throng(self, v):
        self.engine.update(self.x)
        self.engine.frame.neighbours(radius=RADIUS, with_self=True, in_row_order=True, out=self.near)
        return self.near.sum(v, threads=1)


def measure_flocking(throng, table, arguments):
    agents = 20_000 if arguments.quick else 200_000
    flock = Flock(throng, agents)
    for _ in range(3):
        flock.x, flock.heading = flock.step(flock.with_throng)
    theirs, ours = (flock.step(sums)[1] for sums in (flock.with_scipy, flock.with_throng))
    differ = int((np.abs(ours - theirs) > 1e-9).sum())
    times = in_turns(
        arguments.rounds,
        scipy=lambda: flock.step(flock.with_scipy),
        throng=lambda: flock.step(flock.with_throng),
        sums=lambda: flock.near.sum(np.ones((agents, 2)), threads=1),
    )
    what = f"a periodic flocking step of {agents:,}: SciPy to Throng"
    table.ratio(what, times["scipy"], times["throng"], 9, at_least=True)
    table.ratio("the sums of a step: to the step", times["sums"], times["throng"])
    table.add("agents with another heading", differ, "few", differ < agents / 1000)


def measure_trials(throng, table, arguments):
    program = runpy.run_path(str(ROOT / "examples" / "python" / "hard_discs.py"))
    for discs, sweeps in ((1_000, 5), (10_000, 1)) if arguments.quick else ((1_000, 20), (10_000, 3), (100_000, 1)):
        given = program["world"](discs, sweeps, np.random.default_rng(1))
        plain, ours = lambda: program["with_a_cell_list"](*given), lambda: program["with_throng"](*given)
        if not np.array_equal(plain(), ours()):
            raise RuntimeError("the decisions differ")
        times = in_turns(arguments.rounds, plain=plain, throng=ours)
        table.ratio(f"a trial move among {discs:,}: Throng to plain Python", times["throng"], times["plain"], 1.5)


def measure_calls(throng, table, arguments):
    from scipy.spatial import cKDTree

    agents, side = 10_000, 125.0
    x = np.random.default_rng(1).random((agents, 2)) * side
    engine = throng.Engine(threads=1)
    engine.update(x, radius=0.5)
    frame, tree = engine.frame, cKDTree(x)

    def move(**options):
        engine.move([5], [(5.0, 5.0)], **options)
        engine.commit()

    calls = {
        "any(box)": lambda: frame.any((4.5, 4.5, 5.5, 5.5)),
        "count(box)": lambda: frame.count((4.5, 4.5, 5.5, 5.5)),
        "any(circles=)": lambda: frame.any(circles=(5.0, 5.0, 0.5), agents_as="circles"),
        "count_neighbours(p)": lambda: frame.count_neighbours((5.0, 5.0), radius=1.0),
        "neighbours(p)": lambda: frame.neighbours((5.0, 5.0), radius=1.0),
        "engine.frame": lambda: engine.frame,
        "move and commit": move,
        "move(radius=) and commit": lambda: move(radius=0.5),
        "try_moves of one": lambda: engine.try_moves([5], [(5.0, 5.0)], 0.5),
    }

    def many(call):
        return lambda: [call() for _ in range(500)]

    peer = many(lambda: tree.query_ball_point((5.0, 5.0), 1.0))
    for name, call in calls.items():
        times = in_turns(arguments.rounds, peer=peer, ours=many(call))
        table.ratio(f"{name}, to a query_ball_point(p)", times["ours"], times["peer"])
        table.add(f"{name}, us", f"{statistics.median(times['ours']) * 2e3:.2f}", "", "shown")


GROUPS = {"flocking": measure_flocking, "trials": measure_trials, "calls": measure_calls}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--build", default=ROOT / "build" / "release", type=pathlib.Path, help="build directory")
    add("--rounds", default=7, type=int, help="turns that every side gets")
    add("--only", default=list(GROUPS), type=lambda text: text.split(","), help="some of " + ",".join(GROUPS))
    add("--quick", action="store_true", help="small worlds")
    arguments = parser.parse_args()
    os.environ.setdefault("THRONG_LIBRARY", str(arguments.build.resolve() / "bindings" / "c" / "libthrong_c.so"))
    sys.path.insert(0, str(ROOT / "bindings" / "python"))
    throng = importlib.import_module("throng")
    table = Table()
    for name in arguments.only:
        GROUPS[name](throng, table, arguments)
    table.print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
