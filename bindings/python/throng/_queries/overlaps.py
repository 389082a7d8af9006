"""Which agents overlap a box or another shape, how many, and whether any does."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from .. import _arguments, _singles
from .._arguments import Shapes
from .._arrays import address, AgentsAs, Array, Copy, Halves, Rows
from .._ids import checked
from .._native import structs
from .._native.errors import ask, call
from .._native.library import initialised, library
from .._native.memory import AS_FOUND, HITS
from .._origin import Place
from .._results import Counts, Lists
from .._shapes import what_agents_are
from . import asked
from .filter import Filter, is_of_batch

# Room for the answers of one query; if there are more, it is asked again.
_room = 64
# The calls for one box, and for one shape.
_OVERLAPS, _COUNT, _ANY = (
    {kind: getattr(library, f"throng_frame_{name}{kind}") for kind in ("", "_shape")} for name in ("overlaps", "count", "any")
)


class Explanation(NamedTuple):
    """What a batch would examine."""

    queries: int
    rows: int
    cells: int
    tested: int
    covered: int
    islands: int
    nodes: int
    oversized: int
    hits: int


class Overlaps(asked.Asked):
    """Queries are boxes as (m, 4) of min_x, min_y, max_x, max_y, as four columns, as min and max, or as
    centre and half. Or they are circles, (m, 3) of x, y and radius; segments, (m, 5) of x, y, to_x, to_y and
    radius; or polygons, each (k, 2), convex, with up to 32 corners. For a circle, agents are boxes, or with
    `agents_as` their "centres" or the largest "circles" in them.

    All are closed: to touch is to overlap. A single query, such as the box (0, 0, 1, 1), gets a single
    answer: an array of ids, an int or a bool. Many get Lists or an array.
    """

    __slots__ = ()

    def overlaps(
        self,
        boxes: Optional[Rows] = None,
        *,
        min: Optional[Rows] = None,
        max: Optional[Rows] = None,
        centre: Optional[Rows] = None,
        half: Optional[Halves] = None,
        circles: Optional[Rows] = None,
        segments: Optional[Rows] = None,
        polygons: Any = None,
        agents_as: AgentsAs = "boxes",
        as_found: bool = False,
        sort: bool = False,
        filter: Optional[Filter] = None,
        dtype: Any = None,
        out: Any = None,
        copy: Copy = None,
    ) -> Any:
        """The ids of the agents that overlap each query. With as_found, the lists are in the order in which
        they were found, which is the fastest; `queries` of the result tells which query each list belongs to.
        With `sort`, the ids of each list ascend; otherwise their order follows from the engine's history.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (9, 9)], radius=0.5)
        >>> engine.frame.overlaps((0, 0, 2, 2))
        array([0, 1])
        >>> hits = engine.frame.overlaps([(0, 0, 2, 2), (8, 8, 9, 9)])
        >>> [ids.tolist() for ids in hits]
        [[0, 1], [2]]
        >>> engine.frame.overlaps(circles=(9, 7, 1.5))
        array([2])
        >>> engine.frame.overlaps(polygons=[(0, 0), (10, 0), (0, 4)])
        array([0, 1])
        """
        shapes = Shapes(boxes, min, max, centre, half, circles, segments, polygons, agents_as)
        if out is None and not (as_found or self._with_static) and _are_none(shapes):
            one = _one(boxes, circles, agents_as, filter, self._place)
            if one is not None:
                ids = self._overlaps_one(one, self._filter(filter)).astype(checked(dtype))
                return np.sort(ids) if sort else ids
        struct = _arguments.queries(shapes, copy, self._place)
        kind, name = (AS_FOUND, "overlaps_as_found") if as_found else (HITS, "overlaps_of")
        is_one = struct.is_one
        return self._lists(kind, name, struct, filter=filter, out=out, dtype=dtype, is_one=is_one, sort=sort)

    def _overlaps_one(self, one: _One, its_filter: Optional[structs.Filter]) -> Counts:
        total = ctypes.c_uint64()
        room = _room
        while True:
            ids = np.empty(room, np.int32)
            ask(_OVERLAPS[one[1]], self._handle, one[0], its_filter, address(ids), room, total)
            if total.value <= room:
                return ids[: total.value]
            room = total.value

    def count(
        self,
        boxes: Optional[Rows] = None,
        *,
        min: Optional[Rows] = None,
        max: Optional[Rows] = None,
        centre: Optional[Rows] = None,
        half: Optional[Halves] = None,
        circles: Optional[Rows] = None,
        segments: Optional[Rows] = None,
        polygons: Any = None,
        agents_as: AgentsAs = "boxes",
        filter: Optional[Filter] = None,
        out: Optional[Counts] = None,
        copy: Copy = None,
    ) -> Any:
        """How many agents overlap each query. `out` may be an int32 array of as many elements.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (9, 9)], radius=0.5)
        >>> engine.frame.count((0, 0, 2, 2))
        2
        >>> engine.frame.count(centre=[(0, 0), (9, 9)], half=4)
        array([2, 1], dtype=int32)
        """
        if out is min is max is centre is half is segments is polygons is None:
            one = _one(boxes, circles, agents_as, filter, self._place)
            if one is not None:
                total = ctypes.c_uint64()
                ask(_COUNT[one[1]], self._handle, one[0], self._filter(filter), total)
                return total.value
        shapes = Shapes(boxes, min, max, centre, half, circles, segments, polygons, agents_as)
        struct = _arguments.queries(shapes, copy, self._place)
        counts = self._of_each(library.throng_frame_count_of, struct, filter, out, np.int32)
        return int(counts[0]) if struct.is_one else counts

    def any(
        self,
        boxes: Optional[Rows] = None,
        *,
        min: Optional[Rows] = None,
        max: Optional[Rows] = None,
        centre: Optional[Rows] = None,
        half: Optional[Halves] = None,
        circles: Optional[Rows] = None,
        segments: Optional[Rows] = None,
        polygons: Any = None,
        agents_as: AgentsAs = "boxes",
        filter: Optional[Filter] = None,
        out: Optional[npt.NDArray[np.bool_]] = None,
        copy: Copy = None,
    ) -> Any:
        """Whether any agent overlaps each query. `out` may be an array of as many bools.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (9, 9)], radius=0.5)
        >>> engine.frame.any([(0, 0, 2, 2), (4, 4, 5, 5)])
        array([ True, False])
        """
        if out is min is max is centre is half is segments is polygons is None:
            one = _one(boxes, circles, agents_as, filter, self._place)
            if one is not None:
                found = ctypes.c_int32()
                ask(_ANY[one[1]], self._handle, one[0], self._filter(filter), found)
                return found.value != 0
        shapes = Shapes(boxes, min, max, centre, half, circles, segments, polygons, agents_as)
        struct = _arguments.queries(shapes, copy, self._place)
        answers = self._of_each(library.throng_frame_any_of, struct, filter, out, np.bool_)
        return bool(answers[0]) if struct.is_one else answers

    def _of_each(
        self, function: Any, struct: structs.Boxes, filter: Optional[Filter], out: Optional[Array], dtype: Any
    ) -> Array:
        answers = asked.array(out, struct.count, dtype)
        call(function, self._handle, struct, self._filter(filter), address(answers), len(answers))
        return answers

    def explain(self, boxes: Rows, *, filter: Optional[Filter] = None) -> Explanation:
        """What a batch of boxes would examine. The numbers describe internals, and may change."""
        struct = _arguments.queries(Shapes(boxes), None, self._place)
        report = initialised(structs.Explanation)
        call(library.throng_frame_explain, self._handle, struct, self._filter(filter), report)
        return Explanation(*(getattr(report, name) for name in Explanation._fields))


# A box or a circle, and what the names of its calls end with.
_One = Tuple[Union[structs.Box, structs.Shape], str]


def _are_none(shapes: Shapes) -> bool:
    """Whether there are only boxes or circles."""
    _, min, max, centre, half, _, segments, polygons, _ = shapes
    return min is max is centre is half is segments is polygons is None


def _one(
    boxes: Any, circles: Any, agents_as: AgentsAs, filter: Optional[Filter], place: Place
) -> Optional[_One]:
    """A single query of a kind that is often asked in a loop."""
    if filter is not None and is_of_batch(filter):
        return None
    if boxes is not None:
        box = None if circles is not None else _singles.box(boxes, place)
        return None if box is None else (box, "")
    circle = None if circles is None else _singles.circle(circles, what_agents_are(agents_as), place)
    return None if circle is None else (circle, "_shape")
