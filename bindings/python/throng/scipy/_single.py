"""One query at a time, as in a loop: the shortest way to the tree.

The arguments of such a call lie ready for each thread, as ctypes passes them. For anything unusual these
functions return None: the general way takes it, and says what is wrong.
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any, Optional

import numpy as np

from .._native import structs
from .._native.library import initialised, library
from ._norms import norm_of
from ._points import PointTree

_room, _most = 4096, 64
_float64 = np.dtype(np.float64)
# Without types of arguments, which ctypes would check each time.
_nearest, _find_one = library["throng_point_tree_nearest"], library["throng_point_tree_find_one"]


class _Desk(threading.local):
    """A thread puts its query here, and finds the answer here."""

    def __init__(self) -> None:
        self.point = (ctypes.c_double * 2)()
        self.options = initialised(structs.PointOptions)
        self.options.serial = 1
        self.distances, self.ids = np.empty(_most), np.empty(_room, np.int64)
        self.total = ctypes.c_uint64()
        distances, ids = (ctypes.c_void_p(each.ctypes.data) for each in (self.distances, self.ids))
        asked = ctypes.byref(self.options), ctypes.byref(self.point)
        self.for_nearest = (*asked, ctypes.c_uint64(1), distances, ids, ctypes.c_uint64(_most), None)
        self.for_find = (*asked, ids, ctypes.c_uint64(_room), ctypes.byref(self.total), None)


_desk = _Desk()


def _is_put(desk: _Desk, point: Any, norm_p: Any, radius: Any) -> bool:
    """Whether a query was put on the desk."""
    kind = type(point)
    if kind is np.ndarray:
        if point.dtype is not _float64 or point.shape != (2,):
            return False
        x, y = point.tolist()
    elif (kind is tuple or kind is list) and len(point) == 2:
        x, y = point
        if not (isinstance(x, (float, int)) and isinstance(y, (float, int))):
            return False
    else:
        return False
    if not isinstance(radius, (float, int)):
        return False
    options = desk.options
    if norm_p == 2:
        options.metric = structs.EUCLIDEAN
        options.radius = abs(radius)
    else:
        options.metric = norm_of(norm_p).metric
        options.radius = radius
    desk.point[0], desk.point[1] = x, y
    return True


def nearest(tree: PointTree, point: Any, k: Any, p: Any, bound: Any) -> Optional[tuple[Any, Any]]:
    """The distance and the id of the nearest, as numbers, or as arrays for several."""
    desk = _desk
    if type(k) is not int or not 0 < k <= _most or bound != bound or not _is_put(desk, point, p, bound):
        return None
    desk.options.count = k
    if _nearest(tree.address, *desk.for_nearest) != 0:
        return None
    if k == 1:
        return desk.distances.item(0), desk.ids.item(0)
    return desk.distances[:k].copy(), desk.ids[:k].copy()


def within(tree: PointTree, point: Any, radius: Any, p: Any, is_sorted: Any) -> Optional[list[int]]:
    """The ids of all within a radius."""
    desk = _desk
    if not _is_put(desk, point, p, radius):
        return None
    desk.options.sorted = bool(is_sorted)
    if _find_one(tree.address, *desk.for_find) != 0:
        return None
    total = desk.total.value
    if total > _room:
        return None
    ids: list[int] = desk.ids[:total].tolist()
    return ids
