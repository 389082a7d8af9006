"""float64 far from zero gets the answers that it gets near zero, whoever chooses the origin."""

from __future__ import annotations

import pickle
import threading
import warnings
from typing import Any, Callable

import numpy as np
import pytest
from conftest import as_set

import throng
import throng.arrays

# Where maps are: float32 numbers are half a metre apart there.
FAR = np.array((500_000.0, 5_400_000.0))
COUNT = 600


def near(random: np.random.Generator, count: int = COUNT, side: float = 20) -> Any:
    """Points in 1024ths, which both types hold near zero, and float64 also far from it."""
    return np.round(random.random((count, 2)) * side * 1024) / 1024


def in_both(random: np.random.Generator, radius: float = 0.25, **options: Any) -> tuple[Any, Any, Any]:
    """Points, a frame of them in float32, and one of the same far away in float64."""
    points = near(random)
    here, there = throng.Engine(threads=1), throng.Engine(threads=1, **options)
    here.update(points.astype(np.float32), radius)
    there.update(points + FAR, radius)
    return points, here.frame, there.frame


def same(one: Any, other: Any) -> None:
    """Lists in any order, tables and numbers."""
    if isinstance(one, throng.Lists):
        assert [sorted(ids.tolist()) for ids in one] == [sorted(ids.tolist()) for ids in other]
    elif isinstance(one, tuple):
        for first, second in zip(one, other):
            same(first, second)
    elif isinstance(one, list):
        assert one == other
    else:
        assert np.array_equal(one, other)


def in_blocks(query: Any, *asks: Any, **options: Any) -> list[list[int]]:
    blocks = throng.blocks(query, *asks, max_bytes=500, **options)
    return [sorted(ids.tolist()) for _, lists in blocks for ids in lists]


def test_pairs_at_coordinates_of_a_map_are_those_in_doubles(random: np.random.Generator) -> None:
    spatial = pytest.importorskip("scipy.spatial")
    x = random.random((10_000, 2)) * 20 + (5e5, 5e6)
    engine = throng.Engine()
    engine.update(x, radius=0.1)
    tree = spatial.cKDTree(x)
    candidates = tree.query_pairs(0.75, output_type="ndarray")
    gaps = np.maximum(np.abs(x[candidates[:, 0]] - x[candidates[:, 1]]) - 0.2, 0)
    expected = candidates[np.hypot(*gaps.T) <= 0.3]
    assert len(expected) > 50_000 and as_set(engine.frame.pairs(within=0.3)) == as_set(expected)
    distances, _ = tree.query(x, k=2)
    assert np.abs(engine.frame.nearest(k=1).distances[:, 0] - distances[:, 1]).max() < 1e-5


