"""Flocking (Vicsek): everyone takes the mean heading of all within a radius, and some noise, and goes on.

    python3 flocking.py [agents] [steps]
"""

import sys
import time

import numpy as np
from scipy.spatial import KDTree

import throng

RADIUS, SPEED, NOISE = 1.0, 0.1, 0.2
GRID = 1 / 256  # where agents stand: distances of such places are exact in float32 and float64 alike


def world(agents, random):
    side = np.sqrt(agents / 7)  # about 22 neighbours each
    return np.round(random.random((agents, 2)) * side / GRID) * GRID, random.random(agents) * 2 * np.pi


def moved(x, sums, noise):
    """Where all are in the next step, and which way they look. Walls are ignored: the flock spreads out."""
    heading = np.arctan2(sums[:, 1], sums[:, 0]) + noise
    v = np.column_stack((np.cos(heading), np.sin(heading)))
    return np.round((x + SPEED * v) / GRID) * GRID, heading


def with_scipy(x, heading, noises):
    for noise in noises:
        v = np.column_stack((np.cos(heading), np.sin(heading)))
        pairs = KDTree(x).query_pairs(RADIUS, output_type="ndarray")
        i, j = pairs.T
        sums = v.copy()  # each counts itself
        for axis in (0, 1):
            sums[:, axis] += np.bincount(i, v[j, axis], len(x)) + np.bincount(j, v[i, axis], len(x))
        x, heading = moved(x, sums, noise)
    return x


def with_throng(x, heading, noises):
    engine, near = throng.Engine(), throng.Lists()
    for noise in noises:
        v = np.column_stack((np.cos(heading), np.sin(heading)))
        engine.update(x, radius=0)
        engine.frame.neighbours(radius=RADIUS, with_self=True, in_row_order=True, out=near)
        x, heading = moved(x, near.sum(v), noise)
    return x


def main(agents=200_000, steps=10):
    random = np.random.default_rng(1)
    x, heading = world(agents, random)
    noises = random.normal(0, NOISE, (steps, agents))
    begin = time.perf_counter()
    theirs = with_scipy(x, heading, noises)
    middle = time.perf_counter()
    ours = with_throng(x, heading, noises)
    end = time.perf_counter()
    print(f"{agents:,} agents, {steps} steps: SciPy {middle - begin:.2f} s, Throng {end - middle:.2f} s")
    print("equal:", np.array_equal(ours, theirs))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
