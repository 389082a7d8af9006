"""Where points are for the engine, which has float32: the data is scaled to -1 to 1, and its middle is at 0.

    exact:   |p - q| <= r,             in doubles
    engine:  |p' - q'| <= r + margin,  in float32: all of these, and more

p' and q' are rounded, and the margin is more than what that can change. What lies outside of -2 to 2 has no
place.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._norms import Doubles, Points

Places = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
# Half the side of the square of places.
_edge = 2.0
# A coordinate up to 2 is rounded by 2^-24 at most, and one of the data by 2^-25, which makes 2.2 * 2^-24 on
# two axes.
_margin = 2.0**-22
# A part of each distance: 1.8 * 2^-23 for what is rounded in float32, the radius too.
_relative = 2.0**-22
# Farther than any two places are apart.
_everywhere = 4 * _edge
# A radius of fewer margins than 64 finds much that is not within it.
COARSE = 64 * _margin


class Sought(NamedTuple):
    """Places that are searched from."""

    points: Points
    places: Places
    scale: float

    def at(self, rows: npt.NDArray[np.intp]) -> Sought:
        return Sought(self.points.take(rows), self.places.take(rows, axis=0), self.scale)

    def reach(self, radius: Any) -> Any:
        """The radius with which the engine finds all within `radius`, one number or one for each."""
        return np.fmin((abs(radius) * self.scale + _margin) * (1 + _relative), _everywhere)

    def certain(self, radius: Any) -> Any:
        """The square of the distance in float32 up to which all is within `radius`, or one below zero."""
        inner = abs(radius) * self.scale * (1 - _relative) - _margin
        return np.where(inner > 0, np.fmin(inner, _everywhere) ** 2 * (1 - _relative), -1).astype(np.float32)

    def are_complete(self, distances: Doubles, squared: Any) -> Any:
        """Whether nothing that is farther than `squared` in float32 is nearer than `distances`."""
        found = np.sqrt(squared, dtype=np.float64) * (1 - _relative) - _margin
        # Nothing is nearer than what is at the same place.
        return distances * (self.scale * (1 + _relative)) <= np.maximum(found, 0)

    def order(self) -> npt.NDArray[np.intp]:
        """By cells of a coarse grid: what is near each other then is so in time too, in which caches help."""
        cells = np.clip(self.places * np.float32(128) + np.float32(128), 0, 255).astype(np.uint8)
        return np.argsort(cells.view(np.uint16)[:, 0], kind="stable")


class Placement:
    """Makes places of points."""

    __slots__ = ("_centre", "scale", "half")

    def __init__(self, low: Doubles, high: Doubles) -> None:
        x, y = (low * 0.5 + high * 0.5).tolist()
        self._centre = complex(x, y)
        half = np.maximum(high - (x, y), (x, y) - low)
        # A power of two, which rounds nothing.
        self.scale = math.ldexp(1.0, min(-math.frexp(half.max())[1], 1000))
        # The corner of the data, with its middle at 0.
        self.half = half * self.scale

    def sought(self, points: Points) -> tuple[Sought, Mask]:
        """Places of any points, and which have none."""
        exact = self._exact(points)
        # NaN is the difference of numbers that are too large.
        if exact.size and exact.min() >= -_edge and exact.max() <= _edge:
            lost = np.zeros(len(points), bool)
        else:
            lost = ~((exact >= -_edge) & (exact <= _edge)).all(axis=1)
            exact[lost] = 0
        return Sought(points, exact.astype(np.float32), self.scale), lost

    def is_coarse(self, radius: Any) -> Any:
        """Whether float32 has too few digits for such a radius, or it is NaN."""
        return np.logical_not(abs(radius) * self.scale >= COARSE)

    def of_data(self, points: Points) -> Places:
        """Places of the points between `low` and `high`, in parts that caches hold."""
        result = np.empty((len(points), 2), np.float32)
        for begin in range(0, len(points), 1 << 15):
            result[begin : begin + (1 << 15)] = self._exact(points[begin : begin + (1 << 15)])
        return result

    def _exact(self, points: Points) -> Doubles:
        exact = (points - self._centre).view(np.float64).reshape(-1, 2)
        exact *= self.scale
        return exact
