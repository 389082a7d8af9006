"""A crowd over MPI, in forty lines: everybody walks, and steps aside from those whom it would touch.

    mpirun -n 4 python3 crowd.py
"""

import numpy as np
from mpi4py import MPI

import throng.cluster

AGENTS, STEPS, SIDE, RADIUS = 20_000, 30, 280.0, 0.5

ranks = MPI.COMM_WORLD
luggage = np.dtype((np.float32, 2))  # what travels with an agent: its velocity
cluster = throng.cluster.Cluster(ranks, radius=2 * RADIUS, threads=1, payload=luggage)

# The first rank has everybody at first, and each goes to its owner.
random = np.random.default_rng(1)
count = AGENTS if ranks.rank == 0 else 0
ids = np.arange(count, dtype=np.uint64)
centres = random.uniform(0, SIDE, (count, 2)).astype(np.float32)
velocities = random.normal(0, 0.1, (count, 2)).astype(np.float32)

for step in range(STEPS):
    cluster.update(ids, centres, radius=RADIUS, payload=velocities)
    mine, ghosts = cluster.owned(), cluster.ghosts()  # from now on this rank moves `mine`
    ids, velocities = mine.ids, mine.payload
    near = cluster.neighbours(radius=2 * RADIUS)  # of each of mine, ghosts too

    known = np.concatenate([mine.ids, ghosts.ids])
    boxes = np.concatenate([mine.boxes, ghosts.boxes])
    places = (boxes[:, :2] + boxes[:, 2:]) / 2
    order = np.argsort(known)
    others = order[np.searchsorted(known, near.ids, sorter=order)]
    of = np.repeat(np.arange(len(ids)), np.diff(near.offsets).astype(int))
    push = np.zeros_like(velocities)
    np.add.at(push, of, 0.05 * (places[of] - places[others]))

    centres = places[: len(ids)] + velocities + push
    velocities = np.where((centres < 0) | (centres > SIDE), -velocities, velocities)

agents, near_all = ranks.allreduce(len(ids)), ranks.allreduce(len(near.ids))
copies = ranks.allreduce(len(ghosts.ids))
if ranks.rank == 0:
    print(f"{agents} agents on {ranks.size} ranks with {copies} ghosts, {near_all} near each other")
assert agents == AGENTS and near_all % 2 == 0
cluster.close()
