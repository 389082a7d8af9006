"""The library's memory as NumPy arrays.

A result object of the library is refilled by the next call that gets it. So that no array is left dangling,
Spares has several, and one is refilled of which no array is left: an array keeps its own alive, and
unchanged, for as long as it is there. In a steady loop two take turns at most.
"""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, NamedTuple, Optional

import numpy as np

from . import handles
from .._arrays import Array
from .handles import Handle
from .library import library


class Kind(NamedTuple):
    """A kind of result objects: what makes and destroys one, and the calls that give its arrays."""

    name: str
    create: Any
    destroy: Any
    getters: dict[str, Any]

    def getter(self, name: str) -> Any:
        """The call that gives one of its arrays."""
        found = self.getters.get(name)
        if found is None:
            found = self.getters[name] = getattr(library, f"throng_{self.name}_{name}")
        return found


def _kind(name: str) -> Kind:
    create, destroy = (getattr(library, f"throng_{name}_{what}") for what in ("create", "destroy"))
    return Kind(name, create, destroy, {})


HITS, AS_FOUND = _kind("hits"), _kind("hits_as_found")
PAIRS, PAIR_CHANGES = _kind("pairs"), _kind("pair_changes")
NEIGHBOURS, KEPT = _kind("neighbours"), _kind("kept_neighbours")
CAST_HITS = _kind("cast_hits")


class _Exported:
    """The base of all arrays of one filling of a result object. Whether it is alive says whether there are
    such arrays."""

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
    """What one call has found: the result object, until the arrays of it and its owner are gone."""

    __slots__ = ("kind", "handle", "_exported")

    def __init__(self, kind: Kind, handle: Handle) -> None:
        self.kind = kind
        self.handle = handle
        self._exported: Optional[weakref.ref[_Exported]] = None

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
    """Result objects between calls. The caller sees to it that one thread at a time is here."""

    __slots__ = ("_fillings",)

    def __init__(self) -> None:
        self._fillings: list[Filling] = []

    def __len__(self) -> int:
        return len(self._fillings)

    def take(self, kind: Kind) -> Filling:
        """One that no array looks into."""
        idle = [filling for filling in self._fillings if filling.kind is kind and not filling.is_exported()]
        if not idle:
            return Filling(kind, handles.create(kind.create, kind.destroy))
        # More than one besides is what some past step needed.
        self._fillings = [filling for filling in self._fillings if filling not in idle] + idle[1:2]
        return idle[0]

    def put(self, filling: Filling) -> None:
        self._fillings.append(filling)