@pytest.mark.parametrize("origin", [None, tuple(FAR), (FAR[0] + 64, FAR[1] - 16)])
def test_all_queries_find_far_away_what_they_find_here(random: np.random.Generator, origin: Any) -> None:
    points, here, there = in_both(random, origin=origin)
    asked = near(random, 50)
    ends, halves = asked + near(random, 50, 4) - 2, near(random, 50, 2)
    corners = np.concatenate([asked, asked + halves], axis=1)
    third = halves[:, :1]
    cases: list[Callable[..., Any]] = [
        lambda f, o: f.pairs(within=0.5, sort=True),
        lambda f, o: f.neighbours(radius=0.5),
        lambda f, o: f.nearest(k=3),
        lambda f, o: f.nearest(asked + o, k=3),
        lambda f, o: f.nearest(tuple(asked[0] + o), k=3),
        lambda f, o: f.nearest_lists((*(asked + o).T,), k=3),
        lambda f, o: f.neighbours(asked + o, radius=halves[:, 0]),
        lambda f, o: np.sort(f.neighbours(asked[1] + o, radius=1.5)),
        lambda f, o: f.count_neighbours(asked + o, radius=1),
        lambda f, o: f.overlaps(corners + np.tile(o, 2)),
        lambda f, o: f.overlaps(min=asked + o, max=asked + halves + o, as_found=True).ids.size,
        lambda f, o: np.sort(f.overlaps(corners[3] + np.tile(o, 2))),
        lambda f, o: f.count(tuple(corners[3] + np.tile(o, 2))),
        lambda f, o: f.count(centre=asked + o, half=halves),
        lambda f, o: f.any(centre=asked + o, half=0.25),
        lambda f, o: f.count(circles=np.concatenate([asked + o, third], axis=1)),
        lambda f, o: f.count(segments=np.concatenate([asked + o, ends + o, third], axis=1)),
        lambda f, o: f.count(polygons=[asked[0] + o, asked[0] + o + (3, 0), asked[0] + o + (0, 3)]),
        lambda f, o: f.first_hits(asked + o, ends + o, radius=0.125),
        lambda f, o: f.first_hits(throng.casts(asked + o, ends + o, half=0.125)),
        lambda f, o: f.first_hits(tuple(asked[5] + o), ends[5] + o),
        lambda f, o: f.blocked(asked + o, ends + o),
        lambda f, o: f.blocked(tuple(asked[5] + o), ends[5] + o),
        lambda f, o: f.all_hits(asked + o, ends + o).counts,
        lambda f, o: f.explain(corners + np.tile(o, 2)).hits,
        lambda f, o: in_blocks(f.neighbours, asked + o, radius=0.5),
    ]
    for ask in cases:
        same(ask(here, np.zeros(2)), ask(there, FAR))
    assert here.origin == (0, 0) and there.origin != (0, 0)
    assert there.serial.origin == there.with_static._place.origin == there.origin


def test_what_comes_back_has_the_origin_added(random: np.random.Generator) -> None:
    points, here, there = in_both(random, 0.25)
    boxes = np.concatenate([points - 0.25, points + 0.25], axis=1) + np.tile(FAR, 2)
    assert there.box(7) == tuple(boxes[7]) and np.array_equal(there.boxes_of(range(COUNT)), boxes)
    ids, given = there.agents()
    assert given.dtype == np.float64 and np.array_equal(given, boxes[ids])
    assert here.agents().boxes.dtype == here.boxes_of([1]).dtype == np.float32


@pytest.mark.parametrize(
    "form",
    [
        lambda low, high: {"boxes": np.concatenate([low, high], axis=1)},
        lambda low, high: {"min": low, "max": (*high.T,)},
        lambda low, high: {"centre": (low + high) / 2, "half": (high - low) / 2},
        lambda low, high: {"centre": (low + high) / 2, "half": ((high - low) / 2).astype(np.float32)},
    ],
)
def test_boxes_in_any_form_are_counted_from_the_origin(form: Any, random: np.random.Generator) -> None:
    low, engine = near(random) + FAR, throng.Engine(threads=1)
    high = low + near(random, COUNT, 2)
    engine.update_boxes(**form(low, high), ids=np.arange(COUNT)[::-1] * 2, groups=3)
    ids, boxes = engine.frame.agents()
    order = np.argsort(-ids)
    assert np.array_equal(boxes[order], np.concatenate([low, high], axis=1))
    bad = low.copy()
    bad[17, 1] = np.nan
    assert engine.update_legal(bad, 0.5).tolist() == [17] and len(engine) == COUNT - 1


def test_edits_keep_the_origin_of_the_frame(random: np.random.Generator) -> None:
    points, engine = near(random) + FAR, throng.Engine(threads=1)
    ids = engine.insert(points, radius=0.25)  # into an empty engine, for which an origin is chosen
    engine.commit()
    origin = engine.origin
    assert origin != (0, 0) and engine.frame.origin == origin
    engine.move(ids[:5], points[:5] + 1, 0.25)
    engine.move_boxes(ids[5:6], [(*(points[5] + 3), *(points[5] + 4))])
    [agent] = engine.insert_boxes([(*(FAR - 1), *FAR)])
    engine.move_boxes([9], [(*(FAR + 7), *(FAR + 8))])
    engine.insert([FAR + 100_000], radius=0.25)
    engine.commit()
    frame = engine.frame
    assert frame.origin == engine.origin == origin
    assert frame.box(3) == (*(points[3] + 0.75), *(points[3] + 1.25))
    assert frame.box(5) == (*(points[5] + 3), *(points[5] + 4))
    assert frame.box(agent) == (*(FAR - 1), *FAR) and frame.box(9) == (*(FAR + 7), *(FAR + 8))


