"""What never moves, such as walls."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

import numpy as np

from .. import _arguments
from .._arguments import Shapes
from .._arrays import Copy, Halves, Heights, Integers, number, Rows
from .._frame import Frame, frame_of, parts_of
from .._native import errors
from .._native.handles import Handle
from .._native.library import library
from .._origin import ZERO, Origin, Place, best, chosen, count_from, fold_along, given_origin
from .writer import Writer


class StaticLayer:
    """What never moves: built once, and shared by the frames of one or more engines. Its elements have ids of
    their own, from 0.

    Boxes are given as in `Engine.update_boxes`. It is built on the threads of the given engine, or of one
    like Engine(). Without a given origin, one is chosen as for an engine. An engine with another origin makes
    the layer once more for its own.

    >>> import throng
    >>> engine = throng.Engine()
    >>> engine.static_layer = throng.StaticLayer([(0, 0, 10, 1), (0, 0, 1, 10)])
    >>> engine.update([(0, 5)], radius=2)
    >>> engine.frame.pairs_with(engine.frame.static_layer)
    array([[0, 1]])
    """

    __slots__ = ("_handle", "_place", "_elsewhere", "__weakref__")

    def __init__(
        self,
        boxes: Optional[Rows] = None,
        *,
        min: Optional[Rows] = None,
        max: Optional[Rows] = None,
        centre: Optional[Rows] = None,
        half: Optional[Halves] = None,
        categories: Optional[Integers] = None,
        groups: Optional[Integers] = None,
        heights: Optional[Heights] = None,
        engine: Optional[Writer] = None,
        origin: Optional[tuple[float, float]] = None,
        copy: Copy = None,
    ) -> None:
        struct = _arguments.boxes(Shapes(boxes, min, max, centre, half), copy)
        _arguments.at_heights(struct, heights, copy)
        labels = _arguments.labels(struct.count, categories, groups, copy)
        its_engine = None if engine is None else engine._handle
        place = Place() if engine is None else Place(engine._place.origin)
        if origin is not None:
            place = Place(given_origin(origin) or ZERO)
        elif engine is None or not engine._is_fixed:
            place = best(struct, place)
        place.spread = chosen(struct, place.origin).spread
        count_from(place.origin, struct)
        self._make(place, library.throng_static_layer_create, its_engine, struct, labels)

    def _make(self, place: Place, function: Any, *arguments: Any) -> None:
        self._place = place
        self._elsewhere: Optional[StaticLayer] = None
        layer = ctypes.c_void_p()
        errors.call(function, *arguments, ctypes.byref(layer))
        self._handle = Handle(layer.value or 0, library.throng_static_layer_destroy)

    def rebased(self, dx: float, dy: float) -> StaticLayer:
        """Another layer: the same elements with (dx, dy) subtracted, as in `Engine.rebase`."""
        layer = StaticLayer.__new__(StaticLayer)
        x, y = self._place.origin
        if self._place.origin == ZERO:
            shift = (number("dx", dx), number("dy", dy))
        else:  # the origin goes along, which rounds nothing
            shift, x, y = (0, 0), x - float(dx), y - float(dy)
        layer._make(Place(Origin(x, y)), library.throng_static_layer_rebased, self._handle, *shift)
        return layer

    def _at(self, place: Place) -> Handle:
        """The same elements, for an engine that counts from another origin: made once, and kept."""
        if place.origin == self._place.origin:
            return self._handle
        kept = self._elsewhere
        if kept is None or (kept._place.origin, kept._place.period) != (place.origin, place.period):
            parts = parts_of(self.frame)
            del parts["ids"]  # which are those from 0 on
            parts["boxes"] = parts["boxes"].astype(np.float64)
            for axis, size in enumerate(place.period or ()):
                edges = parts["boxes"][:, axis::2] - place.origin[axis]
                middles = edges.mean(axis=1, keepdims=True)
                parts["boxes"][:, axis::2] = fold_along(middles, edges, size) + place.origin[axis]
            kept = self._elsewhere = StaticLayer(**parts, origin=place.origin)
            kept._place.period = place.period
        return kept._handle

    @property
    def frame(self) -> Frame:
        """Its elements as a frame, with all queries of frames."""
        frame = ctypes.c_void_p()
        errors.call(library.throng_static_layer_frame, self._handle, ctypes.byref(frame))
        return frame_of(Handle(frame.value or 0, library.throng_frame_release), self._place)

    def __len__(self) -> int:
        return len(self.frame)

    def __reduce__(self) -> Any:
        parts = parts_of(self.frame, in_floats=True)
        del parts["ids"]  # which are those from 0 on
        return _layer_of, (parts, self._place.origin)

    def __repr__(self) -> str:
        return f"<throng.StaticLayer: {len(self)} elements>"


def _layer_of(parts: dict[str, Any], origin: tuple[float, float]) -> StaticLayer:
    layer = StaticLayer(**parts)  # as they lie in the library, to the last bit
    layer._place.origin = Origin(*origin)
    return layer
