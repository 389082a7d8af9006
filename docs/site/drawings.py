#!/usr/bin/env python3
"""Draws the pictures of docs/which_call.md and docs/map.md into docs/images: each call asked of the same small crowd, with what it finds.

    drawings.py            draws them anew
    drawings.py --check    fails if one is not as it would be drawn
"""
from __future__ import annotations

import math
import pathlib
import random
import sys

IMAGES = pathlib.Path(__file__).resolve().parent.parent / "images"
WIDE, TALL = 240, 160
PLAIN, FOUND, ASKED, PAPER = "#7d93b2", "#d9631e", "#1f3a93", "#f6f8fb"


class Agent:
    def __init__(self, x: float, y: float, half: float) -> None:
        self.x, self.y, self.half = x, y, half

    def square(self, found: bool) -> str:
        return (f'<rect x="{self.x - self.half:.1f}" y="{self.y - self.half:.1f}" width="{2 * self.half:.1f}" height="{2 * self.half:.1f}" '
                f'rx="2" fill="{FOUND if found else PLAIN}" fill-opacity="0.85"/>')

    def gap_to(self, x: float, y: float) -> float:
        """From a point to the box."""
        return math.hypot(max(abs(x - self.x) - self.half, 0), max(abs(y - self.y) - self.half, 0))

    def gap_between(self, other: Agent) -> float:
        reach = self.half + other.half
        return math.hypot(max(abs(self.x - other.x) - reach, 0), max(abs(self.y - other.y) - reach, 0))

    def entered_by(self, start: tuple[float, float], end: tuple[float, float], grown: float = 0) -> float:
        """At which part of the way from start to end the box is entered; infinity if it is not."""
        first, last = 0.0, 1.0
        for at, to, middle in ((start[0], end[0], self.x), (start[1], end[1], self.y)):
            low, high, way = middle - self.half - grown, middle + self.half + grown, to - at
            if way == 0:
                if not low <= at <= high:
                    return math.inf
                continue
            first, last = max(first, min((low - at) / way, (high - at) / way)), min(last, max((low - at) / way, (high - at) / way))
        return first if first <= last else math.inf


def crowd() -> list[Agent]:
    chance = random.Random(5)
    agents = [Agent(chance.uniform(8, WIDE - 8), chance.uniform(8, TALL - 8), chance.uniform(3, 6)) for _ in range(52)]
    return [*agents, Agent(188, 44, 17)]


AGENTS = crowd()


def svg(words: str, parts: list[str], wide: int = WIDE, tall: int = TALL) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall}" width="{wide}" height="{tall}" role="img">'
            f'<title>{words}</title><rect width="{wide}" height="{tall}" rx="6" fill="{PAPER}"/>\n' + "\n".join(parts) + "\n</svg>\n")


def picture(words: str, found: list[Agent], *over: str) -> str:
    return svg(words, [agent.square(agent in found) for agent in AGENTS] + list(over))


def line(a: tuple[float, float], b: tuple[float, float], width: float = 2.5, more: str = "") -> str:
    return f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="{ASKED}" stroke-width="{width}" stroke-linecap="round" {more}/>'


def circle(x: float, y: float, radius: float, fill: str = "none") -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{ASKED}" stroke-width="2.5"/>'


def asked_box() -> str:
    left, top, right, bottom = 60, 40, 140, 100
    found = [a for a in AGENTS if a.x + a.half >= left and a.x - a.half <= right and a.y + a.half >= top and a.y - a.half <= bottom]
    return picture("The agents that overlap a box", found,
                   f'<rect x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" fill="none" stroke="{ASKED}" stroke-width="2.5"/>')


def asked_circle() -> str:
    return picture("The agents that overlap a circle", [a for a in AGENTS if a.gap_to(110, 80) <= 42], circle(110, 80, 42))


def segment() -> str:
    start, end, radius = (30, 130), (200, 70), 9
    steps = [(start[0] + (end[0] - start[0]) * k / 400, start[1] + (end[1] - start[1]) * k / 400) for k in range(401)]
    return picture("The agents that overlap a thick segment", [a for a in AGENTS if min(a.gap_to(*at) for at in steps) <= radius],
                   line(start, end, 2 * radius, 'opacity="0.45"'))


def pairs() -> str:
    touching = [(a, b) for k, a in enumerate(AGENTS) for b in AGENTS[:k] if a.gap_between(b) == 0]
    return picture("All pairs of agents that touch, with a line between the two", [one for pair in touching for one in pair],
                   *(line((a.x, a.y), (b.x, b.y)) for a, b in touching))


def pairs_within() -> str:
    near = [(a, b) for k, a in enumerate(AGENTS) for b in AGENTS[:k] if a.gap_between(b) <= 5]
    return picture("All pairs of agents whose boxes are at most a distance apart", [one for pair in near for one in pair],
                   *(line((a.x, a.y), (b.x, b.y), 2) for a, b in near))


