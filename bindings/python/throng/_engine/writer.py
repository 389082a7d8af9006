"""Shared by all writes to an engine: one at a time."""

from __future__ import annotations

import threading
from typing import Any, TypeVar

from .._arguments import too_large
from .._native import errors, kinds, structs
from .._native.handles import Handle, Spares
from .._native.library import initialised
from .._native.pool import pool
from .._origin import Place

# Writes that publish a frame; the others stage edits, or set the engine up.
_publish = tuple(f"throng_engine_{name}" for name in ("update", "commit", "rebase", "renumber", "try_moves"))
_Kind = TypeVar("_Kind", bound=kinds.Options)


class Writer:
    """An engine, as its writes see it."""

    __slots__ = ()

    _handle: Handle
    _spares: Spares
    _writing: threading.RLock
    _is_fixed: bool

    @property
    def _place(self) -> Place:
        """Where the newest frame is, and what is staged."""
        raise NotImplementedError

    def _write(self, function: Any, *arguments: Any) -> None:
        with self._writing:
            try:
                errors.call(function, self._handle, *arguments)
            except errors.BadValue as error:
                given = [each for each in arguments if isinstance(each, structs.Boxes)]
                raise (too_large(error, given[0]) if given else None) or error from None
            self._spares.refresh(self._handle)
        if function.__name__.startswith(_publish):
            pool.next_frame()

    def _report(self, function: Any, kind: type[_Kind]) -> _Kind:
        report = initialised(kind)
        with self._writing:
            errors.call(function, self._handle, report)
        return report
