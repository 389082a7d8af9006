"""libthrong_cluster_c.so: the structs of throng_cluster.h, and what its calls return."""

from __future__ import annotations

import ctypes
import os
import pathlib


class Status(ctypes.Structure):
    _fields_ = [
        *[(name, ctypes.c_int32) for name in ("trouble", "code", "argument", "rank", "mpi_error", "reserved")],
        ("index", ctypes.c_uint64),
        ("id", ctypes.c_uint64),
    ]


class Config(ctypes.Structure):
    _fields_ = [
        ("reach", ctypes.c_float),
        ("radius", ctypes.c_float),
        *[(name, ctypes.c_int32) for name in ("threads", "rebalance", "agents_stay", "reserved")],
        *[(name, ctypes.c_uint64) for name in ("payload_bytes", "block_bytes", "sample")],
        ("period_x", ctypes.c_float),
        ("period_y", ctypes.c_float),
    ]


class Agents(ctypes.Structure):
    _fields_ = [
        ("count", ctypes.c_uint64),
        *[(name, ctypes.c_void_p) for name in ("ids", "boxes", "labels", "payload", "heights")],
    ]


class PairQuery(ctypes.Structure):
    _fields_ = [
        ("a", ctypes.c_uint32),
        ("b", ctypes.c_uint32),
        ("other_groups_only", ctypes.c_int32),
        ("within", ctypes.c_float),
        ("agents_as", ctypes.c_int32),
    ]


class Filter(ctypes.Structure):
    _fields_ = [
        *[(name, ctypes.c_uint32) for name in ("categories", "not_in_group")],
        *[("heights", ctypes.c_void_p), ("heights_count", ctypes.c_uint64)],
        *[("cast_heights", ctypes.c_void_p), ("cast_heights_count", ctypes.c_uint64)],
    ]


class Neighbourhood(ctypes.Structure):
    _fields_ = [("radius", ctypes.c_float), ("nearest", ctypes.c_uint32), ("agents_as", ctypes.c_int32)]


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


FAILS = (
    "create agree set_reach update partition partition_as save load reports forward reverse sum_pairs pairs pairs_with neighbours neighbours_of overlaps circles count first_hits all_hits"
).split()


def load() -> ctypes.CDLL:
    own = pathlib.Path(__file__).resolve().parents[1] / "lib" / "libthrong_cluster_c.so"
    path = os.environ.get("THRONG_CLUSTER_LIBRARY") or str(own)
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        text = f"throng cannot load its cluster, which THRONG_CLUSTER_LIBRARY may name: {error}"
        raise ImportError(text) from error
    for name in FAILS:
        getattr(loaded, f"throng_cluster_{name}").restype = Status
    for name in ("config_init", "destroy", "owned", "ghosts", "in_place", "domain", "get_report"):
        getattr(loaded, f"throng_cluster_{name}").restype = None
    loaded.throng_cluster_heights_in_place.restype = ctypes.c_void_p
    loaded.throng_cluster_size.restype = ctypes.c_uint64
    loaded.throng_cluster_places.restype = ctypes.c_uint64
    loaded.throng_cluster_describe.restype = ctypes.c_uint64
    return loaded
