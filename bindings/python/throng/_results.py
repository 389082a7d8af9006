"""Answers: lists of ids in one array, pairs, and hits of casts. Arrays are views of the library's memory,
except ids that were made wider (`_ids.py`)."""

from __future__ import annotations

import operator
import threading
from typing import (
    Any,
    Callable,
    Hashable,
    Iterator,
    NamedTuple,
    Optional,
    SupportsIndex,
    TypeVar,
    Union,
    overload,
)

import numpy as np
import numpy.typing as npt

from . import _displacements, _folds, _ids
from ._arrays import Array, check_mask, integers
from ._ids import Ids
from ._native import errors
from ._native.handles import Handle
from ._native.library import library
from ._native.memory import AS_FOUND, NEIGHBOURS, Filling, Kind, Spares, empty
from ._native.pool import LEAST, pool

Offsets = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
_These = TypeVar("_These", bound="_AnyLists")
cast_hit = np.dtype([("id", np.int32), ("fraction", np.float32), ("is_static", np.int32)])


class _Kept:
    """A result that may be given as `out`, to be filled again.

    Arrays that were taken from it before stay as they are, since they keep their memory. Its ids are of
    `dtype`: int32, as they lie in memory, or np.intp.
    """

    __slots__ = ("_lock", "_spares", "_filling", "_arrays", "_block", "_dtype", "__weakref__")

    def __init__(self, dtype: Any = np.int32) -> None:
        self._dtype = _ids.checked(dtype)
        # Other threads and handlers of signals may read while one fills. They find it empty, and never read
        # memory that is being written.
        self._lock = threading.RLock()
        self._spares = Spares()
        self._filling: Optional[Filling] = None
        self._arrays: dict[str, Any] = {}
        # Which list to begin with, and how many bytes to fill: only for the next call.
        self._block: Optional[tuple[int, int]] = None

    def _fill(
        self, kind: Kind, call: Callable[[Handle], None], like: Optional[Callable[[], Hashable]] = None
    ) -> None:
        """Calls `call` with a result object of the library, and keeps it. Calls with about equally large
        answers are `like` each other."""
        key = like() if like is not None and pool else None
        with self._lock:
            # Its own arrays do not count.
            self._arrays = {}
            filling, self._filling = self._filling, None
            if filling is None or self._spares or filling.kind is not kind or filling.is_exported():
                if filling is not None:
                    self._spares.put(filling)
                filling = self._spares.take(kind, key)
            block, self._block = self._block, None
        try:
            if block is not None:
                tell = getattr(library, f"throng_{kind.name}_block", None)
                if tell is None:
                    raise TypeError("the answers to this query do not come in blocks")
                errors.call(tell, filling.handle, *block)
            call(filling.handle)
        except BaseException:
            # An object that may still have a block set is not for another call.
            if block is None:
                with self._lock:
                    self._spares.put(filling)
            raise
        if like is not None:
            used = filling.used()
            if key is not None or used >= LEAST:
                pool.learn(like() if key is None else key, used)
        with self._lock:
            self._arrays = {}
            self._filling = filling

    def _array(self, name: str, dtype: str, width: int = 1) -> Array:
        with self._lock:
            array = self._arrays.get(name)
            if array is None:
                filling = self._filling
                if filling is None:
                    return np.empty((0,) if width == 1 else (0, width), dtype)
                array = self._arrays[name] = filling.array(filling.kind.getter(name), dtype, width)
            return array

    def _of_type(self, name: str, narrow: Callable[[], Array]) -> Ids:
        """Ids of that type. They are made wider only once."""
        # Taken first: another thread may fill this one, and then what was read before must not be kept.
        arrays = self._arrays
        ids: Optional[Ids] = arrays.get(name)
        if ids is None:
            ids = _ids.as_type(narrow(), self._dtype)
            arrays[name] = ids
        return ids

    def _kind(self) -> Optional[Kind]:
        filling = self._filling
        return None if filling is None else filling.kind


