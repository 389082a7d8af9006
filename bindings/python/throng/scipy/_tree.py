"""The classes that stand in for scipy.spatial.KDTree and cKDTree."""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np

from . import _around, _counts, _given, _lists, _nearest, _single, _within
from ._index import Index, workers_of
from ._norms import Doubles, Points, norm_of
from ._points import Wanted


class cKDTree:
    """Points in the plane, for the calls of scipy.spatial.KDTree, with its arguments, answers and defaults.

    The tree never changes, so any thread may ask it. `eps` is accepted, but answers are exact;
    `compact_nodes` and `balanced_tree` change nothing. As in SciPy, `data` is not copied if it is float64
    that lies close together, unless `copy_data`: do not write to it. Calls run on one thread, or on
    `workers`, -1 for one a core; calls without `workers` in SciPy take it here too, by name. Of points at
    equal distances any may come first.

    With a `boxsize` the plane wraps around, as in SciPy: data must be in the box, and queries may be anywhere.

    Refused: data that is not finite or not in the plane, queries that are not finite, and `p` other than 1, 2
    and infinity. There are no nodes, so there is no `tree`, no `indices` and no
    `size`.

    >>> from throng.scipy import KDTree
    >>> tree = KDTree([(0, 0), (3, 4), (9, 9)])
    >>> tree.query((0, 0), k=2)
    (array([0., 5.]), array([0, 1]))
    """

    __slots__ = ("_data", "_leafsize", "_boxsize", "_box", "_index", "__weakref__")
    # The type of a single id.
    _id: Any = int

    def __init__(
        self,
        data: Any,
        leafsize: int = 16,
        compact_nodes: bool = True,
        copy_data: bool = False,
        balanced_tree: bool = True,
        boxsize: Any = None,
    ) -> None:
        if leafsize < 1:
            raise ValueError("leafsize must be at least 1")
        self._boxsize = _given.boxsize(boxsize)
        self._data = _given.data(data, copy_data)
        self._box = _given.in_box(self._data, self._boxsize)
        self._leafsize = leafsize
        self._index = Index(_given.as_complex(self._data), self._box or (0, 0))

    @property
    def data(self) -> Doubles:
        return self._data

    @property
    def n(self) -> int:
        return len(self._data)

    @property
    def m(self) -> int:
        return 2

    @property
    def leafsize(self) -> int:
        return self._leafsize

    @property
    def boxsize(self) -> Optional[Doubles]:
        return self._boxsize

    @property
    def mins(self) -> Doubles:
        return self._index.bounds()[0]

    @property
    def maxes(self) -> Doubles:
        return self._index.bounds()[1]

    def query(
        self,
        x: Any,
        k: Any = 1,
        eps: float = 0,
        p: float = 2,
        distance_upper_bound: float = np.inf,
        workers: Optional[int] = 1,
    ) -> tuple[Any, Any]:
        """Distances and ids of the k points nearest to each of x, if nearer than distance_upper_bound.

        If there are fewer, the distance is infinity and the id n. `k` may be a list of ranks, from 1 on.

        >>> from throng.scipy import KDTree
        >>> tree = KDTree([(0, 0), (3, 4), (9, 9)])
        >>> distances, ids = tree.query([(0, 0), (9, 8)], k=[2])
        >>> ids.tolist()
        [[1], [1]]
        >>> tree.query((0, 1), k=2, distance_upper_bound=2)
        (array([ 1., inf]), array([0, 3]))
        """
        if workers == 1:
            one = _single.nearest(self._index.tree, x, k, p, distance_upper_bound)
            if one is not None:
                return one if k != 1 else (one[0], self._id(one[1]))
        points, shape = _given.points(x)
        which, count = _given.columns(k)
        bound = _given.radius("distance_upper_bound", distance_upper_bound)
        bound = 0.0 if math.isnan(bound) else abs(bound) if p == 2 else bound
        wanted = Wanted(count, bound, norm_of(p))
        if self._box is None:
            found = _nearest.nearest(self._index, points, wanted, workers_of(workers))
        else:
            points = self._box.fold(points)
            found = _around.nearest(self._index, self._box, points, wanted, workers_of(workers))
        distances, ids = found if which is None else (table[:, which] for table in found)
        if which is None and count == 1:
            distances, ids = distances.reshape(shape), ids.reshape(shape)
            return (distances, ids) if shape else (float(distances), self._id(ids))
        return distances.reshape(*shape, -1 if len(points) else distances.shape[1]), ids.reshape(
            *shape, -1 if len(points) else ids.shape[1]
        )

    def query_ball_point(
        self,
        x: Any,
        r: Any,
        p: float = 2.0,
        eps: float = 0,
        workers: Optional[int] = 1,
        return_sorted: Any = None,
        return_length: bool = False,
    ) -> Any:
        """All points within r of each of x: a list of ids, or an array of such lists in the shape of x.

        `r` may be an array for the points of x. Lists are sorted with `return_sorted`, or if that is None,
        for more than one point. With `return_length`, how many there are.

        >>> from throng.scipy import KDTree
        >>> tree = KDTree([(0, 0), (3, 4), (9, 9)])
        >>> tree.query_ball_point((0, 0), 5, return_sorted=True)
        [0, 1]
        >>> tree.query_ball_point([(0, 0), (9, 8)], [5, 1], return_length=True)
        array([2, 1])
        """
        if not return_length and workers == 1:
            one = _single.within(self._index.tree, x, r, p, return_sorted)
            if one is not None:
                return one
        points, shape = _given.points(x)
        if self._box is not None:
            points = self._box.fold(points)
        asked = _within.Asked(points, _given.radii(r, shape), norm_of(p))
        threads = workers_of(workers)
        if return_length:
            if self._box is None:
                counts = _within.counts(self._index, asked, threads)
            else:
                counts = _around.counts(self._index, self._box, asked, threads)
            return counts.reshape(shape) if shape else counts[0]
        is_sorted = bool(shape) if return_sorted is None else bool(return_sorted)
        lists = _lists.lists(self._index, self._box, asked, threads, is_sorted)
        return lists.reshape(shape) if shape else lists[0]

    def query_ball_tree(
        self, other: cKDTree, r: float, p: float = 2.0, eps: float = 0, *, workers: Optional[int] = 1
    ) -> list[list[int]]:
        """For each point, the points of the other tree within r.

        >>> from throng.scipy import KDTree
        >>> KDTree([(0, 0), (9, 9)]).query_ball_tree(KDTree([(0, 1), (1, 0)]), r=1)
        [[0, 1], []]
        """
        asked = _within.Asked(self._points(), _given.radius("r", r), norm_of(p))
        lists = _lists.lists(self._index_of(other), self._box, asked, workers_of(workers), True)
        result: list[list[int]] = lists.tolist()
        return result

    def query_pairs(
        self,
        r: float,
        p: float = 2.0,
        eps: float = 0,
        output_type: str = "set",
        *,
        workers: Optional[int] = 1,
    ) -> Any:
        """All pairs within r, the lower id first: a set of tuples, or with "ndarray" an array of two columns.

        >>> from throng.scipy import KDTree
        >>> KDTree([(0, 0), (3, 4), (9, 9)]).query_pairs(5, output_type="ndarray")
        array([[0, 1]])
        """
        if output_type not in ("set", "ndarray"):
            raise ValueError("Invalid output type")
        radius, norm, threads = _given.radius("r", r), norm_of(p), workers_of(workers)
        if self._box is None:
            pairs = _within.pairs(self._index, radius, norm, threads)
        else:
            pairs = _around.pairs(self._index, self._box, radius, norm, threads)
        return pairs if output_type == "ndarray" else set(zip(*pairs.T.tolist()))

    def count_neighbors(
        self,
        other: cKDTree,
        r: Any,
        p: float = 2.0,
        weights: Any = None,
        cumulative: bool = True,
        *,
        workers: Optional[int] = 1,
    ) -> Any:
        """How many pairs of a point here and one of the other tree are within r, or each of several r.

        Without `cumulative`, r must not decrease, and a pair counts only for the first r that it is within.
        With `weights`, one array if both trees are the same or a tuple of two, the sum of the products of
        both weights.

        >>> from throng.scipy import KDTree
        >>> tree = KDTree([(0, 0), (3, 4), (9, 9)])
        >>> tree.count_neighbors(tree, [1, 5])
        array([3, 5])
        """
        radii = np.atleast_1d(np.asarray(r, np.float64))
        if radii.ndim > 1:
            raise ValueError("r must be either a single value or a one-dimensional array of values")
        if not cumulative and (radii[1:] < radii[:-1]).any():
            raise ValueError("r must be non-decreasing for non-cumulative counting.")
        both = None if weights is None else self._weights(_tree(other), weights)
        threads = workers_of(workers)
        counts = _counts.counts(
            self._index, self._index_of(other), radii, norm_of(p), both, cumulative, threads
        )
        if np.ndim(r) == 0:
            return int(counts[0]) if both is None else counts[0]
        return counts

    def sparse_distance_matrix(
        self,
        other: cKDTree,
        max_distance: float,
        p: float = 2.0,
        output_type: str = "dok_matrix",
        *,
        workers: Optional[int] = 1,
    ) -> Any:
        """The distances between points here and points of the other tree, if at most max_distance.

        They come as a "dok_matrix", "coo_matrix", "dok_array" or "coo_array" of SciPy, as a "dict", or with
        "ndarray" as an array of i, j and v.

        >>> from throng.scipy import KDTree
        >>> KDTree([(0, 0), (3, 4)]).sparse_distance_matrix(KDTree([(0, 1)]), 2, output_type="dict")
        {(0, 0): 1.0}
        """
        if output_type not in ("dict", "ndarray", *_sparse):
            raise ValueError("Invalid output type")
        radius = _given.radius("max_distance", max_distance)
        asked = _within.Asked(self._points(), radius, norm_of(p))
        entries = _counts.distances(self._index_of(other), self._box, asked, workers_of(workers))
        if output_type == "ndarray":
            return entries
        if output_type == "dict":
            return dict(zip(zip(entries["i"].tolist(), entries["j"].tolist()), entries["v"].tolist()))
        from scipy import sparse  # type: ignore[import]

        kind = getattr(sparse, output_type.replace("dok", "coo"))
        matrix = kind((entries["v"], (entries["i"], entries["j"])), (self.n, other.n))
        return matrix.todok() if output_type.startswith("dok") else matrix

    def _points(self) -> Points:
        """This tree's points, as queries."""
        return self._index.points if self._box is None else self._box.fold(self._index.points)

    def _index_of(self, other: Any) -> Index:
        """The points of another tree in this tree's plane, as in SciPy."""
        its = _tree(other)
        if its._box == self._box:
            return its._index
        points = its._index.points
        return Index(points) if self._box is None else Index(self._box.fold(points), self._box)

    def _weights(self, other: cKDTree, given: Any) -> tuple[Doubles, Doubles]:
        if isinstance(given, tuple):
            mine, its = given
        elif other is self:
            mine = its = given
        else:
            raise ValueError("Two different trees are used. Specify weights for both in a tuple.")
        return _given.weights(mine, self.n), _given.weights(its, other.n)

    def __reduce__(self) -> Any:
        return type(self), (self.data, self.leafsize, True, False, True, self.boxsize)


class KDTree(cKDTree):
    """As cKDTree, but a single id is a np.intp, as in SciPy."""

    _id = np.intp

    def __init__(
        self,
        data: Any,
        leafsize: int = 10,
        compact_nodes: bool = True,
        copy_data: bool = False,
        balanced_tree: bool = True,
        boxsize: Any = None,
    ) -> None:
        super().__init__(data, leafsize, compact_nodes, copy_data, balanced_tree, boxsize)


_sparse = ("dok_matrix", "coo_matrix", "dok_array", "coo_array")


def _tree(other: Any) -> cKDTree:
    if not isinstance(other, cKDTree):
        raise TypeError(f"other must be a throng.scipy.KDTree, and not {type(other).__name__}")
    return other
