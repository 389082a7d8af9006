"""The reference of the Python package: what mkdocstrings is to describe."""
from __future__ import annotations

import ast
import pathlib

from pages import ROOT

PACKAGE = ROOT / "bindings/python"


def names(module: str) -> list[str]:
    """What a module offers, where that is found."""
    tree = ast.parse((PACKAGE / module.replace(".", "/") / "__init__.py").read_text())
    origins, offered = {}, []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            folders = module.split(".")[: len(module.split(".")) - node.level + 1] if node.level else []
            for alias in node.names:
                origins[alias.asname or alias.name] = ".".join([*folders, *([node.module] if node.module else []), alias.name])
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            offered = ast.literal_eval(node.value)
    return [origins[name] for name in offered if name in origins]


def write(to: pathlib.Path) -> None:
    lines = ["# Reference of Python", "", "Made from the docstrings of the package. [Its page](../bindings/python/README.md) says how to begin.", ""]
    for module in ("throng", "throng.scipy"):
        lines += [f"## {module}", ""]
        for name in names(module):
            lines += [f"::: {name}", "    options:", "      heading_level: 3", ""]
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text("\n".join(lines))
