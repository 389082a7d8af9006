"""Lists as SciPy gives them, each a list of Python's in an array of objects."""

from __future__ import annotations

import contextlib
import gc
from typing import Any, Iterator

import numpy as np
import numpy.typing as npt

from ._index import Index
from ._norms import Norm, Points
from ._points import Longs
from ._within import Near, near


def lists(
    index: Index, points: Points, radius: Any, norm: Norm, workers: int, is_sorted: bool
) -> npt.NDArray[np.object_]:
    result = np.empty(len(points), object)

    def use(lists: Near) -> None:
        ids: list[int] = (_sorted(lists) if is_sorted and not lists.is_sorted else lists.ids).tolist()
        ends = np.cumsum(lists.counts)
        cut = np.frompyfunc(lambda begin, end: ids[begin:end], 2, 1)
        result[lists.rows] = cut(ends - lists.counts, ends)

    with _without_collector():
        near(index, points, radius, norm, workers, use, is_sorted)
    return result


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """New lists make Python's garbage collector look at all of them again and again, which takes most of the
    time.

    None of them is garbage. The collector is on again afterwards, if it was.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _sorted(lists: Near) -> Longs:
    """The ids of all lists, sorted in each."""
    keys = np.repeat(np.arange(len(lists.counts)) << 32, lists.counts)
    keys |= lists.ids
    keys.sort()
    keys &= (1 << 32) - 1
    return keys
