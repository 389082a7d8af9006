"""What rays and moving boxes and circles touch first; and lines of sight."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from .. import _singles
from .._arrays import address, Array, Copy, float32, Floats, Halves, numbers, Numbers, refused_copy, Rows
from .._ids import as_type, checked
from .._native import structs
from .._native.errors import call
from .._native.library import library
from .._native.memory import CAST_HITS, empty
from .._origin import NOWHERE, ZERO, Place, fold_along
from .._results import CastLists, FirstHits, cast_hit
from . import asked
from .filter import Filter, is_of_batch, with_cast_heights


def casts(start: Rows, end: Rows, *, half: Halves = 0, radius: Numbers = 0) -> Array:
    """Movements from start to end, as (m, 7): min_x, min_y, max_x, max_y of the start, dx, dy, and radius.
    They are float64 if start or end is, otherwise float32.

    What moves is a point, a box with the half extents `half`, a circle with a radius, or a box with rounded
    corners.

    >>> import throng
    >>> throng.casts([(0, 0)], [(4, 0)], radius=0.5)
    array([[0. , 0. , 0. , 0. , 4. , 0. , 0.5]], dtype=float32)
    """
    begin, to = numbers("start", start, None), numbers("end", end, None)
    dtype = np.float64 if np.float64 in (begin.dtype, to.dtype) else np.float32
    return _made(begin, to, half, radius, dtype)


def _made(begin: Array, to: Array, half: Any, radius: Any, dtype: Any, place: Place = NOWHERE) -> Array:
    sizes, rounding = numbers("half", half, None), numbers("radius", radius, None)
    if begin.shape[-1:] != (2,) or to.shape[-1:] != (2,):
        raise ValueError(f"start and end must have the shape (m, 2), and not {begin.shape} and {to.shape}")
    if sizes.ndim == 1 and sizes.shape != (2,):
        sizes = sizes[:, np.newaxis]
    shape = np.broadcast_shapes(
        begin.shape, to.shape, sizes.shape, rounding.shape + (1,) * (rounding.ndim > 0)
    )
    result = np.empty((*shape[:-1], 7), dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        starts = begin if place.origin == ZERO else begin - np.array(place.origin)
        for axis, size in enumerate(place.period or ()):
            starts = starts.astype(np.float64)
            starts[..., axis] = fold_along(starts[..., axis], starts[..., axis], size)
        result[..., 0:2] = starts - sizes
        result[..., 2:4] = starts + sizes
        result[..., 4:6] = to - begin
        result[..., 6] = rounding
    return result


class CastQueries(asked.Asked):
    """Casts are given as start and end, or as an array of `throng.casts`; a single start (2,) gets a single
    answer.

    A cast may have heights: from `z` to z + `height`. It rises, so that `z` becomes `to_z` at its end. Each
    is a number, or one for each cast. A line of sight from an eye to a target is `blocked(eye, target, z=1.7,
    to_z=0.9)`. The heights of the filter must admit an agent as well."""

    __slots__ = ()

    def first_hits(
        self,
        start: Rows,
        end: Optional[Rows] = None,
        *,
        half: Halves = 0,
        radius: Numbers = 0,
        z: Optional[Numbers] = None,
        to_z: Optional[Numbers] = None,
        height: Numbers = 0,
        filter: Optional[Filter] = None,
        dtype: Any = None,
        copy: Copy = None,
    ) -> FirstHits:
        """What each cast touches first: ids, and the fraction of the movement at that time.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(2, 0), (4, 0)], radius=0.5)
        >>> hits = engine.frame.first_hits([(0, 0), (0, 3)], [(6, 0), (6, 3)])
        >>> hits.ids, hits.fractions
        (array([ 0, -1]), array([0.25,  inf], dtype=float32))
        """
        cast = _one(start, end, half, radius, (z, to_z, height), filter, self._place)
        if cast is not None:
            hit = structs.CastHit()
            call(library.throng_frame_first_hit, self._handle, cast, self._filter(filter), hit)
            id = -1 if hit.id == structs.NO_AGENT else hit.id
            return FirstHits(id, hit.fraction, hit.is_static != 0)
        array = cast_rows(start, end, half, radius, copy, self._place)
        many = array.reshape(-1, 7)
        hits, its_type = empty(len(many), cast_hit), checked(dtype)
        heights = cast_heights(z, to_z, height, len(many))
        self._cast(library.throng_frame_first_hits_of, many, heights, filter, address(hits), len(hits))
        columns = (as_type(hits["id"], its_type), hits["fraction"], hits["is_static"] != 0)
        return FirstHits(*(column[0] for column in columns)) if array.ndim == 1 else FirstHits(*columns)

    def blocked(
        self,
        start: Rows,
        end: Optional[Rows] = None,
        *,
        half: Halves = 0,
        radius: Numbers = 0,
        z: Optional[Numbers] = None,
        to_z: Optional[Numbers] = None,
        height: Numbers = 0,
        filter: Optional[Filter] = None,
        out: Optional[npt.NDArray[np.bool_]] = None,
        copy: Copy = None,
    ) -> Any:
        """Whether anything is in the way of each cast: False is a free line of sight.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(2, 0), (4, 0)], radius=0.5)
        >>> engine.frame.blocked((0, 0), (6, 0)), engine.frame.blocked((0, 0), (6, 3))
        (True, False)
        """
        cast = _one(start, end, half, radius, (z, to_z, height), filter, self._place)
        if cast is not None and out is None:
            found = ctypes.c_int32()
            call(library.throng_frame_blocked, self._handle, cast, self._filter(filter), ctypes.byref(found))
            return found.value != 0
        array = cast_rows(start, end, half, radius, copy, self._place)
        many = array.reshape(-1, 7)
        answers: Array = asked.array(out, len(many), np.bool_)
        heights = cast_heights(z, to_z, height, len(many))
        self._cast(library.throng_frame_blocked_of, many, heights, filter, address(answers), len(answers))
        return bool(answers[0]) if array.ndim == 1 else answers

    def all_hits(
        self,
        start: Rows,
        end: Optional[Rows] = None,
        *,
        half: Halves = 0,
        radius: Numbers = 0,
        z: Optional[Numbers] = None,
        to_z: Optional[Numbers] = None,
        height: Numbers = 0,
        filter: Optional[Filter] = None,
        dtype: Any = None,
        out: Optional[CastLists] = None,
        copy: Copy = None,
    ) -> CastLists:
        """All that each cast touches, the earliest first.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(2, 0), (4, 0)], radius=0.5)
        >>> hits = engine.frame.all_hits([(8.5, 0)], [(0.5, 0)])
        >>> hits[0], hits.fractions
        (array([1, 0]), array([0.5 , 0.75], dtype=float32))
        """
        many = cast_rows(start, end, half, radius, copy, self._place).reshape(-1, 7)
        heights = cast_heights(z, to_z, height, len(many))
        lists = asked.result(CastLists, out, dtype)
        function = library.throng_frame_all_hits_of
        like = None if out is not None else (lambda: ("all_hits", len(many).bit_length()))
        lists._fill(CAST_HITS, lambda into: self._cast(function, many, heights, filter, into), like)
        return lists

    def _cast(
        self, function: Any, casts: Floats, heights: Optional[Array], filter: Optional[Filter], *output: Any
    ) -> None:
        given = self._filter(filter)
        if heights is not None:
            given = with_cast_heights(given, heights)
        call(function, self._handle, address(casts), len(casts), given, *output)


def _one(
    start: Any, end: Any, half: Any, radius: Any, heights: Any, filter: Optional[Filter], place: Place
) -> Optional[structs.Cast]:
    z, to_z, height = heights
    is_flat = z is None and to_z is None and type(height) is int and height == 0
    is_plain = end is not None and is_flat and type(half) is int and half == 0 and not is_of_batch(filter)
    return _singles.cast(start, end, radius, place) if is_plain else None


def cast_heights(z: Any, to_z: Any, height: Any, count: int) -> Optional[Array]:
    """Lowest and highest at the start, and the rise, of each cast."""
    if z is None:
        if to_z is not None or not np.array_equal(height, 0):
            raise ValueError("to_z and height need z, where casts start")
        return None
    given = {"z": z, "to_z": z if to_z is None else to_z, "height": height}
    low, end, tall = (numbers(name, value, None).astype(np.float32) for name, value in given.items())
    for name, array in zip(given, (low, end, tall)):
        if array.shape not in ((), (count,)):
            raise ValueError(f"{name} must be a number, or have the shape ({count},), and not {array.shape}")
    result: Array = np.empty((count, 3), np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        result[:, 0], result[:, 1], result[:, 2] = low, low + tall, end - low
    return result


def cast_rows(start: Any, end: Any, half: Any, radius: Any, copy: Copy, place: Place) -> Floats:
    """Casts as rows of seven numbers; (7,) for a single one."""
    if end is not None:
        if copy is False:
            raise refused_copy("start", "throng.casts makes arrays that need none")
        begin, to = numbers("start", start, None), numbers("end", end, None)
        place.see_query(begin)
        array = _made(begin, to, half, radius, np.float32, place)
    else:
        array = numbers("casts", start, copy)
        place.see_query(array)
        if place.origin != ZERO and array.shape[-1:] == (7,):
            if copy is False:
                raise refused_copy("casts", "they are not counted from the frame's origin")
            array = array - np.array([*place.origin * 2, 0, 0, 0])
        if place.period is not None and array.dtype == np.float64 and array.shape[-1:] == (7,):
            array = array.copy()
            for axis, size in enumerate(place.period):
                middles = (array[..., axis] + array[..., axis + 2]) / 2
                for edge in axis, axis + 2:
                    array[..., edge] = fold_along(middles, array[..., edge], size)
        array = float32("casts", array, copy)
        if array.ndim not in (1, 2) or array.shape[-1] != 7:
            raise ValueError(f"casts must have the shape (m, 7), and not {array.shape}: is the end missing?")
        if not array.flags.c_contiguous:
            if copy is False:
                raise refused_copy("casts", "its elements do not lie close together")
            array = np.ascontiguousarray(array)
    if array.ndim not in (1, 2):
        raise ValueError(f"start and end must have the shape (m, 2), and their casts not {array.shape}")
    return array
