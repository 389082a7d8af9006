"""The calls as methods of C# classes: arrays are pinned, statuses are exceptions, and one answer is returned.

A call that Throng.cs calls itself is written there by hand. Whatever may be left out comes last.
"""
from __future__ import annotations

import dataclasses
import re

from . import csharp
from .comments import documented
from .header import Call, Fault, Header, Variable
from .names import ARRAYS, name_of, owner_of
from .words import WIDTH, camel, pascal, wrapped

# Options that may be NULL.
OPTIONAL = ("throng_filter", "throng_pair_query", "throng_engine_config", "throng_labels", "throng_label")
REQUIRED = ("throng_engine_relabel",)  # calls without such options
INDENT = 12  # of what is inside of what pins


@dataclasses.dataclass
class Method:
    """A method while its parameters are looked at, one by one."""

    call: Call
    # Its own parameters, and what it passes to the call.
    given: list[str] = dataclasses.field(default_factory=list)
    optional: list[str] = dataclasses.field(default_factory=list)
    passed: list[str] = dataclasses.field(default_factory=list)
    # Statements: before arrays are pinned, those that pin, and before the call.
    declared: list[str] = dataclasses.field(default_factory=list)
    pinned: list[str] = dataclasses.field(default_factory=list)
    inside: list[str] = dataclasses.field(default_factory=list)
    # The objects that have to live as long as the call.
    objects: list[str] = dataclasses.field(default_factory=list)
    # A type and an expression.
    returned: tuple[str, str] = ("void", "")


def of_classes(header: Header, by_hand: str) -> str:
    """All of them. `by_hand` is Throng.cs."""
    own = set(re.findall(r"\bNative\.(throng_\w+)", by_hand))
    classes: dict[str, list[list[str]]] = {}
    used = set(own)
    for call in header.calls.values():
        owner = owner_of(header, call)
        if call.name not in own and owner:
            lines = _method(header, call, owner)
            classes.setdefault(owner, []).append(lines)
            used |= set(re.findall(r"\bNative\.(throng_\w+)", "\n".join(lines)))
    wanted = [name for name, call in header.calls.items() if not _fills_options(header, call)]
    missing = [name for name in wanted if name not in used]
    if missing:
        raise Fault(f"no class of C# has {', '.join(missing)}: write it in Throng.cs")
    lines = []
    for owner, methods in classes.items():
        if owner == ARRAYS:
            lines.append("/// <summary>Queries without an engine.</summary>")
        kind = "static" if owner == ARRAYS else "sealed"
        lines.append(f"public {kind} unsafe partial class {pascal(owner)} {{")
        for method in methods:
            lines += [*method, ""]
        lines[-1:] = ["}", ""]
    return "\n".join(lines)


def _fills_options(header: Header, call: Call) -> bool:
    """Whether it only fills in a struct, as constructors of C# do."""
    given = [each.type for each in call.parameters[:1] if each.type.name in header.structs]
    return bool(given) and not given[0].is_const and not call.has_details


def _method(header: Header, call: Call, owner: str) -> list[str]:
    if not call.has_details:
        return _answer(header, call)
    method = Method(call)
    is_made = call.name == owner + "_create"
    is_static = is_made or owner == ARRAYS
    for each in call.parameters[0 if is_static else 1 : -1]:
        _add(header, method, each)
    _add_radii(header, method)
    passed = [*([] if is_static else ["Pointer"]), *method.passed, "&details"]
    check = ["&details", *([] if is_static else ["this"]), *method.objects]
    inner = [*method.inside, *_checked(call, passed, check)]
    lines = [*method.declared, "Native.StatusDetails details = Details;"]
    if method.pinned:
        lines += [*method.pinned[:-1], method.pinned[-1] + " {", *("    " + line for line in inner), "}"]
    else:
        lines += inner
    kind, result = method.returned
    if is_made:
        lines.append(f"Pointer = {result};")
        head = f"public {pascal(owner)}("
    else:
        lines += [f"return {result};"] if result else []
        head = f"public {'static ' if is_static else ''}{kind} {name_of(header, call)}("
    begin = wrapped(head, [*method.given, *method.optional], ") {", "    " * 2, WIDTH - 4)
    return [*documented(header, call.comment, "    ", call), *_indented([*begin, *_indented(lines), "}"])]


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def _checked(call: Call, passed: list[str], check: list[str]) -> list[str]:
    line = f"Check(Native.{call.name}({', '.join(passed)}), {', '.join(check)});"
    if len(line) <= WIDTH - INDENT:
        return [line]
    lines = wrapped(f"Native.{call.name}(", passed, "),", "    ", WIDTH - INDENT - 4)
    return ["Check(", *_indented(lines), f"    {', '.join(check)});"]


