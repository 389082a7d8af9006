"""Objects of the library, which are given back when no one in Python holds them any more.

A call of the library gets the Handle itself as its argument, so the object lives for as long as the call,
whatever other threads do.
"""

from __future__ import annotations

import ctypes
from typing import Any, Callable

from . import _errors
from ._library import library


class Handle:
    """One object of the library. `closed` stands for one that is gone."""

    __slots__ = ("_as_parameter_", "_give_back", "__weakref__")

    def __init__(self, address: int, give_back: Callable[[int], None]) -> None:
        self._as_parameter_ = address
        self._give_back = give_back

    def __del__(self) -> None:
        self._give_back(self._as_parameter_)


class Spares:
    """The handle of a frame that no one holds, kept for the next: so a steady loop allocates none."""

    __slots__ = ("addresses",)

    def __init__(self) -> None:
        self.addresses: list[int] = []

    def __del__(self, release: Any = library.throng_frame_release) -> None:
        for address in self.addresses:
            release(address)

    def give_back(self, address: int, release: Any = library.throng_frame_release) -> None:
        if self.addresses:
            release(address)
        else:
            self.addresses.append(address)

    def take(self) -> ctypes.c_void_p:
        try:
            return ctypes.c_void_p(self.addresses.pop())
        except IndexError:
            return ctypes.c_void_p()

    def refresh(self, engine: Handle) -> None:
        """Lets go of the frame that a spare handle still holds: the engine wants its memory."""
        spare = self.take()
        if spare:
            try:
                _errors.call(library.throng_engine_frame, engine, ctypes.byref(spare))
            finally:
                self.give_back(spare.value or 0)


def create(function: Any, give_back: Any, engine: Any = None) -> Handle:
    """A result object, or what else `function` makes."""
    address = ctypes.c_void_p()
    _errors.call(function, engine, ctypes.byref(address))
    return Handle(address.value or 0, give_back)


class _Closed(Handle):
    """In the place of an object that was closed: the library refuses it, as a handle that is NULL."""

    __slots__ = ()

    def __del__(self) -> None:
        pass


CLOSED = _Closed(0, lambda address: None)