def test_a_world_that_moves_away_takes_the_origin_along(random: np.random.Generator) -> None:
    points, engine = near(random), throng.Engine(threads=1)
    frames, places = [], [np.zeros(2), FAR, FAR + 3, -FAR, np.zeros(2)]
    for place in places:
        engine.update(points + place, radius=0.25)
        frames.append(engine.frame)
    origins = [frame.origin for frame in frames]
    assert origins[0] == origins[4] == (0, 0) and origins[1] == origins[2] != origins[3]
    for frame, place in zip(frames, places):
        assert frame.box(3) == (*(points[3] + place - 0.25), *(points[3] + place + 0.25))
        same(frame.nearest(points[:9] + place, k=2), frames[0].nearest(points[:9], k=2))
    engine.update(points.astype(np.float32), radius=0.25)
    assert engine.origin == (0, 0)


def test_changes_and_kept_lists_are_right_across_a_move_of_the_origin(random: np.random.Generator) -> None:
    points = near(random)
    here, there = throng.Engine(threads=1), throng.Engine(threads=1)
    changes = [throng.PairChanges(), throng.PairChanges()]
    kept = [throng.KeptNeighbours(radius=1, skin=0.5) for _ in range(2)]
    for place in (np.zeros(2), FAR, FAR, -FAR, np.zeros(2)):
        points += near(random, COUNT, 0.5) - 0.25
        here.update(points.astype(np.float32), radius=0.25)
        there.update(points + place, radius=0.25)
        for one, other in zip(*(e.frame.pair_changes(c) for e, c in zip((here, there), changes))):
            assert np.array_equal(one, other)
        exact = here.frame.neighbours(radius=1)
        for lists, engine in zip(kept, (here, there)):
            lists.update(engine.frame)
            assert all({*a.tolist()} <= {*b.tolist()} for a, b in zip(exact, lists))


def test_a_fixed_origin_stays(random: np.random.Generator) -> None:
    points, engine = near(random), throng.Engine(threads=1, origin=(1000, -2000))
    for given in (points, points + (500, 0), points.astype(np.float32), points.astype(np.int32)):
        engine.update(given, radius=0.25)
        assert engine.origin == engine.frame.origin == (1000, -2000)
        assert engine.frame.box(2) == (*(given[2] - 0.25), *(given[2] + 0.25))
    for wrong in ((1,), "ab", 3, (1, 2, 3)):
        with pytest.raises(TypeError, match="origin"):
            throng.Engine(origin=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="finite"):
        throng.Engine(origin=(0, np.inf))


@pytest.mark.filterwarnings("ignore::throng.PrecisionWarning")
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("options", [{}, {"origin": tuple(FAR + 5)}])
def test_walls_are_where_they_are_from_any_origin(
    first: bool, options: Any, random: np.random.Generator
) -> None:
    points, walls = near(random), np.concatenate([near(random, 40, 300) - 150] * 2, axis=1)
    walls[:, 2:] += 2
    here, there = throng.Engine(threads=1), throng.Engine(threads=1)
    here.static_layer = throng.StaticLayer(walls.astype(np.float32))
    layer = throng.StaticLayer(walls + np.tile(FAR, 2), **options)
    if not first:
        there.update(points + FAR, radius=0.25)
    there.static_layer = layer
    for place in (FAR, FAR + 1e6, FAR):
        here.update((points + place - FAR).astype(np.float32), radius=0.25)
        there.update(points + place, radius=0.25)
        one, other = here.frame, there.frame
        assert other.static_layer.origin == other.origin
        # As floats hold it from that far.
        close = np.tile(FAR, 2) + walls - other.static_layer.boxes_of(range(40))
        assert np.abs(close).max() <= (0.0625 if place[0] > 1e6 else 0)
    ends = points[:50] + (5, 3)
    cases: list[Callable[..., Any]] = [
        lambda f, o: f.with_static.first_hits(points[:50] + o, ends + o),
        lambda f, o: f.with_static.overlaps(walls + np.tile(o, 2)),
    ]
    for ask in cases:
        same(ask(one, np.zeros(2)), ask(other, FAR))
    assert as_set(one.pairs_with(one.static_layer)) == as_set(other.pairs_with(layer.frame))
    assert len(one.pairs_with(one.static_layer)) > 0
    moved = layer.rebased(*FAR)
    assert np.array_equal(moved.frame.boxes_of(range(40)), walls)


