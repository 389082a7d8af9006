"""The declarations for ctypes are those of throng.h: every call's parameters, every struct's members, and all
constants."""

from __future__ import annotations

import ctypes
import pathlib
import re
import shutil
import subprocess
from typing import Any

import pytest

import throng

from throng import _errors, _functions, _library, _structs

HEADER = pathlib.Path(__file__).resolve().parents[2] / "c" / "include" / "throng.h"
TYPES: dict[str, Any] = {
    "void": None,
    "int32_t": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "uint8_t": ctypes.c_uint8,
    "float": ctypes.c_float,
}
CALLBACKS = {
    "throng_allocate": _structs.TYPES["allocate"],
    "throng_deallocate": _structs.TYPES["deallocate"],
    "throng_block": _structs.TYPES["block"],
    "throng_parallel_for": _structs.TYPES["parallel_for"],
}


def text_of(header: str) -> str:
    """The header without comments, macros and preprocessor lines."""
    text = re.sub(r"//[^\n]*", "", header)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"^#[^\n]*", "", text, flags=re.M)
    return text.replace("THRONG_EXPERIMENTAL", "").replace("const ", "")


def functions(text: str) -> dict[str, tuple[str, list[str]]]:
    found = {}
    for result, name, parameters in re.findall(r"THRONG_C_API\s+(\w+\s*\**)\s*(throng_\w+)\(([^)]*)\)", text):
        each = [part.strip() for part in parameters.split(",")]
        found[name] = (result, [] if each == ["void"] else [re.sub(r"\w+$", "", part) for part in each])
    return found


def structs(text: str) -> dict[str, list[tuple[str, str]]]:
    found = {}
    for body, name in re.findall(r"typedef struct \w+ \{([^}]*)\} (\w+);", text):
        members = []
        for line in body.strip().rstrip(";").split(";"):
            first, *more = [part.strip() for part in line.split(",")]
            # The name is what is last; a pointer's star goes with the type.
            start = re.search(r"\w+(\[\d+\])?$", first)
            assert start
            members += [(one, first[: start.start()].strip()) for one in (start.group(), *more)]
        found[name] = members
    return found


def matches(kind: str, declared: Any, sized: set[str]) -> bool:
    """Whether ctypes passes `declared` as C passes `kind`."""
    kind = kind.replace(" ", "")
    base = kind.rstrip("*")
    stars = len(kind) - len(base)
    if stars == 0:
        return declared is CALLBACKS.get(base, TYPES.get(base, ...))
    if kind == "char*":
        return declared is ctypes.c_char_p
    if stars == 2:
        return declared is ctypes.POINTER(ctypes.c_void_p)
    if base in sized or base in _structs.STRUCTS:
        pointers = [ctypes.POINTER(_structs.STRUCTS[base])] if base in _structs.STRUCTS else []
        # Elements of arrays are passed by address, options as themselves.
        return declared in pointers or (base not in sized and declared is ctypes.c_void_p)
    return declared is ctypes.c_void_p or (base in TYPES and declared is ctypes.POINTER(TYPES[base]))


def differences(header: str) -> list[str]:
    """What the header and the declarations say otherwise."""
    text = text_of(header)
    in_header, members = functions(text), structs(text)
    sized = {name for name, fields in members.items() if fields[0][0] == "size"}
    found = [
        f"{name} is only in one of the two"
        for name in (set(in_header) ^ set(_functions.FUNCTIONS)) | (set(members) ^ set(_structs.STRUCTS))
    ]
    for name in set(in_header) & set(_functions.FUNCTIONS):
        result, parameters = in_header[name]
        its_result, its_parameters = _functions.FUNCTIONS[name]
        if not matches(result, its_result, sized):
            found.append(f"{name} returns {result}")
        if len(parameters) != len(its_parameters):
            found.append(f"{name} takes {len(parameters)} arguments")
        found += [
            f"{name} takes {kind} as argument {i}"
            for i, (kind, declared) in enumerate(zip(parameters, its_parameters))
            if not matches(kind, declared, sized)
        ]
    for name in set(members) & set(_structs.STRUCTS):
        declared_fields = [(field[0], field[1]) for field in _structs.STRUCTS[name]._fields_]
        if [member for member, _ in members[name]] != [field for field, _ in declared_fields]:
            found.append(f"{name} has the members {members[name]}")
        else:
            found += [
                f"{name} has {kind} {member}"
                for (member, kind), (_, declared) in zip(members[name], declared_fields)
                if not matches(kind, declared, set())
            ]
    return found


