"""The crowd: where all agents are, and what they do in a step.

Positions and headings are complex numbers, so that a product turns a heading. All work is done on whole
arrays. Answers of the library go to objects that are kept from step to step, so their memory is used again.
"""

from __future__ import annotations

import time
from typing import NamedTuple, Optional

import numpy as np
import numpy.typing as npt

import throng

Complexes = npt.NDArray[np.complex64]
Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int32]

# Lengths are in units with one agent for each unit of area.
BODY = 0.35  # the radius of an agent
SIGHT = 1.5  # how far it sees others
STRIDE = 1.0  # how far it walks in a step
CROWDED, FULL = 8, 17  # in sight, with itself: slower from the first on, hardly walking at the second
SLOWEST = 0.1  # of a stride
AVOIDANCE = 0.4  # how strongly it turns away from where others crowd
NOISE = 0.12  # how far it turns by chance, in radians
LEAST = 2000  # agents: with fewer, a gap between a pillar and a wall would be narrower than one
PILLARS = 9
WAVES = 14  # the first headings are made of these


class Step(NamedTuple):
    """The findings of a step, and the seconds that its parts took."""

    touching: int
    neighbours: int
    update: float
    pairs: float
    near: float
    numpy: float


class Crowd:
    """Agents in a square with walls and round pillars."""

    def __init__(self, count: int, seed: int = 1, threads: Optional[int] = None) -> None:
        self.random = np.random.default_rng(seed)
        self.side = float(np.sqrt(count))
        self.engine = throng.Engine(threads=threads)
        self._pairs, self._near, self._at_pillars = throng.Pairs(), throng.Lists(), throng.Lists()
        self.touching = np.empty((0, 2), np.int32)
        self.pillars, self.pillar_radii = self._place_pillars()
        self.positions = self._scatter(count)
        self.headings = self._streams()

    # The start.

    def _place_pillars(self) -> tuple[Complexes, Floats]:
        """One in each field of a board of three by three, so that none touches another or a wall."""
        field = self.side / 3
        row, column = np.divmod(np.arange(PILLARS), 3)
        radii = self.random.uniform(0.06, 0.2, PILLARS) * field
        reach = field / 2 - radii - 0.05 * field
        shift = self.random.uniform(-1, 1, (2, PILLARS)) * reach
        x, y = (column + 0.5) * field + shift[0], (row + 0.5) * field + shift[1]
        return (x + 1j * y).astype(np.complex64), radii.astype(np.float32)

    def _scatter(self, count: int) -> Complexes:
        """One agent at a random place in each cell of a board, as far as there are cells."""
        columns = int(np.ceil(np.sqrt(count)))
        row, column = np.divmod(np.arange(count), columns)
        rows = int(row[-1]) + 1
        x = (column + self.random.random(count)) * (self.side / columns)
        y = (row + self.random.random(count)) * (self.side / rows)
        places: Complexes = (x + 1j * y).astype(np.complex64)
        wrong = self._not_free(places, np.arange(count))
        while len(wrong):
            x, y = self.random.uniform(0, self.side, (2, len(wrong)))
            places[wrong] = x + 1j * y
            wrong = self._not_free(places, wrong)
        return places

    def _not_free(self, places: Complexes, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Which of these agents are in a wall or in a pillar."""
        x, y = places.real[ids], places.imag[ids]
        wrong = np.minimum(np.minimum(x, y), self.side - np.maximum(x, y)) < BODY
        for pillar, radius in zip(self.pillars, self.pillar_radii):
            wrong |= np.abs(places[ids] - pillar) < radius + BODY
        return ids[wrong]

    def _streams(self) -> Complexes:
        """Headings that follow a sum of waves: streams that meet, part and whirl."""
        angles = np.zeros(len(self.positions), np.float32)
        for _ in range(WAVES):
            length = self.side * self.random.uniform(0.08, 0.5)
            wave = 2 * np.pi / length * np.exp(1j * self.random.uniform(0, 2 * np.pi))
            phase = self.random.uniform(0, 2 * np.pi)
            along = np.float32(wave.real) * self.positions.real + np.float32(wave.imag) * self.positions.imag
            angles += np.float32(4 * length / self.side) * np.sin(along + np.float32(phase))
        return _turned(angles)

    # A step.

    def step(self) -> Step:
        """All agents look around, turn, and walk."""
        times = [time.perf_counter()]
        self.engine.update(_columns(self.positions), radius=BODY)
        frame = self.engine.frame
        times.append(time.perf_counter())
        pairs = frame.pairs(out=self._pairs)
        times.append(time.perf_counter())
        frame.neighbours(radius=SIGHT, with_self=True, out=self._near)
        at_pillars = self._agents_in_pillars()
        times.append(time.perf_counter())
        counts = self._near.counts.astype(np.float32)
        self._turn(counts)
        self._part(pairs)
        self.positions += STRIDE * np.clip((FULL - counts) / (FULL - CROWDED), SLOWEST, 1) * self.headings
        self._leave_pillars(*at_pillars)
        self._stay_inside()
        times.append(time.perf_counter())
        update, pairs_time, near, numpy = np.diff(times).tolist()
        return Step(
            len(self.touching), len(self._near.ids) - len(self.positions), update, pairs_time, near, numpy
        )

    def lines_of(self, agents: Ids) -> tuple[Ids, Ids]:
        """The pairs of some agents with neighbours, and those that touch, as the last step found them."""
        begins, ends = self._near.offsets[agents], self._near.offsets[agents + 1]
        near = np.concatenate([self._near.ids[begin:end] for begin, end in zip(begins, ends)] or [agents])
        pairs = np.stack([np.repeat(agents, ends - begins), near], axis=1)
        return pairs[pairs[:, 0] < pairs[:, 1]], self.touching[np.isin(self.touching, agents).any(axis=1)]

    def _turn(self, counts: Floats) -> None:
        """Turns to the mean heading of the neighbours, and away from their middle.

        Both means come from one sum over each list. Each agent is in its own list, so none is empty.
        """
        pull = np.float32(AVOIDANCE) * self.positions
        sums = np.add.reduceat((self.headings - pull)[self._near.ids], self._near.offsets[:-1])
        wanted = sums / counts + pull
        noise = self.random.standard_normal(len(wanted), np.float32) * np.float32(NOISE)
        self.headings = _units(wanted, self.headings) * _turned(noise)

    def _part(self, pairs: Ids) -> None:
        """Moves two that touch apart, by half of their overlap each.

        The pairs are of squares: if the circles do not touch, they stay as they are.
        """
        apart = self.positions[pairs[:, 1]] - self.positions[pairs[:, 0]]
        touches = np.abs(apart) < 2 * BODY
        self.touching = pairs[touches]
        a, b = self.touching.T.astype(np.int64)
        apart = apart[touches]
        units = _units(apart, self.headings[b])
        push = (units * np.float32(BODY) - apart / 2).astype(np.complex128)
        count = len(self.positions)
        shift = np.empty(count, np.complex64)
        for axis, parts in ((shift.real, push.real.copy()), (shift.imag, push.imag.copy())):
            axis[:] = np.bincount(b, parts, count) - np.bincount(a, parts, count)
        # So no push is longer than the queries around pillars see.
        self.positions += shift * (BODY / np.maximum(np.abs(shift), np.float32(BODY)))

    def _agents_in_pillars(self) -> tuple[Ids, Ids]:
        """Which agents may be in a pillar after this step, and in which: a stride and a push away, or
        nearer."""
        half = np.repeat(self.pillar_radii + np.float32(BODY + STRIDE), 2).reshape(-1, 2)
        self.engine.frame.overlaps(centre=_columns(self.pillars), half=half, out=self._at_pillars)
        pillars, agents = self._at_pillars.ij()
        return pillars, agents

    def _leave_pillars(self, pillars: Ids, agents: Ids) -> None:
        """Moves agents in a pillar to its face, with a heading along it."""
        away = self.positions[agents] - self.pillars[pillars]
        reach = self.pillar_radii[pillars] + np.float32(BODY)
        inside = np.abs(away) < reach
        agents, away, reach = agents[inside], away[inside], reach[inside]
        outwards = _units(away, np.ones_like(away))
        self.positions[agents] = self.pillars[pillars[inside]] + outwards * reach
        self.headings[agents] = _along(self.headings[agents], outwards)

    def _stay_inside(self) -> None:
        """Moves agents beyond a wall to its face, with a heading along it."""
        low, high = np.float32(BODY), np.float32(self.side - BODY)
        for values, towards in ((self.positions.real, 1), (self.positions.imag, 1j)):
            for outside, inwards in ((values < low, towards), (values > high, -towards)):
                beyond = np.nonzero(outside)[0]
                self.headings[beyond] = _along(
                    self.headings[beyond], np.full(len(beyond), inwards, np.complex64)
                )
            np.clip(values, low, high, out=values)


def _columns(numbers: Complexes) -> Floats:
    """The same memory, as (n, 2)."""
    return numbers.view(np.float32).reshape(-1, 2)


def _turned(angles: Floats) -> Complexes:
    """Headings at these angles."""
    headings = np.empty(len(angles), np.complex64)
    np.cos(angles, out=headings.real)
    np.sin(angles, out=headings.imag)
    return headings


def _units(numbers: Complexes, otherwise: Complexes) -> Complexes:
    """Scales numbers to length 1; where the length is 0, takes the others."""
    lengths = np.abs(numbers)
    none = lengths < 1e-6
    lengths[none] = 1
    units: Complexes = numbers / lengths
    units[none] = otherwise[none]
    return units


def _along(headings: Complexes, normals: Complexes) -> Complexes:
    """Headings without their part against a normal. One straight against it turns to the left."""
    against = np.minimum((headings * np.conj(normals)).real, 0)
    return _units(headings - against * normals, normals * np.complex64(1j))
