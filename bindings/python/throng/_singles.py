"""One box, point or cast, whose handling costs more than its query: read without making arrays of it.

What these do not know as one gets None, and takes the general way.
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._native import structs
from ._origin import Origin

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


def box(given: Any, origin: Origin) -> Optional[structs.Box]:
    """A box, whose edges are counted from an origin and rounded to nearest."""
    four = values(given, 4)
    if four is None:
        return None
    x, y = origin
    return structs.Box(four[0] - x, four[1] - y, four[2] - x, four[3] - y)


def point(given: Any, origin: Origin) -> Optional[tuple[float, float]]:
    """A point."""
    two = values(given, 2)
    return None if two is None else (two[0] - origin.x, two[1] - origin.y)


def cast(start: Any, end: Any, radius: Any, origin: Origin) -> Optional[structs.Cast]:
    """The movement of a point or a circle."""
    from_, to = values(start, 2), values(end, 2)
    if from_ is None or to is None or type(radius) not in _numbers:
        return None
    x, y = from_[0] - origin.x, from_[1] - origin.y
    return structs.Cast(x, y, x, y, to[0] - from_[0], to[1] - from_[1], radius)