def test_a_frame_keeps_its_place_while_the_next_one_has_none_yet() -> None:
    wall = np.array([(0.0, 0.0, 1.0, 1.0)])
    engine = throng.Engine(threads=1)
    engine.static_layer = throng.StaticLayer(wall + 1e6)
    engine.commit()
    for far in (3e6, 5e6, 7e6):
        engine.insert([(far, far)], radius=0.1)
        engine.discard()
        assert np.array_equal(engine.frame.static_layer.boxes_of([0]), wall + 1e6)
    for far in (3e6, 5e6, 7e6):
        engine.static_layer = throng.StaticLayer(wall + far)
        assert np.array_equal(engine.frame.static_layer.boxes_of([0]), wall + 1e6)
    engine.commit()
    assert np.array_equal(engine.frame.static_layer.boxes_of([0]), wall + 7e6)


def test_frames_of_two_origins_meet(random: np.random.Generator) -> None:
    people, cars = near(random) + FAR, near(random, 50, 300) + FAR - 150
    place, elsewhere = (FAR[0], FAR[1]), (FAR[0] - 999, FAR[1] - 999)
    one, other = throng.Engine(threads=1, origin=place), throng.Engine(threads=1, origin=elsewhere)
    one.update(people, radius=0.25)
    other.update(cars, radius=1, ids=np.arange(50) * 3, categories=2)
    whole = throng.Engine(threads=1, origin=place)
    whole.update(cars, radius=1, ids=np.arange(50) * 3, categories=2)
    a, b, expected = one.frame, other.frame, whole.frame
    for _ in range(2):
        assert {*map(tuple, a.pairs_with(b))} == {*map(tuple, a.pairs_with(expected))} != set()
        assert b._at(a._place) is b._at(a._place)
        assert all(b.label(id) == expected.label(id) for id in range(0, 150, 3))
        same(a.neighbours_in(b, radius=9), a.neighbours_in(expected, radius=9))
        same(a.nearest_in(b, k=2), a.nearest_in(expected, k=2))


def test_a_call_that_fails_leaves_the_origin_and_the_walls(random: np.random.Generator) -> None:
    points, engine = near(random), throng.Engine(threads=1)
    engine.static_layer = throng.StaticLayer([(0, 0, 1, 30)])
    engine.update(points, radius=0.25)
    before = engine.frame
    bad = points + FAR
    bad[5, 0] = np.nan
    for options in ({"boxes": np.tile(bad, 2)}, {"centre": bad, "half": 1}):
        with pytest.raises(throng.BadValue):
            engine.update_boxes(**options)
        assert engine.origin == engine.frame.origin == (0, 0)
    engine.move([0], points[:1] + 1, 0.25)
    with pytest.raises(throng.BadValue):
        engine.update(points + FAR)  # edits are staged
    engine.commit()
    assert engine.frame.number == before.number + 1 and engine.frame.static_layer.box(0) == (0, 0, 1, 30)
    assert engine.frame.box(3) == before.box(3)


