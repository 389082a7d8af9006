"""The k points nearest to each query.

The engine finds k + 1 in float32. Where the exact distance to the last one wanted is so much less than that
to the last one found that no other point can be nearer, the answer is there. Otherwise the tree is asked.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _index
from .._results import Lists
from ._index import Index, Rows, in_blocks, in_blocks_of_tree
from ._norms import Doubles, Norm, Points
from ._places import Mask, Sought
from ._points import Longs
from ._within import _ordered

# The most that an engine finds.
_most = 64


class Wanted(NamedTuple):
    """How many points, and nearer than what."""

    k: int
    bound: float
    norm: Norm


class Nearest(NamedTuple):
    """A row for each query: where there are fewer points, infinity and the number of all points."""

    distances: Doubles
    ids: Longs


def nearest(index: Index, points: Points, wanted: Wanted, workers: int) -> Nearest:
    if len(points) < _index.FEW:
        return Nearest(*index.tree.nearest(points, *wanted))
    shape = (len(points), wanted.k)
    found = Nearest(np.empty(shape), np.empty(shape, np.int64))
    is_open = _by_engine(index, points, wanted, workers, found)

    def by_tree(rows: Rows) -> None:
        found.distances[rows], found.ids[rows] = index.tree.nearest(points.take(rows), *wanted)

    in_blocks_of_tree(np.flatnonzero(is_open), workers, by_tree)
    return found


def _by_engine(index: Index, points: Points, wanted: Wanted, workers: int, found: Nearest) -> Mask:
    """Fills the rows that floats are enough for, and says which they are not."""
    is_open = np.ones(len(points), bool)
    frame = index.frame()
    if index.is_crowded or wanted.k >= _most or wanted.norm.p != 2:
        return is_open
    sought, is_open = index.placement.sought(points)
    is_open |= (np.abs(sought.places) > index.placement.half).any(axis=1)
    hopeless: list[bool] = []
    # A row as one element, which is copied faster than eight numbers.
    places = [table.view(f"V{8 * wanted.k}")[:, 0] for table in found]

    def block(rows: Rows, lists: Lists) -> None:
        if hopeless:
            is_open[rows] = True
            return
        its = sought.at(rows)
        asked = wanted.k + 1
        frame.nearest_lists(its.places, asked, radius=its.reach(wanted.bound), distances=True, out=lists)
        measures, ids = _candidates(index, its, wanted, lists, asked)
        distances = wanted.norm.distances(measures[:, : wanted.k])
        for place, table in zip(places, (distances, np.ascontiguousarray(ids[:, : wanted.k]))):
            place[rows] = table.view(place.dtype)[:, 0]
        left = rows[(lists.counts == asked) & ~_are_sure(its, distances[:, -1], wanted, lists)]
        is_open[left] = True
        if 2 * len(left) > len(rows):
            hopeless.append(True)

    in_blocks(_ordered(sought, ~is_open), workers, block)
    return is_open


def _candidates(
    index: Index, sought: Sought, wanted: Wanted, lists: Lists, asked: int
) -> tuple[Doubles, Longs]:
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
    if wanted.bound < np.inf:
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
    if not len(lists.ids):
        return np.zeros(len(last), bool)
    squared: Any = lists.squared_distances
    result: npt.NDArray[np.bool_] = sought.are_complete(
        np.minimum(last, wanted.bound), squared[np.maximum(lists.offsets[1:] - 1, 0)]
    )
    return result
