"""Pair correlation: how often two points are at each distance, beside points that are anywhere. There are
more pairs than memory should hold, so they come in blocks.

    python3 pair_correlation.py [points]
"""

import sys
import time

import numpy as np
from scipy.spatial import KDTree

import throng

RADIUS, BINS = 6.0, 60
GRID = 1 / 256  # where points are: squares of their distances are exact in float32 and float64 alike
EDGES = np.linspace(0, RADIUS, BINS + 1) ** 2 + 1e-9  # of squared distances, and between those of the grid


def with_scipy(x):
    tree, counts = KDTree(x), np.zeros(BINS, np.int64)
    for first in range(0, len(x), 10_000):
        block = KDTree(x[first : first + 10_000])
        found = block.sparse_distance_matrix(tree, RADIUS, output_type="ndarray")
        apart = found["v"][found["i"] + first != found["j"]]
        counts += np.histogram(apart**2, EDGES)[0]
    return counts


def with_throng(x):
    engine, counts = throng.Engine(), np.zeros(BINS, np.int64)
    engine.update(x, radius=0)
    blocks = throng.blocks(engine.frame.neighbours, radius=RADIUS, distances=True, max_bytes=1 << 24)
    for _, near in blocks:
        counts += np.histogram(near.squared_distances.astype(np.float64), EDGES)[0]
    return counts


def main(points=100_000):
    random = np.random.default_rng(1)
    side = np.sqrt(points)
    x = np.round(random.random((points, 2)) * side / GRID) * GRID
    begin = time.perf_counter()
    theirs = with_scipy(x)
    middle = time.perf_counter()
    ours = with_throng(x)
    end = time.perf_counter()
    print(f"{ours.sum():,} distances: SciPy {middle - begin:.2f} s, Throng {end - middle:.2f} s")
    print("equal:", np.array_equal(ours, theirs))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
