"""One box, circle, point or cast, read without making arrays, which would cost more than the query.

For anything else these return None, and the general way is taken.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from ._arrays import UP, number
from ._native import structs
from ._origin import ZERO, Place, fold

_numbers = (float, int, np.float64)


def values(given: Any, width: int) -> Optional[Sequence[float]]:
    """The numbers of a row: of a tuple or a list of floats, or of an array of one axis."""
    if type(given) is tuple or type(given) is list:
        if len(given) != width:
            return None
        for value in given:
            if type(value) not in _numbers:
                return None
        row: Sequence[float] = given
        return row
    if type(given) is np.ndarray and given.shape == (width,):
        if given.dtype.kind in "fiu" and given.dtype.itemsize <= 8:
            numbers: list[float] = given.tolist()
            return numbers
    return None


def is_plain(place: Place) -> bool:
    """Whether coordinates are the library's own."""
    return place.origin == ZERO and place.period is None


def box(given: Any, place: Place) -> Optional[structs.Box]:
    """A box. Edges are counted from an origin and rounded to nearest."""
    four = values(given, 4)
    if four is None:
        return None
    if is_plain(place):
        return structs.Box(*four)
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
    if is_plain(place):
        return two[0], two[1]
    place.see_query(given)
    return _moved(two[0], two[1], place)


def _moved(x: float, y: float, place: Place) -> tuple[float, float]:
    origin, period = place.origin, place.period
    x, y = x - origin.x, y - origin.y
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
    x, y, radius = three
    if not is_plain(place):
        place.see_query(given)
        x, y = _moved(x, y, place)
    return structs.Shape(structs.CIRCLE, agents_as, x, y, 0, 0, number("circles", radius, UP))


def place_of_one(ids: Any, points: Any) -> Optional[tuple[int, float, float]]:
    """The id and the new place of a move of one agent: a number and a point, or lists of one."""
    if type(ids) is list and len(ids) == 1:
        if type(points) is not list and type(points) is not tuple or len(points) != 1:
            return None
        ids, points = ids[0], points[0]
    if type(ids) is not int and not isinstance(ids, np.integer) or not 0 <= ids < 2**31:
        return None
    if type(points) is np.ndarray and np.can_cast(points.dtype, np.float32):
        return None  # it is taken as floats, which are not rounded like doubles
    two = values(points, 2)
    return None if two is None else (int(ids), float(two[0]), float(two[1]))
