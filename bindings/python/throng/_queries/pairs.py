"""All pairs of agents that overlap, or are near each other."""

from __future__ import annotations

import ctypes
from typing import Optional

from .. import _structs
from .._arrays import UP, number
from .._errors import call
from .._library import initialised, library
from .._memory import PAIRS
from .._results import Ids, Pairs
from . import asked
from .filter import mask


class PairQueries(asked.Asked):
    """Each pair is found once."""

    __slots__ = ()

    def pairs(
        self,
        *,
        within: float = 0,
        a: Optional[int] = None,
        b: Optional[int] = None,
        other_groups_only: bool = False,
        sort: bool = False,
        out: Optional[Pairs] = None,
    ) -> Ids:
        """All pairs of agents whose boxes are at most `within` apart, as (m, 2) ids; at 0 they overlap.

        One agent has one of the categories `a`, and the other one of `b`. With other_groups_only, no two are
        of one group. With `sort`, the lower id comes first in each pair, and the pairs are sorted.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (3, 0)], radius=0.5)
        >>> engine.frame.pairs()
        array([[0, 1]], dtype=int32)
        >>> i, j = engine.frame.pairs(within=1, sort=True).T
        >>> i, j
        (array([0, 1], dtype=int32), array([1, 2], dtype=int32))
        """
        query = _query(within, a, b, other_groups_only)
        pairs = asked.result(Pairs, out)

        def ask(into: object) -> None:
            call(library.throng_frame_pairs, self._handle, query, into)
            if sort:
                call(library.throng_pairs_sort, into)

        pairs._fill(PAIRS, ask)
        return pairs.ids

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
        call(
            library.throng_frame_count_pairs,
            self._handle,
            _query(within, a, b, other_groups_only),
            ctypes.byref(total),
        )
        return total.value


def _query(within: float, a: Optional[int], b: Optional[int], other_groups_only: bool) -> _structs.PairQuery:
    query = initialised(_structs.PairQuery)
    query.within = number("within", within, UP)
    query.a, query.b = mask("a", a), mask("b", b)
    query.other_groups_only = other_groups_only
    return query
