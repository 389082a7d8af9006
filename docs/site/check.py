#!/usr/bin/env python3
"""Fails, naming each place, where a page of a site links what is not there, has a picture without words, or takes something from the web.

    check.py FOLDER
    check.py --finds WORD FOLDER    succeeds if that check fails and says WORD
"""
from __future__ import annotations

import html.parser
import pathlib
import re
import sys
from urllib.parse import unquote, urlsplit

# What a browser loads by itself.
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "link": "href"}
FROM_THE_WEB = re.compile(r"(?:https?:)?//")


class Page(html.parser.HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[tuple[int, str]] = []
        self.faults: list[tuple[int, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given, line = dict(attributes), self.getpos()[0]
        self.places |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "img" and not (given.get("alt") or "").strip():
            self.faults.append((line, f"{given.get('src')} is a picture without words"))
        target = given.get(FETCHED.get(tag, "href")) or ""
        if tag in FETCHED and FROM_THE_WEB.match(target) and given.get("rel") != "canonical":
            self.faults.append((line, f"{target} comes from the web"))
        elif target:
            self.links.append((line, target))


def faults_of(site: pathlib.Path) -> list[str]:
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        faults = list(page.faults)
        for line, target in page.links:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or target == "#":
                continue
            if path.name == "404.html" and target.startswith("/"):
                to = site / parts.path.lstrip("/")  # a host shows it at any address
            else:
                to = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            if to.is_dir():
                to /= "index.html"
            if not to.exists():
                faults.append((line, f"{target} is not there"))
            elif parts.fragment and to in pages and unquote(parts.fragment) not in pages[to].places | {"__skip"}:
                faults.append((line, f"{target} is no place on that page"))
        found += [f"{path.relative_to(site)}:{line}: {fault}" for line, fault in sorted(faults)]
    for path in sorted(site.rglob("*.css")):
        for target in re.findall(r"@import\s+[\"']([^\"']+)|url\([\"']?([^\"')]+)", path.read_text()):
            if FROM_THE_WEB.match("".join(target)):
                found.append(f"{path.relative_to(site)}: {''.join(target)} comes from the web")
    return found if pages else ["there is no page"]


def main(arguments: list[str]) -> int:
    word = arguments[1] if arguments[:1] == ["--finds"] else None
    found = faults_of(pathlib.Path(arguments[-1]).resolve())
    print("\n".join(found))
    if word is not None:
        return int(not any(word in fault for fault in found))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
