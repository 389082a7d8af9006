#!/usr/bin/env python3
"""Writes the figures of docs/compare.md and its pictures from the newest CSV that `scripts/compare --keep` left in bench/results.

    bench/compare_figures.py            rewrites what stands between the page's markers, and draws
    bench/compare_figures.py --check    fails if that would change the page
"""

import argparse
import csv
import pathlib
import subprocess
import sys

from measure import BUSY, between, shown

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHARTS = ROOT / "bench" / "compare" / "side_by_side" / "charts.py"
PAGE = ROOT / "docs" / "compare.md"
TASKS = [
    ("first", "the first frame, with making the index"),
    ("frame", "a frame: update all, list all touching pairs"),
    ("frame.update", "of that, the update"),
    ("frame.pairs", "of that, the pairs"),
    ("frame.p99", "the slowest frame in a hundred (p99)"),
    ("boxes", "a box around each agent, in random order"),
    ("boxes.coherent", "the same, in coherent order"),
    ("boxes.frame", "update all, then a box around each"),
    ("some", "one agent in a hundred moves, then all touching pairs"),
    ("still", "nothing moves: 1,000 boxes, a call for each"),
]
NEIGHBOURS = [
    ("within", "all within 2 of each agent, by id"),
    ("within.coherent", "the same, in coherent order"),
    ("within.frame", "update all, then all within 2 of each"),
    ("nearest", "the 8 nearest of each, by id"),
    ("nearest.coherent", "the same, in coherent order"),
    ("nearest.frame", "update all, then the 8 nearest of each"),
    ("walk", "a pedestrian simulation's loop, with copies"),
]
WORDS = dict(TASKS + NEIGHBOURS + [
    ("ticks", "a join's tick, half of the points ask"), ("ticks.tenth", "a join's tick, a tenth asks")])
BOX_PEERS = ["embree.refit", "embree.rebuild", "boost", "cgal", "box2d", "bullet", "geos", "by_hand.grid", "by_hand.sweep"]
PLACE_PEERS = ["nanoflann", "nanoflann.ids", "by_hand.hash", "by_hand.grid"]
# Not asked for by itself: parts of a frame, and what is asked in another order than ours.
NO_CONTEST = {"frame.update", "frame.pairs", "memory", "allocations", "within.coherent", "nearest.coherent"}


class Rows:
    """The rows of one run, by what was measured."""

    def __init__(self, path):
        with path.open(newline="", encoding="utf-8") as file:
            self.rows = [row for row in csv.DictReader(file) if row["language"] == "c++"]
        self.values = {}
        for row in self.rows:
            self.values[row["world"], row["agents"], row["task"], row["peer"], row["threads"]] = float(row["value"])
        crowd = [int(row["agents"]) for row in self.rows if row["world"] == "crowd"]
        self.agents = str(max(crowd))
        self.threads = sorted({row["threads"] for row in self.rows if row["threads"]}, key=int)

    def value(self, task, peer, threads="1", world="crowd", agents=None):
        return self.values.get((world, agents or self.agents, task, peer, threads))

    def machine(self, task):
        return next((float(row["value"]) for row in self.rows if row["peer"] == "machine" and row["task"] == task), 0.0)

    def about(self):
        one = self.rows[0]
        text = f"{one['cpu']}, {one['compiler']}, {one['date']}"
        if self.machine("load") > BUSY:
            text += f". **Provisional:** the machine was busy (load {self.machine('load'):.1f}), so these times are not to be quoted"
        return text + "."


def claim(rows):
    ours = rows.value("frame", "throng")
    peers = {peer: rows.value("frame", peer) for peer in BOX_PEERS if not peer.startswith("by_hand")}
    peers = {peer: ms for peer, ms in peers.items() if ms}
    best = min(peers, key=peers.get)
    version = next(row["version"] for row in rows.rows if row["peer"] == best)
    return (f"> {int(rows.agents):,} agents that all move, one thread: to update all and list every touching pair takes "
            f"{shown(ours)} ms with Throng,\n> and {shown(peers[best])} ms with `{best}` ({version}), the fastest other library.\n\n"
            + rows.about())


def table(rows, tasks, peers):
    present = [peer for peer in peers if any(rows.value(task, peer) for task, _ in tasks)]
    lines = [f"| {int(rows.agents):,} agents, one thread, ms | `throng` | " + " | ".join(f"`{peer}`" for peer in present) + " |",
             "|---|--:|" + "--:|" * len(present)]
    for task, words in tasks:
        cells = [rows.value(task, peer) for peer in ["throng", *present]]
        if any(cells):
            lines.append(f"| {words} | " + " | ".join(shown(cell) if cell is not None else "" for cell in cells) + " |")
    for task, words, unit in (("memory", "bytes held for each agent", "bytes"), ("allocations", "calls of the heap in a frame", "calls")):
        cells = [rows.value(task, peer) for peer in ["throng", *present]]
        if any(cell is not None for cell in cells):
            lines.append(f"| {words} | " + " | ".join(f"{cell:,.0f}" if cell is not None else "" for cell in cells) + " |")
    return "\n".join(lines)


