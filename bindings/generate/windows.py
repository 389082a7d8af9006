"""The names that throng.dll exports, as linkers for Windows take them: one list for each header."""
from __future__ import annotations

from .header import Header
from .words import HEAD


def exports(header: Header) -> str:
    return f"; {HEAD} the names that throng.dll exports.\nLIBRARY throng.dll\nEXPORTS\n" + _names(header)


def more_exports(header: Header) -> str:
    """To be put behind those of throng.h, where the library has the small structures."""
    head = HEAD.replace("throng.h", "throng_structures.h")
    return f"; {head} the names of the small structures.\n{_names(header)}"


def _names(header: Header) -> str:
    return "".join(f"    {name}\n" for name in header.calls)
