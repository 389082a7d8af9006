"""The points of a KDTree, in its two indices, and blocks of queries.

The engine is several times as fast as any tree for many queries at once. It has float32, so it finds
candidates, and their distances are measured in doubles: see _places.py. The tree has doubles. It answers if
floats are not enough, or an engine is not worth its call:

- fewer than FEW queries;
- queries from outside the data's bounds for the nearest, and other queries from half the data's width
outside;
- radii so small beside the data's width that float32 would find much that is not within them; so also the k
nearest if many points share a place;
- queries for the nearest whose last place floats leave open, and all others if that is more than half of a
block;
- counts of very many points, since it counts whole branches, and of pairs of two trees.

Each is made when it is first needed, of all points, on one thread.
"""

from __future__ import annotations

import operator
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Optional, TypeVar

import numpy as np

from .._engine.engine import Engine
from .._frame import Frame
from .._results import Lists
from ._norms import Doubles, Points
from ._places import Floats, Mask, Places, at
from ._points import PointTree

FEW = 512
# Queries of a block, so that threads share the work, and Ctrl-C need not wait.
_queries, _queries_of_tree, _least_of_tree = 1 << 13, 1 << 15, 1 << 8
# A sample of points tells whether many share a place: how many, and how many others may be at their places.
_samples, _near, _crowd = 128, 2.0**-16, 64

_Part = TypeVar("_Part")


class Index:
    """Points, which never change. Any thread may ask it."""

    __slots__ = ("points", "places", "is_crowded", "_around", "_tree", "_frames", "_lock")

    def __init__(self, points: Points, around: tuple[float, float] = (0, 0)) -> None:
        """`around` is the distance once around the plane; zero: it does not wrap around."""
        self.points, self._around = points, around
        self.places = Places(points)
        self.is_crowded = False  # whether many points share a place, once there is a frame
        self._tree: Optional[PointTree] = None
        self._frames: dict[bool, Frame] = {}
        self._lock = threading.RLock()  # the handler of a signal may ask in the midst of a call of its own thread

    def bounds(self) -> tuple[Doubles, Doubles]:
        # By column, since NumPy is slow along the first of two axes.
        columns = (self.points.real, self.points.imag) if len(self.points) else (np.zeros(1),) * 2
        return np.array([each.min() for each in columns]), np.array([each.max() for each in columns])

    @property
    def tree(self) -> PointTree:
        if self._tree is None:
            with self._lock:
                self._tree = self._tree or PointTree(self.points, self._around)
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
        places, _ = self.places.put(self.points)
        engine = Engine(threads=1 if is_serial else None)
        engine.update(places)
        frame = engine.frame
        if len(places):
            sample = places[:: -(-len(places) // _samples)]
            self.is_crowded = float(frame.count(centre=sample, half=_near).mean()) > _crowd
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


def in_blocks(
    places: Floats, is_open: Mask, workers: int, by_engine: Callable[[Any, Lists], _Part]
) -> list[_Part]:
    """What that returns for blocks of the rows that are not open. It gets a result to reuse, too."""
    kept = threading.local()

    def block(rows: Any) -> _Part:
        if not hasattr(kept, "lists"):
            kept.lists = Lists()
        return by_engine(rows, kept.lists)

    rows = np.flatnonzero(~is_open)
    if len(rows) > _queries:
        # Near queries of a large block follow each other in time, which helps caches.
        cells = (at(places, rows) * np.float32(64) + np.float32(128)).astype(np.uint8)
        rows = rows[np.argsort(cells.view(np.uint16)[:, 0], kind="stable")]
    blocks = [rows[begin : begin + _queries] for begin in range(0, len(rows), _queries)]
    return _on_threads(blocks, workers, block)


def in_blocks_of_tree(is_open: Mask, workers: int, by_tree: Callable[[Any], _Part]) -> list[_Part]:
    """The same for the rows that are open, in slices if they are all. The tree sorts those of a block."""
    count = int(np.count_nonzero(is_open))
    size = min(_queries_of_tree, max(-(-count // workers), _least_of_tree))
    rows = None if count == len(is_open) else np.flatnonzero(is_open)
    parts: list[Any] = [slice(begin, min(begin + size, count)) for begin in range(0, count, size)]
    return _on_threads(parts if rows is None else [rows[part] for part in parts], workers, by_tree)


def _on_threads(blocks: list[Any], workers: int, work: Callable[[Any], _Part]) -> list[_Part]:
    if workers == 1 or len(blocks) < 2:
        return [work(rows) for rows in blocks]
    with ThreadPoolExecutor(min(workers, len(blocks))) as pool:
        return list(pool.map(work, blocks))


def one_or_each(values: Any, rows: Any) -> Any:
    """Radii: the one for all, or those of some rows."""
    return values if np.ndim(values) == 0 else values[rows]
