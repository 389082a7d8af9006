"""Agents on storeys: bands of heights of agents and of filters, against brute force."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from conftest import as_set, crowd, overlapping

import throng

COUNT = 400
Bands = Any


def storeys(random: np.random.Generator, count: int = COUNT) -> Bands:
    """Bands in steps of a half, so that many touch; some have every height."""
    low = random.integers(0, 12, count) * np.float32(0.5)
    bands = np.stack([low, low + random.integers(0, 4, count) * np.float32(0.5)], axis=1)
    bands[random.random(count) < 0.1] = -np.inf, np.inf
    return bands


def share(bands: Bands, others: Bands) -> Any:
    """Whether band i shares a height with band j of the others."""
    a, b = bands[:, None], others[None]
    return (a[..., 0] <= b[..., 1]) & (b[..., 0] <= a[..., 1])


def squares(points: Any) -> Any:
    return np.concatenate([points - np.float32(0.5), points + np.float32(0.5)], axis=1)


def test_pairs_share_a_height(engine: throng.Engine, random: np.random.Generator) -> None:
    points, bands = crowd(random, COUNT), storeys(random)
    touch = np.triu(overlapping(squares(points), squares(points)), 1)
    expected = as_set(np.argwhere(touch & share(bands, bands)))
    assert 0 < len(expected) < touch.sum()
    low, high = bands.T
    for heights in (bands, bands.astype(np.float64), (low, high), (low.tolist(), high.tolist()), bands[:].copy("F")):
        pairs = throng.Pairs()
        engine.update(points, radius=0.5, heights=heights, pairs=pairs)
        assert as_set(pairs.ids) == as_set(engine.frame.pairs()) == expected
        assert np.array_equal(engine.frame.heights_of(range(COUNT)), bands)
    engine.update_boxes(squares(points), heights=bands)
    assert as_set(engine.frame.pairs()) == expected
    assert engine.update_legal(points, 0.5, heights=bands).size == 0
    assert as_set(engine.frame.pairs()) == expected
    engine.update(points, radius=0.5)
    assert engine.frame.count_pairs() == touch.sum() and engine.frame.height(0) == (-np.inf, np.inf)


def test_filters_tell_storeys_apart(engine: throng.Engine, random: np.random.Generator) -> None:
    points, bands, categories = crowd(random, COUNT), storeys(random), random.integers(1, 4, COUNT)
    queries, theirs = squares(crowd(random, 60)) * np.float32(1.5), storeys(random, 60)
    engine.update(points, radius=0.5, heights=bands, categories=categories)
    frame, touch = engine.frame, overlapping(queries, squares(points))
    one = share(np.array([(1, 2)], np.float32), bands)
    other = (categories & 2 != 0)[None]
    for filter, expected in (
        (throng.Filter(heights=(1, 2)), touch & one),
        (throng.Filter(heights=(1, 2), categories=2), touch & one & other),
        (throng.Filter(heights=(1, 2), categories=[2] * 60), touch & one & other),
        (throng.Filter(heights=theirs), touch & share(theirs, bands)),
        (throng.Filter(heights=tuple(theirs.T), categories=2), touch & share(theirs, bands) & other),
        (throng.Filter(heights=theirs, categories=[2] * 60), touch & share(theirs, bands) & other),
    ):
        assert 0 < expected.sum() < touch.sum()
        for each in (filter, pickle.loads(pickle.dumps(filter))):
            assert np.array_equal(frame.count(queries, filter=each), expected.sum(axis=1))
            lists = frame.overlaps(queries, filter=each)
            assert [sorted(ids.tolist()) for ids in lists] == [np.flatnonzero(row).tolist() for row in expected]
    assert frame.count(queries[0], filter=throng.Filter(heights=(1, 2))) == (touch & one)[0].sum()
    with pytest.raises(ValueError):
        frame.count(queries[0], filter=throng.Filter(heights=theirs))


def test_neighbours_rays_and_the_nearest_are_of_a_storey(engine: throng.Engine, random: np.random.Generator) -> None:
    points, bands = crowd(random, COUNT), storeys(random)
    engine.update(points, radius=0.25, heights=bands)
    frame, storey = engine.frame, throng.Filter(heights=(1, 1.5))
    on_it = np.flatnonzero(share(np.array([(1, 1.5)], np.float32), bands)[0])
    alone = throng.Engine()
    alone.update(points[on_it], radius=0.25, ids=on_it)
    there = alone.frame
    starts, ends = crowd(random, 50), crowd(random, 50)
    assert np.array_equal(frame.nearest(starts, filter=storey)[0], there.nearest(starts)[0])
    assert np.array_equal(frame.first_hits(starts, ends, filter=storey).ids, there.first_hits(starts, ends).ids)
    assert np.array_equal(frame.blocked(starts, ends, filter=storey), there.blocked(starts, ends))
    lists = frame.neighbours(radius=1, filter=throng.Filter(heights=bands))
    near = ((points[:, None] - points[None]) ** 2).sum(axis=2) <= 1
    assert np.array_equal(lists.counts, (near & share(bands, bands)).sum(axis=1) - 1)


def test_casts_rise(engine: throng.Engine, random: np.random.Generator) -> None:
    """Against the definition, in the same floats."""
    points, bands = crowd(random, COUNT), storeys(random)
    engine.update(points, radius=0.25, heights=bands)
    starts, ends = crowd(random, 40), crowd(random, 40)
    z, to_z = (random.uniform(-1, 7, 40).astype(np.float32) for _ in "ab")
    tall = np.float32(0.75)

    def slab(low: Any, high: Any, moved: Any, least: Any, most: Any) -> tuple[Any, Any]:
        times = np.stack([(least - high) * (1 / moved), (most - low) * (1 / moved)])
        return times.min(axis=0), times.max(axis=0)

    axes = [(starts[:, k, None], starts[:, k, None], (ends - starts)[:, k, None],
             points[:, k] - np.float32(0.25), points[:, k] + np.float32(0.25)) for k in (0, 1)]
    axes.append((z[:, None], (z + tall)[:, None], (to_z - z)[:, None], bands[:, 0], bands[:, 1]))
    entries, exits = zip(*(slab(*(np.asarray(each, np.float32) for each in axis)) for axis in axes))
    first, last = np.maximum(np.maximum.reduce(entries), 0), np.minimum(np.minimum.reduce(exits), 1)
    times = np.where(first <= last, first, np.inf)
    heights: Any = {"z": z, "to_z": to_z, "height": tall}
    hits = engine.frame.first_hits(starts, ends, **heights)
    assert np.array_equal(hits.fractions, times.min(axis=1)) and 5 < np.isfinite(hits.fractions).sum() < 40
    assert np.array_equal(engine.frame.blocked(starts, ends, **heights), np.isfinite(hits.fractions))
    assert np.array_equal(engine.frame.all_hits(starts, ends, **heights).counts, np.isfinite(times).sum(axis=1))
    rows = throng.casts(starts, ends)
    assert np.array_equal(engine.frame.first_hits(rows, **heights).ids, hits.ids)
    for i in range(5):
        one = engine.frame.first_hits(starts[i], ends[i], z=z[i], to_z=float(to_z[i]), height=tall)
        assert (one.ids, one.fractions) == (hits.ids[i], hits.fractions[i])
        admitted = share(np.array([(0, 1)], np.float32), bands)[0] & np.isfinite(times[i])
        blocked = engine.frame.blocked(starts[i], ends[i], z=z[i], to_z=to_z[i], height=tall,
                                       filter=throng.Filter(heights=(0, 1)))
        assert blocked == admitted.any()
    refused: Any
    for refused in ({"to_z": 1}, {"height": 1}, {"z": z[:3]}, {"z": z, "to_z": z[:3]}):
        with pytest.raises(ValueError, match="z"):
            engine.frame.blocked(starts, ends, **refused)
    with pytest.raises(throng.Error) as caught:
        engine.frame.blocked(starts, ends, z=np.where(z == z[7], np.nan, z))
    assert (caught.value.code, caught.value.index) == (throng.Code.NOT_FINITE, 7)


def test_copies_of_a_frame_and_layers_have_heights(engine: throng.Engine, random: np.random.Generator) -> None:
    points, bands = crowd(random, COUNT), storeys(random)
    engine.static_layer = throng.StaticLayer([(-9, -9, 99, 99)] * 2, heights=[(0, 1), (2, 3)])
    engine.update(points, radius=0.5, heights=bands)
    frame = engine.frame
    for same in (frame, pickle.loads(pickle.dumps(frame)), copy.deepcopy(frame)):
        assert same.fingerprint == frame.fingerprint
        assert same.height(7) == frame.height(7) == tuple(bands[7].tolist())
        assert same.static_layer.overlaps((0, 0, 1, 1), filter=throng.Filter(heights=(2.5, 9))).tolist() == [1]
    assert pickle.loads(pickle.dumps(engine.static_layer)).frame.height(1) == (2, 3)
    far = throng.Engine(origin=(1e6, 1e6))
    far.static_layer = engine.static_layer
    assert far.static_layer._at(far._place) is not engine.static_layer._handle
    far.update([(0, 0)])
    assert far.frame.static_layer.heights_of([0, 1]).tolist() == [[0, 1], [2, 3]]


def test_edits_bring_other_heights(engine: throng.Engine, random: np.random.Generator) -> None:
    points, bands = crowd(random, COUNT), storeys(random)
    engine.update(points, radius=0.5)
    engine.move(range(9), points[:9], 0.5, heights=bands[:9])
    engine.move_boxes(range(9, 19), squares(points[9:19]), heights=bands[9:19])
    engine.commit()
    bands[19:] = -np.inf, np.inf
    assert np.array_equal(engine.frame.heights_of(range(COUNT)), bands)
    engine.move(range(COUNT), points, 0.5)
    first = engine.insert(points[:2], 0.5, heights=[(0, 1), (2, 3)])
    more = engine.insert_boxes(squares(points[:1]), heights=(4, 5))
    engine.commit()
    assert np.array_equal(engine.frame.heights_of(range(COUNT)), bands)
    assert engine.frame.heights_of([*first, *more]).tolist() == [[0, 1], [2, 3], [4, 5]]
    with pytest.raises(throng.Error) as caught:
        engine.move([3, 4], points[:2], heights=[(0, 1), (3, 2)])
    assert (caught.value.argument, caught.value.index) == (throng.Argument.HEIGHTS, 1)
    assert engine.staged == 0


def test_what_is_wrong_with_heights_is_named(engine: throng.Engine) -> None:
    points = np.zeros((2, 2), np.float32)
    wrong: Any
    shape: Any
    refused: Any
    for wrong, code in ([(0, 1), (3, 2)], throng.Code.INVERTED), ([(0, 1), (np.nan, 2)], throng.Code.NOT_FINITE):
        with pytest.raises(throng.Error) as caught:
            engine.update(points, heights=wrong)
        assert (caught.value.code, caught.value.argument, caught.value.index) == (code, throng.Argument.HEIGHTS, 1)
        with pytest.raises(throng.Error) as caught:
            throng.StaticLayer(squares(points), heights=wrong)
        assert caught.value.index == 1
    with pytest.raises(throng.Error, match="too large"):
        engine.update(points, heights=[(0, 1), (0, 1e300)])
    for shape in ([(0, 1)], np.zeros((2, 3)), np.zeros((2, 2, 2)), (np.zeros(2), np.zeros(3))):
        with pytest.raises(ValueError, match="heights"):
            engine.update(points, heights=shape)
    for refused in (np.zeros((2, 2)), [(0, 1)] * 2, (np.zeros(2, np.float32), np.zeros(4, np.float32)[::2])):
        with pytest.raises(ValueError, match="copy=False"):
            engine.update(points, heights=refused, copy=False)
    engine.update(points, heights=np.zeros((2, 2), np.float32), copy=False)
    for edges in ((2, 1), (np.nan, 1)):
        with pytest.raises(throng.Error) as caught:
            engine.frame.count((0, 0, 1, 1), filter=throng.Filter(heights=edges))
        assert caught.value.argument == throng.Argument.HEIGHTS
    with pytest.raises(ValueError):
        throng.Filter(heights=[(0, 1)] * 3, ignore=[1, 2])
    with pytest.raises(throng.Error):
        engine.frame.height(2)
