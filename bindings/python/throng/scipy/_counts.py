"""Pairs of points of two trees within distances: how many there are, and how far apart they are."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _around
from ._index import Index
from ._norms import Doubles, Norm
from ._points import ENTRY, PointLists
from ._within import Asked, near


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
    # As in SciPy, less than zero means its square, except minus infinity.
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


def distances(
    index: Index, box: Optional[_around.Box], asked: Asked, workers: int
) -> npt.NDArray[Any]:
    """An entry for each pair."""
    numbers = np.arange(len(asked.points))

    def use(rows: Any, lists: PointLists) -> npt.NDArray[Any]:
        return lists.entries(index.points, asked.points[rows], numbers[rows], asked.norm, box or (0, 0))

    if box is None:
        parts = near(index, asked, workers, use)
    else:
        parts = _around.near(index, box, asked, workers, use)
    if not parts:
        return np.empty(0, ENTRY)
    return np.concatenate(parts) if len(parts) != 1 else parts[0]
