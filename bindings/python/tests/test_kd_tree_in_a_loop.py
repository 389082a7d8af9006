"""Single queries, as in a loop, and what else of SciPy's trees has types of its own."""

from __future__ import annotations

import pickle
import threading
from typing import Any, Callable

import numpy as np
import pytest

from throng import scipy as ours

spatial = pytest.importorskip("scipy.spatial")

# One point, as callers may give it.
POINTS: list[Callable[[float, float], Any]] = [
    lambda x, y: (x, y),
    lambda x, y: [x, y],
    lambda x, y: np.array([x, y]),
    lambda x, y: np.array([x, y], np.float32),
    lambda x, y: np.array([[y, x], [x, y]])[1, ::1],
    lambda x, y: np.array([x, 0, y, 0])[::2],
    lambda x, y: (np.float64(x), np.float64(y)),
    lambda x, y: (int(x * 9), int(y * 9)),
    lambda x, y: np.array([int(x * 9), int(y * 9)]),
    lambda x, y: (True, False),
    lambda x, y: np.array([x, y], ">f8"),
    lambda x, y: np.array([x, y], object),
]


def trees(name: str, data: Any) -> tuple[Any, Any]:
    return getattr(ours, name)(data), getattr(spatial, name)(data)


def same(mine: Any, its: Any) -> None:
    assert type(mine) is type(its)
    assert np.array_equal(mine, its)
    assert np.asarray(mine).dtype == np.asarray(its).dtype


@pytest.mark.parametrize("name", ["KDTree", "cKDTree"])
@pytest.mark.parametrize("point", POINTS)
def test_one_query_has_the_answer_and_types_of_scipy(
    random: np.random.Generator, name: str, point: Callable[[float, float], Any]
) -> None:
    mine, its = trees(name, random.random((900, 2)))
    for x, y in random.random((20, 2)).tolist():
        for options in ({}, {"k": 5}, {"k": 70}, {"k": [2]}, {"k": 1, "p": 1}, {"k": 2, "p": np.inf}):
            found, expected = mine.query(point(x, y), **options), its.query(point(x, y), **options)
            for one, other in zip(found, expected):
                same(one, other)
        bounded = mine.query(point(x, y), 3, distance_upper_bound=0.03)
        same(bounded[1], its.query(point(x, y), 3, distance_upper_bound=0.03)[1])
        for radius in (0.1, 0.7, 0, -0.1, np.float64(0.2), np.array(0.1), np.array([0.1]), 1):
            for p in (1, 2, np.inf):
                got = mine.query_ball_point(point(x, y), radius, p)
                want = its.query_ball_point(point(x, y), radius, p)
                assert type(got) is list and sorted(got) == sorted(want)
                assert all(type(id) is int for id in got)
        in_order = mine.query_ball_point(point(x, y), 0.3, return_sorted=True)
        assert in_order == sorted(in_order) == its.query_ball_point(point(x, y), 0.3, return_sorted=True)
        same(
            mine.query_ball_point(point(x, y), 0.3, return_length=True),
            its.query_ball_point(point(x, y), 0.3, return_length=True),
        )


@pytest.mark.parametrize("name", ["KDTree", "cKDTree"])
def test_an_empty_tree_answers_one_query(name: str) -> None:
    mine, its = trees(name, np.zeros((0, 2)))
    for one, other in zip(mine.query((1, 2)), its.query((1, 2))):
        same(one, other)
    assert mine.query_ball_point((1, 2), 3) == its.query_ball_point((1, 2), 3) == []


def test_answers_of_one_query_are_the_callers_own(random: np.random.Generator) -> None:
    tree = ours.KDTree(random.random((50, 2)))
    first = tree.query((0.1, 0.1), 3)
    kept = [part.copy() for part in first]
    tree.query((0.9, 0.9), 3)
    assert np.array_equal(first[0], kept[0]) and np.array_equal(first[1], kept[1])


def test_threads_that_ask_at_once_get_their_own_answers(random: np.random.Generator) -> None:
    data = random.random((500, 2))
    tree = ours.cKDTree(data)
    wrong: list[int] = []

    def ask(begin: int) -> None:
        for i in range(begin, 500, 4):
            distances, ids = tree.query(data[i], 2)
            near = tree.query_ball_point(data[i], 0.01)
            if distances[0] != 0 or ids[0] != i or i not in near:
                wrong.append(i)

    threads = [threading.Thread(target=ask, args=(begin,)) for begin in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize("name", ["KDTree", "cKDTree"])
@pytest.mark.parametrize("attribute", ["n", "m", "data", "leafsize", "mins", "maxes", "boxsize"])
def test_attributes_are_those_of_scipy_and_read_only(
    random: np.random.Generator, name: str, attribute: str
) -> None:
    for tree in trees(name, random.random((30, 2))):
        with pytest.raises(AttributeError):
            setattr(tree, attribute, 3)
    mine, its = trees(name, random.random((30, 2)))
    same(getattr(mine, attribute), getattr(its, attribute))


@pytest.mark.parametrize("boxsize", [0, 0.0, (0, 0), [0.0, 0.0]])
def test_a_box_of_no_size_is_none(random: np.random.Generator, boxsize: Any) -> None:
    data = random.random((40, 2))
    mine, its = ours.KDTree(data, boxsize=boxsize), spatial.KDTree(data, boxsize=boxsize)
    same(mine.boxsize, its.boxsize)
    same(pickle.loads(pickle.dumps(mine)).boxsize, its.boxsize)
    assert mine.query_pairs(0.1) == its.query_pairs(0.1)


def test_a_tree_of_either_kind_is_a_cKDTree(random: np.random.Generator) -> None:
    data = random.random((40, 2))
    assert isinstance(ours.KDTree(data), ours.cKDTree) and isinstance(spatial.KDTree(data), spatial.cKDTree)
    mine = ours.KDTree(data).query_ball_tree(ours.cKDTree(data), 0.1)
    assert mine == spatial.KDTree(data).query_ball_tree(spatial.cKDTree(data), 0.1)
    assert type(pickle.loads(pickle.dumps(ours.cKDTree(data)))) is ours.cKDTree
