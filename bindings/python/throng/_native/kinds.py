"""The building blocks of the declarations in `structs` and `functions`."""

from __future__ import annotations

import ctypes
from typing import Any

uint8, uint32, uint64 = ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint64
int32, int64 = ctypes.c_int32, ctypes.c_int64
float32, float64 = ctypes.c_float, ctypes.c_double
# A handle, or the start of an array.
pointer = ctypes.c_void_p
text = ctypes.c_char_p
ref = ctypes.POINTER

# All categories; and as a group, none.
ALL = 2**32 - 1


class Element(ctypes.Structure):
    """An element of an array: it never changes."""


class Options(ctypes.Structure):
    """Begins with its size; `library.initialised` makes one."""

    # The arrays that its pointers point into, heights apart; and whether it is one box or point, instead of
    # an array of one.
    keep: Any
    keep_heights: Any
    is_one: bool
    # What the caller calls its arrays.
    called: tuple[str, ...] = ()
