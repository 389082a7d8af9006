"""The points of a tree, in doubles and in an engine, and blocks of queries."""

from __future__ import annotations

import operator
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterator, TypeVar

import numpy as np
import numpy.typing as npt

from .._engine.engine import Engine
from .._ids import Ids
from .._results import Lists
from ._norms import Doubles, Points
from ._places import Placement, Sought

Rows = npt.NDArray[np.intp]
# Queries of a block, and candidates that are looked at in one go: what caches hold.
_queries = 1 << 13
_candidates = 1 << 19

_Part = TypeVar("_Part")


class Index:
    """Points, which never change. Any thread may ask it."""

    __slots__ = ("points", "low", "high", "placement", "on_all_cores", "frame")

    def __init__(self, points: Points) -> None:
        self.points = points
        # By column, since NumPy is slow along the first of two axes.
        columns = (points.real, points.imag) if len(points) else (np.zeros(1), np.zeros(1))
        self.low: Doubles = np.array([column.min() for column in columns])
        self.high: Doubles = np.array([column.max() for column in columns])
        _check_finite(points, self.low + self.high)
        self.placement = Placement(self.low, self.high)
        engine = Engine()
        engine.update(self.placement.of_data(points))
        # For calls about all points, and for blocks of queries, of which each has its thread.
        self.on_all_cores = engine.frame
        self.frame = self.on_all_cores.serial

    def counts(self, sought: Sought, reach: Any) -> Ids:
        """How many candidates each query has, or a few more: those in a square, which are counted sooner."""
        counts: Ids = self.frame.count(centre=sought.places, half=reach)
        return counts


def workers_of(given: Any) -> int:
    """How many threads: `given`, 1 for None, and all cores for -1."""
    workers = 1 if given is None else operator.index(given)
    if workers == -1:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if workers < 1:
        raise ValueError(f"Invalid number of workers {workers}, must be -1 or > 0")
    return workers


def in_blocks(sought: Sought, workers: int, work: Callable[[Rows, Lists], _Part]) -> list[_Part]:
    """What `work` returns for each block of rows. It gets a result to reuse, too.

    Points that are infinite or NaN are legal, and found to be near nothing.
    """
    count = len(sought.points)
    order = np.arange(count) if count <= _queries else sought.order()
    blocks = [order[begin : begin + _queries] for begin in range(0, count, _queries)]
    kept = threading.local()

    def block(rows: Rows) -> _Part:
        if not hasattr(kept, "lists"):
            kept.lists = Lists()
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            return work(rows, kept.lists)

    if workers == 1 or len(blocks) < 2:
        return [block(rows) for rows in blocks]
    with ThreadPoolExecutor(min(workers, len(blocks))) as pool:
        return list(pool.map(block, blocks))


def parts(counts: Ids) -> Iterator[slice]:
    """Cuts queries so that no part has very many candidates, unless one query has."""
    total = np.cumsum(counts, dtype=np.int64)
    begin = 0
    while begin < len(total):
        before = total[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(total, before + _candidates, side="right")))
        yield slice(begin, end)
        begin = end


def one_or_each(values: Any, rows: Any) -> Any:
    """Of radii: the one for all, or those of some rows."""
    return values if np.ndim(values) == 0 else values[rows]


def _check_finite(points: Points, extremes: Doubles) -> None:
    if np.isfinite(extremes).all():
        return
    wrong = np.flatnonzero(~np.isfinite(points))
    if len(wrong):
        point = points[wrong[0]]
        raise ValueError(f"element {wrong[0]} of data is not finite: ({point.real}, {point.imag})")
