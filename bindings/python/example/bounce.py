"""A crowd that bounces off itself: python3 bounce.py [agents] [frames]."""

from __future__ import annotations

import sys

import numpy as np

import throng


def main(agents: int = 100_000, frames: int = 60) -> None:
    random = np.random.default_rng(1)
    side = np.sqrt(agents) * 2
    place = (random.random((agents, 2)) * side).astype(np.float32)
    speed = random.normal(size=(agents, 2)).astype(np.float32)
    engine, pairs = throng.Engine(), throng.Pairs()
    touched = 0
    for _ in range(frames):
        place += speed * np.float32(0.05)
        speed[(place < 0) | (place > side)] *= -1
        np.clip(place, 0, side, out=place)
        engine.update(place, radius=0.3)
        i, j = engine.frame.pairs(out=pairs).T
        touched += len(i)
        # Two that touch and come closer exchange their speeds along the line between them.
        line = place[i] - place[j]
        line /= np.maximum(np.linalg.norm(line, axis=1, keepdims=True), 1e-6)
        closing = np.minimum(((speed[i] - speed[j]) * line).sum(axis=1, keepdims=True), 0)
        np.subtract.at(speed, i, closing * line)
        np.add.at(speed, j, closing * line)
    print(f"{agents} agents touched {touched} times in {frames} frames")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
