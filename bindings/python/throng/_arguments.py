"""What callers give, as the structs that the library takes.

A struct points into arrays, and keeps them alive. Nothing is kept after the call.
"""

from __future__ import annotations

import ctypes
import operator
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _shapes
from ._arrays import DOWN, NEAREST, UP, Array, Copy, Floats
from ._arrays import (
    address,
    close_columns,
    columns,
    float32,
    integers,
    number,
    numbers,
    refused_copy,
    rounded,
    stride,
    table,
)
from ._native import structs
from ._native.library import initialised

_BOX = (DOWN, DOWN, UP, UP)
_TWO = (NEAREST, NEAREST)


class Shapes(NamedTuple):
    """What a box or another query may be given as; see `boxes` and `queries`."""

    boxes: Any = None
    min: Any = None
    max: Any = None
    centre: Any = None
    half: Any = None
    circles: Any = None
    segments: Any = None
    polygons: Any = None
    agents_as: str = "boxes"


def points_with_radius(points: Any, radius: Any, copy: Copy) -> structs.Boxes:
    """Squares around points, by a radius for all or one for each."""
    where = table(points, 2)
    if where is not None and type(radius) in (float, int):
        count, first, inner, outer = where
        size, reach = ctypes.sizeof(structs.Boxes), number("radius", radius, UP)
        result = structs.Boxes(
            size, structs.POINTS, count, first, first + inner, None, None, outer, outer, 0, 0, reach
        )
        result.is_one, result.keep = False, points
        return result
    x, y = columns("points", points, 2, copy, _TWO)
    _many("points", x, 2)
    return _squares(x, y, "radius", radius, copy)


def boxes(given: Shapes, copy: Copy, *, one_allowed: bool = False) -> structs.Boxes:
    """Boxes as (n, 4), as min and max, or as centre and half. Of one box (4,), the struct has is_one."""
    if given.boxes is not None:
        _without(given, "min", "max", "centre", "half")
        four = columns("boxes", given.boxes, 4, copy, _BOX)
        name, width = "boxes", 4
    elif given.min is not None or given.max is not None:
        _without(given, "centre", "half")
        if given.min is None or given.max is None:
            raise TypeError("min and max go together")
        four = columns("min", given.min, 2, copy, (DOWN, DOWN)) + columns("max", given.max, 2, copy, (UP, UP))
        name, width = "min", 2
    elif given.centre is not None and given.half is not None:
        return _centre_half(given.centre, given.half, copy, one_allowed)
    else:
        raise TypeError("give boxes, or min and max, or centre and half")
    if not one_allowed:
        _many(name, four[0], width)
    return _of_columns(structs.MIN_MAX, four)


def queries(given: Shapes, copy: Copy) -> structs.Boxes:
    """The same or circles, segments or polygons, which are copied."""
    shapes = {name: getattr(given, name) for name in _shapes.MAKERS if getattr(given, name) is not None}
    if not shapes:
        return boxes(given, copy, one_allowed=True)
    name, shape = shapes.popitem()
    _without(given, "boxes", "min", "max", "centre", "half", *shapes)
    if copy is False:
        raise refused_copy(name, "only boxes are read where they lie")
    return _shapes.MAKERS[name](shape, given.agents_as)


def labels(count: int, categories: Any, groups: Any, copy: Copy) -> Optional[structs.Labels]:
    if categories is None and groups is None:
        return None
    arrays = [_label("categories", categories, count, copy), _label("groups", groups, count, copy)]
    result = initialised(structs.Labels)
    result.count = count
    result.categories, result.groups = (None if array is None else address(array) for array in arrays)
    result.keep = arrays
    return result


def points(given: Any, copy: Copy) -> structs.Points:
    """Points as (m, 2) or columns. Of one point (2,), the struct has is_one."""
    x, y = columns("points", given, 2, copy, _TWO)
    if x.ndim and len(x) > 1 and x.strides[0] != y.strides[0]:
        if copy is False:
            raise refused_copy("points", "its columns differ in their strides")
        x, y = np.ascontiguousarray(x), np.ascontiguousarray(y)
    result = initialised(structs.Points)
    result.is_one = x.ndim == 0
    result.count = 1 if result.is_one else len(x)
    result.x, result.y = address(x), address(y)
    result.stride = 0 if result.is_one else stride(x)
    result.keep = (x, y)
    return result


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
    # Whatever is no id at all is one that no agent has.
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
    # As many are too many for the library, which says so.
    return min(number, 2**64 - 1)


def _label(name: str, given: Any, count: int, copy: Copy) -> Optional[Array]:
    if given is None:
        return None
    if np.ndim(given) == 0:
        given = np.full(count, given)
        copy = None
    array = integers(name, given, copy, negative=True)
    if len(array) != count:
        raise ValueError(f"there must be as many {name} as agents, {count}, and not {len(array)}")
    return array


