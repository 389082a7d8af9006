"""The engine: it takes all agents, in every step, and makes frames of them."""

from __future__ import annotations

import ctypes
import threading
from types import TracebackType
from typing import Any, Optional

import numpy as np

from .. import _arguments
from .._arguments import Shapes
from .._arrays import Copy, address, number
from .._frame import Frame, frame_of
from .._ids import INTP, Ids
from .._native import errors, handles, structs
from .._native.handles import Handle
from .._native.library import initialised, library
from .._native.memory import PAIRS
from .._native.pool import pool
from .._results import Pairs
from .edits import Edits
from .reports import Reports
from .static_layer import StaticLayer


class Engine(Edits, Reports):
    """An index of all agents. `threads` is None for all cores, or 1 for the calling thread alone.

    One thread at a time writes: others wait. Any thread may take the newest frame meanwhile. What is None is
    chosen by the engine, which is nearly always best: the instruction set, a fixed grid, and from which size
    on agents are kept outside of it.

    >>> import throng
    >>> engine = throng.Engine()
    >>> engine.update([(0, 0), (1, 0), (9, 9)], radius=0.5)
    >>> engine
    <throng.Engine: 3 agents>
    >>> engine.frame.pairs()
    array([[0, 1]])
    """

    __slots__ = ("_handle", "_spares", "_writing", "_layer")

    def __init__(
        self,
        threads: Optional[int] = None,
        *,
        isa: Optional[str] = None,
        cell_width: Optional[float] = None,
        row_height: Optional[float] = None,
        common_size: Optional[float] = None,
    ) -> None:
        config = configuration(threads)
        config.isa = None if isa is None else isa.encode()
        sizes = {"cell_width": cell_width, "row_height": row_height, "common_size": common_size}
        for name, given in sizes.items():
            if given is not None:
                setattr(config, name, number(name, given))
        self._start(config)

    def _start(self, config: structs.EngineConfig) -> None:
        address = ctypes.c_void_p()
        errors.call(library.throng_engine_create, config, ctypes.byref(address))
        self._handle = Handle(address.value or 0, library.throng_engine_destroy)
        self._spares = handles.Spares()
        self._writing = threading.Lock()
        self._layer: Optional[StaticLayer] = None

    # All agents at once.

    def update(
        self,
        points: Any,
        radius: Any = 0,
        *,
        ids: Any = None,
        categories: Any = None,
        groups: Any = None,
        pairs: Optional[Pairs] = None,
        copy: Copy = None,
    ) -> None:
        """Replaces all agents: squares around points, with one radius for all, or one for each.

        `points` is (n, 2) or a tuple of two columns, arrays or lists. float32 is read where it lies; other types are rounded
        to nearest. Agent i has the id i, or ids[i], which may have holes. `categories` is a mask of up to 32
        for each agent, or one for all, and `groups` a number; -1 is none. `pairs` is filled with all pairs
        that overlap, as `Frame.pairs` would. With copy=False, arrays that would have to be copied are
        refused.
        """
        struct = _arguments.points_with_radius(points, radius, copy)
        self._replace(struct, ids, categories, groups, pairs, copy)

    def update_boxes(
        self,
        boxes: Any = None,
        *,
        min: Any = None,
        max: Any = None,
        centre: Any = None,
        half: Any = None,
        ids: Any = None,
        categories: Any = None,
        groups: Any = None,
        pairs: Optional[Pairs] = None,
        copy: Copy = None,
    ) -> None:
        """Replaces all agents: boxes as (n, 4) of min_x, min_y, max_x, max_y, as min and max, or as centre
        and half extents.

        float32 is read where it lies. Other types are rounded outwards, so no pair is lost. The rest is as in
        `update`.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update_boxes(centre=[(0, 0), (1, 0), (9, 9)], half=[(0.5, 1), (0.5, 1), (2, 2)])
        >>> engine.frame.box(2)
        (7.0, 7.0, 11.0, 11.0)
        """
        struct = _arguments.boxes(Shapes(boxes, min, max, centre, half), copy)
        self._replace(struct, ids, categories, groups, pairs, copy)

    def _replace(
        self, boxes: structs.Boxes, ids: Any, categories: Any, groups: Any, pairs: Optional[Pairs], copy: Copy
    ) -> None:
        if ids is None and pairs is None and categories is None and groups is None:
            return self._write(library.throng_engine_update, boxes, None)
        asked: list[Any] = [boxes, _arguments.labels(boxes.count, categories, groups, copy)]
        name = "throng_engine_update"
        if ids is not None:
            its_ids = _arguments.ids(ids, copy)
            asked[:0] = [address(its_ids), len(its_ids)]
            name += "_by_ids"
        if pairs is None:
            self._write(getattr(library, name), *asked)
        else:
            function = getattr(library, name + "_with_pairs")
            pairs._fill(PAIRS, lambda into: self._write(function, *asked, into))

    def update_legal(
        self,
        points: Any = None,
        radius: Any = 0,
        *,
        boxes: Any = None,
        ids: Any = None,
        categories: Any = None,
        groups: Any = None,
        copy: Copy = None,
    ) -> Ids:
        """For input that cannot be trusted: agents whose boxes are illegal, such as NaN, are left out of the
        frame, and their ids are returned. Give points, or boxes as (n, 4).

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update_legal([(0, 0), (float("nan"), 0), (2, 0)])
        array([1])
        >>> len(engine)
        2
        """
        if (points is None) == (boxes is None):
            raise TypeError("give points or boxes")
        if boxes is None:
            struct = _arguments.points_with_radius(points, radius, copy)
        else:
            struct = _arguments.boxes(Shapes(boxes), copy)
        labels = _arguments.labels(struct.count, categories, groups, copy)
        left_out, total = np.empty(struct.count, np.int32), ctypes.c_uint64()
        output = (address(left_out), len(left_out), ctypes.byref(total))
        if ids is None:
            self._write(library.throng_engine_update_legal, struct, labels, *output)
        else:
            its_ids = _arguments.ids(ids, copy)
            function = library.throng_engine_update_legal_by_ids
            self._write(function, address(its_ids), len(its_ids), struct, labels, *output)
        return left_out[: total.value].astype(INTP)

    def rebase(self, dx: float, dy: float) -> None:
        """Subtracts (dx, dy) from every box, and publishes that frame. A static layer does not move."""
        self._write(library.throng_engine_rebase, number("dx", dx), number("dy", dy))

    def renumber(self, order: Any, *, copy: Copy = None) -> None:
        """Gives the agent with the id order[k] the id k, and publishes that frame. `order` names every agent
        once.

        With `Frame.row_order`, agents that are near each other get ids that are near each other: put your own
        arrays into that order too, and what you do for each agent, pair or answer runs faster.
        """
        its_order = _arguments.ids(order, copy)
        self._write(library.throng_engine_renumber, address(its_order), len(its_order))

    def plan(self) -> bytes:
        """The plan of the newest frame: on which grid the agents are, and all that decides when it is chosen
        again. Besides the agents, the order of answers follows from that, and the plan from all updates before.

        Keep it, and the engine can go back to that frame; or give it to another engine, on any machine, and
        update both with the same agents: from then on they give the same answers in the same order.

        >>> import throng
        >>> engine, other = throng.Engine(), throng.Engine()
        >>> engine.update([(0, 0), (1, 0)], radius=1)
        >>> other.set_plan(engine.plan())
        """
        total = ctypes.c_uint64()
        with self._writing:
            errors.call(library.throng_engine_plan, self._handle, None, 0, ctypes.byref(total))
            plan = np.empty(total.value, np.uint8)
            errors.call(library.throng_engine_plan, self._handle, address(plan), len(plan), None)
        return plan.tobytes()

    def set_plan(self, plan: bytes) -> None:
        """The next update builds what it would in the engine that the plan came from. What is no plan, or one of
        an engine with another `cell_width`, `row_height` or `common_size`, is refused."""
        given = np.frombuffer(plan, np.uint8)
        self._write(library.throng_engine_set_plan, address(given), len(given))

    def replan(self) -> None:
        """The next update builds what it would in a new engine."""
        self._write(library.throng_engine_replan)

    @property
    def static_layer(self) -> Optional[StaticLayer]:
        """What never moves: frames that are published from now on have this layer, or none."""
        return self._layer

    @static_layer.setter
    def static_layer(self, layer: Optional[StaticLayer]) -> None:
        if layer is None:
            self._write(library.throng_engine_clear_static_layer)
        elif isinstance(layer, StaticLayer):
            self._write(library.throng_engine_set_static_layer, layer._handle)
        else:
            raise TypeError(f"a static layer is a throng.StaticLayer, and not a {type(layer).__name__}")
        self._layer = layer

    # The newest frame.

    @property
    def frame(self) -> Frame:
        """The newest frame. Any thread may take it, and keep it while the engine goes on."""
        spares = self._spares
        address = spares.take()
        try:
            errors.call(library.throng_engine_frame, self._handle, ctypes.byref(address))
        except BaseException:
            if address:
                spares.give_back(address.value or 0)
            raise
        return frame_of(Handle(address.value or 0, spares.give_back))

    def __len__(self) -> int:
        """How many agents the newest frame has."""
        if self._handle is handles.CLOSED:
            raise ValueError("the engine is closed")
        return int(library.throng_engine_size(self._handle))

    def reserve(self, agents: int, edits: int = 0) -> None:
        """Takes the memory now that updates of up to so many agents need, and commits of up to so many edits
        each, so that the first frames do not wait for the system. It is kept until `release_memory`.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.reserve(10_000, edits=100)
        """
        self._write(
            library.throng_engine_reserve,
            _arguments.count("agents", agents),
            _arguments.count("edits", edits),
        )

    def release_memory(self) -> None:
        """Gives back what is kept for later calls; and as `throng.release_memory`, what is kept of results."""
        self._write(library.throng_engine_release_memory)
        pool.release()

    def close(self) -> None:
        """Lets go of the engine. Frames and results live on."""
        self._handle = handles.CLOSED

    def __enter__(self) -> Engine:
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
            return "<throng.Engine: closed>"
        return f"<throng.Engine: {len(self)} agents>"


def configuration(threads: Optional[int]) -> structs.EngineConfig:
    if threads is not None and threads != 1:
        raise ValueError(f"threads must be None, for all cores, or 1, and not {threads!r}")
    config = initialised(structs.EngineConfig)
    config.serial, config.huge_pages = threads == 1, 1
    return config
