#!/usr/bin/env python3
"""Measures the spatial structures beside the engine, and says which of the bars for them are met.

    bench/structures.py --build build/release --rounds 5
    bench/structures.py --only worlds --small 20000 --rounds 2 --no-csv     for a try
    bench/structures.py --structures quadtree,row_grid                      a part, where time is short

How programs take turns, and what counts then, is told in measure.py. Every measurement goes as a row into a
CSV file named after the CPU, from which choosing_figures.py writes the tables of structures/docs/choosing.md.
"""

import argparse
import collections
import re
import statistics
import subprocess
import sys

from measure import (add_common_options, add_group_option, compare_program, judge_groups, note, take_turns,
                     today)

FIELDS = ["cpu", "compiler", "date", "index", "scenario", "n", "task", "ms", "to_engine", "count",
          "bytes_per_agent", "allocations"]
# What a frame of each may take, as a multiple of the engine's own in the same run.
FRAME_BARS = {"quadtree": 24, "loose_quadtree": 20, "loose_grid": 2.2, "uniform_grid": 2.2, "row_grid": 4.5,
              "grid_hierarchy": 4, "object_quadtree": 80, "static_index": None}
MEMORY_BARS = {"quadtree": 45, "loose_quadtree": 60, "loose_grid": 45, "uniform_grid": 20}
STRUCTURES = list(FRAME_BARS)
MOST_GROWTH = 15
# A grid for one size is no choice where sizes differ by orders.
WORLDS = {"mixed": {"uniform_grid"}, "sizes": {"uniform_grid"}, "clustered": set(), "villages": set()}
# Tasks whose checksum must not depend on the index; large searches are many, so their number will do.
CHECKED = {"pairs@3": True, "T2": True}


class Case(collections.namedtuple("Case", "index scenario n")):
    def __str__(self):
        return f"{self.index} {self.scenario} {self.n:,}"


