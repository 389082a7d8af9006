"""Lists as SciPy gives them, each a list of Python's in an array of objects, and how long they are."""

from __future__ import annotations

from typing import Any

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
        ids = lists.ids.tolist()
        ends = np.cumsum(lists.counts)
        if is_sorted:
            cut = np.frompyfunc(lambda begin, end: sorted(ids[begin:end]), 2, 1)
        else:
            cut = np.frompyfunc(lambda begin, end: ids[begin:end], 2, 1)
        result[lists.rows] = cut(ends - lists.counts, ends)

    near(index, sought, radius, norm, workers, use)
    return result