def test_what_no_float_holds_is_refused_by_its_index() -> None:
    engine = throng.Engine(threads=1)
    with pytest.raises(throng.BadValue, match="element 2 of points is too large for a float32: 1e.300") as caught:
        engine.update([(0, 0), (1, 0), (1e300, 0)])
    assert caught.value.index == 2 and caught.value.code is throng.Code.NOT_FINITE
    with pytest.raises(throng.BadValue, match="too large"):
        engine.frame.count([(0, 0, 1, 1e300)])


def test_pickled_frames_keep_their_origin(random: np.random.Generator) -> None:
    engine = throng.Engine(threads=1)
    engine.static_layer = throng.StaticLayer([(*FAR, *(FAR + 1))])
    engine.update(random.random((COUNT, 2)) * 20 + FAR, radius=0.3)
    frame = engine.frame
    again = pickle.loads(pickle.dumps(frame))
    assert again.origin == frame.origin != (0, 0)
    assert as_set(again.pairs(within=0.1)) == as_set(frame.pairs(within=0.1))
    assert np.array_equal(again.boxes_of(range(COUNT)), frame.boxes_of(range(COUNT)))
    assert again.static_layer.box(0) == frame.static_layer.box(0)
    assert as_set(again.pairs_with(again.static_layer)) == as_set(frame.pairs_with(frame.static_layer))


def test_a_rebase_takes_the_origin_along_and_rounds_nothing(random: np.random.Generator) -> None:
    points, engine = near(random), throng.Engine(threads=1)
    wall = np.concatenate([points[1], points[1] + 1])
    engine.static_layer = throng.StaticLayer([wall])
    engine.update(points + FAR, radius=0.25)
    engine.rebase(*FAR)
    frame = engine.frame
    boxes = np.concatenate([points - 0.25, points + 0.25], axis=1)
    assert np.array_equal(frame.boxes_of(range(COUNT)), boxes)
    assert frame.static_layer.box(0) == tuple(wall) and 1 in frame.pairs_with(frame.static_layer)[:, 0]
    engine.move([4], [(3, 3)], 0.25)
    engine.commit()
    assert engine.frame.box(4) == (2.75, 2.75, 3.25, 3.25)
    near_zero = throng.Engine(threads=1)
    near_zero.update([(5, 5)], radius=1)
    near_zero.rebase(1, 2)
    assert near_zero.origin == (0, 0) and near_zero.frame.box(0) == (3, 2, 5, 4)
    with pytest.raises(throng.BadValue):
        engine.rebase(np.nan, 0)
    assert engine.frame.box(4) == (2.75, 2.75, 3.25, 3.25)


def test_each_thread_gets_frames_with_their_own_origin(random: np.random.Generator) -> None:
    points, engine = near(random, 50), throng.Engine(threads=1)
    engine.update(points, radius=0.25)
    wrong: list[Any] = []
    done = threading.Event()
    places = [np.zeros(2), FAR]

    def read() -> None:
        while not done.is_set():
            frame = engine.frame
            expected = tuple(points[3] + places[(frame.number - 1) % 2] - 0.25)
            if frame.box(3)[:2] != expected:
                wrong.append((frame, frame.box(3)))

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for step in range(1, 600):
        engine.update(points + places[step % 2], radius=0.25)
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong


def test_queries_without_an_engine_are_counted_from_an_origin(random: np.random.Generator) -> None:
    low = near(random)
    boxes, asked = np.concatenate([low, low + 0.25], axis=1), near(random, 9)
    queries = np.concatenate([asked, asked + 1], axis=1)
    far = np.tile(FAR, 2)
    same(throng.arrays.overlaps(boxes, queries), throng.arrays.overlaps(boxes + far, queries + far))
    same(throng.arrays.nearest(boxes, asked, k=3), throng.arrays.nearest(boxes + far, asked + FAR, k=3))


# Where precision is lost.


