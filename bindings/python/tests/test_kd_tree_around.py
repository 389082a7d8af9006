"""throng.scipy.KDTree in a plane that wraps around, beside SciPy's own with the same boxsize."""

from __future__ import annotations

import pickle
from typing import Any, Callable

import numpy as np
import pytest
from conftest import steps_of
from throng import scipy as ours

spatial = pytest.importorskip("scipy.spatial")

BOXES = [1.0, (1.0, 0.0), (0.0, 2.5), (3.0, 0.7), 1e6]
NORMS = [1, 2, np.inf]
# How many queries, and in which norm: many give large lists, which take their time in Python.
FEW = [(1, p) for p in NORMS] + [(40, p) for p in NORMS]
MANY: list[tuple[int, float]] = [(1500, 2)]


def worlds(random: np.random.Generator, boxsize: Any, count: int) -> Any:
    """Points in the box, some of them on its edges, and many in a corner."""
    sizes = np.where(np.broadcast_to(boxsize, 2) > 0, np.broadcast_to(boxsize, 2), 1.5)
    data = random.random((count, 2)) * sizes
    data[: count // 10] *= 0.01
    data[count // 10 : count // 8, 0] = 0
    data[count // 8 : count // 7, 1] = np.nextafter(sizes[1], 0)
    return data


@pytest.fixture(params=range(len(BOXES)))
def boxsize(request: pytest.FixtureRequest) -> Any:
    return BOXES[request.param]


def both(random: np.random.Generator, boxsize: Any, count: int = 400) -> tuple[Any, Any, Any, float]:
    data = worlds(random, boxsize, count)
    side = float(np.max(data))
    return ours.KDTree(data, boxsize=boxsize), spatial.KDTree(data, boxsize=boxsize), data, side


def apart(a: Any, b: Any, boxsize: Any, p: float) -> Any:
    sizes = np.broadcast_to(np.asarray(boxsize, float), 2)
    ways = np.abs(a - b)
    around = np.where(sizes > 0, sizes, np.inf)
    ways = np.where(sizes > 0, np.mod(ways, np.where(sizes > 0, sizes, 1)), ways)
    return np.linalg.norm(np.minimum(ways, around - ways), ord=p, axis=1)


@pytest.mark.parametrize("queries, p", FEW + MANY)
def test_the_nearest_are_those_of_scipy(boxsize: Any, queries: int, p: float) -> None:
    random = np.random.default_rng(queries)
    mine, its, data, side = both(random, boxsize)
    x = (random.random((queries, 2)) * 5 - 2) * side
    for k, bound in (1, np.inf), (8, np.inf), (8, 0.05 * side), (1000, np.inf), ([2, 5], 0.3 * side):
        distances, ids = mine.query(x, k=k, p=p, distance_upper_bound=bound)
        expected, other_ids = its.query(x, k=k, p=p, distance_upper_bound=bound)
        np.testing.assert_array_equal(distances, expected)
        # Of equal distances any may come first: then another is as far away.
        rows = np.nonzero(ids != other_ids)
        assert np.isfinite(distances[rows]).all()
        far = apart(x[rows[0]], data[ids[rows]], boxsize, p)
        np.testing.assert_allclose(far, distances[rows], rtol=1e-9, atol=1e-9 * side)


@pytest.mark.parametrize("queries, p", FEW[3:] + MANY)
def test_all_within_a_radius_are_those_of_scipy(boxsize: Any, queries: int, p: float) -> None:
    random = np.random.default_rng(queries)
    mine, its, data, side = both(random, boxsize)
    x = (random.random((queries, 2)) * 5 - 2) * side
    for r in 0.0, 0.02 * side, 0.3 * side, random.random(queries) * 0.2 * side:
        lists, expected = (tree.query_ball_point(x, r, p=p, return_sorted=True) for tree in (mine, its))
        assert lists.tolist() == expected.tolist()
        lengths = mine.query_ball_point(x, r, p=p, return_length=True)
        assert lengths.tolist() == [len(one) for one in expected]
    assert sorted(mine.query_ball_point(x[0], 0.2 * side, p=p)) == sorted(
        its.query_ball_point(x[0], 0.2 * side, p=p)
    )


@pytest.mark.parametrize("p", NORMS)
@pytest.mark.parametrize("count", [30, 300])
def test_pairs_are_those_of_scipy(boxsize: Any, p: float, count: int) -> None:
    mine, its, data, side = both(np.random.default_rng(count), boxsize, count)
    for r in 0.0, 0.03 * side, 0.3 * side, 0.8 * side:
        assert mine.query_pairs(r, p=p) == its.query_pairs(r, p=p)
        assert len(mine.query_pairs(r, p=p, output_type="ndarray")) == len(its.query_pairs(r, p=p))


@pytest.mark.parametrize("p", NORMS)
def test_two_trees_agree_with_scipy(boxsize: Any, p: float) -> None:
    random = np.random.default_rng(4)
    mine, its, data, side = both(random, boxsize, 300)
    others = worlds(random, boxsize, 600)
    mine_too, its_too = ours.KDTree(others, boxsize=boxsize), spatial.KDTree(others, boxsize=boxsize)
    assert [sorted(one) for one in mine.query_ball_tree(mine_too, 0.1 * side, p=p)] == [
        sorted(one) for one in its.query_ball_tree(its_too, 0.1 * side, p=p)
    ]
    radii = np.array([0, 0.02, 0.2, 0.5]) * side
    np.testing.assert_array_equal(
        mine.count_neighbors(mine_too, radii, p=p), its.count_neighbors(its_too, radii, p=p)
    )
    weights = random.random(300), random.random(600)
    np.testing.assert_allclose(
        mine.count_neighbors(mine_too, radii, p=p, weights=weights),
        its.count_neighbors(its_too, radii, p=p, weights=weights),
    )
    mine_far, its_far = (
        one.sparse_distance_matrix(other, 0.1 * side, p=p, output_type="coo_matrix")
        for one, other in ((mine, mine_too), (its, its_too))
    )
    np.testing.assert_array_equal(mine_far.toarray(), its_far.toarray())


def test_the_arguments_are_those_of_scipy() -> None:
    data = np.array([(0.1, 0.2), (0.9, 1.8)])
    tree = ours.KDTree(data, boxsize=(1, 2))
    assert tree.boxsize is not None
    np.testing.assert_array_equal(tree.boxsize, spatial.KDTree(data, boxsize=(1, 2)).boxsize)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(tree)).query((0, 0))[0], tree.query((0, 0))[0])
    for bad in (-0.1, 0.5), (1.0, 0.5), (0.5, 2.0):
        for kind in ours.KDTree, spatial.KDTree:
            with pytest.raises(ValueError):
                kind([bad], boxsize=(1, 2))
    empty = ours.KDTree(np.empty((0, 2)), boxsize=1)
    assert empty.query((0.5, 0.5)) == (np.inf, 0)
    assert empty.query_pairs(1) == set() and empty.query_ball_point((0.5, 3), 1) == []


def test_small_calls_take_the_steps_of_those_without_a_boxsize() -> None:
    data = worlds(np.random.default_rng(3), 1.0, 2000)
    around, flat = ours.KDTree(data, boxsize=1), ours.KDTree(data)
    edge = data[20:120]  # in a corner
    calls: list[Callable[[Any], Any]] = [
        lambda tree: tree.query(edge[0]),
        lambda tree: tree.query_ball_point(edge[0], 0.05),
        lambda tree: tree.query(edge, k=8),
        lambda tree: tree.query_ball_point(edge, 0.05, return_length=True),
        lambda tree: tree.count_neighbors(tree, [0.01, 0.1]),
    ]
    for call in calls:
        assert steps_of(lambda: call(around)) <= 1.5 * steps_of(lambda: call(flat)) + 20


def test_another_tree_is_in_the_plane_of_the_one_that_is_asked() -> None:
    data, others = worlds(np.random.default_rng(5), 1.0, 900), worlds(np.random.default_rng(6), 1.0, 700)
    for size, other_size in (1.0, None), (None, 1.0), (1.0, 2.0):
        mine, its = ours.KDTree(data, boxsize=size), spatial.KDTree(data, boxsize=size)
        mine_too, its_too = ours.KDTree(others, boxsize=other_size), spatial.KDTree(others, boxsize=other_size)
        assert mine.count_neighbors(mine_too, 0.1) == its.count_neighbors(its_too, 0.1)
        assert [sorted(one) for one in mine.query_ball_tree(mine_too, 0.05)] == [
            sorted(one) for one in its.query_ball_tree(its_too, 0.05)
        ]
