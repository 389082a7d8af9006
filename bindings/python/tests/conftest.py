"""What the tests share: crowds, and the answers of brute force."""

from __future__ import annotations

import sys
from typing import Any, Callable

import numpy as np
import pytest

import throng


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.fixture(params=[None, 1], ids=["all_cores", "serial"])
def engine(request: pytest.FixtureRequest) -> throng.Engine:
    return throng.Engine(threads=request.param)


def crowd(random: np.random.Generator, count: int, dtype: Any = np.float32) -> Any:
    """Points in a square in which each has about three others within 1."""
    return (random.random((count, 2)) * np.sqrt(count)).astype(dtype)


def steps_of(call: Callable[[], Any]) -> int:
    """How many functions a call enters, of Python and of C: what a small call costs, whatever the machine does besides."""
    call()
    steps = []
    sys.setprofile(lambda frame, event, argument: steps.append(event))
    try:
        call()
    finally:
        sys.setprofile(None)
    return sum(event in ("call", "c_call") for event in steps)


def overlapping(boxes: Any, others: Any) -> Any:
    """Whether box i touches box j of the others."""
    a, b = np.asarray(boxes)[:, None, :], np.asarray(others)[None, :, :]
    return (
        (a[..., 0] <= b[..., 2])
        & (b[..., 0] <= a[..., 2])
        & (a[..., 1] <= b[..., 3])
        & (b[..., 1] <= a[..., 3])
    )


def as_set(pairs: Any) -> set[tuple[int, int]]:
    return {(min(a, b), max(a, b)) for a, b in np.asarray(pairs).tolist()}


def brute_pairs(boxes: Any) -> set[tuple[int, int]]:
    touches = np.triu(overlapping(boxes, boxes), 1)
    return set(zip(*(axis.tolist() for axis in np.nonzero(touches))))