class Pairs(_Kept, _folds.Folds, _displacements.Displacements):
    """Pairs of agents. Make one to give it as `out`, and nothing is allocated in a steady loop.

    Its ids are int32, which nothing has to be made of; with dtype=np.intp they are as those of calls without
    `out`.

    >>> import throng
    >>> engine, pairs = throng.Engine(), throng.Pairs()
    >>> engine.update([(0, 0), (1, 0), (9, 9)], radius=0.5)
    >>> engine.frame.pairs(out=pairs)
    array([[0, 1]], dtype=int32)
    >>> len(pairs)
    1
    """

    __slots__ = ("_period", "_are_of_agents")

    def __init__(self, dtype: Any = np.int32) -> None:
        super().__init__(dtype)
        self._period, self._are_of_agents = None, True

    @classmethod
    def of(cls, ids: Any) -> Pairs:
        """The pairs of an array (m, 2), to add up values over them."""
        check_mask("ids", ids)
        pairs = np.asarray(ids)
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise ValueError(f"ids must have the shape (m, 2), and not {pairs.shape}")
        result = cls()
        result._arrays["get"] = integers("ids", pairs.reshape(-1), None).reshape(-1, 2)
        return result

    @property
    def ids(self) -> Ids:
        """Two ids a row."""
        return self._of_type("wide", self._narrow)

    def _narrow(self) -> Ids:
        return self._array("get", "<i4", 2)

    def count(self, agents: int) -> Offsets:
        """How many pairs each of so many agents is in.

        >>> import throng
        >>> throng.Pairs.of([(0, 1), (0, 3)]).count(5)
        array([2, 1, 0, 1, 0])
        """
        return _folds.count_of_pairs(self._narrow(), agents)

    def _links(self) -> Any:
        return _folds.links_of_pairs(self._narrow())

    def _how_many(self) -> int:
        return len(self)

    def _parts(self) -> Iterator[_displacements.Part]:
        return _displacements.parts_of_pairs(self._narrow())

    def _summed(self, each: Any, rows: int) -> Any:
        if not self._are_of_agents:
            raise TypeError("pairs of two frames have no sums of displacements")
        return _displacements.sums_of_pairs(self._narrow(), each, rows)

    def __len__(self) -> int:
        return len(self._narrow())

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        return np.array(self.ids, dtype) if copy else np.asarray(self.ids, dtype)

    def __repr__(self) -> str:
        return f"<throng.Pairs: {len(self)}>"

    def __reduce__(self) -> Any:
        return _pairs_of, (self._dtype, self._narrow(), self._period)


def _pairs_of(dtype: Any, ids: Array, period: Any = None) -> Pairs:
    pairs: Pairs = _of_arrays(Pairs, dtype, {"get": ids})
    pairs._period = period
    return pairs


class _AnyLists(_Kept):
    """Lists one behind the other in one array (CSR): list q goes from offsets[q] to offsets[q + 1]."""

    __slots__ = ()

    @property
    def offsets(self) -> Offsets:
        """Where each list begins, and where the last ends: one more than lists."""
        array = self._array("offsets", "<i8")
        return array if len(array) else np.zeros(1, np.int64)

    @property
    def counts(self) -> Offsets:
        """How long each list is."""
        return np.diff(self.offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def ids(self) -> Ids:
        """All lists, one behind the other."""
        return self._of_type("wide", self._narrow)

    def _narrow(self) -> Ids:
        """As in memory."""
        raise NotImplementedError

    @overload
    def __getitem__(self, index: SupportsIndex) -> Ids:  # type: ignore[misc]
        ...

    @overload
    def __getitem__(self: _These, index: Union[slice, list[int], Array]) -> _These:
        ...

    def __getitem__(self, index: Any) -> Any:
        """The ids of one list; or several lists, as copies, by a slice, an array of their numbers, or a bool for
        each."""
        if not isinstance(index, (slice, list, np.ndarray)):
            begin, end = self._ends(index)
            wide: Optional[Ids] = self._arrays.get("wide")
            # One list does not make all of them wide.
            return _ids.as_type(self._narrow()[begin:end], self._dtype) if wide is None else wide[begin:end]
        return self._some(np.arange(len(self))[index])

    def _some(self, which: Array) -> Any:
        """These lists, in this order."""
        if which.ndim != 1:
            raise TypeError(f"lists are chosen along one axis, and not by the shape {which.shape}")
        counts = self.counts[which]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        # The place of each id among all.
        at = np.arange(offsets[-1]) + np.repeat(self.offsets[:-1][which] - offsets[:-1], counts)
        return self._made_of(offsets, at, which)

    def _made_of(self, offsets: Offsets, at: Array, which: Array) -> Any:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Ids]:
        ids = self.ids
        ends = self.offsets.tolist()
        return (ids[begin:end] for begin, end in zip(ends, ends[1:]))

    def _ends(self, index: int) -> tuple[int, int]:
        index = operator.index(index)
        offsets = self.offsets
        count = len(offsets) - 1
        if not -count <= index < count:
            raise IndexError(f"there are {count} lists, and none with the number {index}")
        index %= count
        return int(offsets[index]), int(offsets[index + 1])

    def __repr__(self) -> str:
        return f"<throng.{type(self).__name__}: {len(self)} lists with {len(self._narrow())} ids>"


