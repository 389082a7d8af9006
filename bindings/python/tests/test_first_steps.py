"""The first example runs, and its page quotes it as it is."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "examples" / "python"


def test_the_first_example_finds_what_it_asks_for() -> None:
    script = FOLDER / "first_steps.py"
    run = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", str(script)], capture_output=True, text=True
    )
    assert run.returncode == 0 and run.stderr == "", run.stderr
    lines = run.stdout.splitlines()
    assert len(lines) == 6
    assert re.match(r"[1-9][\d,]+ pairs touch; [1-9][\d,]+ neighbours are 1\.3\d m away", lines[0])
    assert re.fullmatch(r"agent 7 has [1-9]\d* neighbours in either form: True", lines[1])


def test_the_page_quotes_the_example() -> None:
    script = (FOLDER / "first_steps.py").read_text()
    quoted = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(), re.S)
    assert quoted and all(program in script for program in quoted)
