"""The points of a KDTree, in the two indices that answer for it, and blocks of queries.

The engine is several times as fast as any tree for many queries at once. It has float32, so it finds
candidates, whose distances are measured in doubles: see _places.py. The tree has doubles, and answers where
floats do not tell, or where an engine is not worth its call:

- fewer than FEW queries;
- queries from outside: of the nearest, from outside of the data's bounds; else from half the data's width
  outside of them;
- radii so small beside the data's width that float32 would find much that is not within them, and so also
  the k nearest where many points share a place;
- of the nearest, queries whose last place floats leave open, and if they do that for more than half of some
  block, all others;
- counts of very many points, since it counts whole branches, and of pairs of two trees.

Each is made when it is first needed, of all points, on one thread.
"""

from __future__ import annotations

import operator
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Iterator, Optional, TypeVar

import numpy as np
import numpy.typing as npt

from .._engine.engine import Engine
from .._frame import Frame
from .._results import Ids, Lists
from ._norms import Doubles, Points
from ._places import COARSE, Placement
from ._points import PointTree

Rows = npt.NDArray[np.intp]
FEW = 512
# Queries of a block, and candidates that are looked at in one go: what caches hold. The tree has blocks so
# that threads share the work, and so that Ctrl-C need not wait.
_queries = 1 << 13
_candidates = 1 << 19
_queries_of_tree, _least_of_tree = 1 << 15, 1 << 8
# Points by which it is told whether many share a place, and how many others may be at theirs.
_samples = 128
_crowd = 64

_Part = TypeVar("_Part")


class Index:
    """Points, which never change. Any thread may ask it."""

    __slots__ = ("points", "low", "high", "placement", "is_crowded", "_tree", "_frames", "_lock")

    def __init__(self, points: Points) -> None:
        self.points = points
        # By column, since NumPy is slow along the first of two axes.
        columns = (points.real, points.imag) if len(points) else (np.zeros(1), np.zeros(1))
        self.low: Doubles = np.array([column.min() for column in columns])
        self.high: Doubles = np.array([column.max() for column in columns])
        _check_finite(points, self.low + self.high)
        self.placement = Placement(self.low, self.high)
        self.is_crowded = False  # whether many points share a place, once there is a frame
        self._tree: Optional[PointTree] = None
        self._frames: dict[bool, Frame] = {}
        self._lock = threading.Lock()

    @property
    def tree(self) -> PointTree:
        if self._tree is None:
            with self._lock:
                self._tree = self._tree or PointTree(self.points)
        return self._tree

    def frame(self, workers: int = 1) -> Frame:
        """On one thread, or on all cores."""
        is_serial = workers == 1
        frame = self._frames.get(is_serial)
        if frame is None:
            with self._lock:
                frame = self._frames.get(is_serial) or self._new_frame(is_serial)
        return frame

    def _new_frame(self, is_serial: bool) -> Frame:
        places = self.placement.of_data(self.points)
        engine = Engine(threads=1 if is_serial else None)
        engine.update(places)
        frame = engine.frame
        if len(places):
            sample = places[:: -(-len(places) // _samples)]
            self.is_crowded = float(frame.count(centre=sample, half=COARSE).mean()) > _crowd
        self._frames[is_serial] = frame
        return frame


def workers_of(given: Any) -> int:
    """How many threads: `given`, 1 for None, and all cores for -1."""
    workers = 1 if given is None else operator.index(given)
    if workers == -1:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if workers < 1:
        raise ValueError(f"Invalid number of workers {workers}, must be -1 or > 0")
    return workers


def in_blocks(rows: Rows, workers: int, work: Callable[[Rows, Lists], _Part]) -> list[_Part]:
    """What `work` returns for each block of rows for the engine. It gets a result to reuse, too."""
    kept = threading.local()

    def block(rows: Rows) -> _Part:
        if not hasattr(kept, "lists"):
            kept.lists = Lists()
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            return work(rows, kept.lists)

    return _on_threads([rows[at : at + _queries] for at in range(0, len(rows), _queries)], workers, block)


def in_blocks_of_tree(rows: Rows, workers: int, work: Callable[[Rows], _Part]) -> list[_Part]:
    """The same for the tree, which sorts the queries of a block itself."""
    size = min(_queries_of_tree, max(-(-len(rows) // workers), _least_of_tree))
    return _on_threads([rows[at : at + size] for at in range(0, len(rows), size)], workers, work)


def _on_threads(blocks: list[Rows], workers: int, work: Callable[[Rows], _Part]) -> list[_Part]:
    if workers == 1 or len(blocks) < 2:
        return [work(rows) for rows in blocks]
    with ThreadPoolExecutor(min(workers, len(blocks))) as pool:
        return list(pool.map(work, blocks))


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