class Lists(_AnyLists, _folds.Folds, _displacements.Displacements):
    """Lists of ids: of agents that overlap each query, or are near each agent or point.

    Make one to give it as `out`, and nothing is allocated in a steady loop. Its ids are int32, which nothing
    has to be made of; with dtype=np.intp they are as those of calls without `out`.

    >>> import throng
    >>> engine = throng.Engine()
    >>> engine.update([(0, 0), (1, 0), (9, 9)])
    >>> near = engine.frame.neighbours(radius=2, distances=True)
    >>> near.offsets, near.ids
    (array([0, 1, 2, 2]), array([1, 0]))
    >>> near[0], near.distances
    (array([1]), array([1., 1.], dtype=float32))
    >>> i, j = near.ij()
    >>> i
    array([0, 1])
    """

    __slots__ = ("_rows", "_columns", "_period", "_are_of_agents")

    def __init__(self, dtype: Any = np.int32) -> None:
        super().__init__(dtype)
        self._period, self._are_of_agents = None, True
        # For a matrix: how many agents may have a list in row order, and how many may be in one.
        self._rows = self._columns = 0

    def _narrow(self) -> Ids:
        return self._array("ids", "<i4")

    @property
    def squared_distances(self) -> Optional[Floats]:
        """The squared distance of each id; None unless distances were asked for."""
        found = self._of_neighbours("squared_distances", "<f4")
        return found if len(found) == len(self._narrow()) else None

    @property
    def distances(self) -> Optional[Floats]:
        """The distance of each id; None unless distances were asked for. Computed when it is first read."""
        arrays = self._arrays
        if "distances" not in arrays:
            squared = self.squared_distances
            arrays["distances"] = None if squared is None else _roots(squared)
        found: Optional[Floats] = arrays["distances"]
        return found

    @property
    def agents(self) -> Optional[Ids]:
        """In row order, the agent that each list belongs to; None if list i is that of agent, point or box
        i."""
        found = self._of_type("wide agents", lambda: self._of_neighbours("agents", "<i4"))
        return found if len(found) else None

    def _of_neighbours(self, name: str, dtype: str) -> Array:
        is_other = self._kind() not in (NEIGHBOURS, None)
        return np.empty(0, dtype) if is_other else self._array(name, dtype)

    @property
    def queries(self) -> Optional[Ids]:
        """For lists as found, the query of each list; None if list i is that of query i."""
        is_other = self._kind() not in (AS_FOUND, None)
        nothing = np.empty(0, np.int32)
        found = self._of_type("wide queries", lambda: nothing if is_other else self._array("queries", "<i4"))
        return found if len(found) else None

    def count(self) -> Offsets:
        """How many are in the list of each agent, point or box, in any order of the lists."""
        places = self._places()
        if places is None:
            return self.counts
        counts = np.zeros(int(places.max()) + 1, np.int64)
        counts[places] = self.counts
        return counts

    def _places(self) -> Optional[Ids]:
        """The owner of each list, as in memory; None if list i is that of agent, point or box i."""
        is_as_found = "queries" in self._arrays or self._kind() is AS_FOUND
        found = self._array("queries", "<i4") if is_as_found else self._of_neighbours("agents", "<i4")
        # Those of a slice or a pickle may be wide.
        return np.ascontiguousarray(found, np.int32) if len(found) else None

    def _links(self) -> Any:
        return _folds.links_of_lists(self.offsets, self._narrow(), self._places())

    def _how_many(self) -> int:
        return len(self._narrow())

    def _parts(self) -> Iterator[_displacements.Part]:
        return _displacements.parts_of_lists(self.offsets, self._narrow(), self._places())

    def _summed(self, each: Any, rows: int) -> Any:
        places = self._places()
        count = len(self) if places is None else int(places.max()) + 1
        return _displacements.sums_of_lists(self._parts(), each, count)

    def _told(self, period: Any, are_of_agents: bool) -> Lists:
        """What the frame that was asked says of them."""
        self._period, self._are_of_agents = period, are_of_agents
        return self

    def ij(self) -> tuple[Ids, Ids]:
        """For each id, the list that it is in, and the id itself (COO)."""
        lists = self.agents if self.queries is None else self.queries
        if lists is None:
            lists = np.arange(len(self), dtype=self._dtype)
        return np.repeat(lists, self.counts), self.ids

    def to_csr(self) -> Any:
        """A scipy.sparse.csr_matrix of distances, or of ones if there are none: row i has the list of agent,
        point or query i.

        Lists in row order or as found are put into that order first, which takes time. Other lists are not
        moved, and indices are int32 if they fit, as SciPy wants them.
        """
        from scipy.sparse import csr_matrix  # type: ignore[import]

        distances, ids = self.distances, self._narrow()
        data = np.ones(len(ids), np.float32) if distances is None else distances
        agents = self.agents
        if agents is None and self.queries is None:
            return csr_matrix((data, ids, self.offsets), shape=(len(self), self._columns))
        rows = len(self) if agents is None else self._rows
        return csr_matrix((data, self.ij()), shape=(rows, self._columns))

    def _made_of(self, offsets: Offsets, at: Array, which: Array) -> Lists:
        arrays: dict[str, Array] = {"offsets": offsets, "ids": self._narrow()[at]}
        for name, places in (("squared_distances", at), ("agents", which), ("queries", which)):
            array = getattr(self, name)
            if array is not None:
                arrays[name] = array[places]
        some = _lists_of(self._dtype, arrays, self._columns, self._rows)
        # Without owners nothing says whose list this is: list k is no longer that of agent k.
        return some._told(self._period, self._are_of_agents and ("agents" in arrays))

    def __reduce__(self) -> Any:
        arrays = {
            "offsets": self.offsets,
            "ids": self._narrow(),
            "squared_distances": self.squared_distances,
            "agents": self.agents,
            "queries": self.queries,
        }
        known = {name: array for name, array in arrays.items() if array is not None}
        told = (self._period, self._are_of_agents)
        return _lists_of, (self._dtype, known, self._columns, self._rows, *told)


