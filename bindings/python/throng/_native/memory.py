"""The library's memory as NumPy arrays.

Large blocks of it lie in huge pages, if the system has them. Results that nothing holds any more are kept in
the `pool` for the next ones.

A call that gets a result object refills it. So that no array dangles, Spares has several objects, and only
one without arrays is refilled: an array keeps its object alive and unchanged. In a steady loop at most two
take turns.
"""

from __future__ import annotations

import ctypes
import weakref
from math import prod
from typing import Any, NamedTuple, Optional

import numpy as np

from . import errors, structs
from .._arrays import Array
from .handles import Handle, Use
from .library import initialised, library
from .pool import LEAST, pool


class Kind(NamedTuple):
    """A kind of result objects: what makes and destroys one, and the calls that give its arrays."""

    name: str
    create: Any
    destroy: Any
    # For kinds that the pool takes: how many bytes an object has, and an element of each array.
    bytes: Any
    arrays: dict[str, int]
    getters: dict[str, Any]

    def getter(self, name: str) -> Any:
        """The call that gives one of its arrays."""
        found = self.getters.get(name)
        if found is None:
            found = self.getters[name] = getattr(library, f"throng_{self.name}_{name}")
        return found


def _kind(name: str, **arrays: int) -> Kind:
    create, destroy = (getattr(library, f"throng_{name}_{what}") for what in ("create", "destroy"))
    return Kind(name, create, destroy, getattr(library, f"throng_{name}_bytes", None), arrays, {})


def _memory_bytes(held: Any) -> int:
    bytes = ctypes.c_uint64()
    library.throng_memory_get(held, ctypes.byref(bytes))
    return bytes.value


HITS = _kind("hits", offsets=8, ids=4)
AS_FOUND = _kind("hits_as_found", queries=4, offsets=8, ids=4)
PAIRS, PAIR_CHANGES = _kind("pairs", get=8), _kind("pair_changes")
NEIGHBOURS = _kind("neighbours", offsets=8, ids=4, squared_distances=4, agents=4)
KEPT = _kind("kept_neighbours")
CAST_HITS = _kind("cast_hits", offsets=8, get=12)
POINT_LISTS, POINT_PAIRS = _kind("point_lists"), _kind("point_pairs")
MEMORY = _kind("memory")._replace(bytes=_memory_bytes)


def _used(kind: Kind, owner: Handle) -> Use:
    """A result object, which goes to the pool when nothing holds it any more."""
    return Use(owner, pool.returned, kind)


class _Source:
    """An engine without queries: results take their memory from its source."""

    _engine: Optional[Handle] = None

    @classmethod
    def engine(cls) -> Handle:
        if cls._engine is None:
            config = initialised(structs.EngineConfig)
            config.serial = config.huge_pages = 1
            made = ctypes.c_void_p()
            errors.call(library.throng_engine_create, config, ctypes.byref(made))
            cls._engine = Handle(made.value or 0, library.throng_engine_destroy)
        return cls._engine


def new(kind: Kind, *options: Any) -> Handle:
    """A new result object."""
    made = ctypes.c_void_p()
    errors.call(kind.create, _Source.engine(), *options, ctypes.byref(made))
    owner = Handle(made.value or 0, kind.destroy)
    return owner if kind.bytes is None else _used(kind, owner)


def empty(shape: Any, dtype: Any) -> Array:
    """As np.empty, for answers: a large array is in memory of the pool."""
    dtype = np.dtype(dtype)
    bytes = dtype.itemsize * (shape if isinstance(shape, int) else prod(shape))
    if bytes < LEAST:
        return np.empty(shape, dtype)
    kept = pool.take_room(MEMORY, bytes)
    held = new(MEMORY, bytes) if kept is None else _used(MEMORY, kept)
    where = library.throng_memory_get(held, None)
    array = np.asarray(_Interface(where, False, (bytes,), "|u1", _Exported(held)))
    typed: Array = array.view(dtype).reshape(shape)
    return typed


class _Exported:
    """The base of all arrays of one filling of a result object. It is alive as long as there are such
    arrays."""

    __slots__ = ("handle", "__weakref__")

    def __init__(self, handle: Handle) -> None:
        self.handle = handle


class _Interface:
    """NumPy makes an array of it, and keeps it as the array's base."""

    __slots__ = ("__array_interface__", "exported")

    def __init__(
        self, where: int, is_const: bool, shape: tuple[int, ...], kind: str, exported: _Exported
    ) -> None:
        self.__array_interface__ = {"data": (where, is_const), "shape": shape, "typestr": kind, "version": 3}
        self.exported = exported


class Filling:
    """The answers of one call: the result object, until its arrays and its owner are gone."""

    __slots__ = ("kind", "handle", "_exported")

    def __init__(self, kind: Kind, handle: Handle) -> None:
        self.kind = kind
        self.handle = handle
        self._exported: Optional[weakref.ref[_Exported]] = None

    def used(self) -> int:
        """How many bytes the answers take if they are many, otherwise how many the object has."""
        bytes = int(self.kind.bytes(self.handle))
        if bytes < LEAST:
            return bytes
        used, count = 0, ctypes.c_uint64()
        for name, each in self.kind.arrays.items():
            self.kind.getter(name)(self.handle, ctypes.byref(count))
            used += each * count.value
        return used

    def is_exported(self) -> bool:
        return self._exported is not None and self._exported() is not None

    def array(self, getter: Any, kind: str, width: int = 1) -> Array:
        """The elements that a getter gives, each of `width` numbers."""
        count = ctypes.c_uint64()
        where = getter(self.handle, ctypes.byref(count))
        shape = (count.value,) if width == 1 else (count.value, width)
        if not where or not count.value:
            return np.empty(shape, kind)
        exported = self._exported() if self._exported else None
        if exported is None:
            exported = _Exported(self.handle)
            self._exported = weakref.ref(exported)
        # The next update of kept lists reads them as they are.
        return np.asarray(_Interface(where, self.kind is KEPT, shape, kind, exported))


class Spares:
    """Result objects between calls. The caller lets in one thread at a time."""

    __slots__ = ("_fillings",)

    def __init__(self) -> None:
        self._fillings: list[Filling] = []

    def __len__(self) -> int:
        return len(self._fillings)

    def take(self, kind: Kind, like: Any) -> Filling:
        """One without arrays."""
        idle = [filling for filling in self._fillings if filling.kind is kind and not filling.is_exported()]
        if not idle:
            kept = pool.take(kind, like)
            return Filling(kind, new(kind) if kept is None else _used(kind, kept))
        # A past step needed more than one besides.
        self._fillings = [filling for filling in self._fillings if filling not in idle] + idle[1:2]
        return idle[0]

    def put(self, filling: Filling) -> None:
        self._fillings.append(filling)
