"""The engine: it takes all agents, in every step, and makes frames of them."""

from __future__ import annotations

import ctypes
import threading
from types import TracebackType
from typing import Any, Optional

import numpy as np

from .. import _arguments
from .._arguments import Shapes
from .._arrays import address, Copy, Halves, Heights, Integers, number, Numbers, Rows
from .._frame import Frame, frame_of
from .._ids import INTP, Ids
from .._native import errors, handles, interrupts, structs
from .._native.handles import Handle, Use
from .._native.library import initialised, library
from .._native.memory import PAIRS
from .._native.pool import pool
from .._native.processes import runs_alone
from .._origin import ZERO, Origin, Place, Places, best, count_from, given_origin, given_period, has_doubles, look
from .._results import Pairs
from .edits import OneMove, Sizes
from .reports import Reports
from .static_layer import StaticLayer
from .trials import TrialMoves


class Engine(TrialMoves, Reports):
    """An index of all agents. `threads` is how many threads work at once, including the calling one; None is
    all cores that the process may use. A forked child works on the calling thread, once its parent used others.

    The library has float32, counted from an origin. It is (x, y), or chosen by the engine: an update in
    float64 moves it near its agents if floats would be too coarse there. So give coordinates of maps as they
    are. A `PrecisionWarning` comes if floats are still too coarse.

    One thread at a time writes: others wait. Any thread may take the newest frame meanwhile. The engine
    chooses what is None, which is nearly always best: the instruction set, a fixed grid, and the size above
    which agents are kept outside of the grid.

    With a `period`, (x, y) or one number for both, the world wraps around. Agents and queries may be
    anywhere, and are folded into [0, x) and [0, y), counted from the origin, which stays (0, 0) unless it is
    given. float64 is folded before it is rounded. With a period of 0 the world does not wrap around. A static
    layer is folded when it is set. Pairs and neighbours of two frames need the same period in both.

    >>> import throng
    >>> torus = throng.Engine(period=(10, 10))
    >>> torus.update([(0.2, 5), (9.9, 5), (25, 5)], radius=0.5)
    >>> torus.frame.pairs().tolist()
    [[0, 1]]

    >>> engine = throng.Engine()
    >>> engine.update([(0, 0), (1, 0), (9, 9)], radius=0.5)
    >>> engine
    <throng.Engine: 3 agents>
    >>> engine.frame.pairs()
    array([[0, 1]])
    """

    __slots__ = ("_handle", "_spares", "_writing", "_layer", "_places", "_is_fixed", "_updates", "_sizes", "_one_move", "__weakref__")

    def __init__(
        self,
        threads: Optional[int] = None,
        *,
        origin: Optional[tuple[float, float]] = None,
        isa: Optional[str] = None,
        cell_width: Optional[float] = None,
        row_height: Optional[float] = None,
        common_size: Optional[float] = None,
        period: Optional[Numbers] = None,
    ) -> None:
        config = configuration(threads)
        config.isa = None if isa is None else isa.encode()
        sizes = {"cell_width": cell_width, "row_height": row_height, "common_size": common_size}
        for name, given in sizes.items():
            if given is not None:
                setattr(config, name, number(name, given))
        config.period_x, config.period_y = given_period(period)
        # The world begins at the origin, so it must not move.
        wraps = config.period_x != 0 or config.period_y != 0
        self._start(config, given_origin((0, 0) if wraps and origin is None else origin))
        self._place.period = (config.period_x, config.period_y) if wraps else None

    def _start(self, config: structs.EngineConfig, origin: Optional[Origin] = None) -> None:
        interrupts.watch()
        address = ctypes.c_void_p()
        errors.call(library.throng_engine_create, config, ctypes.byref(address))
        self._handle = Handle(address.value or 0, library.throng_engine_destroy)
        self._spares = handles.Spares()
        self._writing = threading.RLock()
        self._layer: Optional[StaticLayer] = None
        self._is_fixed = origin is not None
        self._places = Places(Place(origin or ZERO))
        self._updates = 0
        self._sizes, self._one_move = Sizes(), OneMove()

    # Where agents are counted from.

    @property
    def origin(self) -> Origin:
        """Where float32 coordinates are counted from, as (x, y); see `Frame.origin`."""
        return self._place.origin

    @property
    def period(self) -> Optional[tuple[float, float]]:
        """How far it is around the world; see `Frame.period`."""
        return self._place.period

    @property
    def _place(self) -> Place:
        return self._places.place

    def _place_all(self, boxes: structs.Boxes) -> None:
        self._updates += 1
        if not self._is_fixed:
            spread = 0 if self._layer is None else self._layer._place.spread
            self._go_to(best(boxes, self._place, spread))
        # Otherwise it seldom changes, so it is checked less and less often.
        if (self._is_fixed or not has_doubles(boxes)) and self._updates & (self._updates - 1) == 0:
            look(boxes, self._place)

    def _go_to(self, place: Place) -> None:
        """From the next frame on."""
        if place.origin != self.origin:
            with self.frame as newest:
                first, its_place = newest.number + 1, newest._place
            if self._layer is not None:
                self._set_layer(self._layer, place)
            self._places = Places(place, first, its_place)

    def _replace_all(self, boxes: structs.Boxes, function: Any, *arguments: Any) -> None:
        with self._writing:
            before = self._places
            self._place_all(boxes)
            count_from(self.origin, boxes)
            try:
                radius = boxes.radius if boxes.form == structs.POINTS else None
                self._write_others(function, *arguments, radius=radius)
            except BaseException:
                self._go_back(before)
                raise

    def _go_back(self, places: Places) -> None:
        """After a call that failed, unless an interrupt ended it when the frame was published."""
        if self._places is places:
            return
        with self.frame as newest:
            is_published = newest.number >= self._places.first
        if not is_published:
            self._places = places
            if self._layer is not None:
                self._set_layer(self._layer, places.place)

    # All agents at once.

    def update(
        self,
        points: Rows,
        radius: Numbers = 0,
        *,
        ids: Optional[Integers] = None,
        categories: Optional[Integers] = None,
        groups: Optional[Integers] = None,
        heights: Optional[Heights] = None,
        owned: Optional[int] = None,
        pairs: Optional[Pairs] = None,
        copy: Copy = None,
    ) -> None:
        """Replaces all agents: squares around points, with one radius for all, or one for each.

        `points` is (n, 2) or a tuple of two columns, arrays or lists. float32 and float64 are read in place.
        Agent i has the id i, or ids[i], which may have gaps. `categories` is a mask of up to 32 for each
        agent, or one for all, and `groups` a number; -1 is none. `pairs` is filled with all pairs that
        overlap, as by `Frame.pairs`. With copy=False, arrays that need a copy are refused.

        `heights` are bands, such as storeys: (n, 2), or a tuple of lowest and highest; one of them may be a
        number. Without it an agent has every height. Two agents are a pair, or neighbours, only if they share
        a height, and `Filter(heights=)` chooses storeys.

        >>> import throng
        >>> engine = throng.Engine()
        >>> feet = np.array([0, 1, 3])
        >>> engine.update([(0, 0), (0, 0), (0, 0)], radius=0.5, heights=(feet, feet + 1.8))
        >>> engine.frame.pairs()
        array([[0, 1]])

        Agents from number `owned` on are ghosts: copies of agents that another engine owns, for the next tile
        of a world or on another machine. Pairs of two ghosts are not listed, and only owned agents get lists
        and counts in calls for all agents.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (2, 0), (3, 0)], radius=0.5, owned=2)
        >>> engine.frame.pairs()
        array([[0, 1],
               [1, 2]])
        >>> engine.frame.is_ghost(2)
        True
        """
        struct = _arguments.owned(_arguments.points_with_radius(points, radius, copy), owned)
        _arguments.at_heights(struct, heights, copy)
        self._replace(struct, ids, categories, groups, pairs, copy)

    def update_boxes(
        self,
        boxes: Optional[Rows] = None,
        *,
        min: Optional[Rows] = None,
        max: Optional[Rows] = None,
        centre: Optional[Rows] = None,
        half: Optional[Halves] = None,
        ids: Optional[Integers] = None,
        categories: Optional[Integers] = None,
        groups: Optional[Integers] = None,
        heights: Optional[Heights] = None,
        owned: Optional[int] = None,
        pairs: Optional[Pairs] = None,
        copy: Copy = None,
    ) -> None:
        """Replaces all agents: boxes as (n, 4) of min_x, min_y, max_x, max_y, as min and max, or as centre
        and half extents.

        Edges of float64 boxes are rounded once, so boxes that touch in float64 still touch. The rest is as in
        `update`.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update_boxes(centre=[(0, 0), (1, 0), (9, 9)], half=[(0.5, 1), (0.5, 1), (2, 2)])
        >>> engine.frame.box(2)
        (7.0, 7.0, 11.0, 11.0)
        """
        struct = _arguments.owned(_arguments.boxes(Shapes(boxes, min, max, centre, half), copy), owned)
        _arguments.at_heights(struct, heights, copy)
        self._replace(struct, ids, categories, groups, pairs, copy)

    def _replace(
        self, boxes: structs.Boxes, ids: Any, categories: Any, groups: Any, pairs: Optional[Pairs], copy: Copy
    ) -> None:
        if ids is None and pairs is None and categories is None and groups is None:
            return self._replace_all(boxes, library.throng_engine_update, boxes, None)
        asked: list[Any] = [boxes, _arguments.labels(boxes.count, categories, groups, copy)]
        name = "throng_engine_update"
        if ids is not None:
            its_ids = _arguments.ids(ids, copy)
            asked[:0] = [address(its_ids), len(its_ids)]
            name += "_by_ids"
        if pairs is None:
            self._replace_all(boxes, getattr(library, name), *asked)
        else:
            function = getattr(library, name + "_with_pairs")
            pairs._fill(PAIRS, lambda into: self._replace_all(boxes, function, *asked, into))
            pairs._period, pairs._are_of_agents = self._place.period, True

    def update_legal(
        self,
        points: Optional[Rows] = None,
        radius: Numbers = 0,
        *,
        boxes: Optional[Rows] = None,
        ids: Optional[Integers] = None,
        categories: Optional[Integers] = None,
        groups: Optional[Integers] = None,
        heights: Optional[Heights] = None,
        owned: Optional[int] = None,
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
        _arguments.owned(struct, owned)
        _arguments.at_heights(struct, heights, copy)
        labels = _arguments.labels(struct.count, categories, groups, copy)
        left_out, total = np.empty(struct.count, np.int32), ctypes.c_uint64()
        output = (address(left_out), len(left_out), ctypes.byref(total))
        if ids is None:
            self._replace_all(struct, library.throng_engine_update_legal, struct, labels, *output)
        else:
            its_ids = _arguments.ids(ids, copy)
            function = library.throng_engine_update_legal_by_ids
            self._replace_all(struct, function, address(its_ids), len(its_ids), struct, labels, *output)
        return left_out[: total.value].astype(INTP)

    def rebase(self, dx: float, dy: float) -> None:
        """Subtracts (dx, dy) from every box, and publishes that frame. A static layer does not move. An
        origin goes along, and then nothing is rounded."""
        with self._writing:
            before, shift = self._places, (number("dx", dx), number("dy", dy))
            if self.origin != ZERO and np.isfinite(shift).all():
                x, y = self.origin
                self._go_to(self._place.moved_to(Origin(x - float(dx), y - float(dy))))
                shift = (0.0, 0.0)
            try:
                self._write(library.throng_engine_rebase, *shift)
            except BaseException:
                self._go_back(before)
                raise

    def renumber(self, order: Integers, *, copy: Copy = None) -> None:
        """Gives the agent with the id order[k] the id k, and publishes that frame. `order` names every agent
        once.

        With `Frame.row_order`, agents near each other get ids near each other. Put your own arrays into that
        order too: then your loops over agents, pairs and answers run faster.
        """
        its_order = _arguments.ids(order, copy)
        with self._writing:
            arguments = (library.throng_engine_renumber, address(its_order), len(its_order))
            self._write_others(*arguments, radius=self._sizes.published)

    def plan(self) -> bytes:
        """The plan of the newest frame: on which grid the agents are, and all that decides when a grid is
        chosen again. The order of answers follows from the agents and from the plan, and the plan from all
        earlier updates.

        Keep it, and the engine can go back to that frame. Or give it to another engine, on any machine, and
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
        """The next update builds its frame as the engine of the plan would. What is no plan, or a plan of an
        engine with another `cell_width`, `row_height` or `common_size`, is refused."""
        given = np.frombuffer(plan, np.uint8)
        self._write(library.throng_engine_set_plan, address(given), len(given))

    def replan(self) -> None:
        """The next update builds its frame as a new engine would."""
        self._write(library.throng_engine_replan)

    @property
    def static_layer(self) -> Optional[StaticLayer]:
        """What never moves: frames published from now on have this layer, or none."""
        return self._layer

    @static_layer.setter
    def static_layer(self, layer: Optional[StaticLayer]) -> None:
        if layer is not None and not isinstance(layer, StaticLayer):
            raise TypeError(f"a static layer is a throng.StaticLayer, and not a {type(layer).__name__}")
        with self._writing:
            if layer is not None and not self._is_fixed and self._is_empty():
                self._go_to(self._place.moved_to(layer._place.origin))
            if layer is None:
                self._write(library.throng_engine_clear_static_layer)
            else:
                self._set_layer(layer, self._place)
            self._layer = layer

    def _set_layer(self, layer: StaticLayer, place: Place) -> None:
        self._write(library.throng_engine_set_static_layer, layer._at(place))

    # The newest frame.

    @property
    def frame(self) -> Frame:
        """The newest frame. Any thread may take it, and keep it while the engine goes on."""
        spare = self._spares.take()
        address = ctypes.c_void_p(None if spare is None else spare.owner._as_parameter_)
        while True:
            places = self._places
            errors.ask(library.throng_engine_frame, self._handle, address)
            if self._places is places:
                break  # and no other thread has moved the origin meanwhile
        owner = Handle(address.value or 0, library.throng_frame_release) if spare is None else spare.owner
        handle = Use(owner, self._spares.returned)
        return frame_of(handle, places.of_frame(handle))

    def __len__(self) -> int:
        """How many agents the newest frame has."""
        if self._handle is handles.CLOSED:
            raise ValueError("the engine is closed")
        return int(library.throng_engine_size(self._handle))

    def reserve(self, agents: int, edits: int = 0) -> None:
        """Takes the memory for updates of up to so many agents and commits of up to so many edits now, so
        that the first frames do not wait for the system. It is kept until `release_memory`.

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
        """Gives back what is kept for later calls, and what is kept of results, as `throng.release_memory`
        does."""
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
        return f"<throng.Engine: {len(self)} agents{self._place.described()}>"


def configuration(threads: Optional[int]) -> structs.EngineConfig:
    config = initialised(structs.EngineConfig)
    config.huge_pages = 1
    if threads is not None:
        config.threads = _arguments.at_least_one("threads", threads)
    config.serial = runs_alone(config.threads == 1)
    return config
