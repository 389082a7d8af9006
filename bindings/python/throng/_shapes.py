"""Circles, segments and polygons, as the library takes them."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._arrays import NEAREST, UP, Array, Floats, address, columns, rounded
from ._native import structs
from ._native.codes import Argument, Code
from ._native.errors import BadValue
from ._native.library import initialised
from ._origin import Place, fold_along

# As throng_circle and throng_shape.
_circle = np.dtype([("x", "f4"), ("y", "f4"), ("radius", "f4"), ("agents_as", "u1"), ("reserved", "u1", 3)])
_shape = np.dtype(
    [("kind", "u4"), ("agents_as", "u4")]
    + [(name, "f4") for name in ("x", "y", "to_x", "to_y", "radius")]
    + [("corner_count", "u4"), ("corners", "u8")]
)
_most_corners = 32
_agents_as = {
    "boxes": structs.AGENTS_AS_BOXES,
    "centres": structs.AGENTS_AS_CENTRES,
    "circles": structs.AGENTS_AS_CIRCLES,
}


def what_agents_are(name: str) -> int:
    if not isinstance(name, str) or name not in _agents_as:
        raise ValueError(f"agents_as must be one of {list(_agents_as)}, and not {name!r}")
    return _agents_as[name]


def _circles(given: Any, agents_as: str, place: Place) -> structs.Boxes:
    """(m, 3) of x, y and radius."""
    kind = what_agents_are(agents_as)
    *centres, radius = columns("circles", given, 3, None)
    x, y = _counted("circles", centres, place)
    array = np.zeros(x.size, _circle)
    array["x"], array["y"], array["radius"] = x, y, rounded("circles", radius, UP)
    array["agents_as"] = kind
    return _struct(structs.CIRCLES, "circles", array, x.ndim == 0)


def _segments(given: Any, agents_as: str, place: Place) -> structs.Boxes:
    """(m, 5) of x, y, to_x, to_y and radius."""
    *ends, radius = columns("segments", given, 5, None)
    five = [*_counted("segments", ends, place), rounded("segments", radius, UP)]
    array = np.zeros(five[0].size, _shape)
    array["kind"] = structs.SEGMENT
    for name, column in zip(("x", "y", "to_x", "to_y", "radius"), five):
        array[name] = column
    return _struct(structs.SHAPES, "shapes", array, five[0].ndim == 0)


def _polygons(given: Any, agents_as: str, place: Place) -> structs.Boxes:
    """(k, 2) corners of one, or a sequence of such."""
    if hasattr(given, "exterior") or hasattr(given, "geoms"):
        raise TypeError("polygons are corners, such as polygon.exterior.coords[:-1] of a shapely geometry")
    is_one = len(given) > 0 and np.ndim(given[0]) == 1
    each = [
        np.stack(_counted("polygons", columns("polygons", one, 2, None), place), axis=1)
        for one in ([given] if is_one else given)
    ]
    for number, one in enumerate(each):
        if not 1 <= len(one) <= _most_corners:
            text = f"polygon {number} has {len(one)} corners: it must have 1 to {_most_corners}, and be convex"
            raise BadValue(text, Code.BAD_SHAPE, Argument.QUERIES, number)
    corners = np.ascontiguousarray(np.concatenate(each)) if each else np.empty((0, 2), np.float32)
    counts = np.array([len(one) for one in each], np.int64)
    array = np.zeros(len(each), _shape)
    array["kind"], array["corner_count"] = structs.POLYGON, counts
    array["corners"] = address(corners) + (np.cumsum(counts) - counts) * 8
    struct = _struct(structs.SHAPES, "shapes", array, is_one)
    struct.keep = (array, corners)
    return struct


def _counted(name: str, columns: list[Array], place: Place) -> list[Floats]:
    """Columns of x and y in turn. The origin is subtracted in float64, and they are folded by the first point
    of each row, or of all corners."""
    place.see_query(columns[0])
    its = [column - np.float64(start) for column, start in zip(columns, place.origin * 2)]
    for axis, size in enumerate(place.period or ()):
        first = its[axis][:1] if name == "polygons" else its[axis]
        its[axis::2] = [fold_along(first, column, size) for column in its[axis::2]]
    return [rounded(name, column, NEAREST) for column in its]


def _struct(form: int, member: str, array: Array, is_one: bool) -> structs.Boxes:
    struct = initialised(structs.Boxes)
    struct.form, struct.count, struct.is_one, struct.keep = form, len(array), is_one, array
    setattr(struct, member, address(array))
    return struct


MAKERS: dict[str, Callable[[Any, str, Place], structs.Boxes]] = {
    "circles": _circles,
    "segments": _segments,
    "polygons": _polygons,
}
