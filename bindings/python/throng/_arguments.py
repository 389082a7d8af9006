"""Arguments of callers, as the structs that the library takes.

A struct points into arrays, and keeps them alive during the call.
"""

from __future__ import annotations

import ctypes
import operator
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _shapes
from ._arrays import UP, AgentsAs, Array, Copy, Floats
from ._arrays import (
    address,
    close_columns,
    columns,
    float32,
    integers,
    number,
    numbers,
    real,
    refused_copy,
    stride,
    table,
)
from ._native import errors, structs
from ._native.codes import Argument, Code
from ._native.library import initialised
from ._origin import NOWHERE, Place, count_from


class Shapes(NamedTuple):
    """The forms of a box or another query; see `boxes` and `queries`."""

    boxes: Any = None
    min: Any = None
    max: Any = None
    centre: Any = None
    half: Any = None
    circles: Any = None
    segments: Any = None
    polygons: Any = None
    agents_as: AgentsAs = "boxes"


def points_with_radius(points: Any, radius: Any, copy: Copy) -> structs.Boxes:
    """Squares around points, by a radius for all or one for each."""
    where = table(points, 2)
    if where is not None and type(radius) in (float, int):
        count, first, inner, outer = where
        size, reach = ctypes.sizeof(structs.Boxes), number("radius", radius, UP)
        result = structs.Boxes(size, structs.POINTS, count, stride_x=outer, stride_y=outer, radius=reach)
        _point_to(result, points.dtype, ("x", first), ("y", first + inner))
        result.is_one, result.keep, result.called = False, points, ("points", "points")
        return result
    x, y = columns("points", points, 2, copy)
    _many("points", x, 2)
    return _squares(x, y, "radius", radius, copy)


def points_with_halves(points: Any, half: Any, copy: Copy) -> structs.Boxes:
    """Boxes around points, whose half extents are two columns of floats."""
    x, y = columns("points", points, 2, copy)
    _many("points", x, 2)
    return _of_columns(structs.CENTRE_HALF, [x, y, *half], "points", "points", "radius", "radius")


def boxes(given: Shapes, copy: Copy, *, one_allowed: bool = False) -> structs.Boxes:
    """Boxes as (n, 4), as min and max, or as centre and half. For one box (4,), the struct has is_one."""
    if given.boxes is not None:
        _without(given, "min", "max", "centre", "half")
        four = columns("boxes", given.boxes, 4, copy)
        name, width = "boxes", 4
    elif given.min is not None or given.max is not None:
        _without(given, "centre", "half")
        if given.min is None or given.max is None:
            raise TypeError("min and max go together")
        four = columns("min", given.min, 2, copy) + columns("max", given.max, 2, copy)
        name, width = "min", 2
    elif given.centre is not None and given.half is not None:
        return _centre_half(given.centre, given.half, copy, one_allowed)
    else:
        raise TypeError("give boxes, or min and max, or centre and half")
    if not one_allowed:
        _many(name, four[0], width)
    called = ("boxes",) * 4 if name == "boxes" else ("min", "min", "max", "max")
    return _of_columns(structs.MIN_MAX, four, *called)


def queries(given: Shapes, copy: Copy, place: Place) -> structs.Boxes:
    """The same, or circles, segments or polygons, which are copied, counted from its origin."""
    shapes = {name: getattr(given, name) for name in _shapes.MAKERS if getattr(given, name) is not None}
    if not shapes:
        struct = boxes(given, copy, one_allowed=True)
        _see_query(struct, place)
        return struct
    name, shape = shapes.popitem()
    _without(given, "boxes", "min", "max", "centre", "half", *shapes)
    if copy is False:
        raise refused_copy(name, "only boxes are read where they lie")
    return _shapes.MAKERS[name](shape, given.agents_as, place)


def labels(count: int, categories: Any, groups: Any, copy: Copy) -> Optional[structs.Labels]:
    if categories is None and groups is None:
        return None
    arrays = [_label("categories", categories, count, copy), _label("groups", groups, count, copy)]
    result = initialised(structs.Labels)
    result.count = count
    result.categories, result.groups = (None if array is None else address(array) for array in arrays)
    result.keep = arrays
    return result


def owned(boxes: structs.Boxes, given: Optional[int]) -> structs.Boxes:
    """The same boxes: the first ones are owned agents, and the others ghosts."""
    if given is not None:
        number = count("owned agents", given)
        if number > boxes.count:
            raise ValueError(f"there cannot be {number} owned agents where there are {boxes.count}")
        boxes.ghosts = boxes.count - number
    return boxes


def at_heights(boxes: structs.Boxes, given: Any, copy: Copy) -> structs.Boxes:
    """The same boxes, each with a band of heights, or with every height if that is None."""
    if given is not None:
        low, high = bands(given, boxes.count, copy)
        boxes.min_z, boxes.max_z, boxes.stride_z = address(low), address(high), stride(low)
        boxes.keep_heights = (low, high)
    return boxes


