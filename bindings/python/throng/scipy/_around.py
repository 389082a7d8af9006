"""A tree whose plane wraps around, as with SciPy's `boxsize`.

A query that does not reach over an edge of the box is one of a plane without end, to the last bit. Of another,
images are asked too: the query moved by the box to each side, with a hair more than its radius. What they
find is measured by the shorter way around, by the operations that SciPy does.
"""

from __future__ import annotations

import threading
from typing import Any, Callable, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from . import _nearest, _within
from ._index import Index, one_or_each
from ._norms import Doubles, Norm, Points
from ._points import ENTRY, Longs, Nearest, PointLists, Wanted
from ._within import Asked

_Part = TypeVar("_Part")
# Queries whose images are asked together, and how much further these look than rounding could matter.
_at_once, _hair = 1 << 12, 1e-12


class Box(NamedTuple):
    """How far it is around, in x and in y; zero where it does not wrap around."""

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

    def shorter(self, differences: Points) -> Points:
        """The same differences by the shorter way around."""
        parts = differences.view(np.float64).reshape(-1, 2)
        for axis, size in enumerate(self):
            if size > 0:
                way = parts[:, axis]
                parts[:, axis] = np.where(
                    way < -size / 2, size + way, np.where(way > size / 2, way - size, way)
                )
        return differences

    def crosses(self, points: Points, radii: Any) -> npt.NDArray[np.bool_]:
        """Of which points the circles may reach over an edge."""
        result = np.zeros(len(points), bool)
        for places, size in zip((points.real, points.imag), self):
            if size > 0:
                further = radii * (1 + _hair) + size * _hair
                result |= (places < further) | (places + further >= size)
        return result

    def images(self, points: Points, radii: Any) -> tuple[Longs, Points]:
        """The points and their images, as far as they reach into the box, and of which point each is."""
        owners, all_images = list[Longs](), list[Points]()
        for x in (0.0, -self.x, self.x) if self.x > 0 else (0.0,):
            for y in (0.0, -self.y, self.y) if self.y > 0 else (0.0,):
                images = points + complex(x, y)
                reaches = np.ones(len(points), bool)
                for places, size in zip((images.real, images.imag), self):
                    if size > 0:
                        reaches &= (places + radii >= 0) & (places - radii <= size)
                rows = np.flatnonzero(reaches)
                owners.append(rows)
                all_images.append(images[rows])
        return np.concatenate(owners), np.concatenate(all_images)

    def most(self) -> float:
        """A radius within which all is, if there is one."""
        return self.x + self.y if self.x > 0 and self.y > 0 else np.inf


class AroundLists:
    """What queries have found, as PointLists have it."""

    __slots__ = ("offsets", "ids", "_measures")

    def __init__(self, owners: Longs, ids: Longs, measures: Doubles, count: int) -> None:
        self.offsets: Longs = np.searchsorted(owners, np.arange(count + 1)).astype(np.int64)
        self.ids, self._measures = ids, measures

    def entries(
        self, points: Points, queries: Points, numbers: Longs, norm: Norm
    ) -> npt.NDArray[Any]:
        entries = np.empty(len(self.ids), ENTRY)
        entries["i"] = np.repeat(numbers, np.diff(self.offsets))
        entries["j"] = self.ids
        entries["v"] = norm.distances(self._measures)
        return entries


def near(
    index: Index,
    box: Box,
    asked: Asked,
    workers: int,
    use: Callable[[Any, PointLists], _Part],
    is_sorted: bool = False,
) -> list[_Part]:
    """As `_within.near`, of points in the box."""
    radii = asked.norm.radius(asked.radius)
    crosses = box.crosses(asked.points, radii)
    inside = np.flatnonzero(~crosses)
    parts: list[_Part] = []
    if len(inside):
        parts = _within.near(
            index, asked.at(inside), workers, lambda rows, lists: use(inside[rows], lists), is_sorted
        )
    across = np.flatnonzero(crosses)
    for begin in range(0, len(across), _at_once):
        rows = across[begin : begin + _at_once]
        some = asked.at(rows)
        owners, ids, measures = _candidates(index, box, some, workers)
        wanted = measures <= np.broadcast_to(_limit(some.norm, some.radius), len(rows))[owners]
        lists: Any = AroundLists(owners[wanted], ids[wanted], measures[wanted], len(rows))
        parts.append(use(rows, lists))
    return parts


def counts(index: Index, box: Box, asked: Asked, workers: int) -> Longs:
    result = np.empty(len(asked.points), np.int64)
    crosses = box.crosses(asked.points, asked.norm.radius(asked.radius))
    inside = np.flatnonzero(~crosses)
    result[inside] = _within.counts(index, asked.at(inside), workers)
    across = np.flatnonzero(crosses)

    def use(rows: Any, lists: PointLists) -> None:
        result[across[rows]] = np.diff(lists.offsets)

    near(index, box, asked.at(across), workers, use)
    return result


