"""The calls as methods of JavaScript's classes, over the module's exports, with their declarations for TypeScript.

A method writes what it is given into the module's memory, calls, and reads what came back. How is decided by
the type of each parameter alone. What needs thought is in bindings/js/src, which these methods call.
"""
from __future__ import annotations

import dataclasses
import re

from .header import Call, Fault, Header, Struct, Type, Variable
from .javascript_types import declarations
from .names import ARRAYS, owner_of
from .words import HEAD, camel, pascal

# Calls that JavaScript does without: what its own loops do, what serves other hosts' memory and threads, and
# what only says more of the inside.
LEFT_OUT = re.compile(
    r"_fold$|_explain|_validate|_serial|_cancel_|_memory_(create|get|destroy)|_as_found|_engine_(handle|id)$|_bytes$"
    r"|build_describe|_block$|throng_boxes_|fault_text|overlaps_into|pairs_into|with_into|retain"
    r"|status_text|choose_origin|_try_moves$|_init_trial_rule$"
)
# Written by hand, in bindings/js/src, and the options that may be left out.
BY_HAND = ("throng_boxes", "throng_labels", "throng_points", "throng_shape", "throng_cast", "throng_status_details")
OPTIONAL = ("throng_filter", "throng_pair_query", "throng_engine_config", "throng_labels", "throng_label")
CONFIGS = ("throng_engine_config", "throng_kept_neighbourhood")  # of constructors
REQUIRED = ("throng_engine_relabel",)
NAMES = {
    "throng_frame_agent_box": "box",
    "throng_frame_agent_boxes": "boxes",
    "throng_frame_agent_label": "label",
    "throng_frame_agent_labels": "labels",
    "throng_frame_agent_height": "height",
    "throng_frame_agent_heights": "heights",
    "throng_frame_first_hits_of": "firstHits",
    "throng_frame_neighbours_within_into": "neighboursWithinAt",
    "throng_frame_neighbours_nearest_into": "neighboursNearestAt",
}
# Whose answers are put otherwise in objects.js.
WRAPPED = ("throng_frame_nearest", "throng_frame_first_hit")
ENUMS = {"agents_as": "agentsAs", "by": "foldBy"}
MASKS = ("categories", "a", "b")
IS_FLAG = re.compile(r"with_|is_|either_|each_without|half|distances|in_row|other_groups")
# How many an array has room for, where no other parameter says it.
ROOMS = {
    "throng_engine_update_legal": "sizeOf(boxesAt)",  # which must not be called again for more
    "throng_engine_update_legal_by_ids": "sizeOf(boxesAt)",
    "throng_frame_agents": "this.size",
    "throng_frame_row_order": "this.size",
    "throng_frame_count_neighbours": "this.idBound",
}
HEAPS = {"float": "F32", "uint32_t": "U32", "uint8_t": "U8", "double": "F64", "int32_t": "U32"}
SIZES = {"float": 4, "uint32_t": 4, "int32_t": 4, "uint8_t": 1, "uint64_t": 8, "double": 8}


def files(header: Header) -> dict[str, str]:
    methods = all_methods(header)
    return {
        "bindings/js/src/calls.js": _text(header, methods),
        "bindings/js/types/calls.d.ts": declarations(header, methods),
        "bindings/js/exports.txt": "".join(f"{name}\n" for name in _exports(header, methods)),
    }


@dataclasses.dataclass
class Method:
    call: Call
    owner: str
    name: str
    lines: list[str] = dataclasses.field(default_factory=list)
    passed: list[str] = dataclasses.field(default_factory=list)
    given: list[tuple[str, str]] = dataclasses.field(default_factory=list)  # a parameter and its type
    optional: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    after: list[str] = dataclasses.field(default_factory=list)
    returned: list[tuple[str, str, str]] = dataclasses.field(default_factory=list)  # name, expression, type
    grows: str = ""  # the room that is asked for again
    is_getter: bool = False

    @property
    def kind(self) -> str:
        if not self.returned:
            return "void"
        if len(self.returned) == 1:
            return self.returned[0][2]
        return "{ " + "; ".join(f"{name}: {kind}" for name, _, kind in self.returned) + " }"


