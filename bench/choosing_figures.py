#!/usr/bin/env python3
"""Writes the tables of structures/docs/choosing.md from the committed CSV file of structures.py that was measured last.

    bench/choosing_figures.py            rewrites what stands between the markers
    bench/choosing_figures.py --check    fails if that would change anything

Of each task the newest row with that structure, scenario and number of agents is shown.
"""

import argparse
import csv
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
STRUCTURES = ("quadtree", "loose_quadtree", "loose_grid", "uniform_grid", "row_grid", "grid_hierarchy",
              "object_quadtree", "static_index", "engine")
SMALL, LARGE = 100_000, 1_000_000


class Figures:
    def __init__(self, rows):
        self.rows = rows
        self.newest = {(row["index"], row["scenario"], int(row["n"]), row["task"]): row for row in rows}

    def row(self, index, scenario, n, task):
        return self.newest.get((index, scenario, n, task))

    def ms(self, index, scenario, n, task):
        row = self.row(index, scenario, n, task)
        return float(row["ms"]) if row and row["ms"] else None

    def ratio(self, index, scenario, n, task):
        row = self.row(index, scenario, n, task)
        return float(row["to_engine"]) if row and row["to_engine"] else None

    def memory(self, index, scenario, n):
        row = self.row(index, scenario, n, "memory")
        return float(row["bytes_per_agent"]) if row else None


def number(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}" if value < 100 else f"{value:.0f}"


def name(index):
    return f"[`{index}`](#{index})" if index != "engine" else "the engine"


def table(heading, rows):
    lines = ["| " + " | ".join(heading) + " |", "|---" * len(heading) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def crowd_table(figures):
    heading = ["ms", f"frame, {SMALL:,}", "to the engine's", f"frame, {LARGE:,}", "growth", "frame by moves",
               "queries", "large searches", "bytes an agent"]
    rows = []
    for index in STRUCTURES:
        ms = lambda task, n=SMALL: figures.ms(index, "crowd", n, task)
        if ms("frame") is None:
            continue
        large = ms("frame", LARGE)
        # The engine's queries are one batch.
        queries = ms("T2") if index == "engine" else ms("T2.leaf")
        rows.append([name(index), number(ms("frame")), number(figures.ratio(index, "crowd", SMALL, "frame")),
                     number(large) if large else "-", number(large / ms("frame")) if large else "-",
                     number(figures.ms(index + ".moves", "crowd", SMALL, "frame")),
                     number(queries), number(ms("T3"), 2),
                     number(figures.memory(index, "crowd", SMALL))])
    return table(heading, rows)


def worlds_table(figures):
    worlds = ("crowd", "mixed", "sizes", "clustered", "villages")
    rows = []
    for index in STRUCTURES:
        cells = []
        for world in worlds:
            frame, asked = (figures.ms(index, world, SMALL, task) for task in ("frame", "T2.leaf"))
            if index == "engine":
                asked = figures.ms(index, world, SMALL, "T2")
            held = figures.memory(index, world, SMALL)
            cells.append("-" if frame is None else f"{number(frame)} / {number(asked)} / {number(held, 0)}")
        rows.append([name(index), *cells])
    return table(["frame ms / queries ms / bytes an agent", *(f"`{world}`" for world in worlds)], rows)


def order_table(figures):
    rows = []
    for index in STRUCTURES[:-1]:
        cells = []
        for n in (SMALL, LARGE):
            leaf, random = (figures.ms(index, "crowd", n, task) for task in ("T2.leaf", "T2"))
            cells += [number(leaf), number(random), number(random / leaf)] if leaf and random else ["-"] * 3
        rows.append([name(index), *cells])
    return table(["ms for all queries", f"{SMALL:,}: leaf order", "random", "ratio", f"{LARGE:,}: leaf order",
                  "random", "ratio"], rows)


TABLES = {"crowd": crowd_table, "worlds": worlds_table, "order": order_table}


def newest_file():
    files = [list(csv.DictReader(path.read_text().splitlines()))
             for path in sorted((root / "bench" / "results").glob("*-structures.csv"))]
    if not files:
        sys.exit("there is no CSV file of structures.py yet")
    return max(files, key=lambda rows: max(row["date"] for row in rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, and fail if the page is out of date")
    check = parser.parse_args().check
    page = root / "structures" / "docs" / "choosing.md"
    text = new = page.read_text()
    rows = newest_file()
    figures = Figures(rows)
    for title, make in TABLES.items():
        body = "\n".join(make(figures))
        pattern = rf"(<!-- {title} -->\n).*?(<!-- /{title} -->)"
        new = re.sub(pattern, lambda found: found[1] + body + "\n" + found[2], new, flags=re.DOTALL)
    machine = f"{rows[-1]['cpu']}, {rows[-1]['compiler']}, {rows[-1]['date']}"
    new = re.sub(r"(<!-- machine -->).*?(<!-- /machine -->)", lambda found: found[1] + machine + found[2], new)
    if check:
        sys.exit(0 if new == text else "structures/docs/choosing.md does not show the committed figures: run "
                                       "bench/choosing_figures.py")
    page.write_text(new)


if __name__ == "__main__":
    main()
