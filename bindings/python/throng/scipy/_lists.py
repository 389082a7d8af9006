"""Lists as SciPy gives them, each a list of Python's in an array of objects."""

from __future__ import annotations

import contextlib
import gc
from typing import Any, Iterator, Optional

import numpy as np
import numpy.typing as npt

from . import _around
from ._index import Index
from ._points import PointLists
from ._within import Asked, near


def lists(
    index: Index, box: Optional[_around.Box], asked: Asked, workers: int, is_sorted: bool
) -> npt.NDArray[np.object_]:
    result = np.empty(len(asked.points), object)

    def use(rows: Any, lists: PointLists) -> None:
        ids: list[int] = lists.ids.tolist()
        ends = lists.offsets
        result[rows] = np.frompyfunc(lambda begin, end: ids[begin:end], 2, 1)(ends[:-1], ends[1:])

    with _without_collector():
        if box is None:
            near(index, asked, workers, use, is_sorted)
        else:
            _around.near(index, box, asked, workers, use, is_sorted)
    return result


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Python's garbage collector would look at all new lists again and again, which takes most of the time.

    None of them is garbage. The collector is on again afterwards, if it was.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
