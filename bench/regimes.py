#!/usr/bin/env python3
"""Measures the engine where not everything moves and not all ask: one call at a time, few agents, few queries, few edits,
a host's structs, piles; each beside the best of what a good programmer writes by hand (bench/compare/by_hand).

    bench/regimes.py --build build/release --rounds 5
    bench/regimes.py --quick                          a try of half a minute, with small worlds
    bench/regimes.py --only edits,chart --csv regimes.csv

How programs take turns, and what counts then, is told in measure.py. A ratio says how many times as fast as the best by
hand the engine is: below 1 it loses. All indexes have to answer alike, or the script fails.
"""

import argparse
import collections
import csv
import pathlib
import re
import statistics
import subprocess
import sys

from measure import HERE, Table, compare_program, note, stop, take_turns, today

FIELDS = ["cpu", "compiler", "date", "isa", "index", "threads", "n", "task", "ms"]
Sizes = collections.namedtuple("Sizes", "singles tiny lists queries edits chart removal layout pile host")
FULL = Sizes(singles=(1_000, 20_000, 100_000, 1_000_000), tiny=(100, 300, 1_000, 2_000), lists=(100_000,),
             queries=(1_000_000,), edits=(100_000, 1_000_000), chart=(1_000_000,), removal=(1_000_000,),
             layout=(200_000, 1_000_000), pile=(100_000,), host=(200_000,))
QUICK = Sizes(singles=(1_000, 20_000), tiny=(100, 1_000), lists=(10_000,), queries=(200_000,), edits=(100_000,),
              chart=(50_000,), removal=(100_000,), layout=(100_000,), pile=(20_000,), host=(50_000,))


class Case(collections.namedtuple("Case", "index n threads")):
    def __str__(self):
        return f"{self.index} {self.n:,}" + (f" x{self.threads}" if self.threads > 1 else "")


class Bench:
    """Runs throng-compare and keeps what it printed."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.program = compare_program(arguments.build)
        self.sizes = QUICK if arguments.quick else FULL
        text = subprocess.run([self.program, "--help"], capture_output=True, text=True, check=True).stdout
        self.known = set(re.findall(r"^  ([\w.@]+): ", text, re.MULTILINE))  # scenarios, indexes and tasks
        self.groups = []
        self.differ = []

    def take_turns(self, n, indexes, tasks, threads=1, frames=1):
        """The engine and the others that this program knows, which answer on one thread."""
        others = [index for index in indexes if index in self.known]
        for index in set(indexes) - set(others):
            note(f"this throng-compare knows no {index}: left out")
        cases = [Case("engine", n, threads)] + [Case(index, n, 1) for index in others]
        commands = {case: [self.program, "--index", case.index, "--n", case.n, "--threads", case.threads,
                           "--frames", frames, "--tasks", ",".join(tasks)] for case in cases}
        rounds = take_turns(commands, self.arguments.rounds)
        self.groups.append(rounds)
        self.compare_answers(rounds, n)
        return rounds, cases[0], cases[1:]

    def compare_answers(self, rounds, n):
        answers = collections.defaultdict(set)
        for (_, task), lines in rounds.lines.items():
            answers[task].update((line["count"], line["hash"]) for line in lines if "hash" in line)
        self.differ += [f"{task} of {n:,}" for task, seen in answers.items() if len(seen) > 1]


def against_best(table, measured, task, n, bar=None, only=None):
    """How many times as fast as the best of the others the engine is."""
    rounds, engine, others = measured
    able = [case for case in others if rounds.times(case, task) and only in (None, case.index)]
    best = min(able, key=lambda case: statistics.median(rounds.times(case, task)), default=None)
    n = n if isinstance(n, str) else f"{n:,}"
    what = f"{task}, {n}: against {best.index if best else only or 'nothing'}"
    table.ratio(what, rounds.times(best, task) if best else [], rounds.times(engine, task), bar, at_least=True)


def judge_singles(bench, table):
    """A call costs what its answer needs."""
    for n in bench.sizes.singles:
        by_hand = ("grid", "lists", "nanoflann", *(("sweep",) if n <= 2_000 else ()))
        tasks = ("single", "single.neighbours", "thin", "nearest1")
        measured = bench.take_turns(n, by_hand, tasks)
        for task in ("single.boxes", "single.visitor", "thin", "single.within", "single.nearest", "single.nearest8",
                     "nearest1"):
            against_best(table, measured, task, n, 1)
        for task in ("single.within", "single.nearest8"):
            against_best(table, measured, task, n, 1.5, only="nanoflann")


def judge_tiny(bench, table):
    """A host need not write loops of its own for a few agents."""
    for n in bench.sizes.tiny:
        measured = bench.take_turns(n, ("loop", "sweep", "grid"), ("frame",), frames=5)
        against_best(table, measured, "frame", n, 1)


def judge_lists(bench, table):
    """Lists of many neighbours by id, and what they cost beyond those in the engine's own order."""
    for n in bench.sizes.lists:
        measured = bench.take_turns(n, ("grid", "nanoflann"), ("lists",))
        against_best(table, measured, "lists.by_id", n, 1)
        rounds, engine, _ = measured
        table.ratio(f"lists.by_id, {n:,}: in lists.in_rows", rounds.times(engine, "lists.by_id"),
                    rounds.times(engine, "lists.in_rows"))


