"""The program: its arguments, the steps, and the table of times."""

from __future__ import annotations

import argparse
import pathlib
import sys
import time
from typing import TYPE_CHECKING, Callable, Optional, Sequence

import numpy as np

from .crowd import LEAST, Crowd, Step

if TYPE_CHECKING:
    from .picture import Picture


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = _parser()
    wanted = parser.parse_args(arguments)
    try:
        from .picture import Picture
    except ImportError as error:
        parser.exit(1, f"{parser.prog}: the pictures need matplotlib (Debian: python3-matplotlib): {error}\n")
    try:
        wanted.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"argument --out: {error}")
    began = time.perf_counter()
    crowd = Crowd(wanted.agents, wanted.seed, wanted.threads)
    _print_table(*_run(crowd, Picture(crowd, wanted.width), wanted))
    names = ["crowd.png"] if wanted.no_gif else ["crowd.png", "crowd.gif"]
    print(f"{wanted.agents:,} agents, {wanted.frames} steps, {time.perf_counter() - began:.1f} s in all")
    print("wrote " + " and ".join(str(wanted.out / name) for name in names))
    return 0


def _run(crowd: Crowd, picture: Picture, wanted: argparse.Namespace) -> tuple[list[Step], list[float]]:
    """All steps and pictures. Returns what the steps found, and the seconds that drawing took."""
    film = None if wanted.no_gif else picture.film(wanted.out / "crowd.gif")
    steps, drawing = [], []
    for number in range(1, wanted.frames + 1):
        steps.append(crowd.step())
        start = time.perf_counter()
        if film or number == wanted.frames:
            picture.show(number, steps[-1])
        if film:
            film.grab_frame()
        drawing.append(time.perf_counter() - start)
        _show_progress(number, wanted.frames)
    start = time.perf_counter()
    if film:
        film.finish()
    picture.save(wanted.out / "crowd.png")
    drawing[-1] += time.perf_counter() - start
    return steps, drawing


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m throng.demo", description="Simulates a crowd, and writes a picture and a film of it."
    )
    parser.add_argument(
        "--agents", type=_at_least(LEAST), default=1_000_000, metavar="N", help="how many (%(default)s)"
    )
    parser.add_argument(
        "--frames", type=_at_least(1), default=40, metavar="N", help="how many steps (%(default)s)"
    )
    parser.add_argument(
        "--out",
        type=pathlib.Path,
        default=pathlib.Path("throng-demo"),
        metavar="FOLDER",
        help="where the pictures go (%(default)s)",
    )
    parser.add_argument(
        "--width", type=_at_least(400), default=1600, metavar="PIXELS", help="of the picture (%(default)s)"
    )
    parser.add_argument(
        "--seed", type=_at_least(0), default=3, metavar="N", help="of all that is random (%(default)s)"
    )
    parser.add_argument(
        "--threads", type=_threads, default=None, metavar="N", help="how many, or all, which are all cores (all)"
    )
    parser.add_argument("--no-gif", action="store_true", help="only the picture, which takes less time")
    return parser


def _threads(text: str) -> Optional[int]:
    return None if text == "all" else _at_least(1)(text)


def _at_least(least: int) -> Callable[[str], int]:
    def integer(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} is less than {least}")
        return number

    return integer


def _show_progress(done: int, count: int) -> None:
    if not sys.stderr.isatty():
        # A line for each tenth, for readers of a file.
        if done == 1 or done * 10 // count != (done - 1) * 10 // count:
            print(f"step {done} of {count}", file=sys.stderr, flush=True)
    else:
        bar = "#" * (40 * done // count)
        print(
            f"\r[{bar:.<40}] {done} of {count}",
            end="\n" if done == count else "",
            file=sys.stderr,
            flush=True,
        )


def _print_table(steps: Sequence[Step], drawing: Sequence[float]) -> None:
    last = steps[-1]
    parts = (
        ("update", "all agents", [step.update for step in steps]),
        ("pairs", f"{last.touching:,} that touch", [step.pairs for step in steps]),
        ("neighbours", f"{last.neighbours:,} in sight", [step.near for step in steps]),
        ("NumPy", "turn, part, walk", [step.numpy for step in steps]),
        ("pictures", "matplotlib", list(drawing)),
    )
    print(f"{'in a step':<12}{'median, ms':>12}{'slowest, ms':>13}{'in all, s':>11}  what, at last")
    for name, what, seconds in parts:
        median, slowest = 1000 * np.median(seconds), 1000 * max(seconds)
        print(f"{name:<12}{median:>12.1f}{slowest:>13.1f}{sum(seconds):>11.2f}  {what}")


if __name__ == "__main__":
    sys.exit(main())
