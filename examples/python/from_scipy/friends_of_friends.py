"""Friends of friends: groups of points that a chain of links no longer than a length holds together.

Points are doubles, and so are distances: the drop-in gives SciPy's pairs to the last bit.

    python3 friends_of_friends.py [points]
"""

import sys
import time

import numpy as np
import scipy.spatial
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import throng.scipy

LINK = 0.2


def world(points, random):
    """Half of all in clusters of about a hundred, the others anywhere."""
    side = np.sqrt(points)
    centres = random.random((points // 200 + 1, 2)) * side
    clustered = centres[random.integers(len(centres), size=points // 2)]
    clustered = clustered + random.normal(0, 1, clustered.shape)
    return np.concatenate((clustered, random.random((points - len(clustered), 2)) * side))


def groups(x, kd_tree):
    i, j = kd_tree(x).query_pairs(LINK, output_type="ndarray").T
    graph = coo_array((np.ones(len(i), bool), (i, j)), (len(x), len(x)))
    return connected_components(graph, directed=False)


def main(points=1_000_000):
    x = world(points, np.random.default_rng(1))
    begin = time.perf_counter()
    count, theirs = groups(x, scipy.spatial.KDTree)
    middle = time.perf_counter()
    same_count, ours = groups(x, throng.scipy.KDTree)
    end = time.perf_counter()
    print(f"{points:,} points: SciPy {middle - begin:.2f} s, Throng {end - middle:.2f} s")
    # Groups are numbered in the order of their first points, so equal groups have equal numbers.
    print(f"{count:,} groups, the largest of {np.bincount(theirs).max():,} points;",
          "equal:", count == same_count and np.array_equal(ours, theirs))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
