"""All points within a radius of each query."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, TypeVar

import numpy as np

from . import _index
from .._results import Lists
from ._index import Index, in_blocks, in_blocks_of_tree, one_or_each
from ._norms import Norm, Points
from ._places import Floats, Mask, at
from ._points import Longs, PointLists

_Part = TypeVar("_Part")
# Candidates of a part, which caches hold; and of one query, from which on counting whole branches is faster.
_candidates, _many = 1 << 19, 1000


class Asked(NamedTuple):
    """Queries with one radius for all, or one for each."""

    points: Points
    radius: Any
    norm: Norm

    def at(self, rows: Any) -> Asked:
        points = self.points[rows] if isinstance(rows, slice) else self.points.take(rows)
        return Asked(points, one_or_each(self.radius, rows), self.norm)


class _Places(NamedTuple):
    """The places of queries, how far to look, and for which of them the tree is asked."""

    floats: Floats
    reach: Any
    is_open: Mask


def near(
    index: Index,
    asked: Asked,
    workers: int,
    use: Callable[[Any, PointLists], _Part],
    is_sorted: bool = False,
) -> list[_Part]:
    """What `use` returns for the rows of some queries and their lists, which may be sorted by id."""

    def by_tree(rows: Any) -> list[_Part]:
        return [use(rows, index.tree.lists(*asked.at(rows), is_sorted))]

    def by_engine(rows: Any, lists: Lists, sizes: Any) -> list[_Part]:
        return [use(rows, _lists_of(index, asked.at(rows), places, rows, lists, is_sorted))]

    if len(asked.points) < _index.FEW:
        return by_tree(slice(None))
    places = _places_of(index, asked)
    return _by_both(index, places, workers, by_engine, by_tree)


def counts(index: Index, asked: Asked, workers: int) -> Longs:
    """How many points are near each query."""
    if len(asked.points) < _index.FEW:
        return index.tree.counts(*asked)
    result = np.empty(len(asked.points), np.int64)

    def by_tree(rows: Any) -> list[None]:
        result[rows] = index.tree.counts(*asked.at(rows))
        return []

    def by_engine(rows: Any, lists: Lists, sizes: Any) -> list[None]:
        if sizes.mean() > _many:
            return by_tree(rows)
        result[rows] = np.diff(_lists_of(index, asked.at(rows), places, rows, lists, False).offsets)
        return []

    places = _places_of(index, asked)
    _by_both(index, places, workers, by_engine, by_tree)
    return result


def _places_of(index: Index, asked: Asked) -> _Places:
    floats, is_open = index.places.put(asked.points)
    reach = index.places.reach(asked.radius, asked.norm)
    is_open |= np.less_equal(reach, 0)
    if len(floats) - np.count_nonzero(is_open) < _index.FEW:
        is_open[:] = True
    return _Places(floats, reach, is_open)


def _lists_of(
    index: Index, asked: Asked, places: _Places, rows: Any, lists: Lists, is_sorted: bool
) -> PointLists:
    """By the engine."""
    radius = one_or_each(places.reach, rows)
    index.frame().neighbours(at(places.floats, rows), radius=radius, distances=True, out=lists)
    return index.places.lists(asked.points, lists, asked.radius, asked.norm, is_sorted)


def _by_both(
    index: Index,
    places: _Places,
    workers: int,
    by_engine: Callable[[Any, Lists, Any], list[_Part]],
    by_tree: Callable[[Any], list[_Part]],
) -> list[_Part]:
    """What both return for blocks of rows; blocks for the engine have not too many candidates."""

    def block(rows: Any, lists: Lists) -> list[_Part]:
        # The points in a square, which are counted faster, and are a few more.
        sizes = index.frame().count(centre=at(places.floats, rows), half=one_or_each(places.reach, rows))
        total = np.cumsum(sizes, dtype=np.int64)
        if total[-1] <= _candidates:
            return by_engine(rows, lists, sizes)
        ends = np.flatnonzero(np.diff(total // _candidates)) + 1
        parts = zip(np.split(rows, ends), np.split(sizes, ends))
        return [each for its, its_sizes in parts for each in by_engine(its, lists, its_sizes)]

    found = in_blocks(places.floats, places.is_open, workers, block)
    found += in_blocks_of_tree(places.is_open, workers, by_tree)
    return [one for several in found for one in several]


def pairs(index: Index, radius: float, norm: Norm, workers: int) -> Longs:
    """All pairs of points within a radius, each once, the lower id first."""
    reach = index.places.reach(radius, norm)
    if reach == 0 or len(index.points) < _index.FEW:
        return index.tree.pairs(radius, norm, workers)
    lists = index.frame(workers).neighbours(radius=reach, half=True, distances=True, in_row_order=True)
    return index.places.pairs(lists, radius, norm)
