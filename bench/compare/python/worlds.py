"""A crowd in steps, what it is asked, and brute force's answers.

All coordinates are multiples of 1/64 and all radii whole numbers. So squared distances are exact in float32 too, and answers are
compared to the last bit, with no tolerance.
"""

import numpy as np

GRAIN = 64
RADIUS, NEAREST, QUERY_HALF = 2.0, 8, 2.0
STEPS, SINGLES, SAMPLE = 8, 1000, 1000


class Step:
    """Where the agents are: `points` (n, 2), `boxes` and `queries` (n, 4), which are larger boxes around the same
    points, and `moved`: who is elsewhere than in the step `before`."""

    def __init__(self, at, half, moved, before):
        self.before = before
        self.points = at / GRAIN
        self.half = half / GRAIN
        self.boxes = np.concatenate([at - half, at + half], axis=1) / GRAIN
        self.queries = np.concatenate([self.points - QUERY_HALF, self.points + QUERY_HALF], axis=1)
        self.moved = moved
        self.everyone = np.arange(len(at))
        # The order in which those who ask one after the other are near each other: rows two high, each from left to right.
        self.in_rows = np.lexsort((self.points[:, 0], self.points[:, 1] // 2))
        self.points_in_rows, self.queries_in_rows = self.points[self.in_rows], self.queries[self.in_rows]

    def places(self, who):
        """Points, without a copy where everyone asks."""
        return self.points if who is self.everyone else self.points_in_rows if who is self.in_rows else self.points[who]

    def regions(self, who):
        return self.queries if who is self.everyone else self.queries_in_rows if who is self.in_rows else self.queries[who]


class World:
    """A square with one agent to four units of area, about 18 % of it covered; each moves at most half a unit a step."""

    def __init__(self, agents):
        self.agents = agents
        self.random = np.random.default_rng(7)
        self.side = int(2 * agents**0.5 + 1) * GRAIN
        self.half = self.random.integers(20, 36, (agents, 2))
        self.sample = np.unique(np.linspace(0, agents - 1, min(agents, SAMPLE)).astype(np.int64))
        self.singles = self.random.integers(0, agents, SINGLES)
        self.start = self.random.integers(0, self.side, (agents, 2))
        self.crowd, self.few = [], []

    def of_crowd(self, turn):
        """All agents move. The world repeats itself after a few steps."""
        while len(self.crowd) < min(turn + 1, STEPS):
            self.crowd.append(self._after(self.crowd, np.arange(self.agents)))
        return self.crowd[turn % STEPS]

    def of_few(self, turn):
        """One agent in a hundred moves."""
        while len(self.few) < turn + 1:
            who = self.random.choice(self.agents, max(self.agents // 100, 1), replace=False)
            self.few.append(self._after(self.few, np.sort(who)))
        return self.few[turn]

    def _after(self, earlier, who):
        at = np.array(earlier[-1].points * GRAIN, np.int64) if earlier else self.start.copy()
        at[who] += self.random.integers(-GRAIN // 2, GRAIN // 2 + 1, (len(who), 2))
        return Step(np.clip(at, 0, self.side), self.half, who, earlier[-1] if earlier else None)


def keys(askers, found, agents):
    """An answer that does not depend on the order of lists: one number for each who asks and each whom it finds."""
    return np.sort(np.asarray(askers, np.int64) * agents + np.asarray(found, np.int64))


def keys_of_lists(askers, lists, agents, has_itself):
    """Of lists, or of offsets and ids, which may name who asks."""
    offsets, found = (lists.offsets, lists.ids) if hasattr(lists, "offsets") else as_one_array(lists)
    askers = np.repeat(askers, np.diff(offsets))
    return keys(*((askers, found) if has_itself else without_themselves(askers, found)), agents)


def as_one_array(lists):
    counts = np.fromiter(map(len, lists), np.int64, len(lists))
    return np.concatenate([[0], np.cumsum(counts)]), np.concatenate([np.asarray(each, np.int64) for each in lists])


def keys_of_pairs(pairs, agents):
    pairs = np.asarray(pairs, np.int64)
    return keys(pairs.min(axis=1), pairs.max(axis=1), agents) if len(pairs) else np.empty(0, np.int64)


def without_themselves(askers, found):
    others = askers != found
    return askers[others], found[others]


def began_and_ended(began, ended):
    """Two sorted arrays of keys as one."""
    return np.concatenate([began, [-1], ended])


def squares(distances):
    """Squared distances in whole numbers, ascending for each who asks."""
    return np.sort(np.rint((np.asarray(distances, np.float64) * GRAIN) ** 2).astype(np.int64), axis=1)


def apart(points, others):
    difference = points[:, np.newaxis] - others[np.newaxis]
    return (difference**2).sum(axis=2)


def overlaps(boxes, others):
    boxes, others = boxes[:, np.newaxis], others[np.newaxis]
    return ((boxes[..., :2] <= others[..., 2:]) & (others[..., :2] <= boxes[..., 2:])).all(axis=2)


class BruteForce:
    """The true answer of each task, in the form in which answers are compared."""

    def within(self, step, agents, who):
        return keys(*without_themselves(*self._near(step, who)), agents)

    def _near(self, step, who):
        rows, found = np.nonzero(apart(step.points[who], step.points) <= RADIUS**2)
        return who[rows], found

    def nearest(self, step, agents, who):
        return squares(np.sqrt(np.sort(apart(step.points[who], step.points), axis=1)[:, 1 : NEAREST + 1]))

    def pairs(self, step, agents, who):
        return keys_of_pairs(np.argwhere(np.triu(apart(step.points, step.points) <= RADIUS**2, 1)), agents)

    def changes(self, step, agents, who):
        before = self.pairs(step.before, agents, who) if step.before else np.empty(0, np.int64)
        now = self.pairs(step, agents, who)
        return began_and_ended(np.setdiff1d(now, before), np.setdiff1d(before, now))

    def touching(self, step, agents, who):
        return keys_of_pairs(np.argwhere(np.triu(overlaps(step.boxes, step.boxes), 1)), agents)

    def boxes(self, step, agents, who):
        rows, found = np.nonzero(overlaps(step.queries[who], step.boxes))
        return keys(who[rows], found, agents)

    few = single = within
