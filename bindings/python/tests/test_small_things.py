"""What callers stumble over: order, chosen lists, copies, weak references, closed objects, and what messages name."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any, Callable

import numpy as np
import pytest
from conftest import crowd

import throng
from throng import Argument, Code

POINTS = np.array([(0, 0), (1, 0), (9, 9)], np.float32)


@pytest.fixture
def winding(random: np.random.Generator) -> tuple[throng.Engine, throng.Engine]:
    """The same agents after many steps and edits, and in a fresh engine."""
    engine, fresh = throng.Engine(), throng.Engine(threads=1)
    for _ in range(4):
        points = crowd(random, 3000)
        engine.update(points * 3, radius=0.7)
        engine.update(points, radius=0.5, categories=2)
    engine.move([5, 9], [(1, 1), (2, 2)], radius=1, copy=None)
    engine.commit()
    fresh.update_boxes(engine.frame.boxes_of(np.arange(3000)), categories=engine.frame.labels_of(np.arange(3000))[:, 0])
    return engine, fresh


def test_a_fingerprint_is_that_of_the_agents(winding: tuple[throng.Engine, throng.Engine]) -> None:
    frame, fresh = (engine.frame for engine in winding)
    assert frame.fingerprint == fresh.fingerprint == pickle.loads(pickle.dumps(frame)).fingerprint
    winding[1].move([0], [(3, 3)])
    winding[1].commit()
    assert winding[1].frame.fingerprint != fresh.fingerprint
    assert fresh.order_fingerprint == pickle.loads(pickle.dumps(fresh)).order_fingerprint


def test_sorted_lists_have_the_order_of_no_history(winding: tuple[throng.Engine, throng.Engine]) -> None:
    frame, fresh = (engine.frame for engine in winding)
    boxes = frame.agents().boxes[:500]
    third = throng.Engine()
    third.update_boxes(boxes)
    asked: list[Callable[[throng.Frame], Any]] = [
        lambda frame: frame.neighbours(radius=2, sort=True, distances=True),
        lambda frame: frame.neighbours(boxes[:, :2], radius=2, sort=True),
        lambda frame: frame.neighbours_in(third.frame, radius=2, sort=True),
        lambda frame: frame.overlaps(boxes, sort=True),
    ]
    for ask in asked:
        one, other = ask(frame), ask(fresh)
        assert np.array_equal(one.offsets, other.offsets) and np.array_equal(one.ids, other.ids)
        assert one.distances is None or np.array_equal(one.distances, other.distances)
        assert len(one.ids) > 1000 and all(np.all(np.diff(ids.astype(np.int64)) > 0) for ids in one)
    found = frame.overlaps(boxes, sort=True, as_found=True)
    assert all(np.all(np.diff(ids.astype(np.int64)) > 0) for ids in found)
    assert np.all(np.diff(frame.overlaps(boxes[0] + np.array((-9, -9, 9, 9)), sort=True).astype(np.int64)) > 0)
    assert np.all(np.diff(frame.neighbours((5, 5), radius=9, sort=True).astype(np.int64)) > 0)
    both: Any = frame.with_static
    agents, elements = both.neighbours(radius=2, sort=True)
    assert np.array_equal(agents.ids, frame.neighbours(radius=2, sort=True).ids) and len(elements.ids) == 0


def test_a_matrix_is_by_id_whatever_the_order_of_lists(random: np.random.Generator) -> None:
    pytest.importorskip("scipy")
    from scipy.sparse.csgraph import connected_components  # type: ignore[import]

    engine, others = throng.Engine(), throng.Engine()
    engine.update(crowd(random, 2000), ids=np.arange(2000) * 2)
    others.update(crowd(random, 500))
    frame = engine.frame
    by_id, by_row = (frame.neighbours(radius=1, in_row_order=order).to_csr() for order in (False, True))
    assert by_id.shape == by_row.shape == (3999, 3999) and (by_id != by_row).nnz == 0 and by_id.nnz > 1000
    assert connected_components(by_id)[0] == connected_components(by_row)[0]
    by_id, by_row = (
        frame.neighbours_in(others.frame, radius=1, in_row_order=order, distances=True).to_csr()
        for order in (False, True)
    )
    assert by_id.shape == by_row.shape == (3999, 500) and (by_id != by_row).nnz == 0
    boxes = frame.agents().boxes[::3]
    by_query, as_found = (frame.overlaps(boxes, as_found=order).to_csr() for order in (False, True))
    assert by_query.shape == as_found.shape and (by_query != as_found).nnz == 0
    lists = pickle.loads(pickle.dumps(frame.neighbours(radius=1, in_row_order=True)))
    assert (lists.to_csr() != frame.neighbours(radius=1).to_csr()).nnz == 0


@pytest.mark.parametrize(
    "index", [slice(1, 3), slice(None, None, -2), slice(5, 5), [4, -1, 4], np.array([0, 2]), "bools"]
)
@pytest.mark.parametrize("row_order", [False, True])
def test_lists_are_chosen_as_an_array_is(random: np.random.Generator, index: Any, row_order: bool) -> None:
    engine = throng.Engine()
    engine.update(crowd(random, 300))
    near = engine.frame.neighbours(radius=2, distances=True, in_row_order=row_order)
    if isinstance(index, str):
        index = near.counts > 2
    some, which = near[index], np.arange(300)[index]
    assert isinstance(some, throng.Lists) and len(some) == len(which)
    for k, i in enumerate(which):
        assert np.array_equal(some[k], near[int(i)])
        own, all_of_them = some.squared_distances, near.squared_distances
        assert own is not None and all_of_them is not None
        begin, end = near.offsets[i : i + 2]
        assert np.array_equal(own[some.offsets[k] : some.offsets[k + 1]], all_of_them[begin:end])
    assert near.agents is None or not len(which) or (some.agents is not None and np.array_equal(some.agents, near.agents[which]))
    hits = engine.frame.all_hits(POINTS, POINTS + 5)
    assert np.array_equal(hits[1:][0], hits[1]) and np.array_equal(hits[1:].fractions, hits.fractions[hits.offsets[1] :])


def test_numbers_of_lists_that_are_not_there_are_refused() -> None:
    engine = throng.Engine()
    engine.update(POINTS)
    near = engine.frame.neighbours(radius=2)
    wrong: Any
    for wrong in (3, -4, [0, 3]):
        with pytest.raises(IndexError):
            near[wrong]
    with pytest.raises(TypeError):
        near["a"]  # type: ignore[call-overload]


def test_changes_go_on_in_a_copy(random: np.random.Generator) -> None:
    engine, changes = throng.Engine(), throng.PairChanges()
    places = [crowd(random, 1000) for _ in range(3)]
    engine.update(places[0], radius=0.5)
    engine.frame.pair_changes(changes)
    other = pickle.loads(pickle.dumps(changes))
    assert len(other.pairs) > 100
    assert {frozenset(pair) for pair in other.pairs.tolist()} == {frozenset(pair) for pair in changes.pairs.tolist()}
    for place in places[1:]:
        engine.update(place, radius=0.5)
        expected, found = engine.frame.pair_changes(changes), engine.frame.pair_changes(other)
        assert np.array_equal(found.began, expected.began) and np.array_equal(found.ended, expected.ended)
        other = pickle.loads(pickle.dumps(other))
    other.clear()
    assert len(other.pairs) == 0 and len(engine.frame.pair_changes(other).ended) == 0


def test_layers_and_what_is_asked_with_them_can_be_pickled() -> None:
    engine = throng.Engine()
    layer = throng.StaticLayer([(4, -1, 5, 1), (0.1, 0.2, 0.3, 0.4)], categories=[1, 6], groups=[-1, 7])
    engine.static_layer = layer
    engine.update(POINTS)
    again, both = (pickle.loads(pickle.dumps(each)) for each in (layer, engine.frame.with_static))
    assert again.frame.fingerprint == layer.frame.fingerprint and len(again) == 2
    assert both.blocked((0, 1), (9, 1)) and both.count((0, 0, 9, 9)) == engine.frame.with_static.count((0, 0, 9, 9))


def test_a_copy_of_a_frame_is_the_frame() -> None:
    engine = throng.Engine()
    engine.update(POINTS)
    frame = engine.frame
    for other in (copy.copy(frame), copy.deepcopy(frame)):
        frame_number = frame.number
        assert other is not frame and other.number == frame_number
        other.close()
    assert len(frame) == 3


def test_weak_references_die_with_their_objects() -> None:
    engine = throng.Engine()
    engine.update(POINTS)
    objects: list[Any] = [engine, engine.frame, throng.StaticLayer(POINTS[[0, 0], :].reshape(1, 4)), throng.PairChanges()]
    objects += [engine.frame.with_static, engine.frame.neighbours(radius=1), throng.Pairs()]
    references = [weakref.ref(each) for each in objects]
    assert all(reference() is not None for reference in references)
    del objects, engine
    gc.collect()
    assert all(reference() is None for reference in references)


def test_closed_objects_say_so() -> None:
    engine = throng.Engine()
    engine.update(POINTS)
    frame = engine.frame
    frame.close()
    engine.close()
    for name in ("number", "fingerprint", "order_fingerprint", "id_bound"):
        with pytest.raises(ValueError, match="the frame is closed"):
            getattr(frame, name)
    with pytest.raises(ValueError, match="the frame is closed"):
        copy.copy(frame)
    with pytest.raises(ValueError, match="the engine is closed"):
        engine.isa


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda e: e.update([(0, 0), (0, 1e300)]), "element 1 of points is too large for a float32: 1e.300"),
        (lambda e: e.update(POINTS, radius=[1, 1e39, 1]), "element 1 of radius is too large"),
        (lambda e: e.update(POINTS, radius=[1, 2]), "radius must be one number or 3, one for each point, and not 2"),
        (lambda e: e.frame.nearest(k=0), "k must be from 1 to 64, and not 0"),
        (lambda e: e.frame.nearest(k=-1), "k must be from 1 to 64, and not -1"),
        (lambda e: e.frame.nearest(POINTS, k=65), "k must be from 1 to 64, and not 65"),
        (lambda e: e.frame.neighbours(radius=1, half=True, with_self=True), "half .* with_self"),
        (lambda e: e.frame.neighbours(POINTS, radius=1, either_reaches=True), "either_reaches .* points"),
        (lambda e: list(throng.blocks(e.frame.pairs, max_bytes=9)), "pairs does not come in blocks: only overlaps"),
        (lambda e: e.frame.neighbours(radius=1, agents_as=["boxes"]), "agents_as must be one of .* and not \\['boxes'\\]"),
        (lambda e: e.frame.neighbours(radius=1, half=True, with_self=[1]), "half .* with_self"),
        (lambda e: throng.Engine(threads=0), "threads must be at least 1, and not 0"),
    ],
)
# Such a radius is also too large for the precision of the points.
@pytest.mark.filterwarnings("ignore:.*")
def test_messages_name_what_is_wrong(call: Callable[[throng.Engine], Any], words: str) -> None:
    engine = throng.Engine()
    engine.update(POINTS)
    with pytest.raises((ValueError, TypeError), match=words):
        call(engine)


def test_ids_that_are_far_apart_are_refused_where_answers_are_by_id() -> None:
    engine = throng.Engine()
    engine.update(POINTS[:2], radius=1, ids=[0, 10**9])
    frame = engine.frame
    asked: list[Callable[[], Any]] = [
        lambda: frame.neighbours(radius=2),
        lambda: frame.count_neighbours(radius=2),
        lambda: frame.nearest(k=1),
        lambda: frame.nearest_lists(k=1),
        lambda: frame.neighbours_in(frame, radius=2),
        lambda: frame.nearest_in(frame, k=1),
        lambda: throng.KeptNeighbours(radius=2, skin=1).update(frame),
    ]
    for ask in asked:
        with pytest.raises(throng.Error, match="id_bound, which is 1,000,000,001") as caught:
            ask()
        assert (caught.value.code, caught.value.argument) == (Code.TOO_MANY, Argument.IDS)
    assert frame.pairs().tolist() == [[0, 10**9]] or frame.pairs().tolist() == [[10**9, 0]]
    assert frame.neighbours(radius=2, in_row_order=True).ids.tolist().count(10**9) == 1
    assert frame.count_neighbours(POINTS, radius=2).tolist() == [2, 2, 0]


def test_agents_whose_ids_are_far_apart_move_with_a_size_or_all_have_the_same() -> None:
    engine = throng.Engine()
    engine.update(POINTS[:2], radius=1, ids=[0, 10**9])
    engine.move([10**9], [(3, 3)])
    engine.move(10**9, (5, 5), 0.5)
    moves: list[Callable[[], Any]] = [
        lambda: engine.move([0], [(9, 9)]),
        lambda: engine.move(10**9, (9, 9)),
        lambda: engine.try_moves([0], [(9, 9)], 0.5),
    ]
    for move in moves:
        with pytest.raises(throng.Error, match="sizes have a place for each id below id_bound.* give the radius") as caught:
            move()
        assert (caught.value.code, caught.value.argument) == (Code.TOO_MANY, Argument.IDS)
    engine.move([0], [(2, 2)], radius=0.25)
    engine.commit()
    assert engine.frame.boxes_of([0, 10**9]).tolist() == [[1.75, 1.75, 2.25, 2.25], [4.5, 4.5, 5.5, 5.5]]


def test_what_is_no_number_is_refused_by_type_checkers_too() -> None:
    # mypy complains where one of these is no error to it.
    engine = throng.Engine()
    with pytest.raises(TypeError):
        engine.update(POINTS, radius="a")  # type: ignore[arg-type]
    with pytest.raises((TypeError, ValueError)):
        engine.update("ab")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        engine.update(POINTS, ids="abc")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        engine.frame.count_neighbours(radius="a")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        engine.frame.pairs(within="a")  # type: ignore[arg-type]


class Column:
    """As a column of pandas that may have missing values: an object to NumPy, but for those who ask."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self.values, object)

    def to_numpy(self, dtype: Any = None) -> Any:
        if None in self.values:
            raise ValueError("cannot convert NA")
        return np.array(self.values, dtype)


