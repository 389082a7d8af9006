"""Gathers the repository's pages for the site, in their folders, with links that lead somewhere there."""
from __future__ import annotations

import html
import os
import pathlib
import posixpath
import re
import shutil
import subprocess
import textwrap

import markdown

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"(\]\()([^() ]+)(\))")
EXAMPLE = re.compile(r"\[(`(\w+)` in )?[\w.]+\]\(([^() #]+\.(?:c|cpp|cs|py|mjs))\)")
TAB = re.compile(r"\*\*(C\+\+|C|Python|C#|JavaScript)\*\*")
LANGUAGE_OF = {".c": "c", ".cpp": "cpp", ".cs": "csharp", ".py": "python", ".mjs": "js"}
PICTURES = (".png", ".jpg", ".gif", ".svg")
# Pages for whoever changes the library: they get small pages, like sources, and search does not find them.
ROOM = re.compile(r"(base|beside|engine|parallel|simd|tests|worlds|cluster/(c|include|src|tests)|structures/(include|src|tests)"
                  r"|bench/.*|bindings/(generate|.*/.*)|docs/site)(/.*)?/README\.md")


def tracked() -> set[str]:
    """What git knows, or would take."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True)
    return {path for path in listed.stdout.splitlines() if (ROOT / path).exists()}


def outside_of_code(text: str):
    """Each line, and whether it is text rather than code."""
    fence = None
    for line in text.splitlines():
        found = re.match(r" *(`{3,})", line)
        if found and fence is None:
            fence = found[1]
            yield line, False
        elif fence is not None:
            if line.strip() == fence:
                fence = None
            yield line, False
        else:
            yield line, True


def lists_apart(text: str) -> str:
    """Code hosts see a list or a table right below a line of text; Python's Markdown wants an empty line there."""
    found, before, was_item = [], "", False
    for line, is_text in outside_of_code(text):
        is_item = is_text and re.match(r" *([-*]|\d+\.) ", line) is not None
        if is_item and before.strip() and not was_item:
            found.append("")
        found.append(line)
        before = line
        was_item = is_item or (was_item and line.startswith(" "))
    return "\n".join(found) + "\n"


class Gathered:
    def __init__(self, out: pathlib.Path) -> None:
        self.out, self.files = out, tracked()
        self.folders = {str(parent) for path in self.files for parent in pathlib.PurePosixPath(path).parents}
        self.sources: set[str] = set()

    def led(self, page: str, at: str, target: str) -> str:
        """Where a link of a page leads in the site, in which the page is at another place."""
        if ":" in target or target.startswith("#"):
            return target
        path, _, section = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        if path in self.folders and f"{path}/README.md" in self.files:
            path = f"{path}/README.md"
        if path.endswith(PICTURES):
            (self.out / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.out / path)
        elif not path.endswith(".md") or ROOM.fullmatch(path):
            self.sources.add(path)
            path = f"code/{path}/index.html" if path in self.folders else f"code/{path}.html"
        elif at.endswith(".html"):
            path = re.sub(r"(README)?\.md$", lambda end: "index.html" if end[1] else ".html", path)
        return posixpath.relpath(path, posixpath.dirname(at) or ".") + (f"#{section}" if section else "")

    def text_of(self, path: str) -> str:
        at = f"code/{path}.html" if ROOM.fullmatch(path) else path
        lines = [LINK.sub(lambda found: found[1] + self.led(path, at, found[2]) + found[3], line) if is_text else line
                 for line, is_text in outside_of_code(with_examples(path, (ROOT / path).read_text()))]
        return lists_apart("\n".join(lines))

    def page(self, path: str) -> None:
        to = self.out / path
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(self.text_of(path))

    def source(self, path: str) -> None:
        """A page of a source file or a folder that pages link, without the theme: there are hundreds."""
        if path in self.folders:
            inside = sorted({name[len(path) + 1:].split("/")[0] for name in self.files if name.startswith(f"{path}/")})
            to = self.out / f"code/{path}/index.html"
            body = "<ul>" + "".join(f"<li>{self.linked(f'{path}/{name}')}</li>" for name in inside) + "</ul>"
        else:
            to = self.out / f"code/{path}.html"
            body = self.shown(path)
        to.parent.mkdir(parents=True, exist_ok=True)
        up = os.path.relpath(self.out, to.parent)
        title = html.escape(path)
        to.write_text(f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
                      f'<title>{title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="{up}/code/code.css">'
                      f'<main><p><a href="{up}/index.html">Throng</a> / {title}</p>{body}</main></html>\n')

    def shown(self, path: str) -> str:
        if path.endswith(".md"):
            return markdown.markdown(self.text_of(path), extensions=["tables", "fenced_code", "toc"])
        return f"<pre tabindex=\"0\">{html.escape((ROOT / path).read_text(), quote=False)}</pre>"

    def linked(self, path: str) -> str:
        """A name in the listing of a folder: a link, if its page is linked anyway."""
        name = html.escape(posixpath.basename(path))
        return f'<a href="{name}.html">{name}</a>' if path in self.sources and path in self.files else name


def function_of(text: str, name: str) -> str:
    """A function with the comment above it: from its name to the line that closes it."""
    lines = text.splitlines()
    begin = next(at for at, line in enumerate(lines) if re.search(rf"\b{name}\(", line) and not line.rstrip().endswith(";"))
    indent = re.match(r" *", lines[begin])[0]
    end = next(at for at in range(begin, len(lines)) if lines[at] == indent + "}")
    while re.match(r" *//", lines[begin - 1]):
        begin -= 1
    return textwrap.dedent("\n".join(lines[begin:end + 1]))


def with_examples(page: str, text: str) -> str:
    """A paragraph that is a link to a program becomes that program: all of it, or the function that the link names in backticks.
    Where such sections follow each other, they become tabs."""
    found, tab = [], False
    for line, is_text in outside_of_code(text):
        link = EXAMPLE.fullmatch(line) if is_text else None
        if is_text and line.startswith("#"):
            tab = False
        if link is None:
            if is_text and TAB.fullmatch(line):
                tab = True
                line = f'=== "{TAB.fullmatch(line)[1]}"'
            elif tab and line:
                line = f"    {line}"
            found.append(line)
            continue
        source = (ROOT / posixpath.dirname(page) / link[3]).read_text()
        code = function_of(source, link[2]) if link[2] else source.rstrip()
        block = [line, "", f"```{LANGUAGE_OF.get(pathlib.Path(link[3]).suffix, '')}", *code.splitlines(), "```", ""]
        found += [f"    {each}" if tab and each else each for each in block]
    return "\n".join(found) + "\n"


def gather(out: pathlib.Path) -> set[str]:
    """All pages; returns their names."""
    gathered = Gathered(out)
    pages = {path for path in gathered.files if path.endswith(".md") and not ROOM.fullmatch(path)}
    for path in sorted(pages):
        gathered.page(path)
    done: set[str] = set()
    while left := gathered.sources - done:  # pages of rooms link more
        for path in sorted(left):
            gathered.source(path)
        done |= left
    shutil.copy(pathlib.Path(__file__).parent / "code.css", out / "code")
    return pages
