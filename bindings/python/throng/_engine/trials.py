"""Trial moves: each is decided by what the agent overlaps before and after it, and seen by the next one."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from .. import _arguments
from .._arrays import address, AgentsAs, Copy, Integers, Numbers, Rows, numbers
from .._native import kinds, structs
from .._native.library import initialised, library
from .._native.pool import pool
from .._origin import count_from
from .._queries.filter import Filter, filter_struct, is_of_batch
from .._results import Counts
from .._shapes import what_agents_are
from .edits import Edits


class Trials(NamedTuple):
    """For each trial move: whether it was made, and how many others the agent overlaps before and after."""

    accepted: npt.NDArray[np.bool_]
    before: Counts
    after: Counts


class TrialMoves(Edits):
    """The moves of a Monte Carlo simulation."""

    __slots__ = ()

    def try_moves(
        self,
        ids: Integers,
        points: Rows,
        radius: Numbers,
        *,
        weights: Any = None,
        random: Any = None,
        agents_as: AgentsAs = "circles",
        filter: Optional[Filter] = None,
        with_static: bool = False,
        copy: Copy = None,
    ) -> Trials:
        """Tries to move each agent ids[i] to points[i], one after the other, and publishes each move that is
        accepted before the next trial. Agents keep their sizes and heights.

        For each trial, the others are counted that overlap a disc of that radius around the agent, where it
        is and where it would be. `radius` may be an array with one for each trial. Others are the largest
        circles in their boxes, or their "centres" or "boxes" by `agents_as`; a `filter` says which of them
        count, and has no `ignore`; with_static counts elements of the static layer too.

        Without `weights` they are hard discs: a move is accepted if nothing overlaps afterwards.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (2, 0), (9, 0)], radius=0.5)
        >>> trials = engine.try_moves([0, 0, 1], [(1.5, 0), (0.5, 0), (1.25, 0)], radius=0.5)
        >>> trials.accepted, trials.after
        (array([False,  True, False]), array([1, 0, 1], dtype=int32))

        Then the host moves its own: x[ids[trials.accepted]] = points[trials.accepted].

        weights[n] is the weight of an agent that overlaps n others, such as exp(-n * energy / temperature).
        Beyond its end weights are 0. A move is accepted if random[i] * weights[before] < weights[after]. That
        is the rule of Metropolis if `random` has a number from [0, 1) for each trial; it may also be a
        numpy.random.Generator. An outer field goes into it: divide random[i] by its factor.

        >>> import numpy as np
        >>> random = np.random.default_rng(1)
        >>> trials = engine.try_moves([2], [(2.75, 0)], 0.5, weights=np.exp(-0.1 * np.arange(7)), random=random)
        >>> trials
        Trials(accepted=array([ True]), before=array([0], dtype=int32), after=array([1], dtype=int32))

        Points are from before the call, so an agent should come once in it: a sweep is
        random.permutation(n). If Ctrl-C or a lack of memory ends the call, moves that were accepted stay.
        """
        its_ids = _arguments.ids(ids, copy)
        self._place.check(radius, "the radius that is asked for")
        rule = _rule(its_ids, radius, agents_as, weights, random, copy)
        if is_of_batch(filter) or isinstance(filter, Filter) and filter._struct.self != kinds.ALL:
            raise ValueError("a filter of trial moves is one for all of them, and has no `ignore`")
        answers, total = np.zeros((len(its_ids), 3), np.int32), ctypes.c_uint64()
        with self._writing:
            half = self._sizes.of(self, its_ids)
            boxes = _arguments.points_with_halves(points, half, copy)
            count_from(self._place.origin, boxes)
            try:
                self._write(
                    library.throng_engine_try_moves,
                    *(address(its_ids), len(its_ids), boxes, rule, filter_struct(filter, with_static)),
                    *(address(answers), len(answers), ctypes.byref(total)),
                )
            except BaseException:
                if total.value:  # moves that were accepted are published
                    self._spares.refresh(self._handle)
                    pool.next_frame()
                raise
        before, after, accepted = answers.T
        return Trials(accepted != 0, before.copy(), after.copy())


def _rule(
    ids: Any, radius: Any, agents_as: AgentsAs, weights: Any, random: Any, copy: Copy
) -> structs.TrialRule:
    rule = initialised(structs.TrialRule)
    _arguments.radii(rule, "radius", "", radius, copy)
    rule.agents_as = what_agents_are(agents_as)
    if (weights is None) != (random is None):
        raise TypeError("weights and random go together")
    if weights is None:
        return rule
    if hasattr(random, "random"):
        random = random.random(len(ids))
    arrays = [_doubles("weights", weights), _doubles("random", random)]
    if len(arrays[1]) != len(ids):
        raise ValueError(f"random must have one number for each trial, {len(ids)}, and not {len(arrays[1])}")
    rule.weights, rule.randoms = (address(array) for array in arrays)
    rule.weight_count, rule.random_count = (len(array) for array in arrays)
    rule.keep_heights = arrays  # radii are in `keep`
    return rule


def _doubles(name: str, given: Any) -> npt.NDArray[np.float64]:
    array = np.ascontiguousarray(numbers(name, given, None), np.float64)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one axis, and not the shape {array.shape}")
    wrong = ~(array >= 0) | np.isinf(array)
    if wrong.any():
        raise ValueError(f"element {int(wrong.argmax())} of {name} is negative or not finite")
    return array
