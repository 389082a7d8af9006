"""What all queries have: the frame that is asked, and the place for answers."""

from __future__ import annotations

from typing import Any, Optional, TypeVar

import numpy as np

from .._arrays import Array
from .._handles import Handle


class Asked:
    """A frame, as its queries see it."""

    __slots__ = ()

    _handle: Handle


_Result = TypeVar("_Result")


def result(kind: type[_Result], out: Optional[_Result]) -> _Result:
    """`out`, or a new result."""
    if out is None:
        return kind()
    if not isinstance(out, kind):
        raise TypeError(f"out must be a throng.{kind.__name__}, and not {type(out).__name__}")
    return out


def array(out: Optional[Array], count: int, dtype: Any) -> Array:
    """`out`, if answers fit there, or a new array."""
    if out is None:
        return np.empty(count, dtype)
    if not isinstance(out, np.ndarray) or out.dtype != dtype:
        raise TypeError(f"out must be an array of {np.dtype(dtype)}")
    if (
        out.shape != (count,)
        or not out.flags.c_contiguous
        or not out.flags.writeable
        or not out.flags.aligned
    ):
        raise ValueError(f"out must be a writeable array of {count} elements that lie close together")
    return out
