"""Origins: the points that coordinates are counted from, since the library has them in float32.

float64 is subtracted in float64 and rounded once, here or in the library. So floats are fine near the agents,
wherever they are in the world. Returned coordinates have the origin added.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
import warnings
from typing import Any, NamedTuple, Optional

import numpy as np

from ._arrays import Array
from ._native import structs
from ._native.codes import Argument, Code
from ._native.errors import BadValue, call
from ._native.handles import Handle
from ._native.library import initialised, library

_package = os.path.join(os.path.dirname(__file__), "")
# A distance below so many steps from float to float is useless.
_fine = 1000
# Warns of a query whose floats are so many times as far apart as those of the agents.
_coarser = 16
# The periods that the library takes, besides zero.
_periods = 1e-30, 1e30


class PrecisionWarning(UserWarning):
    """Near the agents, float32 numbers are too far apart for the call: more than a thousandth of the smallest
    agent, or of a distance."""


class Origin(NamedTuple):
    x: float
    y: float


ZERO = Origin(0.0, 0.0)


class Place:
    """The place of the agents of some frames: the origin, the period of the world, and the distance of floats
    near the agents. It warns once for an engine."""

    __slots__ = ("origin", "spacing", "spread", "period", "_warned")

    def __init__(
        self,
        origin: Origin = ZERO,
        warned: Optional[list[bool]] = None,
        period: Optional[tuple[float, float]] = None,
    ) -> None:
        self.origin, self.period = origin, period
        self.spacing = self.spread = 0.0  # zero if it was not measured
        self._warned = [] if warned is None else warned

    def moved_to(self, origin: Origin) -> Place:
        """The same floats at another origin, until others are measured."""
        place = Place(origin, self._warned, self.period)
        place.spacing = self.spacing
        return place

    def described(self) -> str:
        """For a repr: the period, if there is one."""
        return "" if self.period is None else f", period ({self.period[0]:g}, {self.period[1]:g})"

    def see_query(self, given: Any) -> None:
        """Warns of float32 in a query, if it is coarser at the origin than the agents are from there."""
        if not self.spacing or self.origin == ZERO or self._warned or getattr(given, "dtype", None) != np.float32:
            return
        spacing = float(np.spacing(np.float32(max(abs(self.origin.x), abs(self.origin.y)))))
        if spacing > _coarser * self.spacing:
            text = f"the query is float32, in which numbers are {spacing:g} apart where the agents are"
            self._tell(f"{text}, and those from the origin {self.spacing:g}. Give it as float64.")

    def add_to(self, coordinates: Array) -> Array:
        """Turns the library's boxes into the caller's."""
        if self.origin != ZERO:
            coordinates = coordinates + np.array(self.origin * 2)
        return coordinates

    def check(self, distance: Any, what: str) -> None:
        """Warns if floats are too far apart for such a distance. Arrays of distances are not checked."""
        if not self._warned and type(distance) in (float, int) and 0 < distance < self.spacing * _fine:
            self._warn(f"a thousandth of {what}, {distance:g}")

    def see(self, choice: structs.OriginChoice) -> None:
        """Notes the distance of floats, and of agents."""
        self.spacing = choice.spacing
        if math.isfinite(choice.spread):
            self.spread = choice.spread
        if not self._warned and self.spacing * _fine > choice.extent > 0:
            self._warn(f"a thousandth of what small agents are wide, {choice.extent:g}")

    def _warn(self, what: str) -> None:
        self._tell(
            f"float32 numbers are {self.spacing:g} apart where the agents are, which is more than {what}. "
            "Give coordinates as float64, and no origin or one amid the agents, which is "
            f"({self.origin.x:g}, {self.origin.y:g}) now; a world that is too wide for that, in parts."
        )

    def _tell(self, text: str) -> None:
        self._warned.append(True)
        level, is_own = _caller()
        if is_own:
            warnings.warn(text, PrecisionWarning, stacklevel=level)


NOWHERE = Place()


class Places(NamedTuple):
    """The places of an engine's frames: from number `first` on, and before."""

    place: Place
    first: int = 0
    before: Optional[Place] = None

    def of_frame(self, frame: Handle) -> Place:
        if self.before is None or library.throng_frame_number(frame) >= self.first:
            return self.place
        return self.before