def judge_queries(bench, table):
    """All agents move, and few ask."""
    for n in bench.sizes.queries:
        measured = bench.take_turns(n, ("arrays", "pass"), ("frame.queries",))
        rounds, _, (arrays, by_pass) = measured
        for count in (1, 10, 100, 1_000):
            task = f"frame.queries.{count}"
            against_best(table, measured, task, n, only="pass")
            table.ratio(f"{task}, {n:,}: without an engine, in pass", rounds.times(arrays, task), rounds.times(by_pass, task),
                        1.2 if count <= 100 else None)


def judge_edits(bench, table):
    """Few agents move. The lists keep no snapshots, so a commit is nothing to them."""
    for n in bench.sizes.edits:
        measured = bench.take_turns(n, ("lists",), ("edits",))
        for task in ("edits.10", "edits.one_in_10000", "edits.one_in_1000", "edits.one_in_100"):
            against_best(table, measured, task, n, None if task == "edits.10" else 0.3)
        bar = {1_000_000: 70, 100_000: 15}.get(n)
        if bar is not None:
            rounds, engine, _ = measured
            table.most(f"edits.10, {n:,}: microseconds", [1e3 * ms for ms in rounds.times(engine, "edits.10")], bar)


def judge_mixed(bench, table):
    """All agents move, and then ten are moved, come or leave."""
    for n in bench.sizes.edits:
        rounds, engine, _ = bench.take_turns(n, (), ("mixed",))
        bar = {1_000_000: 10, 100_000: 15}.get(n)
        for task in ("mixed.moves", "mixed.insertions", "mixed.removals"):
            lines = rounds.lines[engine, f"{task}.commit"]
            table.most(f"{task}, {n:,}: in percent of an update", [100 * line["of_update"] for line in lines], bar)
            table.most(f"{task}, {n:,}: the next update, in percent of one without edits",
                       [100 * line["update_after_edits"] for line in lines], 110)


def judge_chart(bench, table):
    """What a commit costs from one edit to all, which is printed as a table of its own."""
    for n in bench.sizes.chart:
        rounds, engine, others = bench.take_turns(n, ("lists",), ("edits.chart",))
        tasks = [task for case, task in rounds.lines if case == engine and task.startswith("edits.chart.")]
        cost = {task: rounds.value(engine, task, "commit_ms") for task in tasks}
        update = statistics.median(rounds.value(engine, task, "update_ms") for task in tasks)
        print(f"\n{n:,} agents, so many of them moved: the commit in updates, moves and commit in updates, and these in "
              "those of " + ", ".join(case.index for case in others))
        for task in tasks:
            both = statistics.median(rounds.times(engine, task))
            print(f"{int(task.split('.')[-1]):>10,}  {cost[task] / update:8.4f}  {both / update:8.4f}" +
                  "".join(f"  {both / statistics.median(rounds.times(case, task)):8.1f}" for case in others))
        falls = [1 - cost[after] / cost[before] for before, after in zip(tasks, tasks[1:])]
        table.most(f"edits.chart, {n:,}: largest fall as edits double, in percent", [100 * max(falls)], 5)
        all_moved = cost[tasks[-1]] / update
        table.add(f"edits.chart, {n:,}: all moved, the commit in updates", f"{all_moved:.3f}", "<= 1.05",
                  all_moved <= 1.05)


