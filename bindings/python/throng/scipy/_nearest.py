"""The k points nearest to each query.

The engine finds k + 1 in float32. If the exact distance to the k-th is so much less than to the last one that
no other point can be nearer, that is the answer. Otherwise the tree is asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _index
from .._results import Lists
from ._index import Index, in_blocks, in_blocks_of_tree
from ._norms import Points
from ._places import Floats, Mask, at
from ._points import Nearest, Wanted, no_nearest

# The most that an engine finds.
_most = 64


def nearest(index: Index, points: Points, wanted: Wanted, workers: int) -> Nearest:
    found = no_nearest(len(points), wanted.k)
    if len(points) < _index.FEW:
        index.tree.nearest(points, wanted, found)
        return found

    def by_tree(rows: Any) -> None:
        _into(found, rows, lambda part: index.tree.nearest(points[rows], wanted, part))

    def by_engine(rows: Any, lists: Lists) -> None:
        if hopeless:
            is_open[rows] = True
            return
        frame.nearest_lists(at(places, rows), wanted.k + 1, radius=reach, distances=True, out=lists)
        left = _into(found, rows, lambda part: index.places.nearest(points.take(rows), lists, wanted, part))
        is_open[rows] = left
        if 2 * np.count_nonzero(left) > len(left):
            hopeless.append(True)

    frame, hopeless = index.frame(), list[bool]()
    reach = index.places.reach(wanted.bound, wanted.norm)
    places, is_open = _places_of(index, points, wanted, reach)
    in_blocks(places, is_open, workers, by_engine)
    in_blocks_of_tree(is_open, workers, by_tree)
    return found


def _into(found: Nearest, rows: Any, fill: Any) -> Any:
    """Fills rows of the answer: in place if they lie together."""
    if isinstance(rows, slice):
        return fill(found.at(rows))
    part = no_nearest(len(rows), found.ids.shape[1])
    result = fill(part)
    for to, table in zip(found, part):
        # A row as one element, which is copied faster than eight numbers.
        row = np.dtype(f"V{8 * table.shape[1]}")
        to.view(row)[:, 0][rows] = table.view(row)[:, 0]
    return result


def _places_of(index: Index, points: Points, wanted: Wanted, reach: float) -> tuple[Floats, Mask]:
    """Places of queries, and for which of them the tree is to be asked."""
    places, is_open = index.places.put(points)
    if index.is_crowded or wanted.k >= _most or wanted.norm.p != 2 or reach == 0:
        is_open[:] = True
    else:
        # An engine looks far and wide from outside.
        for each, most in zip(places.T, index.places.corner(index.bounds()[1])):
            is_open |= np.abs(each) > most
    return places, is_open
