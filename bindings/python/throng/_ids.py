"""The type of ids that come out.

They have 32 bits in memory. Arithmetic such as `i * n + j` overflows in these without a word, so calls return
np.intp, like NumPy's and SciPy's indices. A result of your own (`out=`), or dtype=np.int32, gets them as they
are in memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._native.memory import empty
from ._native.pool import LEAST

Ids = npt.NDArray[np.signedinteger[Any]]
INTP = np.dtype(np.intp)
_NARROW = np.dtype(np.int32)


def checked(dtype: Any) -> Any:
    """The type of ids that a caller wants; None is np.intp."""
    if dtype is None:
        return INTP
    found = np.dtype(dtype)
    if found not in (_NARROW, INTP):
        raise TypeError(f"ids come as np.intp or np.int32, and not as {found}")
    return found


def as_type(ids: Any, dtype: Any) -> Ids:
    """Ids of that type: the array itself if it has it."""
    same: Ids = ids
    if ids.dtype == dtype:
        return same
    if ids.nbytes < LEAST:
        return same.astype(dtype)
    wide: Ids = empty(ids.shape, dtype)
    wide[...] = ids
    return wide