def _roots(squared: Floats) -> Floats:
    roots: Floats = np.sqrt(squared, out=empty(squared.shape, np.float32))
    return roots


def _of_arrays(kind: Any, dtype: Any, arrays: dict[str, Array]) -> Any:
    result = kind(dtype)
    result._arrays = arrays
    return result


def _lists_of(
    dtype: Any,
    arrays: dict[str, Array],
    columns: int,
    rows: int = 0,
    period: Any = None,
    are_of_agents: bool = True,
) -> Lists:
    lists: Lists = _of_arrays(Lists, dtype, arrays)
    lists._columns, lists._rows = columns, rows
    return lists._told(period, are_of_agents)


class CastLists(_AnyLists):
    """All that each cast touches, the earliest first: ids, and at which fraction of the movement."""

    __slots__ = ()

    def _hits(self) -> Array:
        arrays = self._arrays
        hits = arrays.get("hits")
        if hits is None:
            hits = arrays["hits"] = self._array("get", "|V12").view(cast_hit)
        return hits

    def _narrow(self) -> Ids:
        return self._hits()["id"]

    @property
    def fractions(self) -> Floats:
        """0 is the start of a cast, and 1 its end."""
        return self._hits()["fraction"]

    @property
    def is_static(self) -> npt.NDArray[np.bool_]:
        """Whether what was touched is an element of the static layer."""
        found: npt.NDArray[np.bool_] = self._hits()["is_static"] != 0
        return found

    def _made_of(self, offsets: Offsets, at: Array, which: Array) -> CastLists:
        lists: CastLists = _of_arrays(CastLists, self._dtype, {"offsets": offsets, "hits": self._hits()[at]})
        return lists

    def __reduce__(self) -> Any:
        return _of_arrays, (CastLists, self._dtype, {"offsets": self.offsets, "hits": self._hits()})


class FirstHits(NamedTuple):
    """What casts touch first: ids, -1 without a hit; the fraction of the movement, infinity without one; and
    whether it is an element of the static layer. For one cast they are numbers."""

    ids: Any
    fractions: Any
    is_static: Any


class Nearest(NamedTuple):
    """The nearest agents of each point: k a row; -1 and infinity if there are fewer."""

    ids: Ids
    distances: Floats


def table_of(lists: Lists, count: int, is_own: bool) -> Nearest:
    """Lists of at most `count` as a table. In lists made by the call, roots may replace the squares."""
    ids, squared = lists._narrow(), lists.squared_distances
    assert squared is not None
    distances = np.sqrt(squared, out=squared) if is_own else lists.distances
    assert distances is not None
    rows = len(lists)
    if len(ids) == rows * count:
        all_ids = _ids.as_type(ids, lists._dtype) if is_own else lists.ids
        return Nearest(all_ids.reshape(rows, count), distances.reshape(rows, count))
    shape = (rows, count)
    table = Nearest(empty(shape, lists._dtype), empty(shape, np.float32))
    table.ids[...], table.distances[...] = -1, np.inf
    places = np.arange(count) < lists.counts[:, np.newaxis]
    table.ids[places] = ids
    table.distances[places] = distances
    return table
