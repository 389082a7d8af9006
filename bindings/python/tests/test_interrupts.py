"""A signal that comes in the middle of a long call is handled there: what its handler raises ends the call, and
otherwise the call goes on."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
import threading
from typing import Any, Callable, Iterator

import numpy as np
import pytest

import throng
from throng._native.library import library
from throng._native.pool import LEAST, pool, Pool
from throng.scipy import KDTree

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")


class Enough(Exception):
    pass


def raise_enough(*_: Any) -> None:
    raise Enough


def raise_at_the_third() -> Callable[..., None]:
    """A handler for a signal that comes again and again. Where a call handles none until it is done, they all count as
    one, so only a call that handles them in its middle ever sees the third."""
    seen: list[None] = []

    def handler(*_: Any) -> None:
        seen.append(None)
        if len(seen) == 3:
            raise Enough

    return handler


@pytest.fixture(scope="module", params=[None, 1], ids=["all cores", "one thread"])
def dense(request: Any) -> throng.Engine:
    """Where a search within 60 finds some ten thousand agents, which takes seconds for all of them."""
    engine = throng.Engine(threads=request.param)
    engine.update(np.random.default_rng(1).random((200_000, 2), np.float32) * 450, radius=0.3)
    return engine


@pytest.fixture
def alarm() -> Iterator[Callable[..., None]]:
    """Sets a handler, and when the signal comes."""
    before = signal.getsignal(signal.SIGALRM)

    def start(handler: Callable[..., None], first: float, then: float = 0) -> None:
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, first, then)

    yield start
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


LONG_CALLS: dict[str, Callable[[throng.Frame], Any]] = {
    "count_neighbours": lambda frame: frame.count_neighbours(radius=60),
    "neighbours": lambda frame: frame.neighbours(radius=40),
    "neighbours of points": lambda frame: frame.neighbours(frame.agents().boxes[:, :2], radius=40),
    "count_pairs": lambda frame: frame.count_pairs(within=60),
    "overlaps": lambda frame: frame.overlaps(frame.agents().boxes + np.array((-40, -40, 40, 40), np.float32)),
    "all_hits": lambda frame: frame.all_hits(frame.agents().boxes[:, :2], frame.agents().boxes[:, :2] + 900),
}


@pytest.mark.parametrize("name", LONG_CALLS)
def test_what_a_handler_raises_ends_the_call(
    dense: throng.Engine, alarm: Callable[..., None], name: str
) -> None:
    frame = dense.frame
    before = frame.count((100, 100, 200, 200))
    alarm(raise_at_the_third(), 0.1, 0.05)
    with pytest.raises(Enough):
        LONG_CALLS[name](frame)
    assert frame.count((100, 100, 200, 200)) == before
    assert dense.validate() is None


@pytest.mark.parametrize("workers", [1, -1])
@pytest.mark.parametrize("call", ["count_neighbors", "query_pairs"])
def test_calls_of_the_tree_of_doubles_end_too(alarm: Callable[..., None], call: str, workers: int) -> None:
    random = np.random.default_rng(3)
    if call == "query_pairs":  # of points at one place, which no engine tells apart
        points = random.random((12_000, 2)) * 1e-9
        points[0] = 1
        arguments: tuple[Any, ...] = (1e-9,)
    else:
        points = random.random((200_000, 2))
        arguments = (KDTree(points), np.linspace(0.01, 0.2, 200))
    tree = KDTree(points)
    alarm(raise_at_the_third(), 0.1, 0.05)
    with pytest.raises(Enough):
        getattr(tree, call)(*arguments, workers=workers)


def test_keyboard_interrupt_leaves_results_and_frames_as_they_were(
    dense: throng.Engine, alarm: Callable[..., None]
) -> None:
    lists = throng.Lists()
    frame = dense.frame
    ids = frame.neighbours(radius=0.5, out=lists).ids
    kept = ids.copy()
    alarm(signal.default_int_handler, 0.2)
    with pytest.raises(KeyboardInterrupt):
        frame.neighbours(radius=40, out=lists)
    assert np.array_equal(ids, kept)
    assert np.array_equal(frame.neighbours(radius=0.5, out=lists).ids, kept)


def test_a_handler_that_raises_nothing_and_asks_itself_disturbs_nothing(
    dense: throng.Engine, alarm: Callable[..., None]
) -> None:
    frame = dense.frame
    counts = frame.count_neighbours(radius=8)
    inside = frame.count((100, 100, 200, 200))
    found = []
    alarm(lambda *_: found.append(frame.count([(100, 100, 200, 200)])[0]), 0.01, 0.02)
    for _ in range(3):
        assert np.array_equal(frame.count_neighbours(radius=8), counts)
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert set(found) == {inside}


def test_a_handler_may_ask_while_its_thread_takes_kept_memory() -> None:
    kept, seen = Pool(1 << 30), []

    class Left:  # by an answer that died
        kind, owner = None, None

        @staticmethod
        def bytes(_: Any) -> int:  # asked under the lock
            kept.next_frame()
            kept.release()
            seen.append((kept.take(Left, "any"), kept.bytes))
            return LEAST

    Left.kind = Left  # type: ignore[assignment]
    kept.returned.append(Left)
    assert kept.bytes == LEAST and seen == [(None, 0)]


def test_a_handler_may_read_kept_lists_while_its_thread_changes_them(
    dense: throng.Engine, alarm: Callable[..., None]
) -> None:
    lists, found = throng.KeptNeighbours(radius=6, skin=1), []

    def read(*_: Any) -> None:
        found.append((len(lists.ids), len(lists.offsets)))
        with pytest.raises(BufferError, match="handler"):
            lists.clear()

    alarm(read, 0.03)
    lists.update(dense.frame)
    assert found == [(0, 1)] and len(lists.ids) > 0


def test_an_update_that_was_ended_has_changed_nothing(alarm: Callable[..., None]) -> None:
    engine = throng.Engine(threads=1)
    engine.update([(0, 0), (1, 1)])
    many = np.random.default_rng(2).random((1_000_000, 2), np.float32) * 1000
    ended = 0
    for delay in np.linspace(0.005, 0.05, 6):
        alarm(raise_enough, delay, 1)  # again, as Python only prints what a handler raises amid a clean-up
        try:
            while True:
                engine.update(many, radius=0.3)
        except Enough:
            ended += len(engine) == 2
        signal.setitimer(signal.ITIMER_REAL, 0)
        assert engine.validate() is None and len(engine) in (2, len(many))
        engine.update([(0, 0), (1, 1)])
    assert len(engine) == 2


def test_trials_that_were_ended_let_go_of_older_frames(alarm: Callable[..., None]) -> None:
    random, engine = np.random.default_rng(2), throng.Engine(threads=1)
    engine.update(random.random((1000, 2)) * 100, radius=0.3)
    ids, points = random.integers(0, 1000, 1_000_000), random.random((1_000_000, 2)) * 100
    engine.frame.number  # leaves a handle for the next frame
    frames, newest = pool.frames, ctypes.c_void_p()

    def number() -> int:
        library.throng_engine_frame(engine._handle, ctypes.byref(newest), None)
        return int(library.throng_frame_number(newest))

    def raise_amid_the_trials(*_: Any) -> None:
        if number() > 1:
            raise Enough

    alarm(raise_amid_the_trials, 0.1, 0.05)
    with pytest.raises(Enough):
        engine.try_moves(ids, points, 0.3)
    signal.setitimer(signal.ITIMER_REAL, 0)
    (left,) = engine._spares.returned
    assert library.throng_frame_number(left.owner) == number() > 1
    library.throng_frame_release(newest)
    assert pool.frames == frames + 1


def test_calls_of_other_threads_go_on(dense: throng.Engine, alarm: Callable[..., None]) -> None:
    frame = dense.frame
    expected = frame.count_neighbours(radius=8)
    found: list[Any] = []
    other = threading.Thread(target=lambda: found.append(frame.count_neighbours(radius=8)))
    other.start()  # before the alarm, which else ends that
    with pytest.raises(Enough):
        alarm(raise_enough, 0.05)
        frame.count_neighbours(radius=60)
    other.join()
    assert np.array_equal(found[0], expected)


def test_a_child_process_is_interrupted_too() -> None:
    code = """
import os, signal, sys, threading, numpy as np
holder = []
def load():
    import throng
    holder.append(throng)
thread = threading.Thread(target=load)  # where no signal is handled
thread.start(), thread.join()
throng = holder[0]
if os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
engine = throng.Engine(threads=1)
engine.update(np.random.default_rng(1).random((200_000, 2), np.float32) * 450)
def enough(*_): raise KeyboardInterrupt
signal.signal(signal.SIGALRM, enough)
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    engine.frame.count_neighbours(radius=60)
except KeyboardInterrupt:
    os._exit(7)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == 7
