"""A k-d tree of doubles, made by the library: exact for any data, on the calling thread."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._native import errors, handles, structs
from .._native.library import initialised, library
from .._native.memory import POINT_LISTS, POINT_PAIRS, Filling, Kind, empty, new
from .._native.processes import runs_alone
from ._norms import Doubles, Norm, Points

Longs = npt.NDArray[np.int64]
ENTRY = np.dtype([("i", np.int64), ("j", np.int64), ("v", np.float64)])


class Wanted(NamedTuple):
    """How many of the nearest points, and their largest distance."""

    k: int
    bound: float
    norm: Norm


class Nearest(NamedTuple):
    """A row for each query; if there are fewer points, infinity and the number of all points."""

    distances: Doubles
    ids: Longs

    def at(self, rows: slice) -> Nearest:
        return Nearest(self.distances[rows], self.ids[rows])


def no_nearest(queries: int, k: int) -> Nearest:
    """Room for them."""
    return Nearest(empty((queries, k), np.float64), empty((queries, k), np.int64))


class PointLists:
    """The answers of queries: list q of the ids goes from offsets[q] to offsets[q + 1]."""

    __slots__ = ("_filling",)

    def __init__(self) -> None:
        self._filling = filled(POINT_LISTS)

    @property
    def handle(self) -> handles.Handle:
        return self._filling.handle

    @property
    def offsets(self) -> Longs:
        return self._filling.array(POINT_LISTS.getter("offsets"), "<i8")

    @property
    def ids(self) -> Longs:
        return self._filling.array(POINT_LISTS.getter("ids"), "<i8")

    def entries(
        self, points: Points, queries: Points, numbers: Longs, norm: Norm, around: tuple[float, float]
    ) -> npt.NDArray[Any]:
        """The number of the query, the id and the distance of each point in the lists."""
        entries = empty(len(self.ids), ENTRY)
        options = options_of(norm)
        options.around_x, options.around_y = around
        errors.call(
            library.throng_point_lists_entries,
            self.handle,
            options,
            *array_of(points),
            queries.ctypes.data,
            *array_of(numbers),
            *array_of(entries),
        )
        return entries


class PointTree:
    """Points, which never change. Any thread may ask it."""

    __slots__ = ("handle", "address")

    def __init__(self, points: Points, around: tuple[float, float]) -> None:
        self.handle = handles.create(library.throng_point_tree_create, library.throng_point_tree_destroy)
        self.address = ctypes.c_void_p(self.handle._as_parameter_)
        options = options_of()
        options.around_x, options.around_y = around
        errors.call(library.throng_point_tree_assign, self.handle, options, *array_of(points))

    def nearest(self, points: Points, wanted: Wanted, found: Nearest) -> None:
        options = options_of(wanted.norm, wanted.bound)
        options.count = wanted.k
        errors.call(
            library.throng_point_tree_nearest,
            self.handle,
            options,
            *array_of(points),
            found.distances.ctypes.data,
            *array_of(found.ids),
        )

    def counts(self, points: Points, radius: Any, norm: Norm) -> Longs:
        counts = np.empty(len(points), np.int64)
        options = options_of(norm, radius)
        errors.call(
            library.throng_point_tree_count, self.handle, options, *array_of(points), *array_of(counts)
        )
        return counts

    def lists(self, points: Points, radius: Any, norm: Norm, is_sorted: bool) -> PointLists:
        options = options_of(norm, radius)
        options.sorted = is_sorted
        found = PointLists()
        errors.call(library.throng_point_tree_find, self.handle, options, *array_of(points), found.handle)
        return found

    def pairs(self, radius: float, norm: Norm, workers: int) -> Longs:
        """Two columns, the lower id first."""
        options = options_of(norm, radius, workers)
        found = filled(POINT_PAIRS)
        errors.call(library.throng_point_tree_find_pairs, self.handle, options, found.handle)
        return found.array(POINT_PAIRS.getter("get"), "<i8", 2)

    def count_pairs(self, other: PointTree, radii: Doubles, norm: Norm, workers: int) -> Longs:
        """How many pairs of a point of each tree are within each radius."""
        counts = np.empty(len(radii), np.int64)
        errors.call(
            library.throng_point_tree_count_pairs,
            self.handle,
            other.handle,
            options_of(norm, workers=workers),
            *array_of(radii),
            *array_of(counts),
        )
        return counts

    def sum_pairs(
        self, other: PointTree, radii: Doubles, norm: Norm, weights: tuple[Doubles, Doubles], workers: int
    ) -> Doubles:
        """The weight of the pairs within a radius, but not within the next smaller one."""
        sums = np.empty(len(radii))
        errors.call(
            library.throng_point_tree_sum_pairs,
            self.handle,
            other.handle,
            options_of(norm, workers=workers),
            *array_of(radii),
            *array_of(weights[0]),
            *array_of(weights[1]),
            *array_of(sums),
        )
        return sums


def options_of(norm: Any = None, radius: Any = np.inf, workers: int = 1) -> structs.PointOptions:
    options = initialised(structs.PointOptions)
    options.serial = runs_alone(workers == 1)
    if norm is not None:
        options.metric = norm.metric
        radius = norm.radius(radius)
    if np.ndim(radius) == 0:
        options.radius = radius
    else:
        options.keep = np.ascontiguousarray(radius, np.float64)
        options.radii, options.radius_count = array_of(options.keep)
    return options


def array_of(array: npt.NDArray[Any]) -> tuple[int, int]:
    """The start of an array, and how many numbers or points it has."""
    return array.ctypes.data, array.size


def filled(kind: Kind) -> Filling:
    return Filling(kind, new(kind))
