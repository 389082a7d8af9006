"""The trees of boxes that Python users have, shapely's and rtree's, and the grid that one writes by hand with NumPy."""

import collections
import importlib

import numpy as np

from points import Peer
from worlds import NEAREST, QUERY_HALF, RADIUS

Lists = collections.namedtuple("Lists", "offsets ids")


def around(points, half):
    return np.concatenate([points - half, points + half], axis=1)


def listed(askers, found, queries):
    """Lists, of who asks in ascending order and whom it finds."""
    return Lists(np.searchsorted(askers, np.arange(queries + 1)), found)


def near_of(points, i, ids):
    """Which of some agents are within the radius of one."""
    ids = np.asarray(ids, np.int64)
    return ids[((points[ids] - points[i]) ** 2).sum(axis=1) <= RADIUS**2]


class Shapely(Peer):
    """Version 2 takes arrays; 1.8 a call for each query."""

    name, module = "shapely", "shapely.strtree"

    def __init__(self, threads=1):
        super().__init__(threads)
        self.shapely = importlib.import_module("shapely")
        self.version = self.shapely.__version__
        self.is_one_by_one = int(self.version.split(".")[0]) < 2
        self.settings = "STRtree, query_items, one call each" if self.is_one_by_one else "STRtree, query of arrays"
        self.tree = importlib.import_module(self.module).STRtree
        self.box = importlib.import_module("shapely.geometry").box

    def index(self, step):
        if self.is_one_by_one:
            point = importlib.import_module("shapely.geometry").Point
            return self.tree([point(place) for place in step.points])
        return self.tree(self.shapely.points(step.points))

    def index_of_boxes(self, step):
        if self.is_one_by_one:
            return self.tree([self.box(*box) for box in step.boxes])
        return self.tree(self.shapely.box(*step.boxes.T))

    def within(self, tree, step, who):
        if self.is_one_by_one:
            boxes = around(step.points[who], RADIUS)
            return [near_of(step.points, i, tree.query_items(self.box(*box))) for i, box in zip(who, boxes)]
        return listed(*tree.query(self.shapely.points(step.places(who)), "dwithin", RADIUS), len(who))

    few = within

    def single(self, tree, step, who):
        if self.is_one_by_one:
            return self.within(tree, step, who)
        return [tree.query(self.shapely.Point(step.points[i]), "dwithin", RADIUS) for i in who]

    def touching(self, tree, step, who):
        i, j = self._overlapping(tree, step.boxes[who], who)
        return np.stack([i, j], axis=1)[i != j] if self.is_one_by_one else np.stack([i, j], axis=1)[i < j]

    def boxes(self, tree, step, who):
        if self.is_one_by_one:
            return [tree.query_items(self.box(*box)) for box in step.queries[who]]
        return listed(*tree.query(self.shapely.box(*step.regions(who).T)), len(who))

    def _overlapping(self, tree, boxes, who):
        if not self.is_one_by_one:
            return tree.query(self.shapely.box(*boxes.T))
        lists = [tree.query_items(self.box(*box)) for box in boxes]
        return np.repeat(who, [len(each) for each in lists]), np.concatenate(lists)


class RTree(Peer):
    """A call for each query: intersection_v and nearest_v, which take many, fail in version 1.4 if queries find more than two."""

    name, module, settings = "rtree", "rtree.index", "built from a stream, one call each; few move by delete and insert"
    is_one_by_one = True

    def __init__(self, threads=1):
        super().__init__(threads)
        self.kind = importlib.import_module(self.module).Index
        self.version = importlib.import_module("rtree").__version__

    def index(self, step):
        return self._of(around(step.points, 0))

    def index_of_boxes(self, step):
        return self._of(step.boxes)

    def _of(self, boxes):
        self.boxes_now = boxes
        return self.kind((i, box, None) for i, box in enumerate(boxes.tolist()))

    def move_few(self, tree, step):
        boxes = around(step.points, 0)
        for i in step.moved.tolist():
            tree.delete(i, self.boxes_now[i])
            tree.insert(i, boxes[i])
        self.boxes_now = boxes
        return tree

    @staticmethod
    def _asked(tree, boxes):
        """Which query finds whom."""
        lists = [list(tree.intersection(box)) for box in boxes]
        return np.repeat(np.arange(len(boxes)), [len(each) for each in lists]), np.concatenate(lists).astype(np.int64)

    def within(self, tree, step, who):
        places = step.points[who]
        i, j = self._asked(tree, around(places, RADIUS))
        near = ((places[i] - step.points[j]) ** 2).sum(axis=1) <= RADIUS**2
        return listed(i[near], j[near], len(who))

    few = within

    def single(self, tree, step, who):
        boxes = around(step.points[who], RADIUS)
        return [near_of(step.points, i, list(tree.intersection(box))) for i, box in zip(who, boxes)]

    def nearest(self, tree, step, who):
        places = step.points[who]
        found = np.array([list(tree.nearest(place, NEAREST + 1))[: NEAREST + 1] for place in places])
        away = np.hypot(*(step.points[found] - places[:, np.newaxis]).transpose(2, 0, 1))
        return np.sort(away, axis=1)[:, 1:]

    def touching(self, tree, step, who):
        i, j = self._asked(tree, step.boxes[who])
        return np.stack([who[i], j], axis=1)[who[i] != j]

    def boxes(self, tree, step, who):
        return listed(*self._asked(tree, step.queries[who]), len(who))


