"""Arguments of callers, checked as in SciPy, and what is refused here."""

from __future__ import annotations

import operator
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from ._around import Box
from ._norms import Doubles, Points


def reals(given: Any) -> npt.NDArray[Any]:
    array = np.asarray(given)
    if array.dtype.kind == "c":
        raise TypeError("KDTree does not work with complex data")
    return array


def data(given: Any, copy: bool) -> Doubles:
    """(n, 2), finite."""
    array = reals(given)
    result = np.array(array, np.float64, order="C") if copy else np.ascontiguousarray(array, np.float64)
    if array.ndim != 2:
        raise ValueError("data must be 2 dimensions")
    if result.shape[1] != 2:
        raise ValueError(f"data must have 2 columns in throng.scipy.KDTree, and not {result.shape[1]}")
    return result


def points(given: Any) -> tuple[Points, tuple[int, ...]]:
    """Points in one row, and the shape that they were given in."""
    array = reals(given)
    result = np.ascontiguousarray(array, np.float64)
    if result.shape[-1] != 2:
        raise ValueError(f"x must consist of vectors of length 2 but has shape {result.shape}")
    if not np.isfinite(result).all():
        raise ValueError("'x' must be finite, check for nan or inf values")
    return as_complex(result), array.shape[:-1]


def boxsize(given: Any) -> Optional[Doubles]:
    """None, or the distance around the plane in each direction; zero means endless."""
    if given is None:
        return None
    return np.array(np.broadcast_to(np.asarray(given, np.float64), 2))


def in_box(data: Doubles, sizes: Optional[Doubles]) -> Optional[Box]:
    """The box that the data is in, if there is one."""
    if sizes is None or not (sizes > 0).any():
        return None
    if not np.isfinite(sizes).all():
        raise ValueError("boxsize must be finite")
    around = sizes > 0
    if (data >= sizes)[:, around].any():
        raise ValueError("Some input data are greater than the size of the periodic box.")
    if (data < 0)[:, around].any():
        raise ValueError("Negative input data are outside of the periodic box.")
    return Box(*np.where(around, sizes, 0.0).tolist())


def as_complex(numbers: Doubles) -> Points:
    return numbers.reshape(-1, 2).view(np.complex128)[:, 0]


def radius(name: str, given: Any) -> float:
    if isinstance(given, (str, bytes)) or np.ndim(given) != 0:
        raise TypeError(f"{name} must be real number, not {type(given).__name__}")
    return float(given)


def radii(given: Any, shape: tuple[int, ...]) -> Any:
    """One for all, or one for each point of that shape."""
    array = np.asarray(given)
    if array.dtype.kind == "c":
        raise TypeError("r must hold real numbers, and not complex ones")
    array = array.astype(np.float64)
    return float(array.item()) if array.size == 1 else np.broadcast_to(array, shape).reshape(-1)


def columns(k: Any) -> tuple[Optional[npt.NDArray[np.intp]], int]:
    """Which of the nearest are wanted, from 0 on, or None for the first ones; and how many to find for
    that."""
    if k is None:
        raise ValueError("k must be an integer or a sequence of integers")
    if np.ndim(k) == 0:
        which = None
        least = last = operator.index(int(k) if isinstance(k, float) and k.is_integer() else k)
    else:
        ranks = np.asarray(k)
        if ranks.ndim != 1 or not len(ranks) or ranks.dtype.kind not in "iu":
            raise ValueError("k must be an integer or a sequence of integers")
        which, last, least = ranks.astype(np.intp) - 1, int(ranks.max()), int(ranks.min())
    if least < 1:
        raise ValueError(f"k must be at least 1, and not {least}")
    return which, last


def weights(given: Any, count: int) -> Doubles:
    if given is None:
        return np.ones(count)
    array = np.ascontiguousarray(given, np.float64)
    if array.ndim != 1:
        raise ValueError(f"weights must have one axis, and not the shape {array.shape}")
    if len(array) != count:
        raise ValueError("Number of weights differ from the number of data points")
    return array
