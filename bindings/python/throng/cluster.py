"""More agents than one machine holds: rows over MPI, for mpi4py communicators.

Every rank of the communicator makes the same calls in the same order. Only pairs and neighbours within a
radius are calls of each rank alone, unless agents stay. A refusal on one rank is raised on all.
docs/cluster.md of the project explains it.

    from mpi4py import MPI
    import throng.cluster
    cluster = throng.cluster.Cluster(MPI.COMM_WORLD, reach=2)
    cluster.update(ids, boxes)          # what this rank happens to hold: (n,) and (n, 4) or centres and a radius
    mine = cluster.owned()              # from now on this rank moves these
    touching = cluster.pairs()          # each pair of the cluster on one rank

THRONG_CLUSTER_LIBRARY in the environment names libthrong_cluster_c.so, which no wheel has: build it with MPI and Zoltan. All
of this package then runs on that library. Returned arrays are copies, except those of `Cluster.in_place` and of
`owned(copy=False)`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from typing import Any, Callable, Iterator, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _arguments
from . import _cluster_arrays as _given
from ._arguments import Shapes
from ._arrays import AgentsAs, Halves, Heights, Integers, Numbers, Rows
from ._cluster_arrays import (
    HIT,
    PAIR,
    RANK_REPORT,
    Agents,
    ClusterBadValue,
    ClusterError,
    ClusterOutOfMemory,
    Communicator,
    Lists,
)
from ._engine.static_layer import StaticLayer
from ._frame import Frame, frame_of
from ._native import cluster_library as native
from ._native import structs
from ._native.codes import Code
from ._native.handles import Handle
from ._native.kinds import ALL
from ._native.library import initialised
from ._origin import Place, given_period
from ._queries.casts import cast_heights, cast_rows
from ._queries.filter import Filter, filter_struct, with_cast_heights

__all__ = ["HIT", "PAIR", "RANK_REPORT", "Agents", "Cluster", "ClusterBadValue", "ClusterError", "ClusterOutOfMemory", "Lists"]

_library = native.load()


def _check(status: native.Status) -> None:
    if status.trouble == 0:
        return
    text = ctypes.create_string_buffer(512)
    _library.throng_cluster_describe(ctypes.byref(status), text, ctypes.c_uint64(512))
    kind = ClusterError
    if status.trouble == 1:
        kind = ClusterOutOfMemory if status.code == Code.OUT_OF_MEMORY else ClusterBadValue
    raise kind(text.value.decode(), status)


class Cluster:
    """The agents of all ranks of a communicator. `payload` is the NumPy type of the data that travels with
    each agent, and `ghost_payload` the type of the first part of it, which ghosts have too. `threads` is how many
    threads a rank takes: None for all, which suits one rank a machine. With a `period`, for both directions or
    as (x, y), the world wraps around."""

    def __init__(
        self,
        communicator: Communicator,
        *,
        reach: float = 0,
        radius: float = 0,
        threads: Optional[int] = None,
        rebalance: bool = True,
        agents_stay: bool = False,
        payload: Optional[npt.DTypeLike] = None,
        ghost_payload: Optional[npt.DTypeLike] = None,
        sample: Optional[int] = None,
        period: Any = None,
    ) -> None:
        self._pointer = ctypes.c_void_p()
        self._stay = bool(agents_stay)
        ranks = ctypes.c_int(communicator.py2f())
        try:
            self._payload = None if payload is None else np.dtype(payload)
            self._ghost_payload = None if ghost_payload is None else np.dtype(ghost_payload)
            if any(kind is not None and kind.hasobject for kind in (self._payload, self._ghost_payload)):
                raise ValueError("a payload of Python objects cannot travel")
            self._element = None if self._payload is None else self._payload.base
            config, engine = native.Config(), initialised(structs.EngineConfig)
            _library.throng_cluster_config_init(ctypes.byref(config))
            config.engine = ctypes.addressof(engine)
            config.reach, config.radius = reach, radius
            engine.threads = threads or 0
            config.rebalance, config.agents_stay = rebalance, agents_stay
            config.payload_bytes = 0 if self._payload is None else self._payload.itemsize
            config.ghost_payload_bytes = 0 if self._ghost_payload is None else self._ghost_payload.itemsize
            if sample is not None:
                config.sample = sample
            periods = engine.period_x, engine.period_y = given_period(period)
            self._place = Place(period=periods if any(periods) else None)
        except BaseException:  # an interrupt, too
            # Without a place for the cluster, so that the others hear of this rank, whatever they are given.
            _library.throng_cluster_create(ranks, None, None)
            raise
        _check(_library.throng_cluster_create(ranks, ctypes.byref(config), ctypes.byref(self._pointer)))

    def close(self) -> None:
        """Ends it: a call of all ranks, before MPI is finalised."""
        _library.throng_cluster_destroy(self._pointer)
        self._pointer = ctypes.c_void_p()

    @property
    def _handle(self) -> ctypes.c_void_p:
        if not self._pointer:
            raise ValueError("the cluster is closed")
        return self._pointer

    @contextlib.contextmanager
    def _preparing(self, collective: bool = True, update: bool = False) -> Iterator[None]:
        # If one rank fails or is interrupted before a collective call, the others, who wait there, are told.
        try:
            yield
        except BaseException:
            if collective and self._pointer:
                if update:
                    _library.throng_cluster_update(self._pointer, None, ctypes.c_uint64(), None, None, None)
                else:
                    _library.throng_cluster_agree(self._pointer, ctypes.byref(_given.failure(None)))
            raise

    def agree(self, failed: Optional[BaseException] = None) -> None:
        """For a step of the host's own that each rank does alone: if it failed on any rank, raises a
        ClusterError on every rank, which says where. `failed` is None if it went well."""
        mine = native.Status() if failed is None else _given.failure(failed)
        try:
            _check(_library.throng_cluster_agree(self._handle, ctypes.byref(mine)))
        except ClusterError as error:
            raise error from failed

    def set_reach(self, reach: float = 0, radius: float = 0) -> None:
        """The largest distance of pairs and neighbours from the next update on. The largest of all ranks
        counts. This is a call of each rank alone."""
        distances = ctypes.c_float(reach), ctypes.c_float(radius)
        _check(_library.throng_cluster_set_reach(self._handle, *distances))

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def update(
        self,
        ids: npt.ArrayLike,
        places: npt.ArrayLike,
        *,
        radius: Optional[npt.ArrayLike] = None,
        labels: Optional[npt.ArrayLike] = None,
        payload: Optional[npt.ArrayLike] = None,
        heights: Optional[Heights] = None,
    ) -> None:
        """Replaces all agents of the cluster by those that the ranks hold together: boxes, or centres with a radius.
        Labels are (n, 2): categories and group. Heights are as for `Engine.update`."""
        with self._preparing(update=True):
            numbers = _given.integers_of(ids, np.uint64)
            if numbers.ndim != 1:
                raise ValueError(f"ids must have one axis, and not the shape {numbers.shape}")
            boxes, tags = _arguments.at_heights(_given.boxes_of(places, radius), heights, None), _given.labels_of(labels)
            luggage = None if payload is None else np.ascontiguousarray(payload, dtype=self._element)
            sizes = [boxes.count, tags and tags.count, None if luggage is None else len(luggage)]
            for size in sizes:
                if size not in (None, len(numbers)):
                    raise ValueError(f"{len(numbers)} ids, and {size} boxes, labels or payloads")
            bytes_wanted = 0 if self._payload is None else self._payload.itemsize * len(numbers)
            if (0 if luggage is None else luggage.nbytes) != bytes_wanted:
                raise ValueError("there is a payload for each agent if the cluster has a type of it, and else none")
            count = ctypes.c_uint64(len(numbers))
        given = _given.address_of(numbers), count, ctypes.byref(boxes), _given.ref(tags), _given.address_of(luggage)
        _check(_library.throng_cluster_update(self._handle, *given))

    def owned(self, *, copy: bool = True) -> Agents:
        """The agents of this rank. With copy=False you get the library's own arrays, without a copy. Do not read them after
        the next update or load, or after `close`."""
        return self._table("owned", copy)

    def in_place(self) -> tuple[npt.NDArray[np.float32], Optional[npt.NDArray[Any]]]:
        """The boxes and the payload of the agents of this rank, not copied. Write those of the next frame over them, and
        hand them in: `update(cluster.owned(copy=False).ids, boxes, payload=payload)`. Once a box is written, the next call is an
        update. They are gone after the next update or load, and once the cluster is closed: ask again."""
        table = native.Agents()
        _library.throng_cluster_owned(self._handle, ctypes.byref(table))
        count = int(table.count)
        boxes, payload = ctypes.c_void_p(), ctypes.c_void_p()
        _library.throng_cluster_in_place(self._handle, ctypes.byref(boxes), ctypes.byref(payload), None)
        written = _given.viewed(boxes.value, 4 * count, np.float32).reshape(-1, 4)
        return written, None if self._payload is None else _given.viewed(payload.value, count, self._payload)

    def heights_in_place(self) -> Optional[npt.NDArray[np.float32]]:
        """The heights of the agents of this rank, to be written and handed in like `in_place`; None if there are none."""
        heights = ctypes.c_void_p()
        _library.throng_cluster_in_place(self._handle, None, None, ctypes.byref(heights))
        return _given.viewed(heights.value, 2 * self._owned_count(), np.float32).reshape(-1, 2) if heights else None

    def ghosts(self, *, copy: bool = True) -> Agents:
        """Its copies of other ranks' agents, beyond its border; `copy` as for `owned`."""
        return self._table("ghosts", copy)

    @property
    def frame(self) -> Frame:
        """The frame of this rank's own engine, for all queries of frames. Its ids are places: those in `owned()`, and then
        those in `ghosts()`, which are ghosts of the frame too. It stays as it is when the cluster goes on."""
        frame = ctypes.c_void_p()
        _check(_library.throng_cluster_frame(self._handle, ctypes.byref(frame)))
        return frame_of(Handle(frame.value or 0, _library.throng_frame_release), self._place)

    def set_static_layer(self, layer: StaticLayer) -> None:
        """What never moves, whole on each rank: later frames have it, in `frame.with_static`. A call of each rank alone."""
        its = layer._at(self._place)  # held during the call
        _check(_library.throng_cluster_set_static_layer(self._handle, ctypes.c_void_p(its._as_parameter_)))

    def global_ids(self, places: Integers) -> npt.NDArray[np.uint64]:
        """The ids of agents at these places, such as the ids that `frame` gives, which are -1 for no agent: these are refused."""
        known, at = np.concatenate([self.owned(copy=False).ids, self.ghosts(copy=False).ids]), np.asarray(places)
        if at.size and at.min() < 0:
            raise ValueError(f"element {int((at.reshape(-1) < 0).argmax())} of places is negative")
        return np.asarray(known[at])

    @property
    def places(self) -> int:
        """How many owned agents and ghosts there are."""
        return self._places()

    @property
    def reach(self) -> float:
        """The largest distance of pairs that any rank had set before the last update."""
        return float(_library.throng_cluster_reach(self._handle))

    @property
    def radius(self) -> float:
        """The same for neighbours."""
        return float(_library.throng_cluster_radius(self._handle))

    @property
    def giants_from(self) -> float:
        """Agents with half a width or height above this are giants."""
        return float(_library.throng_cluster_giants_from(self._handle))

    def __len__(self) -> int:
        return int(_library.throng_cluster_size(self._handle))

    def partition(self, points: npt.ArrayLike, weights: Optional[npt.ArrayLike] = None) -> None:
        """Cuts the world so that each rank has an equal part of these points' weight."""
        with self._preparing():
            places = _given.rows_of(points, 2)
            heavy = None if weights is None else np.ascontiguousarray(weights, np.float32)
            if heavy is not None and heavy.shape != (len(places),):
                raise ValueError(f"{len(places)} points, and {heavy.shape} weights")
            count = ctypes.c_uint64(len(places))
        _check(_library.throng_cluster_partition(self._handle, _given.address_of(places), _given.address_of(heavy), count))

    def partition_as(self, other: Cluster) -> None:
        """Cuts the world as another cluster is cut."""
        with self._preparing():
            like = other._handle
        _check(_library.throng_cluster_partition_as(self._handle, like))

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes all agents into one file, the same path on all ranks."""
        self._by_file(_library.throng_cluster_save, path)

    def load(self, path: Union[str, os.PathLike[str]]) -> None:
        """An update with the agents of such a file, which any number of ranks may have saved."""
        self._by_file(_library.throng_cluster_load, path)

    def _by_file(self, call: Any, path: Union[str, os.PathLike[str]]) -> None:
        with self._preparing():
            handle, name = self._handle, os.fsencode(path)
            if b"\0" in name:
                raise ValueError("a path with a zero in it")
        _check(call(handle, ctypes.c_char_p(name)))

    def domain(self, rank: int) -> npt.NDArray[np.float32]:
        """A rank's part of the plane: min x, min y, max x, max y."""
        box = np.empty(4, np.float32)
        _library.throng_cluster_domain(self._handle, ctypes.c_int(rank), _given.address_of(box))
        return box

    def pairs(
        self,
        *,
        within: float = 0,
        agents_as: AgentsAs = "boxes",
        categories: tuple[int, int] = (ALL, ALL),
        other_groups_only: bool = False,
        places_only: bool = False,
    ) -> npt.NDArray[Any]:
        """Each pair of the cluster on one rank, as records `PAIR`. Places are those in `owned()`, and then in
        `ghosts()`. If agents stay, the place of `a` is that in the arrays of this rank. With places_only there are (n, 2)
        places and no ids, which takes a third of the memory; not where agents stay."""
        with self._preparing(self._stay):
            query = _given.pair_query(within, agents_as, categories, other_groups_only)
            if places_only and self._stay:
                raise ValueError("agents that stay with their hosts have no places on one rank")
        if not places_only:
            return self._pairs(_library.throng_cluster_pairs, self._handle, query)
        _check(_library.throng_cluster_pairs(self._handle, ctypes.byref(query), None, None))
        places, count = ctypes.c_void_p(), ctypes.c_uint64()
        _library.throng_cluster_pair_places(self._handle, ctypes.byref(places), ctypes.byref(count))
        return np.asarray(_given.copied(places.value, 2 * count.value, np.uint32).reshape(-1, 2))

    def pairs_with(
        self,
        other: Cluster,
        *,
        within: float = 0,
        agents_as: AgentsAs = "boxes",
        categories: tuple[int, int] = (ALL, ALL),
        other_groups_only: bool = False,
    ) -> npt.NDArray[Any]:
        """Each pair of an agent of this cluster and one of another cluster on the same ranks."""
        with self._preparing():
            query = _given.pair_query(within, agents_as, categories, other_groups_only)
            handles = self._handle, other._handle
        return self._pairs(_library.throng_cluster_pairs_with, *handles, query)

    def neighbours(
        self,
        *,
        radius: float = float("inf"),
        nearest: int = 0,
        agents_as: AgentsAs = "centres",
        with_self: bool = False,
        filter: Optional[Filter] = None,
    ) -> Lists:
        """The neighbours of each owned agent, or of each agent of this rank's arrays if agents stay: all
        within a radius, or the nearest. The filter is one for all of them."""
        lists = native.Lists()
        with self._preparing(self._stay or nearest != 0):
            wanted = _given.neighbourhood(radius, nearest, agents_as)
            wanted.with_self = bool(with_self)
            asked = ctypes.byref(wanted), _given.ref(filter_struct(filter))
        _check(self._neighbours_by(wanted)(self._handle, *asked, ctypes.byref(lists)))
        return _given.lists_of(lists)

    def _neighbours_by(self, wanted: Any, of: str = "") -> Any:
        kind = "within" if isinstance(wanted, structs.Within) else "nearest"
        return getattr(_library, f"throng_cluster_neighbours_{kind}{of}")

    def forward(self, values: npt.ArrayLike) -> npt.NDArray[Any]:
        """The values of owned agents, and behind them those of ghosts, which come from their owners. So
        `a_place` and `b_place` of a pair find both. There is a row for each owned agent, of any type without Python objects."""
        with self._preparing():
            mine = np.asarray(values)
            self._expect_owned(mine)
            everywhere = np.zeros((self._places(), *mine.shape[1:]), mine.dtype)
            everywhere[: len(mine)] = mine
            given = _given.values_of(everywhere)
        _check(_library.throng_cluster_forward(self._handle, ctypes.byref(given)))
        return everywhere

    def reverse(self, values: npt.ArrayLike) -> npt.NDArray[Any]:
        """The values of owned agents, each with those that this and other ranks have for its ghosts added. There is
        a row for each owned agent and then for each ghost, of floats or integers."""
        with self._preparing():
            everywhere = np.array(values, order="C")
            if everywhere.ndim == 0 or len(everywhere) != self._places():
                raise ValueError(f"{self._places()} agents and ghosts, and values of the shape {everywhere.shape}")
            given = _given.values_of(everywhere)
        _check(_library.throng_cluster_reverse(self._handle, ctypes.byref(given)))
        return everywhere[: self._owned_count()].copy()

    def sum_pairs(
        self,
        pairs: npt.NDArray[Any],
        to_a: npt.ArrayLike,
        to_b: Optional[npt.ArrayLike] = None,
        *,
        start: Optional[npt.ArrayLike] = None,
    ) -> npt.NDArray[Any]:
        """What each owned agent gets from all pairs of the cluster, added in the order of the other agents' ids. So the
        sums have the same bits on any number of ranks. `pairs` is what this rank found in this frame, or a part of it,
        as records or places; `to_a` has a row for each, of floats or integers of one kind on all ranks. Without `to_b` the other agent gets the
        opposite. Sums begin with zero, or with `start`."""
        with self._preparing():
            are_places = pairs.dtype.names is None
            found = _given.rows_of(pairs, 2, np.uint32) if are_places else np.ascontiguousarray(pairs, PAIR)
            kind = np.result_type(*(np.asarray(each) for each in (to_a, to_b, start) if each is not None))
            of_a = np.ascontiguousarray(to_a, kind)
            of_b = None if to_b is None else np.ascontiguousarray(to_b, kind)
            for terms in (of_a, of_b):
                if terms is not None and (terms.shape[:1] != found.shape[:1] or terms.shape != of_a.shape):
                    raise ValueError(f"{found.shape} pairs, and terms of the shape {terms.shape}")
            shape = (self._owned_count(), *of_a.shape[1:])
            sums = np.zeros(shape, kind)
            if start is not None:
                first = np.asarray(start, kind)
                self._expect_owned(first)
                sums[...] = first
            given = _given.values_of(sums)
            count = ctypes.c_uint64(len(found))
        terms_of = _given.address_of(of_a), _given.address_of(of_b)
        call = _library.throng_cluster_sum_pair_places if are_places else _library.throng_cluster_sum_pairs
        status = call(self._handle, _given.address_of(found), count, *terms_of, ctypes.byref(given))
        _check(status)
        return sums

    def overlaps(
        self,
        boxes: Optional[Rows] = None,
        *,
        circles: Optional[Rows] = None,
        segments: Optional[Rows] = None,
        polygons: Any = None,
        agents_as: AgentsAs = "boxes",
        filter: Optional[Filter] = None,
        selves: Optional[npt.ArrayLike] = None,
    ) -> Lists:
        """The agents of the cluster that overlap each query. Queries are boxes, circles, segments or polygons, as for
        `Frame.overlaps`. `filter`, here and below, is for all queries or has a part for each; `selves` are the ids of agents
        to leave out, one for each query."""
        with self._preparing():
            shapes = Shapes(boxes, circles=circles, segments=segments, polygons=polygons, agents_as=agents_as)
            queries = _arguments.queries(shapes, None, self._place)
            call = self._asking(_library.throng_cluster_overlaps, queries.count, filter, selves, queries)
        return self._listed(call)

    def count(
        self,
        boxes: Optional[Rows] = None,
        *,
        circles: Optional[Rows] = None,
        segments: Optional[Rows] = None,
        polygons: Any = None,
        agents_as: AgentsAs = "boxes",
        filter: Optional[Filter] = None,
        selves: Optional[npt.ArrayLike] = None,
    ) -> npt.NDArray[np.uint64]:
        """How many overlap each."""
        with self._preparing():
            shapes = Shapes(boxes, circles=circles, segments=segments, polygons=polygons, agents_as=agents_as)
            queries = _arguments.queries(shapes, None, self._place)
            counts = np.zeros(queries.count, np.uint64)
            call = self._asking(_library.throng_cluster_count, queries.count, filter, selves, queries)
        _check(call(_given.address_of(counts)))
        return counts

    def first_hits(
        self,
        start: Rows,
        end: Optional[Rows] = None,
        *,
        half: Halves = 0,
        radius: Numbers = 0,
        z: Optional[Numbers] = None,
        to_z: Optional[Numbers] = None,
        height: Numbers = 0,
        filter: Optional[Filter] = None,
        selves: Optional[npt.ArrayLike] = None,
    ) -> npt.NDArray[Any]:
        """What each cast touches first, as records `HIT`. Casts are start and end, or an array of `throng.casts`.
        Their heights are as for `Frame.first_hits`."""
        with self._preparing():
            casts = cast_rows(start, end, half, radius, None, self._place).reshape(-1, 7)
            heights = cast_heights(z, to_z, height, len(casts))
            hits = np.zeros(len(casts), HIT)
            call = self._asking(_library.throng_cluster_first_hits, len(casts), filter, selves, casts, heights=heights)
        _check(call(_given.address_of(hits)))
        return hits

    def all_hits(
        self,
        start: Rows,
        end: Optional[Rows] = None,
        *,
        half: Halves = 0,
        radius: Numbers = 0,
        z: Optional[Numbers] = None,
        to_z: Optional[Numbers] = None,
        height: Numbers = 0,
        filter: Optional[Filter] = None,
        selves: Optional[npt.ArrayLike] = None,
    ) -> Lists:
        """All that each cast touches, the earliest first."""
        with self._preparing():
            casts = cast_rows(start, end, half, radius, None, self._place).reshape(-1, 7)
            heights = cast_heights(z, to_z, height, len(casts))
            call = self._asking(_library.throng_cluster_all_hits, len(casts), filter, selves, casts, heights=heights)
        return self._listed(call)

    def neighbours_of(
        self,
        points: Rows,
        *,
        radius: Numbers = float("inf"),
        nearest: int = 0,
        agents_as: AgentsAs = "centres",
        filter: Optional[Filter] = None,
        selves: Optional[npt.ArrayLike] = None,
    ) -> Lists:
        """The neighbours of this rank's points, the nearest first: all within a radius, or the nearest of the
        whole cluster. There is one radius, or one for each point. `nearest` and `agents_as` are the same on
        all ranks."""
        with self._preparing():
            places, wanted = _arguments.points(points, None, self._place), _given.neighbourhood(radius, nearest, agents_as)
            if wanted.radii_count not in (0, places.count):
                raise ValueError(f"{places.count} points, and {wanted.radii_count} radii")
            call = self._asking(self._neighbours_by(wanted, "_of"), places.count, filter, selves, places, wanted)
        return self._listed(call)

    def report(self) -> dict[str, Union[int, float]]:
        """What the last update cost this rank."""
        report = native.Report()
        _library.throng_cluster_get_report(self._handle, ctypes.byref(report))
        return {name: getattr(report, name) for name in (*native.REPORT_COUNTS, *native.REPORT_SECONDS)}

    def reports(self) -> npt.NDArray[Any]:
        """What every rank did for the last frame, and what memory it has, as records `RANK_REPORT` on all
        ranks. The imbalance is that of the time: `busy.max() / busy.mean()` of `busy = reports["busy_seconds"]`."""
        with self._preparing():
            handle = self._handle
        reports, count = ctypes.c_void_p(), ctypes.c_uint64()
        _check(_library.throng_cluster_reports(handle, ctypes.byref(reports), ctypes.byref(count), None))
        return np.asarray(_given.copied(reports.value, count.value, RANK_REPORT))

    def _table(self, which: str, copy: bool) -> Agents:
        table = native.Agents()
        getattr(_library, f"throng_cluster_{which}")(self._handle, ctypes.byref(table))
        count = int(table.count)
        read = _given.copied if copy else _given.read_only
        labels = read(table.labels, 2 * count, np.uint32).reshape(-1, 2) if table.labels else None
        kind = self._payload if which == "owned" else self._ghost_payload
        payload = None if kind is None else read(table.payload, count, kind)
        boxes = read(table.boxes, 4 * count, np.float32).reshape(-1, 4)
        heights = read(table.heights, 2 * count, np.float32).reshape(-1, 2) if table.heights else None
        return Agents(read(table.ids, count, np.uint64), boxes, labels, payload, heights)

    def _places(self) -> int:
        return int(_library.throng_cluster_places(self._handle))

    def _owned_count(self) -> int:
        table = native.Agents()
        _library.throng_cluster_owned(self._handle, ctypes.byref(table))
        return int(table.count)

    def _expect_owned(self, values: Any) -> None:
        if values.ndim == 0 or len(values) != self._owned_count():
            raise ValueError(f"{self._owned_count()} owned agents, and values of the shape {values.shape}")

    def _pairs(self, call: Any, *arguments: Any) -> npt.NDArray[Any]:
        *handles, query = arguments
        pairs, count = ctypes.c_void_p(), ctypes.c_uint64()
        _check(call(*handles, ctypes.byref(query), ctypes.byref(pairs), ctypes.byref(count)))
        return np.asarray(_given.copied(pairs.value, count.value, PAIR))

    def _listed(self, call: Callable[[Any], native.Status]) -> Lists:
        lists = native.Lists()
        _check(call(ctypes.byref(lists)))
        return _given.lists_of(lists)

    def _asking(
        self,
        call: Any,
        size: int,
        filter: Optional[Filter],
        selves: Optional[npt.ArrayLike],
        *queries: Any,
        heights: Any = None,
    ) -> Callable[[Any], native.Status]:
        # The call with all but the place for its answers. It keeps the memory behind the arrays.
        left_out = None if selves is None else _given.integers_of(selves, np.uint64)
        if left_out is not None and left_out.shape != (size,):
            raise ValueError(f"{size} queries, and {left_out.shape} selves")
        handle, chosen = self._handle, filter_struct(filter)
        if heights is not None:
            chosen = with_cast_heights(chosen, heights)
        asked = queries
        if isinstance(queries[0], np.ndarray):  # casts are an array with its length, and all others structs
            asked = _given.address_of(queries[0]), ctypes.c_uint64(size)

        def ask(out: Any) -> native.Status:
            given = [each if queries is not asked else ctypes.byref(each) for each in asked]
            status: native.Status = call(handle, *given, _given.ref(chosen), _given.address_of(left_out), out)
            return status

        return ask
