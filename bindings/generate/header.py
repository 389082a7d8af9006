"""Reads throng.h, or that and a header on top of it, with a C compiler's preprocessor and pycparser.

What it finds is a `Header`: calls, structs, enums, callbacks and macros, as C has them. The other files here
write what follows from it in other languages, and none of them looks at the text of the header again.
"""
from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
from typing import Any

from pycparser import c_ast, c_parser

NUMBERS = ("uint8_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "float", "double")

# What the header includes. The parser does not know what compilers' own headers are written in.
STDINT = """
typedef unsigned char uint8_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define UINT32_MAX 4294967295
#define UINT64_MAX 18446744073709551615
"""
# A call that is THRONG_C_API becomes one that is `extern`, which the parser keeps.
DEFINITIONS = ("-DTHRONG_C_EXPORTS", "-D__GNUC__=4", "-D__attribute__(words)=extern")


class Fault(Exception):
    """The header cannot be read."""


@dataclasses.dataclass(frozen=True)
class Type:
    """`const throng_box*` has the name throng_box and one star. What is neither a number, nor a struct, nor a
    callback has its words in C as its name."""

    name: str
    stars: int = 0
    is_const: bool = False
    length: int = 0  # of an array

    def __str__(self) -> str:
        return ("const " if self.is_const else "") + self.name + "*" * self.stars


@dataclasses.dataclass(frozen=True)
class Variable:
    """A parameter, or a member of a struct."""

    name: str
    type: Type
    is_bit_field: bool = False


@dataclasses.dataclass(frozen=True)
class Call:
    """Of a call that returns a status, the last parameter takes its details. Other results are answers."""

    name: str
    result: Type
    parameters: list[Variable]
    line: int
    comment: str = ""
    is_exported: bool = False

    @property
    def has_details(self) -> bool:
        return bool(self.parameters) and self.parameters[-1].name == "details"


@dataclasses.dataclass(frozen=True)
class Struct:
    name: str
    members: list[Variable]
    line: int
    comment: str

    @property
    def is_sized(self) -> bool:
        """Whether it has options or a report, and may grow. Others are elements of arrays."""
        return bool(self.members) and self.members[0].name == "size"


@dataclasses.dataclass(frozen=True)
class Enum:
    """All enums of the header are constants without a type of their own."""

    values: dict[str, int]
    comment: str
    name: str = ""
    line: int = 0


@dataclasses.dataclass
class Header:
    calls: dict[str, Call] = dataclasses.field(default_factory=dict)
    structs: dict[str, Struct] = dataclasses.field(default_factory=dict)
    opaque: list[str] = dataclasses.field(default_factory=list)
    callbacks: dict[str, Call] = dataclasses.field(default_factory=dict)
    enums: list[Enum] = dataclasses.field(default_factory=list)
    others: dict[str, int] = dataclasses.field(default_factory=dict)  # types of other kinds, by their lines
    macros: set[str] = dataclasses.field(default_factory=set)
    numbers: dict[str, int] = dataclasses.field(default_factory=dict)  # the macros that are numbers

    def is_element(self, type_: Type) -> bool:
        return type_.name in self.structs and not self.structs[type_.name].is_sized

    def lengths(self, call: Call) -> dict[str, str]:
        """Of each parameter that is an array, the one behind it that has its length: `count` or `room`."""
        found: dict[str, str] = {}
        arrays: list[str] = []
        for each in call.parameters:
            if each.type.stars == 1 and (each.type.name in NUMBERS or self.is_element(each.type)):
                arrays.append(each.name)
                continue
            if each.type.stars == 0 and each.name.endswith(("count", "room")):
                found.update(dict.fromkeys(arrays, each.name))
            arrays = []
        return found

    def constant(self, name: str) -> int:
        return self.numbers[name]

    def and_of(self, above: Header, name: str) -> Header:
        """With those of another header whose names have these words in them, and its enums."""

        def both(mine: dict[str, Any], its: dict[str, Any]) -> dict[str, Any]:
            return {**mine, **{each: found for each, found in its.items() if name in each}}

        return dataclasses.replace(
            self,
            calls=both(self.calls, above.calls),
            structs=both(self.structs, above.structs),
            enums=[*self.enums, *above.enums],
        )


def read(path: pathlib.Path, below: Header | None = None) -> Header:
    """What that header declares itself, and not what it includes; `below` has been read from that."""
    header = Header()
    tree = _parse(_preprocessed(path, "-E"), str(path))
    lines = path.read_text(encoding="utf-8").split("\n")
    for node in tree.ext:
        if node.coord.file == str(path):
            _add(header, node, lines)
    if not header.calls:
        raise Fault(f"{path}: no calls were found")
    macros = _preprocessed(path, "-E", "-dM")
    for name, value in re.findall(r"(?m)^#define (THRONG_\w+|throng_\w+(?=\()\S*) (.*)$", macros):
        header.macros.add(name.split("(")[0])
        if re.fullmatch(r"\d+|UINT\d\d_MAX", value):
            header.numbers[name] = {"UINT32_MAX": 2**32 - 1, "UINT64_MAX": 2**64 - 1}.get(value) or int(value)
    if below:
        header.macros -= below.macros
    return header


def _preprocessed(path: pathlib.Path, *options: str) -> str:
    compiler = shlex.split(os.environ.get("CXX", "c++"))
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "stdint.h").write_text(STDINT)
        own = pathlib.Path(__file__).resolve().parents[1] / "c" / "include"
        given = ["-w", "-nostdinc", f"-I{folder}", f"-I{own}", *DEFINITIONS, str(path)]
        done = subprocess.run([*compiler, "-x", "c", *options, *given], capture_output=True, text=True)
    if done.returncode != 0:
        raise Fault(done.stderr)
    return done.stdout


