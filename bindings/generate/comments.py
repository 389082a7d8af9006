"""The header's comments as those of C#."""
from __future__ import annotations

import re
import textwrap

from .header import Call, Header
from .names import name_of, owner_of
from .words import WIDTH, pascal

# What C# says otherwise: what a call of C is given to write into is returned, and there are defaults.
PHRASES = (
    (r"`total`, which may be NULL, takes how", "Returns how"),
    (r" ?The query may be NULL: all that overlap\.", " By default all that overlap."),
    (r" ?(`labels?`|The query) may be NULL\.", ""),
    (r" ?On failure \*\w+ is NULL\.| NULL is fine\.| \*\w+ as (above|in \w+)\.", ""),
    (r" This and the next three are 0 for NULL\.|; 0 for NULL(?=\.)", ""),
    (r": 1 or 0\.", "."),
    (r"^1 while its agent is there, and otherwise 0\.", "Whether its agent is there."),
    (r"`null`|NULL", "null"),
    (r"THRONG_EXPERIMENTAL: the numbers", "The numbers"),
    (r"THRONG_NO_AGENT", "Native.NoAgent"),
    (r"THRONG_NO_INDEX", "Native.NoIndex"),
)


def documented(header: Header, comment: str, indent: str, call: Call | None = None) -> list[str]:
    """Without its examples; that of a call ends with its name in C."""
    words = " ".join(line for line in comment.split("\n") if not line.startswith("    "))
    for in_c, here in PHRASES:
        words = re.sub(in_c, here, words)
    words = re.sub(r"\b(throng|THRONG)_\w+", lambda found: _translated(header, found[0]), words)
    words = f"{words} ({call.name})" if call else words
    words = " ".join(words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").split())
    if not words:
        return []
    begin = f"{indent}/// "
    return textwrap.wrap(f"<summary>{words}</summary>", WIDTH, initial_indent=begin, subsequent_indent=begin)


def _translated(header: Header, name: str) -> str:
    if name in header.calls and owner_of(header, header.calls[name]):
        return f"{pascal(owner_of(header, header.calls[name]))}.{name_of(header, header.calls[name])}"
    if name in header.structs or name in header.opaque:
        return pascal(name)
    for prefix, kind in (("THRONG_ARGUMENT_", "Argument."), ("THRONG_AGENTS_AS_", "AgentsAs.")):
        if name.startswith(prefix):
            return kind + pascal(name.removeprefix(prefix))
    is_code = any("THRONG_OK" in enum.values and name in enum.values for enum in header.enums)
    return "Code." + pascal(name) if is_code else name
