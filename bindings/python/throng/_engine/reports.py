"""An engine's reports about itself."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional

from .._native import handles, structs
from .._native.library import library
from .writer import Writer


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


class Reports(Writer):
    __slots__ = ()

    @property
    def isa(self) -> str:
        """The instruction set that it uses."""
        if self._handle is handles.CLOSED:
            raise ValueError("the engine is closed")
        return str(library.throng_engine_isa(self._handle).decode())

    def memory(self) -> MemoryReport:
        """The memory that it holds."""
        report = self._report(library.throng_engine_memory, structs.MemoryReport)
        return MemoryReport(*(getattr(report, name) for name in MemoryReport._fields))

    def tuning(self) -> Tuning:
        """The grid of the newest frame. The numbers describe internals, and may change."""
        report = self._report(library.throng_engine_tuning, structs.Tuning)
        report.origin_x += self._place.origin.x
        report.origin_y += self._place.origin.y
        reason, *rest = (getattr(report, name) for name in Tuning._fields)
        return Tuning(library.throng_tuning_text(reason).decode(), *rest)

    def validate(self) -> Optional[str]:
        """Reads everything: None if all is sound, and otherwise the first fault. For bug reports."""
        report: Any = self._report(library.throng_engine_validate, structs.Validation)
        if report.faults == 0:
            return None
        fault = library.throng_fault_text(report.first).decode()
        return f"{fault} (row {report.row}, slot {report.slot}, agent {report.agent}; {report.faults} faults)"


def build_info() -> str:
    """How the library was built, in one line for bug reports."""
    room = library.throng_build_describe(None, 0) + 1
    text = ctypes.create_string_buffer(room)
    library.throng_build_describe(text, room)
    return text.value.decode()
