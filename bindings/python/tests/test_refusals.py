"""What the library refuses is an exception that names the element, and has changed nothing."""

from __future__ import annotations

import pickle
from typing import Any, Callable

import numpy as np
import pytest

import throng
from throng import Argument, Code
from throng._native import errors, structs

POINTS = np.array([(0, 0), (1, 0), (9, 9)], np.float32)
NAN = float("nan")


@pytest.mark.parametrize(
    "call, code, argument, index",
    [
        (lambda engine: engine.update([(0, 0), (NAN, 0)]), Code.NOT_FINITE, Argument.BOXES, 1),
        (lambda engine: engine.update([(0, 0), (0, 1e300)]), Code.NOT_FINITE, Argument.BOXES, 1),
        (lambda engine: engine.update(POINTS, [1, 1, -1]), Code.INVERTED, Argument.BOXES, 2),
        (lambda engine: engine.update(POINTS, ids=[1, 2, 1]), Code.DUPLICATE_ID, Argument.IDS, 2),
        (lambda engine: engine.update(POINTS, ids=[1, 2]), Code.SIZE_MISMATCH, None, None),
        (lambda engine: engine.remove([0, 3]), Code.UNKNOWN_ID, Argument.IDS, 1),
        (lambda engine: engine.move([7], [(0, 0)]), Code.UNKNOWN_ID, Argument.IDS, 0),
        (lambda engine: engine.frame.overlaps([(0, 0, 1, 1), (0, 0, -1, 1)]), Code.INVERTED, Argument.ANY, 1),
        (lambda engine: engine.frame.neighbours(radius=-1), Code.INVERTED, Argument.OPTIONS, None),
        (lambda engine: engine.frame.neighbours(radius=[1, NAN, 1]), Code.NOT_FINITE, Argument.RADII, 1),
        (lambda engine: engine.frame.nearest(radius=[]), Code.SIZE_MISMATCH, Argument.RADII, None),
        (lambda engine: engine.frame.nearest(k=0), Code.BAD_CONFIG, Argument.COUNT, None),
        (lambda engine: engine.frame.nearest(k=65), Code.BAD_CONFIG, Argument.COUNT, None),
        (lambda engine: engine.frame.box(3), Code.UNKNOWN_ID, None, None),
        (lambda engine: engine.frame.box(-1), Code.UNKNOWN_ID, None, None),
        (lambda engine: engine.frame.first_hits((0, NAN), (1, 1)), Code.NOT_FINITE, Argument.ANY, 0),
        (lambda engine: throng.Engine(isa="abacus"), Code.UNKNOWN_ISA, None, None),
        (lambda engine: throng.Engine(cell_width=-1), Code.BAD_CONFIG, None, None),
    ],
)
def test_a_refusal_names_code_argument_and_element(
    call: Callable[[throng.Engine], Any], code: Code, argument: Any, index: Any
) -> None:
    engine = throng.Engine(threads=1)
    engine.update(POINTS)
    before = engine.frame
    with pytest.raises(throng.Error) as caught:
        call(engine)
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.code, error.index) == (code, index)
    assert argument is None or error.argument is argument
    assert str(error) and (index is None or str(index) in str(error))
    assert (engine.frame.number, engine.frame.fingerprint) == (before.number, before.fingerprint)
    assert engine.validate() is None


def test_an_update_while_edits_are_staged_is_refused() -> None:
    engine = throng.Engine(threads=1)
    engine.insert(POINTS)
    assert engine.staged == 3
    with pytest.raises(throng.Error) as caught:
        engine.update(POINTS)
    assert caught.value.code is Code.EDITS_PENDING
    engine.discard()
    engine.update(POINTS)
    assert engine.staged == 0


def test_a_lack_of_memory_is_a_memory_error() -> None:
    details = structs.StatusDetails(errors._details_size, Code.OUT_OF_MEMORY, 0, 0, structs.NO_INDEX)
    error = errors.of_details(details)
    assert (
        isinstance(error, MemoryError)
        and isinstance(error, throng.Error)
        and not isinstance(error, ValueError)
    )


def test_an_error_can_be_pickled() -> None:
    error = throng.BadValue("text", 1, 2, 3)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.argument, again.index) == ("text", 1, 2, 3)


def test_a_code_without_a_name_is_a_number() -> None:
    assert throng.BadValue("text", 99).code == 99


@pytest.mark.parametrize("threads", [0, -1, "all", 1.5])
def test_what_is_no_number_of_threads_is_refused(threads: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="threads"):
        throng.Engine(threads=threads)


def test_numbers_that_cannot_be_reserved_are_refused() -> None:
    engine = throng.Engine()
    with pytest.raises(ValueError, match="-1 agents"):
        engine.reserve(-1)
    with pytest.raises(TypeError):
        engine.reserve(1.5)  # type: ignore[arg-type]
    for agents, edits in ((2**33, 0), (0, 2**70)):
        with pytest.raises(throng.Error) as refused:
            engine.reserve(agents, edits)
        assert refused.value.code is Code.TOO_MANY