def _caller() -> tuple[int, bool]:
    """The caller's level in the stack, and whether it calls for itself: `throng.scipy` knows what it does."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename.startswith(_package):
        if os.path.basename(os.path.dirname(frame.f_code.co_filename)) == "scipy":
            return level, False
        level, frame = level + 1, frame.f_back
    return level, True


def given_period(period: Any) -> tuple[float, float]:
    """The distance around the world, in floats; zero: it does not wrap around."""
    if period is None:
        return 0.0, 0.0
    try:
        x, y = (float(period),) * 2 if np.ndim(period) == 0 else (float(value) for value in period)
    except (TypeError, ValueError):
        raise TypeError(f"period must be a number, or two, (x, y), and not {period!r}") from None
    for size in x, y:
        if not (size == 0 or _periods[0] <= size <= _periods[1]):
            text = f"a period must be 0, or from {_periods[0]:g} to {_periods[1]:g}, and not {size:g}"
            raise BadValue(text, Code.BAD_CONFIG, Argument.PERIOD)
    return ctypes.c_float(x).value, ctypes.c_float(y).value


def given_origin(origin: Any) -> Optional[Origin]:
    """The caller's origin; None if the engine chooses one."""
    if origin is None:
        return None
    try:
        x, y = (float(value) for value in origin)
    except (TypeError, ValueError):
        raise TypeError(f"origin must be two numbers, (x, y), and not {origin!r}") from None
    if not np.isfinite((x, y)).all():
        raise ValueError(f"origin must be finite, and not ({x}, {y})")
    return Origin(x, y)


def count_from(origin: Origin, *views: Any) -> None:
    """Sets the origin of boxes or points. float32 that is counted from (0, 0) is read where it lies."""
    for view in views:
        view.origin_x, view.origin_y = origin


def chosen(boxes: structs.Boxes, current: Origin, least_spread: float = 0) -> structs.OriginChoice:
    """A good origin for these boxes, and how fine floats are there."""
    choice = initialised(structs.OriginChoice)
    call(library.throng_arrays_choose_origin, boxes, *current, least_spread, choice)
    return choice


def best(boxes: structs.Boxes, place: Place, least_spread: float = 0) -> Place:
    """The best origin for these boxes: near them if they are float64; (0, 0) if they are float32, which are
    read in place."""
    if not has_doubles(boxes):
        return place if place.origin == ZERO else Place(ZERO, place._warned, place.period)
    choice = chosen(boxes, place.origin, least_spread)
    origin = Origin(choice.x, choice.y)
    if origin != place.origin:
        place = place.moved_to(origin)
    place.see(choice)
    return place


def look(boxes: structs.Boxes, place: Place) -> None:
    """How fine floats are for these boxes, where the origin stays."""
    period = place.period
    if period is None or not has_doubles(boxes):
        return place.see(chosen(boxes, place.origin, math.inf))
    # Doubles are folded before they are rounded: only the other direction may be too wide.
    its = structs.Boxes.from_buffer_copy(boxes)
    for axis, other in ("x", "y"), ("y", "x"):
        if period["xy".index(axis)] > 0:
            for name in ("", "last_", "double_", "double_last_"):
                setattr(its, name + axis, getattr(boxes, name + other))
            for name in ("stride_", "stride_last_"):
                setattr(its, name + axis, getattr(boxes, name + other))
    choice = chosen(its, place.origin, math.inf)
    spacing = float(np.spacing(np.float32(max(period))))
    choice.spacing = spacing if min(period) > 0 else max(choice.spacing, spacing)
    place.see(choice)


def fold(low: float, high: float, size: float) -> tuple[float, float]:
    """An interval moved by whole periods, so that its middle is in [0, size)."""
    middle = (low + high) / 2
    if size == 0 or 0 <= middle < size:
        return low, high
    there = middle % size
    return there - (middle - low), there + (high - middle)


def fold_along(first: Array, other: Array, size: float) -> Array:
    """The places `other`, moved by the whole periods that move the first places into [0, size)."""
    if size == 0:
        return other
    with np.errstate(invalid="ignore"):
        there = np.mod(first, size)
        return np.where(there == first, other, there + (other - first))


def has_doubles(boxes: structs.Boxes) -> bool:
    return bool(boxes.double_x or boxes.double_y or boxes.double_last_x or boxes.double_last_y)
