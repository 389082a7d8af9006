"""Agents within a radius of agents or points, and the nearest ones."""

from __future__ import annotations

import operator
from typing import Any, Optional, overload

from .. import _arguments, _library, _structs
from .._arrays import Copy
from .._errors import call
from .._library import initialised, library
from .._memory import NEIGHBOURS
from .._results import Lists, Nearest, table_of
from . import asked
from .filter import Filter, filter_struct, mask

_agents_as = {"boxes": _library.AGENTS_AS_BOXES, "centres": _library.AGENTS_AS_CENTRES}


class Neighbours(asked.Asked):
    """Distances are those to the centres of agents, or with agents_as="boxes" to their boxes.

    Without points, the lists are those of all agents: list i is that of id i, and no agent is in its own
    unless `with_self`.
    """

    __slots__ = ()

    @overload
    def neighbours(
        self,
        points: None = None,
        *,
        radius: Any,
        agents_as: str = ...,
        either_reaches: bool = ...,
        half: bool = ...,
        with_self: bool = ...,
        distances: bool = ...,
        in_row_order: bool = ...,
        filter: Optional[Filter] = ...,
        out: Optional[Lists] = ...,
        copy: Copy = ...,
    ) -> Lists:
        ...

    @overload
    def neighbours(
        self,
        points: Any,
        *,
        radius: Any,
        agents_as: str = ...,
        either_reaches: bool = ...,
        half: bool = ...,
        with_self: bool = ...,
        distances: bool = ...,
        in_row_order: bool = ...,
        filter: Optional[Filter] = ...,
        out: Optional[Lists] = ...,
        copy: Copy = ...,
    ) -> Any:
        ...

    def neighbours(
        self,
        points: Any = None,
        *,
        radius: Any,
        agents_as: str = "centres",
        either_reaches: bool = False,
        half: bool = False,
        with_self: bool = False,
        distances: bool = False,
        in_row_order: bool = False,
        filter: Optional[Filter] = None,
        out: Optional[Lists] = None,
        copy: Copy = None,
    ) -> Any:
        """All agents within a radius of each point, or of the centre of each agent.

        `radius` is for all, or an array with one for each; with either_reaches, two are in each other's lists
        if either radius reaches the other. `half` finds each pair once, in the list of the lower id.
        `in_row_order` gives the lists in the order in which the frame has the agents, which costs least:
        `agents` of the result says whose each is.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (3, 0)])
        >>> near = engine.frame.neighbours(radius=2)
        >>> near[1]
        array([0, 2], dtype=int32)
        >>> engine.frame.neighbours((3, 1), radius=1.5)
        array([2], dtype=int32)
        """
        wanted = initialised(_structs.Within)
        _arguments.radii(wanted, "radius", "", radius, copy)
        wanted.agents_as = _as(agents_as)
        wanted.either_reaches, wanted.half = either_reaches, half
        wanted.with_self, wanted.distances, wanted.in_row_order = with_self, distances, in_row_order
        lists, is_one = self._neighbours("within", points, wanted, filter, out, copy)
        return lists[0] if is_one and out is None else lists

    def nearest(
        self,
        points: Any = None,
        k: int = 1,
        *,
        radius: Any = None,
        agents_as: str = "centres",
        with_self: bool = False,
        filter: Optional[Filter] = None,
        out: Optional[Lists] = None,
        copy: Copy = None,
    ) -> Nearest:
        """The k nearest agents of each point or agent, as two arrays of k columns: ids and distances.

        Where there are fewer within the radius, -1 and infinity stand for the rest. Of equal distances the
        lowest id comes first. k is 64 at most. `radius` may be an array with one for each.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (3, 0)])
        >>> engine.frame.nearest(k=1).ids.T
        array([[1, 0, 1]], dtype=int32)
        >>> ids, distances = engine.frame.nearest((5, 0), k=2)
        >>> ids, distances
        (array([2, 1], dtype=int32), array([2., 4.], dtype=float32))
        """
        wanted = _nearest(k, radius, agents_as, with_self, copy)
        wanted.distances = True
        lists, is_one = self._neighbours("nearest", points, wanted, filter, out, copy)
        found = table_of(lists, k)
        return Nearest(found.ids[0], found.distances[0]) if is_one else found

    def nearest_lists(
        self,
        points: Any = None,
        k: int = 1,
        *,
        radius: Any = None,
        agents_as: str = "centres",
        with_self: bool = False,
        distances: bool = False,
        in_row_order: bool = False,
        filter: Optional[Filter] = None,
        out: Optional[Lists] = None,
        copy: Copy = None,
    ) -> Lists:
        """The same as lists, which have no places for what is not there."""
        wanted = _nearest(k, radius, agents_as, with_self, copy)
        wanted.distances, wanted.in_row_order = distances, in_row_order
        return self._neighbours("nearest", points, wanted, filter, out, copy)[0]

    def _neighbours(
        self,
        name: str,
        points: Any,
        wanted: _structs.Options,
        filter: Optional[Filter],
        out: Optional[Lists],
        copy: Copy,
    ) -> tuple[Lists, bool]:
        struct = None if points is None else _arguments.points(points, copy)
        function = getattr(library, f"throng_frame_{name}" if struct is None else f"throng_frame_{name}_of")
        asks = (
            (self._handle, wanted, filter_struct(filter))
            if struct is None
            else (self._handle, struct, wanted, filter_struct(filter))
        )
        lists = asked.result(Lists, out)
        lists._fill(NEIGHBOURS, lambda into: call(function, *asks, into))
        lists._columns = library.throng_frame_id_bound(self._handle)
        return lists, struct is not None and struct.is_one


def _nearest(k: int, radius: Any, agents_as: str, with_self: bool, copy: Copy) -> _structs.Nearest:
    wanted = initialised(_structs.Nearest)
    wanted.count = mask("k", operator.index(k))
    if radius is not None:
        _arguments.radii(wanted, "radius", "max_", radius, copy)
    wanted.agents_as = _as(agents_as)
    wanted.with_self = with_self
    return wanted


def _as(name: str) -> int:
    try:
        return _agents_as[name]
    except KeyError:
        raise ValueError(f"agents_as must be 'centres' or 'boxes', and not {name!r}") from None
