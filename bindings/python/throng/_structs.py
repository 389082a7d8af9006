"""The structs of throng.h, member by member; tests/test_declarations.py compares them with the header."""

from __future__ import annotations

import ctypes
from typing import Any

TYPES: dict[str, Any] = {
    "uint8": ctypes.c_uint8,
    "uint32": ctypes.c_uint32,
    "int32": ctypes.c_int32,
    "uint64": ctypes.c_uint64,
    "float": ctypes.c_float,
    "pointer": ctypes.c_void_p,
    "text": ctypes.c_char_p,
}
_context = ctypes.c_void_p
TYPES["allocate"] = ctypes.CFUNCTYPE(ctypes.c_void_p, _context, ctypes.c_uint64, ctypes.c_uint64)
TYPES["deallocate"] = ctypes.CFUNCTYPE(None, _context, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)
TYPES["block"] = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64)
TYPES["parallel_for"] = ctypes.CFUNCTYPE(None, _context, ctypes.c_uint64, TYPES["block"], ctypes.c_void_p)


def members(text: str) -> list[tuple[str, Any]]:
    """The fields of a struct, from "type name, name; type name"."""
    found = []
    for part in text.split(";"):
        kind, names = part.strip().split(" ", 1)
        found += [(name.strip(), TYPES[kind]) for name in names.split(",")]
    return found


class Element(ctypes.Structure):
    """An element of an array: it never changes."""


class Options(ctypes.Structure):
    """Begins with its size; `initialised` makes one."""

    # The arrays that its pointers point into; and whether it is one box or point, and not an array of one.
    keep: Any
    is_one: bool


class Box(Element):
    _fields_ = members("float min_x, min_y, max_x, max_y")


class Pair(Element):
    _fields_ = members("uint32 a, b")


class Label(Element):
    _fields_ = members("uint32 categories, group")


class Neighbour(Element):
    _fields_ = members("uint32 id; float squared_distance")


class Cast(Element):
    _fields_ = members("float min_x, min_y, max_x, max_y, dx, dy, radius")


class CastHit(Element):
    _fields_ = members("uint32 id; float fraction; uint32 is_static")


class StatusDetails(Options):
    _fields_ = members("uint32 size; int32 code, argument; uint32 reserved; uint64 index")


class Boxes(Options):
    _fields_ = members(
        "uint32 size, form; uint64 count; pointer x, y, last_x, last_y; "
        "uint64 stride_x, stride_y, stride_last_x, stride_last_y; float radius; uint32 reserved"
    )


class Labels(Options):
    _fields_ = members("uint32 size, reserved; uint64 count; pointer categories, groups; uint64 stride")


class Filter(Options):
    _fields_ = members("uint32 size, categories, self, not_in_group, each_without_itself, reserved")


class EngineConfig(Options):
    _fields_ = members(
        "uint32 size, header_version; parallel_for parallel_for; pointer executor_context; "
        "uint32 workers, serial; allocate allocate; deallocate deallocate; pointer memory_context; "
        "text isa; float cell_width, row_height, common_size; uint32 reserved"
    )


class MemoryReport(Options):
    _fields_ = members(
        "uint32 size, reserved; uint64 rows, history, tables, agents, staged, scratch, allocations"
    )


class Tuning(Options):
    _fields_ = members(
        "uint32 size; int32 reason; float cell_width, row_height, origin_x, origin_y; "
        "uint32 columns, rows; float common_width, common_height; uint32 islands; float crowding; "
        "uint64 oversized, times_chosen"
    )


class Validation(Options):
    _fields_ = members("uint32 size; int32 first; uint64 faults; uint32 row, slot, agent, reserved")


class PairQuery(Options):
    _fields_ = members("uint32 size, a, b, other_groups_only; float within; uint32 reserved")


class Within(Options):
    _fields_ = members(
        "uint32 size; float radius; pointer radii; uint64 radii_count; "
        "uint32 agents_as, either_reaches, half, with_self, distances, in_row_order"
    )


class Nearest(Options):
    _fields_ = members(
        "uint32 size, count; float max_radius; uint32 agents_as; pointer max_radii; uint64 radii_count; "
        "uint32 with_self, distances, in_row_order, reserved"
    )


class Points(Options):
    _fields_ = members("uint32 size, reserved; uint64 count; pointer x, y; uint64 stride")


def of_kind(kind: Any) -> dict[str, Any]:
    """All structs of a kind, by their names in C: CastHit is throng_cast_hit."""
    names = {
        "".join("_" + c.lower() if c.isupper() else c for c in each.__name__): each
        for each in kind.__subclasses__()
    }
    return {"throng" + name: each for name, each in names.items()}


OPTIONS: dict[str, type[Options]] = of_kind(Options)
STRUCTS: dict[str, type[ctypes.Structure]] = {**of_kind(Element), **OPTIONS}
