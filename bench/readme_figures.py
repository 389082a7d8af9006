#!/usr/bin/env python3
"""Draws the figures from the committed CSV files: README.md's short table with AVX2 and with AVX-512, docs/figures.md's for each
machine, and there the engine beside loops by hand, and what each of its features costs.

    bench/readme_figures.py            rewrites what stands between the markers in both
    bench/readme_figures.py --check    fails if that would change anything

Of each task the newest row with that machine, instruction set, thread count and crowd is shown.
"""

import argparse
import collections
import csv
import pathlib
import statistics
import sys

from measure import between

root = pathlib.Path(__file__).resolve().parent.parent

# Tasks with a special case to be compared with, and tasks without, whose times are those beside the peers.
compared_tasks = [
    ("frame", "a frame: update all agents, list all overlapping pairs"),
    ("T2", "a neighbourhood query for every agent, in random order"),
    ("T2c", "the same, in coherent order"),
    ("T3", "1,000 large searches, listed one by one, on one thread"),
    ("T3.count", "the same, counted"),
]
other_tasks = [
    ("T2r", "all within 2 of every agent's centre, by id"),
    ("knn", "the 8 nearest of every agent"),
    ("T5", "first hits of 100,000 segments"),
    ("T5.any", "100,000 lines of sight"),
    ("T8", "first hits of 100,000 boxes that move"),
    ("T9", "how many boxes a circle around each agent touches"),
    ("events", "which pairs began and which ended, from frame to frame"),
]


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def newest(rows, isa, threads, n, task, compared=False):
    for row in reversed(rows):
        if (row["isa"], row["threads"], row["n"], row["task"]) != (isa, str(threads), str(n), task):
            continue
        if not compared or row["limit_ms"]:
            return row
    return None


def cell(rows, isa, threads, n, task, compared=True):
    row = newest(rows, isa, threads, n, task, compared)
    if row is None:
        return "-"
    ratio = f" ({float(row['ratio']):.2f})" if row["ratio"] else ""
    return f"{float(row['engine_ms']):.2f} ms{ratio}"


def newest_of(peers, index, isa, threads, n, task):
    wanted = (index, isa, str(threads), str(n), task)
    for row in reversed(peers):
        if (row["index"], row["isa"], row["threads"], row["n"], row["task"]) == wanted:
            return row
    return None


def engine_beside_peers(peers, isa, threads, n, task):
    row = newest_of(peers, "engine", isa, threads, n, task)
    return f"{float(row['ms']):.2f} ms" if row else "-"


def best_peer(peers, isa, n, task):
    """The peer that took least, its time, and how many times as long that is as the engine's beside it; or nothing."""
    indexes = sorted({row["index"] for row in peers} - {"engine"})
    times = [row for row in (newest_of(peers, index, isa, 1, n, task) for index in indexes) if row]
    engine = newest_of(peers, "engine", isa, 1, n, task)
    if not times or not engine:
        return None
    best = min(times, key=lambda row: float(row["ms"]))
    return best["index"], float(best["ms"]), float(best["ms"]) / float(engine["ms"])


def peer_cell(peers, isa, n, task):
    best = best_peer(peers, isa, n, task)
    return f"{best[0]}: {best[1]:.0f} ms ({best[2]:.1f})" if best else "-"


isas = ("avx512vbmi2", "avx512", "avx2", "neon64")


def best_isa(rows):
    return next(isa for isa in isas if newest(rows, isa, 1, 1000000, "frame", True))


short_tasks = [
    ("frame", "update all, list all touching pairs"),
    ("T2", "what touches a box around each agent"),
    ("T2r", "all within 2 of each agent"),
    ("knn", "the 8 nearest of each agent"),
    ("T5", "100,000 rays"),
]
peer_names = {"embree.refit": "Embree", "embree.rebuild": "Embree", "nanoflann": "nanoflann"}


