"""Which agents a query finds."""

from __future__ import annotations

import operator
from typing import Any, Optional

import numpy as np

from .. import _arguments
from .._arrays import address, Array, Heights, Integers, integers, number
from .._native import kinds, structs
from .._native.library import initialised


class Filter:
    """Agents with one of the `categories` (a mask of up to 32), except `ignore` and the group `not_in_group`.
    Agents with heights must share one with the band `heights`, (lowest, highest).

    None leaves nothing out. Each may be an array, with a number for each query of a batch, or for each agent;
    there -1 means None. With `each_without_itself`, query i of a batch leaves out agent i.

    >>> import throng
    >>> engine = throng.Engine()
    >>> engine.update([(0, 0), (1, 0)], radius=1, categories=[0b01, 0b10])
    >>> engine.frame.overlaps((-1, -1, 2, 2), filter=throng.Filter(categories=0b10))
    array([1])
    >>> engine.frame.count([(-1, -1, 2, 2)] * 2, filter=throng.Filter(ignore=[0, -1]))
    array([1, 2], dtype=int32)

    A band for each query is (m, 2), or a tuple of two columns.

    >>> engine.update([(0, 0), (1, 0)], radius=1, heights=[(0, 2), (3, 5)])
    >>> engine.frame.overlaps((-1, -1, 2, 2), filter=throng.Filter(heights=(3, 4)))
    array([1])
    """

    __slots__ = ("_struct", "_given")

    def __init__(
        self,
        *,
        categories: Optional[Integers] = None,
        ignore: Optional[Integers] = None,
        not_in_group: Optional[Integers] = None,
        heights: Optional[Heights] = None,
        each_without_itself: bool = False,
    ) -> None:
        given: dict[str, Any] = {"categories": categories, "ignore": ignore, "not_in_group": not_in_group}
        struct = initialised(structs.Filter)
        if any(type(value) is not int and np.ndim(value) for value in given.values() if value is not None):
            _set_each(struct, given)
        else:
            struct.categories = mask("categories", given["categories"])
            struct.self = mask("ignore", given["ignore"])
            struct.not_in_group = mask("not_in_group", given["not_in_group"])
        if heights is not None:
            _set_heights(struct, heights)
        struct.each_without_itself = bool(each_without_itself)
        self._struct = struct
        self._given = {**given, "heights": heights, "each_without_itself": each_without_itself or None}

    def __repr__(self) -> str:
        parts = (f"{name}={value}" for name, value in self._given.items() if value is not None)
        return f"throng.Filter({', '.join(parts)})"

    def __reduce__(self) -> Any:
        return _filter_of, (self._given,)


def _filter_of(given: dict[str, Any]) -> Filter:
    return Filter(**given)


def _set_each(struct: structs.Filter, given: dict[str, Any]) -> None:
    arrays: dict[str, Any] = {
        name: integers(name, value, None, negative=True, or_none=name != "categories") if np.ndim(value) else np.int64(mask(name, value))
        for name, value in given.items()
    }
    sizes = {name: array.size for name, array in arrays.items() if array.ndim}
    if len(set(sizes.values())) != 1:
        raise ValueError(f"the arrays of a filter differ in length: {sizes}")
    each = np.empty((next(iter(sizes.values())), 3), np.uint32)
    for column, array in enumerate(arrays.values()):
        each[:, column] = array.view(np.uint32) if array.ndim else array
    struct.each, struct.each_count = address(each), len(each)
    struct.keep = each


def _set_heights(struct: structs.Filter, given: Any) -> None:
    if isinstance(given, (tuple, list)) and [np.ndim(edge) for edge in given] == [0, 0]:
        struct.min_z, struct.max_z = (number("heights", edge) for edge in given)
        return
    bands = np.stack(_arguments.bands(given, struct.each_count or None, None), axis=1)
    struct.each_band, struct.each_band_count = address(bands), len(bands)
    struct.keep_heights = bands


def mask(name: str, given: Optional[int]) -> int:
    """None means all, or none: both are all ones."""
    if given is None:
        return kinds.ALL
    number = operator.index(given)
    if not 0 <= number <= kinds.ALL:
        raise ValueError(f"{name} must be from 0 to {kinds.ALL}, and not {number}")
    return number


def is_of_batch(given: Optional[Filter]) -> bool:
    """Whether it has a part for each query of a batch, which has no meaning for a single query."""
    return isinstance(given, Filter) and _speaks_of_each(given._struct)


def _speaks_of_each(struct: structs.Filter) -> bool:
    return bool(struct.each_count or struct.each_band_count or struct.each_without_itself)


_only_with_static = initialised(structs.Filter)
_only_with_static.with_static = 1


def filter_struct(given: Optional[Filter], with_static: bool = False) -> Optional[structs.Filter]:
    if given is None:
        return _only_with_static if with_static else None
    if not isinstance(given, Filter):
        raise TypeError(f"filter must be a throng.Filter, and not {type(given).__name__}")
    if not with_static:
        return given._struct
    struct = structs.Filter.from_buffer_copy(given._struct)
    struct.with_static = 1
    struct.keep = given
    return struct


def with_cast_heights(given: Optional[structs.Filter], heights: Array) -> structs.Filter:
    """The same for casts at heights, (m, 3): lowest, highest and rise."""
    struct = initialised(structs.Filter) if given is None else structs.Filter.from_buffer_copy(given)
    struct.cast_heights, struct.cast_heights_count = address(heights), len(heights)
    struct.keep = (given, heights)
    return struct
