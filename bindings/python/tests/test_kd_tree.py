"""throng.scipy.KDTree gives the answers of scipy.spatial.KDTree: the same bits, shapes and types."""

from __future__ import annotations

import pickle
from typing import Any, Callable

import numpy as np
import pytest

from throng.scipy import KDTree, cKDTree
from throng.scipy import _index

spatial = pytest.importorskip("scipy.spatial")

COUNT = 250
Make = Callable[[np.random.Generator, int], Any]
WORLDS: dict[str, Make] = {
    "even": lambda random, n: random.random((n, 2)) * 1000,
    "far_away": lambda random, n: random.random((n, 2)) + (1e6, -1e8),
    "on_a_grid": lambda random, n: random.integers(0, 20, (n, 2)) * 0.1,
    "integers": lambda random, n: random.integers(-50, 50, (n, 2)),
    "float32": lambda random, n: random.random((n, 2), np.float32),
    "on_a_line": lambda random, n: np.stack([random.random(n), np.zeros(n)], axis=1),
    "clusters": lambda random, n: random.integers(0, 3, (n, 2)) * 1e6 + random.normal(size=(n, 2)) * 1e-6,
    "one_point_far_away": lambda random, n: np.append(random.random((n - 1, 2)), [[1e9, 1e9]], axis=0),
    "all_at_one_place": lambda random, n: np.full((n, 2), 3.3),
    "tiny": lambda random, n: random.random((n, 2)) * 1e-140,
    "huge": lambda random, n: random.random((n, 2)) * 1e140,
}


@pytest.fixture(params=["by_tree", "by_engine"])
def by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few queries are the tree's, unless the engine is told to take them."""
    if request.param == "by_engine":
        monkeypatch.setattr(_index, "FEW", 0)


@pytest.fixture(params=WORLDS)
def world(request: pytest.FixtureRequest) -> Make:
    return WORLDS[request.param]


def queries_of(data: Any, random: np.random.Generator) -> Any:
    """Points of the data, points between and near them, and some far outside."""
    low, high = data.min(axis=0).astype(np.float64), data.max(axis=0).astype(np.float64)
    around = low + (random.random((30, 2)) * 1.5 - 0.25) * (high - low)
    outside = low + random.normal(size=(10, 2)) * 10.0 ** random.integers(0, 6, (10, 1)) * (high - low)
    return np.concatenate([data[:60], around, outside])


def same(mine: Any, its: Any) -> None:
    """The same values, types and shapes."""
    assert np.shape(mine) == np.shape(its)
    assert np.asarray(mine).dtype == np.asarray(its).dtype
    if isinstance(its, np.ndarray) or not isinstance(mine, np.generic):
        assert type(mine) is type(its)
    assert np.array_equal(mine, its)


def check_nearest(tree: Any, points: Any, mine: Any, its: Any, p: float) -> None:
    """The same distances, of points that have them: which of equal ones comes first is not said."""
    same(mine[0], its[0])
    assert mine[1].dtype == its[1].dtype and mine[1].shape == its[1].shape
    is_there = np.isfinite(mine[0])
    assert (mine[1][~is_there] == tree.n).all()
    apart = np.abs(points[:, np.newaxis] - np.append(tree.data, [[np.nan] * 2], axis=0)[mine[1]])
    measured = {1: apart.sum(axis=-1), 2: np.sqrt((apart**2).sum(axis=-1)), np.inf: apart.max(axis=-1)}[p]
    assert np.array_equal(measured[is_there], mine[0][is_there])
    ranked = np.sort(mine[1], axis=-1)
    assert not ((ranked[:, 1:] == ranked[:, :-1]) & (ranked[:, 1:] < tree.n)).any()


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("p", [1, 2, np.inf])
@pytest.mark.parametrize("count", [1, 7, COUNT])
def test_the_nearest_are_those_of_scipy(
    world: Make, random: np.random.Generator, count: int, p: float
) -> None:
    data = world(random, count)
    points = queries_of(data, random)
    mine, its = KDTree(data), spatial.KDTree(data)
    extent = float((its.maxes - its.mins).max())
    for k in ([1], [3, 1], range(1, 9), 8, 64, 100):
        for bound in (np.inf, extent / 20):
            wanted: dict[str, Any] = {"k": k, "p": p, "distance_upper_bound": bound}
            check_nearest(its, points, mine.query(points, **wanted), its.query(points, **wanted), p)


