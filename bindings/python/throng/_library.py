"""The C library by ctypes: throng.h once more, as Python declares it. tests/test_declarations.py compares the two."""

from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import POINTER, c_char_p, c_float, c_int32, c_uint32, c_uint64, c_void_p
from typing import Any, TypeVar

# Of the header that these declarations follow.
MAJOR, MINOR, PATCH = 0, 2, 0
VERSION = MAJOR * 1_000_000 + MINOR * 1_000 + PATCH

NO_INDEX = 2**64 - 1
NO_AGENT = 2**32 - 1
ALL = 2**32 - 1

MIN_MAX, CENTRE_HALF, POINTS = range(3)
AGENTS_AS_BOXES, AGENTS_AS_CENTRES = range(2)


class Elements(ctypes.Structure):
    """An element of an array: it never changes."""


class Options(ctypes.Structure):
    """Begins with its size; `initialised` makes one."""

    # The arrays that its pointers point into; and whether it is one box or point, and not an array of one.
    keep: object
    is_one: bool


class Box(Elements):
    _fields_ = [("min_x", c_float), ("min_y", c_float), ("max_x", c_float), ("max_y", c_float)]


class Pair(Elements):
    _fields_ = [("a", c_uint32), ("b", c_uint32)]


class Label(Elements):
    _fields_ = [("categories", c_uint32), ("group", c_uint32)]


class Neighbour(Elements):
    _fields_ = [("id", c_uint32), ("squared_distance", c_float)]


class Cast(Elements):
    _fields_ = [(name, c_float) for name in ("min_x", "min_y", "max_x", "max_y", "dx", "dy", "radius")]


class CastHit(Elements):
    _fields_ = [("id", c_uint32), ("fraction", c_float), ("is_static", c_uint32)]


class StatusDetails(Options):
    _fields_ = [("size", c_uint32), ("code", c_int32), ("argument", c_int32), ("reserved", c_uint32),
                ("index", c_uint64)]


class Boxes(Options):
    _fields_ = [("size", c_uint32), ("form", c_uint32), ("count", c_uint64),
                ("x", c_void_p), ("y", c_void_p), ("last_x", c_void_p), ("last_y", c_void_p),
                ("stride_x", c_uint64), ("stride_y", c_uint64), ("stride_last_x", c_uint64),
                ("stride_last_y", c_uint64), ("radius", c_float), ("reserved", c_uint32)]


class Labels(Options):
    _fields_ = [("size", c_uint32), ("reserved", c_uint32), ("count", c_uint64), ("categories", c_void_p),
                ("groups", c_void_p), ("stride", c_uint64)]


class Filter(Options):
    _fields_ = [("size", c_uint32), ("categories", c_uint32), ("self", c_uint32), ("not_in_group", c_uint32),
                ("each_without_itself", c_uint32), ("reserved", c_uint32)]


ALLOCATE = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_uint64, c_uint64)
DEALLOCATE = ctypes.CFUNCTYPE(None, c_void_p, c_void_p, c_uint64, c_uint64)
BLOCK = ctypes.CFUNCTYPE(None, c_void_p, c_uint64)
PARALLEL_FOR = ctypes.CFUNCTYPE(None, c_void_p, c_uint64, BLOCK, c_void_p)


class EngineConfig(Options):
    _fields_ = [("size", c_uint32), ("header_version", c_uint32), ("parallel_for", PARALLEL_FOR),
                ("executor_context", c_void_p), ("workers", c_uint32), ("serial", c_uint32),
                ("allocate", ALLOCATE), ("deallocate", DEALLOCATE), ("memory_context", c_void_p),
                ("isa", c_char_p), ("cell_width", c_float), ("row_height", c_float), ("common_size", c_float),
                ("reserved", c_uint32)]


class MemoryReport(Options):
    _fields_ = [("size", c_uint32), ("reserved", c_uint32), ("rows", c_uint64), ("history", c_uint64),
                ("tables", c_uint64), ("agents", c_uint64), ("staged", c_uint64), ("scratch", c_uint64),
                ("allocations", c_uint64)]


