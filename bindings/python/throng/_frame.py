"""Frames: snapshots of all agents, which never change."""

from __future__ import annotations

import ctypes
import operator
from types import TracebackType
from typing import Optional

from . import _errors, _handles, _library, _structs
from ._handles import Handle
from ._library import library
from ._queries.casts import CastQueries
from ._queries.neighbours import Neighbours
from ._queries.overlaps import Overlaps
from ._queries.pairs import PairQueries


class Frame(Overlaps, PairQueries, Neighbours, CastQueries):
    """A snapshot of all agents, from `Engine.frame`. It never changes, and any thread may ask it, also while
    the next is made.

    The engine cannot reuse the memory of a frame that you hold: take the new one in each step. `with` lets go
    of one early.
    """

    __slots__ = ("_handle",)

    def __init__(self) -> None:
        raise TypeError("frames come from engines: engine.frame")

    def __len__(self) -> int:
        """How many agents it has."""
        return int(library.throng_frame_size(self._handle))

    @property
    def id_bound(self) -> int:
        """One more than the largest id."""
        return int(library.throng_frame_id_bound(self._handle))

    @property
    def number(self) -> int:
        """Which of the engine's frames it is, counted from 1."""
        return int(library.throng_frame_number(self._handle))

    @property
    def fingerprint(self) -> int:
        """A hash of all agents."""
        return int(library.throng_frame_fingerprint(self._handle))

    @property
    def static_layer(self) -> Frame:
        """What never moves, as a frame of its own."""
        layer = ctypes.c_void_p()
        _errors.call(library.throng_frame_static_layer, self._handle, ctypes.byref(layer))
        return frame_of(Handle(layer.value or 0, library.throng_frame_release))

    def box(self, id: int) -> tuple[float, float, float, float]:
        """The box of an agent: min_x, min_y, max_x, max_y. The first call makes a table of all agents."""
        box = _structs.Box()
        _errors.call(library.throng_frame_agent_box, self._handle, _id(id), ctypes.byref(box))
        return box.min_x, box.min_y, box.max_x, box.max_y

    def label(self, id: int) -> tuple[int, int]:
        """The categories and the group of an agent; -1 without a group."""
        label = _structs.Label()
        _errors.call(library.throng_frame_agent_label, self._handle, _id(id), ctypes.byref(label))
        return label.categories, -1 if label.group == _library.ALL else label.group

    def close(self) -> None:
        """Lets go of the snapshot. Results live on."""
        self._handle = _handles.CLOSED

    def __enter__(self) -> Frame:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is _handles.CLOSED:
            return "<throng.Frame: closed>"
        return f"<throng.Frame {self.number}: {len(self)} agents>"


def frame_of(handle: Handle) -> Frame:
    frame = Frame.__new__(Frame)
    frame._handle = handle
    return frame


def _id(given: int) -> int:
    number = operator.index(given)
    # Whatever is no id at all is one that no agent has.
    return number if 0 <= number <= _library.NO_AGENT else _library.NO_AGENT
