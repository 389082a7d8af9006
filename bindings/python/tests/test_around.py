"""An engine whose world wraps around: what Python gives it, and what comes back."""

from __future__ import annotations

import pickle

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
        with pytest.raises(throng.Error):
            throng.Engine(period=bad)
    for wrong in 5, (1, 2, 3), ("a", 1):
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
