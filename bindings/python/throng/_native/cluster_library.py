"""The cluster's part of the library: the structs of throng_cluster.h, and what its calls return."""

from __future__ import annotations

import ctypes
from typing import Any

from .library import library


class Status(ctypes.Structure):
    _fields_ = [
        *[(name, ctypes.c_int32) for name in ("trouble", "code", "argument", "rank", "mpi_error", "reserved")],
        ("index", ctypes.c_uint64),
        ("id", ctypes.c_uint64),
    ]


class Config(ctypes.Structure):
    _fields_ = [
        ("engine", ctypes.c_void_p),
        *[(name, ctypes.c_float) for name in ("reach", "radius")],
        *[(name, ctypes.c_int32) for name in ("rebalance", "agents_stay")],
        *[(name, ctypes.c_uint64) for name in ("payload_bytes", "ghost_payload_bytes", "block_bytes", "sample")],
    ]


class Agents(ctypes.Structure):
    _fields_ = [
        ("count", ctypes.c_uint64),
        *[(name, ctypes.c_void_p) for name in ("ids", "boxes", "labels", "payload", "heights")],
    ]


class Values(ctypes.Structure):
    _fields_ = [
        ("values", ctypes.c_void_p),
        *[(name, ctypes.c_uint64) for name in ("count", "numbers")],
        *[(name, ctypes.c_int32) for name in ("kind", "reserved")],
    ]


class Lists(ctypes.Structure):
    _fields_ = [
        ("count", ctypes.c_uint64),
        *[(name, ctypes.c_void_p) for name in ("offsets", "ids", "numbers")],
    ]


REPORT_COUNTS = (
    "held sent jumped received owned ghosts ghosts_sent neighbours cluster_owned busiest all_work partitioned general "
    "rounds migration_messages migration_bytes ghosting_messages ghosting_bytes general_messages general_bytes sums "
    "sums_bytes"
).split()
REPORT_SECONDS = (
    "seconds partition_seconds migration_seconds ghosting_seconds build_seconds waited_seconds".split()
)


class Report(ctypes.Structure):
    _fields_ = [
        *[(name, ctypes.c_uint64) for name in REPORT_COUNTS],
        *[(name, ctypes.c_double) for name in REPORT_SECONDS],
    ]


FAILS = """create agree set_reach set_static_layer update frame partition partition_as save load reports forward reverse sum_pairs
sum_pair_places pairs pairs_with neighbours_within neighbours_nearest neighbours_within_of neighbours_nearest_of overlaps
count first_hits all_hits""".split()
_NUMBERS: dict[str, Any] = {
    "size": ctypes.c_uint64,
    "places": ctypes.c_uint64,
    "describe": ctypes.c_uint64,
    **{name: ctypes.c_float for name in ("reach", "radius", "giants_from")},
}


def load() -> ctypes.CDLL:
    if not hasattr(library, "throng_cluster_create"):
        raise ImportError(
            "THRONG_CLUSTER_LIBRARY has to name libthrong_cluster_c.so: throng's library was loaded without a cluster"
        )
    for name in FAILS:
        getattr(library, f"throng_cluster_{name}").restype = Status
    for name in ("config_init", "destroy", "owned", "ghosts", "in_place", "pair_places", "domain", "get_report"):
        getattr(library, f"throng_cluster_{name}").restype = None
    for name, kind in _NUMBERS.items():
        getattr(library, f"throng_cluster_{name}").restype = kind
    return library
