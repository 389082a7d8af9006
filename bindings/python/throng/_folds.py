"""Folds over lists and pairs: sums, means, least and greatest values."""

from __future__ import annotations

import ctypes
import math
import operator
from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from ._arrays import Array, address, plain, stride
from ._native import structs
from ._native.codes import Argument, Code
from ._native.errors import BadValue, call
from ._native.library import initialised, library

_NAN = math.nan


class Folds:
    """Sums and other folds of values over lists and pairs, without temporary arrays.

    `values` has a row for each agent: an array (n,) gives one (m,), an array (n, k) gives (m, k), and a tuple
    of columns a tuple. There may be more rows than agents, as in arrays with room to grow. Row i of the
    result is that of agent, point or box i, in any order of the lists; for pairs it is that of agent i, over
    all that it is paired with.

    float32 and float64 are read in place; other numbers are copied to float64. Arithmetic is in doubles, one
    value after the other, so results are the same bits on any number of threads. The result has the type of
    the values. `out` may be of either type: doubles for unrounded sums of float32. If an id of a list has no
    value, `out` may have been written in part. `threads` is how many work at once, or None for all cores.
    """

    __slots__ = ()

    def _links(self) -> _Links:
        raise NotImplementedError

    def sum(
        self, values: Any, *, weights: Any = None, out: Any = None, threads: Optional[int] = None
    ) -> Any:
        """The sum of the values of all agents in each list; 0 for none. For integers and flags it is int64,
        and exact up to 2**53.

        `weights` has a factor for each of the ids, or for each pair: weights[e] belongs to ids[e].

        >>> import numpy as np, throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (3, 0)])
        >>> near = engine.frame.neighbours(radius=2, distances=True)
        >>> v = np.array([(1, 10), (2, 20), (4, 40)], np.float32)
        >>> near.sum(v)
        array([[ 2., 20.],
               [ 5., 50.],
               [ 2., 20.]], dtype=float32)
        >>> near.sum(v) - near.counts[:, None] * v    # of the differences to its own
        array([[  1.,  10.],
               [  1.,  10.],
               [ -2., -20.]])
        >>> near.sum(v[:, 0], weights=1 / near.distances)
        array([2., 3., 1.], dtype=float32)
        >>> throng.Pairs.of(engine.frame.pairs(within=2)).sum(v[:, 0])
        array([2., 5., 2.], dtype=float32)
        """
        return _fold(self._links(), structs.FOLD_SUM, values, weights, 0, out, threads)

    def mean(
        self,
        values: Any,
        *,
        weights: Any = None,
        fill: float = _NAN,
        out: Any = None,
        threads: Optional[int] = None,
    ) -> Any:
        """The mean of each list, with weights as in `sum`; `fill` for none, or for weights whose sum is 0.

        >>> import throng
        >>> engine = throng.Engine()
        >>> engine.update([(0, 0), (1, 0), (3, 0), (9, 9)])
        >>> near = engine.frame.neighbours(radius=2)
        >>> near.mean([1, 2, 5, 0], fill=-1), near.max([1, 2, 5, 0])
        (array([ 2.,  3.,  2., -1.]), array([ 2.,  5.,  2., nan]))
        """
        return _fold(self._links(), structs.FOLD_MEAN, values, weights, fill, out, threads)

    def min(
        self, values: Any, *, fill: float = _NAN, out: Any = None, threads: Optional[int] = None
    ) -> Any:
        """The least value of each list; NaN if a value is NaN, and `fill` for none."""
        return _fold(self._links(), structs.FOLD_LEAST, values, None, fill, out, threads)

    def max(
        self, values: Any, *, fill: float = _NAN, out: Any = None, threads: Optional[int] = None
    ) -> Any:
        """The greatest value of each list; NaN if a value is NaN, and `fill` for none."""
        return _fold(self._links(), structs.FOLD_GREATEST, values, None, fill, out, threads)


class _Links(NamedTuple):
    """The lists or pairs as the library reads them."""

    struct: structs.Links
    ids: Array
    # How many rows results have; None: as many as the values.
    rows: Optional[int]


def links_of_lists(offsets: Array, ids: Array, places: Optional[Array]) -> _Links:
    struct = initialised(structs.Links)
    struct.offsets, struct.offset_count = address(offsets), len(offsets)
    struct.ids, struct.id_count = address(ids), len(ids)
    if places is None:
        rows = len(offsets) - 1
    else:
        struct.places, struct.place_count = address(places), len(places)
        rows = int(places.max()) + 1
    struct.keep = (offsets, ids, places)
    return _Links(struct, ids, rows)


def links_of_pairs(ids: Array) -> _Links:
    struct = initialised(structs.Links)
    struct.are_pairs = 1
    struct.pairs, struct.pair_count = address(ids), len(ids)
    struct.keep = ids
    return _Links(struct, ids, None)


def count_of_pairs(ids: Array, agents: int) -> npt.NDArray[np.int64]:
    counts = np.zeros(operator.index(agents))
    results = (structs.ResultColumn * 1)(structs.ResultColumn(*_column(counts)))
    fold = initialised(structs.Fold)
    fold.by = structs.FOLD_COUNT
    links = links_of_pairs(ids)
    _call(links, len(counts), ctypes.c_void_p(), 0, results, 1, fold, None)
    return counts.astype(np.int64)


class _Table(NamedTuple):
    """Values or results, as they were given, and as columns."""

    given: Any
    columns: list[Array]

    def shape(self, rows: int) -> Any:
        return (rows,) + np.shape(self.given)[1:]


