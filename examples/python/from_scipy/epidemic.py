"""An epidemic (SIR): who comes within reach of somebody may infect or be infected once, when contact begins.

    python3 epidemic.py [agents] [steps]
"""

import sys
import time

import numpy as np
from scipy.spatial import KDTree

import throng

REACH, CHANCE, ILL_FOR = 1.0, 0.4, 5
GRID = 1 / 256  # where agents stand: distances of such places are exact in float32 and float64 alike


class Epidemic:
    """Who is ill, and since when. It hears of contacts as they begin, and counts those that end."""

    def __init__(self, agents):
        self.ill_until = np.full(agents, -1)
        self.ill_until[: agents // 100 + 1] = ILL_FOR
        self.was_ill = self.ill_until > 0
        self.ended = 0
        self.curve = []

    def step(self, now, began, ended):
        random = np.random.default_rng(now)
        lucky = random.random(len(began)) >= CHANCE
        i, j = began.T
        for a, b in ((i, j), (j, i)):
            caught = b[(self.ill_until[a] > now) & ~self.was_ill[b] & ~lucky]
            self.ill_until[caught], self.was_ill[caught] = now + ILL_FOR, True
        self.ended += len(ended)
        self.curve.append(int((self.ill_until > now).sum()))

    def result(self):
        return self.curve, self.ended


def with_scipy(places):
    epidemic = Epidemic(len(places[0]))
    before = np.empty(0, np.int64)
    for now, x in enumerate(places):
        i, j = KDTree(x).query_pairs(REACH, output_type="ndarray").T
        keys = np.sort(np.minimum(i, j) * len(x) + np.maximum(i, j))
        began = np.setdiff1d(keys, before, assume_unique=True)
        ended = np.setdiff1d(before, keys, assume_unique=True)
        epidemic.step(now, np.column_stack(divmod(began, len(x))), ended)
        before = keys
    return epidemic.result()


def with_throng(places):
    epidemic = Epidemic(len(places[0]))
    engine, contacts = throng.Engine(), throng.PairChanges()
    for now, x in enumerate(places):
        engine.update(x, radius=0)
        began, ended = engine.frame.pair_changes(contacts, within=REACH)
        epidemic.step(now, began, ended)
    return epidemic.result()


def main(agents=200_000, steps=20):
    random = np.random.default_rng(1)
    x = random.random((agents, 2)) * np.sqrt(agents / 2)
    places = []
    for _ in range(steps):
        x = x + random.normal(0, 0.3, x.shape)
        places.append(np.round(x / GRID) * GRID)
    begin = time.perf_counter()
    theirs = with_scipy(places)
    middle = time.perf_counter()
    ours = with_throng(places)
    end = time.perf_counter()
    print(f"{agents:,} agents, {steps} steps: SciPy {middle - begin:.2f} s, Throng {end - middle:.2f} s")
    print(f"ill at the end: {ours[0][-1]:,}; contacts that ended: {ours[1]:,}; equal: {ours == theirs}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
