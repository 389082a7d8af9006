"""An engine whose world wraps around: what Python gives it, and what comes back."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
import throng


def test_agents_and_queries_may_be_anywhere() -> None:
    engine = throng.Engine(period=(10, 20))
    engine.update([(0.2, 5), (9.9, 5), (25, 45)], radius=0.5)
    frame = engine.frame
    assert frame.pairs().tolist() == [[0, 1]]
    np.testing.assert_allclose(frame.boxes_of([2]), [[4.5, 4.5, 5.5, 5.5]])
    assert sorted(frame.overlaps((-0.1, 4, 0.1, 6))) == [0, 1]
    assert sorted(frame.overlaps((99.9, 64, 100.1, 66))) == [0, 1]
    assert frame.nearest_lists((9.99, 25), 1).ids.tolist() == [1]


def test_pairs_and_neighbours_are_those_of_all_images() -> None:
    random = np.random.default_rng(5)
    period = np.array([7, 3])
    points = ((random.random((300, 2)) * 6 - 2) * period).astype(np.float32)
    engine = throng.Engine(period=(7, 3))
    engine.update(points, radius=0.1)
    ways = np.abs(points[:, None].astype(float) - points[None])
    ways = np.mod(ways, period)
    ways = np.minimum(ways, period - ways)
    touching = (ways <= 0.2 - 1e-5).all(axis=2) & ~np.eye(300, dtype=bool)
    pairs = {tuple(sorted(pair)) for pair in engine.frame.pairs().tolist()}
    assert {tuple(pair) for pair in np.argwhere(touching).tolist() if pair[0] < pair[1]} <= pairs
    distances = np.hypot(ways[..., 0], ways[..., 1]) + np.eye(300) * 99
    lists = engine.frame.nearest_lists(k=4, distances=True)
    found = np.sqrt(lists.squared_distances).reshape(300, 4)
    np.testing.assert_allclose(found, np.sort(distances, axis=1)[:, :4], atol=1e-5)


def test_what_is_no_period_is_refused() -> None:
    for bad in (-1, 5), (np.nan, 5), (np.inf, 0):
        with pytest.raises(throng.Error, match="period must be 0, or from 1e-30 to 1e") as refused:
            throng.Engine(period=bad)
        assert refused.value.argument == throng.Argument.PERIOD
    for wrong in "a", (1, 2, 3), ("a", 1):
        with pytest.raises(TypeError):
            throng.Engine(period=wrong)  # type: ignore[arg-type]
    engine = throng.Engine(period=(5, 0))
    engine.update([(0, 0)], radius=1)
    with pytest.raises(throng.Error):
        engine.frame.first_hits((0, 0), (99, 1))
    assert engine.frame.first_hits((2, 0), (6, 0)).fractions == 0.5


def test_walls_and_other_frames_are_found_across_the_seams() -> None:
    engine = throng.Engine(period=(10, 10))
    engine.static_layer = throng.StaticLayer([(11.5, 4.5, 12.5, 5.5), (-1, 0, 1, 1)], engine=engine)
    engine.update([(9.8, 0.5), (2, 5)], radius=0.5)
    frame = engine.frame
    assert frame.static_layer is not None
    np.testing.assert_allclose(frame.static_layer.boxes_of([0]), [[1.5, 4.5, 2.5, 5.5]])
    assert sorted(frame.pairs_with(frame.static_layer).tolist()) == [[0, 1], [1, 0]]
    agents, elements = frame.with_static.overlaps([(9.9, 0, 10.5, 1)])
    assert agents[0].tolist() == [0]
    assert elements[0].tolist() == [1]
    other = throng.Engine(period=(10, 10))
    other.update([(0.2, 0.5)], radius=0.5)
    assert frame.pairs_with(other.frame).tolist() == [[0, 0]]
    flat = throng.Engine()
    flat.update([(0.2, 0.5)], radius=0.5)
    with pytest.raises(throng.Error, match="wrap around alike"):
        frame.pairs_with(flat.frame)


def test_a_pickled_frame_wraps_around_as_before() -> None:
    engine = throng.Engine(period=(10, 0))
    engine.update([(0.2, 5), (9.9, 5), (5, 5)], radius=0.5)
    again = pickle.loads(pickle.dumps(engine.frame))
    assert again.pairs().tolist() == engine.frame.pairs().tolist() == [[0, 1]]
    assert sorted(pickle.loads(pickle.dumps(again)).overlaps((-0.1, 4, 0.1, 6))) == [0, 1]


def test_frames_with_other_origins_wrap_around_alike() -> None:
    engines = [throng.Engine(period=(10, 10), origin=(x, 0)) for x in (0, 5)]
    for engine in engines:
        engine.update(np.array([(5.2, 5), (14.9, 5)]), radius=0.5)
    assert sorted(engines[0].frame.pairs_with(engines[1].frame).tolist()) == [[0, 0], [0, 1], [1, 0], [1, 1]]


def test_a_frame_says_its_period() -> None:
    engine = throng.Engine(period=10)
    assert engine.period == engine.frame.period == (10, 10)
    assert repr(engine.frame).endswith("period (10, 10)>") and repr(engine).endswith("period (10, 10)>")
    assert pickle.loads(pickle.dumps(engine.frame)).period == (10, 10)
    assert throng.Engine(period=np.array([2.5, 0])).period == (2.5, 0)
    assert throng.Engine().frame.period is None


FAR = np.array([(0, 0), (20e4, -40e4), (5e5, 5.2e6)])


@pytest.mark.parametrize("away", FAR.tolist())
def test_doubles_are_folded_before_they_are_rounded(away: list[float]) -> None:
    random = np.random.default_rng(1)
    x = random.random((600, 2)) * 20 + away
    near = np.mod(x, 20)
    engine, expected = throng.Engine(period=20), throng.Engine(period=20)
    expected.update(near, radius=0.1)
    frame, again = expected.frame, throng.Engine(period=20)
    boxes = frame.boxes_of(np.arange(600))
    engine.update(x, radius=0.1)
    np.testing.assert_array_equal(engine.frame.boxes_of(np.arange(600)), boxes)
    again.insert(x, radius=0.1)
    again.move([3], x[3:4], radius=0.1)
    again.commit()
    again.move_boxes([5], [(*(x[5] - 0.1), *(x[5] + 0.1))])
    again.commit()
    np.testing.assert_allclose(again.frame.boxes_of(np.arange(600)), boxes, atol=1e-6)
    layered = throng.Engine(period=20)
    layered.static_layer = throng.StaticLayer(centre=x, half=0.1)
    layered.update(x[:5])
    found = layered.frame.static_layer.nearest(near).distances
    assert found.max() < 1e-5
    for at, there in zip(x[:9], near[:9]):
        assert frame.nearest(at).distances[0] < 1e-5 and frame.nearest(at[None]).distances[0] < 1e-5
        assert frame.neighbours(at, radius=1).tolist() == frame.neighbours(there, radius=1).tolist()
        counts: tuple[Any, ...] = (frame.count, frame.any)
        for count in counts:
            ends: dict[str, Any] = {"boxes": (1, 0.5), "circles": (0.9,), "segments": (2, 1, 0.5)}
            for name, end in ends.items():
                far, close = ((*place, *(end if name == "circles" else place + end[:2]), *end[2:]) for place in (at, there))
                assert count(**{name: far}) == count(**{name: close}) == count(**{name: [far]})[0]
        square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
        assert frame.count(polygons=square + at) == frame.count(polygons=square + there)
        hit = frame.first_hits(there, there + (3, 1)).ids
        assert frame.first_hits(at, at + (3, 1)).ids == frame.first_hits(at[None], at[None] + (3, 1)).ids[0] == hit
        assert frame.first_hits(throng.casts(at[None], at[None] + (3, 1))).ids[0] == hit


def test_a_period_leaves_doubles_far_away_without_a_warning() -> None:
    x = np.random.default_rng(1).random((100, 2)) * 20 + FAR[2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        throng.Engine(period=20).update(x, radius=0.1)
        throng.Engine(period=(0, 20)).update(x - (5e5, 0), radius=0.1)
    with pytest.warns(throng.PrecisionWarning):
        throng.Engine(period=(0, 20)).update(x, radius=0.1)
    with pytest.warns(throng.PrecisionWarning):
        throng.Engine(period=20).update(x.astype(np.float32), radius=0.1)
