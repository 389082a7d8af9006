"""All pairs of agents that overlap or are near each other, and which pairs are new."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, NamedTuple, Optional

import numpy as np

from .._arrays import UP, AgentsAs, number
from .._ids import INTP, Ids, as_type, checked
from .._native import handles, structs
from .._native.errors import call
from .._native.library import initialised, library
from .._native.memory import PAIR_CHANGES, PAIRS, Filling
from .._origin import Place
from .._results import Pairs
from .._shapes import what_agents_are
from . import asked
from .filter import mask


class Changes(NamedTuple):
    """Pairs that began, and pairs that ended: two ids a row, the lower one first, sorted."""

    began: Ids
    ended: Ids


class PairChanges:
    """Remembers the pairs of the last frame: give it to `Frame.pair_changes` in each step."""

    __slots__ = ("_filling", "_lock", "_before", "__weakref__")

    def __init__(self) -> None:
        self._filling = Filling(PAIR_CHANGES, handles.create(PAIR_CHANGES.create, PAIR_CHANGES.destroy))
        self._lock = threading.Lock()
        # The pairs of that frame, in a copy by pickle: the library learns them with the next frame.
        self._before: Optional[Ids] = None

    @property
    def pairs(self) -> Ids:
        """A copy of all pairs of that frame."""
        with self._lock:
            return self._copy("pairs") if self._before is None else self._before.copy()

    def clear(self) -> None:
        """Forgets the frame."""
        with self._lock:
            self._before = None
            library.throng_pair_changes_clear(self._filling.handle)

    def __reduce__(self) -> Any:
        return _changes_of, (self.pairs,)

    def _copy(self, name: str, dtype: Any = INTP) -> Ids:
        # The next call fills its memory again, even if arrays still look into it.
        found = self._filling.array(PAIR_CHANGES.getter(name), "<i4", 2)
        return found.copy() if dtype == found.dtype else as_type(found, dtype)


def _changes_of(pairs: Ids) -> PairChanges:
    changes = PairChanges()
    pairs = np.sort(pairs, axis=1)
    changes._before = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    return changes


def _without(pairs: Ids, others: Ids) -> Ids:
    """Sorted pairs that are not among the others."""
    keys, without = ((each.astype(np.int64) * (1 << 32))[:, 0] + each[:, 1] for each in (pairs, others))
    return pairs[np.isin(keys, without, invert=True)]


class PairQueries(asked.Asked):
    """Each pair is found once.

    One agent of a pair has one of the categories `a`, and the other one of `b`. With other_groups_only, no
    two are of one group.
    """

    __slots__ = ()

    def pairs(
        self,
        *,
        within: float = 0,
        agents_as: AgentsAs = "boxes",
        a: Optional[int] = None,
        b: Optional[int] = None,
        other_groups_only: bool = False,
        sort: bool = False,
        dtype: Any = None,
        out: Optional[Pairs] = None,
    ) -> Ids:
        """All pairs of agents whose boxes are at most `within` apart, as (m, 2) ids; at 0 they overlap.

        `update(centres, radius=)` makes squares. With agents_as="circles" the distance is between the discs
        in them, and with "centres" between their centres, as in `neighbours`. With `sort`, the lower id comes
        first in each pair, and the pairs are sorted. Ids are np.intp, or with dtype=np.int32 as in memory.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (3, 0)], radius=0.5)
        >>> engine.frame.pairs()
        array([[0, 1]])
        >>> i, j = engine.frame.pairs(within=1, sort=True).T
        >>> i, j
        (array([0, 1]), array([1, 2]))
        >>> engine.update([(0, 0), (0.9, 0.9)], radius=0.5)  # the corners of the squares overlap
        >>> engine.frame.count_pairs(), engine.frame.count_pairs(agents_as="circles")
        (1, 0)
        """
        self._place.check(within, "the distance that is asked for")
        query = _query(within, agents_as, a, b, other_groups_only)
        return self._filled(out, dtype, sort, "pairs", query)

    def count_pairs(
        self,
        *,
        within: float = 0,
        agents_as: AgentsAs = "boxes",
        a: Optional[int] = None,
        b: Optional[int] = None,
        other_groups_only: bool = False,
    ) -> int:
        """How many pairs `pairs` would find."""
        total = ctypes.c_uint64()
        self._place.check(within, "the distance that is asked for")
        query = _query(within, agents_as, a, b, other_groups_only)
        call(library.throng_frame_count_pairs, self._handle, query, ctypes.byref(total))
        return total.value

    def pairs_with(
        self,
        other: PairQueries,
        *,
        within: float = 0,
        agents_as: AgentsAs = "boxes",
        a: Optional[int] = None,
        b: Optional[int] = None,
        other_groups_only: bool = False,
        dtype: Any = None,
        out: Optional[Pairs] = None,
    ) -> Ids:
        """Every pair of an agent of this frame and an agent of another one, such as its static layer.

        >>> import throng
        >>> people, cars = throng.Engine(), throng.Engine()
        >>> people.update([(0, 0), (5, 0)], radius=0.5)
        >>> cars.update([(4, 0)], radius=1)
        >>> people.frame.pairs_with(cars.frame)
        array([[1, 0]])
        """
        self._place.check(within, "the distance that is asked for")
        query = _query(within, agents_as, a, b, other_groups_only)
        return self._filled(out, dtype, False, "pairs_with", _frame(other, self._place), query)

    def count_pairs_with(
        self,
        other: PairQueries,
        *,
        within: float = 0,
        agents_as: AgentsAs = "boxes",
        a: Optional[int] = None,
        b: Optional[int] = None,
        other_groups_only: bool = False,
    ) -> int:
        """How many pairs `pairs_with` would find."""
        total = ctypes.c_uint64()
        self._place.check(within, "the distance that is asked for")
        query = _query(within, agents_as, a, b, other_groups_only)
        function = library.throng_frame_count_pairs_with
        call(function, self._handle, _frame(other, self._place), query, ctypes.byref(total))
        return total.value

    def pair_changes(
        self,
        changes: PairChanges,
        *,
        within: float = 0,
        agents_as: AgentsAs = "boxes",
        a: Optional[int] = None,
        b: Optional[int] = None,
        other_groups_only: bool = False,
        dtype: Any = None,
    ) -> Changes:
        """Which pairs began and which ended since the last frame of `changes`.

        >>> import throng
        >>> engine, changes = throng.Engine(), throng.PairChanges()
        >>> for x in (0, 5):
        ...     engine.update([(x, 0), (0, 0), (5, 0)], radius=0.5)
        ...     began, ended = engine.frame.pair_changes(changes)
        >>> began, ended
        (array([[0, 2]]), array([[0, 1]]))
        """
        self._place.check(within, "the distance that is asked for")
        query, its_type = _query(within, agents_as, a, b, other_groups_only), checked(dtype)
        with changes._lock:
            call(library.throng_frame_pair_changes, self._handle, query, changes._filling.handle)
            began, ended = changes._copy("began", its_type), changes._copy("ended", its_type)
            before, changes._before = changes._before, None
        if before is None:
            return Changes(began, ended)
        # For the library all of them began.
        return Changes(_without(began, before), as_type(_without(before, began), its_type))

    def _filled(self, out: Optional[Pairs], dtype: Any, sort: bool, name: str, *asks: Any) -> Ids:
        pairs, function = asked.result(Pairs, out, dtype), getattr(library, f"throng_frame_{name}")

        def ask(into: object) -> None:
            call(function, self._handle, *asks, into)
            if sort:
                call(library.throng_pairs_sort, into)

        pairs._fill(PAIRS, ask, (lambda: self._like(name, *asks)) if out is None else None)
        pairs._period, pairs._are_of_agents = self._place.period, name == "pairs"
        return as_type(pairs._narrow(), pairs._dtype) if out is None else pairs.ids


def _frame(other: Any, place: Place) -> Any:
    if not isinstance(other, PairQueries):
        raise TypeError(f"the other must be a throng.Frame, and not {type(other).__name__}")
    return other._at(place)


def _query(
    within: float, agents_as: AgentsAs, a: Optional[int], b: Optional[int], other_groups_only: bool
) -> Optional[structs.PairQuery]:
    is_plain = type(within) is int and within == 0 and agents_as == "boxes"
    if is_plain and a is None and b is None and not other_groups_only:
        return None  # all that overlap
    query = initialised(structs.PairQuery)
    query.within, query.agents_as = number("within", within, UP), what_agents_are(agents_as)
    query.a, query.b = mask("a", a), mask("b", b)
    query.other_groups_only = bool(other_groups_only)
    return query
