"""Frames may be asked from any thread while the next is made, and threads cannot harm what they share."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import Any, Callable

import numpy as np
import pytest
from conftest import crowd

import throng


def run_all(*jobs: Callable[[], None]) -> None:
    errors: list[BaseException] = []

    def guarded(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@pytest.mark.parametrize("threads", [1, 2, 3, 7, 10**6, 10**12])
def test_any_number_of_threads_gives_the_same_answers(random: np.random.Generator, threads: int) -> None:
    points = crowd(random, 20000)
    engines = [throng.Engine(), throng.Engine(threads=threads)]
    for engine in engines:
        engine.update(points, radius=0.5)
    expected, found = (engine.frame.pairs() for engine in engines)
    assert np.array_equal(found, expected)
    expected, found = (throng.arrays.count(engine.frame.agents().boxes, [(0, 0, 9, 9)] * 20, threads=number)
        for engine, number in zip(engines, (None, threads)))
    assert np.array_equal(found, expected)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted in /proc")
@pytest.mark.parametrize("threads", [1, 3])
def test_no_more_threads_are_made_than_there_may_be(threads: int) -> None:
    code = f"""
import os, numpy as np, throng
before = len(os.listdir("/proc/self/task"))
engine = throng.Engine(threads={threads})
engine.update(np.random.default_rng(1).random((300_000, 2), np.float32) * 500, radius=0.5)
engine.frame.neighbours(radius=5)
assert len(os.listdir("/proc/self/task")) - before < {threads}
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_threads_ask_one_frame_while_another_updates(
    engine: throng.Engine, random: np.random.Generator
) -> None:
    points = [crowd(random, 3000) for _ in range(3)]
    engine.update(points[0], radius=0.5)
    frame = engine.frame
    expected = frame.pairs(sort=True)
    near = frame.neighbours(radius=1).ids
    done = threading.Event()

    def ask() -> None:
        for _ in range(15):
            assert np.array_equal(frame.pairs(sort=True), expected)
            assert np.array_equal(frame.neighbours(radius=1).ids, near)
            newest = engine.frame
            assert len(newest.overlaps(np.array([(-1, -1, 99, 99)]))[0]) == len(newest) == 3000

    def write() -> None:
        step = 0
        while not done.is_set():
            step += 1
            engine.update(points[step % 3], radius=0.5)

    def ask_and_stop() -> None:
        try:
            run_all(ask, ask, ask)
        finally:
            done.set()

    run_all(write, ask_and_stop)
    assert engine.validate() is None


def test_two_threads_that_update_take_turns(engine: throng.Engine, random: np.random.Generator) -> None:
    points = crowd(random, 2000)

    def write() -> None:
        for _ in range(30):
            engine.update(points)

    run_all(write, write)
    assert engine.frame.number == 60 and engine.validate() is None


def test_one_thread_at_a_time_writes() -> None:
    engine = throng.Engine()
    inside: list[int] = []

    def write(*arguments: Any) -> int:
        inside.append(len(inside))
        time.sleep(0.02)
        assert inside == [0]
        inside.clear()
        return 0

    run_all(*[lambda: engine._write(write)] * 3)


def test_two_threads_that_fill_one_result_harm_nothing(
    engine: throng.Engine, random: np.random.Generator
) -> None:
    engine.update(crowd(random, 2000))
    frame, out = engine.frame, throng.Lists()
    sizes = {len(frame.neighbours(radius=radius).ids) for radius in (0.5, 1, 2)} | {0}

    def fill() -> None:
        for step in range(30):
            frame.neighbours(radius=(0.5, 1, 2)[step % 3], out=out)

    def read() -> None:
        for _ in range(300):
            ids = out.ids
            assert len(ids) in sizes and (ids < 2000).all() and (ids >= 0).all()

    run_all(fill, fill, read)


def test_an_engine_may_be_closed_while_it_is_written_to(random: np.random.Generator) -> None:
    points = crowd(random, 20_000)
    for _ in range(5):
        engine = throng.Engine()
        begun = threading.Event()

        def write() -> None:
            try:
                while True:
                    engine.update(points, radius=0.5)
                    begun.set()
            except throng.Error as error:
                assert error.code is throng.Code.NULL_POINTER

        def close() -> None:
            begun.wait()
            engine.close()

        run_all(write, close)


def test_other_threads_run_during_a_call(random: np.random.Generator) -> None:
    engine = throng.Engine(threads=1)
    points = np.zeros((6000, 2), np.float32)
    engine.update(points)
    running = threading.Event()
    ticks: list[float] = []

    def call() -> None:
        running.set()
        assert engine.frame.count_pairs() == 6000 * 5999 // 2
        len(engine.frame.pairs())
        running.clear()

    def tick() -> None:
        running.wait()
        while running.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0)

    run_all(call, tick)
    assert len(ticks) > 10


def test_a_serial_engine_starts_no_thread(random: np.random.Generator) -> None:
    script = """if True:
        import os, sys, numpy as np, throng
        points = (np.random.default_rng(1).random((200_000, 2)) * 450).astype(np.float32)
        engine = throng.Engine(threads=None if sys.argv[1] == "all" else 1)
        before = len(os.listdir("/proc/self/task"))
        engine.update(points, radius=0.5)
        engine.frame.pairs()
        print(len(os.listdir("/proc/self/task")) - before)
    """

    def started(threads: str) -> int:
        return int(
            subprocess.run([sys.executable, "-c", script, threads], check=True, capture_output=True).stdout
        )

    assert started("1") == 0
    assert started("all") in range(os.cpu_count() or 1)


def test_a_forked_child_can_go_on(random: np.random.Generator) -> None:
    script = """if True:
        import os, numpy as np, throng
        points = (np.random.default_rng(1).random((100_000, 2)) * 300).astype(np.float32)
        engine = throng.Engine()
        engine.update(points, radius=0.5)
        expected = engine.frame.count_pairs()
        child = os.fork()
        if child == 0:
            for each in (engine, throng.Engine()):
                each.update(points, radius=0.5)
                if each.frame.count_pairs() != expected:
                    os._exit(1)
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    found: Any = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], check=True, capture_output=True, timeout=60
    )
    assert found.stdout.strip() == b"0"


def test_what_a_forked_child_makes_runs_on_its_only_thread() -> None:
    script = """if True:
        import os, sys, throng
        from throng._engine.engine import configuration
        from throng.scipy._points import options_of

        def serial():
            return [configuration(None).serial, configuration(4).serial, options_of(workers=-1).serial]

        def of_child():
            child = os.fork()
            if child == 0:
                os._exit(sum(flag << bit for bit, flag in enumerate(serial())))
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

        print(of_child(), *serial(), of_child())
    """
    found: Any = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], check=True, capture_output=True, timeout=60
    )
    assert found.stdout.split() == [b"0", b"0", b"0", b"0", b"7"]


def test_a_child_takes_kept_memory_though_another_thread_took_some_as_it_was_forked() -> None:
    script = """if True:
        import os, throng
        from throng._native.pool import pool
        with pool._lock:
            child = os.fork()
            if child == 0:
                throng.release_memory()
                os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    found: Any = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], check=True, capture_output=True, timeout=60
    )
    assert found.stdout.strip() == b"0"
