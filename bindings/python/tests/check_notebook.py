"""The notebook runs from top to bottom, and prints what is stored in it."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

NOTEBOOK = pathlib.Path(__file__).resolve().parents[3] / "examples" / "python" / "crowd.ipynb"


def printed(notebook: Any) -> str:
    # As one text: a kernel sends what a cell prints in one piece or in several, by the clock.
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")


def pictures(notebook: Any) -> list[str]:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})]


def test_the_notebook_prints_what_is_stored_and_shows_its_picture() -> None:
    for needed in ("matplotlib", "ipykernel"):
        pytest.importorskip(needed)
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    assert NOTEBOOK.stat().st_size < 300_000
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    stored, stored_pictures = printed(notebook), pictures(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    assert printed(notebook) == stored and len(stored.splitlines()) > 5
    assert len(pictures(notebook)) == len(stored_pictures) == 1
