#!/usr/bin/env python3
"""Runs the engine beside its peers on the tasks of the README's table, and keeps what each took.

    bench/peers.py --build build/release --rounds 5
    bench/peers.py --n 20000 --threads 1 --rounds 1 --no-csv     for a try

How programs take turns, and what counts then, is told in measure.py. Every time goes as a row into a CSV file named after
the CPU, from which readme_figures.py takes the best peer of each task.
"""

import argparse
import collections
import re
import statistics
import subprocess
import sys

from measure import Table, add_common_options, append_csv, compare_program, note, numbers, take_turns, today

FIELDS = ["cpu", "compiler", "date", "isa", "index", "threads", "n", "task", "ms"]
# What each peer can do. Trees of boxes answer about boxes and rays, trees of points about neighbours.
BOXES = ("frame", "T2", "T2c", "T3", "T3.count", "T5", "T5.any", "T8", "T9")
NEIGHBOURS = ("T2r", "T2r.half", "knn")
PEERS = {"embree.refit": BOXES, "embree.rebuild": BOXES, "nanoflann": NEIGHBOURS}
# No peer has the last one.
ENGINE = (*BOXES, *NEIGHBOURS, "events")


class Case(collections.namedtuple("Case", "index n threads")):
    def __str__(self):
        return f"{self.index} {self.n:,} x{self.threads}"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_common_options(parser)
    add = parser.add_argument
    add("--n", default=[100_000, 1_000_000], type=numbers, help="crowds")
    add("--threads", default=[1, 2], type=numbers, help="thread counts of the engine; peers run on one")
    return parser.parse_args()


def known_to(program):
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^  ([\w.@]+): ", text, re.MULTILINE))  # indexes and tasks


def command(program, arguments, case, tasks):
    return [program, "--index", case.index, "--scenario", "crowd", "--n", case.n, "--threads", case.threads,
            "--frames", arguments.frames, "--tasks", ",".join(tasks)]


def compare(program, arguments, table, n):
    known = known_to(program)
    peers = {Case(peer, n, 1): tasks for peer, tasks in PEERS.items() if peer in known}
    for peer in PEERS.keys() - known:
        note(f"this throng-compare knows no {peer}: left out")
    cases = {Case("engine", n, threads): ENGINE for threads in arguments.threads} | peers
    rounds = take_turns({case: command(program, arguments, case, [task for task in tasks if task in known])
                         for case, tasks in cases.items()}, arguments.rounds)
    engine = Case("engine", n, 1)
    for task in ENGINE:
        best = best_of(rounds, peers, task)
        if best and engine in cases:
            table.ratio(f"{task}, {best.index} against the engine: {n:,}", rounds.times(best, task),
                        rounds.times(engine, task))
    return rounds, cases


def best_of(rounds, cases, task):
    able = [case for case in cases if rounds.times(case, task)]
    return min(able, key=lambda case: statistics.median(rounds.times(case, task)), default=None)


def csv_rows(rounds, cases):
    isa = next(rounds.about[case]["isa"] for case in cases if case.index == "engine")  # peers choose their own
    for case in cases:
        about = rounds.about[case]
        for line_case, task in list(rounds.lines):
            times = rounds.times(case, task)
            if line_case == case and times and times[0] > 0:
                yield [about["cpu"], about["compiler"], today(), isa, case.index, case.threads, case.n,
                       task, f"{statistics.median(times):.4f}"]


def main():
    arguments = parse_arguments()
    program, table = compare_program(arguments.build), Table()
    for n in arguments.n:
        rounds, cases = compare(program, arguments, table, n)
        if not arguments.no_csv:
            cpu = next(iter(rounds.about.values()))["cpu"]
            append_csv(arguments.results, cpu, "-peers", FIELDS, list(csv_rows(rounds, cases)))
    table.print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
