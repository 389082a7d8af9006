"""Queries without an engine, for few queries: boxes in arrays, and queries or points.

Answers are those of an engine that was updated with the boxes, but each list is in ascending order. An engine
is faster from about three small queries for each thousand agents. `threads` is how many work at once, or None
for all cores.

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
from ._arrays import address, AgentsAs, Copy, Numbers, Rows
from ._engine.engine import configuration
from ._native.errors import call
from ._native.library import library
from ._native.memory import HITS, NEIGHBOURS
from ._origin import ZERO, Origin, chosen, count_from, has_doubles
from ._queries import asked, neighbours as _neighbours
from ._results import Counts, Lists, Nearest, table_of


def overlaps(
    boxes: Rows,
    queries: Rows,
    *,
    threads: Optional[int] = None,
    dtype: Any = None,
    out: Optional[Lists] = None,
    copy: Copy = None,
) -> Lists:
    """Which boxes (n, 4) overlap each of the queries (m, 4)."""
    asks = (*_from_one_origin(_boxes(boxes, copy), _boxes(queries, copy)), configuration(threads))
    lists = asked.result(Lists, out, dtype)
    lists._fill(HITS, lambda into: call(library.throng_arrays_overlaps_of, *asks, into))
    lists._columns = asks[0].count
    return lists._told(None, False)


def count(boxes: Rows, queries: Rows, *, threads: Optional[int] = None, copy: Copy = None) -> Counts:
    """How many boxes overlap each of the queries."""
    asks = (*_from_one_origin(_boxes(boxes, copy), _boxes(queries, copy)), configuration(threads))
    counts = np.empty(asks[1].count, np.int32)
    call(library.throng_arrays_count_of, *asks, address(counts), len(counts))
    return counts


def any(
    boxes: Rows, queries: Any, *, threads: Optional[int] = None, copy: Copy = None
) -> npt.NDArray[np.bool_]:
    """Whether any box overlaps each of the queries."""
    asks = (*_from_one_origin(_boxes(boxes, copy), _boxes(queries, copy)), configuration(threads))
    answers = np.empty(asks[1].count, np.bool_)
    call(library.throng_arrays_any_of, *asks, address(answers), len(answers))
    return answers


def neighbours(
    boxes: Rows,
    points: Rows,
    *,
    radius: Numbers,
    agents_as: AgentsAs = "centres",
    distances: bool = False,
    threads: Optional[int] = None,
    dtype: Any = None,
    out: Optional[Lists] = None,
    copy: Copy = None,
) -> Lists:
    """All boxes within a radius of each of the points (m, 2), by their centres."""
    wanted = _neighbours._within(radius, agents_as, copy, distances=distances)
    places = _from_one_origin(_boxes(boxes, copy), _arguments.points(points, copy))
    asks = (*places, wanted, configuration(threads))
    lists = asked.result(Lists, out, dtype)
    lists._fill(NEIGHBOURS, lambda into: call(library.throng_arrays_neighbours_within_of, *asks, into))
    lists._columns = asks[0].count
    return lists._told(None, False)


def nearest(
    boxes: Rows,
    points: Rows,
    k: int = 1,
    *,
    radius: Optional[Numbers] = None,
    agents_as: AgentsAs = "centres",
    threads: Optional[int] = None,
    dtype: Any = None,
    out: Optional[Lists] = None,
    copy: Copy = None,
) -> Nearest:
    """The k nearest boxes of each of the points (m, 2), as in `Frame.nearest`."""
    wanted = _neighbours._nearest(k, radius, agents_as, False, copy)
    wanted.distances = True
    places = _from_one_origin(_boxes(boxes, copy), _arguments.points(points, copy))
    asks = (*places, wanted, configuration(threads))
    lists = asked.result(Lists, out, dtype)
    lists._fill(NEIGHBOURS, lambda into: call(library.throng_arrays_neighbours_nearest_of, *asks, into))
    return table_of(lists, k, out is None)


def _from_one_origin(boxes: Any, asked: Any) -> tuple[Any, Any]:
    """float64 boxes and their queries, counted from a point amid the boxes."""
    if has_doubles(boxes):
        choice = chosen(boxes, ZERO)
        count_from(Origin(choice.x, choice.y), boxes, asked)
    return boxes, asked


def _boxes(given: Any, copy: Copy) -> Any:
    return _arguments.boxes(Shapes(given), copy)