@pytest.mark.usefixtures("by")
@pytest.mark.parametrize("p", [1, 2, np.inf])
@pytest.mark.parametrize("count", [1, 7, COUNT])
def test_all_within_a_radius_are_those_of_scipy(
    world: Make, random: np.random.Generator, count: int, p: float
) -> None:
    data = world(random, count)
    points = queries_of(data, random)
    mine, its = KDTree(data), spatial.KDTree(data)
    other, its_other = KDTree(points), spatial.KDTree(points)
    extent = float((its.maxes - its.mins).max())
    for radius in (0, extent / 100, extent / 7, np.inf):
        same(mine.query_ball_point(points, radius, p), its.query_ball_point(points, radius, p))
        assert other.query_ball_tree(mine, radius, p) == its_other.query_ball_tree(its, radius, p)
    assert mine.query_pairs(extent / 9, p) == its.query_pairs(extent / 9, p)
    each = random.random(len(points)) * extent / 5
    same(mine.query_ball_point(points, each, p), its.query_ball_point(points, each, p))
    same(
        mine.query_ball_point(points, each, p, return_length=True),
        its.query_ball_point(points, each, p, return_length=True),
    )
    radii = [0, extent / 50, extent / 9, np.inf]
    for cumulative in (True, False):
        found = mine.count_neighbors(other, radii, p, cumulative=cumulative)
        same(found, its.count_neighbors(its_other, radii, p, cumulative=cumulative))


@pytest.mark.usefixtures("by")
def test_radii_that_are_distances_include_the_points_there(world: Make, random: np.random.Generator) -> None:
    data = world(random, 60)
    mine, its = KDTree(data), spatial.cKDTree(data)
    for radius in its.query(data, 3)[0][::6, 2].tolist():
        assert mine.query_pairs(radius) == its.query_pairs(radius)
        assert mine.query(data, 3, distance_upper_bound=radius)[1].max() == mine.n


@pytest.mark.usefixtures("by")
def test_queries_from_far_outside_are_those_of_scipy(random: np.random.Generator) -> None:
    data = random.random((2000, 2))
    points = 0.5 + random.normal(size=(150, 2)) * 10.0 ** random.integers(1, 6, (150, 1))
    mine, its = KDTree(data), spatial.cKDTree(data)
    expected = its.query(points, 6)
    assert np.array_equal(mine.query(points, 6)[0], expected[0])
    same(mine.query_ball_point(points, expected[0][:, 3]), its.query_ball_point(points, expected[0][:, 3]))


@pytest.mark.parametrize("workers", [1, 2, -1, None])
def test_many_queries_in_blocks_are_those_of_scipy(random: np.random.Generator, workers: Any) -> None:
    data, points = random.random((20_000, 2)), random.random((30_000, 2)) * 1.2
    mine, its = KDTree(data), spatial.cKDTree(data)
    found, expected = mine.query(points, 3, workers=workers), its.query(points, 3)
    assert np.array_equal(found[0], expected[0]) and np.array_equal(found[1], expected[1])
    lengths = its.query_ball_point(points, 0.01, return_length=True)
    assert np.array_equal(mine.query_ball_point(points, 0.01, workers=workers, return_length=True), lengths)
    lists = mine.query_ball_point(points[:9000], 0.01, workers=workers)
    assert np.array_equal(lists, its.query_ball_point(points[:9000], 0.01))
    pairs = mine.query_pairs(0.005, output_type="ndarray")
    assert pairs.dtype == np.int64 and (pairs[:, 0] < pairs[:, 1]).all()
    assert set(map(tuple, pairs.tolist())) == its.query_pairs(0.005)


