"""Lists as SciPy gives them, each a list of Python's in an array of objects, and how long they are."""

from __future__ import annotations

import contextlib
import gc
from typing import Any, Iterator

import numpy as np
import numpy.typing as npt

from ._index import Index
from ._norms import Norm
from ._places import Sought
from ._within import Counts, Near, near


def counts(index: Index, sought: Sought, radius: Any, norm: Norm, workers: int) -> Counts:
    result = np.zeros(len(sought.points), np.int64)

    def use(lists: Near) -> None:
        result[lists.rows] = lists.counts

    near(index, sought, radius, norm, workers, use)
    return result


def lists(
    index: Index, sought: Sought, radius: Any, norm: Norm, workers: int, is_sorted: bool
) -> npt.NDArray[np.object_]:
    result = np.empty(len(sought.points), object)

    def use(lists: Near) -> None:
        ids: list[int] = (_sorted(lists) if is_sorted else lists.ids.astype(np.int64)).tolist()
        ends = np.cumsum(lists.counts)
        cut = np.frompyfunc(lambda begin, end: ids[begin:end], 2, 1)
        result[lists.rows] = cut(ends - lists.counts, ends)

    with _without_collector():
        near(index, sought, radius, norm, workers, use)
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


def _sorted(lists: Near) -> Counts:
    """The ids of all lists, sorted in each."""
    keys = np.repeat(np.arange(len(lists.counts)) << 32, lists.counts)
    keys |= lists.ids
    keys.sort()
    keys &= (1 << 32) - 1
    return keys
