"""What never moves, such as walls."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

from .. import _arguments
from .._arguments import Shapes
from .._arrays import Copy, number
from .._frame import Frame, frame_of
from .._native import errors
from .._native.handles import Handle
from .._native.library import library
from .writer import Writer


class StaticLayer:
    """What never moves: built once, and shared by the frames of one or more engines. Its elements have ids of
    their own, from 0.

    Boxes are given as in `Engine.update_boxes`. It is built on the threads of the engine that is given, or of
    one like Engine().

    >>> import throng
    >>> engine = throng.Engine()
    >>> engine.static_layer = throng.StaticLayer([(0, 0, 10, 1), (0, 0, 1, 10)])
    >>> engine.update([(0, 5)], radius=2)
    >>> engine.frame.pairs_with(engine.frame.static_layer)
    array([[0, 1]])
    """

    __slots__ = ("_handle",)

    def __init__(
        self,
        boxes: Any = None,
        *,
        min: Any = None,
        max: Any = None,
        centre: Any = None,
        half: Any = None,
        categories: Any = None,
        groups: Any = None,
        engine: Optional[Writer] = None,
        copy: Copy = None,
    ) -> None:
        struct = _arguments.boxes(Shapes(boxes, min, max, centre, half), copy)
        labels = _arguments.labels(struct.count, categories, groups, copy)
        its_engine = None if engine is None else engine._handle
        self._make(library.throng_static_layer_create, its_engine, struct, labels)

    def _make(self, function: Any, *arguments: Any) -> None:
        layer = ctypes.c_void_p()
        errors.call(function, *arguments, ctypes.byref(layer))
        self._handle = Handle(layer.value or 0, library.throng_static_layer_destroy)

    def rebased(self, dx: float, dy: float) -> StaticLayer:
        """The same elements in a layer of their own, with (dx, dy) subtracted, as `Engine.rebase` does it."""
        layer = StaticLayer.__new__(StaticLayer)
        layer._make(library.throng_static_layer_rebased, self._handle, number("dx", dx), number("dy", dy))
        return layer

    @property
    def frame(self) -> Frame:
        """Its elements as a frame, which can be asked what any frame can."""
        frame = ctypes.c_void_p()
        errors.call(library.throng_static_layer_frame, self._handle, ctypes.byref(frame))
        return frame_of(Handle(frame.value or 0, library.throng_frame_release))

    def __len__(self) -> int:
        return len(self.frame)

    def __repr__(self) -> str:
        return f"<throng.StaticLayer: {len(self)} elements>"
