"""Displacements of lists and pairs equal what NumPy computes by the nearest image, in every order and form."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import throng

SIDE = (20.0, 30.0)


@pytest.fixture(params=[None, SIDE, (SIDE[0], 0)], ids=["plane", "torus", "tube"])
def world(request: pytest.FixtureRequest, random: np.random.Generator) -> tuple[throng.Engine, Any, Any]:
    """An engine, places in its world and outside of it, and its period."""
    x = random.random((700, 2)) * SIDE
    if request.param is not None:
        x[::3, 0] += 3 * SIDE[0]
    engine = throng.Engine(threads=1, period=request.param)
    engine.update(x)
    return engine, x, request.param


def nearest(d: Any, period: Any) -> Any:
    d = np.array(d, np.float64)
    for axis, size in enumerate(period or ()):
        if size:
            d[:, axis] = (d[:, axis] + size / 2) % size - size / 2
    return d


@pytest.mark.parametrize("options", [{}, dict(in_row_order=True), dict(half=True), dict(with_self=True)])
def test_displacements_of_lists_are_those_of_numpy(world: Any, random: Any, options: Any) -> None:
    engine, x, period = world
    near = engine.frame.neighbours(radius=1.5, distances=True, **options)
    i, j = near.ij()
    d = nearest(x[j] - x[i], period)
    found = near.displacements(x)
    np.testing.assert_allclose(found, d, atol=1e-12)
    np.testing.assert_allclose(np.hypot(*found.T), near.distances, atol=2e-5)
    columns = near.displacements((x[:, 0], x[:, 1].astype(np.float32)))
    np.testing.assert_allclose(columns[0], d[:, 0], atol=1e-12)
    weights = random.random(len(j))
    for factor, given in ((np.ones(len(j)), None), (weights, weights)):
        wanted = np.zeros((700, 2))
        np.add.at(wanted, i, d * factor[:, None])
        sums = near.sum_displacements(x, weights=given)
        np.testing.assert_allclose(sums, wanted[: len(sums)], atol=1e-11)
        assert not wanted[len(sums) :].any() and len(sums) == len(near.sum(x))


def test_displacements_of_pairs_go_both_ways(world: Any, random: Any) -> None:
    engine, x, period = world
    pairs = throng.Pairs()
    engine.frame.pairs(within=1.5, agents_as="centres", out=pairs)
    a, b = pairs.ids.T
    d = nearest(x[b] - x[a], period)
    assert len(d) > 500
    np.testing.assert_allclose(pairs.displacements(x), d, atol=1e-12)
    weights = random.random(len(d))
    wanted = np.zeros((700, 2))
    np.add.at(wanted, a, d * weights[:, None])
    np.add.at(wanted, b, -d * weights[:, None])
    np.testing.assert_allclose(pairs.sum_displacements(x, weights=weights), wanted, atol=1e-11)
    same = throng.Pairs.of(pairs.ids).displacements(x, period=period)
    np.testing.assert_array_equal(same, pairs.displacements(x))
    # Each half of a list is a pair, so forces cancel out.
    near = engine.frame.neighbours(radius=1.5)
    np.testing.assert_allclose(near.sum_displacements(x), pairs.sum_displacements(x), atol=1e-11)


def test_lists_of_points_and_of_other_frames_say_where_they_begin(world: Any, random: Any) -> None:
    engine, x, period = world
    points = random.random((40, 2)) * SIDE
    lists = engine.frame.neighbours(points, radius=2.0)
    i, j = lists.ij()
    np.testing.assert_allclose(
        lists.displacements(x, points=points), nearest(x[j] - points[i], period), atol=1e-12
    )
    wanted = np.zeros((40, 2))
    np.add.at(wanted, i, nearest(x[j] - points[i], period))
    np.testing.assert_allclose(lists.sum_displacements(x, points=points), wanted, atol=1e-12)
    other = throng.Engine(threads=1, period=period)
    other.update(points)
    among = engine.frame.neighbours_in(other.frame, radius=1.0)
    i, j = among.ij()
    found = among.displacements(points, points=x)
    np.testing.assert_allclose(found, nearest(points[j] - x[i], period), atol=1e-12)
    for needy in lists, among, engine.frame.neighbours(radius=1)[2:9]:
        with pytest.raises(TypeError, match="points="):
            needy.displacements(x)


def test_floats_give_floats_and_copies_remember_the_period(world: Any) -> None:
    engine, x, period = world
    near = engine.frame.neighbours(radius=1.5)
    floats = near.displacements(x.astype(np.float32))
    assert floats.dtype == near.sum_displacements(x.astype(np.float32)).dtype == np.float32
    np.testing.assert_allclose(floats, near.displacements(x), atol=2e-5)
    again = pickle.loads(pickle.dumps(near))
    np.testing.assert_array_equal(again.displacements(x), near.displacements(x))
    pairs = throng.Pairs()
    engine.frame.pairs(within=1, out=pairs)
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(pairs)).displacements(x), pairs.displacements(x)
    )
    plain = near.displacements(x, period=0)
    i, j = near.ij()
    np.testing.assert_array_equal(plain, x[j] - x[i])
    kept = throng.KeptNeighbours(radius=1.5, skin=0.25)
    kept.update(engine.frame)
    i, j = kept.ij()
    np.testing.assert_allclose(kept.displacements(x), nearest(x[j] - x[i], period), atol=1e-12)


def test_displacements_of_nothing_and_of_too_few_places() -> None:
    engine = throng.Engine()
    engine.update([(0, 0), (0.5, 0), (9, 9)])
    near = engine.frame.neighbours(radius=1)
    assert engine.frame.neighbours(radius=0.1).displacements(np.zeros((3, 2))).shape == (0, 2)
    assert throng.Lists().displacements(np.zeros((0, 2))).shape == (0, 2)
    assert throng.Lists().sum_displacements(np.zeros((0, 2))).shape == (0, 2)
    assert throng.Pairs().sum_displacements(np.zeros((3, 2))).tolist() == [[0, 0]] * 3
    with pytest.raises(ValueError, match="an agent has no place: there are 1"):
        near.displacements(np.zeros((1, 2)))
    with pytest.raises(ValueError, match=r"weights must have the shape \(2,\)"):
        near.sum_displacements(np.zeros((3, 2)), weights=[1])
    with pytest.raises(ValueError, match="x must have the shape"):
        near.displacements(np.zeros((3, 3)))
    ours = throng.Pairs()
    engine.frame.pairs_with(engine.frame, within=1, out=ours)
    with pytest.raises(TypeError, match="two frames"):
        ours.sum_displacements(np.zeros((3, 2)), points=np.zeros((3, 2)))


def test_many_lists_come_in_several_parts(random: np.random.Generator) -> None:
    x = random.random((20_000, 2)) * 60
    engine = throng.Engine(threads=1, period=60)
    engine.update(x)
    near = engine.frame.neighbours(radius=2)
    i, j = near.ij()
    assert len(j) > 300_000
    d = nearest(x[j] - x[i], (60, 60))
    np.testing.assert_allclose(near.displacements(x), d, atol=1e-11)
    wanted = np.stack([np.bincount(i, d[:, axis], len(x)) for axis in (0, 1)], axis=1)
    np.testing.assert_allclose(near.sum_displacements(x), wanted, atol=1e-10)