def all_methods(header: Header) -> list[Method]:
    found = []
    for call in header.calls.values():
        owner = owner_of(header, call)
        if owner and owner != "throng_memory" and not LEFT_OUT.search(call.name) and not _is_kept_by_hand(call):
            found.append(_method(header, call, owner) if call.has_details else _getter(header, call, owner))
    return found


def _is_kept_by_hand(call: Call) -> bool:
    return call.name.endswith(("_create", "_destroy", "_release"))


def name_in_js(call: Call, owner: str) -> str:
    return NAMES.get(call.name) or camel(call.name.removeprefix(owner + "_"))


def offsets_of(header: Header, struct: Struct) -> tuple[dict[str, int], int]:
    """Where members lie in WebAssembly, whose pointers have four bytes, and the size of the whole."""
    at, widest, found = 0, 1, {}
    for each in struct.members:
        size = 4 if each.type.stars or each.type.name in header.callbacks else SIZES[each.type.name]
        at = (at + size - 1) // size * size
        found[each.name] = at
        at += size * max(each.type.length, 1)
        widest = max(widest, size)
    return found, (at + widest - 1) // widest * widest


def flat_kind(header: Header, type_: Type) -> str:
    """The heap of an array's elements, if all of their members are numbers of one kind."""
    if type_.name in HEAPS:
        return HEAPS[type_.name]
    kinds = {HEAPS.get(each.type.name) for each in header.structs[type_.name].members}
    return kinds.pop() or "" if len(kinds) == 1 else ""


def _words(header: Header, type_: Type) -> int:
    return 1 if type_.name in HEAPS else len(header.structs[type_.name].members)


# --- A call that can fail ----------------------------------------------------------------------------------


def _method(header: Header, call: Call, owner: str) -> Method:
    method = Method(call, owner, name_in_js(call, owner))
    skipped = 0 if owner == ARRAYS else 1
    for each in call.parameters[skipped:-1]:
        _add(header, method, each)
    if skipped:
        method.passed.insert(0, "this.pointer")
    return method


def _add(header: Header, method: Method, each: Variable) -> None:
    type_, name, lengths = each.type, camel(each.name), header.lengths(method.call)
    at = name + "At"
    if each.name in lengths:
        _add_array(header, method, each, lengths[each.name])
    elif each.name in lengths.values():
        method.passed.append(f"BigInt({camel(each.name)})")
    elif type_.name in header.opaque:
        _add_object(method, each)
    elif type_.stars == 0:
        method.given.append((name, "number"))
        method.passed.append(_number(type_, name))
    elif type_.is_const:
        is_optional = type_.name in OPTIONAL and method.call.name not in REQUIRED
        if type_.name == "throng_engine_config":
            method.passed.append("0")
            return
        kind = pascal(type_.name)
        # A frame is asked with shapes as well.
        if kind == "Boxes" and method.owner == "throng_frame":
            kind = "Queries"
        (method.optional if is_optional else method.given).append((name, kind))
        method.lines.append(f'const {at} = write{kind}({name}, "{name}");')
        method.passed.append(at)
    else:
        _add_returned(header, method, each)


