#!/usr/bin/env python3
"""Writes the tables of docs/from_scipy.md and bindings/js/README.md from the committed rows of scripts/compare.

    bench/compare/tables.py            rewrites what stands between the markers in both
    bench/compare/tables.py --check    fails if that would change anything

Of each peer and task the newest row counts, of the machine that was measured last in that language.
"""

import argparse
import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
from measure import between, shown  # noqa: E402

SIZES = ("1000", "100000")
TASKS = {
    "within.frame": "all within 2 of each",
    "nearest.frame": "the 8 nearest of each",
    "pairs.frame": "all pairs within 2",
    "changes.frame": "pairs that began and pairs that ended",
    "frame": "all boxes that touch",
    "boxes.frame": "what is in a box around each",
    "few.frame": "1 % move, and these ask for all within 2",
    "single": "1,000 single calls for all within 2",
}
PAGES = {
    "docs/from_scipy.md": ("python", ["throng", "throng.scipy", "scipy", "scipy.defaults", "pykdtree", "scikit-learn", "numpy.grid"]),
    "bindings/js/README.md": ("javascript", ["throng", "throng.kdbush", "kdbush", "flatbush", "rbush", "d3-quadtree", "grid"]),
}


def rows_of(language):
    """The rows on one thread of the machine that was measured last."""
    rows = []
    for path in sorted((ROOT / "bench" / "results").glob("*compare*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            rows += [row for row in csv.DictReader(file) if row.get("language") == language and row["threads"] == "1"]
    rows.sort(key=lambda row: row["date"])
    return [row for row in rows if row["cpu"] == rows[-1]["cpu"] and row["agents"] in SIZES and row["unit"] == "ms"]


def table(rows, peers):
    found = {(row["agents"], row["task"], row["peer"]): row for row in rows}
    newest = {row["peer"]: row for row in rows}
    present = [peer for peer in peers if peer in newest]
    about = rows[-1]
    named = [peer for peer in present if not peer.startswith("throng") and peer not in ("scipy.defaults", "grid")]
    lines = [f"Milliseconds on one thread of an {about['cpu']}, {about['compiler']}, {about['date']}: bringing the index up to date,",
             "and the answers. " + ", ".join(f"{peer} {newest[peer]['version']}" for peer in named) + ".", ""]
    for agents in SIZES:
        lines += [f"| {int(agents):,} agents | " + " | ".join(f"`{peer}`" for peer in present) + " |", "|---|" + "--:|" * len(present)]
        for task, words in TASKS.items():
            cells = [found.get((agents, task, peer)) for peer in present]
            if any(cells):
                lines.append(f"| {words} | " + " | ".join(shown(cell["value"]) if cell else "-" for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines[:-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, and fail if a page is out of date")
    check = parser.parse_args().check
    for page, (language, peers) in PAGES.items():
        path, rows = ROOT / page, rows_of(language)
        text = path.read_text(encoding="utf-8")
        new = between(text, "compared", table(rows, peers) if rows else "Not measured yet.")
        if not check:
            path.write_text(new, encoding="utf-8")
        elif new != text:
            sys.exit(f"{page} does not show the committed figures: run bench/compare/tables.py")


if __name__ == "__main__":
    main()
