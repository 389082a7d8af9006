"""The declarations of the same methods for TypeScript."""
from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Any

from .header import Header, Struct
from .names import ARRAYS
from .words import HEAD, camel, pascal

if TYPE_CHECKING:
    from .javascript import Method

# What JavaScript says otherwise than C.
PHRASES = (
    (r"`total`, which may be NULL, takes how", "Returns how"),
    (r" ?The query may be NULL: all that overlap\.", " By default all that overlap."),
    (r" ?(`labels?`|The query) may be NULL\.", ""),
    (r" ?On failure \*\w+ is NULL\.| NULL is fine\.| \*\w+ as (above|in \w+)\.", ""),
    (r" This and the next three are 0 for NULL\.|; 0 for NULL(?=\.)", ""),
    (r": 1 or 0\.", "."),
    (r", as many as there is room for|: as many (ids )?as there is room for", ""),
    (r"`null`|NULL", "null"),
    (r"THRONG_EXPERIMENTAL: the numbers", "The numbers"),
    (r"\bTHRONG_AGENTS_AS_(\w+)", lambda found: '"' + found[1].lower() + '"'),
    (r"\bTHRONG_([A-Z_]+)", r"\1"),
)
# Sentences on memory are left out, since the package makes it. The names are JavaScript's by then.
OF_MEMORY = (
    (r"What the pointers point to.*|For the thread that writes\.| Either array may be null\.|; null for null", ""),
    (r" There must be (room for )?as many.*?\.| Returns how many there are\.|, with room for Frame\.idBound of them", ""),
    (r", on this thread, into the host's array| Any thread may call this\.", ""),
    (r"ids written in ascending order\. Returns how many were left out", "ids returned in ascending order"),
    (r"are written to `ids`, which has room for `count`: as many as boxes", "are returned, in `ids` if that is given"),
    (r"Writes the plan of the newest frame as bytes", "The plan of the newest frame in bytes"),
    (r"\*frame must be null.*", "A frame that is given is released, and is the newest one from then on; in a loop nothing is allocated so."),
    (r"`count` (agents|casts)", r"many \1"),
)
READ = {"uint64_t": "number", "float": "number", "uint32_t": "number", "int32_t": "number"}


def declarations(header: Header, methods: list[Method]) -> str:
    from . import javascript

    lines = [f"// {HEAD} options, answers and methods."]
    lines += ["import type {", "    Boxes, Cast, CastHits, Frame, Hits, KeptNeighbours, Labels, Neighbours, PairChanges, Pairs, Points,"]
    lines += ["    Queries, Shape, StaticLayer,", '} from "./throng";', 'import { Held, Result } from "./held";']
    codes = {first: [*enum.values] for enum in header.enums for first in [next(iter(enum.values))]}
    for name, first, prefix in (("Code", "THRONG_OK", "THRONG_"), ("Argument", "THRONG_ARGUMENT_ANY", "THRONG_ARGUMENT_")):
        lines += ["", f"export type {name} ="]
        lines += textwrap.wrap(" | ".join(f'"{each.removeprefix(prefix)}"' for each in codes[first]), 100,
                               initial_indent="    ", subsequent_indent="    ")
        lines[-1] += ";"
    lines += ["", 'export type AgentsAs = "boxes" | "centres" | "circles";']
    used = " ".join(f"{method.kind} {[*method.given, *method.optional]}" for method in methods) + " EngineConfig KeptNeighbourhood"
    for struct in header.structs.values():
        if struct.name in javascript.BY_HAND:
            continue
        if re.search(rf"\b{pascal(struct.name)}\b", used):
            lines += _interface(header, struct, javascript.members_of(header, struct))
        if re.search(rf"\b{pascal(struct.name)}Arrays\b", used) and not javascript.flat_kind(header, _type(struct)):
            lines += _arrays(struct)
    for owner in dict.fromkeys(method.owner for method in methods):
        lines += _class(header, owner, [method for method in methods if method.owner == owner], javascript)
    return "\n".join([*lines, ""])


def _type(struct: Struct) -> Any:
    from .header import Type

    return Type(struct.name)


def commented(header: Header, words: str, indent: str) -> list[str]:
    words = " ".join(line for line in words.split("\n") if not line.startswith("    "))
    for in_c, here in PHRASES:
        words = re.sub(in_c, here, words)
    owners = (*header.opaque, ARRAYS)

    def translated(found: re.Match[str]) -> str:
        owner = max((each for each in owners if found[0].startswith(each + "_")), key=len, default="")
        if found[0] in header.calls and owner:
            return f"{pascal(owner)}.{camel(found[0].removeprefix(owner + '_'))}"
        return pascal(found[0]) if found[0] in header.structs or found[0] in header.opaque else found[0]

    words = " ".join(re.sub(r"\bthrong_\w+", translated, words).split())
    for in_c, here in OF_MEMORY:
        words = re.sub(in_c, here, words).strip()
    if not words:
        return []
    return textwrap.wrap(f"/** {words} */", 110, initial_indent=indent, subsequent_indent=indent + " * ")


def _interface(header: Header, struct: Struct, members: Any) -> list[str]:
    is_given = struct.is_sized and not struct.name.endswith(("report", "tuning", "choice", "explanation", "validation"))
    lines = ["", *commented(header, struct.comment, ""), f"export interface {pascal(struct.name)} {{"]
    for each in members:
        kind = READ.get(each.type.name, "number")
        if each.type.stars:
            kind = "Float32Array" if each.type.name in ("float", "throng_band", "throng_cast_heights") else "Uint32Array"
        elif each.name == "agents_as":
            kind = "AgentsAs"
        elif each.name.startswith(("with_", "is_", "either_", "each_", "half", "distances", "in_row", "other_groups")):
            kind = "boolean"
        lines.append(f"    {camel(each.name)}{'?' if is_given else ''}: {kind};")
    return [*lines, "}"]


def _arrays(struct: Struct) -> list[str]:
    arrays = {"float": "Float32Array", "uint32_t": "Uint32Array"}
    members = [f"    {camel(each.name)}: {arrays[each.type.name]};" for each in struct.members]
    return ["", f"export interface {pascal(struct.name)}Arrays {{", *members, "}"]


def _class(header: Header, owner: str, methods: list[Method], javascript: Any) -> list[str]:
    if owner == ARRAYS:
        lines = ["", "/** Queries without an engine. */", "export declare const arrays: {"]
    else:
        base = javascript.base_of(header, owner)
        lines = ["", f"export declare class {pascal(owner)}Calls extends {base} {{"]
    before = ""
    for method in methods:
        if method.call.name in javascript.WRAPPED:
            continue
        comment = commented(header, method.call.comment, "    ")
        # Calls that follow each other have one comment.
        lines += comment if method.call.comment != before else []
        before = method.call.comment
        if method.is_getter:
            lines.append(f"    readonly {method.name}: {method.kind};")
            continue
        given = [f"{name}: {kind}" for name, kind in method.given]
        given += [f"{name}?: {kind}" for name, kind in method.optional]
        lines.append(f"    {method.name}({', '.join(given)}): {method.kind};")
    return [*lines, "};" if owner == ARRAYS else "}"]