def bands(given: Any, count: Optional[int], copy: Copy) -> tuple[Floats, Floats]:
    """Bands of heights: (n, 2), or a tuple of both edges. One band, or a number for an edge, is for all."""
    if type(given) is tuple and len(given) == 2 and not any(isinstance(edge, tuple) for edge in given):
        edges = [_edge(edge, copy) for edge in given]
    else:
        edges = columns("heights", given, 2, copy)
    sizes = {len(edge) for edge in edges if edge.ndim}
    size = max(sizes, default=1) if count is None else count
    if any(edge.ndim > 1 for edge in edges) or sizes - {size}:
        shapes = [edge.shape for edge in edges]
        raise ValueError(f"heights must be ({size}, 2), or a tuple of lowest and highest, and not {shapes}")
    edges = [edge if edge.ndim else np.full(size, edge, np.float32) for edge in edges]
    low, high = (float32("heights", edge, copy) for edge in edges)
    if stride(low) != stride(high):
        if copy is False:
            raise refused_copy("heights", "its columns differ in their strides")
        low, high = np.ascontiguousarray(low), np.ascontiguousarray(high)
    return low, high


def _edge(given: Any, copy: Copy) -> Array:
    return numbers("heights", given, copy) if np.ndim(given) else np.asarray(number("heights", given))


def points(given: Any, copy: Copy, place: Place = NOWHERE) -> structs.Points:
    """Points as (m, 2) or columns, counted from an origin. For one point (2,), the struct has is_one."""
    x, y = columns("points", given, 2, copy)
    are_close = x.flags.c_contiguous and y.flags.c_contiguous
    if x.ndim and len(x) > 1 and x.strides[0] != y.strides[0] and not are_close:
        if copy is False:
            raise refused_copy("points", "its columns differ in their strides")
        x, y = np.ascontiguousarray(x), np.ascontiguousarray(y)
        are_close = True
    result = initialised(structs.Points)
    result.is_one = x.ndim == 0
    result.count = 1 if result.is_one else len(x)
    _point_to(result, x.dtype, ("x", address(x)))
    _point_to(result, y.dtype, ("y", address(y)))
    result.stride = 0 if are_close else stride(x)
    result.keep = (x, y)
    _see_query(result, place)
    return result


def _see_query(struct: Any, place: Place) -> None:
    for array in getattr(struct, "keep", ())[:1]:
        place.see_query(array)
    count_from(place.origin, struct)


def radii(options: Any, name: str, member: str, given: Any, copy: Copy) -> None:
    """Sets a radius for all, or one for each, in the options that have `radius` and `radii`, or `max_radius`
    and `max_radii`."""
    if type(given) in (float, int) or np.ndim(given) == 0:
        setattr(options, member + "radius", number(name, given))
        return
    array = numbers(name, given, copy)
    if array.ndim != 1:
        raise ValueError(f"{name} must be a number or have one axis, and not the shape {array.shape}")
    array = float32(name, array, copy)
    if not array.flags.c_contiguous:
        if copy is False:
            raise refused_copy(name, "its elements do not lie close together")
        array = np.ascontiguousarray(array)
    setattr(options, member + "radii", address(array))
    options.radii_count = len(array)
    options.keep = array


def ids(given: Any, copy: Copy) -> Array:
    return integers("ids", given, copy)


def one_id(given: int) -> int:
    number = operator.index(given)
    # What is no id at all becomes an id that no agent has.
    return number if 0 <= number <= structs.NO_AGENT else structs.NO_AGENT


def at_least_one(name: str, given: int) -> int:
    try:
        number = operator.index(given)
    except TypeError:
        raise TypeError(f"{name} must be an integer, and not {given!r}") from None
    if number < 1:
        raise ValueError(f"{name} must be at least 1, and not {number}")
    return min(number, 2**32 - 1)


def count(name: str, given: int) -> int:
    number = operator.index(given)
    if number < 0:
        raise ValueError(f"there cannot be {number} {name}")
    # The library says that so many are too many.
    return min(number, 2**64 - 1)


def _label(name: str, given: Any, count: int, copy: Copy) -> Optional[Array]:
    if given is None:
        return None
    if np.ndim(given) == 0:
        given = np.full(count, given)
        copy = None
    array = integers(name, given, copy, negative=True, or_none=name == "groups")
    if len(array) != count:
        raise ValueError(f"there must be as many {name} as agents, {count}, and not {len(array)}")
    return array


def _many(name: str, column: Array, width: int) -> None:
    if column.ndim == 0:
        raise ValueError(f"{name} must have the shape (n, {width}), and not ({width},)")


