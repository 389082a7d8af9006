"""Monte Carlo of hard discs in a world that wraps around: each disc in turn takes a small random step, unless
it would touch another one. Once with a cell list in plain Python, and once with `Engine.try_moves`.

    python3 hard_discs.py [discs] [sweeps]
"""

import sys
import time

import numpy as np

import throng

RADIUS, STEP = 0.5, 0.25
GRID = 1 / 256  # where discs stand: distances of such places are exact in float32 and float64 alike
GAP = 288 * GRID  # between the centres of neighbours in the beginning


def world(discs, sweeps, random):
    """A lattice, its width, and who tries which step, in the order of the trials."""
    side = int(np.ceil(np.sqrt(discs))) if discs > 16 else 4
    x = np.stack(np.divmod(np.arange(discs), side), axis=1) * GAP
    steps = np.round(random.uniform(-STEP, STEP, (sweeps, discs, 2)) / GRID) * GRID
    return x, side * GAP, [random.permutation(discs) for _ in range(sweeps)], steps


def with_a_cell_list(x, width, sweeps, steps):
    count = int(width / (2 * RADIUS))
    size, half = width / count, width / 2
    places, cells = x.tolist(), [[] for _ in range(count * count)]
    number = lambda x, y: int(x / size) % count * count + int(y / size) % count
    near = [
        [(i + a) % count * count + (j + b) % count for a in (-1, 0, 1) for b in (-1, 0, 1)]
        for i in range(count)
        for j in range(count)
    ]
    for k, (px, py) in enumerate(places):
        cells[number(px, py)].append(k)
    for order, step in zip(sweeps, steps):
        for k, (sx, sy) in zip(order.tolist(), step.tolist()):
            px, py = places[k]
            qx, qy = (px + sx) % width, (py + sy) % width
            cell = number(qx, qy)
            for other in [each for there in near[cell] for each in cells[there]]:
                dx, dy = abs(places[other][0] - qx), abs(places[other][1] - qy)
                dx, dy = min(dx, width - dx), min(dy, width - dy)
                if dx * dx + dy * dy <= 4 * RADIUS * RADIUS and other != k:
                    break
            else:
                before = number(px, py)
                if cell != before:
                    cells[before].remove(k)
                    cells[cell].append(k)
                places[k] = [qx, qy]
    return np.array(places)


def with_throng(x, width, sweeps, steps):
    engine, x = throng.Engine(threads=1, period=width), x.copy()
    engine.update(x, radius=RADIUS)
    for ids, step in zip(sweeps, steps):
        points = (x[ids] + step) % width
        accepted = engine.try_moves(ids, points, RADIUS).accepted
        x[ids[accepted]] = points[accepted]
    return x


def main(discs=10_000, sweeps=4):
    given = world(discs, sweeps, np.random.default_rng(1))
    begin = time.perf_counter()
    theirs = with_a_cell_list(*given)
    middle = time.perf_counter()
    ours = with_throng(*given)
    end = time.perf_counter()
    each = 1e6 / (discs * sweeps)
    print(f"a trial: plain Python {(middle - begin) * each:.1f} us, Throng {(end - middle) * each:.1f} us")
    print(f"moved: {np.mean(np.any(ours != given[0], axis=1)):.0%}")
    print("equal:", np.array_equal(ours, theirs))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
