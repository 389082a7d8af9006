"""A tree whose plane wraps around, as with SciPy's `boxsize`.

A query that does not reach over an edge of the box is the same as in an endless plane, to the last bit: the
engine may answer it. The others go to the library's tree, which measures the shorter way around, by the
operations of SciPy.
"""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from . import _index, _nearest, _within
from ._index import Index, in_blocks_of_tree
from ._norms import Norm, Points
from ._points import Longs, Nearest, PointLists, Wanted, no_nearest
from ._within import Asked

_Part = TypeVar("_Part")
# More than rounding can change in the reach of a circle.
_hair = 1e-12


class Box(NamedTuple):
    """The distance around, in x and in y; zero: it does not wrap around."""

    x: float
    y: float

    def fold(self, points: Points) -> Points:
        """The places in the box, by the operations of SciPy."""
        parts = points.view(np.float64).reshape(-1, 2)
        for axis, size in enumerate(self):
            places = parts[:, axis]
            if size <= 0 or not len(places) or (places.min() >= 0 and places.max() < size):
                continue
            parts = parts.copy()
            places = places - np.floor(places / size) * size
            places = np.where(places >= size, places - size, places)
            parts[:, axis] = np.where(places < 0, places + size, places)
        folded: Points = parts.view(np.complex128)[:, 0]
        return folded

    def crosses(self, points: Points, radii: Any) -> npt.NDArray[np.bool_]:
        """The points whose circles may reach over an edge."""
        result = np.zeros(len(points), bool)
        for places, size in zip((points.real, points.imag), self):
            if size > 0:
                further = radii * (1 + _hair) + size * _hair
                result |= (places < further) | (places + further >= size)
        return result


def near(
    index: Index,
    box: Box,
    asked: Asked,
    workers: int,
    use: Callable[[Any, PointLists], _Part],
    is_sorted: bool = False,
) -> list[_Part]:
    """As `_within.near`, for points in the box."""
    if len(asked.points) < _index.FEW:
        return _within.near(index, asked, workers, use, is_sorted)  # by the tree
    crosses = box.crosses(asked.points, asked.norm.radius(asked.radius))
    inside, across = np.flatnonzero(~crosses), np.flatnonzero(crosses)
    parts: list[_Part] = []
    if len(inside):
        parts = _within.near(
            index, asked.at(inside), workers, lambda rows, lists: use(inside[rows], lists), is_sorted
        )

    def by_tree(rows: Any) -> _Part:
        its = across[rows]
        return use(its, index.tree.lists(*asked.at(its), is_sorted))

    return parts + in_blocks_of_tree(np.ones(len(across), bool), workers, by_tree)


def counts(index: Index, box: Box, asked: Asked, workers: int) -> Longs:
    if len(asked.points) < _index.FEW:
        return index.tree.counts(*asked)
    result = np.empty(len(asked.points), np.int64)
    crosses = box.crosses(asked.points, asked.norm.radius(asked.radius))
    inside, across = np.flatnonzero(~crosses), np.flatnonzero(crosses)
    result[inside] = _within.counts(index, asked.at(inside), workers)
    result[across] = index.tree.counts(*asked.at(across))
    return result


def nearest(index: Index, box: Box, points: Points, wanted: Wanted, workers: int) -> Nearest:
    """As `_nearest.nearest`, for points in the box."""
    found = _nearest.nearest(index, points, wanted, workers)
    if len(points) < _index.FEW:
        return found  # by the tree
    reach = np.minimum(found.distances[:, -1], wanted.bound)
    across = np.flatnonzero(box.crosses(points, reach))

    def by_tree(rows: Any) -> None:
        its = across[rows]
        part = no_nearest(len(its), wanted.k)
        index.tree.nearest(points[its], wanted, part)
        found.distances[its], found.ids[its] = part

    in_blocks_of_tree(np.ones(len(across), bool), workers, by_tree)
    return found


def pairs(index: Index, box: Box, radius: float, norm: Norm, workers: int) -> Longs:
    """As `_within.pairs`: first the pairs in the plane, then those across its edges."""
    reach, across = index.places.reach(radius, norm), np.flatnonzero(box.crosses(index.points, norm.radius(radius)))
    if reach == 0 or len(index.points) < max(_index.FEW, 8 * len(across)):
        return index.tree.pairs(radius, norm, workers)
    inside = _within.pairs(index, radius, norm, workers)
    lists = index.tree.lists(index.points[across], radius, norm, False)
    firsts, seconds = np.repeat(across, np.diff(lists.offsets)), lists.ids
    limit = norm.limit(radius)
    is_new = firsts < seconds
    firsts, seconds = firsts[is_new], seconds[is_new]
    is_new = norm.measures(index.points[firsts] - index.points[seconds]) > limit
    return np.concatenate([inside, np.stack([firsts[is_new], seconds[is_new]], axis=1)])