def short_table(every_machine):
    """The newest run with AVX2 and the newest with AVX-512: the engine's times, and the peer that took least."""
    heads, runs = [], []
    for kind, sets in (("AVX2", ("avx2",)), ("AVX-512", isas[:2])):
        found = [(row, peers, isa) for peers in every_machine for isa in sets
                 if (row := newest_of(peers, "engine", isa, 1, 1000000, "frame"))]
        row, peers, isa = max(found, key=lambda run: run[0]["date"])
        runs.append((peers, isa))
        if isa == "avx2" and any(row["isa"] in isas[:2] for row in peers):
            kind = "held to AVX2"
        heads += [f"{row['cpu'].split(' (')[0]}, {kind}, {row['date']}: 100,000 agents", "1,000,000"]
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "--:|" * len(heads)]
    for task, name in short_tasks:
        cells = []
        for peers, isa in runs:
            for n in (100000, 1000000):
                time = float(newest_of(peers, "engine", isa, 1, n, task)["ms"])
                best = best_peer(peers, isa, n, task)
                cells.append(f"{time:.1f} ms ({peer_names[best[0]]} {best[2]:.0f} ×)")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


# Tasks of bench/regimes.py, and what they are in words.
tasks_by_hand = [
    ("single.boxes", "a small box, one call at a time"),
    ("single.visitor", "the same with a visitor of ids and boxes"),
    ("single.within", "all within 2 of a point, one call at a time"),
    ("single.nearest", "the nearest, one call at a time"),
    ("single.nearest8", "the 8 nearest, one call at a time"),
    ("nearest1", "the nearest of all agents, in a batch"),
    ("thin", "thin boxes"),
    ("frame", "update and pairs of a small world"),
    ("lists.by_id", "lists of 75 neighbours by id"),
    ("frame.queries.1", "all move, one small query"),
    ("frame.queries.100", "all move, 100 small queries"),
    ("edits.10", "10 moves and a query"),
    ("edits.one_in_1000", "0.1 % move, 100 queries"),
    ("edits.one_in_100", "1 % move, 100 queries"),
    ("layout.structs", "an update from structs of 48 bytes"),
    ("pile.first", "first hits in a pile"),
    ("pile.nearest", "the nearest in a pile"),
    ("host", "a host's frame by id: update, pairs, 8 nearest, 20,000 rays"),
]


def table_by_hand(rows):
    """One thread: how many times as long as the engine the best other program takes."""
    times = collections.defaultdict(dict)
    for row in rows:
        if row["isa"] == "avx512vbmi2" and row["threads"] == "1":
            times[row["task"], int(row["n"])].setdefault(row["index"], []).append(float(row["ms"]))
    lines = [f"One thread of an {rows[0]['cpu']}, {rows[0]['compiler']}, avx512vbmi2, on {rows[-1]['date']}.", "",
             "| | agents: the time of the best other program over the engine's |", "|---|---|"]
    for task, name in tasks_by_hand:
        cells = []
        for n in sorted(n for known, n in times if known == task):
            of = {index: statistics.median(taken) for index, taken in times[task, n].items()}
            engine, without = of.pop("engine"), of.pop("arrays", None)
            best = min(of, key=of.get)
            beside = f" (the library without an engine: {of[best] / without:.2g})" if without else ""
            ratio = of[best] / engine
            cells.append(f"{n:,}: {best} {ratio:.{0 if ratio > 10 else 2}f}{beside}")
        lines.append(f"| {name} | {'; '.join(cells)} |")
    return "\n".join(lines)


# Features and tasks of bench/features.py, in words.
features = [
    ("storey", "plain", "one storey, with heights"),
    ("storeys", "plain", "eight storeys, as many agents in all"),
    ("torus", "plain", "a world that wraps around"),
    ("ghosts.last", "plain", "a tenth are ghosts, with the last ids"),
    ("ghosts.spread", "plain", "a tenth are ghosts, with ids among the others"),
    ("walls", "plain", "a static layer, a wall for fifty agents"),
    ("within", "grown", "pairs up to 1 apart, beside boxes larger by 0.5"),
]
tasks_of_features = [
    ("update", "update"), ("pairs", "all pairs"), ("T2", "a box around each, in random order"), ("T2c", "the same, coherent"),
    ("T2r", "all within 2 of each"), ("knn", "the 8 nearest of each"), ("T5", "first hits"),
]


