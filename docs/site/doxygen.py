"""The references of C++, C and C#, by Doxygen, and what the site's search has to know of them."""
from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

from pages import ROOT

HERE, BUILD = pathlib.Path(__file__).resolve().parent, ROOT / "build"
# Title, folders or files, and which files there.
LANGUAGES = {
    "cpp": ("Throng in C++", "engine/include parallel/include structures/include cluster/include", "*.hpp"),
    "c": ("Throng in C", "bindings/c/include cluster/c", "*.h"),
    "csharp": ("Throng in C#", "bindings/csharp/Throng.cs bindings/csharp/Throng.Generated.cs", "*.cs"),
}
# Lists of all members, which nobody needs beside a search and the pages that describe them.
UNWANTED = ("functions*.html", "globals*.html", "namespacemembers*.html", "*-members.html")
ANCHOR = re.compile(r"\b(a[0-9a-f]{9})[0-9a-f]{23}\b")  # a third is enough to tell them apart, which check.py sees to
FRAGMENT = r"(<(pre|script|textarea)\b.*?</\2>|<div class=\"fragment\">.*?</div><!-- fragment -->)"


def layout() -> pathlib.Path:
    file = BUILD / "site-layout.xml"
    subprocess.run(["doxygen", "-l", file], check=True)
    file.write_text(re.sub(r'(<tab type="(?:classmembers|namespacemembers|globals|hierarchy)" visible=)"yes"', r'\1"no"', file.read_text()))
    return file


def mended(page: str, text: str) -> str:
    """A page with a way back to the site, without a link to a section that it lacks, and without what no browser looks at."""
    text = text.replace('src="jquery.js"', 'src="../cpp/jquery.js"').replace("</head>", '<link rel="icon" href="data:,">\n</head>')
    text = re.sub(r'(<div id="projectname">)([^<\n]*)', r'\1<a href="../../index.html">\2</a>', text)
    text = re.sub(r'( &#124;\s*)?<a href="[^"]*-members.html">List of all members</a>', "", text)
    if 'name="nested-classes"' not in text:
        text = re.sub(r'<a href="#nested-classes">[^<]*</a>( &#124;)?', "", text)
    text = re.sub(r'<tr class="(?:separator|heading)[^"]*"><td class="memSeparator"[^\n]*</tr>\n', "", ANCHOR.sub(r"\1", text))
    text = text.replace(f'href="{page}#', 'href="#').replace(' align="right" valign="top"', "").replace(' valign="bottom"', "")
    parts = re.split(FRAGMENT, text, flags=re.S)  # text, what is kept, and its kind, in turn
    for at in range(0, len(parts), 3):
        parts[at] = re.sub(r"\s*\n\s*", "\n", re.sub(r"<!-- .*? -->", "", parts[at], flags=re.S))
    return "".join(part or "" for at, part in enumerate(parts) if at % 3 != 2)


def write(name: str, out: pathlib.Path) -> None:
    title, inputs, patterns = LANGUAGES[name]
    out.mkdir(parents=True)
    own = [f'PROJECT_NAME = "{title}"', f"INPUT = {inputs}", f"FILE_PATTERNS = {patterns}", f'OUTPUT_DIRECTORY = "{out.parent}"',
           f"HTML_OUTPUT = {name}", f'GENERATE_TAGFILE = "{BUILD / ("site-" + name + ".tags")}"', f'LAYOUT_FILE = "{layout()}"',
           f"OPTIMIZE_OUTPUT_JAVA = {'YES' if name == 'csharp' else 'NO'}", f"OPTIMIZE_OUTPUT_FOR_C = {'YES' if name == 'c' else 'NO'}",
           f'INPUT_FILTER = "{sys.executable} {HERE / "comments.py"}"']
    done = subprocess.run(["doxygen", "-"], cwd=ROOT, capture_output=True, text=True, input=(HERE / "Doxyfile").read_text() + "\n".join(own) + "\n")
    if done.returncode != 0:
        sys.exit(f"{done.stderr}\nDoxygen failed")
    for pattern in UNWANTED:
        for path in out.glob(pattern):
            path.unlink()
    if name != "cpp":  # it is there once
        (out / "jquery.js").unlink()
    for path in out.glob("*.html"):
        path.write_text(mended(path.name, path.read_text()))


def found_by_search(name: str) -> list[dict[str, str]]:
    """Entries for the site's search: each page, and each name on it once."""
    title = LANGUAGES[name][0]
    entries: dict[str, dict[str, str]] = {}
    for compound in tree.fromstring(ANCHOR.sub(r"\1", (BUILD / f"site-{name}.tags").read_text())):
        page = compound.findtext("filename", "")
        page += "" if page.endswith(".html") else ".html"
        of = compound.findtext("name", "").replace("::", "." if name == "csharp" else "::")
        if compound.get("kind") in ("class", "struct", "namespace", "concept", "file"):
            # The theme shows a page under the name of its first section.
            for place in ("", "#top"):
                entries.setdefault(f"api/{name}/{page}{place}", {"title": f"{of} - {title}", "text": ""})
        for member in compound.findall("member"):
            if member.findtext("anchorfile") != page:
                continue
            label = member.findtext("name", "")
            entry = entries.setdefault(f"{page} {label}", {"location": f"api/{name}/{page}#{member.findtext('anchor')}", "title": label, "text": ""})
            entry["text"] += f"{label}{member.findtext('arglist', '')} "
    return [{"location": location, **entry} for location, entry in entries.items()]


def add_to_search(index: pathlib.Path) -> None:
    known = json.loads(index.read_text())
    for name in LANGUAGES:
        known["docs"] += found_by_search(name)
    index.write_text(json.dumps(known, separators=(",", ":")))
