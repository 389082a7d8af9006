"""The places of points for the engine, which has float32, and its answers in doubles: the library's
PointPlaces. Its header says why floats give exact answers.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from .._native import errors, structs
from .._native.codes import Code
from .._native.handles import Handle
from .._native.library import library
from .._native.memory import POINT_PAIRS
from .._results import Lists
from ._norms import Doubles, Norm, Points
from ._points import Longs, Nearest, PointLists, Wanted, array_of, filled, options_of

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]


class Places:
    """The places of some points, which never change."""

    __slots__ = ("_points", "_struct")

    def __init__(self, points: Points) -> None:
        self._points = points
        self._struct = structs.PointPlaces()
        try:
            errors.call(library.throng_point_places_of, *array_of(points), self._struct)
        except errors.Error as error:
            if error.code != Code.NOT_FINITE or error.index is None:
                raise
            point = points[error.index]
            text = f"element {error.index} of data is not finite: ({point.real}, {point.imag})"
            raise ValueError(text) from None

    def put(self, points: Points) -> tuple[Floats, Mask]:
        """The places of points, and which have none, since they are far outside."""
        floats, outside = np.empty((len(points), 2), np.float32), np.empty(len(points), bool)
        errors.call(
            library.throng_point_places_put,
            self._struct,
            *array_of(points),
            floats.ctypes.data,
            *array_of(outside),
        )
        return floats, outside

    def corner(self, high: Doubles) -> Floats:
        """Half the width and height of the data."""
        half: Doubles = (high - (self._struct.centre_x, self._struct.centre_y)) * self._struct.scale
        return half.astype(np.float32)

    def reach(self, radius: Any, norm: Norm) -> Any:
        """The radius with which the engine finds all within `radius`, one number or one for each; 0 if floats
        are too coarse for it."""
        reach = np.empty(np.size(radius), np.float32)
        errors.call(
            library.throng_point_places_reach, self._struct, options_of(norm, radius), *array_of(reach)
        )
        return float(reach[0]) if np.ndim(radius) == 0 else reach

    def nearest(self, points: Points, lists: Lists, wanted: Wanted, found: Nearest) -> Mask:
        """The nearest in lists of k + 1 candidates, and for which points another may be nearer."""
        is_open = np.empty(len(points), bool)
        options = options_of(wanted.norm, wanted.bound)
        options.count = wanted.k
        errors.call(
            library.throng_point_places_nearest,
            self._struct,
            options,
            *array_of(self._points),
            *array_of(points),
            _handle_of(lists),
            *array_of(is_open),
            found.distances.ctypes.data,
            *array_of(found.ids),
        )
        return is_open

    def lists(
        self, points: Points, lists: Lists, radius: Any, norm: Norm, is_sorted: bool
    ) -> PointLists:
        """Which candidates are within a radius."""
        options = options_of(norm, radius)
        options.sorted = is_sorted
        found = PointLists()
        errors.call(
            library.throng_point_places_find,
            self._struct,
            options,
            *array_of(self._points),
            *array_of(points),
            _handle_of(lists),
            found.handle,
        )
        return found

    def pairs(self, lists: Lists, radius: float, norm: Norm) -> Longs:
        """Which pairs of an agent and its candidates are within a radius."""
        found = filled(POINT_PAIRS)
        errors.call(
            library.throng_point_places_find_pairs,
            self._struct,
            options_of(norm, radius),
            *array_of(self._points),
            _handle_of(lists),
            found.handle,
        )
        return found.array(POINT_PAIRS.getter("get"), "<i8", 2)


def at(floats: Floats, rows: npt.NDArray[np.intp]) -> Floats:
    """Some places. Two floats are taken as one number, which NumPy does ten times as fast."""
    return floats.view(np.uint64)[:, 0].take(rows).view(np.float32).reshape(-1, 2)


def _handle_of(lists: Lists) -> Handle:
    """The library's object of filled lists."""
    filling = lists._filling
    assert filling is not None
    return filling.handle

