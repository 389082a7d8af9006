"""Sums over lists and pairs are those of NumPy, in every order and form."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import throng

from conftest import crowd

NAN = np.nan


@pytest.fixture
def points(random: np.random.Generator) -> Any:
    return crowd(random, 3000)


@pytest.fixture
def near(engine: throng.Engine, points: Any) -> throng.Lists:
    engine.update(points)
    return engine.frame.neighbours(radius=1.5, distances=True)


def plain(lists: Any, values: Any, of: Any, empty: float) -> Any:
    """What `of` says of the values of each list, in doubles."""
    wide = np.asarray(values, np.float64)
    return np.array([of(wide[ids], axis=0) if len(ids) else np.full(wide.shape[1:], empty) for ids in lists])


def in_order(values: Any, axis: int = 0) -> Any:
    """One value after the other, where NumPy adds some at a time."""
    return np.add.accumulate(values, axis=axis)[-1]


def values_of(random: np.random.Generator, dtype: Any, *shape: int) -> Any:
    return (random.random(shape) * 100 - 50).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(), (1,), (2,), (5,)])
def test_folds_of_lists_are_those_of_numpy(near: throng.Lists, random: Any, dtype: Any, shape: Any) -> None:
    values = values_of(random, dtype, 3000, *shape)
    count = near.counts.reshape(-1, *(1 for _ in shape))
    sums = plain(near, values, in_order, 0)
    assert (near.counts == 0).any() and (near.counts > 5).any()
    with np.errstate(invalid="ignore"):
        means = np.where(count == 0, NAN, sums / count)
    for given, wanted in [
        (near.sum(values), sums),
        (near.mean(values), means),
        (near.min(values), plain(near, values, np.min, NAN)),
        (near.max(values), plain(near, values, np.max, NAN)),
        (near.max(values, fill=-7), plain(near, values, np.max, -7)),
    ]:
        assert given.dtype == dtype
        np.testing.assert_array_equal(given, wanted.astype(dtype))


def test_sums_of_float32_are_rounded_once_and_out_may_have_them_in_full(
    near: throng.Lists, random: Any
) -> None:
    values = values_of(random, np.float32, 3000)
    wide = np.empty(3000)
    assert near.sum(values, out=wide) is wide
    np.testing.assert_array_equal(wide, plain(near, values, in_order, 0))
    np.testing.assert_array_equal(near.sum(values), wide.astype(np.float32))


def test_the_order_of_lists_is_not_that_of_the_result(engine: throng.Engine, points: Any, random: Any) -> None:
    ids = random.permutation(4000)[:3000]
    engine.update(points, ids=ids, radius=0.3)
    frame, values = engine.frame, np.round(values_of(random, np.float64, 4000, 2))
    by_id = frame.neighbours(radius=1)
    by_row = frame.neighbours(radius=1, in_row_order=True)
    assert by_row.agents is not None
    rows = frame.id_bound
    for name, empty in [("sum", 0), ("mean", -1), ("min", -1)]:
        options = {} if name == "sum" else {"fill": -1}
        wanted = getattr(by_id, name)(values, **options)
        given = getattr(by_row, name)(values, **options)
        assert given.shape == (rows, 2)
        np.testing.assert_array_equal(given, wanted)
        assert (given[np.setdiff1d(np.arange(rows), ids)] == empty).all()
    np.testing.assert_array_equal(by_row.count(), by_id.count())
    np.testing.assert_array_equal(by_id.count(), by_id.counts)
    boxes = np.concatenate([points, points + 1], axis=1)
    found = frame.overlaps(boxes, as_found=True)
    np.testing.assert_array_equal(found.sum(values), frame.overlaps(boxes).sum(values))
    np.testing.assert_array_equal(found.count(), frame.overlaps(boxes).counts)


def test_sums_of_pairs_go_to_both_ends(engine: throng.Engine, points: Any, random: Any) -> None:
    engine.update(points, radius=0.4)
    ids = engine.frame.pairs(within=0.5)
    pairs = throng.Pairs.of(ids)
    both = np.concatenate([ids, ids[:, ::-1]])
    values, weights = np.round(values_of(random, np.float64, 3000)), np.round(values_of(random, np.float64, len(ids)))
    counts = np.bincount(both[:, 0], minlength=3000)
    sums = np.bincount(both[:, 0], values[both[:, 1]], minlength=3000)
    np.testing.assert_array_equal(pairs.count(3000), counts)
    np.testing.assert_array_equal(pairs.sum(values), sums)
    weighted = values[both[:, 1]] * np.concatenate([weights, weights])
    np.testing.assert_array_equal(
        pairs.sum(values, weights=weights), np.bincount(both[:, 0], weighted, minlength=3000)
    )
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(pairs.mean(values), sums / counts)
    least = np.full(3000, np.inf)
    np.minimum.at(least, both[:, 0], values[both[:, 1]])
    np.testing.assert_array_equal(pairs.min(values, fill=np.inf), least)
    kept = throng.Pairs()
    engine.frame.pairs(within=0.5, out=kept)
    np.testing.assert_array_equal(kept.sum(values), sums)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(kept)).sum(values), sums)


def test_sums_are_the_same_bits_on_any_threads(random: Any) -> None:
    points = crowd(random, 40000)
    values = values_of(random, np.float32, 40000, 2)
    engine = throng.Engine()
    engine.update(points, radius=0.5)
    near, pairs = engine.frame.neighbours(radius=2), throng.Pairs.of(engine.frame.pairs())
    for lists in (near, pairs):
        for name in ("sum", "mean", "max"):
            alone, together = (getattr(lists, name)(values, threads=threads) for threads in (1, None))
            np.testing.assert_array_equal(alone, together)


def test_weights_belong_to_ids(near: throng.Lists, random: Any) -> None:
    values = values_of(random, np.float32, 3000)
    assert near.distances is not None
    weights = 1 / (1 + near.distances)
    products = values[near.ids].astype(np.float64) * weights.astype(np.float64)
    lists = np.split(np.arange(len(products)), near.offsets[1:-1])
    wanted = plain(lists, products, in_order, 0)
    totals = plain(lists, weights, in_order, 0)
    np.testing.assert_array_equal(near.sum(values, weights=weights, out=np.empty(3000)), wanted)
    with np.errstate(invalid="ignore"):
        means = wanted / totals
    np.testing.assert_array_equal(near.mean(values, weights=weights, out=np.empty(3000)), means)
    assert (near.mean(values, weights=np.zeros(len(near.ids)), fill=4) == 4).all()


def test_columns_come_as_they_are_given(near: throng.Lists, random: Any) -> None:
    table = values_of(random, np.float64, 3000, 3)
    x, y, z = table.T
    wanted = near.sum(table)
    for given in (near.sum((x, y, z)), near.sum(tuple(column.copy() for column in (x, y, z)))):
        assert type(given) is tuple
        np.testing.assert_array_equal(np.stack(given, axis=1), wanted)
    mixed = near.sum((x, y.astype(np.float32)))
    assert [column.dtype for column in mixed] == [np.float64, np.float32]
    for other in (np.asfortranarray(table), table[::-1][::-1], table.astype(">f8"), table.tolist()):
        np.testing.assert_array_equal(near.sum(other), wanted)
    unaligned = np.empty(3000, [("a", np.uint8), ("x", np.float64)])
    unaligned["x"] = x
    np.testing.assert_array_equal(near.sum(unaligned["x"]), wanted[:, 0])
    np.testing.assert_array_equal(near.sum(x[::-1]), near.sum(x[::-1].copy()))
    np.testing.assert_array_equal(near.sum(np.broadcast_to(np.float32(2), 3000)), 2 * near.counts)
    out = np.zeros((3000, 7))
    assert near.sum(table, out=out[:, 1:6:2]) is not None
    np.testing.assert_array_equal(out[:, 1:6:2], wanted)
    assert (out[:, ::2] == 0).all()
    columns = np.empty(3000, np.float32), np.empty(3000)
    near.sum((x, y), out=columns)
    np.testing.assert_array_equal(columns[0], wanted[:, 0].astype(np.float32))
    assert near.sum(np.empty((3000, 0))).shape == (3000, 0)


def test_flags_and_integers_are_counted(near: throng.Lists, random: Any) -> None:
    infected = random.random(3000) < 0.3
    wanted = plain(near, infected, in_order, 0)
    for given in (infected, infected.astype(np.uint8), infected.astype(np.int64)):
        counted = near.sum(given)
        assert counted.dtype == np.int64
        np.testing.assert_array_equal(counted, wanted)
    np.testing.assert_array_equal(near.max(infected, fill=0) == 1, wanted > 0)
    flags, halves = near.sum((infected, infected / 2))
    assert (flags.dtype, halves.dtype) == (np.int64, np.float64)
    np.testing.assert_array_equal(flags, wanted)


def test_results_may_lie_where_the_values_are(near: throng.Lists, random: Any) -> None:
    values = values_of(random, np.float64, 3000)
    wanted = near.sum(values)
    near.sum(values, out=values)
    np.testing.assert_array_equal(values, wanted)


def test_results_may_lie_where_the_weights_are(engine: throng.Engine, points: Any, random: Any) -> None:
    engine.update(points)
    values = values_of(random, np.float64, 3000)
    for in_row_order in (False, True):
        lists = engine.frame.neighbours(radius=1, in_row_order=in_row_order)
        weights = random.random(len(lists.ids))
        wanted = lists.sum(values, weights=weights)
        assert np.array_equal(lists.sum(values, weights=weights, out=weights[:3000]), wanted)


def test_kept_and_pickled_lists_and_blocks_are_folded_too(points: Any, random: Any) -> None:
    engine, kept = throng.Engine(), throng.KeptNeighbours(radius=1, skin=0.25)
    engine.update(points)
    values = np.round(values_of(random, np.float64, 3000))
    near = engine.frame.neighbours(radius=1)
    wanted = near.sum(values)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(near)).sum(values), wanted)
    blocks: Any = throng.blocks(engine.frame.neighbours, radius=1, max_bytes=1 << 12)
    np.testing.assert_array_equal(np.concatenate([lists.sum(values) for _, lists in blocks]), wanted)
    for _ in range(2):  # no array is left that would forbid an update
        kept.update(engine.frame)
        total = kept.sum(values)
    np.testing.assert_array_equal(total, plain([*kept], values, in_order, 0))


def test_of_nothing(engine: throng.Engine) -> None:
    assert throng.Lists().sum([1.0]).shape == (0,)
    assert throng.Pairs().sum([1.0]).tolist() == [0]
    assert np.isnan(throng.Pairs().mean([1.0])).all()
    assert throng.Pairs().count(2).tolist() == [0, 0]
    engine.update(np.empty((0, 2)))
    for in_row_order in (False, True):
        assert engine.frame.neighbours(radius=1, in_row_order=in_row_order).sum([]).shape == (0,)


def test_what_is_refused(near: throng.Lists) -> None:
    values = np.zeros(3000, np.float32)
    with pytest.raises(throng.Error, match=r"agent \d+ has no value: there are 2999") as found:
        throng.Pairs.of([(1, 0), (2, 2999)]).sum(values[:2999])
    assert (found.value.code, found.value.argument) == (throng.Code.UNKNOWN_ID, throng.Argument.LISTS)
    assert found.value.index == 3
    with pytest.raises(throng.Error, match="agent 7 has no value: there are 7"):
        throng.Pairs.of([(7, 0)]).count(7)
    for wrong in (np.zeros(()), np.zeros((3000, 2, 2))):
        with pytest.raises(ValueError, match="must have the shape"):
            near.sum(wrong)
    masked: Any = np.ma.masked_array
    for odd in (values.astype(complex), values.astype(object), masked(values)):
        with pytest.raises(TypeError, match="values"):
            near.sum(odd)
    with pytest.raises(throng.Error, match="not one weight for each"):
        near.sum(values, weights=values[:5])
    with pytest.raises(ValueError, match="shape"):
        near.sum(values, out=np.zeros(2999))
    with pytest.raises(TypeError, match="float32 or float64"):
        near.sum(values, out=np.zeros(3000, np.int32))
    with pytest.raises(ValueError, match="tuple of 2"):
        near.sum((values, values), out=(np.zeros(3000),))
    frozen = np.zeros(3000)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="writeable"):
        near.sum(values, out=frozen)
    with pytest.raises(ValueError, match=r"shape \(m, 2\)"):
        throng.Pairs.of([1, 2, 3])


@pytest.mark.parametrize("how", ["in row order", "as found"])
def test_slices_and_pickles_of_lists_in_another_order_are_folded_as_these(
    how: str, points: Any, random: Any
) -> None:
    engine = throng.Engine()
    engine.update(points[::-1].copy())
    frame = engine.frame
    lists: throng.Lists
    if how == "in row order":
        lists = frame.neighbours(radius=1.5, in_row_order=True)
        assert lists.agents is not None
    else:
        lists = frame.overlaps(engine.frame.boxes_of(np.arange(500)), as_found=True)
        assert lists.queries is not None
    values = random.random(3000)
    wanted = lists.sum(values)
    for same in lists[:], pickle.loads(pickle.dumps(lists)):
        np.testing.assert_array_equal(same.sum(values), wanted)
        np.testing.assert_array_equal(same.max(values), lists.max(values))
        np.testing.assert_array_equal(same.count(), lists.count())
