"""Memory of large answers: what died is used again, what is held is never touched, and all of it is bounded
and given back."""

from __future__ import annotations

import ctypes
import gc
import os
import pathlib
import subprocess
import sys
import threading
import weakref
from typing import Any, Iterator, NamedTuple

import numpy as np
import pytest
from conftest import crowd

import throng
from throng._native import handles, memory
from throng._native.memory import PAIRS
from throng._native.pool import LEAST, Pool, pool
from throng.scipy import KDTree

LARGE = 60_000  # agents, whose pairs within 2 are some megabytes


@pytest.fixture(autouse=True)
def nothing_is_kept() -> Iterator[None]:
    throng.release_memory()
    yield
    throng.release_memory()


def world(random: np.random.Generator, count: int = LARGE) -> Any:
    engine = throng.Engine()
    engine.update(crowd(random, count), radius=0.2)
    return engine


def place(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


LARGE_QUERIES: dict[str, Any] = {
    "pairs": lambda frame: frame.pairs(within=2),
    "sorted pairs": lambda frame: frame.pairs(within=2, sort=True),
    "nearest ids": lambda frame: frame.nearest(k=8).ids,
    "nearest distances": lambda frame: frame.nearest(k=8).distances,
    "neighbours": lambda frame: frame.neighbours(radius=2).ids,
    "distances": lambda frame: frame.neighbours(radius=2, distances=True).distances,
    "in row order": lambda frame: frame.neighbours(radius=2, in_row_order=True).ids,
    "overlaps": lambda frame: frame.overlaps(centre=crowd(np.random.default_rng(1), LARGE), half=2).ids,
    "as found": lambda frame: frame.overlaps(
        centre=crowd(np.random.default_rng(1), LARGE), half=2, as_found=True
    ).ids,
    "hits of casts": lambda frame: frame.all_hits(
        crowd(np.random.default_rng(1), LARGE), crowd(np.random.default_rng(1), LARGE) + 3, radius=1
    ).ids,
}


@pytest.mark.parametrize("name", LARGE_QUERIES)
def test_a_large_answer_takes_the_memory_of_one_that_died(name: str, random: np.random.Generator) -> None:
    frame, ask = world(random).frame, LARGE_QUERIES[name]
    assert ask(frame).nbytes >= LEAST
    places = {place(ask(frame)) for _ in range(6)}
    assert len(places) <= 2
    assert pool.bytes > 0


@pytest.mark.parametrize("name", LARGE_QUERIES)
def test_what_is_held_is_never_written_to(name: str, random: np.random.Generator) -> None:
    engine, ask = world(random), LARGE_QUERIES[name]
    held: list[tuple[Any, Any]] = []
    for step in range(8):
        engine.update(crowd(random, LARGE + 1000 * step), radius=0.2)
        answer = ask(engine.frame)
        if step % 3 != 2:  # what is let go meanwhile is filled by the next
            held.append((answer[1:], answer[1:].copy()))
        del answer
    for array, was in held:
        assert np.array_equal(array, was)


def test_threads_that_ask_and_hold_never_meet(random: np.random.Generator) -> None:
    frame = world(random).frame
    expected = {name: LARGE_QUERIES[name](frame).copy() for name in ("pairs", "neighbours", "nearest ids")}
    wrong: list[str] = []

    def reader(seed: int) -> None:
        mine = np.random.default_rng(seed)
        held: list[tuple[str, Any]] = []
        for _ in range(12):
            name = str(mine.choice(list(expected)))
            held.append((name, LARGE_QUERIES[name](frame)))
            if mine.random() < 0.1:
                throng.release_memory()
            wrong.extend(name for name, answer in held if not np.array_equal(answer, expected[name]))
            if mine.random() < 0.6:
                held.pop(int(mine.integers(len(held))))

    threads = [threading.Thread(target=reader, args=(seed,)) for seed in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not wrong


def test_an_array_outlives_result_frame_and_engine_and_the_memory_of_others(
    random: np.random.Generator,
) -> None:
    engine = world(random)
    ids = engine.frame.pairs(within=2)
    was, part = ids.copy(), ids[10:20, 0]
    del engine, ids
    throng.release_memory()
    other = world(random)
    for _ in range(3):
        other.frame.pairs(within=2)
    assert np.array_equal(part, was[10:20, 0])


def test_what_out_held_is_used_again_when_it_is_gone(random: np.random.Generator) -> None:
    frame, out = world(random).frame, throng.Pairs()
    frame.pairs(within=2, out=out)
    before = pool.bytes
    del out
    assert pool.bytes > before


def test_release_memory_gives_all_of_it_back(random: np.random.Generator) -> None:
    engine = world(random)
    for release in (throng.release_memory, engine.release_memory):
        held = engine.frame.pairs(within=2)
        engine.frame.nearest(k=8)
        engine.frame.pairs(within=2)
        assert pool.bytes > held.nbytes
        release()
        assert pool.bytes == 0
        assert len(held) == engine.frame.count_pairs(within=2)
        del held


def test_what_many_frames_did_not_need_goes_back_and_what_they_need_stays(
    random: np.random.Generator,
) -> None:
    engine = world(random)
    engine.frame.pairs(within=2)
    engine.frame.nearest(k=8)
    small = throng.Engine()
    for _ in range(70):
        small.update([(0, 0)])
        engine.frame.pairs(within=2)
    with_pairs = pool.bytes
    assert 0 < with_pairs < 2 * engine.frame.pairs(within=2).nbytes
    for _ in range(70):
        small.insert([(0, 0)])
        small.commit()
    assert pool.bytes == 0


def test_edits_that_are_only_staged_are_no_frames(random: np.random.Generator) -> None:
    engine = world(random)
    engine.frame.pairs(within=2)
    frames = pool.frames
    for _ in range(5):
        engine.move([0], [(1, 1)])
    assert pool.frames == frames
    engine.commit()
    assert pool.frames == frames + 1


def test_no_more_is_kept_than_the_bound(random: np.random.Generator, monkeypatch: Any) -> None:
    frame = world(random).frame
    one = frame.pairs(within=2, dtype=np.int32).nbytes
    throng.release_memory()
    monkeypatch.setattr(pool, "most", 3 * one)
    held = [frame.pairs(within=2, dtype=np.int32) for _ in range(9)]
    assert pool.bytes == 0
    held.clear()
    assert one <= pool.bytes <= 3 * one


def test_engines_of_other_sizes_do_not_take_each_others_memory(random: np.random.Generator) -> None:
    large, small = world(random).frame, world(random, 300).frame
    kept, places = [], set()
    for _ in range(6):
        kept.append(small.pairs(within=2))
        places.add(place(large.pairs(within=2)))
    assert len(places) <= 2
    assert sum(each.nbytes for each in kept) < LEAST


def test_an_error_on_the_way_keeps_nothing_busy(random: np.random.Generator) -> None:
    frame = world(random).frame
    frame.pairs(within=2)
    before = pool.bytes
    with pytest.raises(throng.Error):
        frame.pairs(within=-1)
    assert pool.bytes == before


class Left(NamedTuple):
    """What is left of a result of so many bytes."""

    kind: Any
    owner: Any


class Owner:
    """In the place of an object of the library."""

    def __init__(self, bytes: int) -> None:
        self.bytes = bytes


SIZED = PAIRS._replace(bytes=lambda owner: owner.bytes)


def test_a_result_that_dies_in_the_midst_of_the_pool_waits_for_nothing() -> None:
    mine = Pool(3 * LEAST)
    owners = [Owner(2 * LEAST), Owner(2 * LEAST), Owner(LEAST - 1)]
    gone = [weakref.ref(owner) for owner in owners]
    with mine._lock:
        mine.returned.extend(Left(SIZED, owner) for owner in owners)  # as the collector would, within a method
        del owners
    assert mine.bytes == 2 * LEAST and [each() is None for each in gone] == [True, False, True]
    mine.release()
    assert gone[1]() is None and mine.bytes == 0


def test_nothing_runs_in_python_when_results_die(engine: throng.Engine) -> None:
    # There the handler of a signal could run, and what it raises would be lost.
    engine.update(np.arange(600).reshape(-1, 2), radius=0.5)
    layer, changes = throng.StaticLayer([(0, 0, 1, 1)]), throng.PairChanges()
    held: list[Any] = [engine.frame, engine.frame.neighbours(radius=3), engine.frame.pairs(within=3), layer, changes]
    held += [throng.KeptNeighbours(radius=1, skin=1), throng.Engine(), engine.frame.serial, throng.Pairs()]
    held += [KDTree([(0, 0)]), memory.empty(LEAST, np.uint8)]
    del layer, changes
    entered: list[str] = []
    sys.setprofile(lambda frame, event, _: entered.append(frame.f_code.co_name) if event == "call" else None)
    held.clear()
    sys.setprofile(None)
    assert not entered


def test_what_a_handler_raises_comes_out_of_small_calls(engine: throng.Engine) -> None:
    # NumPy makes a list of fields in Python, where it forgets what is raised.
    engine.update(np.arange(600).reshape(-1, 2), radius=0.5)
    frame, entered = engine.frame, list[str]()
    sys.setprofile(lambda frame, event, _: entered.append(frame.f_code.co_name) if event == "call" else None)
    frame.neighbours((5, 5), radius=3)
    frame.nearest((5, 5))
    frame.first_hits([(0, 0)], [(9, 9)])
    frame.count(circles=[(5, 5, 2)])
    frame.all_hits([(0, 0)], [(9, 9)])
    sys.setprofile(None)
    assert "_into" in entered and "_array_descr" not in entered


def test_each_object_is_given_back_once_also_in_a_cycle() -> None:
    gone = list[int]()
    ends = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(gone.append)
    for use in False, True:
        cycle: list[Any] = [handles.Handle(8 + use, ends)]
        if use:
            cycle = [handles.Use(cycle.pop(), [])]
        cycle.append(cycle)
        del cycle
        gc.collect()
        assert gone.pop() == 8 + use and not gone
    held = [handles.Handle(1000 + number, ends) for number in range(5000)]
    del held[::2]
    assert len(gone) == 2500
    more = [handles.Handle(9000 + number, ends) for number in range(5000)]
    assert len(handles._ends) < 12_000
    del held, more
    assert len(gone) == len(set(gone)) == 10_000


def test_an_object_made_where_another_thread_has_just_given_one_back_is_given_back_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone = list[int]()
    ends = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(gone.append)

    class Meanwhile(dict[int, Any]):
        def another(self) -> None:
            if held:
                held.clear()
                more.append(handles.Handle(8, ends))

        def __setitem__(self, address: int, end: Any) -> None:
            self.another()
            super().__setitem__(address, end)

        def setdefault(self, address: int, end: Any = None) -> Any:
            self.another()
            return super().setdefault(address, end)

    held, more = list[Any](), list[Any]()
    monkeypatch.setattr(handles, "_ends", Meanwhile())
    monkeypatch.setattr(handles, "_most_ends", 1024)
    held.append(handles.Handle(8, ends))
    handles._forget_dead()
    assert gone == [8] and len(more) == 1
    more.clear()
    assert gone == [8, 8]


def test_a_frame_may_end_while_another_thread_takes_the_last_that_is_kept() -> None:
    class TakenMeanwhile(list[Any]):
        def __bool__(self) -> bool:
            return True

    mine = Pool(100)
    mine._kept = TakenMeanwhile()
    mine.next_frame()
    assert mine.frames == 1


def test_of_several_the_one_that_fits_best_is_taken() -> None:
    mine = Pool(1 << 40)
    one, two, three = (Owner(size * LEAST) for size in (4, 2, 1000))
    mine.returned.extend(Left(SIZED, owner) for owner in (one, two, three))
    mine.learn("small", 100)
    mine.learn("two", 2 * LEAST)
    mine.learn("five", 5 * LEAST)
    assert mine.take(PAIRS._replace(name="other"), "two") is None
    assert mine.take(SIZED, "small") is None
    assert mine.take(SIZED, "two") is two
    assert mine.take(SIZED, "two") is one
    assert mine.take(SIZED, "two") is None  # what is left is for far larger ones
    mine.returned.append(Left(SIZED, one))
    assert mine.take(SIZED, "five") is one  # which will grow
    assert mine.take_room(SIZED, 900 * LEAST) is three


def test_empty_arrays_are_as_numpys() -> None:
    kinds: list[Any] = [((3, 2), np.int32), (0, np.int64), ((1 << 18, 2), np.float64), (1 << 20, np.bool_)]
    for shape, dtype in kinds:
        mine, numpys = memory.empty(shape, dtype), np.empty(shape, dtype)
        assert mine.shape == numpys.shape and mine.dtype == numpys.dtype
        assert mine.flags.writeable and mine.flags.c_contiguous and mine.flags.aligned
        mine[...] = 1
        assert mine.sum() == mine.size


_FIRST_CALL = """
import numpy as np, throng
def of(name):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(name)) << 10
engine = throng.Engine(threads=1)
engine.update((np.random.default_rng(1).random((400_000, 2)) * 600).astype(np.float32), radius=0.5)
frame = engine.frame
frame.count_pairs(within=1)  # scratch of the engine
try:
    open("/proc/self/clear_refs", "w").write("5")
except OSError:
    raise SystemExit(77)
before = of("VmRSS")
pairs = frame.pairs(within=1, dtype=np.dtype("DTYPE"))
print((of("VmHWM") - before) / pairs.nbytes)
"""


@pytest.mark.parametrize("dtype, most", [("int32", 1.3), ("intp", 1.7)])
def test_a_first_answer_touches_little_more_than_itself(dtype: str, most: float) -> None:
    # Ids that become wide were narrow first.
    if "asan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("a sanitizer touches memory of its own")
    if not pathlib.Path("/proc/self/clear_refs").exists():
        pytest.skip("this system does not tell what was touched")
    path = os.pathsep.join(str(pathlib.Path(each).resolve()) for each in sys.path if each)
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_CALL.replace("DTYPE", dtype)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        check=False,
    )
    if done.returncode == 77:
        pytest.skip("this process may not ask what was touched")
    assert done.returncode == 0
    assert float(done.stdout) < most
