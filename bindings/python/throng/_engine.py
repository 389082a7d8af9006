"""The engine: it takes all agents, in every step, and makes frames of them."""

from __future__ import annotations

import ctypes
import threading
from types import TracebackType
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _arguments, _errors, _handles, _structs
from ._arguments import Shapes
from ._arrays import Copy, address, number
from ._frame import Frame, frame_of
from ._handles import Handle
from ._library import initialised, library
from ._results import Ids


class MemoryReport(NamedTuple):
    """Bytes by part, and how many allocations there were so far."""

    rows: int
    history: int
    tables: int
    agents: int
    staged: int
    scratch: int
    allocations: int


class Tuning(NamedTuple):
    """The grid of the newest frame, and why it is as it is."""

    reason: str
    cell_width: float
    row_height: float
    origin_x: float
    origin_y: float
    columns: int
    rows: int
    common_width: float
    common_height: float
    islands: int
    crowding: float
    oversized: int
    times_chosen: int


class Engine:
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
    array([[0, 1]], dtype=int32)
    """

    __slots__ = ("_handle", "_spares", "_writing")

    def __init__(
        self,
        threads: Optional[int] = None,
        *,
        isa: Optional[str] = None,
        cell_width: Optional[float] = None,
        row_height: Optional[float] = None,
        common_size: Optional[float] = None,
    ) -> None:
        if threads is not None and threads != 1:
            raise ValueError(f"threads must be None, for all cores, or 1, and not {threads!r}")
        config = initialised(_structs.EngineConfig)
        config.serial = threads == 1
        config.isa = None if isa is None else isa.encode()
        for name, given in (
            ("cell_width", cell_width),
            ("row_height", row_height),
            ("common_size", common_size),
        ):
            if given is not None:
                setattr(config, name, number(name, given))
        self._start(config)

    def _start(self, config: _structs.EngineConfig) -> None:
        address = ctypes.c_void_p()
        _errors.call(library.throng_engine_create, config, ctypes.byref(address))
        self._handle = Handle(address.value or 0, library.throng_engine_destroy)
        self._spares = _handles.Spares()
        self._writing = threading.Lock()

    # All agents at once.

    def update(
        self,
        points: Any,
        radius: Any = 0,
        *,
        ids: Any = None,
        categories: Any = None,
        groups: Any = None,
        copy: Copy = None,
    ) -> None:
        """Replaces all agents: squares around points, with one radius for all, or one for each.

        `points` is (n, 2) or a tuple of two columns. float32 is read where it lies; other types are rounded
        to nearest. Agent i has the id i, or ids[i]. `categories` is a mask of up to 32 for each agent, or one
        for all, and `groups` a number; -1 is none. With copy=False, arrays that would have to be copied are
        refused.
        """
        self._replace(_arguments.points_with_radius(points, radius, copy), ids, categories, groups, copy)

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
        copy: Copy = None,
    ) -> None:
        """Replaces all agents: boxes as (n, 4) of min_x, min_y, max_x, max_y, as min and max, or as centre
        and half extents.

        float32 is read where it lies. Other types are rounded outwards, so no pair is lost.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update_boxes(centre=[(0, 0), (1, 0), (9, 9)], half=[(0.5, 1), (0.5, 1), (2, 2)])
        >>> engine.frame.box(2)
        (7.0, 7.0, 11.0, 11.0)
        """
        struct = _arguments.boxes(Shapes(boxes, min, max, centre, half), copy)
        self._replace(struct, ids, categories, groups, copy)

    def _replace(self, boxes: _structs.Boxes, ids: Any, categories: Any, groups: Any, copy: Copy) -> None:
        labels = _arguments.labels(boxes.count, categories, groups, copy)
        if ids is None:
            self._write(library.throng_engine_update, boxes, labels)
        else:
            its_ids = _arguments.ids(ids, copy)
            self._write(library.throng_engine_update_by_ids, address(its_ids), len(its_ids), boxes, labels)

    # Some agents: staged, until commit.

    def insert(
        self, points: Any, radius: Any = 0, *, categories: Any = None, groups: Any = None, copy: Copy = None
    ) -> Ids:
        """Stages new agents, and returns their ids. Arguments as in `update`.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.insert([(0, 0), (1, 0)], radius=0.5)
        array([0, 1], dtype=int32)
        >>> engine.commit()
        >>> len(engine)
        2
        """
        return self._insert(_arguments.points_with_radius(points, radius, copy), categories, groups, copy)

    def insert_boxes(
        self,
        boxes: Any = None,
        *,
        min: Any = None,
        max: Any = None,
        centre: Any = None,
        half: Any = None,
        categories: Any = None,
        groups: Any = None,
        copy: Copy = None,
    ) -> Ids:
        """Stages new agents, and returns their ids. Arguments as in `update_boxes`."""
        return self._insert(
            _arguments.boxes(Shapes(boxes, min, max, centre, half), copy), categories, groups, copy
        )

    def _insert(self, boxes: _structs.Boxes, categories: Any, groups: Any, copy: Copy) -> Ids:
        labels = _arguments.labels(boxes.count, categories, groups, copy)
        ids = np.empty(boxes.count, np.int32)
        self._write(library.throng_engine_insert, boxes, labels, address(ids), len(ids))
        return ids

    def move(self, ids: Any, points: Any, radius: Any = 0, *, copy: Copy = None) -> None:
        """Stages where agents are now."""
        self._move(ids, _arguments.points_with_radius(points, radius, copy), copy)

    def move_boxes(
        self,
        ids: Any,
        boxes: Any = None,
        *,
        min: Any = None,
        max: Any = None,
        centre: Any = None,
        half: Any = None,
        copy: Copy = None,
    ) -> None:
        """Stages where agents are now, as boxes."""
        self._move(ids, _arguments.boxes(Shapes(boxes, min, max, centre, half), copy), copy)

    def _move(self, ids: Any, boxes: _structs.Boxes, copy: Copy) -> None:
        its_ids = _arguments.ids(ids, copy)
        self._write(library.throng_engine_move, address(its_ids), len(its_ids), boxes)

    def relabel(self, ids: Any, *, categories: Any = None, groups: Any = None, copy: Copy = None) -> None:
        """Stages other labels; what is None becomes the first category, or no group."""
        its_ids = _arguments.ids(ids, copy)
        labels = _arguments.labels(len(its_ids), categories, groups, copy)
        self._write(library.throng_engine_relabel, address(its_ids), len(its_ids), labels)

    def remove(self, ids: Any, *, copy: Copy = None) -> None:
        """Stages that agents are gone."""
        its_ids = _arguments.ids(ids, copy)
        self._write(library.throng_engine_remove, address(its_ids), len(its_ids))

    def commit(self) -> None:
        """Publishes what is staged, as one frame."""
        self._write(library.throng_engine_commit)

    def discard(self) -> None:
        """Forgets what is staged."""
        self._write(library.throng_engine_discard)

    @property
    def staged(self) -> int:
        """How many edits are staged."""
        with self._writing:
            return int(library.throng_engine_staged(self._handle))

    # The newest frame.

    @property
    def frame(self) -> Frame:
        """The newest frame. Any thread may take it, and keep it while the engine goes on."""
        spares = self._spares
        address = spares.take()
        try:
            _errors.call(library.throng_engine_frame, self._handle, ctypes.byref(address))
        except BaseException:
            if address:
                spares.give_back(address.value or 0)
            raise
        return frame_of(Handle(address.value or 0, spares.give_back))

    def __len__(self) -> int:
        """How many agents the newest frame has."""
        return int(library.throng_engine_size(self._handle))

    def _write(self, function: Any, *arguments: Any) -> None:
        with self._writing:
            _errors.call(function, self._handle, *arguments)
            self._spares.refresh(self._handle)

    # Reports.

    @property
    def isa(self) -> str:
        """The instruction set that it uses."""
        name = library.throng_engine_isa(self._handle)
        return "" if name is None else str(name.decode())

    def memory(self) -> MemoryReport:
        """The memory that it holds."""
        return MemoryReport(
            *_fields(MemoryReport, self._report(library.throng_engine_memory, _structs.MemoryReport))
        )

    def tuning(self) -> Tuning:
        """The grid of the newest frame. What it says follows the engine, and may change with it."""
        report = self._report(library.throng_engine_tuning, _structs.Tuning)
        reason, *rest = _fields(Tuning, report)
        return Tuning(library.throng_tuning_text(reason).decode(), *rest)

    def validate(self) -> Optional[str]:
        """Reads everything: None if all is sound, and otherwise the first fault. For bug reports."""
        report = self._report(library.throng_engine_validate, _structs.Validation)
        if report.faults == 0:
            return None
        fault = library.throng_fault_text(report.first).decode()
        return f"{fault} (row {report.row}, slot {report.slot}, agent {report.agent}; {report.faults} faults)"

    def _report(self, function: Any, kind: type[_structs.Options]) -> Any:
        report = initialised(kind)
        with self._writing:
            _errors.call(function, self._handle, report)
        return report

    def release_memory(self) -> None:
        """Gives back what is kept for later calls."""
        self._write(library.throng_engine_release_memory)

    def close(self) -> None:
        """Lets go of the engine. Frames and results live on."""
        self._handle = _handles.CLOSED

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
        return (
            "<throng.Engine: closed>"
            if self._handle is _handles.CLOSED
            else f"<throng.Engine: {len(self)} agents>"
        )


def _fields(kind: Any, report: Any) -> list[Any]:
    return [getattr(report, name) for name in kind._fields]
