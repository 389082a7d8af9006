"""scipy.spatial.KDTree for points in the plane, on an engine.

>>> import numpy as np
>>> from throng.scipy import KDTree                 # instead of scipy.spatial
>>> tree = KDTree([(0, 0), (1, 0), (3, 0)])
>>> tree.query_pairs(r=2)
{(0, 1), (1, 2)}
>>> distances, ids = tree.query([(2.5, 0), (9, 0)], k=2)
>>> ids
array([[2, 1],
       [2, 1]])

The answers are those of SciPy, in doubles. SciPy itself is needed for its sparse matrices only.
"""

from ._tree import KDTree, cKDTree

__all__ = ["KDTree", "cKDTree"]
