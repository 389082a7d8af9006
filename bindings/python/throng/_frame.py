"""Frames: snapshots of all agents, which never change."""

from __future__ import annotations

import ctypes
from types import TracebackType
from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from . import _arguments
from ._arrays import address, Array, Floats, Integers
from ._ids import Ids, as_type, checked
from ._native import errors, handles, kinds, structs
from ._native.handles import Handle
from ._native.library import library
from ._native.memory import empty
from ._origin import Origin, Place
from ._queries.casts import CastQueries
from ._queries.neighbours import Neighbours, OfAgents
from ._queries.overlaps import Overlaps
from ._queries.pairs import PairQueries


class Agents(NamedTuple):
    """All agents of a frame, row by row, in the order of answers."""

    ids: Ids
    boxes: Array


class BothLayers(Overlaps, Neighbours, CastQueries):
    """A frame together with its static layer. Lists of ids are two: of agents, and of elements. Counts are
    sums."""

    __slots__ = ("_handle", "_place", "_frame", "__weakref__")

    _with_static = True

    def __init__(self, frame: Frame) -> None:
        self._handle = frame._handle
        self._place = frame._place
        self._frame = frame

    def _elements_bound(self) -> int:
        return self._frame.static_layer.id_bound

    def __reduce__(self) -> Any:
        return BothLayers, (self._frame,)

    def __repr__(self) -> str:
        return f"{self._frame!r}, with its static layer"


class Frame(Overlaps, PairQueries, OfAgents, CastQueries):
    """A snapshot of all agents, from `Engine.frame`. It never changes, and any thread may query it, even
    while the next one is made.

    The engine cannot reuse the memory of a frame that you hold: take the new one in each step, or let go of
    it early by `with`. A frame can be pickled, with its static layer: the copy answers the same.

    Ids come out as np.intp. In every call that gives ids, dtype=np.int32 gives them as they are in memory,
    which is the fastest. So does a result of your own for `out`, such as throng.Pairs().
    """

    __slots__ = ("_handle", "_place", "_elsewhere", "__weakref__")

    _elsewhere: Optional[Frame]

    def __init__(self) -> None:
        raise TypeError("frames come from engines: engine.frame")

    def __len__(self) -> int:
        """How many agents it has."""
        return int(library.throng_frame_size(self._open()))

    @property
    def id_bound(self) -> int:
        """One more than the largest id."""
        return int(library.throng_frame_id_bound(self._open()))

    @property
    def origin(self) -> Origin:
        """The point that its float32 coordinates are counted from, as (x, y). All that you give and get is in
        your own coordinates."""
        return self._place.origin

    @property
    def period(self) -> Optional[tuple[float, float]]:
        """The distance around the world, as (x, y); 0 in a direction that does not wrap around; None if none
        does."""
        return self._place.period

    @property
    def number(self) -> int:
        """Which of the engine's frames it is, counted from 1."""
        return int(library.throng_frame_number(self._open()))

    @property
    def fingerprint(self) -> int:
        """A hash of all agents: ids, boxes, labels and heights, in any order, from any history. A copy by
        pickle has the same."""
        return int(library.throng_frame_agents_fingerprint(self._open()))

    @property
    def order_fingerprint(self) -> int:
        """A hash of all agents in the order of answers, which follows from the engine's history."""
        return int(library.throng_frame_fingerprint(self._open()))

    def _open(self) -> Handle:
        if self._handle is handles.CLOSED:
            raise ValueError("the frame is closed")
        return self._handle

    @property
    def static_layer(self) -> Frame:
        """The static layer as a frame of its own; without agents if there is none."""
        return self._other(library.throng_frame_static_layer)

    @property
    def with_static(self) -> BothLayers:
        """The same queries for agents and static layer together.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.static_layer = throng.StaticLayer([(4, -1, 5, 1)])
        >>> engine.update([(0, 0), (9, 0)])
        >>> engine.frame.blocked((0, 1), (9, 1)), engine.frame.with_static.blocked((0, 1), (9, 1))
        (False, True)
        >>> agents, elements = engine.frame.with_static.overlaps((0, 0, 9, 9))
        >>> agents, elements
        (array([0, 1]), array([0]))
        """
        return BothLayers(self)

    @property
    def serial(self) -> Frame:
        """The same frame, but its batches run on the calling thread: for use in a pool of your own
        threads."""
        return self._other(library.throng_frame_serial)

    def _other(self, function: Any) -> Frame:
        other = ctypes.c_void_p()
        errors.call(function, self._handle, ctypes.byref(other))
        return frame_of(Handle(other.value or 0, library.throng_frame_release), self._place)

    def _at(self, place: Place) -> Handle:
        if place.origin == self._place.origin:
            return self._handle
        kept = self._elsewhere  # made once, and kept
        if kept is None or kept._place.origin != place.origin:
            kept = self._elsewhere = _made(parts_of(self), place)
        return kept._handle

    # Agents.

    def box(self, id: int) -> tuple[float, float, float, float]:
        """The box of an agent: min_x, min_y, max_x, max_y. The first call makes a table of all agents."""
        box = structs.Box()
        errors.call(library.throng_frame_agent_box, self._handle, _arguments.one_id(id), box)
        x, y = self._place.origin
        return box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y

    def label(self, id: int) -> tuple[int, int]:
        """The categories and the group of an agent; -1 without a group."""
        label = structs.Label()
        errors.call(library.throng_frame_agent_label, self._handle, _arguments.one_id(id), label)
        return label.categories, -1 if label.group == kinds.ALL else label.group

    def height(self, id: int) -> tuple[float, float]:
        """The band of heights of an agent, from lowest to highest; infinite if it was given none."""
        band = structs.Band()
        errors.call(library.throng_frame_agent_height, self._handle, _arguments.one_id(id), band)
        return band.min_z, band.max_z

    def is_ghost(self, id: int) -> bool:
        """Whether an agent is a ghost, a copy of one that another engine owns; see `Engine.update`."""
        return bool(library.throng_frame_is_ghost(self._open(), _arguments.one_id(id)))

    @property
    def ghost_count(self) -> int:
        """How many agents are ghosts."""
        return int(library.throng_frame_ghost_count(self._open()))

    def boxes_of(self, ids: Integers) -> Array:
        """The boxes of agents, as (m, 4): float32, or float64 with an origin."""
        return self._place.add_to(self._floats_of(ids))

    def _floats_of(self, ids: Any) -> Floats:
        its_ids = _arguments.ids(ids, None)
        boxes = np.empty((len(its_ids), 4), np.float32)
        function = library.throng_frame_agent_boxes
        errors.call(function, self._handle, address(its_ids), len(its_ids), address(boxes), len(boxes))
        return boxes

    def labels_of(self, ids: Integers) -> npt.NDArray[np.uint32]:
        """The labels of agents, as (m, 2): categories, and groups, which are 4,294,967,295 without one."""
        its_ids = _arguments.ids(ids, None)
        labels = np.empty((len(its_ids), 2), np.uint32)
        function = library.throng_frame_agent_labels
        errors.call(function, self._handle, address(its_ids), len(its_ids), address(labels), len(labels))
        return labels

    def heights_of(self, ids: Integers) -> Floats:
        """The bands of heights of agents, as (m, 2)."""
        its_ids = _arguments.ids(ids, None)
        bands = np.empty((len(its_ids), 2), np.float32)
        function = library.throng_frame_agent_heights
        errors.call(function, self._handle, address(its_ids), len(its_ids), address(bands), len(bands))
        return bands

    def agents(self, *, dtype: Any = None) -> Agents:
        """All agents, with their boxes, as those of `boxes_of`. `dtype` is that of ids, as of queries.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0)], radius=1, ids=[7, 3])
        >>> ids, boxes = engine.frame.agents()
        >>> ids
        array([3, 7])
        >>> boxes[0]
        array([ 0., -1.,  2.,  1.], dtype=float32)
        """
        its_type = checked(dtype)
        ids, boxes = self._ids_and_floats()
        return Agents(as_type(ids, its_type), self._place.add_to(boxes))

    def _ids_and_floats(self) -> tuple[Ids, Floats]:
        ids, boxes = empty(len(self), np.int32), empty((len(self), 4), np.float32)
        errors.call(library.throng_frame_agents, self._handle, address(ids), address(boxes), len(ids))
        return ids, boxes

    def row_order(self, *, dtype: Any = None) -> Ids:
        """All ids in the order of `agents`, in which near agents follow each other: for `Engine.renumber`."""
        its_type, ids = checked(dtype), empty(len(self), np.int32)
        errors.call(library.throng_frame_row_order, self._handle, address(ids), len(ids))
        return as_type(ids, its_type)

    def __copy__(self) -> Frame:
        return frame_of(self._open(), self._place)

    def __deepcopy__(self, _: Any) -> Frame:
        return frame_of(self._open(), self._place)

    def __reduce__(self) -> Any:
        layer = self.static_layer
        layer_parts = parts_of(layer, in_floats=True) if len(layer) else None
        return _restored, (parts_of(self, in_floats=True), layer_parts, self.origin, self._place.period)

    # Its end.

    def close(self) -> None:
        """Lets go of the snapshot. Results live on."""
        self._handle = handles.CLOSED

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
        if self._handle is handles.CLOSED:
            return "<throng.Frame: closed>"
        return f"<throng.Frame {self.number}: {len(self)} agents{self._place.described()}>"