def _add_array(header: Header, method: Method, each: Variable, length: str) -> None:
    """An array, and its length before it is first asked for."""
    name, kind, words = camel(each.name), flat_kind(header, each.type), _words(header, each.type)
    length = camel(length)
    known = [line for line in method.lines if line.startswith(f"const {length} = ")]
    if each.type.is_const:
        method.given.append((name, _array(kind)))
        method.lines.append(f'const {name}At = put{kind}({name}, "{name}");')
        if known:
            raise Fault(f"{method.call.name} has two arrays of one length")
        method.lines.append(f'const {length} = countIn({name}, {words}, "{name}");')
        method.passed.append(f"{name}At")
        return
    has_total = any(parameter.name == "total" for parameter in method.call.parameters)
    if has_total and method.call.name not in ROOMS:
        method.grows = length
    elif not known:
        method.lines.append(f"const {length} = {_room(method)};")
    size = offsets_of(header, header.structs[each.type.name])[1] if words > 1 else SIZES[each.type.name]
    method.lines.append(f"const {name}At = take({size} * {length});")
    method.passed.append(f"{name}At")
    how_many = "total" if has_total else length
    if kind:
        more = "" if has_total else f", {name}"
        numbers = f"{how_many}{f' * {words}' if words > 1 else ''}"
        if more:
            method.optional.append((name, _array(kind)))
            method.lines.append(f'needRoom({name}, "{_array(kind)}", {numbers});')
        expression = f"copy{kind}({name}At, {numbers}{more})"
        method.returned.append((name, expression, _array(kind)))
    else:
        kind = pascal(each.type.name)
        method.returned.append((name, f"read{kind}s({name}At, {how_many})", f"{kind}Arrays"))


def _number(type_: Type, name: str) -> str:
    if type_.name == "uint64_t":
        return f'BigInt(whole({name}, "{name}", Number.MAX_SAFE_INTEGER))'
    return f'{"whole" if type_.name == "uint32_t" else "number"}({name}, "{name}")'


def _array(kind: str) -> str:
    return {"F32": "Float32Array", "U32": "Uint32Array", "U8": "Uint8Array", "F64": "Float64Array"}[kind]


def _room(method: Method) -> str:
    """As many as there are queries, or agents."""
    if method.call.name in ROOMS:
        return ROOMS[method.call.name]
    for name, kind in reversed(method.given):
        if kind in ("Boxes", "Queries", "Points"):
            return f"sizeOf({name}At)"
    counts = [line for line in method.lines if " = countIn(" in line]
    if not counts:
        raise Fault(f"{method.call.name}: how many does its array have room for?")
    return counts[0].split()[1]


def _add_object(method: Method, each: Variable) -> None:
    name, kind = camel(each.name), pascal(each.type.name)
    if each.type.stars == 2:
        # A handle that is there is filled again.
        method.optional.append((name, kind))
        is_taken = str(kind == "Frame").lower()
        method.lines.append(f"const held = heldBy({name}, {kind}, {is_taken});")
        method.passed.append("held.at()")
        method.returned.append((name, "held.read()", kind))
    elif each.type.is_const:
        method.given.append((name, kind))
        method.passed.append(f'pointerOf({name}, {kind}, "{name}")')
    else:
        method.optional.append((name, kind))
        method.lines.append(f"{name} = resultOf({name}, {kind});")
        method.passed.append(f"{name}.pointer")
        method.returned.append((name, name, kind))


def _add_returned(header: Header, method: Method, each: Variable) -> None:
    name, type_ = camel(each.name), each.type
    if type_.name in header.structs:
        size = offsets_of(header, header.structs[type_.name])[1]
        kind = pascal(type_.name)
        method.lines.append(f"const {name}At = take({size});")
        if header.structs[type_.name].is_sized:
            method.lines.append(f"c.throng_init_{type_.name.removeprefix('throng_')}({name}At, {size});")
        method.returned.append((name, f"read{kind}({name}At)", kind))
    else:
        method.lines.append(f"const {name}At = take({SIZES[type_.name]});")
        if name == "total" and any("total" in each[1] for each in method.returned):
            method.after.append(f"const {name} = u32[{name}At >>> 2];")
        elif type_.name == "int32_t":
            method.returned.append((name, f"u32[{name}At >>> 2] !== 0", "boolean"))
        else:
            method.returned.append((name, f"u32[{name}At >>> 2]", "number"))
    method.passed.append(f"{name}At")


# --- What cannot fail --------------------------------------------------------------------------------------