class Tuning(Options):
    _fields_ = [("size", c_uint32), ("reason", c_int32), ("cell_width", c_float), ("row_height", c_float),
                ("origin_x", c_float), ("origin_y", c_float), ("columns", c_uint32), ("rows", c_uint32),
                ("common_width", c_float), ("common_height", c_float), ("islands", c_uint32),
                ("crowding", c_float), ("oversized", c_uint64), ("times_chosen", c_uint64)]


class Validation(Options):
    _fields_ = [("size", c_uint32), ("first", c_int32), ("faults", c_uint64), ("row", c_uint32),
                ("slot", c_uint32), ("agent", c_uint32), ("reserved", c_uint32)]


class PairQuery(Options):
    _fields_ = [("size", c_uint32), ("a", c_uint32), ("b", c_uint32), ("other_groups_only", c_uint32),
                ("within", c_float), ("reserved", c_uint32)]


class Within(Options):
    _fields_ = [("size", c_uint32), ("radius", c_float), ("radii", c_void_p), ("radii_count", c_uint64),
                ("agents_as", c_uint32), ("either_reaches", c_uint32), ("half", c_uint32),
                ("with_self", c_uint32), ("distances", c_uint32), ("in_row_order", c_uint32)]


class Nearest(Options):
    _fields_ = [("size", c_uint32), ("count", c_uint32), ("max_radius", c_float), ("agents_as", c_uint32),
                ("max_radii", c_void_p), ("radii_count", c_uint64), ("with_self", c_uint32),
                ("distances", c_uint32), ("in_row_order", c_uint32), ("reserved", c_uint32)]


class Points(Options):
    _fields_ = [("size", c_uint32), ("reserved", c_uint32), ("count", c_uint64), ("x", c_void_p),
                ("y", c_void_p), ("stride", c_uint64)]


STRUCTS: dict[str, type[ctypes.Structure]] = {
    "throng_box": Box, "throng_pair": Pair, "throng_label": Label, "throng_neighbour": Neighbour,
    "throng_cast": Cast, "throng_cast_hit": CastHit, "throng_status_details": StatusDetails,
    "throng_boxes": Boxes, "throng_labels": Labels, "throng_filter": Filter,
    "throng_engine_config": EngineConfig, "throng_memory_report": MemoryReport, "throng_tuning": Tuning,
    "throng_validation": Validation, "throng_pair_query": PairQuery, "throng_within": Within,
    "throng_nearest": Nearest, "throng_points": Points,
}

# What each parameter is. Handles, and pointers to numbers in arrays, are addresses.
_ADDRESS = c_void_p
_HANDLE = c_void_p
_TO_HANDLE = POINTER(c_void_p)
_TO_COUNT = POINTER(c_uint64)
_DETAILS = POINTER(StatusDetails)
_BOXES, _LABELS, _FILTER, _POINTS = POINTER(Boxes), POINTER(Labels), POINTER(Filter), POINTER(Points)
_ENGINE_CALL = (c_int32, [_HANDLE, _DETAILS])
_CREATE = (c_int32, [_HANDLE, _TO_HANDLE, _DETAILS])
_DESTROY = (None, [_HANDLE])
_NUMBER = (c_uint64, [_HANDLE])
_GET = (c_void_p, [_HANDLE, _TO_COUNT])
_TEXT = (c_char_p, [c_int32])
_IDS = [_ADDRESS, c_uint64]

FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "throng_version": (c_uint32, []),
    "throng_status_text": _TEXT,
    "throng_status_describe": (c_uint64, [_DETAILS, c_char_p, c_uint64]),
    "throng_boxes_min_max": (c_int32, [_BOXES, *[_ADDRESS] * 4, c_uint64, c_uint64]),
    "throng_boxes_centre_half": (c_int32, [_BOXES, *[_ADDRESS] * 4, c_uint64, c_uint64]),
    "throng_boxes_points": (c_int32, [_BOXES, _ADDRESS, _ADDRESS, c_float, c_uint64, c_uint64]),
    "throng_boxes_of": (c_int32, [_BOXES, _ADDRESS, c_uint64]),
    "throng_engine_create": (c_int32, [POINTER(EngineConfig), _TO_HANDLE, _DETAILS]),
    "throng_engine_destroy": _DESTROY,
    "throng_engine_update": (c_int32, [_HANDLE, _BOXES, _LABELS, _DETAILS]),
    "throng_engine_update_by_ids": (c_int32, [_HANDLE, *_IDS, _BOXES, _LABELS, _DETAILS]),
    "throng_engine_insert": (c_int32, [_HANDLE, _BOXES, _LABELS, *_IDS, _DETAILS]),
    "throng_engine_move": (c_int32, [_HANDLE, *_IDS, _BOXES, _DETAILS]),
    "throng_engine_relabel": (c_int32, [_HANDLE, *_IDS, _LABELS, _DETAILS]),
    "throng_engine_remove": (c_int32, [_HANDLE, *_IDS, _DETAILS]),
    "throng_engine_commit": _ENGINE_CALL,
    "throng_engine_discard": _ENGINE_CALL,
    "throng_engine_staged": _NUMBER,
    "throng_engine_set_static_layer": (c_int32, [_HANDLE, _BOXES, _LABELS, _DETAILS]),
    "throng_engine_clear_static_layer": _ENGINE_CALL,
    "throng_engine_release_memory": _ENGINE_CALL,
    "throng_engine_memory": (c_int32, [_HANDLE, POINTER(MemoryReport), _DETAILS]),
    "throng_engine_tuning": (c_int32, [_HANDLE, POINTER(Tuning), _DETAILS]),
    "throng_engine_validate": (c_int32, [_HANDLE, POINTER(Validation), _DETAILS]),
    "throng_engine_size": _NUMBER,
    "throng_engine_isa": (c_char_p, [_HANDLE]),
    "throng_tuning_text": _TEXT,
    "throng_fault_text": _TEXT,
    "throng_engine_frame": _CREATE,
    "throng_frame_retain": _DESTROY,
    "throng_frame_release": _DESTROY,
    "throng_frame_size": _NUMBER,
    "throng_frame_id_bound": _NUMBER,
    "throng_frame_number": _NUMBER,
    "throng_frame_fingerprint": _NUMBER,
    "throng_frame_static_layer": _CREATE,
    "throng_frame_agent_box": (c_int32, [_HANDLE, c_uint32, POINTER(Box), _DETAILS]),
    "throng_frame_agent_label": (c_int32, [_HANDLE, c_uint32, POINTER(Label), _DETAILS]),
    "throng_hits_create": _CREATE,
    "throng_hits_destroy": _DESTROY,
    "throng_hits_offsets": _GET,
    "throng_hits_ids": _GET,
    "throng_pairs_create": _CREATE,
    "throng_pairs_destroy": _DESTROY,
    "throng_pairs_get": _GET,
    "throng_pairs_sort": (c_int32, [_HANDLE, _DETAILS]),
    "throng_neighbours_create": _CREATE,
    "throng_neighbours_destroy": _DESTROY,
    "throng_neighbours_offsets": _GET,
    "throng_neighbours_ids": _GET,
    "throng_neighbours_squared_distances": _GET,
    "throng_neighbours_agents": _GET,
    "throng_cast_hits_create": _CREATE,
    "throng_cast_hits_destroy": _DESTROY,
    "throng_cast_hits_offsets": _GET,
    "throng_cast_hits_get": _GET,
    "throng_frame_overlaps": (c_int32, [_HANDLE, POINTER(Box), _FILTER, *_IDS, _TO_COUNT, _DETAILS]),
    "throng_frame_count": (c_int32, [_HANDLE, POINTER(Box), _FILTER, _TO_COUNT, _DETAILS]),
    "throng_frame_any": (c_int32, [_HANDLE, POINTER(Box), _FILTER, POINTER(c_int32), _DETAILS]),
    "throng_frame_overlaps_of": (c_int32, [_HANDLE, _BOXES, _FILTER, _HANDLE, _DETAILS]),
    "throng_frame_count_of": (c_int32, [_HANDLE, _BOXES, _FILTER, *_IDS, _DETAILS]),
    "throng_frame_any_of": (c_int32, [_HANDLE, _BOXES, _FILTER, *_IDS, _DETAILS]),
    "throng_frame_pairs": (c_int32, [_HANDLE, POINTER(PairQuery), _HANDLE, _DETAILS]),
    "throng_frame_count_pairs": (c_int32, [_HANDLE, POINTER(PairQuery), _TO_COUNT, _DETAILS]),
    "throng_frame_within": (c_int32, [_HANDLE, POINTER(Within), _FILTER, _HANDLE, _DETAILS]),
    "throng_frame_nearest": (c_int32, [_HANDLE, POINTER(Nearest), _FILTER, _HANDLE, _DETAILS]),
    "throng_frame_within_of": (c_int32, [_HANDLE, _POINTS, POINTER(Within), _FILTER, _HANDLE, _DETAILS]),
    "throng_frame_nearest_of": (c_int32, [_HANDLE, _POINTS, POINTER(Nearest), _FILTER, _HANDLE, _DETAILS]),
    "throng_frame_nearest_one": (c_int32, [_HANDLE, c_float, c_float, _FILTER, POINTER(Neighbour), _DETAILS]),
    "throng_frame_first_hit": (c_int32, [_HANDLE, POINTER(Cast), _FILTER, POINTER(CastHit), _DETAILS]),
    "throng_frame_blocked": (c_int32, [_HANDLE, POINTER(Cast), _FILTER, POINTER(c_int32), _DETAILS]),
    "throng_frame_first_hits_of": (c_int32, [_HANDLE, _ADDRESS, c_uint64, _FILTER, *_IDS, _DETAILS]),
    "throng_frame_blocked_of": (c_int32, [_HANDLE, _ADDRESS, c_uint64, _FILTER, *_IDS, _DETAILS]),
    "throng_frame_all_hits_of": (c_int32, [_HANDLE, _ADDRESS, c_uint64, _FILTER, _HANDLE, _DETAILS]),
}
# Each struct with options has a call that fills in its defaults.
for _name, _struct in STRUCTS.items():
    if issubclass(_struct, Options):
        _more = [c_uint32] if _struct is EngineConfig else []
        FUNCTIONS[_name.replace("throng_", "throng_init_", 1)] = (c_int32, [POINTER(_struct), c_uint32, *_more])


