#!/usr/bin/env python3
"""Measures whether the engine is fast in any world, and says which of the bars for that are met.

    bench/any_world.py --build build/release --rounds 5
    bench/any_world.py --only mixed,tiny --n 20000 --rounds 2 --no-csv     for a try

How programs take turns, and what counts then, is told in measure.py. Every measurement goes as a row into a
CSV file named after the CPU.
"""

import argparse
import collections
import re
import statistics
import subprocess
import sys

from measure import (Rounds, add_common_options, add_group_option, compare_program, judge_groups, note, take_turns,
                     today)

FIELDS = ["cpu", "compiler", "date", "isa", "index", "scenario", "threads", "n", "task", "ms", "count",
          "bytes_per_agent"]
PEERS = ("embree.refit", "embree.rebuild")
TINY = (20, 50, 100, 200, 350, 500)
# Tasks with a checksum that all indexes must agree on, by number and by hash.
CHECKED = {"pairs@3": True, "T2": True}


class Case(collections.namedtuple("Case", "index scenario n threads")):
    def __str__(self):
        return f"{self.index} {self.scenario} {self.n:,}" + (f" x{self.threads}" if self.threads > 1 else "")


class Bench:
    """Runs throng-compare and keeps what it printed."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.program = compare_program(arguments.build)
        text = subprocess.run([self.program, "--help"], capture_output=True, text=True, check=True).stdout
        self.known = set(re.findall(r"^  ([\w.@]+): ", text, re.MULTILINE))  # scenarios, indexes and tasks
        self.groups = []

    def crowd(self):
        return self.arguments.n

    def large_crowd(self):
        return 4 * self.arguments.n

    def knows(self, *names):
        missing = [name for name in names if name not in self.known]
        if missing:
            note(f"this throng-compare knows no {', '.join(missing)}: left out")
        return not missing

    def take_turns(self, cases, tasks):
        commands = {case: [self.program, "--index", case.index, "--scenario", case.scenario, "--n", case.n,
                           "--threads", case.threads, "--frames", self.arguments.frames,
                           "--tasks", ",".join(tasks)] for case in cases}
        self.groups.append(take_turns(commands, self.arguments.rounds))
        return self.groups[-1]


def judge_mixed(bench, table):
    """A few giants in a crowd cost little more than the pairs they are part of."""
    cases = [Case("engine", scenario, bench.crowd(), 1) for scenario in ("mixed", "crowd")]
    rounds = bench.take_turns(cases, ("frame",))
    each = []
    for case in cases:
        work = case.n + rounds.value(case, "pairs@3", "count")
        each.append([ms / work for ms in rounds.times(case, "frame")])
    table.ratio(f"frame per agent and pair, mixed against crowd: {bench.crowd():,}", *each, 1.6)


def judge_peers(bench, table):
    """No kind of world in which a good hierarchy of boxes comes near."""
    available = [peer for peer in PEERS if bench.knows(peer)]
    for scenario in ("sizes", "clustered", "crushed"):
        engine, *peers = [Case(index, scenario, bench.crowd(), 1) for index in ("engine", *available)]
        rounds = bench.take_turns([engine, *peers], ("frame", "T2", "T3"))
        for task, bar in (("frame", 4), ("T2", 8), ("T3", 8)):
            best = min(peers, key=lambda peer: statistics.median(rounds.times(peer, task)), default=None)
            name = best.index if best else "embree"
            theirs = rounds.times(best, task) if best else []
            table.ratio(f"{task}, {name} against the engine: {scenario} {bench.crowd():,}", theirs,
                        rounds.times(engine, task), bar, at_least=True)
        if peers:
            table.add(f"checksums: {scenario} {bench.crowd():,}",
                      *rounds.checksums({**CHECKED, "T3": True}, (engine, *peers)))


def judge_casts(bench, table):
    """First hits of segments, against single rays in a scene that is made at leisure."""
    for scenario, bar in (("crowd", 4), ("decades", 4), ("sizes", 4), ("gate", 2.5), ("walls", 3)):
        engine, embree = [Case(index, scenario, bench.crowd(), 1) for index in ("engine", "embree.rebuild")]
        rounds = bench.take_turns([engine, embree], ("T5", "T5.any")) if bench.knows(embree.index) else Rounds()
        for task, asked in (("T5", bar), ("T5.any", None)):
            table.ratio(f"{task}, embree against the engine: {scenario} {bench.crowd():,}",
                        rounds.times(embree, task), rounds.times(engine, task), asked, at_least=True)


def judge_villages(bench, table):
    """An almost empty world costs by its agents, not by its size."""
    villages, crowd = [Case("engine", scenario, bench.large_crowd(), 1) for scenario in ("villages", "crowd")]
    rounds = bench.take_turns([villages, crowd], ("frame", "memory", "T2", "half.count"))
    where = f"villages {bench.large_crowd():,}"
    held = [line["taken_per_agent"] for line in rounds.lines[villages, "memory"]]
    table.most(f"memory per agent, in bytes: {where}", held, 96)
    for task in ("frame", "T2"):
        table.ratio(f"{task}, villages against crowd: {bench.large_crowd():,}", rounds.times(villages, task),
                    rounds.times(crowd, task), 2)
    # 32 queries a time.
    each = [ms * 1000 / 32 for ms in rounds.times(villages, "half.count")]
    table.most(f"half.count, in microseconds a query: {where}", each, 200)


def judge_threads(bench, table):
    """Crowded places and giants are shared between threads."""
    for scenario in ("crushed", "mixed"):
        cases = [Case("engine", scenario, bench.crowd(), threads) for threads in (1, 2)]
        rounds = bench.take_turns(cases, ("frame",))
        table.ratio(f"frame, 1 thread against 2: {scenario} {bench.crowd():,}",
                    *(rounds.times(case, "frame") for case in cases), 1.7, at_least=True)


def judge_tiny(bench, table):
    """A host need not write loops of its own for a few agents."""
    for n in TINY:
        engine, loop = [Case(index, "crowd", n, 1) for index in ("engine", "loop")]
        rounds = bench.take_turns([engine, loop], ("frame", "T2"))
        for task in ("frame", "T2"):
            table.ratio(f"{task} against loop: crowd {n}", rounds.times(engine, task),
                        rounds.times(loop, task), 1.1)
        table.add(f"checksums: crowd {n}", *rounds.checksums(CHECKED, (engine, loop)))


def judge_degenerate(bench, table):
    """What no grid likes, shown beside a crowd."""
    cases = [Case("engine", scenario, bench.crowd(), 1) for scenario in ("crowd", "point", "line")]
    rounds = bench.take_turns(cases, ("frame",))
    for case in cases[1:]:
        table.ratio(f"frame, {case.scenario} against crowd: {bench.crowd():,}", rounds.times(case, "frame"),
                    rounds.times(cases[0], "frame"))


def judge_categories(bench, table):
    """A query for a type that one agent in a thousand has, against one for all agents."""
    case = Case("engine", "crowd", bench.crowd(), 1)
    rounds = Rounds()
    if bench.knows("T2.rare", "T3.rare"):
        rounds = bench.take_turns([case], ("T2", "T3", "T2.rare", "T3.rare"))
    for task in ("T2", "T3"):
        table.ratio(f"{task}.rare against {task}: crowd {bench.crowd():,}",
                    rounds.times(case, task + ".rare"), rounds.times(case, task), 0.25)


GROUPS = {"mixed": judge_mixed, "peers": judge_peers, "casts": judge_casts, "villages": judge_villages,
          "threads": judge_threads, "tiny": judge_tiny, "degenerate": judge_degenerate, "categories": judge_categories}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_common_options(parser)
    parser.add_argument("--n", default=250_000, type=int,
                        help="agents of a crowd; villages have four times as many, tiny worlds their own")
    add_group_option(parser, GROUPS)
    return parser.parse_args()


def csv_rows(bench):
    for rounds in bench.groups:
        for case, task in rounds.lines:
            about, lines = rounds.about[case], rounds.lines[case, task]
            held = lines[0].get("taken_per_agent", lines[0].get("bytes_per_agent"))
            ms, count = statistics.median(rounds.times(case, task)), lines[0].get("count")
            if ms > 0 or count or held:
                yield [about["cpu"], about["compiler"], today(), about["isa"], case.index, case.scenario,
                       case.threads, case.n, task, f"{ms:.6g}" if ms > 0 else "", count or "",
                       f"{held:.1f}" if held else ""]


def main():
    arguments = parse_arguments()
    return judge_groups(Bench(arguments), arguments, GROUPS, "-any-world", FIELDS, csv_rows)


if __name__ == "__main__":
    sys.exit(main())