def judge_removal(bench, table):
    """A commit that removes most costs what stays."""
    for n in bench.sizes.removal:
        measured = bench.take_turns(n, ("lists",), ("removal",))
        rounds, engine, _ = measured
        table.most(f"removal.commit, {n:,}: in updates",
                   [line["of_update"] for line in rounds.lines[engine, "removal.commit"]], 1.0)
        against_best(table, measured, "removal", n)


def judge_layout(bench, table):
    """The host's structs are read where they lie."""
    for n in bench.sizes.layout:
        measured = bench.take_turns(n, ("grid",), ("layout",))
        rounds, engine, _ = measured
        for form, bar in (("structs", 1.15), ("copied", None), ("points", 0.9)):
            table.ratio(f"layout.{form}, {n:,}: in layout.arrays", rounds.times(engine, f"layout.{form}"),
                        rounds.times(engine, "layout.arrays"), bar)
        for form in ("arrays", "structs", "points"):
            against_best(table, measured, f"layout.{form}", n)


def judge_pile(bench, table):
    """All agents at one point, and few of them wanted."""
    for n in bench.sizes.pile:
        measured = bench.take_turns(n, ("grid", "lists"), ("pile", "pile.neighbours"))
        for task in ("pile.few", "pile.first", "pile.first.batch", "pile.nearest", "pile.nearest8"):
            against_best(table, measured, task, n)


def judge_host(bench, table):
    """A whole frame of a host that thinks in ids."""
    for n in bench.sizes.host:
        for threads in (1, 2):
            measured = bench.take_turns(n, ("grid",), ("host",), threads=threads)
            for task in ("host", "host.update", "host.pairs", "host.nearest", "host.rays"):
                against_best(table, measured, task, n if threads == 1 else f"{n:,} x{threads}")


GROUPS = {"singles": judge_singles, "tiny": judge_tiny, "lists": judge_lists, "queries": judge_queries,
          "edits": judge_edits, "mixed": judge_mixed, "chart": judge_chart, "removal": judge_removal, "layout": judge_layout,
          "pile": judge_pile, "host": judge_host}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--build", default=HERE.parent / "build" / "release", type=pathlib.Path, help="build directory")
    add("--rounds", type=int, help="turns that every program gets (5, or 1 with --quick)")
    add("--quick", action="store_true", help="small worlds, for a try")
    add("--csv", type=pathlib.Path, help="a file to which every time is written")
    add("--strict", action="store_true", help="fail if a bar is missed")
    add("--only", default=list(GROUPS), type=lambda text: text.split(","), help="some of " + ",".join(GROUPS))
    arguments = parser.parse_args()
    arguments.rounds = arguments.rounds or (1 if arguments.quick else 5)
    for name in arguments.only:
        if name not in GROUPS:
            stop(f"unknown group '{name}': there are {', '.join(GROUPS)}")
    return arguments


def csv_rows(bench):
    isa = next(iter(bench.groups[0].about.values()))["isa"]  # those by hand choose their own
    for rounds in bench.groups:
        for case, task in rounds.lines:
            ms = statistics.median(rounds.times(case, task))
            if ms > 0:
                about = rounds.about[case]
                yield [about["cpu"], about["compiler"], today(), isa, case.index, case.threads, case.n, task,
                       f"{ms:.6g}"]


def main():
    arguments = parse_arguments()
    bench, table = Bench(arguments), Table()
    for name in arguments.only:
        GROUPS[name](bench, table)
    print()
    table.print()
    if arguments.csv:
        with arguments.csv.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(FIELDS)
            writer.writerows(csv_rows(bench))
    if bench.differ:
        stop("answers differ: " + ", ".join(bench.differ))
    return 1 if arguments.strict and table.missed() else 0


if __name__ == "__main__":
    sys.exit(main())