def test_every_declaration_is_that_of_the_header() -> None:
    assert differences(HEADER.read_text()) == []


@pytest.mark.parametrize(
    "before, after",
    [
        (
            "throng_engine_commit(throng_engine* engine,",
            "throng_engine_commit(throng_engine* engine, uint32_t flags,",
        ),
        ("throng_frame_size(const", "throng_frame_length(const"),
        ("uint32_t id, throng_box* box", "uint64_t id, throng_box* box"),
        ("THRONG_C_API uint32_t throng_version", "THRONG_C_API uint64_t throng_version"),
        ("    uint32_t a, b;  // UINT32_MAX", "    uint32_t b, a;  // UINT32_MAX"),
        ("    float within;\n", "    float within;\n    float beyond;\n"),
        ("    float within;\n", "    uint32_t within;\n"),
    ],
)
def test_a_header_that_changes_is_noticed(before: str, after: str) -> None:
    header = HEADER.read_text()
    assert before in header
    assert differences(header.replace(before, after, 1)) != []


def constants(header: str) -> dict[str, int]:
    return {
        name: int(value)
        for name, value in re.findall(r"THRONG_(\w+)\s*=\s*(\d+)", re.sub(r"//[^\n]*", "", header))
    }


def test_constants_are_those_of_the_header() -> None:
    header = HEADER.read_text()
    values = constants(header)
    arguments = {
        name[len("ARGUMENT_") :]: value for name, value in values.items() if name.startswith("ARGUMENT_")
    }
    assert {one.name: one.value for one in _errors.Argument} == arguments
    others = {"OK", "MIN_MAX", "CENTRE_HALF", "POINTS"}
    codes = {
        name: value
        for name, value in values.items()
        if not name.startswith(("ARGUMENT_", "AGENTS_AS_")) and name not in others
    }
    assert {one.name: one.value for one in _errors.Code} == codes
    for name in ("MIN_MAX", "CENTRE_HALF", "POINTS", "AGENTS_AS_BOXES", "AGENTS_AS_CENTRES"):
        assert getattr(_library, name) == values[name]
    for part in ("MAJOR", "MINOR", "PATCH"):
        assert f"define THRONG_C_VERSION_{part} {getattr(_library, part)}\n" in header


def test_structs_lie_in_memory_as_those_of_a_c_compiler(tmp_path: pathlib.Path) -> None:
    compiler = shutil.which("cc") or shutil.which("c++")
    if not compiler:
        pytest.skip("there is no C compiler")
    lines, expected = [], []
    for name, kind in _structs.STRUCTS.items():
        lines.append(f'printf("%d\\n", (int)sizeof({name}));')
        expected.append(ctypes.sizeof(kind))
        for field in kind._fields_:
            lines.append(f'printf("%d\\n", (int)offsetof({name}, {field[0]}));')
            expected.append(getattr(kind, field[0]).offset)
    source = tmp_path / "sizes.c"
    includes = f'#include <stddef.h>\n#include <stdio.h>\n#include "{HEADER}"\n'
    source.write_text(includes + "int main(void) {" + "\n".join(lines) + "return 0; }")
    program = str(tmp_path / "sizes")
    subprocess.run([compiler, "-x", "c", str(source), "-o", program], check=True)
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert [int(line) for line in printed.split()] == expected


def test_a_struct_that_the_library_does_not_know_is_refused() -> None:
    with pytest.raises(throng.Error) as caught:
        _errors.call(
            _library.library.throng_engine_create, _structs.EngineConfig(), ctypes.byref(ctypes.c_void_p())
        )
    assert caught.value.code is throng.Code.BAD_STRUCT
