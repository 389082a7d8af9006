"""Objects of the library, which are given back when nothing in Python holds them any more.

A call of the library gets the Handle itself as its argument, so the object lives for as long as the call,
whatever other threads do.

No Python code runs when an object dies. In `__del__` the handler of a signal might run, and an exception
there, such as KeyboardInterrupt, would be printed and lost. So a weak reference calls the library, by ctypes.
For objects that are used again it calls the `append` of a list.
"""

from __future__ import annotations

import ctypes
import weakref
from typing import Any

from . import errors
from .library import library


class _End(weakref.ref["Handle"]):
    """Calls the library with itself, since ctypes takes it as the address."""

    __slots__ = ("_as_parameter_",)
    _as_parameter_: int


# The last one of each address. A handle may be part of a cycle, but its reference must not be, or it would
# call nothing.
_ends: dict[int, _End] = {}
_most_ends = 1024


def _forget_dead() -> None:
    """Keeps their number near that of the handles."""
    global _most_ends
    for address in list(_ends):
        end = _ends.pop(address, None)
        if end is not None and end() is not None:
            # Another thread may have given that one back meanwhile, and made another at the same address.
            _ends.setdefault(address, end)
    _most_ends = 1024 + 2 * len(_ends)


class Handle:
    """One object of the library, which a call of it gives back. `CLOSED` stands for one that is gone."""

    __slots__ = ("_as_parameter_", "__weakref__")

    def __init__(self, address: int, give_back: Any) -> None:
        self._as_parameter_ = address
        end = _End(self, give_back)
        end._as_parameter_ = address
        _ends[address] = end
        if len(_ends) > _most_ends:
            _forget_dead()

    def __reduce__(self) -> Any:
        # A second one would give the object back once more.
        raise TypeError("this object of throng cannot be copied: pickle a frame, or lists")


class Returned(weakref.ref["Use"]):
    """What a use leaves behind when nothing holds it: the handle of the object, and its kind."""

    __slots__ = ("owner", "kind")
    owner: Handle
    kind: Any


class Use(Handle):
    """A use of an object that may be used again: when nothing holds it, its handle and kind go into the list
    `returned`."""

    __slots__ = ("_returned",)

    def __init__(self, owner: Handle, returned: list[Any], kind: Any = None) -> None:
        self._as_parameter_ = owner._as_parameter_
        self._returned = Returned(self, returned.append)
        self._returned.owner, self._returned.kind = owner, kind


class Spares:
    """Handles of frames that nothing holds. One is kept for the next frame, so a steady loop allocates
    none."""

    __slots__ = ("returned",)

    def __init__(self) -> None:
        self.returned: list[Any] = []

    def __reduce__(self) -> Any:
        raise TypeError("this object of throng cannot be copied: pickle a frame, or lists")

    def take(self) -> Any:
        """What is left of a use, or None."""
        try:
            last = self.returned.pop()
        except IndexError:
            return None
        self.returned.clear()
        return last

    def refresh(self, engine: Handle) -> None:
        """Lets go of the frame that a spare handle still holds: the engine wants its memory."""
        spare = self.take()
        if spare is not None:
            # If it fails, the handle is as it was.
            address = ctypes.c_void_p(spare.owner._as_parameter_)
            library.throng_engine_frame(engine, ctypes.byref(address), None)
            self.returned.append(spare)


def create(function: Any, give_back: Any, engine: Any = None) -> Handle:
    """A result object, or what else `function` makes."""
    address = ctypes.c_void_p()
    errors.call(function, engine, ctypes.byref(address))
    return Handle(address.value or 0, give_back)


class _Closed(Handle):
    """Stands for an object that was closed: the library refuses it like a NULL handle."""

    __slots__ = ()

    def __init__(self) -> None:
        self._as_parameter_ = 0


CLOSED = _Closed()
