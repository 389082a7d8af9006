"""The live page, with the libraries that it can compare Throng with. They come from npm, and stay out where that cannot be reached."""
from __future__ import annotations

import json
import pathlib
import shutil
import subprocess

# Each as its own page advises to take it, and the file of it that a page without a bundler loads.
LIBRARIES = {"flatbush@4": "flatbush.js", "rbush@4": "rbush.min.js", "kdbush@4": "kdbush.min.js", "d3-quadtree@3": "dist/d3-quadtree.min.js"}


def installed(folder: pathlib.Path) -> bool:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{ "name": "live", "private": true }\n')
    command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel", "error", "--prefer-offline", "--fetch-retries=0",
               "--fetch-timeout=20000", *LIBRARIES]
    return shutil.which("npm") is not None and subprocess.run(command, cwd=folder, check=False).returncode == 0


def add_libraries(page: pathlib.Path, npm: pathlib.Path) -> None:
    """With their licences, and their names for the page."""
    if not installed(npm):
        print("The live page compares with a plain grid alone: npm's registry cannot be reached")
        return
    known = {}
    for wanted, file in LIBRARIES.items():
        name = wanted.split("@")[0]
        source, to = npm / "node_modules" / name, page / "peers" / name
        to.mkdir(parents=True)
        shutil.copy(source / file, to)
        shutil.copy(source / "LICENSE", to / "LICENSE.txt")
        known[name] = f"peers/{name}/{pathlib.Path(file).name}"
    (page / "peers.js").write_text(f"export const PEERS = {json.dumps(known)};\n")
