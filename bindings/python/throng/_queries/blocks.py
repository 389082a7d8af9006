"""Answers in blocks, if all of them are too many to hold."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Union

from .._results import CastLists, Lists
from .asked import Asked

_IN_BLOCKS = ("overlaps", "neighbours", "nearest_lists", "neighbours_in", "all_hits")


def blocks(
    query: Callable[..., Any], *arguments: Any, max_bytes: int, **options: Any
) -> Iterator[tuple[int, Union[Lists, CastLists]]]:
    """Runs a batch block by block: yields the number of the first list of each block, and its lists.

    `query` is `overlaps`, `neighbours`, `nearest_lists` or `all_hits` of a frame, and takes its arguments. A
    block has as many lists as fit into max_bytes, and at least one. Its arrays may be kept; the lists
    themselves are filled again.

    >>> import throng
    >>> engine = throng.Engine()
    >>> engine.update([(0, 0), (1, 0), (2, 0), (9, 9)])
    >>> for first, lists in throng.blocks(engine.frame.neighbours, radius=1, max_bytes=16):
    ...     print(first, [ids.tolist() for ids in lists])
    0 [[1]]
    1 [[0, 2]]
    2 [[1]]
    3 [[]]
    """
    if max_bytes < 1:
        raise ValueError(f"max_bytes must be above 0, and not {max_bytes}")
    name = getattr(query, "__name__", "")
    if isinstance(getattr(query, "__self__", None), Asked) and name not in _IN_BLOCKS:
        raise TypeError(f"{name} does not come in blocks: only {', '.join(_IN_BLOCKS)} do")
    dtype = options.pop("dtype", None)
    out: Any = CastLists(dtype) if name == "all_hits" else Lists(dtype)
    first = 0
    while True:
        out._block = (first, max_bytes)
        query(*arguments, out=out, **options)
        if len(out) == 0:
            return
        yield first, out
        first += len(out)
