"""A flock: each agent takes the mean heading of all within 1 of it, itself included, and errs a little (Vicsek).

    python3 flocking.py [agents] [steps] [--scipy]

Prints how much all headings agree, from 0 to 1, and what a step takes. With --scipy the same steps are made with
SciPy's cKDTree instead, in its fastest form.
"""

from __future__ import annotations

import sys
import time
from typing import Any, Callable

import numpy as np

# How far an agent moves in a step, and by how much a heading errs at most, in radians.
SPEED, NOISE = np.float32(0.05), np.float32(0.15)
CROWDING = 7  # agents in a unit square: about 22 neighbours


def by_throng() -> Callable[[Any, Any], Any]:
    import throng

    engine, near = throng.Engine(), throng.Lists()

    def headings(x: Any, v: Any) -> Any:
        engine.update(x)
        engine.frame.neighbours(radius=1, with_self=True, out=near)
        return near.sum(v)

    return headings


def by_scipy() -> Callable[[Any, Any], Any]:
    from scipy.spatial import cKDTree

    def headings(x: Any, v: Any) -> Any:
        i, j = cKDTree(x).query_pairs(1, output_type="ndarray").T
        both = [
            np.bincount(i, column[j], len(x)) + np.bincount(j, column[i], len(x)) + column
            for column in v.T.copy()
        ]
        return np.stack(both, axis=1)

    return headings


def run(agents: int, steps: int, headings: Callable[[Any, Any], Any]) -> tuple[Any, list[float]]:
    """The velocities in the end, and what each step took in milliseconds."""
    random = np.random.default_rng(1)
    side = np.float32(np.sqrt(agents / CROWDING))
    x = random.random((agents, 2), np.float32) * side
    angle = random.random(agents, np.float32) * np.float32(2 * np.pi)
    v = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    took = []
    for _ in range(steps):
        begin = time.perf_counter()
        heading = headings(x, v)
        angle = np.arctan2(heading[:, 1], heading[:, 0])
        angle += (random.random(agents, np.float32) - np.float32(0.5)) * (2 * NOISE)
        np.cos(angle, out=v[:, 0], casting="same_kind")
        np.sin(angle, out=v[:, 1], casting="same_kind")
        x += SPEED * v
        # Whoever leaves comes back on the other side, though no one sees across.
        np.add(x, side, out=x, where=x < 0)
        np.subtract(x, side, out=x, where=x > side)
        took.append(1e3 * (time.perf_counter() - begin))
    return v, took


def main() -> None:
    numbers = [int(argument) for argument in sys.argv[1:] if argument != "--scipy"]
    agents, steps = (numbers + [200_000, 30][len(numbers) :])[:2]
    v, took = run(agents, steps, by_scipy() if "--scipy" in sys.argv else by_throng())
    agreement = np.hypot(*v.mean(axis=0, dtype=np.float64))
    print(f"{agents} agents, {steps} steps: they agree by {agreement:.3f}; {np.median(took):.1f} ms a step")


if __name__ == "__main__":
    main()
