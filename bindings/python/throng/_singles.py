"""One box, point or cast, whose handling costs more than its query: read without making arrays of it.

What these do not know as one gets None, and takes the general way.
"""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np

from ._native import structs

_numbers = (float, int)


def values(given: Any, width: int) -> Optional[list[float]]:
    """The numbers of a row: of a tuple or a list of floats, or of an array of one axis."""
    if type(given) is np.ndarray:
        is_row = given.shape == (width,) and given.dtype.kind in "fiu" and given.dtype.itemsize <= 8
        return given.tolist() if is_row else None
    if type(given) in (tuple, list) and len(given) == width:
        if all(type(value) in _numbers for value in given):
            return list(given)
    return None


def box(given: Any) -> Optional[structs.Box]:
    """A box, rounded outwards."""
    four = values(given, 4)
    if four is None:
        return None
    result = structs.Box(*four)
    if result.min_x > four[0] or result.min_y > four[1] or result.max_x < four[2] or result.max_y < four[3]:
        result.min_x, result.min_y = (_outwards(edge, -math.inf) for edge in four[:2])
        result.max_x, result.max_y = (_outwards(edge, math.inf) for edge in four[2:])
    return result


def cast(start: Any, end: Any, radius: Any) -> Optional[structs.Cast]:
    """The movement of a point or a circle."""
    from_, to = values(start, 2), values(end, 2)
    if from_ is None or to is None or type(radius) not in _numbers:
        return None
    x, y = from_
    return structs.Cast(x, y, x, y, to[0] - x, to[1] - y, radius)


def _outwards(edge: float, towards: float) -> float:
    with np.errstate(over="ignore"):
        nearest = float(np.float32(edge))
        wrong = nearest < edge if towards > 0 else nearest > edge
        return float(np.nextafter(np.float32(nearest), np.float32(towards))) if wrong else nearest
