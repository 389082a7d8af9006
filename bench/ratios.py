#!/usr/bin/env python3
"""Runs the engine beside `limit` and says which of the project's bars are met.

    bench/ratios.py --build build/release --rounds 5

How programs take turns, and what counts then, is told in measure.py. Every time goes as a row into a CSV file
named after the CPU.
"""

import argparse
import collections
import statistics
import subprocess
import sys

from measure import Table, add_common_options, append_csv, compare_program, note, numbers, take_turns, today

FIELDS = ["cpu", "compiler", "date", "isa", "threads", "n", "task", "engine_ms", "limit_ms", "ratio"]
# Tasks with a checksum, and whether `limit` gives a hash as well as a count.
CHECKED = {"pairs@3": True, "T2": True, "T2c": True, "T3": False}


class Case(collections.namedtuple("Case", "program isa n threads")):
    def __str__(self):
        return f"{self.program} {self.isa} {self.n:,} x{self.threads}"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_common_options(parser)
    add = parser.add_argument
    add("--n", default=[100_000, 1_000_000], type=numbers, help="crowds that are compared with limit")
    add("--threads", default=[1, 2], type=numbers, help="thread counts")
    add("--isa", default="native,avx2", help="native, avx2 or both")
    add("--large", default=10_000_000, type=int, help="the largest crowd; 0 leaves it out")
    return parser.parse_args()


class Bench:
    """Runs the programs."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.compare = compare_program(arguments.build)
        self.groups = []  # every set of rounds there was

    def command(self, case, tasks, more):
        if case.program == "limit":
            flavour = "avx2" if case.isa == "avx2" else "native"
            program = self.arguments.build / "bench" / "limit" / f"throng-limit-{flavour}"
            return [program, "crowd", str(case.n), str(case.threads)]
        isa = "automatic" if case.isa == "native" else case.isa
        return [self.compare, "--n", str(case.n), "--threads", str(case.threads), "--isa", isa,
                "--tasks", ",".join(tasks), "--frames", str(self.arguments.frames), *more]

    def take_turns(self, cases, count=None, tasks=("frame",), more=()):
        commands = {case: self.command(case, tasks, more) for case in cases}
        self.groups.append(take_turns(commands, count or self.arguments.rounds))
        return self.groups[-1]


def can_run(bench, isa):
    """Whether this machine has the instruction set."""
    command = [bench.compare, "--n", "1", "--isa", isa, "--tasks", "memory", "--frames", "0"]
    return subprocess.run(command, capture_output=True).returncode == 0


def compare_with_limit(bench, table, isa, n):
    tasks = ("frame", "T2", "T2c", "T3", "T3.count")
    pairs = [(Case("engine", isa, n, t), Case("limit", isa, n, t)) for t in bench.arguments.threads]
    rounds = bench.take_turns([case for pair in pairs for case in pair], tasks=tasks)
    for engine, limit in pairs:
        where = f"{n:,}, {isa}, {engine.threads} thread{'s' if engine.threads > 1 else ''}"
        for task, bar in (("frame", 1.2), ("T2", 1.3), ("T2c", 1.15)):
            ours, theirs = rounds.times(engine, task), rounds.times(limit, task)
            table.ratio(f"{task} against limit: {where}", ours, theirs, bar)
        if engine.threads == 1:
            large = rounds.times(engine, "T3")
            table.ratio(f"T3 against limit: {where}", large, rounds.times(limit, "T3"), 0.5)
            table.ratio(f"T3.count against T3: {where}", rounds.times(engine, "T3.count"), large, 0.5)
        table.add(f"checksums: {where}", *rounds.checksums(CHECKED, (engine, limit)))
    times = {engine.threads: rounds.times(engine, "frame") for engine, _ in pairs}
    if 1 in times and 2 in times:
        table.ratio(f"frame, 1 thread against 2: {n:,}, {isa}", times[1], times[2], 1.8, at_least=True)


def compare_sizes(bench, table):
    sizes = [n for n in (100_000, 1_000_000, bench.arguments.large) if n]
    cases = [Case("engine", "native", n, 1) for n in sizes]
    rounds = bench.take_turns(cases, count=max(3, bench.arguments.rounds // 2))
    per_agent = [[ms / case.n for ms in rounds.times(case, "frame")] for case in cases]
    for small, large, bar, k in zip(sizes, sizes[1:], (1.8, 1.2), range(2)):
        table.ratio(f"frame's cost per agent: {small:,} to {large:,}", per_agent[k + 1], per_agent[k], bar)


def compare_instruction_sets(bench, table):
    if not can_run(bench, "avx512"):
        note("this CPU has no AVX-512: sse2 is not compared with it")
        return
    cases = [Case("engine", isa, 1_000_000, 1) for isa in ("sse2", "avx512")]
    rounds = bench.take_turns(cases)
    times = [rounds.times(case, "frame") for case in cases]
    table.ratio("frame, sse2 against avx512: 1,000,000", *times, 2.5)


def compare_commits(bench, table):
    case = Case("engine", "native", 1_000_000, 1)
    rounds = bench.take_turns([case], tasks=("frame", "memory", "commit.rows", "commit.any"))
    update = rounds.times(case, "frame.update")
    table.ratio("commit.rows against a full update", rounds.times(case, "commit.rows"), update, 0.05)
    table.ratio("commit.any against a full update", rounds.times(case, "commit.any"), update, 0.6)
    held = rounds.value(case, "memory", "taken_per_agent")
    table.add("memory per agent, in bytes", f"{held:.1f}", "<= 64", held <= 64)


def compare_steady_frames(bench, table):
    case = Case("engine", "native", 100_000, max(bench.arguments.threads))
    rounds = bench.take_turns([case], count=1, tasks=("p99", "allocations"), more=("--steady-frames", "1000"))
    made = rounds.value(case, "allocations", "allocations")
    table.add("allocations in 1,000 steady frames", f"{made:.0f}", "0", made == 0)
    last, middle = rounds.value(case, "p99", "ms"), rounds.value(case, "p99", "median_ms")
    note(f"{case.n:,} agents, 1,000 frames: median {middle:.3f} ms, 99th percentile {last:.3f} ms")


def write_csv(bench):
    """One row for every case and task of the engine."""
    cpu = next(iter(bench.groups[0].about.values()))["cpu"]
    rows = [csv_row(rounds, case, task) for rounds in bench.groups for case, task in rounds.lines
            if case.program == "engine" and rounds.times(case, task)[0] > 0]
    append_csv(bench.arguments.results, cpu, "", FIELDS, rows)


def csv_row(rounds, case, task):
    engine = statistics.median(rounds.times(case, task))
    limits = rounds.times(case._replace(program="limit"), task)
    limit = statistics.median(limits) if limits else None
    about = rounds.about[case]
    return [about["cpu"], about["compiler"], today(), about["isa"], case.threads, case.n, task,
            f"{engine:.4f}", f"{limit:.4f}" if limit else "", f"{engine / limit:.4f}" if limit else ""]


def main():
    arguments = parse_arguments()
    bench, table = Bench(arguments), Table()
    for isa in arguments.isa.split(","):
        if isa == "avx2" and not can_run(bench, isa):
            note("this CPU has no AVX2: not compared")
            continue
        for n in arguments.n:
            compare_with_limit(bench, table, isa, n)
    compare_sizes(bench, table)
    compare_instruction_sets(bench, table)
    compare_commits(bench, table)
    compare_steady_frames(bench, table)
    table.print()
    if not arguments.no_csv:
        write_csv(bench)
    return 1 if arguments.strict and table.missed() else 0


if __name__ == "__main__":
    sys.exit(main())
