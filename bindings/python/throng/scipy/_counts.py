"""Pairs of points of two trees within distances: how many there are, and how far apart they are."""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._index import Index, workers_of
from ._norms import Doubles, Norm
from ._places import Sought
from ._within import Measured, measured

_entry = np.dtype([("i", np.int64), ("j", np.int64), ("v", np.float64)])


def counts(
    index: Index,
    sought: Sought,
    radii: Doubles,
    norm: Norm,
    weights: Optional[tuple[Doubles, Doubles]],
    cumulative: bool,
) -> npt.NDArray[Any]:
    """For each radius, how many pairs there are, or the sum of their weights."""
    limits = np.where(np.isneginf(radii), -1, norm.limit(radii))
    order = np.argsort(limits, kind="stable")
    limits = limits[order]
    dtype = np.int64 if weights is None else np.float64
    sums: npt.NDArray[Any] = np.zeros(len(radii), dtype)

    def use(near: Measured) -> npt.NDArray[Any]:
        its = None if weights is None else weights[0][near.rows] * weights[1][near.ids]
        return np.bincount(np.searchsorted(limits, near.measures), its, len(radii)).astype(dtype)

    finite = np.abs(radii[np.isfinite(radii)])
    if len(finite):
        for part in measured(index, sought, float(finite.max()), norm, workers_of(-1), use):
            sums += part
    # Within infinity are all pairs, which need no search.
    endless = np.isinf(limits).argmax() if np.isinf(limits).any() else None
    if endless is not None:
        sizes = (len(sought.points), len(index.points))
        every: Any = math.prod(sizes if weights is None else (one.sum() for one in weights))
        sums[endless] = every - sums[:endless].sum()
    result = np.empty_like(sums)
    result[order] = np.cumsum(sums) if cumulative else sums
    return result


def distances(index: Index, sought: Sought, radius: float, norm: Norm) -> npt.NDArray[Any]:
    """An entry for each pair."""

    def use(near: Measured) -> npt.NDArray[Any]:
        entries = np.empty(len(near.ids), _entry)
        entries["i"], entries["j"], entries["v"] = near.rows, near.ids, norm.distances(near.measures)
        return entries

    parts = measured(index, sought, radius, norm, workers_of(-1), use)
    return np.concatenate(parts) if parts else np.empty(0, _entry)
