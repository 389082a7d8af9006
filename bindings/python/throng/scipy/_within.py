"""All points within a radius of each query."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from . import _index
from .._results import Lists
from ._index import Index, Rows, in_blocks, in_blocks_of_tree, one_or_each, parts
from ._norms import Doubles, Norm, Points
from ._places import Mask, Sought
from ._points import Longs

_Part = TypeVar("_Part")
# Of which the pairs are written in one go: what caches hold.
_agents = 1 << 15
# Candidates of a query from which on whole branches are counted sooner than points.
_many = 1000


class Near(NamedTuple):
    """Lists of the points near some queries, one behind the other."""

    rows: Rows  # the queries
    counts: Longs
    ids: Any
    is_sorted: bool  # each by id


class Measured(NamedTuple):
    """Single points near queries, and how near."""

    rows: Rows
    ids: Any
    measures: Doubles


def near(
    index: Index,
    points: Points,
    radius: Any,
    norm: Norm,
    workers: int,
    use: Callable[[Near], _Part],
    is_sorted: bool = False,
) -> list[_Part]:
    """What `use` returns for each part of the lists. `radius` is for all, or one for each."""

    def by_tree(rows: Rows) -> list[_Part]:
        its = points.take(rows)
        counts, ids = index.tree.lists(its, one_or_each(radius, rows), norm, is_sorted)
        return [use(Near(rows, counts, ids, is_sorted))]

    def by_engine(rows: Rows, lists: Lists) -> list[_Part]:
        its, radii = sought.at(rows), one_or_each(radius, rows)
        # Those in a square, which are counted sooner, and are some more.
        sizes = index.frame().count(centre=its.places, half=its.reach(radii * norm.reach))
        found = []
        for part in parts(sizes):
            of_part = its.at(np.arange(len(rows))[part])
            lists_of = _lists_of(index, of_part, one_or_each(radii, part), norm, lists)
            found.append(use(Near(rows[part], *lists_of, False)))
        return found

    if len(points) < _index.FEW:
        return by_tree(np.arange(len(points)))
    sought, is_open = _places_of(index, points, radius, norm)
    found = in_blocks(_ordered(sought, ~is_open), workers, by_engine)
    found += in_blocks_of_tree(np.flatnonzero(is_open), workers, by_tree)
    return [one for several in found for one in several]


def counts(index: Index, points: Points, radius: Any, norm: Norm, workers: int) -> Longs:
    """How many points are near each query."""
    result = np.empty(len(points), np.int64)

    def by_tree(rows: Rows) -> None:
        result[rows] = index.tree.counts(points.take(rows), one_or_each(radius, rows), norm)

    def by_engine(rows: Rows, lists: Lists) -> None:
        its, radii = sought.at(rows), one_or_each(radius, rows)
        sizes = index.frame().count(centre=its.places, half=its.reach(radii * norm.reach))
        are_many = sizes > _many
        if are_many.any():
            by_tree(rows[are_many])
            left = np.flatnonzero(~are_many)
            rows, its, radii, sizes = rows[left], its.at(left), one_or_each(radii, left), sizes[left]
        for part in parts(sizes):
            of_part = its.at(np.arange(len(rows))[part])
            result[rows[part]] = _lists_of(index, of_part, one_or_each(radii, part), norm, lists)[0]

    if len(points) < _index.FEW:
        return index.tree.counts(points, radius, norm)
    sought, is_open = _places_of(index, points, radius, norm)
    in_blocks(_ordered(sought, ~is_open), workers, by_engine)
    in_blocks_of_tree(np.flatnonzero(is_open), workers, by_tree)
    return result


def _places_of(index: Index, points: Points, radius: Any, norm: Norm) -> tuple[Sought, Mask]:
    """Places of queries, and for which of them the tree is to be asked."""
    sought, is_open = index.placement.sought(points)
    is_open |= index.placement.is_coarse(radius * norm.reach)
    if len(points) - np.count_nonzero(is_open) < _index.FEW:
        is_open[:] = True
    return sought, is_open


def _ordered(sought: Sought, mask: Mask) -> Rows:
    """The rows in a mask, near each other if they are many."""
    rows = np.flatnonzero(mask)
    return rows if len(rows) <= 1 << 13 else rows[sought.at(rows).order()]


def _lists_of(index: Index, sought: Sought, radius: Any, norm: Norm, lists: Lists) -> tuple[Longs, Any]:
    """How long each list is, and all ids."""
    reach, certain = sought.reach(radius * norm.reach), sought.certain(radius * norm.core)
    index.frame().neighbours(sought.places, radius=reach, distances=True, out=lists)
    counts, ids = lists.counts, lists.ids
    if np.ndim(certain):
        certain = np.repeat(certain, counts)
    doubtful = np.flatnonzero(lists.squared_distances > certain)
    if len(doubtful):
        queries = np.searchsorted(lists.offsets, doubtful, side="right") - 1
        measures = norm.measures(index.points[ids[doubtful]] - sought.points[queries])
        wrong = ~(measures <= one_or_each(norm.limit(radius), queries))
        ids = np.delete(ids, doubtful[wrong])
        counts = counts - np.bincount(queries[wrong], minlength=len(counts))
    return counts, ids


def measured(
    index: Index, points: Points, radius: Any, norm: Norm, workers: int, use: Callable[[Measured], _Part]
) -> list[_Part]:
    """The same with the measure of each point."""

    def measure(lists: Near) -> _Part:
        rows = np.repeat(lists.rows, lists.counts)
        measures = norm.measures(index.points[lists.ids] - points[rows])
        return use(Measured(rows, lists.ids, measures))

    return near(index, points, radius, norm, workers, measure)


def pairs(index: Index, radius: float, norm: Norm, workers: int) -> Longs:
    """All pairs of points within a radius, each once, the lower id first."""
    if len(index.points) < _index.FEW or index.placement.is_coarse(radius * norm.reach):
        return index.tree.pairs(radius, norm, workers)
    sought, _ = index.placement.sought(index.points)
    lists = index.frame(workers).neighbours(
        radius=sought.reach(radius * norm.reach), half=True, distances=True, in_row_order=True
    )
    agents, ids, offsets, squared = lists.agents, lists.ids, lists.offsets, lists.squared_distances
    assert agents is not None and squared is not None
    result = np.empty((len(ids), 2), np.int64)
    result[:, 1] = ids
    for begin in range(0, len(agents), _agents):
        ends = offsets[begin : begin + _agents + 1]
        result[ends[0] : ends[-1], 0] = np.repeat(agents[begin : begin + _agents], np.diff(ends))
    doubtful = np.flatnonzero(squared > sought.certain(radius * norm.core))
    first, second = result[doubtful].T
    measures = norm.measures(index.points[first] - index.points[second])
    return _without(result, doubtful[~(measures <= norm.limit(radius))])


def _without(pairs: npt.NDArray[np.int64], wrong: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
    """Takes some pairs out, and puts the last ones in their places: pairs have no order."""
    left = len(pairs) - len(wrong)
    pairs[wrong[wrong < left]] = pairs[np.setdiff1d(np.arange(left, len(pairs)), wrong)]
    return pairs[:left]
