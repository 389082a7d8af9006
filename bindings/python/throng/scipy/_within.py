"""All points within a radius of each query."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from .._ids import Ids
from .._results import Lists
from ._finer import Finer, finer_indices
from ._index import Index, Rows, in_blocks, one_or_each, parts, workers_of
from ._norms import Doubles, Norm
from ._places import Sought

Counts = npt.NDArray[np.int64]
_Part = TypeVar("_Part")
# Of which the pairs are written in one go: what caches hold.
_agents = 1 << 15


class Near(NamedTuple):
    """Lists of the points near some queries, one behind the other."""

    rows: Rows  # the queries
    counts: Counts
    ids: Ids


class Measured(NamedTuple):
    """Single points near queries, and how near."""

    rows: Rows
    ids: Ids
    measures: Doubles


def near(
    index: Index, sought: Sought, radius: Any, norm: Norm, workers: int, use: Callable[[Near], _Part]
) -> list[_Part]:
    """What `use` returns for each part of the lists. `radius` is for all, or one for each."""

    def block(rows: Rows, lists: Lists) -> list[_Part]:
        its, radii = sought.at(rows), one_or_each(radius, rows)
        sizes = index.counts(its, its.reach(radii * norm.reach))
        found, left = [], np.ones(len(rows), bool)
        for finer in finer_indices(index, its, radii * norm.reach, sizes):

            def use_finer(near: Near, finer: Finer = finer) -> _Part:
                return use(Near(rows[finer.rows[near.rows]], near.counts, finer.ids[near.ids]))

            inner = finer.points.placement.sought(its.points[finer.rows])
            found += near(finer.points, inner, one_or_each(radii, finer.rows), norm, 1, use_finer)
            left[finer.rows] = False
        rest = np.flatnonzero(left)
        for part in parts(sizes[rest]):
            places = rest[part]
            lists_of = _lists_of(index, its.at(places), one_or_each(radii, places), norm, lists)
            found.append(use(Near(rows[places], *lists_of)))
        return found

    return [one for several in in_blocks(sought, workers, block) for one in several]


def _lists_of(index: Index, sought: Sought, radius: Any, norm: Norm, lists: Lists) -> tuple[Counts, Ids]:
    """How long each list is, and all ids."""
    reach, certain = sought.reach(radius * norm.reach), sought.certain(radius * norm.core)
    index.frame.neighbours(sought.places, radius=reach, distances=True, out=lists)
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
    index: Index, sought: Sought, radius: Any, norm: Norm, workers: int, use: Callable[[Measured], _Part]
) -> list[_Part]:
    """The same with the measure of each point."""

    def measure(lists: Near) -> _Part:
        rows = np.repeat(lists.rows, lists.counts)
        measures = norm.measures(index.points[lists.ids] - sought.points[rows])
        return use(Measured(rows, lists.ids, measures))

    return near(index, sought, radius, norm, workers, measure)


def pairs(index: Index, radius: float, norm: Norm) -> npt.NDArray[np.int64]:
    """All pairs of points within a radius, each once, the lower id first."""
    sought = index.placement.sought(index.points)
    if sought.are_coarse(radius * norm.reach):
        return _pairs_of_lists(index, sought, radius, norm)
    lists = index.on_all_cores.neighbours(
        radius=sought.reach(radius * norm.reach),
        half=True,
        distances=True,
        in_row_order=True,
        dtype=np.int32,
    )
    agents, ids, offsets, squared = lists.agents, lists.ids, lists.offsets, lists.squared_distances
    result = np.empty((len(ids), 2), np.int64)
    if agents is None or squared is None:
        return result  # of no points
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


def _pairs_of_lists(index: Index, sought: Sought, radius: float, norm: Norm) -> npt.NDArray[np.int64]:
    """The same, where very many pairs would be candidates."""

    def use(lists: Near) -> npt.NDArray[np.int64]:
        first = np.repeat(lists.rows, lists.counts)
        is_first = first < lists.ids
        return np.stack([first[is_first], lists.ids[is_first]], axis=1)

    found = near(index, sought, radius, norm, workers_of(-1), use)
    return np.concatenate(found) if found else np.empty((0, 2), np.int64)
