"""What is regular in C#: enums, the members of structs, `Native`, and the methods that `methods` writes."""
from __future__ import annotations

from .comments import documented
from .header import Call, Header, Struct, Type
from .words import HEAD, camel, pascal, wrapped

NUMBERS = {
    "int32_t": "int",
    "uint32_t": "uint",
    "uint64_t": "ulong",
    "uint8_t": "byte",
    "float": "float",
    "double": "double",
    "char": "byte",
    "void": "void",
}
# An enum of the header has no name. It is the one with this constant; the prefix is left out.
ENUMS = {
    "THRONG_OK": ("Code : int", "THRONG_"),
    "THRONG_ARGUMENT_ANY": ("Argument : int", "THRONG_ARGUMENT_"),
    "THRONG_AGENTS_AS_BOXES": ("AgentsAs : uint", "THRONG_AGENTS_AS_"),
    "THRONG_BOX": ("ShapeKind : uint", "THRONG_"),
    "THRONG_MIN_MAX": ("Form : uint", "THRONG_"),
    "THRONG_FOLD_SUM": ("FoldKind : uint", "THRONG_FOLD_"),
    "THRONG_FLOATS": ("NumberType : uint", "THRONG_"),
}
# Members that are one of these enums.
MEMBERS = {"form": "Form", "kind": "ShapeKind", "agents_as": "AgentsAs", "by": "FoldKind", "type": "NumberType"}
# Structs that a host sees as a type of Throng.cs instead.
NATIVE = ("throng_status_details", "throng_boxes", "throng_labels", "throng_points")


def text(header: Header, methods: str) -> str:
    lines = [
        f"// {HEAD} all that is the same in C# as in C.", "//",
        "// The other half of Throng.cs, which has what to read first. Here are the enums, the structs, and",
        "// the calls: as methods, and as they are.",
        "using System;",
        "using System.Runtime.InteropServices;",
        "",
        "namespace Throng {",
        "using static Calls;",
        "",
    ]
    for enum in header.enums:
        name, prefix = next(ENUMS[each] for each in enum.values if each in ENUMS)
        lines += [*documented(header, enum.comment, ""), f"public enum {name} {{"]
        values = [f"{pascal(each.removeprefix(prefix))} = {value}" for each, value in enum.values.items()]
        lines += [*wrapped("    ", values, "", "    "), "}", ""]
    for struct in header.structs.values():
        if struct.name not in NATIVE:
            lines += [*_struct(header, struct, ""), ""]
    return "\n".join([*lines, methods, *_native(header), "", "}", ""])


def type_in_c_sharp(header: Header, type_: Type) -> str:
    if type_.name in header.callbacks:
        return "IntPtr"
    if type_.name in header.opaque:
        return "IntPtr" + "*" * (type_.stars - 1)
    return (NUMBERS.get(type_.name) or pascal(type_.name)) + "*" * type_.stars


def _struct(header: Header, struct: Struct, indent: str) -> list[str]:
    lines = documented(header, struct.comment, indent)
    lines += [f"{indent}[StructLayout(LayoutKind.Sequential)]"]
    lines += [f"{indent}public unsafe partial struct {pascal(struct.name)} {{"]
    for each in struct.members:
        kind = type_in_c_sharp(header, each.type)
        if kind == "uint":
            kind = MEMBERS.get(each.name, kind)
        begin = f"{indent}    public {kind} "
        if each.type.length:
            lines.append(f"{indent}    public fixed {kind} {pascal(each.name)}[{each.type.length}];")
        elif lines[-1].startswith(begin):
            lines[-1:] = wrapped(lines[-1][:-1] + ", ", [pascal(each.name)], ";", " " * len(begin))
        else:
            lines.append(f"{begin}{pascal(each.name)};")
    return [*lines, indent + "}"]


def _native(header: Header) -> list[str]:
    version = " + ".join(
        f"{header.constant('THRONG_C_VERSION_' + part)}{times}"
        for part, times in (("MAJOR", " * 1000000"), ("MINOR", " * 1000"), ("PATCH", ""))
    )
    lines = [
        "/// <summary>throng.h: numbers and pointers alone, and no exceptions. Handles are IntPtr.</summary>",
        "public static unsafe partial class Native {",
        "    /// <summary>That of throng.h, as throng_version has the library's.</summary>",
        f"    public const uint HeaderVersion = {version};",
        f"    public const ulong NoIndex = {header.constant('THRONG_NO_INDEX')};",
        f"    public const uint NoAgent = {header.constant('THRONG_NO_AGENT')};",
        "",
    ]
    for callback in header.callbacks.values():
        lines.append("    [UnmanagedFunctionPointer(C)]")
        lines += _signature(header, callback, "    public delegate ", pascal(callback.name))
    for name in NATIVE:
        lines += ["", *_struct(header, header.structs[name], "    ")]
    lines.append("")
    for call in header.calls.values():
        lines.append("    [DllImport(Library, CallingConvention = C)] public static extern")
        lines += _signature(header, call, "        ", call.name)
    return [*lines, "}"]


def _signature(header: Header, call: Call, begin: str, name: str) -> list[str]:
    parameters = [f"{type_in_c_sharp(header, each.type)} {camel(each.name)}" for each in call.parameters]
    return wrapped(f"{begin}{type_in_c_sharp(header, call.result)} {name}(", parameters, ");", " " * 12)
