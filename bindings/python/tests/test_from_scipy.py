"""The programs that users of SciPy write, in both forms, give equal answers; and the lines beside SciPy's run."""

from __future__ import annotations

import pathlib
import re
import runpy
from typing import Any

import numpy as np
import pytest

import throng

pytest.importorskip("scipy")

ROOT = pathlib.Path(__file__).resolve().parents[3]
FOLDER = ROOT / "examples" / "python" / "from_scipy"
PROGRAMS = sorted(path.name for path in FOLDER.glob("*.py"))
# The second cell of each row of the page's table.
LINES = re.findall(r"^\| `[^|]*\| `([^`]*)`", (ROOT / "docs" / "from_scipy.md").read_text(encoding="utf-8"), re.M)


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 4


# Their defaults take some seconds each: check_examples.py runs them so, in the long tests.
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("count", [7, 3000])
def test_both_forms_give_equal_answers(name: str, count: int, capsys: pytest.CaptureFixture[str]) -> None:
    program = runpy.run_path(str(FOLDER / name))
    program["main"](count)
    assert capsys.readouterr().out.rstrip().endswith("equal: True")


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What the lines of the page name."""
    random = np.random.default_rng(1)
    x, q = random.random((300, 2)) * 10, random.random((20, 2)) * 10
    engine, other = throng.Engine(threads=1), throng.Engine(threads=1)
    engine.update(x, radius=0)
    other.update(q, radius=0)
    frame, v = engine.frame, random.random(300)
    near, changes = frame.neighbours(radius=1), throng.PairChanges()
    return dict(
        throng=throng, frame=frame, other_frame=other.frame, near=near, changes=changes, q=q, r=1, v=v, x=x
    )


@pytest.mark.parametrize("line", LINES)
def test_what_stands_beside_scipys_lines_runs(line: str, names: dict[str, Any]) -> None:
    assert eval(line, names) is not None


def test_there_are_lines() -> None:
    assert len(LINES) >= 14
