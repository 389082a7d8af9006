"""A header with its comments as Doxygen reads them: what stands right above a declaration, or behind it, describes it."""
from __future__ import annotations

import re
import sys

COMMENT = re.compile(r"^(\s*)// ?(.*)$")
BEHIND = re.compile(r"^(.*[;,{}\w)])(\s+)// (.*)$")


def documented(text: str) -> str:
    lines, found, at = text.split("\n"), [], 0
    while at < len(lines):
        begin = at
        while at < len(lines) and COMMENT.match(lines[at]):
            at += 1
        block = lines[begin:at]
        if not block:
            behind = BEHIND.match(lines[at])
            found.append(f"{behind[1]}{behind[2]}///< {behind[3]}" if behind and '"' not in lines[at] else lines[at])
            at += 1
            continue
        follows = lines[at].strip() if at < len(lines) else ""
        is_section = block[0].lstrip().startswith("// ---")
        if begin == 0:
            found.append("/// @file")
        if begin == 0 or (follows and not follows.startswith(("#", "}")) and not is_section):
            block = [COMMENT.sub(lambda line: f"{line[1]}/// {line[2]}".rstrip(), line) for line in block]
        found += block
    return "\n".join(found)


if __name__ == "__main__":
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    sys.stdout.write(text if path.endswith(".cs") else documented(text))
