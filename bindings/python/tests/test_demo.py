"""The demo keeps its agents in their world, and writes pictures with something in them."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from throng.demo import Crowd
from throng.demo.crowd import BODY, SIGHT

COUNT = 2000


def demo(*arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    folders = [path, str(pathlib.Path(__file__).resolve().parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders))}
    command = [sys.executable, "-m", "throng.demo", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


@pytest.mark.parametrize("threads", [None, 1])
def test_agents_stay_between_the_walls_and_out_of_the_pillars(threads: int | None) -> None:
    crowd = Crowd(COUNT, seed=3, threads=threads)
    touched = 0
    for _ in range(60):
        touched += crowd.step().touching
        places = crowd.positions
        assert len(places) == COUNT and np.isfinite(places).all()
        for along in (places.real, places.imag):
            assert along.min() >= BODY - 1e-4 and along.max() <= crowd.side - BODY + 1e-4
        away = np.abs(places - crowd.pillars[:, np.newaxis])
        assert (away > crowd.pillar_radii[:, np.newaxis] + BODY - 1e-4).all()
        assert np.allclose(np.abs(crowd.headings), 1, atol=1e-5)
    assert touched > COUNT


def test_a_step_finds_the_pairs_and_neighbours_of_brute_force() -> None:
    crowd = Crowd(COUNT, seed=4)
    places = crowd.positions.astype(np.complex128)
    step = crowd.step()
    away = np.abs(places - places[:, np.newaxis])
    assert step.touching == (away < 2 * BODY).sum() // 2 - COUNT // 2 > 0
    assert step.neighbours == (away <= SIGHT).sum() - COUNT > 0
    near, touching = crowd.lines_of(np.arange(COUNT, dtype=np.int32))
    assert len(near) == step.neighbours // 2 and len(touching) == step.touching


def test_two_that_touch_are_pushed_apart() -> None:
    crowd = Crowd(COUNT, seed=5)
    pair = np.array([[0, 1]], np.int32)
    crowd.positions[:2] = 10 + 10j, 10.2 + 10j
    crowd._part(pair)
    assert np.allclose(crowd.positions[:2], [9.75 + 10j, 10.45 + 10j], atol=1e-5)


def test_the_seed_decides_and_threads_do_not() -> None:
    def after(seed: int, threads: int | None) -> list[complex]:
        crowd = Crowd(COUNT, seed, threads)
        for _ in range(3):
            crowd.step()
        return list(crowd.positions.tolist())

    assert after(1, None) == after(1, 1) != after(2, 1)


def test_the_demo_writes_pictures_and_prints_a_table(tmp_path: pathlib.Path) -> None:
    """The film and the threads change nothing of the picture."""
    pytest.importorskip("matplotlib")
    image, sequence = pytest.importorskip("PIL.Image"), pytest.importorskip("PIL.ImageSequence")
    arguments = ["--agents", str(COUNT), "--frames", "3", "--width", "640", "--out"]
    run = demo(*arguments, str(tmp_path / "new"))
    assert run.returncode == 0, run.stderr
    assert run.stderr == "step 1 of 3\nstep 2 of 3\nstep 3 of 3\n"
    rows = {line.split()[0]: line for line in run.stdout.splitlines()}
    assert {"update", "pairs", "neighbours", "NumPy", "pictures", "wrote"} <= set(rows)
    with image.open(tmp_path / "new" / "crowd.png") as png, image.open(tmp_path / "new" / "crowd.gif") as gif:
        assert png.size == (640, 460) and gif.size == (320, 230) and gif.n_frames == 3
        views = [(10, 20, 418, 440), (430, 40, 630, 230), (430, 242, 630, 442)]
        for view in views:
            assert len(png.convert("RGB").crop(view).getcolors(1 << 20)) > 30
        frames = [np.asarray(frame.convert("RGB"), np.int32) for frame in sequence.Iterator(gif)]
        assert all((one != other).any(axis=2).mean() > 0.05 for one, other in zip(frames, frames[1:]))
    assert demo(*arguments, str(tmp_path / "one"), "--no-gif", "--threads", "1").returncode == 0
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["crowd.png"]
    assert (tmp_path / "one" / "crowd.png").read_bytes() == (tmp_path / "new" / "crowd.png").read_bytes()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--agents", "5"], "--agents: 5 is less than 2000"),
        (["--frames", "few"], "--frames: 'few' is no whole number"),
        (["--threads", "0"], "--threads: 0 is less than 1"),
        (["--out", __file__], "--out: "),
        (["--colour"], "unrecognized arguments: --colour"),
    ],
)
def test_a_wrong_argument_is_refused_in_a_line(arguments: list[str], words: str) -> None:
    pytest.importorskip("matplotlib")
    run = demo(*arguments)
    assert run.returncode == 2 and run.stdout == ""
    assert run.stderr.splitlines()[-1].startswith("python -m throng.demo: error: ")
    assert words in run.stderr.splitlines()[-1]


def test_without_matplotlib_a_line_says_what_is_missing(tmp_path: pathlib.Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError('there is none')\n")
    run = demo("--out", str(tmp_path / "new"), path=str(tmp_path))
    assert run.returncode == 1 and run.stdout == ""
    (line,) = run.stderr.splitlines()
    assert "need matplotlib" in line and "there is none" in line
    assert not (tmp_path / "new").exists()
