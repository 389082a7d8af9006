"""What the wheel's build says where a tool is missing: one sentence, and no traceback."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

BACKEND = pathlib.Path(__file__).resolve().parents[1] / "packaging" / "throng_wheel.py"


def built_with(tools: dict[str, str], folder: pathlib.Path) -> "subprocess.CompletedProcess[str]":
    """With these programs alone, each a shell script."""
    for name, script in tools.items():
        (folder / name).write_text("#!/bin/sh\n" + script + "\n")
        (folder / name).chmod(0o755)
    environment = {"PATH": str(folder), "THRONG_WHEEL_BUILD": str(folder / "build")}
    (folder / "build").mkdir()
    command = [sys.executable, str(BACKEND), str(folder / "wheels")]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.mark.skipif(sys.platform != "linux", reason="wheels are built on Linux")
@pytest.mark.parametrize(
    "tools, words",
    [
        ({}, "CMake is missing; Debian: apt install"),
        ({"cmake": "exit 0"}, "there is no C++ compiler; Debian: apt install"),
        ({"c++": "", "cmake": "echo it needs xsimd >&2; exit 1"}, "CMake refuses to configure it, for the reason"),
        ({"c++": "", "cmake": '[ "$1" = -S ]'}, "it does not compile, for the reason"),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(
    tmp_path: pathlib.Path, tools: dict[str, str], words: str
) -> None:
    run = built_with(tools, tmp_path)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert run.stderr.splitlines()[-1].startswith("throng cannot be built: ") and words in run.stderr
