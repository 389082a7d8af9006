"""The distance of two points, in doubles, by the operations of SciPy, so that no bit differs.

Measures are compared, which saves roots: for p = 2 it is the square of the distance.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._native import structs

Doubles = npt.NDArray[np.float64]
# A point as one number, x + iy: so arrays of points are taken and subtracted in one go.
Points = npt.NDArray[np.complex128]


class Norm(NamedTuple):
    """For p = 1, 2 or infinity; `metric` is the library's name."""

    p: float
    metric: int

    def measures(self, differences: Points) -> Doubles:
        """The measure of each difference, which is overwritten."""
        parts = np.ascontiguousarray(differences).view(np.float64).reshape(*differences.shape, 2)
        if self.p == 2:
            np.multiply(parts, parts, out=parts)
        else:
            np.absolute(parts, out=parts)
        join: Any = np.maximum if math.isinf(self.p) else np.add
        result: Doubles = join(parts[..., 0], parts[..., 1])
        return result

    def limit(self, radius: Any) -> Any:
        """The measure of a radius. As in SciPy, one below zero means its square, and a square may be infinite."""
        with np.errstate(over="ignore"):
            return radius * radius if self.p == 2 else radius

    def radius(self, given: Any) -> Any:
        """The radius with that measure, for the library, which finds nothing within less than zero."""
        return abs(given) if self.p == 2 else given

    def distances(self, measures: Doubles) -> Doubles:
        return np.sqrt(measures) if self.p == 2 else measures


_norms = [
    Norm(2, structs.EUCLIDEAN),
    Norm(1, structs.MANHATTAN),
    Norm(math.inf, structs.CHEBYSHEV),
]


def norm_of(p: Any) -> Norm:
    for norm in _norms:
        if norm.p == p:
            return norm
    raise ValueError(f"p must be 1, 2 or infinity here, and not {p!r}")