def neighbours() -> str:
    me = min(AGENTS, key=lambda a: math.hypot(a.x - 105, a.y - 85))
    found = [a for a in AGENTS if a is not me and math.hypot(a.x - me.x, a.y - me.y) <= 38]
    return picture("The agents whose centres are within a radius of an agent", found, circle(round(me.x, 1), round(me.y, 1), 38),
                   circle(round(me.x, 1), round(me.y, 1), 3, ASKED))


def nearest() -> str:
    found = sorted(AGENTS, key=lambda a: math.hypot(a.x - 120, a.y - 80))[:8]
    return picture("The eight agents that are nearest to a point", found, circle(120, 80, 3, ASKED),
                   *(line((120, 80), (a.x, a.y), 1.5, 'stroke-dasharray="3 3"') for a in found))


def first_hit() -> str:
    start, end = (30, 96), (228, 62)
    at, hit = min(((a.entered_by(start, end), k) for k, a in enumerate(AGENTS)))
    return picture("The first agent that a ray touches", [AGENTS[hit]],
                   line(start, (start[0] + at * (end[0] - start[0]), start[1] + at * (end[1] - start[1]))), line(start, end, 1, 'stroke-dasharray="3 4"'),
                   circle(*start, 3, ASKED))


def all_hits() -> str:
    start, end = (30, 96), (228, 62)
    return picture("All agents that a ray touches, in order", [a for a in AGENTS if a.entered_by(start, end) <= 1], line(start, end), circle(*start, 3, ASKED))


def moving_box() -> str:
    start, end, half = (30, 30), (205, 128), 8
    at, hit = min(((a.entered_by(start, end, half), k) for k, a in enumerate(AGENTS)))
    stop = (start[0] + at * (end[0] - start[0]), start[1] + at * (end[1] - start[1]))
    boxes = [f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half}" height="{2 * half}" fill="none" stroke="{ASKED}" stroke-width="2"/>'
             for x, y in (start, stop)]
    return picture("What a moving box touches first", [AGENTS[hit]], *boxes, line(start, stop, 1.5), line(stop, end, 1, 'stroke-dasharray="3 4"'))


# --- The three ways of docs/map.md -------------------------------------------------------------------------

FLOWS = [
    ("An update", "the host's boxes", ["checked", "on which grid?", "counted by row", "placed in rows", "rows sorted by cell", "tree over the largest",
                                       "too expensive? once more", "published"], "a frame, immutable"),
    ("A batch of queries", "the host's queries", ["read as boxes", "in which order?", "in packets", "runs of agents compared", "ids written",
                                                  "put in their place"], "lists of ids"),
    ("All pairs", "a frame", ["rows cut into groups", "each row with itself", "and with the next", "the largest apart", "pairs written",
                              "joined in order"], "a list of pairs"),
]


def flows() -> str:
    parts, wide, tall = [], 720, 400
    for column, (title, comes, steps, goes) in enumerate(FLOWS):
        left, y = 20 + column * 235, 58
        parts.append(f'<text x="{left + 105}" y="24" text-anchor="middle" font-size="16" font-weight="bold" fill="{ASKED}">{title}</text>')
        for k, text in enumerate([comes, *steps, goes]):
            is_end = k in (0, len(steps) + 1)
            if k > 0:
                parts.append(f'<path d="M{left + 105} {y - 18} v8" stroke="{ASKED}" stroke-width="2" fill="none" marker-end="url(#tip)"/>')
            fill = FOUND if is_end else "#dfe6f2"
            colour = "#ffffff" if is_end else "#1c2434"
            weight = ' font-weight="bold"' if is_end else ""
            parts.append(f'<rect x="{left}" y="{y - 8}" width="210" height="22" rx="4" fill="{"#b04a10" if is_end else fill}"/>'
                         f'<text x="{left + 105}" y="{y + 8}" text-anchor="middle" font-size="13"{weight} fill="{colour}">{text}</text>')
            y += 34
    marker = f'<defs><marker id="tip" markerWidth="6" markerHeight="6" refX="3" refY="3" orient="auto"><path d="M0 0 L6 3 L0 6 z" fill="{ASKED}"/></marker></defs>'
    return svg("Three ways through the engine: an update makes a frame, a batch of queries makes lists, and all pairs of a frame make a list",
               ['<g font-family="system-ui, sans-serif">', marker, *parts, "</g>"], wide, tall)


DRAWN = {"calls/box": asked_box, "calls/circle": asked_circle, "calls/segment": segment, "calls/pairs": pairs, "calls/pairs_within": pairs_within,
         "calls/neighbours": neighbours, "calls/nearest": nearest, "calls/first_hit": first_hit, "calls/all_hits": all_hits,
         "calls/moving_box": moving_box, "flows": flows}


def main(arguments: list[str]) -> int:
    stale = []
    for name, draw in DRAWN.items():
        path, text = IMAGES / f"{name}.svg", draw()
        if arguments == ["--check"]:
            if not path.exists() or path.read_text() != text:
                stale.append(name)
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    if stale:
        print(f"Not as docs/site/drawings.py draws them: {', '.join(stale)}")
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