def _getter(header: Header, call: Call, owner: str) -> Method:
    method = Method(call, owner, name_in_js(call, owner), is_getter=True)
    more = [camel(each.name) for each in call.parameters[1:] if not call.result.stars]
    if any(each.type.stars for each in call.parameters[1:] if more):
        raise Fault(f"{call.name} returns no plain answer: name it in LEFT_OUT of javascript.py")
    method.is_getter = not more
    method.given = [(name, "number") for name in more]
    asked = ", ".join([f"c.{call.name}(this.pointer", *(_number(each.type, camel(each.name)) for each in call.parameters[1:] if more)])
    if call.result.name == "void":
        method.is_getter = False
        method.after = [f"{asked});", "this.changed();"]
    elif call.result.name == "char":
        method.returned = [("", f"textAt({asked}))", "string")]
    elif call.result.stars:
        method.returned = [("", *_view(header, call, method))]
    elif call.result.name == "uint64_t" and call.name.endswith("fingerprint"):
        method.returned = [("", f"BigInt.asUintN(64, {asked}))", "bigint")]
    elif call.result.name == "uint64_t":
        method.returned = [("", f"Number({asked}))", "number")]
    else:
        method.returned = [("", f"{asked}) !== 0", "boolean")]
    return method


def _view(header: Header, call: Call, method: Method) -> tuple[str, str]:
    """What lies in the module's memory until the object is filled again."""
    type_ = Type(call.result.name)
    at = f"c.{call.name}(this.pointer, counter)"
    if method.name == "get":
        method.name = "array"
    if type_.name == "uint64_t":
        return f'this.narrow("{method.name}", {at})', "Uint32Array"
    kind = flat_kind(header, type_)
    if kind:
        words = _words(header, type_)
        return f'this.view{kind}("{method.name}", {at}, {words})', _array(kind)
    name = pascal(type_.name)
    return f'this.once("{method.name}", () => read{name}s({at}, u32[counter >>> 2]))', f"{name}Arrays"


# --- The text ----------------------------------------------------------------------------------------------


def _text(header: Header, methods: list[Method]) -> str:
    parts = [header.constant(f"THRONG_C_VERSION_{part}") for part in ("MAJOR", "MINOR", "PATCH")]
    version = parts[0] * 1000000 + parts[1] * 1000 + parts[2]
    lines = [
        f"// {HEAD} all that is the same in JavaScript as in C.",
        "import { begin, c, check, copyF32, copyU32, copyU8, counter, countIn, details, f32, mask, needRoom, number, putF32,",
        '    putU32, putU8, store, take, textAt, u32, unknownOption, whichOf, whole } from "./memory.js";',
        'import { engineOf, heldBy, pointerOf, Held, Result, resultOf } from "./held.js";',
        'import { needObject, sizeOf, writeBoxes, writeCast, writeLabels, writePoints, writeQueries, writeShape } from "./given.js";',
        "import { CastHits, Frame, Hits, KeptNeighbours, Neighbours, PairChanges, Pairs, StaticLayer }",
        '    from "./objects.js";',
        "",
        f"export const VERSION = {version};",
        "",
    ]
    for enum in header.enums:
        lines += _enum(enum.values)
    for struct in header.structs.values():
        lines += _struct(header, struct, methods)
    owners = dict.fromkeys(method.owner for method in methods)
    for owner in owners:
        lines += _class(header, owner, [method for method in methods if method.owner == owner])
    return "\n".join([*lines, ""])


def _enum(values: dict[str, int]) -> list[str]:
    named = {
        "THRONG_OK": ("CODES", "THRONG_"),
        "THRONG_ARGUMENT_ANY": ("ARGUMENTS", "THRONG_ARGUMENT_"),
    }
    first = next(iter(values))
    if first not in named:
        return []
    name, prefix = named[first]
    entries = [f'    {value}: "{each.removeprefix(prefix)}",' for each, value in values.items()]
    return [f"export const {name} = {{", *entries, "};", ""]