def table_of_features(rows, counts):
    """How many times as much time and, in brackets, as many instructions each task takes as in the crowd beside it. Times are
    those of the file that was measured last; without one there are only instructions."""
    times = {(row["feature"], row["task"]): f"{float(row['ratio']):.2f}" for row in rows}
    instructions = {row["name"]: int(row["instructions"]) for row in counts if row["compiler"] == counts[-1]["compiler"]}
    about = "No times were measured yet." if not rows else (
        f"One thread of an {rows[-1]['cpu']}, {rows[-1]['compiler']}, {rows[-1]['isa']}, on {rows[-1]['date']}, "
        f"{int(rows[-1]['n']):,} agents.")
    lines = [about, "", "| | " + " | ".join(name for _, name in tasks_of_features) + " |",
             "|---|" + "--:|" * len(tasks_of_features)]
    for feature, beside, name in features:
        cells = []
        for task, _ in tasks_of_features:
            count, count_beside = (instructions.get(f"{world}.{task}") for world in (feature, beside))
            counted = f" ({count / count_beside:.2f})" if count and count_beside else ""
            cells.append(times.get((feature, task), "-") + counted)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def table(rows, peers):
    isa = best_isa(rows)
    shown = newest(rows, isa, 1, 1000000, "frame", True)
    beside = ["The last column has the [peer](../bench/README.md#the-peers) that took least, from `bench/peers.py`: in brackets,",
              "how many times as long as the engine in the same run."] if peers else []
    lines = [
        f"Measured on {shown['cpu']}, {shown['compiler']}, {isa}, with `bench/ratios.py` on {shown['date']}. In brackets: the",
        "ratio to [`limit`](../bench/limit/limit.cpp), a bare special case without handles or checks, compiled for the machine",
        "and run in turns with the engine; below 1 the engine is faster. Medians, `crowd` of `worlds/workload/workload.hpp`.",
        *beside,
        "",
        "| | 100,000 agents, 1 thread | 1,000,000, 1 thread | 1,000,000, 2 threads |"
        + (" best peer, 1,000,000, 1 thread |" if peers else ""),
        "|---|---|---|---|" + ("---|" if peers else ""),
    ]
    columns = [(1, 100000), (1, 1000000), (2, 1000000)]
    for task, name in compared_tasks:
        cells = [cell(rows, isa, threads, n, task, task != "T3.count") for threads, n in columns]
        if peers:
            cells.append(peer_cell(peers, isa, 1000000, task))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    for task, name in other_tasks:
        cells = [engine_beside_peers(peers, isa, threads, n, task) for threads, n in columns]
        if cells != ["-"] * len(cells):
            lines.append(f"| {name} | " + " | ".join([*cells, peer_cell(peers, isa, 1000000, task)]) + " |")
    # Both of one run, so that they may be compared.
    against = newest(rows, isa, 1, 1000000, "commit.any.against")
    share = lambda task: float(newest(rows, isa, 1, 1000000, task)["engine_ms"]) / float(against["engine_ms"])
    ten = newest(rows, isa, 1, 10000000, "frame")
    lines += [
        "",
        f"10,000,000 agents take {float(ten['engine_ms']):.0f} ms a frame on one thread. A commit of edits confined to 1 % of "
        f"the rows takes {share('commit.rows'):.3f} of a full",
        f"update, one of 1 % of the agents anywhere {share('commit.any'):.2f}.",
    ]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, and fail if a page is out of date")
    check = parser.parse_args().check
    # Those of other scripts have other columns.
    paths = [path for path in sorted((root / "bench" / "results").glob("*.csv"))
             if "limit_ms" in path.open().readline()]
    peers = [path.with_name(f"{path.stem}-peers.csv") for path in paths]
    machines = [(rows_of(path), rows_of(beside) if beside.exists() else []) for path, beside in zip(paths, peers)]
    every_machine = [rows_of(path) for path in sorted((root / "bench" / "results").glob("*-peers.csv"))]
    of_features = max((rows_of(path) for path in sorted((root / "bench" / "results").glob("*-features.csv"))),
                      key=lambda rows: rows[-1]["date"], default=[])
    counts = rows_of(root / "bench" / "results" / "instructions.csv")
    by_hand = rows_of(max((root / "bench" / "results").glob("*-regimes.csv"), key=lambda path: len(rows_of(path))))
    for page, name, content in (("README.md", "short figures", short_table(every_machine)),
                                ("docs/figures.md", "figures", "\n\n".join(table(*machine) for machine in machines)),
                                ("docs/figures.md", "by hand", table_by_hand(by_hand)),
                                ("docs/figures.md", "features", table_of_features(of_features, counts))):
        path = root / page
        text = path.read_text()
        new = between(text, name, content)
        if not check:
            path.write_text(new)
        elif new != text:
            sys.exit(f"{page} does not show the committed figures: run bench/readme_figures.py")


main()
