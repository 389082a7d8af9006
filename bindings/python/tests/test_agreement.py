"""The answers are those of brute force, and of SciPy, shapely and rtree."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from conftest import as_set, brute_pairs, crowd, overlapping

import throng

COUNT = 700


def boxes_of(random: np.random.Generator, count: int = COUNT) -> Any:
    low = crowd(random, count)
    return np.concatenate([low, low + random.random((count, 2), np.float32)], axis=1)


def test_pairs_are_those_of_brute_force(engine: throng.Engine, random: np.random.Generator) -> None:
    boxes = boxes_of(random)
    engine.update_boxes(boxes)
    pairs = engine.frame.pairs()
    assert pairs.dtype == np.intp and pairs.shape[1] == 2
    assert len(as_set(pairs)) == len(pairs) == engine.frame.count_pairs() > 0
    assert as_set(pairs) == brute_pairs(boxes)


def test_sorted_pairs_are_in_order(engine: throng.Engine, random: np.random.Generator) -> None:
    engine.update(crowd(random, COUNT), radius=0.5)
    pairs = engine.frame.pairs(sort=True)
    assert [*map(tuple, pairs.tolist())] == sorted(as_set(engine.frame.pairs()))
    assert pairs.tolist() != engine.frame.pairs().tolist()


def test_pairs_within_a_distance_are_those_of_scipy(
    engine: throng.Engine, random: np.random.Generator
) -> None:
    spatial = pytest.importorskip("scipy.spatial")
    points = crowd(random, COUNT)
    engine.update(points)
    found = engine.frame.pairs(within=1.25)
    assert as_set(found) == spatial.cKDTree(points.astype(np.float64)).query_pairs(1.25)


@pytest.mark.parametrize("within", [0, 0.75])
def test_pairs_of_circles_are_those_of_brute_force(
    engine: throng.Engine, random: np.random.Generator, within: float
) -> None:
    boxes = boxes_of(random)
    engine.update_boxes(boxes)
    half = np.float32(0.5)
    low, high = half * boxes[:, :2], half * boxes[:, 2:]
    centres, radii = low + high, (high - low).min(axis=1)
    x, y = np.moveaxis(centres[:, None] - centres[None], 2, 0)
    reach = radii[:, None] + radii[None] + np.float32(within)
    touch = np.argwhere(np.triu(x * x + y * y <= reach * reach, 1))
    pairs = engine.frame.pairs(within=within, agents_as="circles", sort=True)
    assert np.array_equal(pairs, touch)
    assert len(pairs) == engine.frame.count_pairs(within=within, agents_as="circles") > 0
    assert len(pairs) < engine.frame.count_pairs(within=within)
    changes = throng.PairChanges()
    assert np.array_equal(engine.frame.pair_changes(changes, within=within, agents_as="circles").began, touch)
    with_itself = engine.frame.count_pairs_with(engine.frame, within=within, agents_as="circles")
    assert with_itself == COUNT + 2 * len(pairs)


def test_pairs_of_centres_are_the_neighbours_within_a_distance(
    engine: throng.Engine, random: np.random.Generator
) -> None:
    engine.update_boxes(boxes_of(random))
    lists = engine.frame.neighbours(radius=1.25)
    i, j = lists.ij()
    pairs = engine.frame.pairs(within=1.25, agents_as="centres")
    assert as_set(pairs) == as_set(np.stack([i, j], axis=1)[i < j])


def test_what_agents_are_in_pairs_has_a_name(engine: throng.Engine) -> None:
    with pytest.raises(ValueError, match="agents_as must be one of .*'discs'"):
        engine.frame.pairs(agents_as="discs")  # type: ignore[arg-type]


def test_overlaps_are_those_of_brute_force(engine: throng.Engine, random: np.random.Generator) -> None:
    boxes, queries = boxes_of(random), boxes_of(random, 90) * np.float32(0.5)
    engine.update_boxes(boxes)
    touches = overlapping(queries, boxes)
    hits = engine.frame.overlaps(queries)
    assert isinstance(hits, throng.Lists)
    assert [sorted(ids.tolist()) for ids in hits] == [np.nonzero(row)[0].tolist() for row in touches]
    assert np.array_equal(engine.frame.count(queries), touches.sum(axis=1))
    assert np.array_equal(engine.frame.any(queries), touches.any(axis=1))
    for query, ids in zip(queries, hits):
        assert np.array_equal(engine.frame.overlaps(query), ids)
        assert engine.frame.count(query) == len(ids)
        assert engine.frame.any(query) == (len(ids) > 0)


def test_a_single_box_may_have_more_answers_than_there_is_room_for_at_first(engine: throng.Engine) -> None:
    engine.update(np.zeros((500, 2), np.float32))
    assert sorted(engine.frame.overlaps((-1, -1, 1, 1)).tolist()) == list(range(500))


def test_overlaps_are_those_of_shapely(engine: throng.Engine, random: np.random.Generator) -> None:
    strtree = pytest.importorskip("shapely.strtree")
    geometry = pytest.importorskip("shapely.geometry")
    boxes, queries = boxes_of(random), boxes_of(random, 50)
    engine.update_boxes(boxes)
    shapes = [geometry.box(*box) for box in boxes.tolist()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # shapely 1.8 announces 2.0, which answers with indices
        tree = strtree.STRtree(shapes)
        theirs = [tree.query(geometry.box(*query)) for query in queries.tolist()]
    index = {id(shape): i for i, shape in enumerate(shapes)}
    expected = [sorted(index.get(id(found), found) for found in one) for one in theirs]
    assert [sorted(ids.tolist()) for ids in engine.frame.overlaps(queries)] == expected


def test_overlaps_are_those_of_rtree(engine: throng.Engine, random: np.random.Generator) -> None:
    rtree = pytest.importorskip("rtree")
    boxes = boxes_of(random, 200)
    engine.update_boxes(boxes)
    index = rtree.index.Index((i, box, None) for i, box in enumerate(boxes.tolist()))
    for query in boxes_of(random, 20).tolist():
        assert sorted(index.intersection(query)) == sorted(engine.frame.overlaps(query).tolist())


def test_neighbours_are_those_of_scipy(engine: throng.Engine, random: np.random.Generator) -> None:
    spatial = pytest.importorskip("scipy.spatial")
    points, queries = crowd(random, COUNT), crowd(random, 60)
    engine.update(points)
    tree = spatial.cKDTree(points.astype(np.float64))
    near = engine.frame.neighbours(queries, radius=1.5, distances=True)
    assert [sorted(ids.tolist()) for ids in near] == [
        sorted(ids) for ids in tree.query_ball_point(queries, 1.5)
    ]
    i, j = near.ij()
    exact = np.linalg.norm(queries[i].astype(np.float64) - points[j], axis=1)
    assert np.allclose(near.distances, exact, rtol=1e-5, atol=1e-6)


def test_neighbours_take_agents_as_circles(engine: throng.Engine, random: np.random.Generator) -> None:
    points, queries = crowd(random, COUNT), crowd(random, 60)
    engine.update(points, radius=0.25)
    near = engine.frame.neighbours(queries, radius=1.25, agents_as="circles", distances=True)
    apart = np.linalg.norm(queries[:, None].astype(np.float64) - points, axis=2) - 0.25
    assert [set(ids.tolist()) for ids in near] == [set(np.nonzero(row <= 1.25)[0].tolist()) for row in apart]
    assert np.allclose(near.distances, np.maximum(apart[near.ij()], 0), atol=1e-6)
    counts = engine.frame.count_neighbours(queries, radius=1.25, agents_as="circles")
    assert counts.tolist() == [len(one) for one in near]


def test_neighbours_of_all_agents_leave_out_the_agent_itself(
    engine: throng.Engine, random: np.random.Generator
) -> None:
    points = crowd(random, COUNT)
    engine.update(points)
    near = engine.frame.neighbours(radius=1.5)
    apart = np.linalg.norm(points[:, None, :].astype(np.float64) - points[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    assert [sorted(ids.tolist()) for ids in near] == [np.nonzero(row <= 1.5)[0].tolist() for row in apart]
    half = engine.frame.neighbours(radius=1.5, half=True)
    assert 2 * len(half.ids) == len(near.ids) > 0
    assert as_set(np.stack(half.ij(), axis=1)) == as_set(np.stack(near.ij(), axis=1))


def test_lists_in_row_order_say_whose_they_are(engine: throng.Engine, random: np.random.Generator) -> None:
    engine.update(crowd(random, COUNT))
    by_id = engine.frame.neighbours(radius=1.5)
    as_they_lie = engine.frame.neighbours(radius=1.5, in_row_order=True)
    assert by_id.agents is None and as_they_lie.agents is not None
    assert sorted(as_they_lie.agents.tolist()) == list(range(COUNT)) != as_they_lie.agents.tolist()
    for agent, ids in zip(as_they_lie.agents, as_they_lie):
        assert np.array_equal(np.sort(ids), np.sort(by_id[agent]))
    assert sorted(zip(*as_they_lie.ij())) == sorted(zip(*by_id.ij()))


def test_the_nearest_are_those_of_scipy(engine: throng.Engine, random: np.random.Generator) -> None:
    spatial = pytest.importorskip("scipy.spatial")
    points, queries = crowd(random, COUNT), crowd(random, 60)
    engine.update(points)
    tree = spatial.cKDTree(points.astype(np.float64))
    for k in (1, 8):
        distances, ids = tree.query(queries, [*range(1, k + 1)])
        mine = engine.frame.nearest(queries, k)
        assert np.array_equal(mine.ids, ids)
        assert np.allclose(mine.distances, distances, rtol=1e-5)


def test_the_nearest_within_a_radius_are_padded_as_scipy_pads(
    engine: throng.Engine, random: np.random.Generator
) -> None:
    spatial = pytest.importorskip("scipy.spatial")
    points, queries = crowd(random, COUNT), crowd(random, 60)
    engine.update(points)
    distances, ids = spatial.cKDTree(points.astype(np.float64)).query(queries, 5, distance_upper_bound=1)
    mine = engine.frame.nearest(queries, 5, radius=1)
    assert np.array_equal(mine.ids, np.where(np.isinf(distances), -1, ids))
    assert np.allclose(mine.distances, distances, rtol=1e-5) and np.isinf(distances).any()


def test_casts_hit_what_brute_force_finds(engine: throng.Engine, random: np.random.Generator) -> None:
    boxes = boxes_of(random, 150)
    engine.update_boxes(boxes)
    start, end = crowd(random, 80), crowd(random, 80)
    first = np.full(80, np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        for i, box in enumerate(boxes.astype(np.float64)):
            step = (end - start).astype(np.float64)
            near, far = (box[:2] - start) / step, (box[2:] - start) / step
            enter = np.maximum(np.minimum(near, far).max(axis=1), 0)
            leave = np.minimum(np.maximum(near, far).min(axis=1), 1)
            first = np.where(enter <= leave, np.minimum(first, enter), first)
    hits = engine.frame.first_hits(start, end)
    assert np.array_equal(hits.ids >= 0, np.isfinite(first)) and 0 < np.isfinite(first).sum() < 80
    assert np.allclose(hits.fractions, first, atol=1e-4)
    assert np.array_equal(engine.frame.blocked(start, end), hits.ids >= 0)
    every = engine.frame.all_hits(start, end)
    assert [ids[0] if len(ids) else -1 for ids in every] == hits.ids.tolist()
    one = engine.frame.first_hits(start[3], end[3])
    assert (one.ids, one.fractions) == (hits.ids[3], hits.fractions[3])


def test_threads_change_no_answer(random: np.random.Generator) -> None:
    engines = [throng.Engine(), throng.Engine(threads=1)]
    points = crowd(random, 20_000)
    for one in engines:
        one.update(points, radius=0.4)
    parallel, serial = (one.frame for one in engines)
    assert parallel.order_fingerprint == serial.order_fingerprint
    assert np.array_equal(parallel.pairs(), serial.pairs())
    assert np.array_equal(parallel.neighbours(radius=1).ids, serial.neighbours(radius=1).ids)