class Bench:
    """Runs throng-compare, the engine first in every round, and keeps what was printed."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.program = compare_program(arguments.build)
        text = subprocess.run([self.program, "--help"], capture_output=True, text=True, check=True).stdout
        self.known = set(re.findall(r"^  ([\w.@]+): ", text, re.MULTILINE))
        self.groups = []

    def run(self, indexes, scenario, counts, tasks, tasks_of_many=None):
        missing = [index for index in indexes if index not in self.known]
        if missing:
            note(f"this throng-compare knows no {', '.join(missing)}: left out")
        # Both numbers of agents of an index one after the other, so that how it grows is a matter of one minute.
        cases = [Case(index, scenario, n) for index in ("engine", *indexes) if index in self.known for n in counts]
        commands = {case: [self.program, "--index", case.index, "--scenario", scenario, "--n", case.n,
                           "--frames", self.arguments.frames, "--steady-frames", 100, "--tasks",
                           ",".join(tasks if case.n == counts[0] else tasks_of_many)]
                    for case in cases}
        rounds = take_turns(commands, self.arguments.rounds)
        self.groups.append(rounds)
        return cases, rounds


def judge_checksums(table, cases, rounds, what, tasks=CHECKED):
    table.add(f"checksums: {what}", *rounds.checksums(tasks, cases))


def judge_crowd(bench, table):
    """Frames, queries and memory in the plain crowd, at both sizes, and how frames grow between them."""
    small, large = bench.arguments.small, bench.arguments.large
    cases, rounds = bench.run(bench.arguments.structures, "crowd", (small, large),
                              ("frame", "memory", "T2", "T2.leaf", "T3", "T3.count", "allocations"),
                              ("frame", "memory", "T2", "T2.leaf"))
    few, many = cases[::2], cases[1::2]
    judge_checksums(table, few, rounds, f"crowd {small:,}")
    judge_checksums(table, many, rounds, f"crowd {large:,}")
    for case in few[1:]:
        table.ratio(f"frame, {case.index} against the engine: {small:,}", rounds.times(case, "frame"),
                    rounds.times(few[0], "frame"), FRAME_BARS[case.index])
    for case, before in zip(many, few):
        table.ratio(f"frame of {large:,} against {small:,}, {case.index}", rounds.times(case, "frame"),
                    rounds.times(before, "frame"), MOST_GROWTH if case.index in FRAME_BARS else None)
    for case in few[1:]:
        held = [line["bytes_per_agent"] for line in rounds.lines[case, "memory"]]
        table.most(f"memory per agent, in bytes, {case.index}: {small:,}", held,
                   MEMORY_BARS.get(case.index, 96))
    for case in few[1:]:
        count = rounds.value(case, "allocations", "allocations")
        table.add(f"allocations in 100 frames, {case.index}", f"{count:g}", "0", count == 0)
    for case in few[1:] + many[1:]:
        table.ratio(f"queries in random order against leaf order, {case.index}: {case.n:,}",
                    rounds.times(case, "T2"), rounds.times(case, "T2.leaf"))


def judge_moves(bench, table):
    """A move for every agent instead of a new structure."""
    moved = [name + ".moves" for name in bench.arguments.structures if name != "static_index"]
    cases, rounds = bench.run(moved, "crowd", (bench.arguments.small,), ("frame", "memory", "allocations"))
    judge_checksums(table, cases, rounds, "by moves", {"pairs@3": True})
    engine, *others = cases
    for case in others:
        table.ratio(f"frame, {case.index} against the engine", rounds.times(case, "frame"),
                    rounds.times(engine, "frame"))
        count = rounds.value(case, "allocations", "allocations")
        table.add(f"allocations in 100 frames, {case.index}", f"{count:g}", "0", count == 0)


def judge_worlds(bench, table):
    """Where agents differ in size, or crowd together."""
    for scenario, unfit in WORLDS.items():
        names = [name for name in bench.arguments.structures if name not in unfit]
        cases, rounds = bench.run(names, scenario, (bench.arguments.small,),
                                  ("frame", "memory", "T2", "T2.leaf", "T3"))
        judge_checksums(table, cases, rounds, scenario)
        engine, *others = cases
        for case in others:
            table.ratio(f"frame, {case.index} against the engine: {scenario}", rounds.times(case, "frame"),
                        rounds.times(engine, "frame"))


GROUPS = {"crowd": judge_crowd, "moves": judge_moves, "worlds": judge_worlds}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_common_options(parser)
    parser.add_argument("--small", default=100_000, type=int, help="agents of the smaller worlds")
    parser.add_argument("--large", default=1_000_000, type=int, help="agents of the larger crowd")
    parser.add_argument("--structures", default=STRUCTURES, type=lambda text: text.split(","),
                        help="some of " + ",".join(STRUCTURES))
    add_group_option(parser, GROUPS)
    return parser.parse_args()


def csv_rows(bench):
    for rounds in bench.groups:
        # The engine beside moves was measured at another time than that beside assigned structures.
        beside_moves = any(case.index.endswith(".moves") for case, _ in rounds.lines)
        for case, task in rounds.lines:
            if beside_moves and case.index == "engine":
                continue
            about, lines = rounds.about[case], rounds.lines[case, task]
            ms = statistics.median(rounds.times(case, task))
            engine = rounds.times(case._replace(index="engine"), task)
            ratio = f"{ms / statistics.median(engine):.3f}" if ms > 0 and engine else ""
            held = lines[0].get("bytes_per_agent")
            yield [about["cpu"], about["compiler"], today(), case.index, case.scenario, case.n, task,
                   f"{ms:.6g}" if ms > 0 else "", ratio, lines[0].get("count", ""),
                   f"{held:.1f}" if held else "", lines[0].get("allocations", "")]


def main():
    arguments = parse_arguments()
    return judge_groups(Bench(arguments), arguments, GROUPS, "-structures", FIELDS, csv_rows)


if __name__ == "__main__":
    sys.exit(main())
