"""What the scripts that judge measurements share: programs that take turns, the lines they print, and a table
of what was measured beside what was asked for.

Machines are shared, and the same program's time may double within the hour. So programs that are compared run
in turns, several rounds of them, and what counts is the ratio of their medians. The spread beside it is that
of the single rounds.
"""

import collections
import csv
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BUSY = 0.5  # processes, above which times are not to be quoted


def note(text):
    print(f"{pathlib.Path(sys.argv[0]).stem}: {text}", file=sys.stderr, flush=True)


def stop(text):
    raise SystemExit(f"{pathlib.Path(sys.argv[0]).stem}: {text}")


def numbers(text):
    """A list of numbers from the command line."""
    return [int(part) for part in text.split(",")]


def add_common_options(parser):
    add = parser.add_argument
    add("--build", default=HERE.parent / "build" / "release", type=pathlib.Path, help="build directory")
    add("--rounds", default=5, type=int, help="turns that every program gets")
    add("--frames", default=10, type=int, help="timed frames a run")
    add("--results", default=HERE / "results", type=pathlib.Path, help="where the CSV file goes")
    add("--no-csv", action="store_true", help="write no CSV file")
    add("--strict", action="store_true", help="fail if a bar is missed")


def compare_program(build):
    """throng-compare of that build, on a machine that is fit for it."""
    program = build / "bench" / "compare" / "throng-compare"
    if not program.exists():
        stop(f"{program} is not there: build it first")
    if os.getloadavg()[0] > BUSY:
        note(f"the machine is busy (load {os.getloadavg()[0]:.1f}): ratios will scatter")
    return program


def add_group_option(parser, groups):
    parser.add_argument("--only", default=list(groups), type=lambda text: text.split(","),
                        help="some of " + ",".join(groups))


def judge_groups(bench, arguments, groups, suffix, fields, csv_rows):
    """Measures the groups that were asked for, prints the table of their bars, and appends the rows to the file of that
    suffix. The result is the program's exit status."""
    for name in arguments.only:
        if name not in groups:
            stop(f"unknown group '{name}': there are {', '.join(groups)}")
    table = Table()
    for name in arguments.only:
        groups[name](bench, table)
    if table.rows:
        table.print()
    if bench.groups and not arguments.no_csv:
        cpu = next(iter(bench.groups[0].about.values()))["cpu"]
        append_csv(arguments.results, cpu, suffix, fields, csv_rows(bench))
    return 1 if arguments.strict and table.missed() else 0


class Rounds:
    """The lines that programs printed while they took turns."""

    def __init__(self):
        self.lines = collections.defaultdict(list)  # (case, task): one line a round
        self.about = {}  # throng-compare's description of itself, by case

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

    def checksums(self, tasks, cases):
        """Whether all cases answered the same: what was seen, what was asked, and the verdict. With each task
        stands whether hashes count, or only the number of results."""
        for task, hashed in tasks.items():
            fields = ("count", "hash") if hashed else ("count",)
            answers = [self.lines.get((case, task)) for case in cases]
            if not all(answers):
                return "-", "equal", None
            if len({tuple(line[field] for field in fields) for lines in answers for line in lines}) > 1:
                return task + " differs", "equal", False
        return "equal", "equal", True


def take_turns(commands, count):
    """Runs each case's command in turn, so many rounds of all of them. Commands go by their cases, and a case
    is printed in a few words."""
    rounds = Rounds()
    names = ", ".join(str(case) for case in commands)
    for turn in range(count):
        note(f"round {turn + 1} of {count}: {names}")
        for case, command in commands.items():
            done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
            if done.returncode != 0:
                stop(f"{case}: {done.stderr.strip() or done.returncode}")
            rounds.keep(case, done.stdout)
    return rounds


class Table:
    """One row a bar: what was measured, what was asked, and whether it was met."""

    def __init__(self):
        self.rows = []

    def add(self, what, measured, bar, met, spread=""):
        self.rows.append((what, measured, bar, met, spread))

    def ratio(self, what, above, below, bar=None, at_least=False):
        """The ratio of two lists' medians against a bar that it must not exceed (or must reach), or only
        shown."""
        asked = "" if bar is None else f"{'>=' if at_least else '<='} {bar}"
        if not above or not below:
            self.add(what, "-", asked, None)
            return
        measured = statistics.median(above) / statistics.median(below)
        rounds = [a / b for a, b in zip(above, below)]
        met = "shown" if bar is None else (measured >= bar if at_least else measured <= bar)
        digits = ".3f" if measured >= 0.1 else ".2g"
        self.add(what, f"{measured:{digits}}", asked, met, f"{min(rounds):.2g} to {max(rounds):.2g}"
                 if measured < 0.1 else f"{min(rounds):.2f} to {max(rounds):.2f}")

    def most(self, what, values, bar):
        """The median of some values against a bar that it must not exceed."""
        if not values:
            self.add(what, "-", f"<= {bar}", None)
            return
        measured = statistics.median(values)
        spread = f"{min(values):.2f} to {max(values):.2f}"
        self.add(what, f"{measured:.1f}", f"<= {bar}", measured <= bar, spread)

    def print(self):
        width = max([len(row[0]) for row in self.rows] + [3])
        print(f"{'bar':{width}}  {'measured':>10}  {'bar':>10}  {'':8}  rounds")
        for what, measured, bar, met, spread in self.rows:
            word = {True: "met", False: "MISSED", None: "no data"}.get(met, "")
            print(f"{what:{width}}  {measured:>10}  {bar:>10}  {word:8}  {spread}")
        judged = [row for row in self.rows if row[3] in (True, False)]
        print(f"\n{sum(row[3] for row in judged)} of {len(judged)} bars met")

    def missed(self):
        return any(row[3] is False for row in self.rows)


def today():
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def cpu_name():
    """As bench/common/machine.hpp has it."""
    lines = (line.split(":", 1) for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines())
    about = {line[0].strip(): line[1].strip() for line in lines if len(line) == 2}
    if "model name" not in about:
        return platform.processor()
    return f"{about['model name']} (family {about['cpu family']}, model {about['model']})"


def shown(milliseconds):
    """Two or three digits."""
    value = float(milliseconds)
    return f"{value:.0f}" if value >= 99.5 else f"{value:.1f}" if value >= 9.95 else f"{value:.2f}" if value >= 0.0995 else f"{value:.2g}"


def between(text, name, content):
    """The text with the content between the two markers of that name."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    head, rest = text.split(begin)
    return f"{head}{begin}\n{content}\n{end}{rest.split(end)[1]}"


def slug_of(cpu):
    return re.sub(r"[^a-z0-9]+", "-", cpu.lower()).strip("-")


def append_csv(directory, cpu, suffix, fields, rows):
    """Appends rows to the file of that CPU, with a heading if it is new."""
    path = directory / f"{slug_of(cpu)}{suffix}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(fields)
        writer.writerows(rows)
    note(f"wrote {path}")