def test_what_was_closed_is_refused() -> None:
    with throng.Engine(threads=1) as engine:
        engine.update(POINTS, 0.5)
        frame = engine.frame
        near = frame.neighbours(radius=2)
    assert repr(engine) == "<throng.Engine: closed>"
    calls: list[Callable[[], Any]] = [lambda: engine.update(POINTS), lambda: engine.frame, engine.memory]
    for call in calls:
        with pytest.raises(throng.Error) as caught:
            call()
        assert caught.value.code is Code.NULL_POINTER
    # What came from it lives on.
    assert len(frame.pairs()) == 1 and near[0].tolist() == [1]
    with frame:
        pass
    assert repr(frame) == "<throng.Frame: closed>"
    with pytest.raises(throng.Error):
        frame.pairs()
    engine.close()
    frame.close()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda frame: frame.overlaps((0, 0, 1)),
        lambda frame: frame.overlaps(),
        lambda frame: frame.neighbours(),
        lambda frame: frame.neighbours(radius="far"),
        lambda frame: frame.neighbours(np.zeros((3, 3)), radius=1),
        lambda frame: frame.neighbours(radius=1, agents_as="squares"),
        lambda frame: frame.nearest(k=1.5),
        lambda frame: frame.first_hits([(0, 0)]),
        lambda frame: frame.first_hits([(0, 0)], [(1, 1, 1)]),
        lambda frame: frame.count((0, 0, 1, 1), filter=3),
        lambda frame: frame.pairs(a=-1),
        lambda frame: frame.pairs(within=None),
        lambda frame: throng.Filter(categories=2**32),
        lambda frame: throng.Frame(),
        lambda frame: frame.neighbours(radius=np.zeros((2, 2))),
        lambda frame: frame.with_static.neighbours(radius=1, out=(throng.Lists(),) * 2),
        lambda frame: list(throng.blocks(frame.overlaps, [(0, 0, 1, 1)], as_found=True, max_bytes=99)),
        lambda frame: throng.Engine().insert_boxes([(0, 0, 1, 1)], categories=2**32),
        lambda frame: throng.Engine().insert_boxes([(0, 0, 1, 1)], groups=-2),
    ],
)
def test_misuse_is_refused_before_the_call(wrong: Callable[[throng.Frame], Any]) -> None:
    engine = throng.Engine(threads=1)
    engine.update(POINTS)
    with pytest.raises((TypeError, ValueError)) as caught:
        wrong(engine.frame)
    assert not isinstance(caught.value, throng.Error)


def test_what_is_closed_says_so() -> None:
    engine = throng.Engine()
    engine.update([(0, 0)])
    frame = engine.frame
    frame.close()
    engine.close()
    asks: list[Callable[[], object]] = [
        frame.pairs, lambda: len(frame), lambda: len(engine), lambda: engine.update([(0, 0)])
    ]
    for ask in asks:
        with pytest.raises(ValueError, match="closed"):
            ask()


def test_masked_arrays_are_refused_since_all_of_their_elements_would_count() -> None:
    masked = np.ma.masked_greater(np.array([(0.0, 0.0), (1.0, 1.0)]), 0.5)  # type: ignore[no-untyped-call]
    engine, pair = throng.Engine(), np.ma.masked_equal([0, 1], 1)  # type: ignore[no-untyped-call]
    engine.update([(0, 0), (1, 1)])
    calls: list[Callable[[], object]] = [
        lambda: engine.update(masked),
        lambda: engine.update([(0, 0), (1, 1)], ids=pair),
        lambda: engine.update([(0, 0), (1, 1)], categories=pair),
        lambda: engine.update([(0, 0), (1, 1)], groups=pair),
        lambda: engine.move(0, masked[1]),
        lambda: engine.move(pair, [(5, 5), (6, 6)]),
        lambda: throng.Filter(ignore=pair),
        lambda: throng.Pairs.of(masked.astype(int)),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="masked"):
            call()
    assert engine.staged == 0 and engine.frame.number == 1


def test_a_call_that_failed_leaves_arrays_as_they_were_and_its_result_empty() -> None:
    engine, lists = throng.Engine(), throng.Lists()
    engine.update([(0, 0), (1, 0)])
    ids = engine.frame.neighbours(radius=2, out=lists).ids
    for radius in -1, 2:
        with pytest.raises(throng.Error):
            engine.frame.neighbours([(np.nan, 0)], radius=radius, out=lists)
        assert (ids.tolist(), len(lists), lists.ids.tolist()) == ([1, 0], 0, [])
    assert engine.frame.neighbours(radius=2, out=lists).ids.tolist() == [1, 0]


