"""Which agents overlap a box or another shape, how many, and whether any does."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from .. import _arguments, _singles
from .._arguments import Shapes
from .._arrays import address, AgentsAs, Array, Copy, Halves, Rows
from .._ids import checked
from .._native import structs
from .._native.errors import call
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
        if out is None and not (as_found or self._with_static):
            one = _one(shapes, filter, self._place)
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
            output = (address(ids), room, ctypes.byref(total))
            call(_OVERLAPS[one.calls], self._handle, one.struct, its_filter, *output)
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
        shapes = Shapes(boxes, min, max, centre, half, circles, segments, polygons, agents_as)
        one = None if out is not None else _one(shapes, filter, self._place)
        if one is not None:
            total = ctypes.c_uint64()
            call(_COUNT[one.calls], self._handle, one.struct, self._filter(filter), ctypes.byref(total))
            return total.value
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
        shapes = Shapes(boxes, min, max, centre, half, circles, segments, polygons, agents_as)
        one = None if out is not None else _one(shapes, filter, self._place)
        if one is not None:
            found = ctypes.c_int32()
            call(_ANY[one.calls], self._handle, one.struct, self._filter(filter), ctypes.byref(found))
            return found.value != 0
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


class _One(NamedTuple):
    """A box or a circle, and the names of its calls."""

    struct: Union[structs.Box, structs.Shape]
    calls: str


def _one(shapes: Shapes, filter: Optional[Filter], place: Place) -> Optional[_One]:
    """Any other query."""
    if is_of_batch(filter) or sum(each is not None for each in shapes[:-1]) != 1:
        return None
    if shapes.boxes is not None:
        box = _singles.box(shapes.boxes, place)
        return None if box is None else _One(box, "")
    if shapes.circles is None:
        return None
    circle = _singles.circle(shapes.circles, what_agents_are(shapes.agents_as), place)
    return None if circle is None else _One(circle, "_shape")
