"""Builds the wheel: CMake makes the C library, and this packs it up with the package. And the sdist: the
sources that a wheel is built from, without tests.

pip calls it (PEP 517), and scripts/wheel. A wheel needs CMake, a C++ compiler and xsimd's headers, and of Python
only what comes with it: no setuptools, and no package index.

oneTBB, where the library was built with it, is copied into the wheel under a name of its own. A process may
have another oneTBB under the usual name, and the loader would take that for ours. The wheel's tag is
measured: the newest glibc that a symbol in it asks for.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from typing import Any, Iterator, NoReturn, Optional

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "bindings" / "python" / "throng"
# What a wheel is built from: each file of these folders, but for their tests.
SOURCES = (
    "CMakeLists.txt LICENSE README.md pyproject.toml cmake base beside engine parallel simd structures cluster"
    " bindings/c bindings/js/CMakeLists.txt bindings/python"
).split()
# Of equal length, so that one may stand for the other in a library.
TBB, OWN_TBB = b"libtbb.so.12", b"throngtbb.so"
# glibc, and the newest versions of GLIBCXX, CXXABI and GCC that the oldest distributions with that glibc have, as the policies of
# manylinux name them.
RUNTIMES = [
    ((2, 17), (3, 4, 19), (1, 3, 7), (4, 7, 0)),
    ((2, 24), (3, 4, 22), (1, 3, 10), (4, 7, 0)),
    ((2, 27), (3, 4, 24), (1, 3, 11), (7, 0, 0)),
    ((2, 31), (3, 4, 28), (1, 3, 12), (7, 0, 0)),
    ((2, 34), (3, 4, 29), (1, 3, 13), (7, 0, 0)),
    ((2, 35), (3, 4, 30), (1, 3, 13), (11, 0, 0)),
    ((2, 39), (3, 4, 33), (1, 3, 15), (14, 0, 0)),
]
CMAKE_OPTIONS = [
    "-DCMAKE_BUILD_TYPE=Release",
    "-DCMAKE_SHARED_LINKER_FLAGS=-s",
    "-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON",
    "-DCMAKE_INSTALL_RPATH=$ORIGIN",
    "-DTHRONG_BUILD_C=ON",
    "-DTHRONG_STRUCTURES=ON",
    "-DTHRONG_BUILD_TESTS=OFF",
    "-DTHRONG_BUILD_EXAMPLES=OFF",
    "-DTHRONG_BUILD_BENCH=OFF",
]


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Any = None) -> str:
    folder = pathlib.Path(metadata_directory) / f"throng-{version()}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(metadata())
    return folder.name


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: Optional[str] = None
) -> str:
    if sys.platform != "linux":
        raise SystemExit(f"throng's wheel is built on Linux, and not yet on {sys.platform}")
    libraries = build_libraries(
        pathlib.Path(os.environ.get("THRONG_WHEEL_BUILD") or ROOT / "build" / "wheel")
    )
    tag = f"py3-none-{platform_tag(libraries)}"
    name = f"throng-{version()}-{tag}.whl"
    write_wheel(pathlib.Path(wheel_directory) / name, list(files(libraries, tag)))
    return name


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    name = f"throng-{version()}"
    # The same files make the same archive, whenever it is built.
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, content, mode in sources():
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mode = len(content), mode
            archive.addfile(entry, io.BytesIO(content))
    file = f"{name}.tar.gz"
    (pathlib.Path(sdist_directory) / file).write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return file


def sources() -> Iterator[tuple[str, bytes, int]]:
    yield "PKG-INFO", metadata().encode(), 0o644
    for each in SOURCES:
        place = ROOT / each
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            inside = path.relative_to(ROOT)
            unwanted = any(part in ("tests", "__pycache__") or part.startswith(".") for part in inside.parts)
            if path.is_file() and not unwanted:
                yield inside.as_posix(), path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644


def version() -> str:
    header = (ROOT / "engine" / "include" / "throng" / "version.hpp").read_text()
    return ".".join(re.findall(r"^#define THRONG_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))


def metadata() -> str:
    readme = (ROOT / "bindings" / "python" / "README.md").read_text()
    lines = [
        "Metadata-Version: 2.1",
        "Name: throng",
        f"Version: {version()}",
        "Summary: A spatial index in the plane for very many agents that move, for NumPy arrays",
        "License: MIT",
        "Requires-Python: >=3.9",
        "Requires-Dist: numpy>=1.23",
        "Classifier: Operating System :: POSIX :: Linux",
        "Classifier: Programming Language :: Python :: 3",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + readme


def build_libraries(build: pathlib.Path) -> dict[str, bytes]:
    """The C library, and the oneTBB that it was linked with, as files of the package."""
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    more = shlex.split(os.environ.get("CMAKE_ARGS", ""))
    need_tools()
    configure = ["cmake", "-S", str(ROOT), "-B", str(build), *generator, *CMAKE_OPTIONS, *more]
    cores = str(os.cpu_count() or 1)
    build_it = ["cmake", "--build", str(build), "--target", "throng_c", "--parallel", cores]
    # Options of a build before would stay in force.
    (build / "CMakeCache.txt").unlink(missing_ok=True)
    # What they print goes to the standard error: the standard output is for the wheel's path.
    for command, what in ((configure, "CMake refuses to configure it"), (build_it, "it does not compile")):
        try:
            subprocess.run(command, check=True, stdout=sys.stderr)
        except subprocess.CalledProcessError:
            stop(f"{what}, for the reason that is above")
    path = build / "bindings" / "c" / "libthrong_c.so"
    library = path.read_bytes()
    if TBB + b"\0" not in library:
        return {"libthrong_c.so": library}
    own = renamed(tbb_file(path).read_bytes())
    return {"libthrong_c.so": renamed(library), OWN_TBB.decode(): own}


def need_tools() -> None:
    """One sentence for what most machines lack. CMake has its own for the rest."""
    if shutil.which("cmake") is None:
        stop("CMake is missing; Debian: apt install g++ cmake make libxsimd-dev libtbb-dev")
    if shutil.which(os.environ.get("CXX", "").split(" ")[0] or "c++") is None and not shutil.which("g++"):
        stop("there is no C++ compiler; Debian: apt install g++ cmake make libxsimd-dev libtbb-dev")


def stop(why: str) -> NoReturn:
    """Ends pip's build without a traceback."""
    print(f"\nthrong cannot be built: {why}", file=sys.stderr, flush=True)
    raise SystemExit(1)


