"""What is written to an engine beside updates: edits, handles, other ids; and frames that go elsewhere."""

from __future__ import annotations

import copy
import pickle
from typing import Any, Callable

import numpy as np
import pytest
from conftest import as_set, crowd

import throng
from throng._native.handles import Spares

COUNT = 300


def test_edits_are_published_by_a_commit(engine: throng.Engine, random: np.random.Generator) -> None:
    points = crowd(random, COUNT)
    ids = engine.insert(points, radius=0.5, categories=2)
    assert ids.tolist() == list(range(COUNT)) and len(engine) == 0 and engine.staged == COUNT
    engine.commit()
    points[5:9] += 3
    engine.move(range(5, 9), points[5:9], radius=0.5)
    engine.relabel([7], categories=4, groups=9)
    engine.remove([0])
    engine.commit()
    other = throng.Engine()
    other.update(points[1:], radius=0.5, ids=np.arange(1, COUNT))
    assert as_set(engine.frame.pairs()) == as_set(other.frame.pairs())
    assert engine.frame.label(7) == (4, 9) and engine.frame.label(8) == (2, -1)
    engine.relabel([7])
    added = engine.insert_boxes([(50, 50, 51, 51)])
    engine.move_boxes([3], [(60, 60, 61, 61)])
    engine.commit()
    assert engine.frame.label(7) == (1, -1) and engine.frame.box(3) == (60, 60, 61, 61)
    assert added.tolist() == [0] and engine.validate() is None


def test_handles_outlive_ids(engine: throng.Engine) -> None:
    ids = engine.insert([(0, 0), (1, 1)])
    agent, other = engine.handle(ids[1]), engine.handle(ids[0])
    engine.commit()
    assert engine.handle(agent.id) == agent and engine.id(agent) == ids[1] and engine.id(other) == ids[0]
    engine.remove([agent.id])
    assert engine.id(agent) is None
    engine.commit()
    assert engine.insert([(0, 0)]).tolist() == [agent.id]
    assert engine.id(agent) is None and engine.id(engine.handle(agent.id)) == agent.id
    no_id: Any = engine.id(agent)
    for no_ids in ([no_id], no_id):
        with pytest.raises((TypeError, ValueError)):
            engine.remove(no_ids)
    assert engine.staged == 1
    with pytest.raises(throng.Error) as caught:
        engine.handle(7)
    assert caught.value.code is throng.Code.UNKNOWN_ID


@pytest.mark.parametrize("as_boxes", [False, True])
@pytest.mark.parametrize("ids", [None, [10, 20, 30, 40]])
def test_illegal_agents_can_be_left_out(as_boxes: bool, ids: Any) -> None:
    engine = throng.Engine()
    points = np.array([(0, 0), (np.nan, 0), (1, 0), (0, np.inf)])
    boxes = np.concatenate([points, points + 1], axis=1)
    left_out = engine.update_legal(boxes=boxes, ids=ids) if as_boxes else engine.update_legal(points, ids=ids)
    names = np.array(ids or range(4))
    assert left_out.tolist() == names[[1, 3]].tolist()
    assert sorted(engine.frame.row_order().tolist()) == names[[0, 2]].tolist()
    with pytest.raises(TypeError):
        engine.update_legal()


def test_an_update_gives_its_pairs(engine: throng.Engine, random: np.random.Generator) -> None:
    points, pairs = crowd(random, COUNT), throng.Pairs()
    for ids in (None, np.arange(COUNT)[::-1]):
        engine.update(points, radius=0.5, ids=ids, pairs=pairs)
        assert np.array_equal(pairs.ids, engine.frame.pairs()) and len(pairs) > 0


def test_an_update_may_have_ghosts(engine: throng.Engine, random: np.random.Generator) -> None:
    points, owned = crowd(random, COUNT), COUNT * 3 // 4
    boxes = np.concatenate([points - 0.5, points + 0.5], axis=1)
    engine.update(points, radius=0.5)
    every = engine.frame.pairs()
    for ids in (None, np.arange(COUNT)[::-1]):
        names = np.arange(COUNT) if ids is None else ids
        pairs = throng.Pairs()
        engine.update(points, radius=0.5, ids=ids, owned=owned, pairs=pairs)
        frame = engine.frame
        assert frame.ghost_count == COUNT - owned
        assert [frame.is_ghost(id) for id in names] == [False] * owned + [True] * (COUNT - owned)
        expected = {frozenset(names[pair].tolist()) for pair in every if pair.min() < owned}
        assert {frozenset(pair.tolist()) for pair in pairs.ids} == expected
        lists = frame.neighbours(radius=1)
        assert all(len(lists[id]) == 0 for id in names[owned:])
        for again in (pickle.loads(pickle.dumps(frame)), copy.deepcopy(frame)):
            assert again.fingerprint == frame.fingerprint and again.ghost_count == COUNT - owned
        engine.update_boxes(boxes, ids=ids, owned=owned)
        assert engine.frame.ghost_count == COUNT - owned
        engine.update_legal(boxes=boxes, ids=ids, owned=owned)
        assert engine.frame.ghost_count == COUNT - owned
    for wrong in (COUNT + 1, -1):
        with pytest.raises(ValueError):
            engine.update(points, owned=wrong)


