"""The library's refusals as exceptions."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Union

from . import interrupts, structs
from .codes import Argument, Code
from .library import library


class Error(Exception):
    """A call that the library refused. It has changed nothing.

    `code` says why, `argument` which argument was wrong, and `index` which of its elements, or None. It is
    raised as a `BadValue`, which is a ValueError too, or as an `OutOfMemory`, which is a MemoryError too.

    >>> import throng
    >>> engine = throng.Engine()
    >>> try:
    ...     engine.update([(0, 0), (1, float("nan"))])
    ... except throng.Error as error:
    ...     error.code.name, error.argument.name, error.index
    ('NOT_FINITE', 'BOXES', 1)
    """

    def __init__(self, text: str, code: int, argument: int = 0, index: Optional[int] = None) -> None:
        super().__init__(text, code, argument, index)
        self.code: Union[Code, int] = _named(Code, code)
        self.argument: Union[Argument, int] = _named(Argument, argument)
        self.index = index

    def __str__(self) -> str:
        return str(self.args[0])


class BadValue(Error, ValueError):
    """A call with a value that the library refused."""


class OutOfMemory(Error, MemoryError):
    """There was not enough memory."""


def _named(kind: Any, number: int) -> Any:
    # A newer library may have numbers without a name here.
    try:
        return kind(number)
    except ValueError:
        return number


def of_details(details: structs.StatusDetails) -> Error:
    room = 512
    text = ctypes.create_string_buffer(room)
    library.throng_status_describe(ctypes.byref(details), text, room)
    said = text.value.decode()
    if details.code == Code.BAD_SHAPE:  # how many corners there are was looked at before
        said = said.replace(library.throng_status_text(details.code).decode(), "a polygon is not convex")
    if details.code == Code.NULL_POINTER and details.argument == Argument.HANDLE:
        said = "the engine, the frame or the layer is closed"
    index = None if details.index == structs.NO_INDEX else int(details.index)
    kind = OutOfMemory if details.code == Code.OUT_OF_MEMORY else BadValue
    return kind(said, details.code, details.argument, index)


_details_size = ctypes.sizeof(structs.StatusDetails)


def call(function: Any, *arguments: Any) -> None:
    """Calls a function of the library, whose last argument takes the details of a failure."""
    details = structs.StatusDetails(_details_size)
    if function(*arguments, ctypes.byref(details)) != 0 or interrupts.found:
        _raise(details)


def ask(function: Any, *arguments: Any) -> None:
    """The same for a call that may be made once more, such as one query. Only a failure costs details."""
    if function(*arguments, None) != 0 or interrupts.found:
        call(function, *arguments)


def _raise(details: structs.StatusDetails) -> None:
    raised = interrupts.raised()
    if raised is not None:
        raise raised
    if details.code != 0:
        raise of_details(details)