def renamed(library: bytes) -> bytes:
    if library.count(TBB + b"\0") != 1:
        raise SystemExit(
            "throng's wheel: oneTBB is named more than once in a library, so it cannot be renamed"
        )
    return library.replace(TBB + b"\0", OWN_TBB + b"\0")


def tbb_file(library: pathlib.Path) -> pathlib.Path:
    """Where the loader finds it."""
    listed = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
    found = re.search(rf"^\s*{re.escape(TBB.decode())} => (/\S+)", listed, re.M)
    if not found:
        raise SystemExit("throng's wheel: the loader does not find oneTBB")
    return pathlib.Path(found[1])


def platform_tag(libraries: dict[str, bytes]) -> str:
    """The oldest glibc whose distributions have all that the libraries ask for. Each kind of symbol is asked for by version, and these
    are strings of a library."""
    text = b"\0".join(libraries.values())
    wanted = {kind: max(versions(text, kind)) for kind in (b"GLIBC_", b"GLIBCXX_", b"CXXABI_", b"GCC_")}
    own = version_of(platform.libc_ver()[1])
    brings = (glibc for glibc, *rest in RUNTIMES if all(wanted[kind] <= it for kind, it in zip(list(wanted)[1:], rest)))
    major, minor = max(wanted[b"GLIBC_"], next(brings, own))[:2]
    return f"manylinux_{major}_{minor}_{platform.machine()}"


def version_of(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def versions(text: bytes, prefix: bytes) -> list[tuple[int, ...]]:
    found = re.findall(rb"\0" + prefix + rb"([0-9.]+)(?=\0)", text)
    return [(0, 0), *(version_of(one.decode()) for one in found)]


def files(libraries: dict[str, bytes], tag: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            yield f"throng/{path.relative_to(PACKAGE).as_posix()}", path.read_bytes()
    for name, content in libraries.items():
        # Apart from the modules, for one of which Python would take it.
        yield f"throng/lib/{name}", content
    info = f"throng-{version()}.dist-info"
    yield f"{info}/METADATA", metadata().encode()
    text = f"Wheel-Version: 1.0\nGenerator: throng_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n"
    yield f"{info}/WHEEL", text.encode()
    yield f"{info}/licenses/LICENSE", (ROOT / "LICENSE").read_bytes()
    if OWN_TBB.decode() in libraries:
        yield f"{info}/licenses/oneTBB.txt", licence_of_tbb()
    # The kernels were compiled from its headers.
    xsimd = pathlib.Path("/usr/share/doc/libxsimd-dev/copyright")
    if xsimd.exists():
        yield f"{info}/licenses/xsimd.txt", xsimd.read_bytes()


def licence_of_tbb() -> bytes:
    found = sorted(pathlib.Path("/usr/share/doc").glob("libtbb*/copyright"))
    if not found:
        raise SystemExit(
            "throng's wheel: oneTBB's licence is not in /usr/share/doc. See scripts/wheel --help"
            " for how to do without oneTBB"
        )
    text = b"throngtbb.so is oneTBB under another name.\n\n" + found[0].read_bytes()
    apache = pathlib.Path("/usr/share/common-licenses/Apache-2.0")
    return text + (b"\n\n" + apache.read_bytes() if apache.exists() else b"")


def write_wheel(path: pathlib.Path, contents: list[tuple[str, bytes]]) -> None:
    # The same files make the same wheel, whenever it is built.
    record = ""
    info = contents[-1][0].split("/")[0]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in contents:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
            write(wheel, name, content)
        write(wheel, f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode())


def write(wheel: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(entry, content)


if __name__ == "__main__":
    wants_sources = sys.argv[1:2] == ["--sdist"]
    folders = sys.argv[2:] if wants_sources else sys.argv[1:]
    target = pathlib.Path(folders[0] if folders else ROOT / "build" / "wheels")
    target.mkdir(parents=True, exist_ok=True)
    print(target / (build_sdist(str(target)) if wants_sources else build_wheel(str(target))))