def test_moves_name_their_points() -> None:
    engine = throng.Engine()
    engine.update([(0, 0), (1, 0)], radius=[1, 2])
    moves: tuple[Any, ...] = (engine.move, lambda ids, points: engine.try_moves(ids, points, 0.5))
    for move in moves:
        with pytest.raises(ValueError, match=r"points must have the shape \(n, 2\)"):
            move([0], [(1, 2, 3)])
        with pytest.raises(ValueError, match=r"points must have the shape \(n, 2\)"):
            move([0], (1, 2))
        with pytest.raises(throng.Error, match="element 1 of points is too large for a float32") as caught:
            move([0, 1], [(1, 2), (3, 1e39)])
        assert caught.value.index == 1
        with pytest.raises(ValueError, match="differ in length"):
            move([0], [(1, 2), (3, 4)])
    assert engine.staged == 0


def test_ids_that_are_no_ids_say_why() -> None:
    engine = throng.Engine()
    with pytest.raises(ValueError, match="element 1 of ids is negative"):
        engine.update([(0, 0), (1, 1)], ids=[0, -1])
    ids: Any
    for ids in [2**31, 1], np.array([2**31, 1], np.uint32), np.array([2**32 - 1, 1], ">u4"), np.array([2**63, 1], np.uint64):
        with pytest.raises(ValueError, match="element 0 of ids is .*not below 2147483648"):
            engine.update([(0, 0), (1, 1)], ids=ids)


def test_a_polygon_is_told_what_is_wrong_with_it() -> None:
    engine = throng.Engine()
    engine.update([(0, 0)])
    angles = np.arange(40) * (2 * np.pi / 40)
    many, star = np.column_stack([np.cos(angles), np.sin(angles)]), [(0, 0), (4, 0), (1, 1), (0, 4)]
    with pytest.raises(throng.Error, match="polygon 1 has 40 corners: it must have 1 to 32") as refused:
        engine.frame.count(polygons=[many[::2], many])
    assert (refused.value.code, refused.value.index) == (throng.Code.BAD_SHAPE, 1)
    with pytest.raises(throng.Error, match="polygon 0 has 0 corners"):
        engine.frame.count(polygons=[np.empty((0, 2))])
    with pytest.raises(throng.Error, match="not convex") as refused:
        engine.frame.count(polygons=[many[::2], star])
    assert refused.value.index == 1 and "32" not in str(refused.value)

    class Geometry:
        exterior = ()

    with pytest.raises(TypeError, match="exterior.coords"):
        engine.frame.count(polygons=Geometry())


def test_of_negative_groups_only_minus_one_is_none() -> None:
    engine = throng.Engine()
    none = np.uint32(2**32 - 1)
    right: tuple[Any, ...] = (-1, [-1, -1], np.array([none, none]))
    wrong: tuple[Any, ...] = (-5, [-1, -5], np.array([0, -2], np.int8), np.array([3, -(2**40)]))
    groups: Any
    for groups in right:
        engine.update([(0, 0), (1, 0)], groups=groups)
        assert engine.frame.label(0) == (1, -1)
    for groups in wrong:
        with pytest.raises(ValueError, match="of groups is negative"):
            engine.update([(0, 0), (1, 0)], groups=groups)
        with pytest.raises(ValueError, match="not_in_group"):
            throng.Filter(not_in_group=groups)
    throng.Filter(ignore=[-1, 0], not_in_group=[-1, 2], categories=[-1, -2])


def test_sums_that_no_integer_holds_are_refused() -> None:
    engine = throng.Engine()
    engine.update([(0, 0), (1, 0), (5, 0)])
    near = engine.frame.neighbours(radius=2)
    assert near.sum(np.array([2**62, 2**50, 1], np.uint64)).tolist() == [2**50, 2**62, 0]
    for values in np.array([2**63, 2**63, 0], np.uint64), (np.array([2**63, 0, 0], np.uint64),):
        with pytest.raises(ValueError, match="row [01] is too large for an int64"):
            near.sum(values)


class ByDLPackAlone:
    """As arrays of other libraries, which NumPy knows by that protocol alone."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.ndim = array.ndim

    def __dlpack__(self, *, stream: Any = None, **_: Any) -> Any:
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


def test_arrays_by_dlpack_alone_are_taken(random: np.random.Generator) -> None:
    engine, other = throng.Engine(), throng.Engine()
    x, ids = random.random((20, 2)), np.arange(5, 25)
    engine.update(ByDLPackAlone(x), ByDLPackAlone(x[:, 0].copy()), ids=ByDLPackAlone(ids))
    other.update(x, x[:, 0], ids=ids)
    assert engine.frame.fingerprint == other.frame.fingerprint
    lists = engine.frame.neighbours(ByDLPackAlone(x[:3]), radius=0.5)
    values = random.random(25)
    assert np.array_equal(lists.sum(ByDLPackAlone(values)), lists.sum(values))
