"""One box, point or cast, read without making arrays, which would cost more than the query.

For anything else these return None, and the general way is taken.
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._arrays import UP, number
from ._native import structs
from ._origin import Place, fold

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


def box(given: Any, place: Place) -> Optional[structs.Box]:
    """A box. Edges are counted from an origin and rounded to nearest."""
    four = values(given, 4)
    if four is None:
        return None
    place.see_query(given)
    (x, y), period = place.origin, place.period
    min_x, min_y, max_x, max_y = four[0] - x, four[1] - y, four[2] - x, four[3] - y
    if period is not None:
        (min_x, max_x), (min_y, max_y) = fold(min_x, max_x, period[0]), fold(min_y, max_y, period[1])
    return structs.Box(min_x, min_y, max_x, max_y)


def point(given: Any, place: Place) -> Optional[tuple[float, float]]:
    """A point."""
    two = values(given, 2)
    if two is None:
        return None
    place.see_query(given)
    (x, y), period = place.origin, place.period
    x, y = two[0] - x, two[1] - y
    return (x, y) if period is None else (fold(x, x, period[0])[0], fold(y, y, period[1])[0])


def cast(start: Any, end: Any, radius: Any, place: Place) -> Optional[structs.Cast]:
    """The movement of a point or a circle."""
    to, at = values(end, 2), point(start, place)
    if at is None or to is None or type(radius) not in _numbers:
        return None
    from_ = values(start, 2) or to
    return structs.Cast(*at, *at, to[0] - from_[0], to[1] - from_[1], radius)


def circle(given: Any, agents_as: int, place: Place) -> Optional[structs.Shape]:
    """A circle, as a shape."""
    three = values(given, 3)
    if three is None:
        return None
    place.see_query(given)
    at = point(three[:2], place)
    return None if at is None else structs.Shape(structs.CIRCLE, agents_as, *at, 0, 0, number("circles", three[2], UP))
