#!/usr/bin/env python3
"""Measures Throng's Python package beside SciPy's cKDTree, pykdtree, scikit-learn, shapely, rtree and a grid by hand in NumPy.

    bench/compare/python/compare.py --agents 100000 --csv compare.csv
    bench/compare/python/compare.py --quick --csv compare.csv
    bench/compare/python/compare.py --spoil scipy --agents 300    fails, since SciPy's answers lose one: so the check works

All sides take turns in this process, on the same arrays of doubles. Answers are compared with brute force in worlds of up to 1,000
agents, and with each other in larger ones. What is not installed is left out, with a word. The CSV's columns are those of
bench/compare/README.md.
"""

import argparse
import csv
import datetime
import gc
import importlib
import os
import pathlib
import platform
import statistics
import sys
import time
import warnings

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path[:0] = [str(ROOT / "bindings" / "python"), str(ROOT / "bench")]
import boxes  # noqa: E402
import points  # noqa: E402
import worlds  # noqa: E402
from measure import cpu_name, note  # noqa: E402

FIELDS = ["date", "cpu", "language", "compiler", "world", "agents", "peer", "version", "settings", "threads", "task", "value",
          "unit", "answers", "checked"]
KINDS = [points.Throng, points.DropIn, points.SciPy, points.SciPyDefaults, points.PyKDTree, points.ScikitLearn, boxes.Shapely,
         boxes.RTree, boxes.GridByHand]
THREADED = {points.Throng, points.DropIn, points.SciPy, points.PyKDTree, points.ScikitLearn}
# Each with the share of the time that it may take in a world.
TASKS = {"within": 3, "within.coherent": 1, "nearest": 3, "nearest.coherent": 1, "pairs": 2, "changes": 2, "touching": 2, "boxes": 2,
         "boxes.coherent": 1, "few": 2, "single": 1}
ORACLE = 1000  # agents, up to which brute force answers
SECONDS = {False: 100, True: 24}  # for all with 100,000 agents; --quick
MOST_TURNS = 100


class Clock:
    """How the time is shared out, and how much is left."""

    def __init__(self, sizes, is_quick):
        seconds = SECONDS[is_quick] * max(0.1, sizes[-1] / 100_000)
        weights = {n: n**0.5 for n in sizes}
        scale = seconds / sum(weights.values()) / sum(TASKS.values())
        self.shares = {(n, task): weights[n] * TASKS[task] * scale for n in sizes for task in TASKS}
        self.patience = max(self.shares.values()) / 4 if sizes[-1] > 10_000 else 1.0
        self.begin, self.planned = time.perf_counter(), 0.0

    def left(self, n, task):
        """Before a task: what the rest may take, by what was planned and what it took."""
        rest = sum(self.shares.values()) - self.planned
        spent = time.perf_counter() - self.begin
        self.planned += self.shares[n, task]
        return rest * (min(spent / (self.planned - self.shares[n, task]), 2) if spent > 3 else 1)


def timed(work, *arguments):
    begin = time.perf_counter()
    answer = work(*arguments)
    return (time.perf_counter() - begin) * 1e3, answer


def loaded(spoilt):
    """Every peer that is installed, with one thread and with all."""
    found = []
    for kind in KINDS:
        for threads in (1, points.ALL) if kind in THREADED else (1,):
            try:
                found.append(kind(threads))
            except (ImportError, importlib.metadata.PackageNotFoundError, OSError) as missing:
                if threads == 1:
                    note(f"{kind.name} is left out: {missing}")
    if spoilt and spoilt not in {peer.name for peer in found}:
        raise SystemExit(f"compare: there is no {spoilt} to spoil")
    return found


def common(task, answer, who, agents, is_doubled):
    """An answer in a form that does not depend on the order of what is found, nor on whether both of a pair find each other."""
    if task == "nearest":
        return worlds.squares(answer)[np.argsort(who)]
    if task in ("pairs", "touching"):
        return np.unique(worlds.keys_of_pairs(answer, agents)) if is_doubled else worlds.keys_of_pairs(answer, agents)
    if task == "changes":
        return worlds.began_and_ended(*(np.sort(part if part.ndim == 1 else worlds.keys_of_pairs(part, agents)) for part in answer))
    return worlds.keys_of_lists(who, answer, agents, task == "boxes")