def test_columns_that_may_have_missing_values_are_taken_where_none_is_missing() -> None:
    engine = throng.Engine()
    engine.update((Column([0, 1, 9]), Column([0.0, 0.0, 9.0])), radius=Column([0.5, 0.5, 1.0]), ids=Column([3, 5, 7]))
    assert sorted(engine.frame.pairs()[0].tolist()) == [3, 5]
    with pytest.raises(TypeError, match="points must hold real numbers"):
        engine.update((Column([0, None]), Column([0, 1])))
    with pytest.raises(TypeError, match="ids must hold integers"):
        engine.update(POINTS[:2], ids=Column([0, None]))


def test_one_query_takes_the_options_that_many_do() -> None:
    engine = throng.Engine()
    engine.update(POINTS, radius=0.5)
    frame = engine.frame
    counts, answers = np.zeros(1, np.int32), np.zeros(1, bool)
    assert frame.count((0, 0, 2, 2), out=counts) == 2 and counts[0] == 2
    assert frame.any((0, 0, 2, 2), out=answers) and answers[0]
    without_z: list[dict[str, Any]] = [{"to_z": 0.9}, {"height": 2}]
    for options in without_z:
        for call in frame.blocked, frame.first_hits:
            with pytest.raises(ValueError, match="need z"):
                call((0, 0), (6, 0), **options)


def test_pairs_are_an_array_to_numpy() -> None:
    engine, kept = throng.Engine(), throng.Pairs()
    engine.update(POINTS, radius=0.5)
    found = engine.frame.pairs(out=kept)
    assert len(found) > 0 and np.shares_memory(np.asarray(kept), kept.ids)
    assert np.array_equal(np.asarray(kept), found) and np.asarray(kept, np.intp).dtype == np.intp
    assert not np.shares_memory(np.array(kept), kept.ids)
