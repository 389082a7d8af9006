"""First steps with NumPy arrays: a crowd, and what can be asked of it."""

import numpy as np

import throng

random = np.random.default_rng(1)
positions = random.random((100_000, 2), np.float32) * 300  # metres

engine = throng.Engine()  # on all cores
touching, near = throng.Pairs(), throng.Lists()  # kept, so that a step allocates nothing

for step in range(10):
    positions += random.normal(0, 0.1, positions.shape).astype(np.float32)
    engine.update(positions, radius=0.3)  # all agents, in every step
    frame = engine.frame  # a snapshot, which never changes

    # Every two whose squares touch, once each.
    a, b = frame.pairs(out=touching).T

    # Who is within two metres of each agent: list i is near[i], or near.ids[offsets[i]:offsets[i + 1]].
    frame.neighbours(radius=2, distances=True, out=near)
    mean = near.distances.mean()

print(f"{len(a):,} pairs touch; {len(near.ids):,} neighbours are {mean:.2f} m away on average")

# The same lists as two columns: agent i has the neighbour j.
i, j = near.ij()
print(f"agent 7 has {len(near[7])} neighbours in either form: {np.array_equal(j[i == 7], near[7])}")

# The eight nearest of each agent, and the one nearest to a place.
ids, distances = frame.nearest(k=8)
(nearest,), (distance,) = frame.nearest((150, 150))
print(f"agent {nearest} is {distance:.2f} m from the centre; all have eight within {distances.max():.2f} m")

# Who is in a box, how many there are in each of many, and what a ray meets first.
print(f"{len(frame.overlaps((0, 0, 10, 10)))} agents are in the corner")
print(f"{frame.count(centre=positions[:3], half=5)} are around the first three")
hit = frame.first_hits((150, 150), (170, 150))
print(f"a ray to the right meets agent {hit.ids} after {20 * hit.fractions:.2f} m")