def test_clusters_that_float32_cannot_tell_apart_are_searched(random: np.random.Generator) -> None:
    places = random.random((5, 2)) * 1e6
    data = places[random.integers(0, 5, 4000)] + random.normal(size=(4000, 2)) * 1e-5
    mine, its = KDTree(data), spatial.cKDTree(data)
    assert np.array_equal(mine.query(data, 4)[0], its.query(data, 4)[0])
    assert mine.query_pairs(1e-7) == its.query_pairs(1e-7) != set()
    assert np.array_equal(mine.query_ball_point(data, 1e-6), its.query_ball_point(data, 1e-6))


X = [(0.5, 0.5), (0.1, 0.9), (0.2, 0.2), (9, 9), (0, 0), (1, 1)]


@pytest.mark.parametrize(
    "call",
    [
        lambda tree: tree.query(X[0]),
        lambda tree: tree.query(X[0], 3),
        lambda tree: tree.query(X[0], [1]),
        lambda tree: tree.query(X, [2, 5]),
        lambda tree: tree.query(X, 2.0),
        lambda tree: tree.query(X, np.int64(1)),
        lambda tree: tree.query(np.reshape(X, (2, 3, 2)), 4),
        lambda tree: tree.query(np.reshape(X, (2, 3, 2))),
        lambda tree: tree.query(np.reshape(X, (2, 3, 2)), [1]),
        lambda tree: tree.query(np.zeros((0, 2)), 4),
        lambda tree: tree.query(np.zeros((3, 0, 2))),
        lambda tree: tree.query(X, 25),
        lambda tree: tree.query(X[0], 3, distance_upper_bound=0.1),
        lambda tree: tree.query(tree.data[3:5], distance_upper_bound=0),
        lambda tree: tree.query(X, 2, distance_upper_bound=np.nan),
        lambda tree: tree.query(np.array(X, object)),
        lambda tree: tree.query_ball_point(X[0], 0.3, return_sorted=True),
        lambda tree: tree.query_ball_point(X, 0.3),
        lambda tree: tree.query_ball_point(X, [0.3, 0.2, 0.1, 0, 1, 2]),
        lambda tree: tree.query_ball_point(np.reshape(X, (2, 3, 2)), 0.3),
        lambda tree: tree.query_ball_point(np.reshape(X, (2, 3, 2)), [0.1, 0.2, 0.3]),
        lambda tree: tree.query_ball_point(X[0], 0.3, return_length=True),
        lambda tree: tree.query_ball_point(X, 0.3, return_length=True),
        lambda tree: tree.query_ball_point(np.zeros((0, 2)), 0.3),
        lambda tree: tree.query_ball_point(np.zeros((0, 2)), 0.3, return_length=True),
        lambda tree: tree.query_ball_point(X[:2], np.nan),
        lambda tree: tree.query_ball_point(X[:2], -0.3),
        lambda tree: tree.query_ball_tree(tree, 0.2),
        lambda tree: tree.query_pairs(0.2),
        lambda tree: tree.query_pairs(0, output_type="ndarray"),
        lambda tree: tree.count_neighbors(tree, 0.2),
        lambda tree: tree.count_neighbors(tree, [0.3, 0.1, -np.inf, np.inf]),
        lambda tree: tree.count_neighbors(tree, [0.1, 0.2], cumulative=False),
        lambda tree: tree.count_neighbors(tree, []),
        lambda tree: tree.sparse_distance_matrix(tree, 0.2, output_type="dict"),
        lambda tree: tree.mins,
        lambda tree: tree.maxes,
        lambda tree: tree.data,
        lambda tree: [tree.n, tree.m, tree.leafsize],
        lambda tree: pickle.loads(pickle.dumps(tree)).query(X),
    ],
)
@pytest.mark.parametrize("count", [0, 20])
def test_shapes_types_and_defaults_are_those_of_scipy(
    call: Callable[[Any], Any], random: np.random.Generator, count: int
) -> None:
    data = random.random((count, 2))
    mine, its = call(KDTree(data, leafsize=7)), call(spatial.KDTree(data, leafsize=7))
    if isinstance(its, tuple):
        for one, other in zip(mine, its):
            same(one, other)
    elif isinstance(its, (set, dict, list)):
        assert mine == its
    else:
        same(mine, its)


