"""All pairs of agents that overlap, or are near each other; and which of them are new."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, NamedTuple, Optional

from .._arrays import UP, number
from .._ids import INTP, Ids, as_type, checked
from .._native import handles, structs
from .._native.errors import call
from .._native.library import initialised, library
from .._native.memory import PAIR_CHANGES, PAIRS, Filling
from .._results import Pairs
from . import asked
from .filter import mask


class Changes(NamedTuple):
    """Pairs that began, and pairs that ended: two ids a row, the lower one first, sorted."""

    began: Ids
    ended: Ids


class PairChanges:
    """Remembers the pairs of the frame that it saw last: give it to `Frame.pair_changes` in each step."""

    __slots__ = ("_filling", "_lock")

    def __init__(self) -> None:
        self._filling = Filling(PAIR_CHANGES, handles.create(PAIR_CHANGES.create, PAIR_CHANGES.destroy))
        self._lock = threading.Lock()

    @property
    def pairs(self) -> Ids:
        """A copy of all pairs of that frame."""
        with self._lock:
            return self._copy("pairs")

    def clear(self) -> None:
        """Forgets the frame."""
        with self._lock:
            library.throng_pair_changes_clear(self._filling.handle)

    def _copy(self, name: str, dtype: Any = INTP) -> Ids:
        # Its memory is filled again by the next call, whatever still looks into it.
        found = self._filling.array(PAIR_CHANGES.getter(name), "<i4", 2)
        return found.copy() if dtype == found.dtype else as_type(found, dtype)


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
        a: Optional[int] = None,
        b: Optional[int] = None,
        other_groups_only: bool = False,
        sort: bool = False,
        dtype: Any = None,
        out: Optional[Pairs] = None,
    ) -> Ids:
        """All pairs of agents whose boxes are at most `within` apart, as (m, 2) ids; at 0 they overlap.

        With `sort`, the lower id comes first in each pair, and the pairs are sorted. Ids are np.intp, or with
        dtype=np.int32 what lies in memory.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (3, 0)], radius=0.5)
        >>> engine.frame.pairs()
        array([[0, 1]])
        >>> i, j = engine.frame.pairs(within=1, sort=True).T
        >>> i, j
        (array([0, 1]), array([1, 2]))
        """
        query = _query(within, a, b, other_groups_only)
        return self._filled(out, dtype, sort, "pairs", query)

    def count_pairs(
        self,
        *,
        within: float = 0,
        a: Optional[int] = None,
        b: Optional[int] = None,
        other_groups_only: bool = False,
    ) -> int:
        """How many pairs `pairs` would find."""
        total = ctypes.c_uint64()
        query = _query(within, a, b, other_groups_only)
        call(library.throng_frame_count_pairs, self._handle, query, ctypes.byref(total))
        return total.value

    def pairs_with(
        self,
        other: PairQueries,
        *,
        within: float = 0,
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
        query = _query(within, a, b, other_groups_only)
        return self._filled(out, dtype, False, "pairs_with", _frame(other), query)

    def count_pairs_with(
        self,
        other: PairQueries,
        *,
        within: float = 0,
        a: Optional[int] = None,
        b: Optional[int] = None,
        other_groups_only: bool = False,
    ) -> int:
        """How many pairs `pairs_with` would find."""
        total = ctypes.c_uint64()
        query = _query(within, a, b, other_groups_only)
        function = library.throng_frame_count_pairs_with
        call(function, self._handle, _frame(other), query, ctypes.byref(total))
        return total.value

    def pair_changes(
        self,
        changes: PairChanges,
        *,
        within: float = 0,
        a: Optional[int] = None,
        b: Optional[int] = None,
        other_groups_only: bool = False,
        dtype: Any = None,
    ) -> Changes:
        """Which pairs began and which ended since the frame that `changes` saw last.

        >>> import throng
        >>> engine, changes = throng.Engine(), throng.PairChanges()
        >>> for x in (0, 5):
        ...     engine.update([(x, 0), (0, 0), (5, 0)], radius=0.5)
        ...     began, ended = engine.frame.pair_changes(changes)
        >>> began, ended
        (array([[0, 2]]), array([[0, 1]]))
        """
        query, its_type = _query(within, a, b, other_groups_only), checked(dtype)
        with changes._lock:
            call(library.throng_frame_pair_changes, self._handle, query, changes._filling.handle)
            return Changes(changes._copy("began", its_type), changes._copy("ended", its_type))

    def _filled(self, out: Optional[Pairs], dtype: Any, sort: bool, name: str, *asks: Any) -> Ids:
        pairs, function = asked.result(Pairs, out, dtype), getattr(library, f"throng_frame_{name}")

        def ask(into: object) -> None:
            call(function, self._handle, *asks, into)
            if sort:
                call(library.throng_pairs_sort, into)

        pairs._fill(PAIRS, ask, self._like(name, *asks) if out is None else None)
        return as_type(pairs._narrow(), pairs._dtype, self._handle) if out is None else pairs.ids


def _frame(other: Any) -> Any:
    if not isinstance(other, PairQueries):
        raise TypeError(f"the other must be a throng.Frame, and not {type(other).__name__}")
    return other._handle


def _query(
    within: float, a: Optional[int], b: Optional[int], other_groups_only: bool
) -> Optional[structs.PairQuery]:
    if type(within) is int and within == 0 and a is None and b is None and not other_groups_only:
        return None  # all that overlap
    query = initialised(structs.PairQuery)
    query.within = number("within", within, UP)
    query.a, query.b = mask("a", a), mask("b", b)
    query.other_groups_only = bool(other_groups_only)
    return query