def part_of(task, answer, who, agents):
    """What of the answer to all is about those who ask."""
    if task == "nearest":
        return answer[who]
    asks = np.zeros(agents, bool)
    asks[who] = True
    first, second = np.divmod(answer, agents)
    return answer[asks[first] | asks[second]] if task in ("pairs", "touching") else answer[asks[first]]


class Entry:
    """A peer at one task in one world: what its turns took, and what it answered in the first two."""

    def __init__(self, peer, label, world):
        self.peer, self.label, self.world = peer, label, world
        self.task = label.split(".")[0]
        self.stands = label == "single" or label.endswith(".coherent")
        self.updates, self.asks, self.answers, self.spent, self.index = [], [], [], 0.0, None
        self.who = self.asking(self.step(0))

    def step(self, turn):
        return self.world.of_few(turn) if self.task == "few" else self.world.of_crowd(0 if self.stands else turn)

    def asking(self, step):
        if self.task in ("few", "single"):
            return step.moved if self.task == "few" else self.world.singles
        if self.peer.is_one_by_one:
            return self.world.sample
        return step.in_rows if self.label != self.task and not self.peer.asks_for_all else step.everyone

    def turn(self, turn):
        peer, step = self.peer, self.step(turn)
        self.who = self.asking(step)
        update, self.index = self._updated(turn, step)
        asked, answer = timed(getattr(peer, self.task), self.index, step, self.who)
        self.last = (update * (not self.stands) + asked) / 1e3
        self.spent += self.last
        self.updates.append(update)
        self.asks.append(asked * self.scale())
        if turn < 2:
            self.answers.append((self.who, common(self.task, answer, self.who, self.world.agents, peer.is_one_by_one)))

    def _updated(self, turn, step):
        peer = self.peer
        if turn == 0:
            return timed(peer.index_of_boxes if self.task in ("touching", "boxes") else peer.index, step)
        if self.stands:
            return 0.0, self.index
        names = {"few": "move_few", "touching": "move_boxes", "boxes": "move_boxes"}
        return timed(getattr(peer, names.get(self.task, "move")), self.index, step)

    def scale(self):
        """By how much more all would take than those who ask for them."""
        return self.world.agents / len(self.who) if self.peer.is_one_by_one and self.task not in ("few", "single") else 1

    def seconds_expected(self, earlier):
        """Of a turn, by what one took in a smaller world."""
        if earlier is None:
            return 0
        more = self.world.agents / earlier.world.agents
        return (earlier.updates[0] * more + min(earlier.asks) / earlier.scale() * len(self.who) / len(earlier.who)) / 1e3

    def values(self):
        """By task of the CSV: milliseconds."""
        steady = range(1 if len(self.asks) > 1 else 0, len(self.asks))
        frames = [self.updates[i] + self.asks[i] for i in steady]
        asked = statistics.median(self.asks[i] for i in steady)
        if self.stands:
            return {self.label: asked}
        named = {"touching": ("frame.pairs", "frame", "frame.update", "first", "frame.p99")}.get(
            self.task, (self.task, *(f"{self.task}.{part}" for part in ("frame", "update", "first", "p99"))))
        found = [asked, statistics.median(frames), statistics.median(self.updates[i] for i in steady), self.updates[0] + self.asks[0]]
        if len(frames) >= MOST_TURNS // 2:
            found.append(float(np.percentile(frames, 99)))
        return dict(zip(named, found))


def wrong(entries, world, spoilt):
    """Those whose answers are not brute force's, or in a large world not those of most."""
    found, truths = set(), {}
    for entry in entries:
        for turn, (who, answer) in enumerate(entry.answers):
            task, step = entry.task, entry.step(turn)
            if entry.peer.name == spoilt:
                answer = answer[:-1]
            if (turn, task) not in truths:
                truths[turn, task] = truth(entries, world, turn, step, spoilt)
            expected = truths[turn, task]
            if entry.scale() != 1:
                expected = part_of(task, expected, who, world.agents)
            if not np.array_equal(answer, expected):
                found.add(entry)
    return found


def truth(entries, world, turn, step, spoilt):
    """Brute force's answer, or in a large world that of which there are most; only of those who answered for all."""
    task = entries[0].task
    if world.agents <= ORACLE:
        who = {"few": step.moved, "single": world.singles}.get(task, step.everyone)
        return getattr(worlds.BruteForce(), task)(step, world.agents, who)
    whole = [entry.answers[turn][1] for entry in entries
             if len(entry.answers) > turn and entry.scale() == 1 and entry.peer.name != spoilt]
    return max(whole, key=lambda one: sum(np.array_equal(one, other) for other in whole))


