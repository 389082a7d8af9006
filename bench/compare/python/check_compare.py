"""Runs the comparison small, with every peer that is installed."""

import csv
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def run(*arguments):
    command = [sys.executable, HERE / "compare.py", "--quick", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_pages_show_the_committed_figures():
    done = subprocess.run([sys.executable, HERE.parent / "tables.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def columns():
    page = (HERE.parent / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `(\w+)` \|", page[page.index("## The columns") :].split("| task |")[0], re.MULTILINE)


def test_peers_answer_alike_and_rows_have_the_columns_of_the_page(tmp_path):
    path = tmp_path / "rows.csv"
    done = run("--agents", "300", "--csv", str(path))
    assert done.returncode == 0, done.stderr
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == columns()
    assert {"throng", "numpy.grid"} <= {row["peer"] for row in rows}
    assert {"100", "300"} == {row["agents"] for row in rows}
    assert {"oracle"} == {row["checked"] for row in rows}
    assert all(float(row["value"]) >= 0 and row["version"] and row["settings"] for row in rows)


def test_a_peer_that_loses_an_answer_fails_and_gets_no_row(tmp_path):
    path = tmp_path / "rows.csv"
    done = run("--agents", "100", "--spoil", "numpy.grid", "--csv", str(path))
    assert done.returncode == 1
    assert "numpy.grid differs: within of 100 agents" in done.stderr
    assert "throng differs" not in done.stderr
    assert "numpy.grid" not in path.read_text(encoding="utf-8")
