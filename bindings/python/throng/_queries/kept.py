"""Neighbours that are kept from frame to frame."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .._arrays import number
from .._native import structs
from .._native.errors import call
from .._native.handles import Handle
from .._native.library import initialised, library
from .._native.memory import KEPT, Filling
from .._results import Lists


class KeptNeighbours(Lists):
    """Neighbour lists that are kept from frame to frame, known as Verlet lists. List i has every agent within
    the radius of agent i that shares a height with it, and maybe others: it is made with radius + skin, and
    agents in it may have gone far away since. If little moves, most calls make no search.

    Its arrays are read-only views of memory that the next `update` changes. While there are any, `update`
    raises BufferError: delete them, or copy them. Ids are int32, as in memory; with dtype=np.intp the first
    read after an update copies them.

    >>> import throng
    >>> engine, kept = throng.Engine(), throng.KeptNeighbours(radius=2, skin=0.5)
    >>> for x in (1, 1.125):
    ...     engine.update([(0, 0), (x, 0), (9, 9)])
    ...     kept.update(engine.frame)
    ...     print(kept[0], kept.was_rebuilt)
    [1] True
    [1] False
    """

    __slots__ = ("_kept",)

    def __init__(self, *, radius: float, skin: float, half: bool = False, dtype: Any = np.int32) -> None:
        super().__init__(dtype)
        wanted = initialised(structs.KeptNeighbourhood)
        wanted.radius, wanted.skin = number("radius", radius), number("skin", skin)
        wanted.half = bool(half)
        address = ctypes.c_void_p()
        call(library.throng_kept_neighbours_create, None, wanted, ctypes.byref(address))
        self._kept = Filling(KEPT, Handle(address.value or 0, KEPT.destroy))
        self._filling = self._kept

    def update(self, frame: Any) -> None:
        """Completes the lists for a frame, or makes them again."""
        frame._check_bound("kept lists", "ask for lists in_row_order")
        self._change(lambda: call(library.throng_frame_neighbours_kept, frame._handle, self._kept.handle))
        self._columns, self._period = frame.id_bound, frame._place.period

    def clear(self) -> None:
        """Forgets the lists."""
        self._change(lambda: library.throng_kept_neighbours_clear(self._kept.handle))

    def _change(self, change: Any) -> None:
        with self._lock:
            if self._filling is None:
                raise BufferError("the handler of a signal cannot change kept lists while its thread changes them")
            # Its own arrays do not count.
            self._arrays = {}
            if self._kept.is_exported():
                raise BufferError("arrays of the kept lists are in use: delete them, or copy them")
            self._filling = None
            try:
                change()
            finally:
                self._filling, self._arrays = self._kept, {}

    @property
    def was_rebuilt(self) -> bool:
        """Whether the last call made the lists again."""
        with self._lock:
            return bool(library.throng_kept_neighbours_was_rebuilt(self._kept.handle))

    @property
    def times_rebuilt(self) -> int:
        """How many calls made lists so far."""
        with self._lock:
            return int(library.throng_kept_neighbours_times_rebuilt(self._kept.handle))

    def _fill(self, kind: Any, call: Any, like: Any = None) -> None:
        raise TypeError("kept lists are filled by their update alone")