def _limit(norm: Norm, radius: Any) -> Any:
    """The greatest measure that is within: none, where a radius stands for less than nothing."""
    return np.where(norm.radius(radius) < 0, -1.0, norm.limit(radius))


def _candidates(index: Index, box: Box, asked: Asked, workers: int) -> tuple[Longs, Longs, Doubles]:
    """Queries, ids and measures of all that may be within: each once, by query and id."""
    count = len(asked.points)
    radii = np.minimum(np.broadcast_to(asked.norm.radius(asked.radius), count), box.most())
    radii = radii * (1 + _hair) + max(box) * _hair
    owners: list[Longs] = [np.empty(0, np.int64)]
    ids: list[Longs] = [np.empty(0, np.int64)]
    rows, images = box.images(asked.points, radii)

    def use(some: Any, lists: PointLists) -> None:
        owners.append(np.repeat(rows[some], np.diff(lists.offsets)))
        ids.append(lists.ids.copy())

    _within.near(index, Asked(images, radii[rows], asked.norm), workers, use)
    both = np.unique(np.concatenate(owners) * max(len(index.points), 1) + np.concatenate(ids))
    owner, found = np.divmod(both, max(len(index.points), 1))
    ways = box.shorter(asked.points[owner] - index.points[found])
    return owner, found, asked.norm.measures(ways)


def nearest(index: Index, box: Box, points: Points, wanted: Wanted, workers: int) -> Nearest:
    """As `_nearest.nearest`, of points in the box."""
    found = _nearest.nearest(index, points, wanted, workers)
    reach = np.minimum(found.distances[:, -1], wanted.bound)
    across = np.flatnonzero(box.crosses(points, reach))
    limit = wanted.norm.limit(wanted.bound)
    for begin in range(0, len(across), _at_once):
        rows = across[begin : begin + _at_once]
        # A radius below zero finds none, and the last of the nearest is at least as far as that one.
        asked = Asked(points[rows], one_or_each(reach, rows), wanted.norm)
        owners, ids, measures = _candidates(index, box, asked, workers)
        nearer = measures < limit
        owners, ids, measures = owners[nearer], ids[nearer], measures[nearer]
        order = np.lexsort((ids, measures, owners))
        owners, ids, measures = owners[order], ids[order], measures[order]
        ranks = np.arange(len(owners)) - np.searchsorted(owners, owners)
        first = ranks < wanted.k
        found.distances[rows] = np.inf
        found.ids[rows] = len(index.points)
        to = rows[owners[first]], ranks[first]
        found.distances[to] = wanted.norm.distances(measures[first])
        found.ids[to] = ids[first]
    return found


def pairs(index: Index, box: Box, radius: float, norm: Norm, workers: int) -> Longs:
    """As `_within.pairs`: those in the plane, and behind them those across its edges."""
    inside = _within.pairs(index, radius, norm, workers)
    across = np.flatnonzero(box.crosses(index.points, norm.radius(radius)))
    limit = _limit(norm, radius)
    parts = [inside]
    for begin in range(0, len(across), _at_once):
        rows = across[begin : begin + _at_once]
        asked = Asked(index.points[rows], radius, norm)
        owners, ids, measures = _candidates(index, box, asked, workers)
        wanted = (measures <= limit) & (rows[owners] < ids)
        firsts, seconds = rows[owners[wanted]], ids[wanted]
        is_new = norm.measures(index.points[firsts] - index.points[seconds]) > limit
        parts.append(np.stack([firsts[is_new], seconds[is_new]], axis=1))
    return np.concatenate(parts)


def pair_counts(
    index: Index,
    other: Index,
    box: Box,
    radii: Doubles,
    norm: Norm,
    weights: Any,
    workers: int,
) -> npt.NDArray[Any]:
    """For each radius, how many pairs of two trees are within, or the sum of their weights."""
    limits = _limit(norm, radii)
    sums: npt.NDArray[Any] = np.zeros(len(radii), np.int64 if weights is None else np.float64)
    points = box.fold(index.points)
    adding = threading.Lock()  # NumPy lets other threads run in the middle of a long sum

    def use(rows: Any, lists: PointLists) -> None:
        mine = np.repeat(np.arange(len(points))[rows], np.diff(lists.offsets))
        its = lists.ids
        measures = norm.measures(box.shorter(points[mine] - other.points[its]))
        if weights is None:
            found = np.searchsorted(np.sort(measures), limits, side="right")
            with adding:
                sums[:] += found
            return
        order = np.argsort(measures, kind="stable")
        total = np.concatenate([[0.0], np.cumsum((weights[0][mine] * weights[1][its])[order])])
        found = total[np.searchsorted(measures[order], limits, side="right")]
        with adding:
            sums[:] += found

    if len(radii):
        near(other, box, Asked(points, float(norm.radius(radii).max()), norm), workers, use)
    return sums
