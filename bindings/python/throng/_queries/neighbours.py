"""Agents within a radius of agents or points, and the nearest ones."""

from __future__ import annotations

import ctypes
import operator
from typing import Any, Optional, overload

import numpy as np

from .. import _arguments, _singles
from .._arrays import address, AgentsAs, Copy, Numbers, Rows
from .._ids import checked
from .._native import kinds, structs
from .._native.codes import Argument, Code
from .._native.errors import BadValue, ask, call
from .._native.library import initialised, library
from .._native.memory import NEIGHBOURS
from .._results import Counts, Lists, Nearest, table_of
from .._shapes import what_agents_are
from . import asked
from .filter import Filter, is_of_batch


class Neighbours(asked.Asked):
    """Distances are to the centres of agents. With `agents_as="boxes"` they are to their boxes, and with "circles"
    to the largest circles in the boxes.

    Without points, the lists are those of all agents: list i is that of id i, and no agent is in its own
    unless `with_self`.
    """

    __slots__ = ()

    @overload
    def neighbours(
        self,
        points: None = None,
        *,
        radius: Numbers,
        agents_as: AgentsAs = ...,
        either_reaches: bool = ...,
        half: bool = ...,
        with_self: bool = ...,
        distances: bool = ...,
        in_row_order: bool = ...,
        sort: bool = ...,
        filter: Optional[Filter] = ...,
        dtype: Any = ...,
        out: Optional[Lists] = ...,
        copy: Copy = ...,
    ) -> Lists:
        ...

    @overload
    def neighbours(
        self,
        points: Rows,
        *,
        radius: Numbers,
        agents_as: AgentsAs = ...,
        either_reaches: bool = ...,
        half: bool = ...,
        with_self: bool = ...,
        distances: bool = ...,
        in_row_order: bool = ...,
        sort: bool = ...,
        filter: Optional[Filter] = ...,
        dtype: Any = ...,
        out: Any = ...,
        copy: Copy = ...,
    ) -> Any:
        ...

    def neighbours(
        self,
        points: Optional[Rows] = None,
        *,
        radius: Numbers,
        agents_as: AgentsAs = "centres",
        either_reaches: bool = False,
        half: bool = False,
        with_self: bool = False,
        distances: bool = False,
        in_row_order: bool = False,
        sort: bool = False,
        filter: Optional[Filter] = None,
        dtype: Any = None,
        out: Any = None,
        copy: Copy = None,
    ) -> Any:
        """All agents within a radius of each point, or of the centre of each agent.

        `radius` is for all, or an array with one for each. With either_reaches, two are in each other's lists
        if either radius reaches the other. `half` finds each pair once, in the list of the lower id.
        `in_row_order` gives the lists in the frame's order of agents, which is the fastest; `agents` of the
        result tells which agent each list belongs to. With `sort`, the ids of each list ascend; otherwise
        their order follows from the engine's history.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (3, 0)])
        >>> near = engine.frame.neighbours(radius=2)
        >>> near[1]
        array([0, 2])
        >>> engine.frame.neighbours((3, 1), radius=1.5)
        array([2])
        """
        self._place.check(radius, "the radius that is asked for")
        wanted = _within(radius, agents_as, copy, with_self, either_reaches, half, distances, in_row_order)
        point = self._single(points, filter)
        if point is not None and out is None and not self._with_static:
            found, _ = self._into(library.throng_frame_neighbours_within_into, point, wanted, filter, 64)
            ids = found.astype(checked(dtype))
            return np.sort(ids) if sort else ids
        return self._ask("neighbours_within", points, wanted, filter, dtype, out, copy, sort=sort)

    def count_neighbours(
        self,
        points: Optional[Rows] = None,
        *,
        radius: Numbers,
        agents_as: AgentsAs = "centres",
        either_reaches: bool = False,
        with_self: bool = False,
        filter: Optional[Filter] = None,
        out: Optional[Counts] = None,
        copy: Copy = None,
    ) -> Any:
        """How many agents are within a radius of each point, or of each agent. `out` may be an int32 array.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (3, 0)])
        >>> engine.frame.count_neighbours(radius=2)
        array([1, 2, 1], dtype=int32)
        >>> engine.frame.count_neighbours((3, 1), radius=1.5)
        1
        """
        self._place.check(radius, "the radius that is asked for")
        wanted = _within(radius, agents_as, copy, with_self, either_reaches)
        point = self._single(points, filter)
        if point is not None and out is None and not self._with_static:
            total = ctypes.c_uint64()
            function: Any = library.throng_frame_neighbours_within_into
            ask(function, self._handle, *point, wanted, self._filter(filter), None, 0, total)
            return total.value
        if points is None:
            function = library.throng_frame_count_neighbours
            asks: tuple[Any, ...] = (wanted, self._filter(filter))
            self._check_bound()
            count, is_one = library.throng_frame_id_bound(self._handle), False
        else:
            struct = _arguments.points(points, copy, self._place)
            function = library.throng_frame_count_neighbours_of
            asks = (struct, wanted, self._filter(filter))
            count, is_one = struct.count, struct.is_one
        counts = asked.array(out, count, np.int32)
        if points is None and out is None:
            counts[:] = 0  # ids that no agent has
        call(function, self._handle, *asks, address(counts), len(counts))
        return int(counts[0]) if is_one else counts

    def nearest_lists(
        self,
        points: Optional[Rows] = None,
        k: int = 1,
        *,
        radius: Optional[Numbers] = None,
        agents_as: AgentsAs = "centres",
        with_self: bool = False,
        distances: bool = False,
        in_row_order: bool = False,
        filter: Optional[Filter] = None,
        dtype: Any = None,
        out: Any = None,
        copy: Copy = None,
    ) -> Any:
        """As `nearest`, but as lists, which may be shorter than k. A single point gets a list as well."""
        self._place.check(radius, "the radius that is asked for")
        wanted = _nearest(k, radius, agents_as, with_self, copy)
        wanted.distances, wanted.in_row_order = bool(distances), bool(in_row_order)
        return self._ask("neighbours_nearest", points, wanted, filter, dtype, out, copy, one_allowed=False)

    def _single(self, points: Any, filter: Optional[Filter]) -> Optional[tuple[float, float]]:
        """A point by itself; None for others, or for a filter of a batch."""
        if points is None or filter is not None and is_of_batch(filter):
            return None
        return _singles.point(points, self._place)

    def _into(
        self,
        function: Any,
        point: tuple[float, float],
        wanted: kinds.Options,
        filter: Optional[Filter],
        room: int,
    ) -> tuple[Any, Any]:
        """The neighbours of one point: ids and squared distances. If they are more than there is room for, it
        asks again."""
        total = ctypes.c_uint64()
        while True:
            found = np.empty((room, 2), np.int32)  # as throng_neighbour
            ask(function, self._handle, *point, wanted, self._filter(filter), address(found), room, total)
            if total.value <= room:
                return found[: total.value, 0], found.view(np.float32)[: total.value, 1]
            room = total.value

    def _ask(
        self,
        name: str,
        points: Any,
        wanted: kinds.Options,
        filter: Optional[Filter],
        dtype: Any,
        out: Any,
        copy: Copy,
        one_allowed: bool = True,
        sort: bool = False,
    ) -> Any:
        if points is None:
            if not wanted.in_row_order:
                self._check_bound()
            return self._lists(NEIGHBOURS, name, wanted, filter=filter, out=out, dtype=dtype, sort=sort)
        struct = _arguments.points(points, copy, self._place)
        is_one = struct.is_one and one_allowed
        name += "_of"
        return self._lists(
            NEIGHBOURS, name, struct, wanted, filter=filter, out=out, dtype=dtype, is_one=is_one, sort=sort
        )

    def _check_bound(self, what: str = "lists and counts by id", or_else: str = "ask with in_row_order, or around points") -> None:
        """Refuses what has a place for each id if nearly all would be of unused ids."""
        if self._ids_are_far_apart():
            bound = library.throng_frame_id_bound(self._handle)
            raise BadValue(
                f"{what} have a place for each id below id_bound, which is {bound:,}: give ids that are small, or {or_else}",
                Code.TOO_MANY,
                Argument.IDS,
            )

    def _ids_are_far_apart(self) -> bool:
        bound = library.throng_frame_id_bound(self._handle)
        return bool(bound > _many_ids and bound > _ids_an_agent * library.throng_frame_size(self._handle))


