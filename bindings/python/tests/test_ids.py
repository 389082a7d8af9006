"""Ids that come out are of the type that arithmetic expects, unless another is asked for."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from conftest import crowd

import throng
from throng._native import errors, structs
from throng._native.library import initialised, library
from throng._native.memory import NEIGHBOURS

COUNT = 3000
BOXES = [(0, 0, 20, 20), (5, 5, 30, 30)]


@pytest.fixture
def frame(engine: throng.Engine, random: np.random.Generator) -> throng.Frame:
    engine.static_layer = throng.StaticLayer(np.concatenate([crowd(random, 50)] * 2, axis=1))
    engine.update(crowd(random, COUNT), radius=0.6)
    return engine.frame


def changes(frame: Any, name: str, **options: Any) -> Any:
    return getattr(frame.pair_changes(throng.PairChanges(), **options), name)


# What gives ids, by itself or with the options of the call; and what `out` may be.
ASKED: dict[str, Any] = {
    "pairs": (lambda frame, **o: frame.pairs(**o), throng.Pairs),
    "sorted pairs": (lambda frame, **o: frame.pairs(within=1, sort=True, **o), throng.Pairs),
    "pairs with": (lambda frame, **o: frame.pairs_with(frame.static_layer, **o), throng.Pairs),
    "neighbours": (lambda frame, **o: frame.neighbours(radius=1, **o).ids, throng.Lists),
    "a list": (lambda frame, **o: frame.neighbours(radius=1, **o)[7], throng.Lists),
    "lists": (lambda frame, **o: frame.neighbours(radius=1, **o).ij()[0], throng.Lists),
    "agents": (lambda frame, **o: frame.neighbours(radius=1, in_row_order=True, **o).agents, throng.Lists),
    "of points": (lambda frame, **o: frame.neighbours([(1, 2), (3, 4)], radius=3, **o).ids, throng.Lists),
    "of a point": (lambda frame, **o: frame.neighbours((1, 2), radius=3, **o), None),
    "nearest": (lambda frame, **o: frame.nearest(k=4, **o).ids, throng.Lists),
    "nearest of few": (lambda frame, **o: frame.nearest(k=4, radius=0.5, **o).ids, throng.Lists),
    "nearest of a point": (lambda frame, **o: frame.nearest((1, 2), k=4, **o).ids, None),
    "nearest lists": (lambda frame, **o: frame.nearest_lists(k=4, **o).ids, throng.Lists),
    "nearest in": (lambda frame, **o: frame.nearest_in(frame.static_layer, k=2, **o).ids, throng.Lists),
    "neighbours in": (
        lambda frame, **o: frame.neighbours_in(frame.static_layer, radius=3, **o).ids,
        throng.Lists,
    ),
    "overlaps": (lambda frame, **o: frame.overlaps(BOXES, **o).ids, throng.Lists),
    "as found": (lambda frame, **o: frame.overlaps(BOXES, as_found=True, **o).queries, throng.Lists),
    "overlaps of one": (lambda frame, **o: frame.overlaps(BOXES[0], **o), None),
    "overlaps of a circle": (lambda frame, **o: frame.overlaps(circles=(5, 5, 4), **o), None),
    "with static": (lambda frame, **o: frame.with_static.overlaps(BOXES, **o)[1].ids, None),
    "first hits": (lambda frame, **o: frame.first_hits(np.zeros((9, 2)), crowd_of(9), **o).ids, None),
    "all hits": (lambda frame, **o: frame.all_hits(np.zeros((9, 2)), crowd_of(9), **o).ids, throng.CastLists),
    "began": (lambda frame, **o: changes(frame, "began", **o), None),
    "ended": (lambda frame, **o: changes(frame, "ended", **o), None),
    "arrays": (lambda frame, **o: throng.arrays.overlaps(frame.agents().boxes, BOXES, **o).ids, throng.Lists),
    "arrays, near": (
        lambda frame, **o: throng.arrays.neighbours(frame.agents().boxes, [(1, 2)], radius=3, **o).ids,
        throng.Lists,
    ),
    "arrays, nearest": (
        lambda frame, **o: throng.arrays.nearest(frame.agents().boxes, [(1, 2)], k=3, **o).ids,
        throng.Lists,
    ),
}


def crowd_of(count: int) -> Any:
    return crowd(np.random.default_rng(3), count) + 30


@pytest.mark.parametrize("name", ASKED)
def test_ids_are_as_numpys_indices_and_int32_if_that_is_asked_for(name: str, frame: throng.Frame) -> None:
    ask, kind = ASKED[name]
    ids, narrow = ask(frame), ask(frame, dtype=np.int32)
    assert ids.dtype == np.intp and narrow.dtype == np.int32
    assert ask(frame, dtype="int64").dtype == np.int64
    assert len(ids) > 0 or name == "ended"
    assert np.array_equal(ids, narrow)
    if kind is not None:
        assert ask(frame, out=kind()).dtype == np.int32
        wide = ask(frame, out=kind(dtype=np.intp))
        assert wide.dtype == np.intp and np.array_equal(wide, ids)
        assert ask(frame, out=kind(), dtype=np.int32).dtype == np.int32
        with pytest.raises(TypeError, match="out has ids of int32: make it as"):
            ask(frame, out=kind(), dtype=np.intp)


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("dtype", [np.uint32, np.float64, np.int16, "no type"])
def test_other_types_are_refused(name: str, dtype: Any, frame: throng.Frame) -> None:
    with pytest.raises(TypeError):
        ASKED[name][0](frame, dtype=dtype)
    with pytest.raises(TypeError):
        throng.Lists(dtype=dtype)


def test_ids_of_agents_are_as_numpys_indices(frame: throng.Frame) -> None:
    engine = throng.Engine()
    assert frame.agents().ids.dtype == frame.row_order().dtype == np.intp
    order = frame.row_order(dtype=np.int32)
    assert order.dtype == frame.agents(dtype=np.int32).ids.dtype == np.int32
    assert np.array_equal(order, frame.row_order())
    assert engine.insert([(0, 0)]).dtype == np.intp
    engine.discard()
    assert engine.update_legal([(0, 0), (np.nan, 0)]).dtype == np.intp
    assert throng.PairChanges().pairs.dtype == np.intp


def test_keys_of_pairs_do_not_overflow(random: np.random.Generator) -> None:
    engine, count = throng.Engine(), 70_000
    engine.update(crowd(random, count), radius=0.5)
    i, j = engine.frame.pairs(sort=True).T
    keys = i * count + j
    assert (keys >= 0).all() and keys.max() > 2**31 and (np.diff(keys) > 0).all()
    near = engine.frame.neighbours(radius=1)
    i, j = near.ij()
    assert (i * count + j >= 0).all()


def test_many_ids_become_wide_as_few_do(engine: throng.Engine, random: np.random.Generator) -> None:
    engine.update(crowd(random, 150_000), radius=0.7)
    for frame in (engine.frame, engine.frame.serial):
        narrow = frame.pairs(dtype=np.int32)
        assert narrow.nbytes > 1 << 20
        assert np.array_equal(frame.pairs(), narrow)
        assert np.array_equal(frame.nearest(k=8).ids, frame.nearest(k=8, dtype=np.int32).ids)
        near = frame.neighbours(radius=1.5)
        assert np.array_equal(near.ids, near._narrow()) and near.ids is near.ids


def test_a_list_is_the_same_before_and_after_all_are_read(frame: throng.Frame) -> None:
    near = frame.neighbours(radius=1)
    before = [near[k] for k in range(0, COUNT, 100)]
    assert all(np.array_equal(was, near.ids[near.offsets[k] : near.offsets[k + 1]]) for k, was in
               zip(range(0, COUNT, 100), before))
    assert all(np.array_equal(near[k], was) for k, was in zip(range(0, COUNT, 100), before))
    assert near[7].base is not None and near[7].dtype == before[0].dtype == np.intp


def test_wide_ids_of_a_result_stay_as_they_were_when_it_is_filled_again(random: np.random.Generator) -> None:
    engine, out = throng.Engine(), throng.Pairs(dtype=np.intp)
    held = []
    for _ in range(4):
        engine.update(crowd(random, 60_000), radius=0.7)
        ids = engine.frame.pairs(out=out)
        held.append((ids, ids.copy()))
    assert all(np.array_equal(ids, was) for ids, was in held)


@pytest.mark.parametrize("dtype", [np.int32, np.intp])
def test_pickled_results_keep_their_type(dtype: Any, frame: throng.Frame) -> None:
    near = frame.neighbours(radius=1, in_row_order=True, dtype=dtype)
    again = pickle.loads(pickle.dumps(near))
    assert again.ids.dtype == again.agents.dtype == dtype and np.array_equal(again.ids, near.ids)
    found = frame.overlaps(BOXES, as_found=True, dtype=dtype)
    again = pickle.loads(pickle.dumps(found))
    assert again.queries.dtype == dtype and np.array_equal(again.queries, found.queries)
    pairs = throng.Pairs(dtype)
    frame.pairs(out=pairs)
    assert pickle.loads(pickle.dumps(pairs)).ids.dtype == dtype


def test_blocks_have_the_type_that_is_asked_for(frame: throng.Frame) -> None:
    for dtype, expected in ((None, np.intp), (np.int32, np.int32)):
        options: Any = {} if dtype is None else {"dtype": dtype}
        for _, lists in throng.blocks(frame.neighbours, radius=1, max_bytes=1 << 12, **options):
            assert lists.ids.dtype == expected and lists[0].dtype == expected


def test_kept_lists_have_what_lies_there_unless_another_type_is_asked_for(frame: throng.Frame) -> None:
    kept = throng.KeptNeighbours(radius=1, skin=0.5)
    wide = throng.KeptNeighbours(radius=1, skin=0.5, dtype=np.intp)
    for each in (kept, wide):
        each.update(frame)
    assert kept.ids.dtype == np.int32 and wide.ids.dtype == np.intp
    assert np.array_equal(kept.ids, wide.ids)
    held = wide.ids
    wide.update(frame)  # it is a copy, which nothing changes
    assert len(held) == len(kept.ids)


def test_a_sparse_matrix_has_the_same_ids(frame: throng.Frame) -> None:
    pytest.importorskip("scipy.sparse")
    wide, narrow = (frame.neighbours(radius=1, dtype=dtype).to_csr() for dtype in (np.intp, np.int32))
    assert wide.indices.dtype == narrow.indices.dtype == np.int32
    assert (wide != narrow).nnz == 0


def test_ids_that_were_read_while_a_result_was_filled_are_forgotten(random: np.random.Generator) -> None:
    engine, out = throng.Engine(), throng.Lists(dtype=np.intp)
    engine.update(crowd(random, 300))
    frame, wanted = engine.frame, initialised(structs.Within)
    wanted.radius = 2

    def fill(into: Any) -> None:
        assert len(out.ids) == 0  # as another thread would
        errors.call(library.throng_frame_neighbours_within, frame._handle, wanted, None, into)

    out._fill(NEIGHBOURS, fill)
    assert len(out.ids) > 0 and np.array_equal(out.ids, frame.neighbours(radius=2).ids)
