"""What the calls of a cluster take and return, and the errors they raise. Nothing here needs the cluster's library."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Protocol, Union

import numpy as np
import numpy.typing as npt

from . import _arguments
from ._arguments import Shapes
from ._arrays import AgentsAs, address
from ._native import cluster_library as native
from ._native import structs
from ._native.errors import BadValue, Error, OutOfMemory
from ._native.library import initialised
from ._queries.filter import mask
from ._shapes import what_agents_are

#: What `pairs` returns: two ids, and their places; see Cluster.pairs.
PAIR = np.dtype([("a", "u8"), ("b", "u8"), ("a_place", "u4"), ("b_place", "u4")])
#: What `reports` returns for each rank.
RANK_REPORT = np.dtype(
    [(name, "u8") for name in "owned ghosts pairs bytes most_bytes".split()]
    + [
        (f"{name}_seconds", "f8")
        for name in "update partition migration ghosting build query waited busy".split()
    ]
)
#: What `first_hits` returns.
HIT = np.dtype([("id", "u8"), ("fraction", "f4"), ("is_found", "u4")])

_HOST_FAILED = 9
_BYTES = 0
_NUMBERS = {"f4": 1, "f8": 2, "i1": 3, "i2": 4, "i4": 5, "i8": 6, "u1": 3, "u2": 4, "u4": 5, "u8": 6}


class Communicator(Protocol):
    """An mpi4py communicator."""

    def py2f(self) -> int: ...


class ClusterError(Error):
    """A refusal or a failure, raised on all ranks: `rank` and `index` say where, if anywhere."""

    def __init__(self, text: str, status: native.Status) -> None:
        index = None if status.index == 2**64 - 1 else int(status.index)
        super().__init__(text, status.code, status.argument, index)
        self.trouble = int(status.trouble)
        self.rank = None if status.rank < 0 else int(status.rank)
        self.mpi_error = int(status.mpi_error)
        self.id = int(status.id)


class ClusterBadValue(ClusterError, BadValue):
    """A value that a rank was refused."""


class ClusterOutOfMemory(ClusterError, OutOfMemory):
    """A rank had not enough memory."""


def failure(what: Optional[BaseException]) -> native.Status:
    status = native.Status(trouble=_HOST_FAILED, rank=-1, index=2**64 - 1)
    if isinstance(what, ClusterError):
        status.trouble, status.code, status.argument = what.trouble, int(what.code), int(what.argument)
        status.index = status.index if what.index is None else what.index
        status.rank, status.mpi_error, status.id = -1 if what.rank is None else what.rank, what.mpi_error, what.id
    return status


def viewed(pointer: Optional[int], count: int, dtype: Any) -> Any:
    kind = np.dtype(dtype)
    if not pointer or count == 0:
        return np.empty(0, kind)
    return np.frombuffer(memoryview((ctypes.c_char * (count * kind.itemsize)).from_address(pointer)), kind)


def read_only(pointer: Optional[int], count: int, dtype: Any) -> Any:
    view = viewed(pointer, count, dtype)
    view.flags.writeable = False
    return view


def copied(pointer: Optional[int], count: int, dtype: Any) -> Any:
    copy = np.empty(count if pointer else 0, dtype)
    if pointer and copy.nbytes:
        ctypes.memmove(copy.ctypes.data, pointer, copy.nbytes)
    return copy


def integers_of(values: Any, dtype: Any) -> Any:
    with np.errstate(invalid="ignore"):
        integers = np.ascontiguousarray(values, dtype=dtype)
    given = np.asarray(values) if hasattr(values, "dtype") else np.asarray(values, object)
    most = np.iinfo(dtype).max
    if given.dtype.kind in "iu":
        fits = given.size == 0 or np.can_cast(given.dtype, dtype) or (given.min() >= 0 and given.max() <= most)
    else:
        fits = given.dtype.kind not in "fcO" or not (integers != given).any()
    if not fits:
        raise TypeError(f"ids, labels and places must be integers from 0 to {most}")
    return integers


def rows_of(values: Any, columns: int, dtype: Any = np.float32) -> Any:
    rows = integers_of(values, dtype) if np.dtype(dtype).kind == "u" else np.ascontiguousarray(values, dtype=dtype)
    if rows.size and (rows.ndim != 2 or rows.shape[1] != columns):
        raise ValueError(f"an array must have the shape (n, {columns}), and not {rows.shape}")
    return rows.reshape(-1, columns)


def boxes_of(places: Any, radius: Any) -> structs.Boxes:
    if radius is None:
        return _arguments.boxes(Shapes(places), None)
    return _arguments.points_with_radius(places, radius, None)


def labels_of(given: Any) -> Optional[structs.Labels]:
    if given is None:
        return None
    rows, labels = rows_of(given, 2, np.uint32), initialised(structs.Labels)
    labels.count, labels.stride = len(rows), 8
    labels.categories, labels.groups = address(rows), address(rows) + 4
    labels.keep = rows
    return labels


def ref(struct: Any) -> Any:
    return None if struct is None else ctypes.byref(struct)


def pair_query(
    within: float, agents_as: AgentsAs, categories: tuple[int, int], other_groups_only: bool
) -> structs.PairQuery:
    query = initialised(structs.PairQuery)
    query.within, query.agents_as = within, what_agents_are(agents_as)
    query.a, query.b = (mask("categories", each) for each in categories)
    query.other_groups_only = bool(other_groups_only)
    return query


def neighbourhood(radius: Any, nearest: int, agents_as: AgentsAs) -> Union[structs.Within, structs.Nearest]:
    wanted: Union[structs.Within, structs.Nearest]
    if nearest == 0:
        wanted = initialised(structs.Within)
        _arguments.radii(wanted, "radius", "", radius, None)
    else:
        wanted = initialised(structs.Nearest)
        wanted.count = _arguments.at_least_one("nearest", nearest)
        _arguments.radii(wanted, "radius", "max_", radius, None)
    wanted.agents_as, wanted.distances = what_agents_are(agents_as), 1
    return wanted


def address_of(array: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if array is None else array.ctypes.data)


def values_of(array: Any) -> native.Values:
    """The array with a value in each row: numbers that can be added, or bytes."""
    if array.dtype.hasobject:
        raise ValueError("objects of Python cannot go to other ranks")
    kind = _NUMBERS.get(array.dtype.str[1:], _BYTES) if array.dtype.isnative else _BYTES
    in_a_row = int(np.prod(array.shape[1:], dtype=np.uint64))
    numbers = in_a_row * (array.dtype.itemsize if kind == _BYTES else 1)
    return native.Values(array.ctypes.data, len(array), numbers, kind, 0)


class Agents(NamedTuple):
    """The agents of a rank, by ascending id. There are labels, and heights, if any rank gives them."""

    ids: npt.NDArray[np.uint64]
    boxes: npt.NDArray[np.float32]
    labels: Optional[npt.NDArray[np.uint32]]
    payload: Optional[npt.NDArray[Any]]
    heights: Optional[npt.NDArray[np.float32]]


class Lists:
    """Lists of ids, one after the other: `lists[i]`, or all of them as `offsets` and `ids`. `numbers` are the squared
    distances of neighbours, and the fractions of casts."""

    def __init__(self, offsets: Any, ids: Any, numbers: Any) -> None:
        self.offsets: npt.NDArray[np.uint64] = offsets
        self.ids: npt.NDArray[np.uint64] = ids
        self.numbers: Optional[npt.NDArray[np.float32]] = numbers

    def __len__(self) -> int:
        return max(len(self.offsets) - 1, 0)

    def __getitem__(self, index: int) -> npt.NDArray[np.uint64]:
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        begin, end = self.offsets[index % len(self)], self.offsets[index % len(self) + 1]
        return self.ids[int(begin) : int(end)]


def lists_of(lists: native.Lists) -> Lists:
    count = int(lists.count)
    offsets = copied(lists.offsets, count + 1, np.uint64)
    total = int(offsets[-1]) if len(offsets) else 0
    numbers = copied(lists.numbers, total, np.float32) if lists.numbers or total == 0 else None
    return Lists(offsets, copied(lists.ids, total, np.uint64), numbers)
