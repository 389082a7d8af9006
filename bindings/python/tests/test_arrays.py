"""What may be given as points, boxes, ids and labels, and what is refused."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import pytest
from conftest import as_set, brute_pairs, crowd

import throng
from throng import _arguments
from throng._arguments import Shapes

POINTS = [(0, 0), (1, 0), (9, 9)]


def frame_of(points: Any, radius: Any = 0.5, **more: Any) -> throng.Frame:
    engine = throng.Engine(threads=1)
    engine.update(points, radius, **more)
    return engine.frame


EXPECTED = frame_of(np.array(POINTS, np.float32)).fingerprint


@pytest.mark.parametrize(
    "given",
    [
        POINTS,
        tuple(POINTS),
        np.array(POINTS),
        np.array(POINTS, np.int64),
        np.array(POINTS, np.uint8),
        np.array(POINTS, np.float16),
        np.array(POINTS, ">f4"),
        np.array(POINTS, np.longdouble),
        np.array(POINTS, np.float32, order="F"),
        np.array(POINTS[::-1], np.float32)[::-1],
        np.repeat(np.array(POINTS, np.float32), 2, axis=0)[::2],
        np.array(POINTS, np.float32)[:, ::-1][:, ::-1],
        (np.array([0, 1, 9], np.float32), np.array([0, 0, 9], np.float32)),
        ([0, 1, 9], [0, 0, 9]),
        (np.array([0, 1, 9.0]), np.array([0, -7, 0, -7, 9], np.float32)[::2]),
        np.frombuffer(b"\0" + np.array(POINTS, np.float32).tobytes(), np.float32, offset=1).reshape(3, 2),
        np.array([(x, y, 0) for x, y in POINTS], "f4,f4,i8").view(np.void),
    ],
    ids=lambda given: type(given).__name__ + str(getattr(given, "dtype", "")),
)
def test_points_may_be_given_as_anything_that_numpy_reads(given: Any) -> None:
    if isinstance(given, np.ndarray) and given.dtype.kind == "V":
        records = np.array([(x, y, 0) for x, y in POINTS], [("x", "f4"), ("y", "f4"), ("other", "i8")])
        given = (records["x"], records["y"])
    assert frame_of(given).fingerprint == EXPECTED


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("radius", [0.5, np.full(3, 0.5), np.full(3, 0.5, np.float32)])
@pytest.mark.parametrize(
    "make",
    [
        lambda dtype: np.array(POINTS, dtype),
        lambda dtype: np.array(POINTS, dtype, order="F"),
        lambda dtype: np.array([(x, y, 7) for x, y in POINTS], dtype)[:, :2],
        lambda dtype: (np.array([0, 1, 9], dtype), np.array([0, 0, 9], np.float32)),
        lambda dtype: (np.array([0, 1, 9], dtype), np.array([(0, 5), (0, 5), (9, 5)], dtype)[:, 0]),
    ],
)
def test_floats_and_doubles_are_read_where_they_lie(
    make: Callable[..., Any], dtype: Any, radius: Any
) -> None:
    given = make(dtype)
    assert frame_of(given, radius, copy=False).fingerprint == EXPECTED
    struct = _arguments.points_with_radius(given, radius, False)
    first = given[0] if isinstance(given, tuple) else given
    where = struct.x if dtype is np.float32 else struct.double_x
    assert where == first.__array_interface__["data"][0]


@pytest.mark.parametrize(
    "given",
    [
        POINTS,
        np.array(POINTS, np.longdouble),
        np.array(POINTS, np.int32),
        np.array(POINTS, ">f4"),
        np.array(POINTS, ">f8"),
        np.array(POINTS, np.float32)[::-1],
        np.array(POINTS, np.float64)[::-1],
        np.broadcast_to(np.float32(1), (3, 2)),
        (np.array([0, 1, 9], np.float32), [0, 0, 9.0]),
    ],
)
def test_copy_false_refuses_what_would_need_a_copy(given: Any) -> None:
    frame_of(given)
    with pytest.raises(ValueError, match="copy=False"):
        frame_of(given, copy=False)


def test_arrays_of_stride_zero_are_copied() -> None:
    # The library takes that stride for elements that lie close together.
    frame = frame_of((np.broadcast_to(np.float32(3), 4), np.arange(4, dtype=np.float32)), 0)
    assert [frame.box(i) for i in range(4)] == [(3, i, 3, i) for i in range(4)]


@pytest.mark.parametrize(
    "given, error",
    [
        (np.zeros((3, 3), np.float32), ValueError),
        (np.zeros(4, np.float32), ValueError),
        (np.zeros((2, 2, 2)), ValueError),
        (np.zeros(2, np.float32), ValueError),
        (3.0, ValueError),
        ("points", TypeError),
        (None, TypeError),
        (np.zeros((3, 2), complex), TypeError),
        (np.zeros((3, 2), bool), TypeError),
        ([("a", "b")], TypeError),
        ((np.zeros(3), np.zeros(4)), ValueError),
        ((np.zeros((3, 1)), np.zeros(3)), ValueError),
    ],
)
def test_what_is_no_array_of_points_is_refused_before_the_call(given: Any, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        frame_of(given)
    assert not isinstance(caught.value, throng.Error)


def test_no_points_are_no_agents() -> None:
    for nothing in ([], np.zeros((0, 2)), np.zeros((0, 2), np.float32), (np.zeros(0), np.zeros(0))):
        frame = frame_of(nothing)
        assert len(frame) == 0 and frame.pairs().shape == (0, 2) and len(frame.neighbours(radius=1)) == 0
        assert frame.nearest(k=3).ids.shape == (0, 3)


@pytest.mark.parametrize(
    "radius", [0.5, np.float64(0.5), np.array(0.5), [0.5] * 3, np.full(3, 0.5, np.float32)]
)
def test_a_radius_is_for_all_or_one_for_each(radius: Any) -> None:
    assert frame_of(POINTS, radius).fingerprint == EXPECTED


@pytest.mark.parametrize(
    "radius, error",
    [
        ([0.5, 0.5], ValueError),
        (np.zeros((3, 2)), ValueError),
        ("wide", TypeError),
        (None, TypeError),
        (1j, TypeError),
    ],
)
def test_a_radius_that_is_none_is_refused(radius: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        frame_of(POINTS, radius)


LOW, HIGH = np.array([(0, 0), (1, 2), (5, 5)]), np.array([(1, 1), (3, 4), (9, 6)])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16])
@pytest.mark.parametrize(
    "form",
    [
        lambda low, high: {"boxes": np.concatenate([low, high], axis=1)},
        lambda low, high: {"boxes": (*low.T, *high.T)},
        lambda low, high: {"min": low, "max": high},
        lambda low, high: {"min": tuple(low.T), "max": high},
        lambda low, high: {"centre": (low + high) / 2, "half": (high - low) / 2},
        lambda low, high: {
            "centre": ((low + high) / 2).astype(np.float32),
            "half": tuple(((high - low) / 2).T),
        },
    ],
)
def test_boxes_may_be_given_in_any_form(form: Callable[..., Any], dtype: Any) -> None:
    engine = throng.Engine(threads=1)
    engine.update_boxes(**form(LOW.astype(dtype), HIGH.astype(dtype)))
    assert [engine.frame.box(i) for i in range(3)] == [
        (*low, *high) for low, high in zip(LOW.tolist(), HIGH.tolist())
    ]


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"boxes": np.zeros((3, 4)), "min": np.zeros((3, 2))},
        {"min": np.zeros((3, 2))},
        {"half": np.zeros((3, 2))},
        {"centre": np.zeros((3, 2)), "max": np.zeros((3, 2))},
    ],
)
def test_boxes_in_no_form_are_refused(form: Any) -> None:
    with pytest.raises(TypeError):
        throng.Engine(threads=1).update_boxes(**form)


@pytest.mark.parametrize(
    "form",
    [
        {"boxes": np.zeros((3, 2))},
        {"boxes": np.zeros(4)},
        {"min": np.zeros((3, 2)), "max": np.zeros((4, 2))},
        {"centre": np.zeros((3, 2)), "half": np.zeros(4)},
        {"centre": np.zeros((3, 2)), "half": np.zeros((4, 2))},
        {"centre": np.zeros((3, 2), np.float32), "half": np.zeros((4, 2), np.float32)},
        {"centre": np.zeros(2), "half": 1},
    ],
)
def test_boxes_of_other_shapes_are_refused(form: Any) -> None:
    with pytest.raises(ValueError, match="shape|length"):
        throng.Engine(threads=1).update_boxes(**form)


def test_edges_in_doubles_are_rounded_once_to_the_nearest(random: np.random.Generator) -> None:
    low, half = random.random((4000, 2)) * 1e3 - 500, random.random((4000, 2)) + 0.1
    narrow = half.astype(np.float32)
    corners = np.concatenate([low, low + half], axis=1)
    around = np.concatenate([low - half, low + half], axis=1)
    forms: list[tuple[Any, Any]] = [
        ({"boxes": corners}, corners),
        ({"min": low, "max": (*(low + half).T,)}, corners),
        ({"centre": low, "half": half}, around),
        ({"centre": (*low.T,), "half": narrow}, np.concatenate([low - narrow, low + narrow], axis=1)),
        ({"centre": low, "half": 0.5}, np.concatenate([low - 0.5, low + 0.5], axis=1)),
    ]
    engine = throng.Engine(threads=1)
    for form, edges in forms:
        engine.update_boxes(**form)
        assert np.array_equal(engine.frame.boxes_of(range(4000)), edges.astype(np.float32))


def test_no_pair_of_boxes_in_doubles_is_lost(random: np.random.Generator) -> None:
    # Each touches the next in one double, which float32 does not have.
    edges = np.sort(random.random(500)) * 100
    boxes = np.stack([edges[:-1], np.zeros(499), edges[1:], np.ones(499)], axis=1)
    engine = throng.Engine(threads=1)
    engine.update_boxes(boxes)
    assert brute_pairs(boxes) <= as_set(engine.frame.pairs())


def test_large_integers_keep_their_order() -> None:
    edge = 2**62
    engine = throng.Engine(threads=1)
    with pytest.warns(throng.PrecisionWarning):
        engine.update_boxes(np.array([(0, 0, edge + 1, 1), (edge + 1, 0, edge + 2, 1)]))
    assert {(0, 1)} <= as_set(engine.frame.pairs())
    # Without bounds that are too large for float64 to tell apart.
    engine.update_boxes(np.array([(2**30, 0, 2**30 + 1, 1), (2**30 + 2, 0, 2**30 + 3, 1)]), ids=[4, 7])
    assert len(engine.frame.pairs()) == 0 and engine.frame.box(7)[0] == 2**30 + 2


@pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64, np.uint8, ">i4"])
def test_ids_may_be_integers_of_any_type(dtype: Any) -> None:
    frame = frame_of(POINTS, ids=np.array([4, 2, 7], dtype))
    assert as_set(frame.pairs()) == {(2, 4)} and frame.id_bound == 8


@pytest.mark.parametrize(
    "ids, index",
    [
        ([0, 1, -1], 2),
        (np.array([0, -5, 1], np.int32), 1),
        ([2**40, 0, 1], 0),
        (np.array([0, 1, 2**31], np.uint32), 2),
    ],
)
def test_ids_out_of_range_are_refused_by_their_index(ids: Any, index: int) -> None:
    with pytest.raises(ValueError, match=f"element {index} of ids"):
        frame_of(POINTS, ids=ids)


@pytest.mark.parametrize(
    "ids, error", [([0.0, 1.0, 2.0], TypeError), ([[0, 1, 2]], ValueError), ("abc", TypeError)]
)
def test_ids_that_are_no_integers_are_refused(ids: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        frame_of(POINTS, ids=ids)


def test_labels_are_for_all_or_one_for_each() -> None:
    frame = frame_of(POINTS, categories=[1, 2, 0xFFFFFFFF], groups=np.array([5, -1, 7]))
    assert [frame.label(i) for i in range(3)] == [(1, 5), (2, -1), (0xFFFFFFFF, 7)]
    assert frame_of(POINTS, categories=6).label(2) == (6, -1)
    strided = np.arange(6, dtype=np.int32)[::2]
    assert [frame_of(POINTS, groups=strided).label(i) for i in range(3)] == [(1, 0), (1, 2), (1, 4)]
    with pytest.raises(ValueError, match="as many categories"):
        frame_of(POINTS, categories=[1, 2])
    with pytest.raises(ValueError, match="copy=False"):
        frame_of(np.array(POINTS, np.float32), groups=strided, copy=False)


def test_out_has_to_fit(random: np.random.Generator) -> None:
    frame = frame_of(crowd(random, 50))
    boxes = np.zeros((4, 4), np.float32)
    counts = np.full(4, 9, np.int32)
    assert frame.count(boxes, out=counts) is counts and counts.max() < 9
    for wrong in (np.zeros(3, np.int32), np.zeros(8, np.int32)[::2], np.broadcast_to(np.int32(0), 4)):
        with pytest.raises(ValueError):
            frame.count(boxes, out=wrong)
    for other in (np.zeros(4), [0, 0, 0, 0]):
        with pytest.raises(TypeError):
            frame.count(boxes, out=other)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        frame.neighbours(radius=1, out=throng.Pairs())  # type: ignore[call-overload]