class Report:
    """The rows of the CSV, written as they come."""

    def __init__(self, path):
        self.path, self.failed = path, []
        self.cpu = os.environ.get("THRONG_COMPARE_CPU") or cpu_name()
        if path and (not path.exists() or path.stat().st_size == 0):
            self._append([FIELDS])

    def _append(self, rows):
        with self.path.open("a", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)

    def add(self, entry):
        peer, agents = entry.peer, entry.world.agents
        is_sample = entry.scale() != 1
        settings = peer.settings + (f"; {len(entry.who):,} of {agents:,} asked, times scaled" if is_sample else "")
        about = [datetime.datetime.now(datetime.timezone.utc).date().isoformat(), self.cpu, "python",
                 f"{platform.python_implementation()} {platform.python_version()}", "crowd", agents, peer.name, peer.version, settings,
                 1 if entry.task in peer.on_one_thread else peer.threads]
        answers = "" if is_sample else entry.answers[0][1].size
        checked = "oracle" if agents <= ORACLE else "peers"
        if self.path:
            self._append([*about, task, f"{ms:.5g}", "ms", answers, checked] for task, ms in entry.values().items())


def measure(clock, report, peers, world, task, earlier, spoilt):
    n = world.agents
    entries = []
    for peer in peers:
        has_calls = hasattr(peer, "pairs" if task == "changes" else task.split(".")[0])
        if not has_calls or (task in peer.on_one_thread and peer.workers != 1) or (peer.is_one_by_one and ".coherent" in task):
            continue
        entry = Entry(peer, task, world)
        expected = entry.seconds_expected(earlier.get((peer, task)))
        if expected > clock.patience:
            note(f"{peer.name} is left out of {task} with {n:,}: a turn would take about {expected:.0f} s")
            continue
        peer.begin(entry.task)
        entries.append(entry)
    share, begin = clock.shares[n, task] / max(len(entries), 1), time.perf_counter()
    for turn in range(MOST_TURNS):
        ready = [each for each in entries if turn == 0 or (len(each.asks) == turn and each.spent + each.last < share)]
        gc.collect()
        gc.disable()
        for entry in ready:
            entry.turn(turn)
        gc.enable()
        if not ready or time.perf_counter() - begin > clock.shares[n, task] and turn > 0:
            break
    failed = wrong(entries, world, spoilt)
    for entry in entries:
        earlier[entry.peer, task] = entry
        if entry in failed:
            report.failed.append(f"{entry.peer.name} differs: {task} of {n:,} agents, {entry.peer.threads} threads")
        else:
            report.add(entry)
    return entries


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--agents", default=100_000, type=int, help="agents of the largest world; smaller ones have 100, 1,000 and 10,000")
    add("--quick", action="store_true", help="half a minute instead of two")
    add("--csv", type=pathlib.Path, help="the file that rows are appended to")
    add("--build", default=ROOT / "build" / "release", type=pathlib.Path, help="build directory, which has the C library")
    add("--spoil", default="", help="a peer whose answers lose one")
    return parser.parse_args()


def print_times(entries):
    for entry in sorted(entries, key=lambda each: next(iter(each.values().values()))):
        values = [f"{name} {ms:.4g}" for name, ms in entry.values().items()]
        threads = f" x{entry.peer.threads}" if entry.peer.threads > 1 else ""
        print(f"    {entry.peer.name + threads:20} {', '.join(values)} ms", flush=True)


def main():
    arguments = parse_arguments()
    os.environ.setdefault("THRONG_LIBRARY", str(arguments.build.resolve() / "bindings" / "c" / "libthrong_c.so"))
    warnings.filterwarnings("ignore", message="STRtree will be changed in 2.0.0")
    if arguments.agents < 100:
        raise SystemExit("compare: at least 100 agents, please")
    sizes = [n for n in (100, 1_000, 10_000) if n < arguments.agents] + [arguments.agents]
    peers, report, clock, earlier = loaded(arguments.spoil), Report(arguments.csv), Clock(sizes, arguments.quick), {}
    for n in sizes:
        world = worlds.World(n)
        for task in TASKS:
            print(f"{n:,} agents, {task}; about {clock.left(n, task):.0f} s are left", flush=True)
            print_times(measure(clock, report, peers, world, task, earlier, arguments.spoil))
    for fault in report.failed:
        note(fault)
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
