"""Throng: a spatial index in the plane for very many agents, most of which move in every step.

>>> import numpy as np, throng
>>> engine = throng.Engine()                        # on all cores
>>> x = np.array([(0, 0), (1, 0), (9, 9)], np.float32)
>>> engine.update(x, radius=0.5)                    # all agents, in every step
>>> frame = engine.frame                            # a snapshot: any thread may ask it
>>> frame.pairs()                                   # every two that touch, as (m, 2) ids
array([[0, 1]])
>>> near = frame.neighbours(radius=2)               # lists of ids, as views of the library's memory
>>> near.offsets, near.ids
(array([0, 1, 2, 2]), array([1, 0]))
"""

from . import arrays
from ._engine.edits import AgentHandle
from ._engine.engine import Engine
from ._engine.reports import MemoryReport, Tuning, build_info
from ._engine.static_layer import StaticLayer
from ._frame import Agents, BothLayers, Frame
from ._native.codes import Argument, Code
from ._native.errors import BadValue, Error, OutOfMemory
from ._native.library import library as _loaded
from ._native.pool import release_memory
from ._origin import PrecisionWarning
from ._queries.blocks import blocks
from ._queries.casts import casts
from ._queries.filter import Filter
from ._queries.kept import KeptNeighbours
from ._queries.overlaps import Explanation
from ._queries.pairs import Changes, PairChanges
from ._results import CastLists, FirstHits, Lists, Nearest, Pairs

_version = _loaded.throng_version()
__version__ = f"{_version // 1_000_000}.{_version // 1_000 % 1_000}.{_version % 1_000}"

__all__ = [
    "AgentHandle",
    "Agents",
    "Argument",
    "BadValue",
    "BothLayers",
    "CastLists",
    "Changes",
    "Code",
    "Engine",
    "Error",
    "Explanation",
    "Filter",
    "FirstHits",
    "Frame",
    "KeptNeighbours",
    "Lists",
    "MemoryReport",
    "Nearest",
    "OutOfMemory",
    "PairChanges",
    "Pairs",
    "PrecisionWarning",
    "StaticLayer",
    "Tuning",
    "arrays",
    "blocks",
    "build_info",
    "casts",
    "release_memory",
]
