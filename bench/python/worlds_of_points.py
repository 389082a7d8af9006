"""Two dozen worlds of points, even and not, in which a k-d tree is asked. Each is made of a generator of random numbers and a
number of points, and gives the points and the places that are asked for; none means the points themselves.
"""

import numpy as np


def even(random, n):
    return random.random((n, 2))


def unlike(random, n):
    return even(random, n), random.random((n, 2))


def clustered(random, n):
    return random.random((50, 2))[random.integers(0, 50, n)] + random.normal(size=(n, 2)) * 0.002


def sharp_clusters(random, n):
    return random.random((50, 2))[random.integers(0, 50, n)] + random.normal(size=(n, 2)) * 1e-7


def halos(random, n):
    """Density falls with the square of the distance from the middle of each of a hundred."""
    angle, distance = random.random(n) * 2 * np.pi, 0.05 * random.random(n) ** 2
    away = distance[:, np.newaxis] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return random.random((100, 2))[random.integers(0, 100, n)] + away


def outlier(random, n, at=1e12):
    return np.concatenate([even(random, n - 1), [[at, at]]])


def near_outlier(random, n):
    return outlier(random, n, 1e6)


def two_towns(random, n):
    return np.concatenate([even(random, n // 2), even(random, n - n // 2) + 1e9])


def pareto(random, n, tail=0.7):
    return random.pareto(tail, (n, 2))


def light_pareto(random, n):
    return pareto(random, n, 3)


def normal(random, n):
    return random.normal(size=(n, 2))


def lattice(random, n):
    side = int(n**0.5) + 1
    return random.permutation(np.stack(np.divmod(np.arange(side * side), side), axis=1)[:n]).astype(np.float64)


def duplicates(random, n):
    return random.random((n // 10, 2))[random.integers(0, n // 10, n)]


def pile(random, n):
    """A tenth of the points are at one place."""
    points = even(random, n)
    points[: min(n // 10, 2000)] = 0.5
    return points


def line(random, n):
    return np.stack([random.random(n), np.zeros(n)], axis=1)


def diagonal(random, n):
    x = random.random(n)
    return np.stack([x, x], axis=1) + random.normal(size=(n, 2)) * 1e-9


def spiral(random, n):
    t = random.random(n) * 40
    return np.stack([t * np.cos(t), t * np.sin(t)], axis=1)


def strip(random, n):
    return random.random((n, 2)) * (1e4, 1)


def map_doubles(random, n):
    """Metres of a map: a city far from the origin."""
    return random.random((n, 2)) * 2000 + (5e5, 5e6)


def tracks(random, n):
    """Places of walkers, one step after the other."""
    return np.cumsum(random.normal(size=(n, 2)), axis=0)


def log_scaled(random, n):
    angle, distance = random.random(n) * 2 * np.pi, 10 ** (random.random(n) * 12 - 6)
    return np.stack([distance * np.cos(angle), distance * np.sin(angle)], axis=1)


def grid_around(random, n):
    """An interpolation: scattered points, asked from a regular grid that is wider than they."""
    side = int(n**0.5)
    return even(random, n), np.stack(np.divmod(np.arange(side * side), side), axis=1) * (2 / side) - 0.5


def far_queries(random, n):
    return even(random, n), (random.random((max(n // 100, 1), 2)) - 0.5) * 2e4


def few_queries(random, n):
    return even(random, n), random.random((10, 2))


def hundred_queries(random, n):
    return even(random, n), random.random((100, 2))


def thousand_queries(random, n):
    return even(random, n), random.random((1000, 2))


def tiny(random, n):
    """A hundred points, asked from many."""
    return random.random((100, 2)), random.random((max(n // 5, 1), 2))


WORLDS = [
    even, unlike, clustered, sharp_clusters, halos, outlier, near_outlier, two_towns, pareto, light_pareto, normal, lattice,
    duplicates, pile, line, diagonal, spiral, strip, map_doubles, tracks, log_scaled, grid_around, far_queries, few_queries,
    hundred_queries, thousand_queries, tiny,
]


def made(world, n):
    """The points of a world, and where it is asked."""
    found = world(np.random.default_rng(7), n)
    points, queries = found if isinstance(found, tuple) else (found, found)
    return np.ascontiguousarray(points), np.ascontiguousarray(queries)