def _without(given: Shapes, *names: str) -> None:
    for name in names:
        if getattr(given, name) is not None:
            raise TypeError(f"{name} does not go together with the other arguments")


def _squares(x: Array, y: Array, name: str, radius: Any, copy: Copy) -> structs.Boxes:
    place = "points" if name == "radius" else "centre"
    if np.ndim(radius) == 0:
        result = _of_columns(structs.POINTS, [x, y], place, place)
        result.radius = number(name, radius, UP)
        return result
    each = numbers(name, radius, copy)
    if each.ndim != 1:
        raise ValueError(f"{name} must be a number or have one axis, and not the shape {each.shape}")
    if x.ndim and each.size != x.size:
        raise ValueError(f"{name} must be one number or {x.size}, one for each point, and not {each.size}")
    half = real(name, each, copy)
    return _of_columns(structs.CENTRE_HALF, [x, y, half, half], place, place, name, name)


def _centre_half(centre: Any, half: Any, copy: Copy, one_allowed: bool) -> structs.Boxes:
    if type(centre) is tuple and type(half) is tuple and len(centre) == len(half) == 2:
        where = close_columns(centre + half)
        if where is not None:
            result = structs.Boxes(
                ctypes.sizeof(structs.Boxes), structs.CENTRE_HALF, len(centre[0]), *where, 0, 0, 0, 0
            )
            result.is_one, result.keep = False, (centre, half)
            return result
    x, y = columns("centre", centre, 2, copy)
    if not one_allowed:
        _many("centre", x, 2)
    sizes = np.ndim(half) if not isinstance(half, tuple) else 2
    if sizes < x.ndim + 1:
        return _squares(x, y, "half", half, copy)
    four = [x, y, *columns("half", half, 2, copy)]
    return _of_columns(structs.CENTRE_HALF, four, "centre", "centre", "half", "half")


def _of_columns(form: int, arrays: list[Array], *called: str) -> structs.Boxes:
    first = arrays[0]
    if any(array.shape != first.shape for array in arrays):
        raise ValueError(f"arrays that belong together differ in length: {[array.size for array in arrays]}")
    result = initialised(structs.Boxes)
    result.form = form
    result.is_one = first.ndim == 0
    result.count = first.size
    for name, array in zip(_columns, arrays):
        _point_to(result, array.dtype, (name, address(array)))
        if first.ndim:
            setattr(result, "stride_" + name, stride(array))
    result.keep = arrays
    result.called = called
    return result


_columns = ("x", "y", "last_x", "last_y")


def _point_to(struct: Any, dtype: Any, *where: tuple[str, int]) -> None:
    prefix = "double_" if dtype == np.float64 else ""
    for name, first in where:
        setattr(struct, prefix + name, first)


def halves(boxes: structs.Boxes) -> Any:
    """The half extents of boxes, (n, 2), or one for all."""
    if boxes.form == structs.POINTS:
        return boxes.radius
    result = np.empty((boxes.count, 2), np.float32)
    for axis in 0, 1:
        half = _column(boxes, _columns[2 + axis])
        if boxes.form == structs.MIN_MAX:
            half = np.subtract(half, _column(boxes, _columns[axis]), dtype=np.float64) / 2
        result[:, axis] = half
    return result


def _column(boxes: structs.Boxes, name: str) -> Array:
    """An array of the struct, where it lies."""
    double = getattr(boxes, "double_" + name)
    kind, size, first = ("=f8", 8, double) if double else ("=f4", 4, getattr(boxes, name))
    if boxes.count == 0:
        return np.empty(0)
    step = getattr(boxes, "stride_" + name) or size
    there = {"data": (first, True), "shape": (boxes.count,), "typestr": kind, "strides": (step,), "version": 3}
    return np.asarray(_Lying(there))


class _Lying:
    """NumPy makes an array of it in place."""

    def __init__(self, there: dict[str, Any]) -> None:
        self.__array_interface__ = there


def too_large(error: errors.BadValue, boxes: structs.Boxes) -> Optional[errors.BadValue]:
    """The error's text for a finite number that no float32 holds."""
    index = error.index
    if error.code != Code.NOT_FINITE or index is None:
        return None
    for name, called in zip(_columns, boxes.called):
        first = getattr(boxes, "double_" + name)
        if not first:
            continue
        step = getattr(boxes, "stride_" + name) or ctypes.sizeof(ctypes.c_double)
        value = ctypes.c_double.from_address(first + index * step).value
        # A float, since newer NumPy else rounds the value to float32 before it compares.
        if float(np.finfo(np.float32).max) < abs(value) < np.inf:
            argument = Argument.RADII if called == "radius" else Argument.BOXES
            text = f"element {index} of {called} is too large for a float32: {value}"
            return errors.BadValue(text, Code.NOT_FINITE, argument, index)
    return None
