"""Structs lie in memory as those of a C compiler, and the library refuses what is none of its own."""

from __future__ import annotations

import ctypes
import pathlib
import shutil
import subprocess
from typing import Any

import pytest

import throng
from throng._native import errors, structs
from throng._native.library import library

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "c" / "include"


def compiles(tmp_path: pathlib.Path, sizes: dict[str, int]) -> bool:
    """Whether a C compiler finds the given sizes, and our offsets in each struct."""
    compiler: Any = shutil.which("cc") or shutil.which("c++")
    if not compiler:
        pytest.skip("there is no C compiler")
    lines = ["#include <stddef.h>", '#include "throng_structures.h"']
    for name, kind in structs.STRUCTS.items():
        lines.append(f'_Static_assert(sizeof({name}) == {sizes[name]}, "{name}");')
        for field in kind._fields_:
            offset = getattr(kind, field[0]).offset
            lines.append(f'_Static_assert(offsetof({name}, {field[0]}) == {offset}, "{name}.{field[0]}");')
    source = tmp_path / "layouts.c"
    source.write_text("\n".join(lines))
    command = [compiler, "-x", "c", "-std=c11", "-fsyntax-only", f"-I{INCLUDE}", str(source)]
    return subprocess.run(command, capture_output=True).returncode == 0


def test_structs_lie_in_memory_as_those_of_a_c_compiler(tmp_path: pathlib.Path) -> None:
    sizes = {name: ctypes.sizeof(kind) for name, kind in structs.STRUCTS.items()}
    assert compiles(tmp_path, sizes)
    assert not compiles(tmp_path, {**sizes, "throng_nearest": sizes["throng_nearest"] + 1})


def test_a_struct_that_the_library_does_not_know_is_refused() -> None:
    with pytest.raises(throng.Error) as caught:
        errors.call(library.throng_engine_create, structs.EngineConfig(), ctypes.byref(ctypes.c_void_p()))
    assert caught.value.code is throng.Code.BAD_STRUCT
