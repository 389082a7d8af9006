"""The Python package's declarations for ctypes: calls, structs and constants, and the codes of its errors."""
from __future__ import annotations

from .header import NUMBERS, Call, Enum, Header, Type, Variable
from .words import HEAD, pascal, wrapped

CODES, ARGUMENTS = "THRONG_OK", "THRONG_ARGUMENT_ANY"


def functions(header: Header) -> str:
    types = {each.type.name for call in header.calls.values() for each in call.parameters}
    passed = [_type(Type(name)) for name in sorted(types & set(header.callbacks))]
    passed = sorted(pascal(name) for name in _passed(header)) + passed
    lines = [
        f'"""{HEAD} the calls, with what each returns and takes."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any",
        "",
        "from .kinds import float32, float64, int32, int64, pointer, ref, text, uint32, uint64",
        *wrapped("from .structs import (", passed, ")", " " * 4),
        "",
        "FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {",
    ]
    for call in header.calls.values():
        parameters = [_parameter(header, call, each) for each in call.parameters]
        lines += wrapped(f'    "{call.name}": ({_type(call.result)}, [', parameters, "]),", " " * 8)
    return "\n".join([*lines, "}", ""])


def _passed(header: Header) -> set[str]:
    """The structs that a call takes as themselves."""
    return {
        each.type.name
        for call in header.calls.values()
        for each in call.parameters
        if _parameter(header, call, each).startswith(f"ref({pascal(each.type.name)}")
    }


def _parameter(header: Header, call: Call, given: Variable) -> str:
    """A handle, and a pointer into an array, is a pointer. What a call writes one of is a ref."""
    type_ = given.type
    is_array = given.name in header.lengths(call)
    if type_.stars == 1 and not is_array and type_.name in header.structs:
        return f"ref({pascal(type_.name)})"
    if type_.stars == 1 and not is_array and not type_.is_const and type_.name in NUMBERS:
        return f"ref({_type(Type(type_.name))})"
    if type_.stars == 2:
        return "ref(pointer)"
    return _type(type_)


def _type(type_: Type) -> str:
    if type_.stars:
        return "text" if type_.name == "char" else "pointer"
    if type_.name == "void":
        return "None"
    reals = {"float": "float32", "double": "float64"}
    return reals.get(type_.name) or type_.name.removeprefix("throng_").removesuffix("_t")


def structs(header: Header) -> str:
    lines = [
        f'"""{HEAD} the structs, member by member, the callbacks and the constants."""',
        "",
        "from __future__ import annotations",
        "",
        "import ctypes",
        "",
        "from .kinds import Element, Options, float32, float64, int32, int64, pointer, text, uint8, uint32, uint64",
        "",
        *(f"{part} = {header.constant('THRONG_C_VERSION_' + part)}" for part in ("MAJOR", "MINOR", "PATCH")),
        "VERSION = MAJOR * 1_000_000 + MINOR * 1_000 + PATCH",
        "",
        *(f"{name} = {header.constant('THRONG_' + name)}" for name in ("NO_INDEX", "NO_AGENT")),
    ]
    for enum in header.enums:
        if not {CODES, ARGUMENTS} & set(enum.values):
            lines += ["", *_constants(enum, "THRONG_")]
    lines.append("")
    for call in header.callbacks.values():
        types = ", ".join(_type(each) for each in (call.result, *(each.type for each in call.parameters)))
        lines.append(f"{_type(Type(call.name))} = ctypes.CFUNCTYPE({types})")
    for struct in header.structs.values():
        members = [f'("{each.name}", {_member(each.type)})' for each in struct.members]
        lines += ["", "", f"class {pascal(struct.name)}({'Options' if struct.is_sized else 'Element'}):"]
        lines += wrapped("    _fields_ = [", members, "]", " " * 8)
    lines += ["", "", "# By their names in C.", "STRUCTS: dict[str, type[ctypes.Structure]] = {"]
    lines += [*(f'    "{name}": {pascal(name)},' for name in header.structs), "}", ""]
    return "\n".join(lines)


def _member(type_: Type) -> str:
    return _type(type_) + (f" * {type_.length}" if type_.length else "")


def codes(header: Header) -> str:
    lines = [
        f'"""{HEAD} why a call failed, and which argument was wrong."""',
        "",
        "from __future__ import annotations",
        "",
        "import enum",
    ]
    for name, words, first, prefix in (
        ("Code", "Why a call failed.", CODES, "THRONG_"),
        ("Argument", "Which argument was wrong.", ARGUMENTS, "THRONG_ARGUMENT_"),
    ):
        found = next(each for each in header.enums if first in each.values)
        constants = [line for line in _constants(found, prefix) if line != "OK = 0"]
        lines += ["", "", f"class {name}(enum.IntEnum):", f'    """{words}"""', ""]
        lines += ["    " + line for line in constants]
    return "\n".join([*lines, ""])


def _constants(enum: Enum, prefix: str) -> list[str]:
    return [f"{name.removeprefix(prefix)} = {value}" for name, value in enum.values.items()]