def _fold(
    links: _Links, by: int, given: Any, weights: Any, fill: float, out: Any, threads: Optional[int]
) -> Any:
    values = _values(given)
    rows = min((len(column) for column in values.columns), default=0) if links.rows is None else links.rows
    if out is None:
        results = _new(values, rows)
    else:
        results = _results(out, values, rows)
        if _share_memory(results, values.columns):
            values = _Table(values.given, [column.copy() for column in values.columns])
    if not values.columns:
        return results.given
    fold = initialised(structs.Fold)
    fold.by, fold.empty = by, fill
    if weights is not None:
        weight = _numbers("weights", weights, 1)
        if _share_memory(results, [weight]):
            weight = weight.copy()
        fold.weights = ctypes.addressof(kept := structs.Column(*_column(weight)))
        fold.keep = (weight, kept)
    if links.struct.places:
        for column in results.columns:
            column[:] = fill  # ids that have no list
    count = len(values.columns)
    read = (structs.Column * count)(*(structs.Column(*_column(each)) for each in values.columns))
    written = (structs.ResultColumn * count)(
        *(structs.ResultColumn(*_column(each)) for each in results.columns)
    )
    least = min(len(column) for column in values.columns)
    _call(links, least, read, count, written, count, fold, threads)
    if out is None and by == structs.FOLD_SUM and weights is None:
        if isinstance(given, tuple) and isinstance(results.given, tuple):
            return tuple(map(_whole_if, given, results.given))
        return _whole_if(given, results.given)
    return results.given


def _share_memory(results: _Table, arrays: list[Array]) -> bool:
    return any(np.may_share_memory(a, b) for a in results.columns for b in arrays)


def _whole_if(values: Any, sums: Array) -> Array:
    """The sums of integers and flags are int64."""
    if plain(values, np.float64).dtype.kind not in "iub":
        return sums
    if sums.size and not np.abs(sums).max() < 2.0**63:
        row = np.argwhere(~(np.abs(sums) < 2.0**63))[0][0]
        raise ValueError(f"the sum of row {row} is too large for an int64: give values as float64")
    return sums.astype(np.int64)


def _call(
    links: _Links,
    values: int,
    read: Any,
    count: int,
    written: Any,
    room: int,
    fold: structs.Fold,
    threads: Optional[int],
) -> None:
    from ._engine.engine import configuration  # which knows results

    config = configuration(threads)
    arrays = (ctypes.cast(read, ctypes.c_void_p), count, ctypes.cast(written, ctypes.c_void_p), room)
    try:
        call(library.throng_arrays_fold, links.struct, *arrays, fold, config)
    except BadValue as error:
        if error.code != Code.UNKNOWN_ID or error.argument != Argument.LISTS or error.index is None:
            raise
        agent = int(links.ids.reshape(-1)[error.index]) & 0xFFFFFFFF
        text = f"agent {agent} has no value: there are {values} (element {error.index} of the ids)"
        raise BadValue(text, Code.UNKNOWN_ID, Argument.LISTS, error.index) from None


def _values(given: Any) -> _Table:
    if isinstance(given, tuple) and all(np.ndim(column) == 1 for column in given):
        return _Table(given, [_numbers("values", column, 1) for column in given])
    array = _numbers("values", given, 2)
    return _Table(array, [array] if array.ndim == 1 else list(array.T))


def _numbers(name: str, given: Any, axes: int) -> Array:
    """float32 or float64 that the library can read, with one axis or, if there may be, two."""
    if isinstance(given, np.ma.MaskedArray):
        raise TypeError(f"{name} is masked: give the elements that count, {name}.filled(0)")
    array = plain(given, np.float64)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{name} must hold real numbers, and not {array.dtype}")
    if not 1 <= array.ndim <= axes:
        shapes = "(n,)" if axes == 1 else "(n,) or (n, k)"
        raise ValueError(f"{name} must have the shape {shapes}, and not {array.shape}")
    is_read = array.dtype in (np.float32, np.float64) and array.dtype.isnative and array.flags.aligned
    if is_read and (len(array) < 2 or array.strides[0] >= array.itemsize):
        return array
    return np.array(array, np.float32 if array.dtype == np.float32 else np.float64, order="C")


def _new(values: _Table, rows: int) -> _Table:
    if isinstance(values.given, tuple):
        columns = [np.empty(rows, column.dtype) for column in values.columns]
        return _Table(tuple(columns), columns)
    array = np.empty(values.shape(rows), values.given.dtype)
    return _Table(array, [array] if array.ndim == 1 else list(array.T))


def _results(out: Any, values: _Table, rows: int) -> _Table:
    is_tuple = isinstance(values.given, tuple)
    arrays = list(out) if is_tuple and isinstance(out, tuple) else [out]
    shape = (rows,) if is_tuple else values.shape(rows)
    if is_tuple and (not isinstance(out, tuple) or len(out) != len(values.columns)):
        raise ValueError(f"out must be a tuple of {len(values.columns)} arrays, as the values are")
    for array in arrays:
        if not isinstance(array, np.ndarray) or array.dtype not in (np.float32, np.float64):
            raise TypeError("out must be an array of float32 or float64")
        if array.shape != shape:
            raise ValueError(f"out must have the shape {shape}, and not {array.shape}")
        goes_forward = rows < 2 or array.strides[0] >= array.itemsize
        if not (array.flags.writeable and array.flags.aligned and goes_forward):
            raise ValueError("out must be writeable and aligned, with its rows one after the other")
    if is_tuple or out.ndim == 1:
        return _Table(out, arrays)
    return _Table(out, list(out.T))


def _column(array: Array) -> tuple[int, int, int, int]:
    return address(array), len(array), stride(array), _TYPES[array.dtype]


_TYPES = {np.dtype(np.float32): structs.FLOATS, np.dtype(np.float64): structs.DOUBLES}