def test_other_ids_and_another_origin(engine: throng.Engine, random: np.random.Generator) -> None:
    points = crowd(random, COUNT)
    engine.update(points, radius=0.25)
    order = engine.frame.row_order()
    assert sorted(order.tolist()) == list(range(COUNT)) != order.tolist()
    ids, boxes = engine.frame.agents()
    assert np.array_equal(ids, order) and np.array_equal(boxes, engine.frame.boxes_of(order))
    engine.renumber(order)
    assert np.array_equal(engine.frame.boxes_of(range(COUNT)), boxes)
    engine.rebase(2, 3)
    assert engine.frame.box(0) == tuple((boxes[0] - np.array([2, 3, 2, 3], np.float32)).tolist())
    with pytest.raises(throng.Error) as caught:
        engine.frame.boxes_of([1, COUNT])
    assert caught.value.index == 1


@pytest.mark.parametrize("threads", [None, 1])
def test_a_plan_leads_another_engine_the_same_way(
    engine: throng.Engine, random: np.random.Generator, threads: Any
) -> None:
    points = crowd(random, COUNT)
    for _ in range(5):
        engine.update(points * 3, radius=0.25)
    joining = throng.Engine(threads)
    joining.update(points[: COUNT // 3], radius=0.75)
    plan = engine.plan()
    joining.set_plan(plan)
    assert joining.plan() == plan
    for step in range(5):
        for each in (engine, joining):
            each.update(points + step, radius=0.25)
        assert np.array_equal(joining.frame.row_order(), engine.frame.row_order())
        assert joining.frame.pairs().tobytes() == engine.frame.pairs().tobytes()
        assert joining.plan() == engine.plan()
    joining.set_plan(memoryview(bytearray(plan)))
    joining.replan()
    assert joining.plan() == throng.Engine().plan()


def test_what_is_no_plan_is_refused(engine: throng.Engine) -> None:
    plan = engine.plan()
    for bad in (b"", plan[:-1], plan + b"x", bytes(len(plan)), throng.Engine(cell_width=2).plan()):
        with pytest.raises(throng.Error) as caught:
            engine.set_plan(bad)
        assert caught.value.code is throng.Code.BAD_PLAN
        assert engine.plan() == plan
    no_bytes: Any = "a plan"
    with pytest.raises(TypeError):
        engine.set_plan(no_bytes)


@pytest.mark.parametrize("again", [lambda frame: pickle.loads(pickle.dumps(frame)), copy.deepcopy])
def test_a_pickled_frame_answers_the_same(
    engine: throng.Engine, random: np.random.Generator, again: Any
) -> None:
    points = crowd(random, COUNT)
    engine.static_layer = throng.StaticLayer([(0, 0, 3, 3), (5, 5, 6, 9)], groups=[1, 2])
    groups = random.integers(0, 4, COUNT)
    engine.update(points, random.random(COUNT), ids=np.arange(COUNT) * 3, categories=2, groups=groups)
    frame = engine.frame
    other = again(frame)
    assert (other.fingerprint, len(other), other.id_bound) == (frame.fingerprint, COUNT, frame.id_bound)
    assert np.array_equal(other.pairs(), frame.pairs())
    mine, its = (each.neighbours(radius=1, distances=True) for each in (frame, other))
    assert np.array_equal(mine.ids, its.ids)
    assert mine.distances is not None and its.distances is not None
    assert np.array_equal(mine.distances, its.distances)
    assert np.array_equal(other.labels_of(frame.row_order()), frame.labels_of(frame.row_order()))
    assert other.static_layer.fingerprint == frame.static_layer.fingerprint
    assert other.static_layer.label(1) == (1, 2)


@pytest.mark.parametrize("again", [lambda given: pickle.loads(pickle.dumps(given)), copy.deepcopy, copy.copy])
def test_what_cannot_be_copied_says_so(engine: throng.Engine, again: Any) -> None:
    for one in (engine._handle, engine._spares):
        with pytest.raises(TypeError, match="cannot be copied"):
            again(one)
    if again is not copy.copy:
        with pytest.raises((TypeError, ValueError), match="cannot be"):
            again(engine)
    filtered = again(throng.Filter(ignore=[1, 2], categories=3))
    assert repr(filtered) == "throng.Filter(categories=3, ignore=[1, 2])"
    engine.update([(0, 0), (0, 0), (0, 0)], categories=[1, 2, 4])
    assert engine.frame.count([(0, 0, 1, 1)] * 2, filter=filtered).tolist() == [1, 2]


def test_a_serial_frame_answers_the_same(engine: throng.Engine, random: np.random.Generator) -> None:
    engine.update(crowd(random, 3000), radius=0.5)
    assert np.array_equal(engine.frame.serial.pairs(), engine.frame.pairs())


def test_reports_say_something() -> None:
    engine = throng.Engine(isa=throng.Engine().isa, cell_width=2, row_height=4, common_size=3)
    engine.update([(0, 0), (100, 100)])
    assert engine.isa and engine.memory().rows > 0 and engine.memory().allocations > 0
    assert engine.tuning().cell_width == 2 and engine.tuning().row_height == 4 and engine.tuning().reason
    assert engine.validate() is None
    assert throng.__version__ in throng.build_info()
    before = engine.memory().scratch
    engine.reserve(10000, edits=100)
    assert engine.memory().scratch > before + 1000000
    engine.release_memory()
    assert engine.memory().scratch <= before
    assert (
        repr(engine.frame) == f"<throng.Frame {engine.frame.number}: 2 agents>" and engine.frame.with_static
    )


def test_agents_that_move_keep_their_sizes_unless_they_get_others() -> None:
    engine = throng.Engine()
    engine.update([(0, 0), (1, 0), (5, 0)], radius=[0.5, 0.25, 1])
    engine.move([1, 0], [(3, 0), (4, 0)])
    added = engine.insert([(7, 0)], radius=0.125)
    engine.move(added, [(8, 0)])
    engine.move_boxes([2], [(5, 0, 6, 4)])
    engine.move([2], np.array([(6.5, 2)]))
    engine.commit()
    boxes = [(3.5, -0.5, 4.5, 0.5), (2.75, -0.25, 3.25, 0.25), (6, 0, 7, 4), (7.875, -0.125, 8.125, 0.125)]
    assert engine.frame.boxes_of(range(4)).tolist() == [list(box) for box in boxes]
    engine.move([0], [(0, 0)], radius=2)
    engine.move_boxes([1], [(0, 0, 8, 8)])
    engine.move([0, 1], [(1, 0), (4, 5)])
    engine.commit()
    assert engine.frame.boxes_of([0, 1]).tolist() == [[-1, -2, 3, 2], [0, 1, 8, 9]]
    engine.move([0], [(1, 0)], radius=7)
    engine.discard()
    engine.move([0], [(2, 0)])
    engine.commit()
    assert engine.frame.box(0) == (0, -2, 4, 2)
    engine.update([(0, 0)], radius=3)
    engine.move([0], [(1, 1)])
    engine.commit()
    assert engine.frame.box(0) == (-2, -2, 4, 4)
    for unknown in 7, 2**31 - 1:
        with pytest.raises(throng.Error) as refused:
            engine.move([0, unknown], [(0, 0), (1, 1)])
        assert (refused.value.code, refused.value.index) == (throng.Code.UNKNOWN_ID, 1)


def test_a_size_that_is_kept_does_not_creep() -> None:
    engine = throng.Engine()
    engine.update([(0, 0)], radius=0.1)
    for step in range(300):
        engine.move([0], [(1000 + step / 7, step / 3)])
        engine.commit()
    engine.move([0], [(0, 0)])
    engine.commit()
    np.testing.assert_allclose(engine.frame.box(0), (-0.1, -0.1, 0.1, 0.1), rtol=1e-6)


CALLS_THAT_FORGET_SIZES: list[tuple[float, Callable[[throng.Engine], None]]] = [
    (4, lambda engine: engine.update([(0, 0), (9, 0)], radius=4)),
    (2, lambda engine: engine.renumber([1, 0])),
    (1, throng.Engine.discard),
]


@pytest.mark.parametrize("radius, call", CALLS_THAT_FORGET_SIZES)
def test_an_interrupt_of_a_call_that_is_done_leaves_no_sizes_of_before(
    radius: float, call: Callable[[throng.Engine], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = throng.Engine()
    engine.update([(0, 0), (9, 0)], radius=[1, 2])
    engine.move([0, 1], [(1, 0), (9, 1)])
    engine.commit()
    if call is throng.Engine.discard:
        engine.move([0], [(0, 0)], radius=7)

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Spares, "refresh", interrupted)
        call(engine)
    engine.move([0], [(0, 0)])
    engine.commit()
    assert engine.frame.box(0) == (-radius, -radius, radius, radius)