def _struct(header: Header, struct: Struct, methods: list[Method]) -> list[str]:
    """Where the members of one that is written by hand are; and functions that write and read the others."""
    offsets, size = offsets_of(header, struct)
    kind = pascal(struct.name)
    if struct.name in BY_HAND:
        members = ", ".join(f"{camel(name)}: {at}" for name, at in offsets.items() if name != "size")
        return [f"export const {kind.upper()} = {{ bytes: {size}, {members} }};"]
    text = "\n".join("\n".join([*method.lines, *(each[1] for each in method.returned)]) for method in methods)
    lines = []
    if f"write{kind}(" in text or struct.name in CONFIGS:
        lines += _writer(header, struct, offsets, size)
    if f"read{kind}(" in text or f"read{kind}s(" in text:
        lines += _reader(header, struct, offsets, size, f"read{kind}s(" in text)
    return lines


def members_of(header: Header, struct: Struct) -> list[Variable]:
    """Those that JavaScript sets: numbers, and arrays with a length of their own."""
    own = ("size", "reserved", "header_version", "workers", "serial", "huge_pages", "threads", "isa")
    return [
        each
        for each in struct.members
        if each.name not in own and not each.name.endswith("_count") and each.type.name not in ("void", *header.callbacks)
    ]


def _writer(header: Header, struct: Struct, offsets: dict[str, int], size: int) -> list[str]:
    kind, known = pascal(struct.name), members_of(header, struct)
    lines = [f"export function write{kind}(options, what) {{"]
    if struct.name in OPTIONAL:
        lines.append("    if (options === undefined || options === null) return 0;")
    lines += ["    needObject(options, what);", f"    const at = take({size});"]
    if struct.name == "throng_engine_config":
        lines.append(f"    c.throng_init_engine_config(at, {size}, VERSION);")
    elif struct.is_sized:
        lines.append(f"    c.throng_init_{struct.name.removeprefix('throng_')}(at, {size});")
    names = ", ".join(camel(each.name) for each in known)
    refused = f'throw unknownOption(what, key, "{names}");'
    if not struct.is_sized:
        lines += ["    for (const key in options) {", "        switch (key) {"]
        lines += [f'        case "{camel(each.name)}":' for each in known]
        lines += ["            break;", f"        default: if (options[key] !== undefined) {refused}", "        }", "    }"]
        lines += [f"    {_store(each, offsets)}" for each in known]
        return [*lines, "    return at;", "}"]
    lines += ["    for (const key in options) {", "        if (options[key] === undefined) continue;", "        switch (key) {"]
    for each in known:
        lines.append(f'        case "{camel(each.name)}":')
        if each.type.stars:
            count = "radii_count" if each.name.endswith("radii") else each.name + "_count"
            array = flat_kind(header, each.type)
            words = _words(header, each.type)
            lines.append(f'            u32[at + {offsets[count]} >>> 2] = countIn(options.{camel(each.name)}, {words}, key);')
            lines.append(f"            store(at + {offsets[each.name]}, put{array}(options.{camel(each.name)}, key));")
        else:
            lines.append(f"            {_store(each, offsets)}")
        lines.append("            break;")
    lines += [f"        default: {refused}", "        }", "    }", "    return at;", "}"]
    return lines


def _store(each: Variable, offsets: dict[str, int]) -> str:
    heap, shift = ("f32", 2) if each.type.name == "float" else ("f64", 3) if each.type.name == "double" else ("u32", 2)
    reader = "mask" if each.name in MASKS else "number" if each.type.name == "float" or IS_FLAG.match(each.name) else "whole"
    value = f'{reader}(options.{camel(each.name)}, "{camel(each.name)}")'
    if each.name in ENUMS:
        value = f'whichOf("{ENUMS[each.name]}", options.{camel(each.name)})'
    return f"{heap}[at + {offsets[each.name]} >>> {shift}] = {value};"


