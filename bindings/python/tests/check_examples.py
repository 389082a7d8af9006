"""The programs that users of SciPy write give equal answers at the sizes that they have by themselves, which takes half a
minute: the quick tests run them smaller."""

from __future__ import annotations

import runpy

import pytest
from test_from_scipy import FOLDER, PROGRAMS


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_forms_give_equal_answers_at_their_defaults(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(FOLDER / name))["main"]()
    assert capsys.readouterr().out.rstrip().endswith("equal: True")