def test_floats_that_are_too_coarse_are_warned_of_once(random: np.random.Generator) -> None:
    points = near(random)
    engine = throng.Engine(threads=1)
    with pytest.warns(throng.PrecisionWarning, match="0.5 apart.*float64") as caught:
        engine.update((points + FAR).astype(np.float32), radius=0.25)
    assert len(caught) == 1 and caught[0].filename == __file__
    wide = throng.Engine(threads=1)
    with pytest.warns(throng.PrecisionWarning, match="parts"):
        wide.update(points * 1e6, radius=0.25)
    fixed = throng.Engine(threads=1, origin=(0, 0))
    fixed.update(points + FAR)
    with pytest.warns(throng.PrecisionWarning, match="the radius that is asked for, 0.25"):
        fixed.frame.neighbours(radius=0.25)
    other = throng.Engine(threads=1)
    other.update((points + FAR).astype(np.float32))
    with pytest.warns(throng.PrecisionWarning, match="the distance that is asked for, 0.5"):
        other.frame.pairs(within=0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for again in (engine, wide, fixed, other):
            again.update((points + FAR).astype(np.float32), radius=0.25)
            again.frame.pairs(within=0.5)
            again.frame.nearest(k=1, radius=0.1)


def test_what_is_fine_is_not_warned_of(random: np.random.Generator) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for place in (np.zeros(2), FAR, -FAR * 1000):
            engine = throng.Engine(threads=1)
            engine.update(near(random) + place, radius=0.25)
            engine.frame.pairs(within=0.1)
        engine.update(near(random, COUNT, 3000).astype(np.float32), radius=0.5)
        engine.update_boxes(centre=random.random((COUNT, 2)) * 1000, half=random.random((COUNT, 2)))
        kd_tree = pytest.importorskip("throng.scipy").KDTree(near(random) + FAR)
        kd_tree.query_pairs(1e-7)
        kd_tree.query_ball_point(near(random) + FAR, 1e-7)


def test_queries_in_float32_among_doubles_far_away_are_warned_of() -> None:
    x = np.random.default_rng(0).random((500, 2)) * 20 + (5e5, 5.2e6)
    coarse = x.astype(np.float32)
    engine = throng.Engine()
    asks: list[Any] = [
        lambda frame, x: frame.nearest(x),
        lambda frame, x: frame.nearest(x[0]),
        lambda frame, x: frame.count(np.hstack([x, x])),
        lambda frame, x: frame.count(circles=np.hstack([x, x[:, :1] * 0])),
        lambda frame, x: frame.first_hits(x, x + np.float32(1)),
    ]
    for ask in asks:
        engine = throng.Engine()
        engine.update(x)
        ask(engine.frame, x)  # with no warning, which would be an error
        with pytest.warns(throng.PrecisionWarning, match="query is float32"):
            ask(engine.frame, coarse)
        ask(engine.frame, coarse)  # once for an engine
    near = throng.Engine(origin=(5, 5))
    near.update(x - (5e5, 5.2e6))
    near.frame.nearest((x - (5e5, 5.2e6)).astype(np.float32))


def test_queries_in_float32_are_warned_of_only_where_the_agents_are_known_to_be_finer() -> None:
    near = np.array([(1, 1, 30, 30)], np.float32)
    engine, plain = throng.Engine(origin=(100, 100)), throng.Engine()
    engine.update_boxes(near.astype(np.float64) + 100)
    engine.rebase(10, 10)
    plain.update_boxes(near)
    layer = throng.StaticLayer(near, origin=(1000, 1000))
    frames = [pickle.loads(pickle.dumps(plain.frame)), layer.frame, layer.rebased(9, 9).frame, engine.frame]
    frames += [throng.StaticLayer(near).rebased(0, 0).frame, pickle.loads(pickle.dumps(layer)).frame]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for frame in frames:
            frame.overlaps(near)
    far = throng.Engine()
    far.update_boxes(near.astype(np.float64) + np.tile(FAR, 2))
    copy = pickle.loads(pickle.dumps(far.frame))
    far.rebase(1, 1)
    for frame in copy, far.frame:
        with pytest.warns(throng.PrecisionWarning, match="query is float32"):
            frame.overlaps(near)
