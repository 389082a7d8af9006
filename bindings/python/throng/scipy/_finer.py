"""Finer indices of parts of the data: where float32 is too coarse for clusters far apart, or one point far
away.

An index of a cell of the data has places that are as much finer as the cell is smaller, and so on.
"""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple

import numpy as np

from .._ids import Ids
from ._index import Index, Rows
from ._places import Sought

# Cells of a coordinate, and how many candidates an index is worth.
_cells = 512.0
_worth = 1 << 16


class Finer(NamedTuple):
    """All points that are within the radius of some queries, and more: number i there is ids[i]."""

    rows: Rows
    points: Index
    ids: Ids


def finer_indices(index: Index, sought: Sought, radius: Any, counts: Ids) -> Iterator[Finer]:
    """For those queries that have many candidates, since places are too coarse for their radius."""
    rows = np.flatnonzero(np.broadcast_to(sought.are_coarse(radius), counts.shape))
    if counts[rows].sum(dtype=np.int64) < _worth:
        return
    cells = np.floor(sought.places[rows] * _cells).astype(np.int64)
    groups = np.unique(cells[:, 0] * (1 << 16) + cells[:, 1], return_inverse=True)[1]
    for group in np.flatnonzero(np.bincount(groups, counts[rows]) >= _worth):
        its = rows[groups == group]
        ids = _points_near(index, sought.at(its), radius if np.ndim(radius) == 0 else radius[its])
        inner = Index(index.points[ids])
        if inner.placement.scale >= 8 * index.placement.scale:
            yield Finer(its, inner, ids)


def _points_near(index: Index, sought: Sought, radius: Any) -> Ids:
    reach = np.reshape(sought.reach(radius), (-1, 1))
    low, high = (sought.places - reach).min(axis=0), (sought.places + reach).max(axis=0)
    ids: Ids = index.frame.overlaps(np.concatenate([low, high]))
    return ids