def _many(name: str, column: Floats, width: int) -> None:
    if column.ndim == 0:
        raise ValueError(f"{name} must have the shape (n, {width}), and not ({width},)")


def _without(given: Shapes, *names: str) -> None:
    for name in names:
        if getattr(given, name) is not None:
            raise TypeError(f"{name} does not go together with the other arguments")


def _squares(x: Floats, y: Floats, name: str, radius: Any, copy: Copy) -> structs.Boxes:
    if np.ndim(radius) == 0:
        result = _of_columns(structs.POINTS, [x, y])
        result.radius = number(name, radius, UP)
        return result
    each = numbers(name, radius, copy)
    if each.ndim != 1:
        raise ValueError(f"{name} must be a number or have one axis, and not the shape {each.shape}")
    if x.ndim and each.size != x.size:
        raise ValueError(f"{name} must be one number or {x.size}, one for each point, and not {each.size}")
    half = float32(name, each, copy, UP)
    return _of_columns(structs.CENTRE_HALF, [x, y, half, half])


def _centre_half(centre: Any, half: Any, copy: Copy, one_allowed: bool) -> structs.Boxes:
    if type(centre) is tuple and type(half) is tuple and len(centre) == len(half) == 2:
        where = close_columns(centre + half)
        if where is not None:
            result = structs.Boxes(
                ctypes.sizeof(structs.Boxes), structs.CENTRE_HALF, len(centre[0]), *where, 0, 0, 0, 0
            )
            result.is_one, result.keep = False, (centre, half)
            return result
    given = columns_in_full("centre", centre, copy)
    if not one_allowed:
        _many("centre", given[0], 2)
    sizes = np.ndim(half) if not isinstance(half, tuple) else 2
    if given[0].dtype == np.float32:
        x, y = (float32("centre", column, copy) for column in given)
        if sizes < given[0].ndim + 1:
            return _squares(x, y, "half", half, copy)
        return _of_columns(structs.CENTRE_HALF, [x, y, *columns("half", half, 2, copy, (UP, UP))])
    if copy is False:
        raise refused_copy("centre", "it is not float32")
    halves = [np.asarray(half)] * 2 if sizes < given[0].ndim + 1 else columns_in_full("half", half, copy)
    return _of_columns(
        structs.MIN_MAX,
        [*(_edge(a, b, -1) for a, b in zip(given, halves)), *(_edge(a, b, 1) for a, b in zip(given, halves))],
    )


def columns_in_full(name: str, given: Any, copy: Copy) -> list[Array]:
    """Two columns in the type that they have."""
    if isinstance(given, tuple) and len(given) == 2 and np.ndim(given[0]) == 1:
        return [numbers(name, column, copy) for column in given]
    array = numbers(name, given, copy)
    if array.ndim not in (1, 2) or array.shape[-1] != 2:
        raise ValueError(f"{name} must have the shape (n, 2), and not {array.shape}")
    return [array[..., 0], array[..., 1]]


def _edge(centre: Array, half: Array, sign: int) -> Floats:
    """centre - half rounded down, or centre + half rounded up: in doubles first, whose own error is known
    exactly."""
    if half.ndim and half.shape != centre.shape:
        raise ValueError(f"centre and half differ in length: {len(centre)} and {len(half)}")
    with np.errstate(invalid="ignore", over="ignore"):
        a, b = centre.astype(np.float64), sign * half.astype(np.float64)
        edge = a + b
        of_b = edge - a
        error = (a - (edge - of_b)) + (b - of_b)
        edge = np.where(error * sign > 0, np.nextafter(edge, sign * np.inf), edge)
    return rounded("centre and half", edge, DOWN if sign < 0 else UP)


def _of_columns(form: int, arrays: list[Floats]) -> structs.Boxes:
    first = arrays[0]
    if any(array.shape != first.shape for array in arrays):
        raise ValueError(f"arrays that belong together differ in length: {[array.size for array in arrays]}")
    result = initialised(structs.Boxes)
    result.form = form
    result.is_one = first.ndim == 0
    result.count = first.size
    result.x, result.y = address(arrays[0]), address(arrays[1])
    if form != structs.POINTS:
        result.last_x, result.last_y = address(arrays[2]), address(arrays[3])
    if first.ndim:
        strides = [stride(array) for array in arrays]
        result.stride_x, result.stride_y = strides[:2]
        if form != structs.POINTS:
            result.stride_last_x, result.stride_last_y = strides[2:]
    result.keep = arrays
    return result


def one_box(struct: structs.Boxes) -> structs.Box:
    """The only box of a struct in the form of edges."""
    four = (struct.x, struct.y, struct.last_x, struct.last_y)
    return structs.Box(*(ctypes.c_float.from_address(where).value for where in four))