def _number(kind: str, value: str) -> tuple[str, str]:
    """What C returns by a number: a count, or an answer of 1 and 0."""
    return {"ulong": ("long", f"(long){value}"), "int": ("bool", f"{value} != 0")}.get(kind, (kind, value))


def _answer(header: Header, call: Call) -> list[str]:
    """A call that cannot fail: a property, a question about an agent, or the end of an object."""
    native, name = f"Native.{call.name}", name_of(header, call)
    if call.name.endswith("_destroy"):
        return [f"    protected override void Destroy(IntPtr held) {{ {native}(held); }}"]
    more = call.parameters[1:]
    if call.result.stars or any(not header.is_element(each.type) or not each.type.is_const for each in more):
        raise Fault(f"{call.name} returns no plain answer: write it in Throng.cs")
    comment = documented(header, call.comment, "    ", call)
    if call.result.name == "void":
        lines = [f"public void {name}() {{", f"    {native}(Pointer);", "    Read();", "}"]
        return [*comment, *_indented(lines)]
    in_c = csharp.NUMBERS[call.result.name]
    kind, answer = _number(in_c, "answer")
    asked = ", ".join(["Pointer", *(f"&{each.name}" for each in more)])
    lines = [f"{in_c} answer = {native}({asked});", "GC.KeepAlive(this);", f"return {answer};"]
    if more:
        given = ", ".join(f"{pascal(each.type.name)} {each.name}" for each in more)
        return [*comment, *_indented([f"public {kind} {name}({given}) {{", *_indented(lines), "}"])]
    lines = [f"public {kind} {name} {{", "    get {", *_indented(_indented(lines)), "    }", "}"]
    return [*comment, *_indented(lines)]


def _add(header: Header, method: Method, each: Variable) -> None:
    type_, name = each.type, camel(each.name)
    kind = csharp.type_in_c_sharp(header, dataclasses.replace(type_, stars=0))
    lengths = header.lengths(method.call)
    if each.name in lengths:
        method.given.append(f"{kind}[] {name}")
        method.pinned.append(f"fixed ({kind}* {name}At = {name})")
        method.passed.append(name + "At")
    elif each.name in lengths.values():
        arrays = [array for array, length in lengths.items() if length == each.name]
        if len(arrays) > 1:
            raise Fault(f"{method.call.name} has two arrays of one length: write it in Throng.cs")
        is_of_ids = kind == "ulong" and each.name == "count" and f"uint[] {camel(arrays[0])}" in method.given
        method.passed.append(f"{'Length' if is_of_ids else 'Room'}({camel(arrays[0])})")
    elif type_.name in header.opaque:
        _add_object(method, each, pascal(type_.name))
    elif type_.stars == 0:
        method.given.append(f"{'long' if kind == 'ulong' else kind} {name}")
        method.passed.append(f"checked((ulong){name})" if kind == "ulong" else name)
    elif type_.name in csharp.NATIVE:
        _add_view(method, name, pascal(type_.name), _is_optional(method.call, each))
    elif type_.is_const:
        _add_value(header, method, each, kind)
    else:
        _add_returned(header, method, each, kind)


