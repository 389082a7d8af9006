#!/usr/bin/env python3
"""A peer that lists wrong pairs gets no row of a frame, and its other rows stay."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent)]
from plan import Step  # noqa: E402
from program import Answers  # noqa: E402


def lines(pairs):
    frames = [{"task": task, "ms": 1.0, "calls": 2} for task in ("first", "frame", "frame.update", "frame.pairs", "p99", "heap")]
    return [{"task": "pairs@3", "count": pairs, "hash": str(pairs)}, *frames, {"task": "T2", "ms": 1.0, "count": 5, "hash": "5"}]


def main():
    faults, run = [], {"cpu": "", "compiler": "", "version": "", "settings": "", "isa": "", "threads": 1}
    answers = Answers(faults)
    right = [row["task"] for row in answers.rows(Step("engine", "crowd", 100, 1, ""), run, lines(7))]
    wrong = [row["task"] for row in answers.rows(Step("wrong", "crowd", 100, 1, ""), run, lines(6))]
    wanted = ["first", "frame", "frame.update", "frame.pairs", "frame.p99", "allocations", "boxes"]
    if right != wanted or wrong != ["boxes"] or len(faults) != 1:
        sys.exit(f"rows of the right peer: {right}; of the wrong one: {wrong}; faults: {faults}")


if __name__ == "__main__":
    main()
