"""The k points nearest to each query.

The engine finds k + 1 in float32. Where the exact distance to the last one wanted is so much less than that
to the last one found that no other point can be nearer, the answer is there. Otherwise it is among all points
within that distance.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._results import Lists
from ._finer import finer_indices
from ._index import Index, Rows, in_blocks
from ._norms import Doubles, Norm
from ._places import Sought
from ._within import Measured, measured

Table = npt.NDArray[np.int64]
LIMIT = 64


class Wanted(NamedTuple):
    """How many points, and nearer than what."""

    k: int
    bound: float
    norm: Norm


class Nearest(NamedTuple):
    """A row for each query: where there are fewer points, infinity and the number of all points."""

    distances: Doubles
    ids: Table


def nearest(index: Index, sought: Sought, wanted: Wanted, workers: int) -> Nearest:
    shape = (len(sought.points), wanted.k)
    found = Nearest(np.empty(shape), np.empty(shape, np.int64))
    # A row as one element, which is copied faster than eight numbers.
    places = [table.view(f"V{8 * wanted.k}")[:, 0] for table in found]

    def block(rows: Rows, lists: Lists) -> Rows:
        its = sought.at(rows)
        # From outside the engine would look far and wide: the edge of the data stands in for such a place.
        inside = np.clip(its.places, -index.placement.half, index.placement.half)
        is_outside = (inside != its.places).any(axis=1)
        reach = None if is_outside.any() else its.reach(wanted.bound * wanted.norm.reach)
        asked = min(wanted.k + 1, LIMIT)
        index.frame.nearest_lists(inside, asked, radius=reach, distances=True, out=lists)
        measures, ids = _candidates(index, its, wanted, lists, asked)
        distances = wanted.norm.distances(measures[:, : wanted.k])
        for place, table in zip(places, (distances, np.ascontiguousarray(ids[:, : wanted.k]))):
            place[rows] = table.view(place.dtype)[:, 0]
        is_full = lists.counts == asked
        left: Rows = rows[is_full & (is_outside | ~_are_sure(its, distances[:, -1], wanted, lists))]
        return left

    rows = in_blocks(sought, workers, block)
    left = np.concatenate(rows) if rows else np.empty(0, np.intp)
    if len(left):
        _search_again(index, sought.at(left), wanted, workers, found, left)
    return found


def nothing(rows: int, count: int, points: int) -> Nearest:
    return Nearest(np.full((rows, count), np.inf), np.full((rows, count), points, np.int64))


def _candidates(
    index: Index, sought: Sought, wanted: Wanted, lists: Lists, asked: int
) -> tuple[Doubles, Table]:
    """The points of lists, with exact measures and sorted by them."""
    shape = (len(sought.points), asked)
    points = len(index.points)
    if len(lists.ids) == shape[0] * asked:
        ids = lists.ids.astype(np.int64).reshape(shape)
    else:
        ids = np.full(shape, points)
        ids[np.arange(asked) < lists.counts[:, np.newaxis]] = lists.ids
    differences = index.points.take(ids, mode="clip")
    differences -= sought.points[:, np.newaxis]
    measures = wanted.norm.measures(differences)
    beyond = ids == points if len(lists.ids) < ids.size else None
    if wanted.bound < np.inf or sought.gaps is not None:
        beyond = ~(measures < wanted.norm.limit(wanted.bound)) | (False if beyond is None else beyond)
    if beyond is not None:
        measures[beyond] = np.inf
        ids[beyond] = points
    wrong = np.unique(np.nonzero(measures[:, 1:] < measures[:, :-1])[0])
    if len(wrong):
        order = np.argsort(measures[wrong], axis=1, kind="stable")
        measures[wrong] = np.take_along_axis(measures[wrong], order, axis=1)
        ids[wrong] = np.take_along_axis(ids[wrong], order, axis=1)
    return measures, ids


def _are_sure(sought: Sought, last: Doubles, wanted: Wanted, lists: Lists) -> npt.NDArray[np.bool_]:
    """For which queries no point is missing that is nearer than `last`, if their lists are full."""
    if wanted.norm.p != 2 or not len(lists.ids):
        return np.zeros(len(last), bool)
    squared: Any = lists.squared_distances
    result: npt.NDArray[np.bool_] = sought.are_complete(
        np.minimum(last, wanted.bound), squared[np.maximum(lists.offsets[1:] - 1, 0)]
    )
    return result


def _search_again(
    index: Index, sought: Sought, wanted: Wanted, workers: int, found: Nearest, rows: Rows
) -> None:
    """Of all points as near as the last that was found, the nearest."""
    norm = wanted.norm
    # A root may be rounded down, and its square then is less.
    radius = np.minimum(found.distances[rows, -1], abs(wanted.bound)) * (1 + 2.0**-50)
    left = np.ones(len(rows), bool)
    sizes = index.counts(sought, sought.reach(radius * norm.reach))
    for finer in finer_indices(index, sought, radius * norm.reach, sizes):
        its = finer.points.placement.sought(sought.points[finer.rows])
        inner = nearest(finer.points, its, wanted, workers)
        found.distances[rows[finer.rows]] = inner.distances
        found.ids[rows[finer.rows]] = np.append(finer.ids, len(index.points))[inner.ids]
        left[finer.rows] = False
    rest = np.flatnonzero(left)
    sought, radius, rows = sought.at(rest), radius[rest], rows[rest]
    limit = norm.limit(wanted.bound)

    def keep(near: Measured) -> None:
        keys = np.empty(len(near.ids), np.complex128)
        keys.real = near.rows.astype(np.float64)
        keys.imag = near.measures
        order = np.argsort(keys)  # by row, then by measure
        order = order[near.measures[order] < limit]
        queries = near.rows[order]
        ranks = np.arange(len(queries)) - np.searchsorted(queries, queries)
        first = ranks < wanted.k
        order, queries, ranks = order[first], rows[queries[first]], ranks[first]
        found.distances[queries, ranks] = norm.distances(near.measures[order])
        found.ids[queries, ranks] = near.ids[order]

    measured(index, sought, radius, norm, workers, keep)
