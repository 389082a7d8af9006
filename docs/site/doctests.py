"""An extension of Python's Markdown: examples as docstrings have them, from `>>>` to an empty line, are blocks of code."""
from __future__ import annotations

from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor


class Doctests(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        found, inside = [], False
        for line in lines:
            if line.startswith(">>>") and not inside:
                inside = True
                found.append("")
            inside = inside and bool(line.strip())
            found.append(f"    {line}" if inside else line)
        return found


class DoctestsExtension(Extension):
    def extendMarkdown(self, md) -> None:  # noqa: N802
        md.preprocessors.register(Doctests(md), "doctests", 27)  # after white space, before fences


def makeExtension(**options) -> DoctestsExtension:  # noqa: N802
    return DoctestsExtension(**options)
