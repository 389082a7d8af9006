"""What a header may have, so that every language's foreign function interface can make each call.

A call passes and returns numbers and pointers, its name begins with throng_, and it is THRONG_C_API. A struct
begins with `uint32_t size` and has an init macro and call of its own, or is one of the elements below, which
never change. No bool, no enum as a type, no union, no bit-field, no variadic call, no struct by value.
"""
from __future__ import annotations

from .header import NUMBERS, Call, Header, Struct, Type

ELEMENTS = {
    "throng_box",
    "throng_point",
    "throng_pair",
    "throng_handle",
    "throng_label",
    "throng_band",
    "throng_neighbour",
    "throng_trial",
    "throng_cast",
    "throng_cast_heights",
    "throng_cast_hit",
    "throng_circle",
    "throng_shape",
    "throng_query_filter",
    "throng_column",
    "throng_result_column",
    "throng_double_point",
    "throng_point_pair",
    "throng_point_places",
    "throng_point_entry",
}
CALLBACKS = {"throng_allocate", "throng_deallocate", "throng_block", "throng_cancelled", "throng_parallel_for"}


def faults(header: Header, below: Header | None = None) -> list[str]:
    """What is against the rules, by line, in a header that may use the structs of the one below it."""
    known = {*header.structs, *header.opaque, *header.callbacks}
    if below:
        known |= {*below.structs, *below.opaque, *below.callbacks}
    found: list[tuple[int, str]] = []
    for call in header.calls.values():
        found += [(call.line, what) for what in _faults_of_call(call, known)]
    for struct in header.structs.values():
        found += [(struct.line, what) for what in _faults_of_struct(header, struct)]
    found += [(line, f"{name} is no type of the interface") for name, line in header.others.items()]
    named = [enum for enum in header.enums if enum.name]
    found += [(enum.line, f"enum {enum.name} is no type of the interface") for enum in named]
    return [f"line {line}: {what}" for line, what in sorted(found)]


def _is_passable(type_: Type, known: set[str]) -> bool:
    """Whether a call may take it: a number, a pointer to anything known, or a callback."""
    if type_.stars == 0:
        return type_.name in (*NUMBERS, *CALLBACKS)
    return type_.stars <= 2 and type_.name in (*NUMBERS, "void", "char", *known)


def _faults_of_call(call: Call, known: set[str]) -> list[str]:
    found = []
    if not call.is_exported:
        found.append(f"{call.name} is not THRONG_C_API")
    if not call.name.startswith("throng_"):
        found.append(f"{call.name} does not begin with throng_")
    if call.result != Type("void") and not _is_passable(call.result, known):
        found.append(f"{call.name} returns {call.result}")
    for each in call.parameters:
        if not _is_passable(each.type, known):
            found.append(f"{call.name} takes {each.type} {each.name}")
    return found


def _faults_of_struct(header: Header, struct: Struct) -> list[str]:
    found = [f"{struct.name} has a bit-field" for each in struct.members if each.is_bit_field]
    if struct.name in ELEMENTS:
        return found
    if not struct.is_sized or struct.members[0].type != Type("uint32_t"):
        found.append(f"{struct.name} does not begin with uint32_t size")
    init = header.calls.get("throng_init_" + struct.name[len("throng_"):])
    is_taken = init is not None and init.parameters[0].type == Type(struct.name, 1)
    if f"{struct.name}_init" not in header.macros or not is_taken:
        found.append(f"{struct.name} has no init macro and call")
    return found
