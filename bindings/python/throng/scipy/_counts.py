"""Pairs of points of two trees within distances: how many there are, and how far apart they are."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._index import Index
from ._norms import Doubles, Norm, Points
from ._within import Measured, measured

_entry = np.dtype([("i", np.int64), ("j", np.int64), ("v", np.float64)])


def counts(
    index: Index,
    other: Index,
    radii: Doubles,
    norm: Norm,
    weights: Optional[tuple[Doubles, Doubles]],
    cumulative: bool,
    workers: int,
) -> npt.NDArray[Any]:
    """For each radius, how many pairs there are, or the sum of their weights."""
    # As in SciPy, less than zero means its square, but for minus infinity.
    radii = np.where(np.isneginf(radii), -1.0, norm.radius(radii))
    if weights is None:
        counts = index.tree.count_pairs(other.tree, radii, norm, workers)
        return counts if cumulative else np.diff(counts, prepend=0)
    sums = index.tree.sum_pairs(other.tree, radii, norm, weights, workers)
    if not cumulative:
        return sums
    order = np.argsort(norm.limit(radii), kind="stable")
    sums[order] = np.cumsum(sums[order])
    return sums


def distances(index: Index, points: Points, radius: float, norm: Norm, workers: int) -> npt.NDArray[Any]:
    """An entry for each pair."""

    def use(near: Measured) -> npt.NDArray[Any]:
        entries = np.empty(len(near.ids), _entry)
        entries["i"], entries["j"], entries["v"] = near.rows, near.ids, norm.distances(near.measures)
        return entries

    parts = measured(index, points, radius, norm, workers, use)
    return np.concatenate(parts) if parts else np.empty(0, _entry)
