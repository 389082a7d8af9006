"""Queries without an engine, for those who ask little: boxes in arrays, and queries or points.

Answers are those of an engine that was updated with the boxes, but each list is in ascending order. An engine
pays from about three small queries for each thousand agents on. `threads` is None for all cores, or 1 for the
calling thread.

>>> import throng.arrays
>>> boxes = [(0, 0, 1, 1), (1, 1, 2, 2), (8, 8, 9, 9)]
>>> throng.arrays.overlaps(boxes, [(0, 0, 5, 5)]).ids
array([0, 1])
>>> throng.arrays.nearest(boxes, [(7, 7)], k=2).ids
array([[2, 1]])
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from . import _arguments
from ._arguments import Shapes
from ._arrays import Copy, address
from ._engine.engine import configuration
from ._native.errors import call
from ._native.library import library
from ._native.memory import HITS, NEIGHBOURS
from ._queries import asked, neighbours as _neighbours
from ._results import Counts, Lists, Nearest, table_of


def overlaps(
    boxes: Any,
    queries: Any,
    *,
    threads: Optional[int] = None,
    dtype: Any = None,
    out: Optional[Lists] = None,
    copy: Copy = None,
) -> Lists:
    """Which boxes (n, 4) overlap each of the queries (m, 4)."""
    asks = (_boxes(boxes, copy), _boxes(queries, copy), configuration(threads))
    lists = asked.result(Lists, out, dtype)
    lists._fill(HITS, lambda into: call(library.throng_arrays_overlaps_of, *asks, into))
    lists._columns = asks[0].count
    return lists


def count(boxes: Any, queries: Any, *, threads: Optional[int] = None, copy: Copy = None) -> Counts:
    """How many boxes overlap each of the queries."""
    asks = (_boxes(boxes, copy), _boxes(queries, copy), configuration(threads))
    counts = np.empty(asks[1].count, np.int32)
    call(library.throng_arrays_count_of, *asks, address(counts), len(counts))
    return counts


def any(
    boxes: Any, queries: Any, *, threads: Optional[int] = None, copy: Copy = None
) -> npt.NDArray[np.bool_]:
    """Whether any box overlaps each of the queries."""
    asks = (_boxes(boxes, copy), _boxes(queries, copy), configuration(threads))
    answers = np.empty(asks[1].count, np.bool_)
    call(library.throng_arrays_any_of, *asks, address(answers), len(answers))
    return answers


def neighbours(
    boxes: Any,
    points: Any,
    *,
    radius: Any,
    agents_as: str = "centres",
    distances: bool = False,
    threads: Optional[int] = None,
    dtype: Any = None,
    out: Optional[Lists] = None,
    copy: Copy = None,
) -> Lists:
    """All boxes within a radius of each of the points (m, 2), by their centres."""
    wanted = _neighbours._within(radius, agents_as, False, copy)
    wanted.distances = bool(distances)
    asks = (_boxes(boxes, copy), _arguments.points(points, copy), wanted, configuration(threads))
    lists = asked.result(Lists, out, dtype)
    lists._fill(NEIGHBOURS, lambda into: call(library.throng_arrays_neighbours_within_of, *asks, into))
    lists._columns = asks[0].count
    return lists


def nearest(
    boxes: Any,
    points: Any,
    k: int = 1,
    *,
    radius: Any = None,
    agents_as: str = "centres",
    threads: Optional[int] = None,
    dtype: Any = None,
    out: Optional[Lists] = None,
    copy: Copy = None,
) -> Nearest:
    """The k nearest boxes of each of the points (m, 2), as in `Frame.nearest`."""
    wanted = _neighbours._nearest(k, radius, agents_as, False, copy)
    wanted.distances = True
    asks = (_boxes(boxes, copy), _arguments.points(points, copy), wanted, configuration(threads))
    lists = asked.result(Lists, out, dtype)
    lists._fill(NEIGHBOURS, lambda into: call(library.throng_arrays_neighbours_nearest_of, *asks, into))
    return table_of(lists, k, out is None)


def _boxes(given: Any, copy: Copy) -> Any:
    return _arguments.boxes(Shapes(given), copy)
