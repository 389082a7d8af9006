"""Arrays keep the memory alive that they look into, and a result that is filled again leaves them as they
were."""

from __future__ import annotations

import ctypes
import gc
import pickle
import sys
import weakref
from typing import Any, Iterator

import numpy as np
import pytest
from conftest import crowd

import throng
from throng._native import errors, structs
from throng._native.library import initialised, library
from throng._native.memory import NEIGHBOURS


class Counted:
    """Memory of the host for an engine, which counts what is out."""

    def __init__(self) -> None:
        self.blocks: dict[int, Any] = {}
        self.allocations = 0
        self.allocate = structs.allocate(self._allocate)
        self.deallocate = structs.deallocate(self._deallocate)

    def _allocate(self, context: Any, size: int, alignment: int) -> int:
        self.allocations += 1
        buffer = (ctypes.c_char * (size + alignment))()
        where = -(-ctypes.addressof(buffer) // alignment) * alignment
        self.blocks[where] = buffer
        return where

    def _deallocate(self, context: Any, where: int, size: int, alignment: int) -> None:
        del self.blocks[where]

    def engine(self) -> throng.Engine:
        config = initialised(structs.EngineConfig)
        config.serial = 1
        config.allocate, config.deallocate = self.allocate, self.deallocate
        engine = throng.Engine.__new__(throng.Engine)
        engine._start(config)
        return engine


@pytest.fixture
def counted() -> Iterator[Counted]:
    memory = Counted()
    yield memory
    gc.collect()
    assert memory.allocations > 0 and not memory.blocks


def test_everything_is_given_back_when_it_is_dropped(counted: Counted, random: np.random.Generator) -> None:
    engine = counted.engine()
    for _ in range(3):
        engine.update(crowd(random, 300), radius=0.5)
        kept = engine.frame
    engine.close()
    assert counted.blocks and len(kept.pairs()) > 0
    del engine
    assert len(kept.neighbours(radius=1).ids) > 0
    del kept
    assert not counted.blocks


def test_frames_that_were_let_go_are_not_kept(counted: Counted, random: np.random.Generator) -> None:
    engine = counted.engine()
    frames = []
    for _ in range(5):
        engine.update(crowd(random, 300))
        frames.append(engine.frame)
    frames.clear()
    # The handle of one is kept for the next, and never holds an old frame once there is a new one.
    engine.update(crowd(random, 300))
    (left,) = engine._spares.returned
    assert library.throng_frame_number(left.owner) == 6
    del engine, left


def test_an_error_on_the_way_leaves_no_frame_behind(counted: Counted) -> None:
    engine = counted.engine()
    with pytest.raises(throng.Error):
        engine.update([(0, float("nan"))])
    for _ in range(3):
        engine.frame.number
    del engine
    assert not counted.blocks


def test_a_steady_loop_allocates_nothing(counted: Counted, random: np.random.Generator) -> None:
    engine = counted.engine()
    points = crowd(random, 2000)
    lists, pairs, hits, casts = throng.Lists(), throng.Pairs(), throng.Lists(), throng.CastLists()
    counts = np.empty(20, np.int32)
    handles: set[int] = set()
    memory: list[tuple[int, ...]] = []
    for step in range(24):
        engine.update(points + np.float32(step % 2) / 8, radius=0.5)
        frame = engine.frame
        frame.pairs(out=pairs)
        frame.neighbours(radius=1, distances=True, out=lists)
        boxes = np.concatenate([points[:20], points[:20] + 2], axis=1)
        frame.overlaps(boxes, out=hits)
        frame.count(boxes, out=counts)
        frame.all_hits(points[:20], points[20:40], out=casts)
        ids = lists.ids  # held until the next step, as loops do
        memory.append(
            tuple(
                array.__array_interface__["data"][0] for array in (pairs.ids, ids, hits.ids, casts.fractions)
            )
        )
        if step == 11:
            before = counted.allocations
        if step >= 12:
            handles.add(frame._handle._as_parameter_)
    assert counted.allocations == before
    assert len(handles) <= 2
    for places in zip(*memory[12:]):
        assert len(set(places)) <= 2


def test_arrays_outlive_result_frame_and_engine(random: np.random.Generator) -> None:
    points = crowd(random, 3000)
    engine = throng.Engine()
    engine.update(points, radius=0.5)
    near = engine.frame.neighbours(radius=1, distances=True)
    squared = near.squared_distances
    assert squared is not None
    expected: list[Any] = [near.offsets.copy(), near.ids.copy(), squared.copy()]
    arrays: list[Any] = [near.offsets[:], near.ids[::1], squared]
    owner = weakref.ref(near._filling.handle)  # type: ignore[union-attr]
    del engine, near, squared
    gc.collect()
    assert owner() is not None
    churn = [bytes(100_000) for _ in range(50)]
    assert all(np.array_equal(array, was) for array, was in zip(arrays, expected)) and churn
    del arrays
    assert owner() is None


def test_filling_a_result_anew_leaves_earlier_arrays_as_they_were(random: np.random.Generator) -> None:
    engine = throng.Engine()
    out = throng.Lists()
    kept: list[tuple[Any, Any]] = []
    for step in range(8):
        engine.update(crowd(random, 500 * (step + 1)))
        engine.frame.neighbours(radius=1, out=out)
        kept.append((out.ids[1:], out.ids[1:].copy()))
    assert len({ids.__array_interface__["data"][0] for ids, _ in kept}) == 8
    assert all(np.array_equal(ids, was) for ids, was in kept)
    kept.clear()
    engine.frame.neighbours(radius=1, out=out)
    # What eight steps needed is not kept for ever.
    assert len(out._spares._fillings) <= 1


def test_what_was_read_while_a_result_was_filled_is_forgotten(random: np.random.Generator) -> None:
    engine = throng.Engine()
    out: Any = throng.Lists()
    engine.update(crowd(random, 100))

    def fill(into: Any) -> None:
        assert len(out.ids) == 0 and not np.any(out.distances)
        errors.call(library.throng_frame_neighbours_within, engine.frame._handle, wanted, None, into)

    wanted = initialised(structs.Within)
    wanted.radius, wanted.distances = 2, True
    out._fill(NEIGHBOURS, fill)
    assert len(out) == 100 and np.any(out.distances)


def test_pairs_of_two_frames_are_apart(random: np.random.Generator) -> None:
    engine, out = throng.Engine(), throng.Pairs()
    engine.update(crowd(random, 400), radius=0.6)
    first = engine.frame.pairs(out=out)
    was = first.copy()
    engine.update(crowd(random, 900), radius=0.6)
    second = engine.frame.pairs(out=out)
    assert np.array_equal(first, was) and len(second) > len(first) and second.base is not first.base


def test_a_call_that_fails_leaves_a_result_empty_and_of_use(random: np.random.Generator) -> None:
    engine, out = throng.Engine(), throng.Lists()
    engine.update(crowd(random, 100))
    engine.frame.neighbours(radius=1, out=out)
    with pytest.raises(throng.Error):
        engine.frame.neighbours(radius=-1, out=out)
    assert len(out) == 0 and len(out.ids) == 0
    engine.frame.neighbours(radius=1, out=out)
    assert len(out) == 100


def test_calls_keep_no_reference(random: np.random.Generator) -> None:
    engine = throng.Engine()
    points, radius, ids, categories = (
        crowd(random, 50),
        np.ones(50, np.float32),
        np.arange(50, dtype=np.int32),
        np.ones(50, np.int32),
    )
    before = [sys.getrefcount(array) for array in (points, radius, ids, categories)]
    for _ in range(10):
        engine.update(points, radius, ids=ids, categories=categories)
        engine.frame.neighbours(points, radius=radius)
    assert [sys.getrefcount(array) for array in (points, radius, ids, categories)] == before


def test_copies_live_as_long_as_the_struct_that_points_into_them(random: np.random.Generator) -> None:
    from throng import _arguments

    points, radii = random.random((1000, 2)).astype(np.longdouble), random.random(1000).astype(np.longdouble)
    struct = _arguments.points_with_radius(points, radii, None)
    gc.collect()
    churn = [np.full((1000, 2), 7, np.float64) for _ in range(20)]
    x = np.ctypeslib.as_array(ctypes.cast(struct.double_x, ctypes.POINTER(ctypes.c_double)), (10,))
    assert (x < 1).all() and churn


def test_lists_can_be_pickled(random: np.random.Generator) -> None:
    engine = throng.Engine()
    engine.update(crowd(random, 300))
    for near in (
        engine.frame.neighbours(radius=1, distances=True),
        engine.frame.neighbours(radius=1, in_row_order=True),
        engine.frame.overlaps(np.zeros((3, 4))),
    ):
        again = pickle.loads(pickle.dumps(near))
        for name in ("offsets", "ids", "distances", "agents"):
            mine, its = getattr(near, name), getattr(again, name)
            assert (mine is None and its is None) or np.array_equal(mine, its)
        assert [ids.tolist() for ids in again] == [ids.tolist() for ids in near]
    pairs = throng.Pairs()
    engine.frame.pairs(within=1, out=pairs)
    assert len(pairs) > 0 and np.array_equal(pickle.loads(pickle.dumps(pairs)).ids, pairs.ids)
    hits = engine.frame.all_hits([(0, 0), (50, 50)], [(20, 20), (60, 60)], radius=2)
    again = pickle.loads(pickle.dumps(hits))
    assert len(hits.ids) > 0 and [ids.tolist() for ids in again] == [ids.tolist() for ids in hits]
    assert np.array_equal(again.fractions, hits.fractions) and not again.is_static.any()


def test_arrays_of_kept_lists_are_read_only_since_the_next_update_reads_them() -> None:
    engine, kept = throng.Engine(), throng.KeptNeighbours(radius=2, skin=1)
    engine.update([(0, 0), (1, 0)])
    kept.update(engine.frame)
    arrays: list[Any] = [kept.ids, kept.offsets, kept[0]]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
        with pytest.raises(ValueError):
            array.flags.writeable = True


def test_lists_become_a_sparse_matrix_without_a_copy_of_the_ids(random: np.random.Generator) -> None:
    pytest.importorskip("scipy.sparse")
    engine = throng.Engine()
    engine.update(crowd(random, 300))
    near = engine.frame.neighbours(radius=1, distances=True)
    matrix = near.to_csr()
    assert matrix.shape == (300, 300) and np.shares_memory(matrix.indices, near._narrow())
    i, j = near.ij()
    distances: Any = near.distances
    assert np.array_equal(matrix.toarray()[i, j], distances) and matrix.nnz == len(j)


def test_lists_are_indexed_as_sequences_are(random: np.random.Generator) -> None:
    engine = throng.Engine()
    engine.update(crowd(random, 40))
    near = engine.frame.neighbours(radius=2)
    assert len(near) == 40 == len(list(near))
    assert near[-1].tolist() == near[39].tolist() == list(near)[39].tolist()
    assert near.counts.sum() == len(near.ids)
    for outside in (40, -41):
        with pytest.raises(IndexError):
            near[outside]
    assert repr(near) == f"<throng.Lists: 40 lists with {len(near.ids)} ids>"
    assert len(throng.Lists()) == 0 and len(throng.Pairs()) == 0 and len(throng.CastLists()) == 0
