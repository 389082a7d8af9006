"""A k-d tree of doubles, made by the library: exact for any data, on the calling thread."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from .._native import errors, handles, structs
from .._native.library import initialised, library
from .._native.memory import Filling, Kind
from ._norms import Doubles, Norm, Points

Longs = npt.NDArray[np.int64]

_lists, _pairs = (
    Kind(
        name,
        getattr(library, f"throng_{name}_create"),
        getattr(library, f"throng_{name}_destroy"),
        {},
    )
    for name in ("point_lists", "point_pairs")
)


class PointTree:
    """Points, which never change. Any thread may ask it."""

    __slots__ = ("handle", "address")

    def __init__(self, points: Points) -> None:
        self.handle = handles.create(library.throng_point_tree_create, library.throng_point_tree_destroy)
        self.address = self.handle._as_parameter_
        errors.call(library.throng_point_tree_assign, self.handle, _options(), *_array(points))

    def nearest(self, points: Points, k: int, bound: float, norm: Norm) -> tuple[Doubles, Longs]:
        distances, ids = np.empty((len(points), k)), np.empty((len(points), k), np.int64)
        options = _options(norm, bound)
        options.count = k
        errors.call(
            library.throng_point_tree_nearest,
            self.handle,
            options,
            *_array(points),
            distances.ctypes.data,
            *_array(ids),
        )
        return distances, ids

    def counts(self, points: Points, radius: Any, norm: Norm) -> Longs:
        counts = np.empty(len(points), np.int64)
        options = _options(norm, radius)
        errors.call(
            library.throng_point_tree_count, self.handle, options, *_array(points), *_array(counts)
        )
        return counts

    def lists(self, points: Points, radius: Any, norm: Norm, is_sorted: bool) -> tuple[Longs, Longs]:
        """How long each list is, and all ids."""
        options = _options(norm, radius)
        options.sorted = is_sorted
        found = _filled(_lists)
        errors.call(library.throng_point_tree_find, self.handle, options, *_array(points), found.handle)
        offsets, ids = (found.array(_lists.getter(name), "<i8") for name in ("offsets", "ids"))
        return np.diff(offsets), ids

    def pairs(self, radius: float, norm: Norm, workers: int) -> Longs:
        """Two columns, the lower id first."""
        options = _options(norm, radius, workers)
        found = _filled(_pairs)
        errors.call(library.throng_point_tree_find_pairs, self.handle, options, found.handle)
        return found.array(_pairs.getter("get"), "<i8", 2)

    def count_pairs(self, other: PointTree, radii: Doubles, norm: Norm, workers: int) -> Longs:
        """How many pairs of a point of each tree are within each radius."""
        counts = np.empty(len(radii), np.int64)
        errors.call(
            library.throng_point_tree_count_pairs,
            self.handle,
            other.handle,
            _options(norm, workers=workers),
            *_array(radii),
            *_array(counts),
        )
        return counts

    def sum_pairs(
        self, other: PointTree, radii: Doubles, norm: Norm, weights: tuple[Doubles, Doubles], workers: int
    ) -> Doubles:
        """What those weigh together that are within a radius, and not within the next smaller one."""
        sums = np.empty(len(radii))
        errors.call(
            library.throng_point_tree_sum_pairs,
            self.handle,
            other.handle,
            _options(norm, workers=workers),
            *_array(radii),
            *_array(weights[0]),
            *_array(weights[1]),
            *_array(sums),
        )
        return sums


def _options(norm: Any = None, radius: Any = np.inf, workers: int = 1) -> structs.PointOptions:
    options = initialised(structs.PointOptions)
    options.serial = workers == 1
    if norm is not None:
        options.metric = norm.metric
        radius = norm.radius(radius)
    if np.ndim(radius) == 0:
        options.radius = radius
    else:
        options.keep = np.ascontiguousarray(radius, np.float64)
        options.radii, options.radius_count = _array(options.keep)
    return options


def _array(array: npt.NDArray[Any]) -> tuple[int, int]:
    """Where an array begins, and how many numbers or points it has."""
    return array.ctypes.data, array.size


def _filled(kind: Kind) -> Filling:
    return Filling(kind, handles.create(kind.create, kind.destroy))