def frame_of(handle: Handle, place: Place) -> Frame:
    frame = Frame.__new__(Frame)
    frame._handle, frame._place, frame._elsewhere = handle, place, None
    return frame


def parts_of(frame: Frame, in_floats: bool = False) -> dict[str, Any]:
    """The parts of a frame, by ascending id, ghosts last: its boxes in the caller's coordinates, or in those
    of the library."""
    ids = np.sort(frame.row_order(dtype=np.int32))
    ghosts = frame.ghost_count
    if ghosts:
        ids = ids[np.argsort([frame.is_ghost(id) for id in ids], kind="stable")]
    labels = frame.labels_of(ids)
    boxes = frame._floats_of(ids) if in_floats else frame.boxes_of(ids)
    parts = {"ids": ids, "boxes": boxes, "categories": labels[:, 0], "groups": labels[:, 1]}
    heights = frame.heights_of(ids)
    if np.isfinite(heights).any() or (heights[:, 0] == heights[:, 1]).any():
        parts["heights"] = heights
    return {**parts, "owned": len(ids) - ghosts} if ghosts else parts


def _made(agents: dict[str, Any], place: Place) -> Frame:
    from ._engine.engine import Engine

    engine = Engine(origin=place.origin, period=place.period)
    engine.update_boxes(**agents)
    return engine.frame


def _restored(
    agents: dict[str, Any],
    layer: Optional[dict[str, Any]],
    origin: tuple[float, float],
    period: Optional[tuple[float, float]] = None,
) -> Frame:
    from ._engine.engine import Engine
    from ._engine.static_layer import StaticLayer

    engine = Engine(period=period)
    if layer is not None:
        # A layer's ids are those from 0 on.
        del layer["ids"]
        engine.static_layer = StaticLayer(**layer)
    # As they lie in the library, to the last bit.
    engine.update_boxes(**agents)
    frame = engine.frame
    frame._place = frame._place.moved_to(Origin(*origin))
    return frame
