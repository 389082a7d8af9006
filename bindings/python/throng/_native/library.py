"""The C library, loaded: the one that THRONG_CLUSTER_LIBRARY names, which has the cluster too, or THRONG_LIBRARY; the copy in
the package; or the system's."""

from __future__ import annotations

import ctypes
import os
import pathlib
from typing import TypeVar

from . import structs
from .functions import FUNCTIONS
from .kinds import Options
from .structs import STRUCTS, EngineConfig


def _load() -> ctypes.CDLL:
    own = pathlib.Path(__file__).resolve().parents[1] / "lib" / "libthrong_c.so"
    found = str(own) if own.exists() else f"libthrong_c.so.{structs.MAJOR}"
    names = "THRONG_CLUSTER_LIBRARY", "THRONG_LIBRARY"
    named = next((name for name in names if os.environ.get(name)), "THRONG_LIBRARY")
    path = os.environ.get(named) or found
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        text = f"throng cannot load its library, which {named} may name: {error}"
        raise ImportError(text) from error
    for name, (result, parameters) in FUNCTIONS.items():
        try:
            function = getattr(loaded, name)
        except AttributeError:
            text = f"{path} is older than this package, or without THRONG_STRUCTURES: it has no {name}"
            raise ImportError(text) from None
        function.restype = result
        function.argtypes = parameters
    if loaded.throng_version() // 1_000_000 != structs.MAJOR:
        raise ImportError(f"{path} is of another major version than this package, {structs.MAJOR}")
    return loaded


library = _load()

_Kind = TypeVar("_Kind", bound=Options)
_defaults: dict[type[Options], bytes] = {}


def initialised(kind: type[_Kind]) -> _Kind:
    """A struct with the library's defaults."""
    return kind.from_buffer_copy(_defaults[kind])


for _name, _kind in STRUCTS.items():
    if not issubclass(_kind, Options):
        continue
    _options = _kind()
    _version = [structs.VERSION] if _kind is EngineConfig else []
    _init = getattr(library, _name.replace("throng_", "throng_init_", 1))
    if _init(ctypes.byref(_options), ctypes.sizeof(_options), *_version) != 0:
        raise ImportError(f"throng's library knows no {_name} of {ctypes.sizeof(_options)} bytes")
    _defaults[_kind] = bytes(_options)
