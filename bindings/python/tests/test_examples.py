"""The examples in docstrings and in the README do what they say."""

from __future__ import annotations

import doctest
import importlib
import pathlib
import pkgutil
import re

import pytest

import throng

# But for the demo and the cluster: matplotlib or MPI may be missing.
MODULES = ["throng", *(module.name for module in pkgutil.walk_packages(throng.__path__, "throng."))]
MODULES = [name for name in MODULES if not name.startswith(("throng.demo", "throng.cluster"))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES) > 50


def test_programs_in_the_readme_run() -> None:
    readme = (pathlib.Path(__file__).resolve().parents[1] / "README.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", readme, re.S)
    assert programs
    for program in programs:
        exec(compile(program, "README.md", "exec"), {})
