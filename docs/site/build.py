#!/usr/bin/env python3
"""What scripts/site runs: makes the site of the repository's own pages."""
from __future__ import annotations

import argparse
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import yaml

import check
import doxygen
import javascript
import live
import pages
import python
from pages import ROOT

BUILD = ROOT / "build"
GATHERED, SITE = BUILD / "site-pages", BUILD / "site"
HERE = pathlib.Path(__file__).resolve().parent
LARGEST = 15_000_000  # bytes of the site, without the live page


def described(nav: list, known: set[str]) -> list:
    """The navigation without pages that are not there."""
    found = []
    for entry in nav:
        if isinstance(entry, str):
            if entry in known:
                found.append(entry)
            continue
        (name, value), = entry.items()
        if isinstance(value, list):
            found.append({name: described(value, known)})
        elif value in known:
            found.append({name: value})
    return found


def configuration(offered: set[str]) -> pathlib.Path:
    text = (HERE / "mkdocs.yml").read_text()
    loaded = yaml.load(text, Loader=yaml.BaseLoader)  # tags of Python stay text, and are not needed here
    nav = described(loaded["nav"], offered)
    named = str(nav)
    more = sorted(page for page in offered if page.startswith("docs/") and page.count("/") == 1 and f"'{page}'" not in named)
    if more:
        nav.append({"More": more})
    paths = {"docs_dir": str(GATHERED), "site_dir": str(SITE), "nav": nav}
    file = BUILD / "site.yml"
    # What stands later in the file is what YAML keeps.
    file.write_text(text[: text.index("\nnav:\n") + 1] + yaml.safe_dump(paths, sort_keys=False))
    return file


def run_mkdocs(offered: set[str]) -> None:
    """A page that links what is not there fails it."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'bindings/python'}:{HERE}"}
    done = subprocess.run(["/usr/bin/mkdocs", "build", "--quiet", "--strict", "--config-file", configuration(offered)], cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nMkDocs failed")
    for path in SITE.rglob("*.html"):
        if (GATHERED / path.relative_to(SITE)).exists():
            continue  # not of MkDocs
        # Who listens to a page is told of no heading where there is none.
        text = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", path.read_text())
        # Indented lines are a twentieth of a page, and only in these elements are they seen.
        parts = re.split(r"(<(?:pre|script|textarea)\b.*?</(?:pre|script|textarea)>)", text, flags=re.S)
        parts[::2] = (re.sub(r"\n\s+", "\n", part) for part in parts[::2])
        path.write_text("".join(parts))
    # For other languages, and for whoever mends the theme.
    for path in [*SITE.rglob("*.map"), *(SITE / "assets/javascripts/lunr").rglob("*.js")]:
        path.unlink()


@contextlib.contextmanager
def timed(what: str):
    start = time.monotonic()
    yield
    print(f"{what}: {time.monotonic() - start:.0f} s", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/site", description=__doc__)
    parser.add_argument("--live", type=pathlib.Path, help="a folder with the live page")
    given = parser.parse_args()
    for folder in (GATHERED, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    with timed("Pages"):
        offered = pages.gather(GATHERED)
        for language in (javascript, python):
            language.write(GATHERED / f"api/{language.__name__}.md")
            offered.add(f"api/{language.__name__}.md")
        for name in ("site.css", "site.js"):
            shutil.copy(HERE / name, GATHERED)
    for name, (title, *_) in doxygen.LANGUAGES.items():
        with timed(title):
            doxygen.write(name, GATHERED / "api" / name)
        offered.add(f"api/{name}/index.html")
    if given.live is not None:
        shutil.copytree(given.live, GATHERED / "live")
        live.add_libraries(GATHERED / "live", BUILD / "site-npm")
        offered.add("live/index.html")
    with timed("MkDocs"):
        run_mkdocs(offered)
    doxygen.add_to_search(SITE / "search/search_index.json")
    with timed("Check"):
        faults = check.faults_of(SITE)
    print("\n".join(faults))
    size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file() and (SITE / "live") not in path.parents)
    print(f"{SITE.relative_to(ROOT)}: {size / 1e6:.1f} MB without the live page")
    return int(bool(faults) or size > LARGEST)


sys.exit(main())