def _path() -> str:
    given = os.environ.get("THRONG_LIBRARY")
    if given:
        return given
    return str(pathlib.Path(__file__).resolve().parent / "libthrong_c.so")


def _load() -> ctypes.CDLL:
    path = _path()
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"throng cannot load its library: {error}. THRONG_LIBRARY may name another one") from error
    for name, (result, parameters) in FUNCTIONS.items():
        try:
            function = getattr(loaded, name)
        except AttributeError:
            raise ImportError(f"{path} is older than this package: it has no {name}") from None
        function.restype = result
        function.argtypes = parameters
    if loaded.throng_version() // 1_000_000 != MAJOR:
        raise ImportError(f"{path} is of another major version than this package, {MAJOR}")
    return loaded


library = _load()

_Kind = TypeVar("_Kind", bound=Options)
_defaults: dict[type[Options], bytes] = {}


def initialised(kind: type[_Kind]) -> _Kind:
    """A struct with the library's defaults."""
    return kind.from_buffer_copy(_defaults[kind])


def _read_defaults() -> None:
    for name, kind in STRUCTS.items():
        if not issubclass(kind, Options):
            continue
        options = kind()
        version = [VERSION] if kind is EngineConfig else []
        initialise = getattr(library, name.replace("throng_", "throng_init_", 1))
        if initialise(ctypes.byref(options), ctypes.sizeof(options), *version) != 0:
            raise ImportError(f"the library knows no {name} of {ctypes.sizeof(options)} bytes")
        _defaults[kind] = bytes(options)


_read_defaults()
