"""The picture: the whole crowd, and two windows into it, by matplotlib."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.animation import PillowWriter  # type: ignore[import]
from matplotlib.backends.backend_agg import FigureCanvasAgg  # type: ignore[import]
from matplotlib.collections import LineCollection, PolyCollection  # type: ignore[import]
from matplotlib.figure import Figure  # type: ignore[import]
from matplotlib.patches import Circle, ConnectionPatch, Rectangle  # type: ignore[import]
from PIL import Image  # type: ignore[import]

from .crowd import BODY, STRIDE, Crowd, Floats, Step

BACKGROUND, FLOOR, PILLAR, LINE = "#0b0d14", "#06070b", "#171b27", "#566080"
TEXT, PALE = "#f2f4fa", "#98a2b8"
# In pixels of a picture that is 1600 wide. Everything else follows from these.
WIDTH, HEIGHT, EDGE, FOOT, WHOLE = 1600, 1152, 24, 48, 1024
WINDOW = (WHOLE - EDGE) // 2
MIDDLE_SIDE, CLOSE_SIDE = 100, 22  # of the windows, in the unit of length
PIXELS_AN_INCH = 100
Colours = npt.NDArray[np.float32]


class Picture:
    """Fixed parts are drawn once, and each frame only sets what is new."""

    def __init__(self, crowd: Crowd, pixels: int) -> None:
        self.crowd = crowd
        self.scale = pixels / WIDTH
        self.figure = Figure(figsize=(WIDTH / PIXELS_AN_INCH, HEIGHT / PIXELS_AN_INCH), facecolor=BACKGROUND)
        FigureCanvasAgg(self.figure)
        self.cells = max(8, min(round(WHOLE * self.scale), round(crowd.side)))
        right, top = 2 * EDGE + WHOLE, FOOT + WINDOW + EDGE
        meeting = self._meeting()
        self.followed = int(np.argmin(np.abs(crowd.positions - meeting)))
        close = min(CLOSE_SIDE, 0.3 * crowd.side)
        middle = _window(meeting, min(MIDDLE_SIDE, 0.7 * crowd.side), (0, crowd.side, 0, crowd.side))
        self.whole = self._axes(EDGE, FOOT, WHOLE, (0, crowd.side, 0, crowd.side))
        self.middle = self._axes(right, top, WINDOW, middle)
        self.close = self._axes(right, FOOT, WINDOW, (0, close, 0, close))
        _Link(self.whole, self.middle, ((1, 1), (0, 1)), ((1, 0), (0, 0))).show()
        self.link = _Link(self.middle, self.close, ((0, 0), (0, 1)), ((1, 0), (1, 1)))
        self._draw_crowd()
        self._draw_words()

    def save(self, path: pathlib.Path) -> None:
        """Saves a PNG with 128 colours, which is a quarter as long as one with all."""
        self.figure.set_dpi(PIXELS_AN_INCH * self.scale)
        self.figure.canvas.draw()
        colours = np.asarray(self.figure.canvas.buffer_rgba())[:, :, :3]
        image = Image.fromarray(colours).quantize(128, method=Image.FASTOCTREE, dither=Image.NONE)
        image.save(path, optimize=True)

    def film(self, path: pathlib.Path) -> Any:
        """A GIF. Each grab_frame() adds the present picture. Half as wide as the PNG."""
        writer = PillowWriter(fps=12)
        writer.setup(self.figure, str(path), dpi=PIXELS_AN_INCH * self.scale / 2)
        return writer

    # What stays.

    def _meeting(self) -> complex:
        """The place where streams collide most at the start."""
        cells = 16
        _, x, y = self._sums(cells)
        inner = slice(2, -2)  # not at a wall
        meets = -(np.gradient(x, axis=1) + np.gradient(y, axis=0))[inner, inner]
        row, column = np.divmod(np.argmax(meets), cells - 4)
        return complex(column + 2.5, row + 2.5) * self.crowd.side / cells

    def _axes(self, left: float, bottom: float, length: float, limits: tuple[float, ...]) -> Any:
        axes = self.figure.add_axes(
            (left / WIDTH, bottom / HEIGHT, length / WIDTH, length / HEIGHT), facecolor=FLOOR
        )
        axes.set(xlim=limits[:2], ylim=limits[2:], xticks=[], yticks=[])
        for spine in axes.spines.values():
            spine.set(color=LINE, linewidth=0.8)
        for place, radius in zip(self.crowd.pillars, self.crowd.pillar_radii):
            disc = Circle((place.real, place.imag), radius, facecolor=PILLAR, edgecolor=LINE, zorder=3)
            axes.add_patch(disc)
        return axes

    def _draw_crowd(self) -> None:
        side = self.crowd.side
        self.image = self.whole.imshow(
            np.zeros((1, 1, 3)), extent=(0, side, 0, side), origin="lower", interpolation="bilinear", zorder=1
        )
        self.dots = PolyCollection([], linewidths=0, zorder=2)
        self.middle.add_collection(self.dots)
        self.near = LineCollection([], colors="#ffffff", linewidths=0.6, alpha=0.25, zorder=2)
        self.bodies = PolyCollection([], linewidths=0, zorder=3)
        self.noses = LineCollection([], colors=FLOOR, linewidths=1.4, zorder=4)
        self.touching = LineCollection([], colors="#ffffff", linewidths=1.0, alpha=0.7, zorder=4)
        self.ring = Circle((0, 0), BODY, fill=False, edgecolor=TEXT, linewidth=2.4, zorder=6)
        self.close.add_patch(self.ring)
        for collection in (self.near, self.bodies, self.noses, self.touching):
            self.close.add_collection(collection)

    def _draw_words(self) -> None:
        left, right, top, bottom = EDGE, 2 * EDGE + WHOLE, HEIGHT - 42, 24
        self._write(left, top, f"{len(self.crowd.positions):,} agents", fontsize=20, color=TEXT)
        self.words = self._write(right + WINDOW, top, "", fontsize=13, ha="right")
        self._write(left + 42, bottom, "colour: heading    brightness: how crowded")
        self._write(right, bottom, "lines: neighbours, or white if they touch    ring: one, followed")
        line = np.linspace(-1, 1, 64)
        places = line + 1j * line[:, np.newaxis]
        wheel = np.dstack([_colours(places), (np.abs(places) < 1) & (np.abs(places) > 0.5)])
        axes = self.figure.add_axes((left / WIDTH, (bottom - 15) / HEIGHT, 30 / WIDTH, 30 / HEIGHT))
        axes.imshow(wheel, origin="lower", interpolation="bilinear")
        axes.axis("off")

    def _write(self, x: float, y: float, text: str, **style: Any) -> Any:
        return self.figure.text(
            x / WIDTH, y / HEIGHT, text, **{"color": PALE, "fontsize": 11, "va": "center", **style}
        )

    # What is new in each frame.

    def show(self, number: int, step: Step) -> None:
        """Shows the crowd as it is now."""
        self.image.set_data(self._density())
        self._show_middle()
        self._show_close()
        self.words.set_text(f"step {number}:  {step.neighbours:,} neighbours,  {step.touching:,} pairs touch")

    def _density(self) -> Colours:
        """How many agents there are in each cell, and their mean heading, as colours."""
        cells = self.cells
        count, x, y = (_blurred(sums) for sums in self._sums(cells))
        density = count * (cells * cells / len(self.crowd.positions))
        hues = _colours(x + 1j * y)
        light = 1 - np.exp(-0.75 * density)[:, :, np.newaxis]
        glow = np.clip(density - 1.6, 0, 1.4)[:, :, np.newaxis] * np.float32(0.22)
        return np.asarray(np.clip(hues * light + (1 - hues) * glow, 0, 1), np.float32)

    def _sums(self, cells: int) -> list[Any]:
        """For a board of so many cells a side: how many agents are in each, and the sums of their
        headings."""
        crowd = self.crowd
        scale = np.float32(cells / crowd.side)
        column, row = (
            part.astype(np.int32) for part in (crowd.positions.real * scale, crowd.positions.imag * scale)
        )
        cell = np.minimum(row, cells - 1) * cells + np.minimum(column, cells - 1)
        weights = (None, crowd.headings.real, crowd.headings.imag)
        return [np.bincount(cell, weight, cells * cells).reshape(cells, cells) for weight in weights]

    def _show_middle(self) -> None:
        inside = self._agents_in(self.middle)
        places, headings = self.crowd.positions[inside], self.crowd.headings[inside]
        arrow = np.array([1.3, -0.8 + 0.65j, -0.8 - 0.65j]) * BODY * 1.2
        self.dots.set_verts(_points(places[:, np.newaxis] + headings[:, np.newaxis] * arrow))
        self.dots.set_facecolors(_colours(headings))

    def _show_close(self) -> None:
        crowd = self.crowd
        self._follow()
        inside = self._agents_in(self.close)
        places, headings = crowd.positions[inside], crowd.headings[inside]
        circle = BODY * np.exp(2j * np.pi * np.arange(20) / 20)
        self.bodies.set_verts(_points(places[:, np.newaxis] + circle))
        self.bodies.set_facecolors(_colours(headings))
        self.noses.set_segments(_points(np.stack([places, places + headings * BODY], axis=1)))
        near, touching = crowd.lines_of(inside)
        self.near.set_segments(_points(crowd.positions[near]))
        self.touching.set_segments(_points(crowd.positions[touching]))

    def _follow(self) -> None:
        """Moves the close view with the agent."""
        place = complex(self.crowd.positions[self.followed])
        self.ring.center = place.real, place.imag
        limits = (*self.middle.get_xlim(), *self.middle.get_ylim())
        length = self.close.get_xlim()[1] - self.close.get_xlim()[0]
        window = _window(place, length, limits)
        self.close.set(xlim=window[:2], ylim=window[2:])
        self.link.show()

    def _agents_in(self, axes: Any) -> Any:
        """The agents in a view, and a few more: the frame is from before they walked."""
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        return self.crowd.engine.frame.overlaps(
            (left - STRIDE, bottom - STRIDE, right + STRIDE, top + STRIDE)
        )


class _Link:
    """A rectangle in one view that shows the area of the next one, and lines between their corners."""

    def __init__(
        self, axes: Any, window: Any, *corners: tuple[tuple[float, float], tuple[float, float]]
    ) -> None:
        self.axes, self.window, self.corners = axes, window, corners
        self.frame = axes.add_patch(
            Rectangle((0, 0), 0, 0, fill=False, edgecolor=TEXT, linewidth=1.2, zorder=5)
        )
        self.lines = [
            ConnectionPatch(
                (0, 0),
                end,
                coordsA="data",
                coordsB="axes fraction",
                axesA=axes,
                axesB=window,
                color=TEXT,
                linewidth=0.8,
                alpha=0.6,
            )
            for _, end in corners
        ]
        for line in self.lines:
            axes.figure.add_artist(line)

    def show(self) -> None:
        (left, right), (bottom, top) = self.window.get_xlim(), self.window.get_ylim()
        self.frame.set_bounds(left, bottom, right - left, top - bottom)
        for line, ((x, y), _) in zip(self.lines, self.corners):
            line.xy1 = left + x * (right - left), bottom + y * (top - bottom)


def _window(centre: complex, length: float, limits: tuple[float, ...]) -> tuple[float, float, float, float]:
    """A square around a point, moved into the limits: x, x, y, y."""
    left = min(max(centre.real - length / 2, limits[0]), limits[1] - length)
    bottom = min(max(centre.imag - length / 2, limits[2]), limits[3] - length)
    return left, left + length, bottom, bottom + length


def _colours(headings: Any) -> Colours:
    """A wheel of colours for the direction of headings; the length does not matter."""
    angles = np.angle(headings)[..., np.newaxis].astype(np.float32)
    turns = np.array([0.15, 2.25, 4.35], np.float32)
    colours: Colours = np.float32(0.54) + np.array([0.46, 0.40, 0.46], np.float32) * np.cos(angles - turns)
    return colours


def _blurred(table: Any) -> Floats:
    """Mixed with a little of the cells beside each, so that single agents are no noise."""
    for _ in range(2):
        padded = np.pad(table, ((1, 1), (0, 0)), "edge")
        table = ((2 * table + padded[:-2] + padded[2:]) / 4).T
    return np.asarray(table, np.float32)


def _points(numbers: Any) -> Floats:
    return np.stack([numbers.real, numbers.imag], axis=-1)
