"""The programs that users of SciPy write, in both forms, give equal answers."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("scipy")

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "examples" / "python" / "from_scipy"
PROGRAMS = sorted(path.name for path in FOLDER.glob("*.py"))


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 4


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("count", ["7", "3000"])
def test_both_forms_give_equal_answers(name: str, count: str) -> None:
    run = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", str(FOLDER / name), count],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0 and run.stderr == "", run.stderr
    assert run.stdout.rstrip().endswith("equal: True"), run.stdout
