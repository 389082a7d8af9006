"""Edits of some agents: they are staged, and a commit publishes all of them as one frame."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional

import numpy as np

from .. import _arguments, _singles
from .._arguments import Shapes
from .._arrays import UP, address, Copy, Floats, Halves, Heights, Integers, number, Numbers, Rows
from .._ids import INTP, Ids, as_type
from .._native import interrupts, structs
from .._native.errors import Error
from .._native.library import initialised, library
from .._native.pool import pool
from .._origin import count_from
from .writer import Writer


class AgentHandle(NamedTuple):
    """One agent, for good. A later agent may get the same id, but never the handle."""

    id: int
    generation: int


class Sizes:
    """The sizes of agents, for moves without a size.

    After an update with one radius that is the size of all, until some get another. Otherwise the first such
    move reads all sizes from the newest frame and remembers them by id: boxes are rounded at their places, so
    sizes read from them again and again would creep. Before, it keeps staged sizes, which no frame has yet.
    """

    __slots__ = ("all", "published", "_others", "_halves", "_staged")

    def __init__(self) -> None:
        self.forget()

    def forget(self, all: Optional[float] = None) -> None:
        """The agents are new ones, with that half extent, or again those of the newest frame."""
        self.all = self.published = all  # the latter is that of the newest frame
        self._others = np.nan if all is None else all  # where nothing else is noted; NaN: it is not known
        self._halves: Optional[Floats] = None
        self._staged: list[tuple[Any, Any]] = []

    def note(self, engine: Any, ids: Any, boxes: structs.Boxes) -> None:
        """Edits that are staged now."""
        self._note(engine, ids.copy(), _arguments.halves(boxes))

    def note_one(self, engine: Any, id: int, half: float) -> None:
        """One edit that is staged now, of a square."""
        if self.all != half:
            self._note(engine, np.array([id]), half)

    def _note(self, engine: Any, ids: Any, halves: Any) -> None:
        if self.all is not None:
            self.all = None
            if not engine.frame._ids_are_far_apart():
                self._halves = np.empty((0, 2), np.float32)
        if self._halves is None:
            self._staged.append((ids, halves))
        else:
            self._set(ids, halves)

    def of(self, engine: Any, ids: Any) -> Any:
        """Half extents, in two columns."""
        if self.all is not None:
            return np.full((2, len(ids)), self.all, np.float32)
        frame = engine.frame
        frame._check_bound("sizes", "give the radius")
        if self._halves is None:
            self._halves = np.empty((0, 2), np.float32)
            for staged in self._staged:
                self._set(*staged)
            self._staged = []
        largest = int(ids.max(initial=-1))
        if largest >= max(frame.id_bound, len(self._halves)):
            return np.zeros((2, len(ids)), np.float32)  # the move is refused
        self._grow(largest)
        halves = self._halves[ids].T
        if np.isnan(halves).any():
            self._read(frame)
            halves = np.nan_to_num(self._halves[ids].T)
        return halves

    def _read(self, frame: Any) -> None:
        """All sizes that are not known: what is read for one is read for all."""
        ids, boxes = frame._ids_and_floats()
        self._grow(int(ids.max(initial=-1)))
        assert self._halves is not None
        is_new = np.isnan(self._halves[ids, 0])
        new = boxes[is_new].astype(np.float64)
        self._halves[ids[is_new]] = (new[:, 2:] - new[:, :2]) / 2

    def of_one(self, id: int) -> Optional[tuple[float, float]]:
        """The same of one agent; None if it has to be looked up."""
        if self.all is not None:
            return self.all, self.all
        if self._halves is None or id >= len(self._halves):
            return None
        half_x, half_y = self._halves[id].tolist()
        return None if half_x != half_x else (half_x, half_y)

    def forget_staged(self) -> None:
        """A frame has them now."""
        self.published = self.all
        self._staged = []

    def _set(self, ids: Any, sizes: Any) -> None:
        self._grow(int(ids.max(initial=-1)))
        assert self._halves is not None
        self._halves[ids] = sizes

    def _grow(self, largest: int) -> None:
        assert self._halves is not None
        more = largest + 1 - len(self._halves)
        if more > 0:
            room = max(more, len(self._halves))
            self._halves = np.concatenate([self._halves, np.full((room, 2), self._others, np.float32)])


class OneMove:
    """The arguments of a move of one agent, made once for an engine."""

    __slots__ = ("id", "id_at", "numbers", "boxes")

    def __init__(self) -> None:
        self.id, self.numbers = ctypes.c_uint32(), (ctypes.c_double * 4)()
        self.id_at = ctypes.addressof(self.id)
        first, size = ctypes.addressof(self.numbers), ctypes.sizeof(ctypes.c_double)
        self.boxes = initialised(structs.Boxes)
        self.boxes.form, self.boxes.count = structs.CENTRE_HALF, 1
        for k, name in enumerate(("x", "y", "last_x", "last_y")):
            setattr(self.boxes, "double_" + name, first + k * size)


class Edits(Writer):
    """A commit costs what its edits change. Ids stay as they are."""

    __slots__ = ()

    _sizes: Sizes
    _one_move: OneMove

    def insert(
        self,
        points: Rows,
        radius: Numbers = 0,
        *,
        categories: Optional[Integers] = None,
        groups: Optional[Integers] = None,
        heights: Optional[Heights] = None,
        copy: Copy = None,
    ) -> Ids:
        """Stages new agents, and returns their ids. Arguments as in `update`.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.insert([(0, 0), (1, 0)], radius=0.5)
        array([0, 1])
        >>> engine.commit()
        >>> len(engine)
        2
        """
        struct = _arguments.at_heights(_arguments.points_with_radius(points, radius, copy), heights, copy)
        return self._insert(struct, categories, groups, copy)

    def insert_boxes(
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
        copy: Copy = None,
    ) -> Ids:
        """Stages new agents, and returns their ids. Arguments as in `update_boxes`."""
        struct = _arguments.boxes(Shapes(boxes, min, max, centre, half), copy)
        _arguments.at_heights(struct, heights, copy)
        return self._insert(struct, categories, groups, copy)

    def _insert(self, boxes: structs.Boxes, categories: Any, groups: Any, copy: Copy) -> Ids:
        labels = _arguments.labels(boxes.count, categories, groups, copy)
        ids = np.empty(boxes.count, np.int32)
        with self._writing:
            if self._is_empty():
                self._place_all(boxes)
            count_from(self._place.origin, boxes)
            self._write(library.throng_engine_insert, boxes, labels, address(ids), len(ids))
            self._sizes.note(self, ids, boxes)
        return as_type(ids, INTP)

    def _is_empty(self) -> bool:
        """Whether there is no agent, and will be none."""
        size, staged = library.throng_engine_size(self._handle), library.throng_engine_staged(self._handle)
        return not size and not staged

    def _place_all(self, boxes: structs.Boxes) -> Any:
        """Moves the origin to where agents are about to be, if it is not fixed."""
        raise NotImplementedError

    def move(
        self,
        ids: Integers,
        points: Rows,
        radius: Optional[Numbers] = None,
        *,
        heights: Optional[Heights] = None,
        copy: Copy = None,
    ) -> None:
        """Stages new places of agents, or a new point of one. They keep their sizes and their heights, unless
        new ones are given.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0)], radius=0.25)
        >>> engine.move([1], [(3, 0)])
        >>> engine.commit()
        >>> engine.frame.box(1)
        (2.75, -0.25, 3.25, 0.25)
        """
        if heights is None and copy is None and self._move_one(ids, points, radius):
            return
        if isinstance(ids, (int, np.integer)):
            ids, points = np.array([ids]), np.asanyarray(points)[np.newaxis]
        if radius is not None:
            struct = _arguments.points_with_radius(points, radius, copy)
            return self._move(ids, _arguments.at_heights(struct, heights, copy), copy)
        its_ids = _arguments.ids(ids, copy)
        with self._writing:
            struct = _arguments.points_with_halves(points, self._sizes.of(self, its_ids), copy)
            self._move(its_ids, _arguments.at_heights(struct, heights, copy), copy, keeps_sizes=True)

    def _move_one(self, ids: Any, points: Any, radius: Any) -> bool:
        """Stages the move of one agent without making arrays. False if it is not that, or is refused."""
        one = _singles.place_of_one(ids, points)
        if one is None or radius is not None and type(radius) is not float and type(radius) is not int:
            return False
        with self._writing:
            if radius is not None:
                half_x = half_y = number("radius", radius, UP)
            else:
                its = self._sizes.of_one(one[0])
                if its is None:
                    return False
                half_x, half_y = its
            move = self._one_move
            move.id.value = one[0]
            move.numbers[:] = [one[1], one[2], half_x, half_y]
            move.boxes.origin_x, move.boxes.origin_y = self._place.origin
            if library.throng_engine_move(self._handle, move.id_at, 1, move.boxes, None) != 0:
                return False  # the general way says why
            if radius is not None:
                self._sizes.note_one(self, one[0], half_x)
            return True

    def move_boxes(
        self,
        ids: Integers,
        boxes: Optional[Rows] = None,
        *,
        min: Optional[Rows] = None,
        max: Optional[Rows] = None,
        centre: Optional[Rows] = None,
        half: Optional[Halves] = None,
        heights: Optional[Heights] = None,
        copy: Copy = None,
    ) -> None:
        """Stages new boxes of agents. They keep their heights, unless new ones are given."""
        struct = _arguments.boxes(Shapes(boxes, min, max, centre, half), copy)
        self._move(ids, _arguments.at_heights(struct, heights, copy), copy)

    def _move(self, ids: Any, boxes: structs.Boxes, copy: Copy, keeps_sizes: bool = False) -> None:
        its_ids = _arguments.ids(ids, copy)
        with self._writing:
            count_from(self._place.origin, boxes)
            self._write(library.throng_engine_move, address(its_ids), len(its_ids), boxes)
            if not keeps_sizes:
                self._sizes.note(self, its_ids, boxes)

    def relabel(self, ids: Integers, *, categories: Optional[Integers] = None, groups: Optional[Integers] = None, copy: Copy = None) -> None:
        """Stages new labels. None means the first category, or no group."""
        its_ids = _arguments.ids(ids, copy)
        if categories is None and groups is None:
            groups = -1
        labels = _arguments.labels(len(its_ids), categories, groups, copy)
        self._write(library.throng_engine_relabel, address(its_ids), len(its_ids), labels)

    def remove(self, ids: Integers, *, copy: Copy = None) -> None:
        """Stages the removal of agents."""
        its_ids = _arguments.ids(ids, copy)
        self._write(library.throng_engine_remove, address(its_ids), len(its_ids))

    def _write_others(self, function: Any, *arguments: Any, radius: Optional[float] = None) -> None:
        """A write that makes new agents, perhaps all of one radius, with nothing staged. An interrupt may
        come when it is done."""
        try:
            self._write(function, *arguments)
            self._sizes.forget(radius)
        except Error:
            raise
        except BaseException:
            if not library.throng_engine_staged(self._handle):
                self._sizes.forget()
            raise

    def commit(self) -> None:
        """Publishes the staged edits as one frame."""
        with self._writing:
            commit = library.throng_engine_commit
            if commit(self._handle, None) != 0 or interrupts.found:
                self._write(commit)  # once more, to say why
            self._spares.refresh(self._handle)
            self._sizes.forget_staged()
        pool.next_frame()

    def discard(self) -> None:
        """Drops the staged edits."""
        with self._writing:
            self._write_others(library.throng_engine_discard, radius=self._sizes.published)

    @property
    def staged(self) -> int:
        """How many edits are staged."""
        with self._writing:
            return int(library.throng_engine_staged(self._handle))

    def handle(self, id: int) -> AgentHandle:
        """The handle of an agent, which survives updates that include its id.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0)])
        >>> agent = engine.handle(0)
        >>> engine.id(agent)
        0
        >>> engine.remove([0])
        >>> engine.insert([(5, 5)])
        array([0])
        >>> engine.id(agent) is None
        True
        """
        agent = structs.Handle()
        self._write(library.throng_engine_handle, _arguments.one_id(id), agent)
        return AgentHandle(agent.id, agent.generation)

    def id(self, agent: AgentHandle) -> Optional[int]:
        """The id of a handle's agent; None if that agent is gone, even if another agent has its id now."""
        with self._writing:
            id = int(library.throng_engine_id(self._handle, structs.Handle(*agent)))
        return None if id == structs.NO_AGENT else id
