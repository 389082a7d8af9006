"""Displacements between the agents of lists and pairs, by the nearest image where the world wraps around."""

from __future__ import annotations

from typing import Any, Callable, Iterator, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from ._arrays import Array, columns, numbers
from ._native.memory import empty
from ._origin import given_period

# So many at a time: their numbers stay in a core's cache.
_at_once = 1 << 14

Doubles = npt.NDArray[np.float64]


class Part(NamedTuple):
    """Some displacements: their places, the agents that they lead to, and those that they begin at. These are
    one for each, or for lists one for each list, with how many begin there."""

    places: slice
    ids: Any
    begins: Any
    counts: Optional[Any]


def parts_of_lists(offsets: Any, ids: Any, owners: Optional[Any]) -> Iterator[Part]:
    """Whole lists. Without owners, list k begins at k."""
    lists = len(offsets) - 1
    wanted = np.arange(0, len(ids), _at_once)
    for first, last in zip(*(cuts.tolist() for cuts in _neighbouring(offsets.searchsorted(wanted), lists))):
        places = slice(int(offsets[first]), int(offsets[last]))
        begins = np.arange(first, last) if owners is None else owners[first:last]
        yield Part(places, ids[places], begins, np.diff(offsets[first : last + 1]))


def _neighbouring(cuts: Any, end: int) -> tuple[Any, Any]:
    all_cuts = np.unique(np.concatenate([[0], np.minimum(cuts, end), [end]]))
    return all_cuts[:-1], all_cuts[1:]


def parts_of_pairs(pairs: Any) -> Iterator[Part]:
    for first in range(0, len(pairs), _at_once):
        places = slice(first, min(first + _at_once, len(pairs)))
        yield Part(places, pairs[places, 1], pairs[places, 0], None)


class Displacements:
    """x[j] - x[i] for each id j in the list i, or for each pair (i, j)."""

    __slots__ = ()

    # That of the frame that was asked; and whether lists are of agents, and have agents of the same frame.
    _period: Optional[tuple[float, float]]
    _are_of_agents: bool

    def _parts(self) -> Iterator[Part]:
        raise NotImplementedError

    def _how_many(self) -> int:
        """How many displacements there are."""
        raise NotImplementedError

    def _summed(self, each: Callable[[Part, int], Doubles], rows: int) -> Doubles:
        """The sums of both columns of each(part, axis), by row."""
        raise NotImplementedError

    def displacements(self, x: Any, *, points: Any = None, period: Any = None) -> Any:
        """x[j] - x[i] for each id j of list i, or for each pair (i, j): (m, 2), in the order of the ids.

        `x` is (n, 2), with a row for each agent, or a tuple of two columns, which gives a tuple. In a world
        that wraps around the nearest image of j counts, for positions in it or outside. The period is that of
        the frame that was asked, or `period`. Lists of points or queries go from `points`; so do lists with
        agents of another frame, from the agents of this one.

        Differences are computed in doubles, and then have the type of `x`.

        >>> import numpy as np, throng
        >>> engine = throng.Engine(period=10)
        >>> x = np.array([(1, 5), (9.5, 5), (2, 5)])
        >>> engine.update(x)
        >>> near = engine.frame.neighbours(radius=2, sort=True)
        >>> near.ij()
        (array([0, 0, 1, 2]), array([1, 2, 0, 0]))
        >>> near.displacements(x)
        array([[-1.5,  0. ],
               [ 1. ,  0. ],
               [ 1.5,  0. ],
               [-1. ,  0. ]])
        """
        to, start, sizes = self._given(x, points, period)
        found = empty((self._how_many(), 2), np.result_type(*to))
        for part in self._parts():
            for axis in 0, 1:
                found[part.places, axis] = _between(to[axis], start[axis], part, sizes[axis])
        return (found[:, 0].copy(), found[:, 1].copy()) if type(x) is tuple else found

    def sum_displacements(
        self, x: Any, *, weights: Any = None, points: Any = None, period: Any = None
    ) -> Any:
        """For each list, the sum of its displacements, and 0 for none; for pairs, each gives x[j] - x[i] to i
        and x[i] - x[j] to j. Rows are as in `sum`, and arguments as in `displacements`.

        `weights` has a factor for each of the ids, or for each pair: weights[e] belongs to ids[e]. So a force
        is a sum of displacements by weights of distances.

        >>> import numpy as np, throng
        >>> engine = throng.Engine(period=10)
        >>> x = np.array([(1, 5), (9, 5), (2, 5)])
        >>> engine.update(x)
        >>> near = engine.frame.neighbours(radius=2, distances=True)
        >>> near.sum_displacements(x)
        array([[-1.,  0.],
               [ 2.,  0.],
               [-1.,  0.]])
        >>> near.sum_displacements(x, weights=1 / near.distances)    # of directions
        array([[ 0.,  0.],
               [ 1.,  0.],
               [-1.,  0.]])
        """
        to, start, sizes = self._given(x, points, period)
        factors = None if weights is None else _weights(weights, self._how_many())

        def each(part: Part, axis: int) -> Doubles:
            found = _between(to[axis], start[axis], part, sizes[axis])
            if factors is not None:
                found *= factors[part.places]
            return found

        result = self._summed(each, len(start[0])).astype(np.result_type(*to))
        return (result[0], result[1]) if type(x) is tuple else np.ascontiguousarray(result.T)

    def _given(
        self, x: Any, points: Any, period: Any
    ) -> tuple[list[Array], list[Array], tuple[float, float]]:
        if points is None and not self._are_of_agents:
            raise TypeError("these lists are not of agents among themselves: give points=, where they begin")
        to = _two("x", x)
        start = to if points is None else _two("points", points)
        sizes = self._period if period is None else given_period(period)
        return to, start, sizes or (0.0, 0.0)


def _two(name: str, given: Any) -> list[Array]:
    return [np.asarray(column) for column in columns(name, given, 2, None)]


def _weights(given: Any, count: int) -> Array:
    array = numbers("weights", given, None)
    if array.shape != (count,):
        raise ValueError(f"weights must have the shape ({count},), one for each id or pair, and not {array.shape}")
    return array


def _between(to: Array, start: Array, part: Part, size: float) -> Doubles:
    """How far it is, along one axis."""
    try:
        begin = start[part.begins]
        if part.counts is not None:
            begin = np.repeat(begin, part.counts)
        found: Doubles = np.subtract(to[part.ids], begin, dtype=np.float64)
    except IndexError:
        raise ValueError(f"an agent has no place: there are {len(to)}, and {len(start)} to begin at") from None
    if size != 0:
        found -= size * np.rint(found / size)
    return found


def sums_of_lists(parts: Iterator[Part], each: Callable[[Part, int], Doubles], rows: int) -> Doubles:
    """The sum of each list, in the row that it begins at."""
    sums = np.zeros((2, rows))
    for part in parts:
        counts = part.counts
        assert counts is not None
        lists = np.repeat(np.arange(len(counts)), counts)
        for axis in 0, 1:
            sums[axis, part.begins] = np.bincount(lists, each(part, axis), len(counts))
    return sums


def sums_of_pairs(pairs: Any, each: Callable[[Part, int], Doubles], rows: int) -> Doubles:
    """Each pair gives to the one that it begins at, and takes from the other."""
    a, b = pairs[:, 0], pairs[:, 1]
    all_of_them = Part(slice(None), b, a, None)
    sums = np.zeros((2, rows))
    for axis in 0, 1:
        found = each(all_of_them, axis)
        sums[axis] = np.bincount(a, found, rows) - np.bincount(b, found, rows)
    return sums
