#!/usr/bin/env python3
"""Measures what each of the engine's features costs beside the same crowd without it, on one thread, and which bars are met.

    bench/features.py --build build/release --isa avx2
    bench/features.py --features torus,storey --n 100000 --no-csv

Both worlds take turns in one process (bench/features). A ratio is that of the medians, and the spread beside it is that of the
single rounds.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

from measure import BUSY, HERE, Table, append_csv, note, stop, today

FIELDS = ["date", "cpu", "compiler", "isa", "n", "feature", "task", "answers", "answers_beside", "ms", "ms_beside", "ratio"]
BARS = {
    "storey": dict.fromkeys(("update", "pairs", "T2", "T2c", "T2r", "knn", "T5"), 1.25),
    "storeys": dict.fromkeys(("update", "pairs", "T2", "T2c", "T2r", "knn", "T5"), 1.4),
    "torus": {"update": 1.10, "pairs": 1.05, "T2": 1.10, "T2c": 1.10, "T2r": 1.05, "knn": 1.15, "T5": 1.3},
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--build", default=HERE.parent / "build" / "release", type=pathlib.Path, help="build directory")
    add("--n", default=250_000, type=int, help="how many agents")
    add("--rounds", default=21, type=int, help="turns that each world gets")
    add("--isa", default="automatic", help="instruction set")
    add("--features", help="only these, separated by commas")
    add("--results", default=HERE / "results", type=pathlib.Path, help="where the CSV file goes")
    add("--no-csv", action="store_true", help="write no CSV file")
    add("--strict", action="store_true", help="fail if a bar is missed")
    return parser.parse_args()


def measure(arguments):
    """What the program says about itself, and a line for each feature and task."""
    program = arguments.build / "bench" / "features" / "throng-features"
    if not program.exists():
        stop(f"{program} is not there: build it first")
    if os.getloadavg()[0] > BUSY:
        note(f"the machine is busy (load {os.getloadavg()[0]:.1f}): ratios will scatter")
    command = [program, "--n", arguments.n, "--rounds", arguments.rounds, "--isa", arguments.isa]
    if arguments.features:
        command += ["--features", arguments.features]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        stop(done.stderr.strip() or done.returncode)
    about, *lines = [json.loads(line) for line in done.stdout.splitlines()]
    return about, lines


def row_of(about, line):
    times = [statistics.median(line[name]) for name in ("ms", "ms_beside")]
    return [today(), *(about[name] for name in ("cpu", "compiler", "isa", "n")), line["feature"], line["task"],
            line["answers"], line["answers_beside"], *(f"{ms:.6g}" for ms in times), f"{times[0] / times[1]:.4f}"]


def main():
    arguments = parse_arguments()
    about, lines = measure(arguments)
    table = Table()
    for line in lines:
        bar = BARS.get(line["feature"], {}).get(line["task"])
        table.ratio(f"{line['feature']}, {line['task']}: in {line['beside']}", line["ms"], line["ms_beside"], bar)
    table.print()
    if not arguments.no_csv:
        append_csv(arguments.results, about["cpu"], "-features", FIELDS, [row_of(about, line) for line in lines])
    return 1 if arguments.strict and table.missed() else 0


if __name__ == "__main__":
    sys.exit(main())