def _reader(header: Header, struct: Struct, offsets: dict[str, int], size: int, many: bool) -> list[str]:
    kind = pascal(struct.name)
    members = [each for each in struct.members if each.name not in ("size", "reserved")]

    def at(each: Variable, where: str) -> str:
        place = f"{where} + {offsets[each.name]} >>> 2"
        if each.type.name == "uint64_t":
            return f"u32[{place}] + u32[({place}) + 1] * 4294967296"
        value = f"{'f32' if each.type.name == 'float' else 'u32'}[{place}]"
        return f"{value} !== 0" if each.name == "is_static" else value

    entries = ", ".join(f"{camel(each.name)}: {at(each, 'at')}" for each in members)
    lines = [f"export function read{kind}(at) {{", f"    return {{ {entries} }};", "}"]
    if many:
        arrays = [f"{camel(each.name)}: new {_array(HEAPS[each.type.name])}(count)" for each in members]
        lines += [f"export function read{kind}s(at, count) {{", f"    const read = {{ {', '.join(arrays)} }};"]
        lines.append(f"    for (let k = 0; k < count; ++k, at += {size}) {{")
        lines += [f"        read.{camel(each.name)}[k] = {at(each, 'at')};" for each in members]
        lines += ["    }", "    return read;", "}"]
    return lines


def base_of(header: Header, owner: str) -> str:
    """Results keep what they were filled with; other objects are only held."""
    made = f"{owner}_create"
    given = header.calls[made].parameters if made in header.calls else []
    is_result = len(given) == 3 and given[0].type == Type("throng_engine", 1, True) and given[1].type.stars == 2
    return "Result" if is_result or owner.endswith("kept_neighbours") else "Held"


def _class(header: Header, owner: str, methods: list[Method]) -> list[str]:
    is_arrays = owner == ARRAYS
    name = "arrays" if is_arrays else pascal(owner)
    if is_arrays:
        lines = ["", "export const arrays = {"]
    else:
        lines = ["", f"export class {name}Calls extends {base_of(header, owner)} {{"]
        destroy = "release" if owner.endswith("frame") else "destroy"
        lines.append(f"    static destroy(pointer) {{ c.{owner}_{destroy}(pointer); }}")
        if base_of(header, owner) == "Result" and not owner.endswith("kept_neighbours"):
            lines.append(f"    static create(engine, at) {{ return c.{owner}_create(engineOf(engine), at, details); }}")
    for method in methods:
        lines += _written(method, "    ", "," if is_arrays else "")
    lines.append("};" if is_arrays else "}")
    return lines


def _written(method: Method, indent: str, end: str) -> list[str]:
    parameters = ", ".join(name for name, _ in [*method.given, *method.optional])
    if method.is_getter:
        return [f"{indent}get {method.name}() {{ return {method.returned[0][1]}; }}"]
    lines = [f"{indent}{method.name}({parameters}) {{"]
    inner = [*method.lines]
    if method.call.has_details:
        call = f"check(c.{method.call.name}({', '.join([*method.passed, 'details'])}));"
        inner = ["begin();", *inner, call]
    inner += method.after
    results = method.returned
    answer = ""
    if len(results) == 1:
        answer = f"return {results[0][1]};"
    elif results:
        answer = "return { " + ", ".join(f"{name}: {value}" for name, value, _ in results) + " };"
    if method.grows:
        lines.append(f"{indent}    for (let {method.grows} = 1024; ;) {{")
        inner += [f"if (total <= {method.grows}) {answer}", f"{method.grows} = total;"]
        lines += [f"{indent}        {line}" for line in inner] + [f"{indent}    }}"]
    else:
        lines += [f"{indent}    {line}" for line in [*inner, *([answer] if answer else [])]]
    return [*lines, f"{indent}}}{end}"]


def _exports(header: Header, methods: list[Method]) -> list[str]:
    text = _text(header, methods)
    by_hand = {
        name
        for name in header.calls
        if name.startswith("throng_init_") or _is_kept_by_hand(header.calls[name]) and owner_of(header, header.calls[name])
    }
    by_hand = {name for name in by_hand if not LEFT_OUT.search(name)}
    used = set(re.findall(r"\bc\.(throng_\w+)", text)) | by_hand | {"throng_status_describe", "throng_version"}
    return [name for name in header.calls if name in used]
