"""Which agents overlap a box, how many, and whether any does."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from .. import _arguments, _library, _structs
from .._arguments import Shapes
from .._arrays import Array, Copy, address
from .._errors import call
from .._library import library
from .._memory import HITS
from .._results import Ids, Lists
from . import asked
from .filter import Filter, filter_struct

# Room for the answers of one query; if there are more, it is asked again.
_room = 64


class Overlaps(asked.Asked):
    """Boxes are given as (m, 4) of min_x, min_y, max_x, max_y, as four columns, as min and max, or as centre
    and half.

    Boxes are closed: what only touches, overlaps. A single box, such as (0, 0, 1, 1), gets a single answer:
    an array of ids, an int or a bool, and many get Lists or an array.
    """

    __slots__ = ()

    def overlaps(
        self,
        boxes: Any = None,
        *,
        min: Any = None,
        max: Any = None,
        centre: Any = None,
        half: Any = None,
        filter: Optional[Filter] = None,
        out: Optional[Lists] = None,
        copy: Copy = None,
    ) -> Any:
        """The ids of the agents that overlap each box.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (9, 9)], radius=0.5)
        >>> engine.frame.overlaps((0, 0, 2, 2))
        array([0, 1], dtype=int32)
        >>> hits = engine.frame.overlaps([(0, 0, 2, 2), (8, 8, 9, 9)])
        >>> [ids.tolist() for ids in hits]
        [[0, 1], [2]]
        """
        struct = _arguments.boxes(Shapes(boxes, min, max, centre, half), copy, one_allowed=True)
        its_filter = filter_struct(filter)
        if struct.is_one and out is None and struct.form == _library.MIN_MAX:
            return self._overlaps_one(_arguments.one_box(struct), its_filter)
        lists = asked.result(Lists, out)
        lists._fill(
            HITS, lambda hits: call(library.throng_frame_overlaps_of, self._handle, struct, its_filter, hits)
        )
        lists._columns = library.throng_frame_id_bound(self._handle)
        return lists[0] if struct.is_one and out is None else lists

    def _overlaps_one(self, box: _structs.Box, its_filter: Optional[_structs.Filter]) -> Ids:
        total = ctypes.c_uint64()
        room = _room
        while True:
            ids = np.empty(room, np.int32)
            call(
                library.throng_frame_overlaps,
                self._handle,
                box,
                its_filter,
                address(ids),
                room,
                ctypes.byref(total),
            )
            if total.value <= room:
                return ids[: total.value]
            room = total.value

    def count(
        self,
        boxes: Any = None,
        *,
        min: Any = None,
        max: Any = None,
        centre: Any = None,
        half: Any = None,
        filter: Optional[Filter] = None,
        out: Optional[Ids] = None,
        copy: Copy = None,
    ) -> Any:
        """How many agents overlap each box. `out` may be an int32 array of as many elements.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (9, 9)], radius=0.5)
        >>> engine.frame.count((0, 0, 2, 2))
        2
        >>> engine.frame.count(centre=[(0, 0), (9, 9)], half=4)
        array([2, 1], dtype=int32)
        """
        struct = _arguments.boxes(Shapes(boxes, min, max, centre, half), copy, one_allowed=True)
        counts = self._of_each(library.throng_frame_count_of, struct, filter, out, np.int32)
        return int(counts[0]) if struct.is_one else counts

    def any(
        self,
        boxes: Any = None,
        *,
        min: Any = None,
        max: Any = None,
        centre: Any = None,
        half: Any = None,
        filter: Optional[Filter] = None,
        out: Optional[npt.NDArray[np.bool_]] = None,
        copy: Copy = None,
    ) -> Any:
        """Whether any agent overlaps each box. `out` may be an array of as many bools.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (9, 9)], radius=0.5)
        >>> engine.frame.any([(0, 0, 2, 2), (4, 4, 5, 5)])
        array([ True, False])
        """
        struct = _arguments.boxes(Shapes(boxes, min, max, centre, half), copy, one_allowed=True)
        answers = self._of_each(library.throng_frame_any_of, struct, filter, out, np.bool_)
        return bool(answers[0]) if struct.is_one else answers

    def _of_each(
        self,
        function: Any,
        struct: _structs.Boxes,
        filter: Optional[Filter],
        out: Optional[Array],
        dtype: Any,
    ) -> Array:
        answers = asked.array(out, struct.count, dtype)
        call(function, self._handle, struct, filter_struct(filter), address(answers), len(answers))
        return answers