def test_weights_are_summed(random: np.random.Generator) -> None:
    data, others = random.random((70, 2)), random.random((50, 2))
    mine, its = [KDTree(data), KDTree(others)], [spatial.KDTree(data), spatial.KDTree(others)]
    a, b = random.random(70), random.random(50)
    asked: list[dict[str, Any]] = [
        {"r": 0.2},
        {"r": [0.1, 0.3, np.inf]},
        {"r": [0.1, 0.3], "cumulative": False},
    ]
    for weights in ((a, b), (a, None), (None, b)):
        for options in asked:
            found = mine[0].count_neighbors(mine[1], weights=weights, **options)
            expected = its[0].count_neighbors(its[1], weights=weights, **options)
            assert np.allclose(found, expected, rtol=1e-12) and np.shape(found) == np.shape(expected)
            assert np.asarray(found).dtype == np.float64
    found = mine[0].count_neighbors(mine[0], 0.2, weights=a)
    assert np.isclose(found, its[0].count_neighbors(its[0], 0.2, weights=a))


@pytest.mark.parametrize("output_type", ["dok_array", "coo_array"])
def test_sparse_arrays_have_what_matrices_have(random: np.random.Generator, output_type: str) -> None:
    mine = KDTree(random.random((70, 2))), KDTree(random.random((50, 2)))
    array = mine[0].sparse_distance_matrix(mine[1], 0.2, output_type=output_type)
    matrix = mine[0].sparse_distance_matrix(mine[1], 0.2, output_type="coo_matrix")
    assert type(array).__name__ == output_type
    assert array.nnz == matrix.nnz > 0 and np.array_equal(array.toarray(), matrix.toarray())


@pytest.mark.parametrize("output_type", ["dok_matrix", "coo_matrix", "ndarray", "dict"])
def test_sparse_distances_are_those_of_scipy(random: np.random.Generator, output_type: str) -> None:
    data, others = random.random((70, 2)), random.random((50, 2))
    mine = KDTree(data).sparse_distance_matrix(KDTree(others), 0.2, output_type=output_type)
    its = spatial.KDTree(data).sparse_distance_matrix(spatial.KDTree(others), 0.2, output_type=output_type)
    assert type(mine) is type(its)
    if output_type == "ndarray":
        assert mine.dtype == its.dtype
        assert sorted(mine.tolist()) == sorted(its.tolist())
    elif output_type == "dict":
        assert mine == its
    else:
        assert (mine != its).nnz == 0 and mine.shape == its.shape and mine.nnz == its.nnz > 0


@pytest.mark.parametrize("workers", [1, 2])
def test_radii_whose_squares_no_double_holds_reach_everywhere(random: np.random.Generator, workers: int, by: None) -> None:
    data = random.random((COUNT, 2)) * 1e140
    mine, its = KDTree(data), spatial.KDTree(data)
    radii = np.full(COUNT, 1e200)
    same(mine.query_ball_point(data, radii, return_length=True, workers=workers), its.query_ball_point(data, radii, return_length=True))
    assert mine.count_neighbors(mine, [1e150, 1e200]).tolist() == its.count_neighbors(its, [1e150, 1e200]).tolist()
    assert mine.query_pairs(1e200) == its.query_pairs(1e200)


def test_data_is_copied_if_asked_for() -> None:
    data = np.zeros((3, 2))
    assert np.shares_memory(KDTree(data).data, data)
    assert not np.shares_memory(KDTree(data, copy_data=True).data, data)