class OfAgents(Neighbours):
    """Queries that find only agents, and no elements of a static layer."""

    __slots__ = ()

    def nearest(
        self,
        points: Optional[Rows] = None,
        k: int = 1,
        *,
        radius: Optional[Numbers] = None,
        agents_as: AgentsAs = "centres",
        with_self: bool = False,
        filter: Optional[Filter] = None,
        dtype: Any = None,
        out: Optional[Lists] = None,
        copy: Copy = None,
    ) -> Nearest:
        """The k nearest agents of each point or agent, as two arrays of k columns: ids and distances.

        If fewer are within the radius, -1 and infinity stand for the rest. At equal distances the lowest id
        comes first. k is 64 at most. `radius` may be an array with one for each.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (3, 0)])
        >>> engine.frame.nearest(k=1).ids.T
        array([[1, 0, 1]])
        >>> ids, distances = engine.frame.nearest((5, 0), k=2)
        >>> ids, distances
        (array([2, 1]), array([2., 4.], dtype=float32))
        """
        self._place.check(radius, "the radius that is asked for")
        wanted = _nearest(k, radius, agents_as, with_self, copy)
        wanted.distances = True
        point = self._single(points, filter)
        if point is not None and out is None:
            near, squared = self._into(library.throng_frame_neighbours_nearest_into, point, wanted, filter, k)
            table = Nearest(np.full(k, -1, checked(dtype)), np.full(k, np.inf, np.float32))
            table.ids[: len(near)], table.distances[: len(near)] = near, np.sqrt(squared)
            return table
        struct = None if points is None else _arguments.points(points, copy, self._place)
        if struct is None:
            self._check_bound()
        asks: list[Any] = [wanted]
        name = "neighbours_nearest"
        if struct is not None:
            asks, name = [struct, wanted], name + "_of"
        lists = self._lists(NEIGHBOURS, name, *asks, filter=filter, out=out, dtype=dtype)
        found = table_of(lists, k, out is None)
        is_one = struct is not None and struct.is_one
        return Nearest(found.ids[0], found.distances[0]) if is_one else found

    def neighbours_in(
        self,
        others: OfAgents,
        *,
        radius: Numbers,
        agents_as: AgentsAs = "centres",
        distances: bool = False,
        in_row_order: bool = False,
        sort: bool = False,
        filter: Optional[Filter] = None,
        dtype: Any = None,
        out: Optional[Lists] = None,
        copy: Copy = None,
    ) -> Lists:
        """For each agent, all agents of another frame within a radius; with `sort`, in ascending order.

        >>> import throng
        >>> people, exits = throng.Engine(), throng.Engine()
        >>> people.update([(0, 0), (5, 0)])
        >>> exits.update([(4, 0), (6, 0)])
        >>> people.frame.neighbours_in(exits.frame, radius=1)[1]
        array([0, 1])
        """
        self._place.check(radius, "the radius that is asked for")
        wanted = _within(radius, agents_as, copy, distances=distances, in_row_order=in_row_order)
        return self._in("neighbours_within_in", others, wanted, filter, dtype, out, sort)

    def nearest_in(
        self,
        others: OfAgents,
        k: int = 1,
        *,
        radius: Optional[Numbers] = None,
        agents_as: AgentsAs = "centres",
        filter: Optional[Filter] = None,
        dtype: Any = None,
        out: Optional[Lists] = None,
        copy: Copy = None,
    ) -> Nearest:
        """For each agent, the k nearest agents of another frame, as in `nearest`."""
        self._place.check(radius, "the radius that is asked for")
        wanted = _nearest(k, radius, agents_as, False, copy)
        wanted.distances = True
        lists = self._in("neighbours_nearest_in", others, wanted, filter, dtype, out)
        return table_of(lists, k, out is None)

    def _in(
        self,
        name: str,
        others: Any,
        wanted: Any,
        filter: Optional[Filter],
        dtype: Any,
        out: Optional[Lists],
        sort: bool = False,
    ) -> Lists:
        if not isinstance(others, OfAgents):
            raise TypeError(f"others must be a throng.Frame, and not {type(others).__name__}")
        if not wanted.in_row_order:
            self._check_bound()
        asks = (others._at(self._place), wanted)
        lists: Lists = self._lists(NEIGHBOURS, name, *asks, filter=filter, out=out, dtype=dtype, sort=sort)
        lists._columns = library.throng_frame_id_bound(others._handle)
        return lists._told(self._place.period, False)


