"""What the wheel's build says where a tool is missing, one sentence and no traceback; which systems a wheel says it is for; and what the
sources are that pip builds a wheel from."""

from __future__ import annotations

import importlib.util
import pathlib
import subprocess
import sys
import tarfile
from typing import Any

import pytest

BACKEND = pathlib.Path(__file__).resolve().parents[1] / "packaging" / "throng_wheel.py"


def built_with(tools: dict[str, str], folder: pathlib.Path) -> "subprocess.CompletedProcess[str]":
    """With these programs alone, each a shell script."""
    for name, script in tools.items():
        (folder / name).write_text("#!/bin/sh\n" + script + "\n")
        (folder / name).chmod(0o755)
    environment = {"PATH": str(folder), "THRONG_WHEEL_BUILD": str(folder / "build")}
    (folder / "build").mkdir()
    command = [sys.executable, str(BACKEND), str(folder / "wheels")]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.mark.skipif(sys.platform != "linux", reason="wheels are built on Linux")
@pytest.mark.parametrize(
    "tools, words",
    [
        ({}, "CMake is missing; Debian: apt install"),
        ({"cmake": "exit 0"}, "there is no C++ compiler; Debian: apt install"),
        ({"c++": "", "cmake": "echo it needs xsimd >&2; exit 1"}, "CMake refuses to configure it, for the reason"),
        ({"c++": "", "cmake": '[ "$1" = -S ]'}, "it does not compile, for the reason"),
    ],
)
def test_what_is_missing_is_said_in_a_sentence(
    tmp_path: pathlib.Path, tools: dict[str, str], words: str
) -> None:
    run = built_with(tools, tmp_path)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert run.stderr.splitlines()[-1].startswith("throng cannot be built: ") and words in run.stderr


def backend() -> Any:
    specification = importlib.util.spec_from_file_location("throng_wheel", BACKEND)
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "wanted, glibc",
    [
        (b"GLIBC_2.14", "2_17"),  # as old as there are systems for it
        (b"GLIBC_2.14 GLIBCXX_3.4.19 CXXABI_1.3.13", "2_34"),  # for its libstdc++
        (b"GLIBC_2.9 GLIBC_2.36 GLIBCXX_3.4.9", "2_36"),  # for its glibc
        (b"GLIBC_2.14 GCC_7.0.0", "2_27"),
        (b"GLIBC_2.34 GLIBCXX_3.4.33", "2_39"),
    ],
)
def test_a_wheel_is_for_the_oldest_system_that_has_all_it_asks_for(wanted: bytes, glibc: str) -> None:
    library = b"\0" + b"\0".join(wanted.split()) + b"\0"
    assert backend().platform_tag({"libthrong_c.so": library}).startswith(f"manylinux_{glibc}_")


def test_the_sources_are_one_folder_that_has_all_that_a_wheel_takes(tmp_path: pathlib.Path) -> None:
    made = backend()
    name = made.build_sdist(str(tmp_path))
    assert name == f"throng-{made.version()}.tar.gz"
    first = (tmp_path / name).read_bytes()
    with tarfile.open(tmp_path / name) as archive:
        setattr(archive, "extraction_filter", lambda member, path: member)  # newer Pythons warn without one
        archive.extractall(tmp_path)
    folder = tmp_path / f"throng-{made.version()}"
    assert (folder / "PKG-INFO").read_text() == made.metadata()
    packed = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {"LICENSE", "pyproject.toml", "bindings/python/throng/py.typed"} <= packed
    assert not [name for name in packed if "/tests/" in name or name.endswith(".pyc")]
    # All of a room is there, and from it the same sources can be made again.
    for room in ("engine/src", "structures/src", "simd/kernels", "bindings/c/src"):
        assert {each for each in packed if each.startswith(f"{room}/")} == {
            each.relative_to(made.ROOT).as_posix() for each in (made.ROOT / room).rglob("*") if each.is_file()
        }
    again = subprocess.run(
        [sys.executable, folder / "bindings/python/packaging/throng_wheel.py", "--sdist", tmp_path / "again"],
        check=True, capture_output=True, text=True,
    )
    assert pathlib.Path(again.stdout.strip()).read_bytes() == first
