"""The reference of the package for JavaScript, from its declarations for TypeScript."""
from __future__ import annotations

import pathlib
import re
import textwrap

from pages import ROOT

TYPES = ROOT / "bindings/js/types"
FILES = {"throng2d": ("throng", "calls", "held"), "throng2d/kdbush": ("kdbush",), "throng2d/d3": ("d3",)}
COMMENT = r"(?:/\*\*(?P<comment>(?:(?!\*/).)*)\*/\s*)?"
DECLARED = re.compile(COMMENT + r"export (?:declare )?(?:abstract )?(?P<kind>class|interface|type|const|function) (?P<name>\w+)(?P<rest>[^\n]*)", re.S)


def words(comment: str | None) -> str:
    return " ".join(line.strip().lstrip("*").strip() for line in (comment or "").splitlines()).strip()


def end_of(text: str, at: int) -> int:
    """Where a declaration that begins there ends."""
    depth = 0
    for index in range(at, len(text)):
        if text[index] in "{([":
            depth += 1
        elif text[index] in "})]":
            depth -= 1
            if depth == 0 and text[index] == "}" and (index + 1 == len(text) or text[index + 1] == "\n"):
                return index + 1
        elif text[index] == ";" and depth == 0:
            return index + 1
    return len(text)


class Declaration:
    def __init__(self, kind: str, name: str, comment: str, code: str) -> None:
        self.kind, self.name, self.comment, self.code = kind, name, comment, code

    def members(self) -> list[tuple[str, str]]:
        """Each group of members under one comment: the code, and what it says."""
        body = textwrap.dedent(self.code[self.code.index("{") + 1:self.code.rindex("}")].strip("\n"))
        found, said = [], ""
        for part in re.split(r"(/\*\*(?:(?!\*/).)*\*/)\n", body, flags=re.S):
            if part.startswith("/**"):
                said = words(part[3:-2])
            elif part.strip():
                found.append((part.strip("\n"), said))
                said = ""
        return found


def declarations(file: str) -> dict[str, Declaration]:
    text, found, at = (TYPES / f"{file}.d.ts").read_text(), {}, 0
    while match := DECLARED.search(text, at):
        begin = match.start("kind")
        at = end_of(text, begin)
        found[match["name"]] = Declaration(match["kind"], match["name"], words(match["comment"]), text[begin:at])
    return found


def shown(one: Declaration, all_of_them: dict[str, Declaration]) -> list[str]:
    lines = [f"### {one.name}", "", one.comment, ""]
    base = all_of_them.get(f"{one.name}Calls")
    if one.kind not in ("class", "interface") or not one.members():
        return [*lines, "```ts", one.code, "```", ""]
    for code, said in one.members() + (base.members() if base else []):
        lines += ["```ts", code, "```", "", said, ""]
    return lines


def write(to: pathlib.Path) -> None:
    lines = ["# Reference of JavaScript", "",
             "Written from the package's declarations for TypeScript. [Its page](../bindings/js/README.md) says how to begin.", ""]
    for module, files in FILES.items():
        lines += [f"## {module}", ""]
        found = {name: one for file in files for name, one in declarations(file).items()}
        for name, one in sorted(found.items(), key=lambda each: (each[1].kind != "class", each[1].kind != "function", each[0].lower())):
            if not (name.endswith("Calls") and name[:-5] in found):
                lines += shown(one, found)
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text("\n".join(lines))