# Agents by their cells: `order` has their ids cell by cell, and `starts` where each cell begins in it. There is an empty column on
# each side and an empty row above and below.
Cells = collections.namedtuple("Cells", "width columns rows order starts")


def expanded(begins, ends):
    """All numbers of each run, and which run each is of."""
    lengths = ends - begins
    run = np.repeat(np.arange(len(begins)), lengths)
    return run, np.arange(len(run)) + (begins - np.cumsum(lengths) + lengths)[run]


class GridByHand(Peer):
    """Cells as wide as what is asked, so that a query looks into nine of them; all of it in arrays."""

    name, module, settings = "numpy.grid", "numpy", "argsort by cell, cells as wide as what is asked"
    version = np.__version__

    def begin(self, task):
        super().begin(task)
        self.reach = {"boxes": QUERY_HALF, "touching": None}.get(task, RADIUS)

    def index(self, step):
        return self._cells(step.points, self.reach)

    def index_of_boxes(self, step):
        return self._cells(step.points, (self.reach or step.half.max()) + step.half.max())

    @staticmethod
    def _cells(points, width):
        column, row = (points / width).astype(np.int64).T + 1
        columns, rows = column.max() + 2, row.max() + 2
        cell = row * columns + column
        starts = np.zeros(columns * rows + 1, np.int64)
        np.cumsum(np.bincount(cell, minlength=columns * rows), out=starts[1:])
        return Cells(width, columns, rows, np.argsort(cell, kind="stable"), starts)

    @staticmethod
    def _around(cells, places):
        """Who asks and the agents in the nine cells around it."""
        column, row = (places / cells.width).astype(np.int64).T + 1
        first = np.clip(row, 1, cells.rows - 2) * cells.columns + np.clip(column, 1, cells.columns - 2) - 1
        first = np.stack([first - cells.columns, first, first + cells.columns], axis=1).ravel()
        run, at = expanded(cells.starts[first], cells.starts[first + 3])
        return run // 3, cells.order[at]

    @staticmethod
    def _pairs(cells, points):
        """Pairs in one cell or in two beside each other, each once: who comes later in this row, and three cells of the next."""
        column, row = (points[cells.order] / cells.width).astype(np.int64).T + 1
        cell = row * cells.columns + column
        begins = np.concatenate([np.arange(1, len(cell) + 1), cells.starts[cell + cells.columns - 1]])
        ends = np.concatenate([cells.starts[cell + 2], cells.starts[cell + cells.columns + 2]])
        run, at = expanded(begins, ends)
        return cells.order[run % len(cell)], cells.order[at]

    def within(self, cells, step, who):
        places = step.places(who)
        i, j = self._around(cells, places)
        near = ((places[i] - step.points[j]) ** 2).sum(axis=1) <= RADIUS**2
        return listed(i[near], j[near], len(who))

    few = within

    def single(self, cells, step, who):
        return [self.within(cells, step, [i]).ids for i in who]

    def pairs(self, cells, step, who):
        i, j = self._pairs(cells, step.points)
        near = ((step.points[i] - step.points[j]) ** 2).sum(axis=1) <= RADIUS**2
        return np.stack([i[near], j[near]], axis=1)

    def touching(self, cells, step, who):
        i, j = self._pairs(cells, step.points)
        near = (np.abs(step.points[i] - step.points[j]) <= step.half[i] + step.half[j]).all(axis=1)
        return np.stack([i[near], j[near]], axis=1)

    def boxes(self, cells, step, who):
        middles = step.places(who)
        i, j = self._around(cells, middles)
        near = (np.abs(middles[i] - step.points[j]) <= step.half[j] + QUERY_HALF).all(axis=1)
        return listed(i[near], j[near], len(middles))