def on_threads(rows):
    many = rows.threads[-1]
    lines = [f"| ms | 1 thread | {many} threads |", "|---|--:|--:|"]
    for peer in ("throng", "embree.refit", "embree.rebuild", "cgal"):
        for task in ("frame", "boxes"):
            one, all_of_them = rows.value(task, peer), rows.value(task, peer, many)
            if one and all_of_them:
                lines.append(f"| `{peer}`: {WORDS[task]} | {shown(one)} | {shown(all_of_them)} |")
    return "\n".join(lines)


def other_worlds(rows):
    """The best library of each world, as a ratio to ours."""
    lines = ["| world | agents | task | `throng`, ms | fastest peer | ms | times |", "|---|--:|---|--:|---|--:|--:|"]
    for world, agents, task in sorted({key[:3] for key in rows.values if key[0] and key[2] in ("frame", "boxes", "walk", "ticks", "ticks.tenth")}):
        ours = rows.value(task, "throng", world=world, agents=agents)
        peers = contenders(rows, world, agents, task)
        if not ours or not peers:
            continue
        best = min(peers, key=peers.get)
        lines.append(f"| {world} | {int(agents):,} | {WORDS[task]} | {shown(ours)} | `{best}` | {shown(peers[best])} | {peers[best] / ours:.1f} |")
    return "\n".join(lines)


def contenders(rows, world, agents, task, threads="1"):
    return {key[3]: value for key, value in rows.values.items()
            if key[:3] == (world, agents, task) and key[4] == threads and key[3] not in ("throng", "machine")}


def losses(rows):
    """Where another took less than ours in the same world at the same task, by how much."""
    found = []
    cases = {(*key[:3], key[4]) for key in rows.values if key[0]}
    for world, agents, task, threads in sorted(cases, key=lambda case: (case[0], int(case[1]), case[2], int(case[3]))):
        ours = rows.value(task, "throng", threads, world, agents)
        if ours is None or task in NO_CONTEST:
            continue
        words = WORDS.get(task, task) + (f", {threads} threads" if threads != "1" else "")
        for peer, ms in sorted(contenders(rows, world, agents, task, threads).items(), key=lambda item: item[1]):
            if ms < ours:
                found.append(f"| {world} | {int(agents):,} | {words} | {shown(ours)} | `{peer}` | {shown(ms)} | {ours / ms:.2f} |")
    for task, words in (("memory", "bytes held for each agent"), ("allocations", "calls of the heap in a frame")):
        ours = rows.value(task, "throng")
        for peer, value in sorted(contenders(rows, "crowd", rows.agents, task).items(), key=lambda item: item[1]):
            if ours is not None and value < ours:
                times = f"{ours / value:.2f}" if value > 0 else ""
                found.append(f"| crowd | {int(rows.agents):,} | {words} | {ours:,.0f} | `{peer}` | {value:,.0f} | {times} |")
    if not found:
        return "In this run no other was faster, or held less, at any of its tasks."
    return "\n".join(["| world | agents | task | `throng` | who | takes | times less |", "|---|--:|---|--:|---|--:|--:|", *found])


def versions(rows):
    seen = {}
    for row in rows.rows:
        if row["peer"] != "machine":
            seen.setdefault(row["peer"], (row["version"], row["settings"]))
    lines = ["| peer | version | settings and flags |", "|---|---|---|"]
    return "\n".join(lines + [f"| `{peer}` | {version} | {settings} |" for peer, (version, settings) in sorted(seen.items())])


SECTIONS = ("claim", "pictures", "boxes", "neighbours", "threads", "worlds", "others win", "versions")
NOTHING = "No figures yet: `scripts/compare --keep` on a quiet machine, then `bench/compare_figures.py`."
PICTURES = """![Times of a frame, of boxes and of neighbours, by library](images/compare-peers.png)

![Nanoseconds of a frame for each agent, from 100 agents on](images/compare-sizes.png)"""


def sections(rows):
    return dict(zip(SECTIONS, (claim(rows), PICTURES, table(rows, TASKS, BOX_PEERS), table(rows, NEIGHBOURS, PLACE_PEERS),
                               on_threads(rows), other_worlds(rows), losses(rows), versions(rows))))


def newest(folder):
    def date_of(path):
        with path.open(encoding="utf-8") as file:
            return file.readlines()[1].split(",")[0]
    found = sorted(folder.glob("*-compare.csv"), key=date_of)
    return found[-1] if found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, and fail if the page is out of date")
    check = parser.parse_args().check
    path = newest(ROOT / "bench" / "results")
    old = text = PAGE.read_text(encoding="utf-8")
    for name, content in (sections(Rows(path)) if path else dict.fromkeys(SECTIONS, NOTHING)).items():
        text = between(text, name, content)
    if check and text != old:
        sys.exit("docs/compare.md does not show the committed figures: run bench/compare_figures.py")
    if not check:
        # Debian's interpreter has Matplotlib.
        python = "/usr/bin/python3" if pathlib.Path("/usr/bin/python3").exists() else sys.executable
        PAGE.write_text(text, encoding="utf-8")
        if path:
            subprocess.run([python, CHARTS, path, ROOT / "docs" / "images"], check=True)


if __name__ == "__main__":
    main()
