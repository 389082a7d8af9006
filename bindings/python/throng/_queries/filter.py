"""Which agents a query finds."""

from __future__ import annotations

import operator
from typing import Optional

from .. import _library, _structs
from .._library import initialised


class Filter:
    """Agents that have one of the `categories` (a mask of up to 32), and are neither `ignore` nor in the
    group `not_in_group`.

    What is None leaves nothing out. With `each_without_itself`, query i of a batch leaves out agent i.

    >>> import throng
    >>> engine = throng.Engine()
    >>> engine.update([(0, 0), (1, 0)], radius=1, categories=[0b01, 0b10])
    >>> engine.frame.overlaps((-1, -1, 2, 2), filter=throng.Filter(categories=0b10))
    array([1], dtype=int32)
    """

    __slots__ = ("_struct",)

    def __init__(
        self,
        *,
        categories: Optional[int] = None,
        ignore: Optional[int] = None,
        not_in_group: Optional[int] = None,
        each_without_itself: bool = False,
    ) -> None:
        struct = initialised(_structs.Filter)
        struct.categories = mask("categories", categories)
        struct.self = mask("ignore", ignore)
        struct.not_in_group = mask("not_in_group", not_in_group)
        struct.each_without_itself = each_without_itself
        self._struct = struct

    def __repr__(self) -> str:
        struct = self._struct
        parts = [
            f"{name}={value}"
            for name, value, default in (
                ("categories", struct.categories, _library.ALL),
                ("ignore", struct.self, _library.ALL),
                ("not_in_group", struct.not_in_group, _library.ALL),
            )
            if value != default
        ]
        parts += ["each_without_itself=True"] * struct.each_without_itself
        return f"throng.Filter({', '.join(parts)})"


def mask(name: str, given: Optional[int]) -> int:
    """None stands for all, or for none: each is all ones."""
    if given is None:
        return _library.ALL
    number = operator.index(given)
    if not 0 <= number <= _library.ALL:
        raise ValueError(f"{name} must be from 0 to {_library.ALL}, and not {number}")
    return number


def filter_struct(given: Optional[Filter]) -> Optional[_structs.Filter]:
    if given is None:
        return None
    if not isinstance(given, Filter):
        raise TypeError(f"filter must be a throng.Filter, and not {type(given).__name__}")
    return given._struct
