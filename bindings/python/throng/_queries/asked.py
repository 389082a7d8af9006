"""Shared by all queries: the frame that is asked, and the place for answers."""

from __future__ import annotations

from math import frexp
from typing import Any, Hashable, Optional, TypeVar

import numpy as np

from .._arrays import Array
from .._ids import checked
from .._native import structs
from .._native.errors import call
from .._native.handles import Handle
from .._native.library import library
from .._native.memory import Kind, empty
from .._origin import Place
from .._results import CastLists, Lists, Pairs
from .filter import Filter, filter_struct

_Result = TypeVar("_Result", Lists, CastLists, Pairs)


class Asked:
    """A frame, as its queries see it: its agents, or those and the elements of its static layer."""

    __slots__ = ()

    _handle: Handle
    _place: Place
    _with_static = False

    def _at(self, place: Place) -> Handle:
        """Its agents, for a frame that is counted from another origin."""
        raise NotImplementedError

    def _filter(self, given: Optional[Filter]) -> Optional[structs.Filter]:
        return filter_struct(given, self._with_static)

    def _elements_bound(self) -> int:
        return 0

    def _like(self, name: str, *asks: Any) -> Hashable:
        """Shared by calls whose answers are about equally large."""
        sizes = tuple(int(getattr(ask, "count", 0)).bit_length() for ask in asks)
        reaches = tuple(frexp(getattr(ask, "radius", getattr(ask, "within", 0)))[1] for ask in asks)
        return name, int(library.throng_frame_size(self._handle)).bit_length(), sizes, reaches

    def _lists(
        self,
        kind: Kind,
        name: str,
        *asks: Any,
        filter: Optional[Filter],
        out: Any,
        dtype: Any,
        is_one: bool = False,
        sort: bool = False,
    ) -> Any:
        """Fills lists; with the static layer two: agents and elements. For one query they are arrays. With
        `sort`, ids ascend."""
        is_given = isinstance(asks[0], (structs.Boxes, structs.Points))
        # A call for two lists finds elements in any case.
        asks += (filter_struct(filter),)
        if not self._with_static:
            function = getattr(library, f"throng_frame_{name}")
            lists = result(Lists, out, dtype)
            like = (lambda: self._like(name, *asks)) if out is None else None
            lists._fill(kind, lambda into: _ask(function, kind, sort, self._handle, *asks, into), like)
            lists._rows = lists._columns = library.throng_frame_id_bound(self._handle)
            lists._told(self._place.period, not is_given)
            return lists[0] if is_one and out is None else lists
        function = getattr(library, f"throng_frame_{name}_both")
        if out is None:
            out = (None, None)
        if not isinstance(out, tuple) or len(out) != 2:
            raise TypeError("out must be two throng.Lists: for agents, and for elements of the static layer")
        if out[0] is not None and out[0] is out[1]:
            raise ValueError("out must be two throng.Lists, and not one of them twice")
        agents, elements = (result(Lists, each, dtype) for each in out)
        agents._fill(
            kind,
            lambda first: elements._fill(
                kind, lambda second: _ask_both(function, kind, sort, self._handle, *asks, first, second)
            ),
        )
        agents._rows = agents._columns = elements._rows = library.throng_frame_id_bound(self._handle)
        agents._told(self._place.period, not is_given)
        elements._told(self._place.period, False)
        elements._columns = self._elements_bound()
        return (agents[0], elements[0]) if is_one and out == (None, None) else (agents, elements)


def _ask(function: Any, kind: Kind, sort: bool, *arguments: Any) -> None:
    call(function, *arguments)
    if sort:
        call(kind.getter("sort"), arguments[-1])


def _ask_both(function: Any, kind: Kind, sort: bool, *arguments: Any) -> None:
    _ask(function, kind, sort, *arguments)
    if sort:
        call(kind.getter("sort"), arguments[-2])


def result(kind: type[_Result], out: Optional[_Result], dtype: Any) -> _Result:
    """`out`, or a new result with ids of that type."""
    if out is None:
        return kind(dtype)
    if not isinstance(out, kind):
        raise TypeError(f"out must be a throng.{kind.__name__}, and not {type(out).__name__}")
    if dtype is not None and checked(dtype) != out._dtype:
        raise TypeError(f"out has ids of {out._dtype}: make it as throng.{kind.__name__}(dtype=...)")
    return out


def array(out: Optional[Array], count: int, dtype: Any) -> Array:
    """`out`, if answers fit there, or a new array."""
    if out is None:
        return empty(count, dtype)
    if not isinstance(out, np.ndarray) or out.dtype != dtype:
        raise TypeError(f"out must be an array of {np.dtype(dtype)}")
    flags = out.flags
    if out.shape != (count,) or not (flags.c_contiguous and flags.writeable and flags.aligned):
        raise ValueError(f"out must be a writeable array of {count} elements that lie close together")
    return out