def _parse(text: str, name: str) -> Any:
    try:
        return c_parser.CParser().parse(text, name)
    except c_parser.ParseError as error:
        raise Fault(f"{error} is no type or no C that every language can call") from None


def _add(header: Header, node: Any, lines: list[str]) -> None:
    comment = _comment_above(lines, node.coord.line)
    if isinstance(node, c_ast.Typedef):
        _add_type(header, node, comment)
    elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
        is_exported = "extern" in node.storage
        header.calls[node.name] = _call(node.name, node.type, node.coord.line, comment, is_exported)
    elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.Enum):
        header.enums.append(_enum(node.type, comment))
    else:
        header.others[getattr(node, "name", None) or type(node).__name__.lower()] = node.coord.line


def _add_type(header: Header, node: Any, comment: str) -> None:
    declared = getattr(node.type, "type", None)
    if isinstance(node.type, c_ast.PtrDecl) and isinstance(declared, c_ast.FuncDecl):
        header.callbacks[node.name] = _call(node.name, declared, node.coord.line)
    elif not isinstance(declared, c_ast.Struct):
        header.others[node.name] = node.coord.line
    elif declared.decls is None:
        header.opaque.append(node.name)
    else:
        members = [Variable(each.name, _type(each.type), each.bitsize is not None) for each in declared.decls]
        header.structs[node.name] = Struct(node.name, members, declared.coord.line, comment)


def _call(name: str, node: Any, line: int, comment: str = "", is_exported: bool = False) -> Call:
    given = node.args.params if node.args else []
    parameters = [_parameter(each) for each in given]
    if parameters == [Variable("", Type("void"))]:
        parameters = []
    return Call(name, _type(node.type), parameters, line, comment, is_exported)


def _parameter(node: Any) -> Variable:
    if isinstance(node, c_ast.EllipsisParam):
        return Variable("...", Type("..."))
    return Variable(node.name or "", _type(node.type))


def _type(node: Any) -> Type:
    if isinstance(node, c_ast.PtrDecl):
        inner = _type(node.type)
        return dataclasses.replace(inner, stars=inner.stars + 1)
    if isinstance(node, c_ast.ArrayDecl):
        return dataclasses.replace(_type(node.type), length=int(node.dim.value) if node.dim else -1)
    if isinstance(node, c_ast.TypeDecl):
        return dataclasses.replace(_type(node.type), is_const="const" in node.quals)
    if isinstance(node, c_ast.IdentifierType):
        return Type(" ".join(node.names))
    return Type(f"{type(node).__name__.lower()} {getattr(node, 'name', '')}".strip())


def _enum(node: Any, comment: str) -> Enum:
    values = {each.name: int(each.value.value) for each in node.values.enumerators} if node.values else {}
    return Enum(values, comment, node.name or "", node.coord.line)


def _comment_above(lines: list[str], line: int) -> str:
    """The comment above a declaration, or above the first of those that follow each other without a gap."""
    above = line - 2
    while above >= 0 and lines[above].strip() and not lines[above].startswith(("//", "#", "}")):
        above -= 1
    words: list[str] = []
    while above >= 0 and lines[above].startswith("//"):
        words.insert(0, lines[above][2:])
        above -= 1
    # A heading is no comment, and neither is an example.
    return "\n".join(word[1:] for word in words) if words and not words[0].startswith(" ---") else ""
