"""The engine and the drop-in of Throng, and the k-d trees that Python users have: SciPy's, pykdtree's, scikit-learn's.

Each peer is a class: a method `index` makes what is asked, `move` makes it again after a step, and a method by the name of a task
answers that task. A peer without that method has no such call.
"""

import ctypes
import importlib
import importlib.metadata
import os

import numpy as np

from worlds import NEAREST, RADIUS

ALL = -1


def cores():
    return len(os.sched_getaffinity(0))


class Peer:
    # Whether each query is a call of Python: then a part of the agents asks, and times are scaled.
    is_one_by_one = False
    # Whether one call answers for all agents, so that there is no order in which they ask.
    asks_for_all = False
    # Tasks whose calls have no threads.
    on_one_thread = {"single"}

    def __init__(self, threads=1):
        self.workers = threads
        self.threads = cores() if threads == ALL else threads

    def begin(self, task):
        """Before a task, untimed."""
        self.pairs_before = np.empty(0, np.int64)

    def changes(self, index, step, who):
        """Which pairs began and which ended, by their keys, as one writes it over pairs in an array."""
        pairs = self.pairs(index, step, who)
        now = np.sort(pairs.min(axis=1) * len(step.points) + pairs.max(axis=1))
        before, self.pairs_before = self.pairs_before, now
        return np.setdiff1d(now, before, assume_unique=True), np.setdiff1d(before, now, assume_unique=True)

    def move(self, index, step):
        return self.index(step)

    def move_few(self, index, step):
        return self.move(index, step)

    def index_of_boxes(self, step):
        return self.index(step)

    def move_boxes(self, index, step):
        return self.index_of_boxes(step)


class Throng(Peer):
    name, module = "throng", "throng"
    settings = "update for all agents, move and commit for few; out= is kept"
    asks_for_all = True

    def __init__(self, threads=1):
        super().__init__(threads)
        self.throng = importlib.import_module("throng")
        self.version = self.throng.__version__
        self.lists, self.kept, self.k_lists = self.throng.Lists(), self.throng.Pairs(), self.throng.Lists()

    def _engine(self):
        return self.throng.Engine(threads=None if self.workers == ALL else self.workers)

    def index(self, step):
        return self.move(self._engine(), step)

    def move(self, engine, step):
        engine.update(step.points)
        return engine

    def index_of_boxes(self, step):
        return self.move_boxes(self._engine(), step)

    def move_boxes(self, engine, step):
        engine.update_boxes(step.boxes)
        return engine

    def move_few(self, engine, step):
        engine.move(step.moved, step.points[step.moved])
        engine.commit()
        return engine

    def within(self, engine, step, who):
        if len(who) == len(step.points):
            return engine.frame.neighbours(radius=RADIUS, out=self.lists)
        return engine.frame.neighbours(step.points[who], radius=RADIUS, out=self.lists)

    few = within

    def single(self, engine, step, who):
        frame = engine.frame
        return [frame.neighbours(step.points[i], radius=RADIUS) for i in who]

    def nearest(self, engine, step, who):
        return engine.frame.nearest(k=NEAREST, out=self.k_lists).distances

    def pairs(self, engine, step, who):
        return engine.frame.pairs(within=RADIUS, out=self.kept)

    def begin(self, task):
        self.kept_changes = self.throng.PairChanges()

    def changes(self, engine, step, who):
        found = engine.frame.pair_changes(self.kept_changes, within=RADIUS)
        return found.began, found.ended

    def touching(self, engine, step, who):
        return engine.frame.pairs(out=self.kept)

    def boxes(self, engine, step, who):
        return engine.frame.overlaps(step.queries, out=self.lists)


class SciPy(Peer):
    name, module = "scipy", "scipy.spatial"
    settings = "cKDTree, balanced_tree=False, compact_nodes=False, return_sorted=False, pairs as ndarray"
    options = {"balanced_tree": False, "compact_nodes": False}
    on_one_thread = {"single", "pairs", "changes"}

    def __init__(self, threads=1):
        super().__init__(threads)
        self.kind = importlib.import_module(self.module).cKDTree
        self.version = importlib.import_module(self.module.split(".", maxsplit=1)[0]).__version__

    def index(self, step):
        return self.kind(step.points, **self.options)

    def within(self, tree, step, who):
        return tree.query_ball_point(step.places(who), RADIUS, workers=self.workers, return_sorted=False)

    few = within

    def single(self, tree, step, who):
        return [tree.query_ball_point(step.points[i], RADIUS) for i in who]

    def nearest(self, tree, step, who):
        return tree.query(step.places(who), NEAREST + 1, workers=self.workers)[0][:, 1:]

    def pairs(self, tree, step, who):
        return tree.query_pairs(RADIUS, output_type="ndarray")


class SciPyDefaults(SciPy):
    name = "scipy.defaults"
    settings = "cKDTree, balanced and compact, return_sorted=False, pairs as ndarray"
    options = {}


class DropIn(SciPy):
    name, module, settings = "throng.scipy", "throng.scipy", "KDTree, return_sorted=False, pairs as ndarray"
    options = {}
    on_one_thread = {"single"}

    def pairs(self, tree, step, who):
        return tree.query_pairs(RADIUS, output_type="ndarray", workers=self.workers)


class PyKDTree(Peer):
    name, module, settings = "pykdtree", "pykdtree.kdtree", "leafsize=16"

    def __init__(self, threads=1):
        super().__init__(threads)
        self.kind = importlib.import_module(self.module).KDTree
        self.version = importlib.metadata.version("pykdtree")
        self.openmp = ctypes.CDLL("libgomp.so.1")  # the one that it is linked with

    def index(self, step):
        self.openmp.omp_set_num_threads(self.threads)
        return self.kind(step.points)

    def nearest(self, tree, step, who):
        self.openmp.omp_set_num_threads(self.threads)
        return tree.query(step.places(who), NEAREST + 1)[0][:, 1:]


class ScikitLearn(Peer):
    name, module = "scikit-learn", "sklearn.neighbors"
    settings = "NearestNeighbors, kd_tree"

    def __init__(self, threads=1):
        super().__init__(threads)
        self.kind = importlib.import_module(self.module).NearestNeighbors
        self.version = importlib.import_module("sklearn").__version__

    def index(self, step):
        found = self.kind(n_neighbors=NEAREST, radius=RADIUS, algorithm="kd_tree", n_jobs=self.workers)
        return found.fit(step.points)

    def within(self, tree, step, who):
        return tree.radius_neighbors(step.places(who), return_distance=False)

    few = within

    def single(self, tree, step, who):
        return [tree.radius_neighbors(step.points[i : i + 1], return_distance=False)[0] for i in who]

    def nearest(self, tree, step, who):
        return tree.kneighbors(step.places(who), NEAREST + 1)[0][:, 1:]
