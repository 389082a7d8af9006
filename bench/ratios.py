#!/usr/bin/env python3
"""Runs the engine beside `limit` and says which of the project's bars are met.

    bench/ratios.py --build build/release --rounds 5

Machines are shared, and the same program's time may double within the hour. So programs that are compared
run in turns, several rounds of them, and what counts is the ratio of their medians. The spread beside it is
that of the single rounds. Every time goes as a row into a CSV file named after the CPU.
"""

import argparse
import collections
import csv
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIELDS = ["cpu", "compiler", "date", "isa", "threads", "n", "task", "engine_ms", "limit_ms", "ratio"]
# Tasks with a checksum, and whether `limit` gives a hash as well as a count.
CHECKED = {"pairs@3": True, "T2": True, "T2c": True, "T3": False}

Case = collections.namedtuple("Case", "program isa n threads")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    numbers = lambda text: [int(part) for part in text.split(",")]
    add("--build", default=HERE.parent / "build" / "release", type=pathlib.Path, help="build directory")
    add("--rounds", default=5, type=int, help="turns that every program gets")
    add("--n", default=[100_000, 1_000_000], type=numbers, help="crowds that are compared with limit")
    add("--threads", default=[1, 2], type=numbers, help="thread counts")
    add("--isa", default="native,avx2", help="native, avx2 or both")
    add("--large", default=10_000_000, type=int, help="the largest crowd; 0 leaves it out")
    add("--frames", default=10, type=int, help="timed frames a run")
    add("--results", default=HERE / "results", type=pathlib.Path, help="where the CSV file goes")
    add("--no-csv", action="store_true", help="write no CSV file")
    add("--strict", action="store_true", help="fail if a bar is missed")
    return parser.parse_args()


class Rounds:
    """The lines that programs printed while they took turns."""

    def __init__(self):
        self.lines = collections.defaultdict(list)  # (case, task): one line a round
        self.about = {}  # the engine's description of itself, by case

    def keep(self, case, output):
        for text in output.splitlines():
            line = json.loads(text)
            if line["task"] == "run":
                self.about[case] = line
            else:
                self.lines[case, line["task"]].append(line)

    def times(self, case, task):
        return [line["ms"] for line in self.lines.get((case, task), [])]

    def value(self, case, task, field):
        return statistics.median(line[field] for line in self.lines[case, task])


class Bench:
    """Runs the programs."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.compare = arguments.build / "bench" / "compare" / "throng_compare"
        self.groups = []  # every set of rounds there was

    def command(self, case, tasks, more):
        if case.program == "limit":
            flavour = "avx2" if case.isa == "avx2" else "native"
            program = self.arguments.build / "bench" / "limit" / f"throng_limit_{flavour}"
            return [program, "crowd", str(case.n), str(case.threads)]
        isa = "automatic" if case.isa == "native" else case.isa
        return [self.compare, "--n", str(case.n), "--threads", str(case.threads), "--isa", isa,
                "--tasks", ",".join(tasks), "--frames", str(self.arguments.frames), *more]

    def take_turns(self, cases, count=None, tasks=("frame",), more=()):
        count = count or self.arguments.rounds
        rounds = Rounds()
        self.groups.append(rounds)
        names = ", ".join(f"{case.program} {case.isa} {case.n:,} x{case.threads}" for case in cases)
        for turn in range(count):
            note(f"round {turn + 1} of {count}: {names}")
            for case in cases:
                done = subprocess.run(self.command(case, tasks, more), capture_output=True, text=True)
                if done.returncode != 0:
                    raise SystemExit(f"ratios: {case}: {done.stderr.strip() or done.returncode}")
                rounds.keep(case, done.stdout)
        return rounds


def note(text):
    print(f"ratios: {text}", file=sys.stderr, flush=True)


def can_run(bench, isa):
    """Whether this machine has the instruction set."""
    command = [bench.compare, "--n", "1", "--isa", isa, "--tasks", "memory", "--frames", "0"]
    return subprocess.run(command, capture_output=True).returncode == 0


class Table:
    """One row a bar: what was measured, what was asked, and whether it was met."""

    def __init__(self):
        self.rows = []

    def add(self, what, measured, bar, met, spread=""):
        self.rows.append((what, measured, bar, met, spread))

    def ratio(self, what, above, below, bar, at_least=False):
        """The ratio of two lists' medians against a bar that it must not exceed (or must reach)."""
        sign = ">=" if at_least else "<="
        if not above or not below:
            self.add(what, "-", f"{sign} {bar}", None)
            return
        measured = statistics.median(above) / statistics.median(below)
        rounds = [a / b for a, b in zip(above, below)]
        met = measured >= bar if at_least else measured <= bar
        self.add(what, f"{measured:.3f}", f"{sign} {bar}", met, f"{min(rounds):.2f} to {max(rounds):.2f}")

    def print(self):
        width = max(len(row[0]) for row in self.rows)
        print(f"{'bar':{width}}  {'measured':>10}  {'bar':>10}  {'':8}  rounds")
        for what, measured, bar, met, spread in self.rows:
            word = {True: "met", False: "MISSED", None: "no data"}[met]
            print(f"{what:{width}}  {measured:>10}  {bar:>10}  {word:8}  {spread}")
        judged = [row for row in self.rows if row[3] is not None]
        print(f"\n{sum(row[3] for row in judged)} of {len(judged)} bars met")

    def missed(self):
        return any(row[3] is False for row in self.rows)


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
        table.add(f"checksums: {where}", *checksums(rounds, engine, limit))
    times = {engine.threads: rounds.times(engine, "frame") for engine, _ in pairs}
    if 1 in times and 2 in times:
        table.ratio(f"frame, 1 thread against 2: {n:,}, {isa}", times[1], times[2], 1.8, at_least=True)


def checksums(rounds, engine, limit):
    for task, hashed in CHECKED.items():
        ours, theirs = rounds.lines.get((engine, task)), rounds.lines.get((limit, task))
        if not ours or not theirs:
            return "-", "equal", None
        fields = ("count", "hash") if hashed else ("count",)
        seen = {tuple(line[field] for field in fields) for line in ours + theirs}
        if len(seen) > 1:
            return task + " differs", "equal", False
    return "equal", "equal", True


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
    """Appends one row for every case and task of the engine."""
    cpu = next(iter(bench.groups[0].about.values()))["cpu"]
    slug = re.sub(r"[^a-z0-9]+", "-", cpu.lower()).strip("-")
    path = bench.arguments.results / f"{slug}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(FIELDS)
        for rounds in bench.groups:
            for case, task in rounds.lines:
                if case.program == "engine" and rounds.times(case, task)[0] > 0:
                    writer.writerow(csv_row(rounds, case, task))
    note(f"wrote {path}")


def csv_row(rounds, case, task):
    engine = statistics.median(rounds.times(case, task))
    limits = rounds.times(case._replace(program="limit"), task)
    limit = statistics.median(limits) if limits else None
    about = rounds.about[case]
    day = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    return [about["cpu"], about["compiler"], day, about["isa"], case.threads, case.n, task, f"{engine:.4f}",
            f"{limit:.4f}" if limit else "", f"{engine / limit:.4f}" if limit else ""]


def main():
    arguments = parse_arguments()
    bench, table = Bench(arguments), Table()
    if not bench.compare.exists():
        raise SystemExit(f"ratios: {bench.compare} is not there: build it first")
    if os.getloadavg()[0] > 0.5:
        note(f"the machine is busy (load {os.getloadavg()[0]:.1f}): ratios will scatter")
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