NAN = [(0, 0), (float("nan"), 1)]


@pytest.mark.parametrize(
    "call",
    [
        lambda kind: kind([]),
        lambda kind: kind([1, 2]),
        lambda kind: kind(np.zeros((2, 2, 2))),
        lambda kind: kind([(1j, 0)]),
        lambda kind: kind([("a", "b")]),
        lambda kind: kind(X, leafsize=0),
        lambda kind: kind(X).query((0, 0, 0)),
        lambda kind: kind(X).query(3.0),
        lambda kind: kind(X).query((1j, 0)),
        lambda kind: kind(X).query(X, None),
        lambda kind: kind(X).query(X, 0),
        lambda kind: kind(X).query(X, "a"),
        lambda kind: kind(X).query(X, [[1, 2]]),
        lambda kind: kind(X).query(X, p=0.5),
        lambda kind: kind(X).query(X, workers=0),
        lambda kind: kind(X).query(X, workers=-2),
        lambda kind: kind(X).query(X, workers=1.5),
        lambda kind: kind(X).query(X, distance_upper_bound=[1, 2]),
        lambda kind: kind(X).query_ball_point((0, 0, 0), 1),
        lambda kind: kind(X).query_ball_point(X, [1, 2]),
        lambda kind: kind(X).query_ball_point(X, "a"),
        lambda kind: kind(X).query_ball_point(X, 1j),
        lambda kind: kind(X).query_ball_tree(3, 1),
        lambda kind: kind(X).query_ball_tree(kind(X), [1]),
        lambda kind: kind(X).query_pairs([1]),
        lambda kind: kind(X).query_pairs("a"),
        lambda kind: kind(X).query_pairs(1, output_type="list"),
        lambda kind: kind(X).count_neighbors(3, 1),
        lambda kind: kind(X).count_neighbors(kind(X), [[1], [2]]),
        lambda kind: kind(X).count_neighbors(kind(X), [2, 1], cumulative=False),
        lambda kind: kind(X).count_neighbors(kind(X), 1, weights=[1] * 6),
        lambda kind: kind(X).count_neighbors(kind(X), 1, weights=([1] * 5, [1] * 6)),
        lambda kind: kind(X).count_neighbors(kind(X), 1, weights=([1] * 6,) * 3),
        lambda kind: kind(X).sparse_distance_matrix(kind(X), 1, output_type="csr"),
    ],
)
def test_errors_are_of_the_kinds_of_scipy(call: Callable[[Any], Any]) -> None:
    with pytest.raises(Exception) as its:
        call(spatial.KDTree)
    with pytest.raises(its.type):
        call(KDTree)


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda: KDTree(np.zeros((4, 3))), ValueError, "data must have 2 columns"),
        (lambda: KDTree(NAN), ValueError, "element 1 of data"),
        (lambda: KDTree(X).query(NAN), ValueError, "'x' must be finite"),
        (lambda: KDTree(X).query(NAN[1]), ValueError, "'x' must be finite"),
        (lambda: KDTree(X).query((np.inf, 0), 3), ValueError, "'x' must be finite"),
        (lambda: KDTree(X).query_ball_point(NAN, 1), ValueError, "'x' must be finite"),
        (lambda: KDTree(X).query_ball_point((-np.inf, 0), 1), ValueError, "'x' must be finite"),
        (lambda: KDTree(X).query_ball_point(NAN[1], 1, return_length=True), ValueError, "'x' must be finite"),
        (lambda: KDTree(X).query(X, [1, 0]), ValueError, "k must be at least 1"),
        (lambda: KDTree(X).query(X, p=3), ValueError, "p must be 1, 2 or infinity"),
        (lambda: KDTree(X).query_pairs(1, p=3), ValueError, "p must be 1, 2 or infinity"),
    ],
)
def test_what_is_not_supported_is_refused_by_name(
    call: Callable[[], Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        call()