# Answers with a place for each id refuse ids that are spread like that.
_many_ids, _ids_an_agent = 1 << 24, 64
_most_nearest = 64
# The last ones with one radius for all. The library only reads them, so threads may share them.
_withins: dict[Any, structs.Within] = {}
_most_withins = 64


def _within(
    radius: Any,
    agents_as: str,
    copy: Copy,
    with_self: bool = False,
    either_reaches: bool = False,
    half: bool = False,
    distances: bool = False,
    in_row_order: bool = False,
) -> structs.Within:
    is_one = type(radius) is float or type(radius) is int
    kind = what_agents_are(agents_as)
    flags = bool(with_self), bool(either_reaches), bool(half), bool(distances), bool(in_row_order)
    if is_one:
        key = (radius, kind, flags)
        kept = _withins.get(key)
        if kept is not None:
            return kept
    wanted = initialised(structs.Within)
    _arguments.radii(wanted, "radius", "", radius, copy)
    wanted.agents_as = kind
    wanted.with_self, wanted.either_reaches, wanted.half, wanted.distances, wanted.in_row_order = flags
    if is_one:
        if len(_withins) >= _most_withins:
            _withins.clear()
        _withins[key] = wanted
    return wanted


def _nearest(k: int, radius: Any, agents_as: str, with_self: bool, copy: Copy) -> structs.Nearest:
    wanted = initialised(structs.Nearest)
    number = operator.index(k)
    if not 1 <= number <= _most_nearest:
        text = f"k must be from 1 to {_most_nearest}, and not {number}"
        raise BadValue(text, Code.BAD_CONFIG, Argument.COUNT)
    wanted.count = number
    if radius is not None:
        _arguments.radii(wanted, "radius", "max_", radius, copy)
    wanted.agents_as, wanted.with_self = what_agents_are(agents_as), bool(with_self)
    return wanted