def _add_object(method: Method, each: Variable, kind: str) -> None:
    if each.type.stars == 2:
        method.declared.append("IntPtr made = IntPtr.Zero;")
        method.passed.append("&made")
        method.returned = (kind, "made" if method.call.name.endswith("_create") else f"new {kind}(made)")
        return
    method.given.append(f"{kind} {camel(each.name)}")
    method.passed.append(f"PointerOf({camel(each.name)})")
    method.objects.append(camel(each.name))


def _add_view(method: Method, name: str, kind: str, is_optional: bool) -> None:
    """Boxes, labels and points of Throng.cs, whose arrays are pinned."""
    fields = {
        "Boxes": (
            "float X Y LastX LastY",
            "double DoubleX DoubleY DoubleLastX DoubleLastY",
            "Box Elements",
            "Circle Circles",
            "Shape Shapes",
            "float MinZ MaxZ",
            "Band Bands",
        ),
        "Labels": ("uint Categories Groups",),
        "Points": ("float X Y", "double DoubleX DoubleY"),
    }[kind]
    pinned = []
    for field in fields:
        element, *members = field.split()
        each_pinned = [f"{name}{member} = {name}.{member}" for member in members]
        method.pinned += wrapped(f"fixed ({element}* ", each_pinned, ")", " " * 4, WIDTH - 8)
        pinned += [name + member for member in members]
    if is_optional:
        method.optional.append(f"{kind} {name} = default({kind})")
    else:
        method.given.append(f"{kind} {name}")
    method.passed.append(f"OrNull(&{name}At)" if kind == "Labels" else f"&{name}At")
    method.inside += wrapped(f"Native.{kind} {name}At = {name}.At(", pinned, ");", " " * 4, WIDTH - INDENT)


def _is_optional(call: Call, each: Variable) -> bool:
    return each.type.name in OPTIONAL and call.name not in REQUIRED


def _add_value(header: Header, method: Method, each: Variable, kind: str) -> None:
    name = camel(each.name)
    if not _is_optional(method.call, each):
        method.given.append(f"{kind} {name}")
        method.passed.append("&" + name)
    elif header.is_element(each.type):
        method.optional.append(f"{kind}? {name} = null")
        method.inside.append(f"{kind} {name}At = {name}.GetValueOrDefault();")
        method.passed.append(f"{name}.HasValue ? &{name}At : null")
    else:
        method.optional.append(f"{kind} {name} = default({kind})")
        method.passed.append(f"OrNull(&{name})")


def _add_returned(header: Header, method: Method, each: Variable, kind: str) -> None:
    if method.returned[1]:
        raise Fault(f"{method.call.name} writes two answers: write it in Throng.cs")
    name = camel(each.name)
    method.declared.append(f"{kind} {name};")
    method.passed.append("&" + name)
    method.returned = _number(kind, name)
    if each.type.name in header.structs and header.structs[each.type.name].is_sized:
        init = each.type.name.replace("throng_", "throng_init_", 1)
        method.declared.append(f"Native.{init}(&{name}, (uint)sizeof({kind}));")


def _add_radii(header: Header, method: Method) -> None:
    """Of neighbours: one radius for each agent or point, in an array that the options point to."""
    kinds = ("throng_within", "throng_nearest")
    options = [each for each in method.call.parameters if each.type.name in kinds]
    if not options or method.call.name.endswith("_into"):
        return
    wanted = options[0].name
    members = header.structs[options[0].type.name].members
    member = next(each.name for each in members if each.name.endswith("radii"))
    name = camel(member)
    method.optional.append(f"float[] {name} = null")
    method.pinned.append(f"fixed (float* {name}At = {name})")
    method.inside += [
        f"if ({name} != null) {{",
        f"    {wanted}.{pascal(member)} = {name}At;",
        f"    {wanted}.RadiiCount = (ulong){name}.Length;",
        "}",
    ]
