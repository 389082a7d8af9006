"""Shapes, filters, two frames, both layers, changes, kept lists and blocks: against brute force and plain
calls."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from conftest import as_set, crowd, overlapping, steps_of

import throng
from throng._arrays import AgentsAs

COUNT = 400


@pytest.fixture
def points(random: np.random.Generator) -> Any:
    return crowd(random, COUNT)


def sets(lists: throng.Lists) -> list[set[int]]:
    return [set(ids.tolist()) for ids in lists]


def boxes_around(points: Any, half: float) -> Any:
    return np.concatenate([points - np.float32(half), points + np.float32(half)], axis=1)


def test_single_queries_are_answered_as_batches_of_one(
    engine: throng.Engine, points: Any, random: Any
) -> None:
    engine.update(points, radius=0.25)
    frame = engine.frame
    for x, y in random.random((40, 2)) * 20:
        for dtype in (np.float32, np.float64):
            box, point, end = (np.array(row, dtype) for row in ((x, y, x + 2, y + 1), (x, y), (y, x)))
            for one in (box, box.tolist(), tuple(box.tolist())):
                assert np.array_equal(frame.overlaps(one), frame.overlaps(box[None])[0])
                assert frame.count(one) == frame.count(box[None])[0]
                assert frame.any(one) is bool(frame.any(box[None])[0])
            assert np.array_equal(
                frame.neighbours(point, radius=3), frame.neighbours(point[None], radius=3)[0]
            )
            mine, its = frame.nearest(point, 9, radius=2), frame.nearest(point[None], 9, radius=2)
            assert np.array_equal(mine.ids, its.ids[0]) and np.array_equal(mine.distances, its.distances[0])
            hit = frame.first_hits(point, end, radius=0.1)
            hits = frame.first_hits(point[None], end[None], radius=0.1)
            assert [*hit] == [column[0] for column in hits]
            assert frame.blocked(tuple(point), end) is bool(frame.blocked(point[None], end[None])[0])


def test_a_single_box_in_doubles_is_rounded_as_agents_are(random: np.random.Generator) -> None:
    engine = throng.Engine(threads=1, origin=(0, 0))
    points = 0.5 + np.ldexp(random.integers(-9, 9, (40, 2)), -26)  # parts of the steps of float32
    engine.update(points)
    agents = np.tile(points, 2)
    for box in agents + np.array((-1, -1, 0, 0)):
        found = sorted(engine.frame.overlaps(tuple(box)).tolist())
        assert found == sorted(engine.frame.overlaps([box])[0].tolist())
        touched = overlapping([box.astype(np.float32)], agents.astype(np.float32))[0]
        assert found == np.flatnonzero(touched).tolist()
        assert {*np.flatnonzero(overlapping([box], agents)[0])} <= {*found}


def test_a_filter_of_a_batch_is_not_lost_on_a_single_query(engine: throng.Engine) -> None:
    engine.update([(0, 0), (1, 0)])
    for one, expected in ((throng.Filter(ignore=[1]), 0), (throng.Filter(each_without_itself=True), 1)):
        assert engine.frame.overlaps((-1, -1, 2, 2), filter=one).tolist() == [expected]
        assert engine.frame.count((-1, -1, 2, 2), filter=one) == 1
        assert engine.frame.neighbours((0, 0), radius=2, filter=one).tolist() == [expected]
        assert engine.frame.nearest((0, 0), 2, filter=one).ids.tolist() == [expected, -1]
        assert engine.frame.first_hits((-1, 0), (2, 0), filter=one).ids == expected
    with pytest.raises(throng.Error):
        engine.frame.count((-1, -1, 2, 2), filter=throng.Filter(ignore=[1, 0]))


@pytest.mark.parametrize("agents_as", ["boxes", "centres", "circles"])
def test_circles_find_what_they_touch(
    engine: throng.Engine, points: Any, random: Any, agents_as: AgentsAs
) -> None:
    engine.update(points, radius=0.25)
    circles = np.concatenate([crowd(random, 60), random.random((60, 1)) * 2], axis=1).astype(np.float32)
    offset = np.abs(points[None].astype(np.float64) - circles[:, None, :2])
    if agents_as == "boxes":
        offset = np.maximum(offset - 0.25, 0)
    reach = circles[:, None, 2] + (0.25 if agents_as == "circles" else 0)
    touches = np.hypot(offset[..., 0], offset[..., 1]) <= reach
    hits = engine.frame.overlaps(circles=circles, agents_as=agents_as)
    assert sets(hits) == [set(np.nonzero(row)[0].tolist()) for row in touches] and touches.any()
    assert np.array_equal(engine.frame.count(circles=circles, agents_as=agents_as), touches.sum(axis=1))
    one = engine.frame.overlaps(circles=circles[5], agents_as=agents_as)
    assert set(one.tolist()) == sets(hits)[5]


def test_polygons_and_segments_find_what_boxes_and_circles_find(engine: throng.Engine, points: Any) -> None:
    engine.update(points, radius=0.25)
    frame = engine.frame
    boxes = boxes_around(points[:30], 1.5)
    corners = [boxes[:, [0, 1]], boxes[:, [2, 1]], boxes[:, [2, 3]], boxes[:, [0, 3]]]
    polygons = np.stack(corners, axis=1)
    assert sets(frame.overlaps(polygons=polygons)) == sets(frame.overlaps(boxes))
    assert sets(frame.overlaps(polygons=list(polygons.astype(np.float64)))) == sets(frame.overlaps(boxes))
    assert frame.any(polygons=polygons[3]) is True
    dots = np.concatenate([points[:30], points[:30], np.full((30, 1), 1.5, np.float32)], axis=1)
    circles = dots[:, 2:]
    assert sets(frame.overlaps(segments=dots)) == sets(frame.overlaps(circles=circles))
    no_corners, not_convex = np.zeros((1, 0, 2)), [(0, 0), (4, 0), (1, 1), (0, 4)]
    for wrong in (no_corners, not_convex):
        with pytest.raises(throng.Error) as caught:
            frame.overlaps(polygons=wrong)
        assert caught.value.code is throng.Code.BAD_SHAPE
    with pytest.raises(TypeError):
        frame.overlaps(boxes, circles=circles)
    with pytest.raises(ValueError, match="copy=False"):
        frame.overlaps(circles=circles, copy=False)


def test_lists_as_found_say_whose_they_are(engine: throng.Engine, points: Any) -> None:
    engine.update(points, radius=0.25)
    boxes = boxes_around(points[::-1], 1)
    plain, found = engine.frame.overlaps(boxes), engine.frame.overlaps(boxes, as_found=True)
    assert plain.queries is None and sorted(found.queries.tolist()) == list(range(COUNT))
    assert {int(q): set(ids.tolist()) for q, ids in zip(found.queries, found)} == dict(enumerate(sets(plain)))
    assert sorted(zip(*found.ij())) == sorted(zip(*plain.ij()))


def test_filters_leave_out_what_they_say(engine: throng.Engine, points: Any, random: Any) -> None:
    categories, groups = random.integers(0, 8, COUNT), random.integers(-1, 5, COUNT)
    engine.update(points, radius=0.25, categories=categories, groups=groups)
    boxes = boxes_around(points, 1.5)
    touches = overlapping(boxes, boxes_around(points, 0.25))
    of_category = (categories & 5) != 0

    def found(**filter: Any) -> Any:
        matrix = np.zeros((COUNT, COUNT), bool)
        matrix[engine.frame.overlaps(boxes, filter=throng.Filter(**filter)).ij()] = True
        return matrix

    assert np.array_equal(found(categories=5), touches & of_category)
    assert np.array_equal(found(not_in_group=2), touches & (groups != 2))
    assert np.array_equal(found(each_without_itself=True), touches & ~np.eye(COUNT, dtype=bool))
    assert np.array_equal(found(ignore=np.arange(COUNT)), touches & ~np.eye(COUNT, dtype=bool))
    masks = random.integers(0, 8, COUNT)
    each = touches & ((masks[:, None] & categories) != 0) & (groups != 2)
    assert np.array_equal(found(categories=masks, not_in_group=2), each)
    near = engine.frame.neighbours(radius=1, filter=throng.Filter(not_in_group=groups))
    i, j = near.ij()
    assert len(i) and not ((groups[i] == groups[j]) & (groups[i] >= 0)).any()
    with pytest.raises(ValueError, match="length"):
        throng.Filter(categories=[1, 2], ignore=[1, 2, 3])
    with pytest.raises(throng.Error):
        engine.frame.overlaps(boxes, filter=throng.Filter(ignore=[1, 2]))


def test_pairs_by_category_and_group(engine: throng.Engine, points: Any, random: Any) -> None:
    categories, groups = 1 << random.integers(0, 3, COUNT), random.integers(0, 3, COUNT)
    engine.update(points, radius=0.4, categories=categories, groups=groups)
    pairs = engine.frame.pairs()
    a, b = categories[pairs].T
    expected = as_set(pairs[((a == 1) & (b == 2)) | ((a == 2) & (b == 1))])
    assert as_set(engine.frame.pairs(a=1, b=2)) == expected != set()
    assert engine.frame.count_pairs(a=1, b=2) == len(expected)
    i, j = groups[pairs].T
    assert as_set(engine.frame.pairs(other_groups_only=True)) == as_set(pairs[i != j])


def test_two_frames_are_asked_together(points: Any, random: Any) -> None:
    people, cars = throng.Engine(), throng.Engine()
    places = crowd(random, 150)
    people.update(points, radius=0.25)
    cars.update(places, radius=0.75)
    touches = overlapping(boxes_around(points, 0.25), boxes_around(places, 0.75))
    found = people.frame.pairs_with(cars.frame)
    assert set(map(tuple, found.tolist())) == set(zip(*(axis.tolist() for axis in np.nonzero(touches))))
    assert people.frame.count_pairs_with(cars.frame) == len(found) == touches.sum()
    near = people.frame.neighbours_in(cars.frame, radius=2)
    assert sets(near) == sets(cars.frame.neighbours(points, radius=2))
    assert np.array_equal(people.frame.nearest_in(cars.frame, 3).ids, cars.frame.nearest(points, 3).ids)
    with pytest.raises(TypeError):
        people.frame.pairs_with(cars)  # type: ignore[arg-type]


def test_both_layers_are_asked_together(engine: throng.Engine, points: Any, random: Any) -> None:
    walls = boxes_around(crowd(random, 40), 0.5)
    engine.static_layer = layer = throng.StaticLayer(walls, categories=3, engine=engine)
    engine.update(points, radius=0.25)
    frame = engine.frame
    both = frame.with_static
    assert len(layer) == len(frame.static_layer) == 40 and layer is engine.static_layer
    boxes = boxes_around(points[:50], 2)
    agents, elements = both.overlaps(boxes)
    assert sets(agents) == sets(frame.overlaps(boxes))
    assert sets(elements) == sets(layer.frame.overlaps(boxes))
    assert np.array_equal(both.count(boxes), agents.counts + elements.counts)
    agents, elements = both.neighbours(radius=2)
    assert sets(agents) == sets(frame.neighbours(radius=2)) and len(elements.ids) > 0
    assert np.array_equal(both.count_neighbours(radius=2), agents.counts + elements.counts)
    agents, elements = both.nearest_lists(points, 4)
    assert (agents.counts + elements.counts == 4).all() and elements.counts.any()
    out = (throng.Lists(), throng.Lists())
    assert both.overlaps(boxes, out=out) == out
    start, end = crowd(random, 60), crowd(random, 60)
    hits, own = both.first_hits(start, end), frame.first_hits(start, end)
    of_walls = layer.frame.first_hits(start, end)
    assert np.array_equal(hits.fractions, np.minimum(own.fractions, of_walls.fractions))
    assert hits.is_static.any() and not own.is_static.any()
    assert np.array_equal(hits.ids[hits.is_static], of_walls.ids[hits.is_static])
    every = both.all_hits(start, end)
    assert every.is_static.any() and not every.is_static.all()
    engine.static_layer = None
    engine.update(points, radius=0.25)
    assert len(engine.frame.static_layer) == 0 and len(frame.static_layer) == 40
    with pytest.raises(TypeError):
        engine.static_layer = walls


def test_lists_of_both_layers_become_matrices_with_a_column_for_each_agent_or_wall(
    engine: throng.Engine, points: Any, random: Any
) -> None:
    pytest.importorskip("scipy.sparse")
    engine.static_layer = throng.StaticLayer(boxes_around(crowd(random, 40), 0.5), engine=engine)
    engine.update(points, radius=0.25)
    agents, elements = engine.frame.with_static.overlaps(boxes_around(points[:50], 2))
    assert agents.to_csr().shape == (50, len(points)) and elements.to_csr().shape == (50, 40)


def test_a_layer_moves_with_the_origin(points: Any) -> None:
    layer = throng.StaticLayer(boxes_around(points, 0.5))
    moved = layer.rebased(3, -2)
    assert moved.frame.box(7) == pytest.approx(np.array(layer.frame.box(7)) - (3, -2, 3, -2))


def test_pairs_that_begin_and_end(engine: throng.Engine, points: Any, random: Any) -> None:
    changes = throng.PairChanges()
    before: set[tuple[int, int]] = set()
    kept = []
    for _ in range(6):
        points += random.normal(size=points.shape).astype(np.float32) / 4
        engine.update(points, radius=0.4)
        now = as_set(engine.frame.pairs())
        began, ended = engine.frame.pair_changes(changes)
        assert set(map(tuple, began.tolist())) == now - before
        assert set(map(tuple, ended.tolist())) == before - now
        assert as_set(changes.pairs) == now
        kept.append((began, began.copy()))
        before = now
    assert all(np.array_equal(began, was) for began, was in kept)
    changes.clear()
    assert as_set(engine.frame.pair_changes(changes).began) == before


def test_kept_neighbours_are_all_within_the_radius_and_some_more(engine: throng.Engine, points: Any) -> None:
    kept = throng.KeptNeighbours(radius=1, skin=0.5)
    for step in range(8):
        points += np.float32(0.03)
        engine.update(points)
        kept.update(engine.frame)
        near, wide = (sets(engine.frame.neighbours(radius=radius)) for radius in (1, 1.75))
        assert all(a <= b <= c for a, b, c in zip(near, sets(kept), wide))
    assert 1 <= kept.times_rebuilt < 8 and kept.distances is None
    kept.clear()
    kept.update(engine.frame)
    assert kept.was_rebuilt and sets(kept) != [set()] * COUNT


def test_kept_neighbours_that_are_looked_into_are_not_changed(engine: throng.Engine, points: Any) -> None:
    kept = throng.KeptNeighbours(radius=1, skin=0.5)
    engine.update(points)
    kept.update(engine.frame)
    ids = kept.ids[3:]
    was = ids.copy()
    for change in (lambda: kept.update(engine.frame), kept.clear):
        with pytest.raises(BufferError):
            change()
    assert np.array_equal(ids, was)
    with pytest.raises(TypeError):
        engine.frame.neighbours(radius=1, out=kept)
    del ids
    kept.update(engine.frame)


@pytest.mark.parametrize("max_bytes", [1, 400, 1 << 20])
def test_blocks_together_are_the_whole(engine: throng.Engine, points: Any, max_bytes: int) -> None:
    engine.update(points, radius=0.25)
    frame, boxes = engine.frame, boxes_around(points, 1)

    def joined(query: Any, *arguments: Any, **options: Any) -> Any:
        blocks: list[list[list[int]]] = []
        for first, lists in throng.blocks(query, *arguments, max_bytes=max_bytes, **options):
            assert first == len(list(itertools.chain(*blocks)))
            blocks.append([ids.tolist() for ids in lists])
        assert (len(blocks) == COUNT) == (max_bytes == 1)
        return list(itertools.chain(*blocks))

    def whole(lists: Any) -> Any:
        return [ids.tolist() for ids in lists]

    assert joined(frame.overlaps, boxes) == whole(frame.overlaps(boxes))
    assert joined(frame.neighbours, radius=1) == whole(frame.neighbours(radius=1))
    assert joined(frame.nearest_lists, points, 5) == whole(frame.nearest_lists(points, 5))
    assert joined(frame.all_hits, points, points + 2) == whole(frame.all_hits(points, points + 2))


def test_blocks_of_what_has_none_are_refused(engine: throng.Engine, points: Any) -> None:
    engine.update(points)
    boxes = boxes_around(points, 1)
    with pytest.raises(TypeError):
        list(throng.blocks(engine.frame.with_static.overlaps, boxes, max_bytes=100))
    with pytest.raises(ValueError):
        list(throng.blocks(engine.frame.overlaps, boxes, max_bytes=0))


def test_flags_may_be_those_of_numpy(engine: throng.Engine, points: Any) -> None:
    engine.update(points, radius=0.5)
    yes: Any = np.bool_(True)
    half = engine.frame.neighbours(radius=1, half=yes, distances=yes)
    assert np.array_equal(half.ids, engine.frame.neighbours(radius=1, half=True).ids)
    assert len(engine.frame.pairs(other_groups_only=yes)) == len(engine.frame.pairs())


def test_a_block_is_asked_for_once(engine: throng.Engine, points: Any) -> None:
    engine.update(points)
    for _, lists in throng.blocks(engine.frame.neighbours, radius=1, max_bytes=100):
        break
    assert isinstance(lists, throng.Lists)
    engine.frame.neighbours(radius=1, out=lists)
    assert len(lists) == COUNT


def test_counts_of_neighbours_are_those_of_their_lists(engine: throng.Engine, points: Any) -> None:
    engine.update(points, ids=np.arange(COUNT) * 2)
    near = engine.frame.neighbours(radius=1)
    assert np.array_equal(engine.frame.count_neighbours(radius=1), near.counts)
    assert np.array_equal(engine.frame.count_neighbours(points, radius=1), near.counts[::2] + 1)
    out = np.full(2 * COUNT - 1, -7, np.int32)
    assert engine.frame.count_neighbours(radius=1, out=out) is out and (out[::2] == near.counts[::2]).all()


def test_arrays_without_an_engine_are_answered_as_by_one(engine: throng.Engine, points: Any) -> None:
    boxes, queries = boxes_around(points, 0.25), boxes_around(points[:40], 1)
    engine.update_boxes(boxes)
    frame = engine.frame
    for threads in (None, 1):
        assert sets(throng.arrays.overlaps(boxes, queries, threads=threads)) == sets(frame.overlaps(queries))
        assert np.array_equal(throng.arrays.count(boxes, queries, threads=threads), frame.count(queries))
        assert throng.arrays.any(boxes, queries, threads=threads).all()
        near = throng.arrays.neighbours(boxes, points, radius=1, distances=True, threads=threads)
        assert sets(near) == sets(frame.neighbours(points, radius=1)) and near.distances is not None
        assert np.array_equal(throng.arrays.nearest(boxes, points, 3).ids, frame.nearest(points, 3).ids)
    with pytest.raises(throng.Error) as caught:
        throng.arrays.count(boxes, [(0, 0, 1, 1), (2, 0, 1, 1)])
    assert (caught.value.argument, caught.value.index) == (throng.Argument.QUERIES, 1)


def test_a_query_is_explained(engine: throng.Engine, points: Any) -> None:
    engine.update(points, radius=0.25)
    boxes = boxes_around(points, 1)
    explained = engine.frame.explain(boxes)
    assert explained.queries == COUNT and explained.hits == engine.frame.count(boxes).sum()


def test_one_circle_takes_about_the_steps_of_one_box(random: np.random.Generator) -> None:
    engine = throng.Engine(period=40)
    engine.update(crowd(random, 1000), radius=0.4)
    frame = engine.frame
    circles: tuple[Any, ...] = (3.0, 4.0, 1.5), np.array([39.9, 0.1, 1.5]), [7, 8, 2]
    kinds: tuple[AgentsAs, ...] = ("boxes", "centres", "circles")
    for circle in circles:
        for agents_as in kinds:
            many = frame.overlaps(circles=[circle], agents_as=agents_as)
            assert sorted(frame.overlaps(circles=circle, agents_as=agents_as)) == sorted(many.ids)
            assert frame.count(circles=circle, agents_as=agents_as) == len(many.ids)
            assert frame.any(circles=circle, agents_as=agents_as) == bool(len(many.ids))
    asks: tuple[Any, ...] = (frame.any, frame.count, frame.overlaps)
    for ask in asks:
        box = steps_of(lambda: ask((2.5, 3.5, 3.5, 4.5)))
        assert steps_of(lambda: ask(circles=(3.0, 4.0, 0.5), agents_as="circles")) <= 3 * box
    assert frame.count_neighbours((3, 4), radius=2) == frame.count_neighbours([(3, 4)], radius=2)[0] > 3
    assert steps_of(lambda: frame.count_neighbours((3, 4), radius=2)) <= 2 * steps_of(lambda: frame.count((2, 3, 4, 5)))
    for wrong in (np.nan, 0, 1), (0, 0, -1):
        with pytest.raises(throng.Error):
            frame.any(circles=wrong)
    with pytest.raises(ValueError, match="agents_as"):
        frame.any(circles=(0, 0, 1), agents_as="discs")  # type: ignore[arg-type]
