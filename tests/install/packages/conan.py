#!/usr/bin/env python3
"""Runs the recipe of cmake/packages/conan with short forms of Conan's classes, in the order of `conan create`: once with all of its
options off and once with them on. Then builds and runs the program of test_package with what the recipe says of the package.

    conan.py SOURCE BUILD WORK GENERATOR COMPILER XSIMD WITH_TBB

BUILD is a build whose libraries stand for those that the recipe would compile. XSIMD is the folder of its headers, and WITH_TBB is
ON where oneTBB is installed.
"""
from __future__ import annotations

import fnmatch
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import types
from types import SimpleNamespace

SOURCE, BUILD, WORK = (pathlib.Path(each) for each in sys.argv[1:4])
GENERATOR, COMPILER, XSIMD = sys.argv[4:7]
RECIPES = SOURCE / "cmake/packages/conan"


class Options(SimpleNamespace):
    def rm_safe(self, name):
        vars(self).pop(name, None)

    def get_safe(self, name, default=None):
        return getattr(self, name, default)


class Described(SimpleNamespace):
    """Conan's cpp_info: of a package, or of a component."""

    def __init__(self):
        super().__init__(libs=[], requires=[], system_libs=[], properties={}, components=Components())

    def set_property(self, name, value):
        self.properties[name] = value


class Components(dict):
    def __missing__(self, name):
        self[name] = Described()
        return self[name]


class ConanFile:
    folders = SimpleNamespace()

    def requires(self, reference, visible=True):
        self.required.append(reference.split("/")[0])


class CMakeToolchain:
    def __init__(self, recipe):
        self.cache_variables = recipe.cache_variables = {}

    def generate(self):
        pass


class CMakeDeps(CMakeToolchain):
    def __init__(self, recipe):
        pass


class CMake:
    def __init__(self, recipe):
        self.recipe = recipe

    def configure(self):
        variables = {name: {True: "ON", False: "OFF"}.get(value, value) for name, value in self.recipe.cache_variables.items()}
        variables |= {"CMAKE_CXX_COMPILER": COMPILER, "CMAKE_BUILD_TYPE": "Release", "CMAKE_INSTALL_PREFIX": self.recipe.package_folder,
                      "CMAKE_PROJECT_INCLUDE": SOURCE / "tests/install/packages/looked_for.cmake", "CMAKE_INSTALL_LIBDIR": "lib",
                      "THRONG_ISAS": "baseline"}
        run("cmake", "-S", self.recipe.source_folder, "-B", self.recipe.build_folder, "-G", GENERATOR,
            *(f"-D{name}={value}" for name, value in variables.items()))

    def build(self):
        for folder in ("engine", "structures", "bindings/c"):
            for library in (BUILD / folder).glob("libthrong*"):
                shutil.copy2(library, pathlib.Path(self.recipe.build_folder, folder), follow_symlinks=False)

    def install(self):
        run("cmake", "--install", self.recipe.build_folder)


def run(*command):
    done = subprocess.run([str(each) for each in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0 or "variables were not used" in done.stdout and "THRONG_" in done.stdout.split("were not used")[1]:
        sys.exit(done.stdout)


def copy(recipe, pattern, src, dst, excludes=()):
    copied = 0
    for path in pathlib.Path(src).rglob("*"):
        inside = path.relative_to(src).as_posix()
        if path.is_file() and fnmatch.fnmatch(inside, pattern) and not any(fnmatch.fnmatch(inside, each) for each in excludes):
            target = pathlib.Path(dst, inside)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
            copied += 1
    assert copied, f"the recipe copies {pattern} from {src}, where there is none"


def stand_in() -> None:
    """What the recipe imports, by the names of its modules."""
    given = {
        "conan": {"ConanFile": ConanFile},
        "conan.errors": {"ConanInvalidConfiguration": type("ConanInvalidConfiguration", (Exception,), {})},
        "conan.tools": {},
        "conan.tools.build": {"check_min_cppstd": lambda recipe, standard: None},
        "conan.tools.cmake": {"CMake": CMake, "CMakeDeps": CMakeDeps, "CMakeToolchain": CMakeToolchain, "cmake_layout": lambda recipe: None},
        "conan.tools.files": {"copy": copy, "load": lambda recipe, path: pathlib.Path(path).read_text(),
                              "rmdir": lambda recipe, path: shutil.rmtree(path, ignore_errors=True)},
    }
    for name, members in given.items():
        sys.modules[name] = module = types.ModuleType(name)
        vars(module).update(members)


def create(name: str, **options: bool):
    """What `conan create` does with a recipe."""
    specification = importlib.util.spec_from_file_location("recipe", RECIPES / "conanfile.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    recipe = module.ThrongRecipe()
    folder = WORK / name
    recipe.recipe_folder, recipe.required, recipe.cpp_info = str(RECIPES), [], Described()
    recipe.export_sources_folder = recipe.source_folder = str(folder / "source")
    recipe.build_folder, recipe.package_folder = str(folder / "build"), str(folder / "package")
    recipe.settings = SimpleNamespace(os="Linux", arch="x86_64", compiler="gcc", build_type="Release")
    recipe.set_version()
    recipe.export_sources()
    recipe.options = Options(**{**recipe.default_options, **options})
    for step in ("config_options", "configure", "layout", "requirements", "validate"):
        getattr(recipe, step)()
    recipe.dependencies = {"xsimd": SimpleNamespace(cpp_info=SimpleNamespace(includedirs=[XSIMD]))}
    for step in ("generate", "build", "package", "package_info"):
        getattr(recipe, step)()
    looked_for = set((folder / "build/looked_for").read_text().split())
    wanted = {"Threads", *({"TBB"} if "onetbb" in recipe.required else {})}
    assert looked_for == wanted, f"the build looks for {looked_for}, and the recipe names {wanted}"
    return recipe


def libraries_of(recipe) -> list[str]:
    """Each library that the package has is in a component, and each component's is there."""
    there = {path.name.split(".")[0][3:] for path in pathlib.Path(recipe.package_folder, "lib").iterdir()}
    told = [library for component in recipe.cpp_info.components.values() for library in component.libs]
    assert there == set(told), f"the package has {there}, and tells of {told}"
    return sorted(told)


def main() -> None:
    shutil.rmtree(WORK, ignore_errors=True)
    stand_in()
    bare = create("bare", with_tbb=False)
    assert libraries_of(bare) == ["throng"] and not pathlib.Path(bare.package_folder, "include/throng.h").exists()
    whole = create("whole", with_tbb=sys.argv[7] == "ON", with_c=True, with_structures=True)
    assert libraries_of(whole) == ["throng", "throng_c", "throng_structures"]
    for file in ("include/throng/throng.hpp", "include/throng/structures.hpp", "include/throng.h", "licenses/LICENSE"):
        assert pathlib.Path(whole.package_folder, file).exists(), f"the package has no {file}"

    # As Conan's CMakeDeps does, and no more of it than the program takes.
    engine = whole.cpp_info.components["engine"]
    linked = [f"{whole.package_folder}/lib/lib{engine.libs[0]}.a", *(["TBB::tbb"] if engine.requires else []), *engine.system_libs]
    (WORK / "generators").mkdir()
    (WORK / "generators/throng-config.cmake").write_text(
        ("find_package(TBB CONFIG REQUIRED)\n" if engine.requires else "")
        + f"add_library({engine.properties['cmake_target_name']} INTERFACE IMPORTED)\n"
        + f"target_include_directories({engine.properties['cmake_target_name']} INTERFACE {whole.package_folder}/include)\n"
        + f"target_link_libraries({engine.properties['cmake_target_name']} INTERFACE {' '.join(linked)})\n")
    run("cmake", "-S", RECIPES / "test_package", "-B", WORK / "host", "-G", GENERATOR, f"-DCMAKE_CXX_COMPILER={COMPILER}",
        "-DCMAKE_CXX_STANDARD=20", f"-DCMAKE_PREFIX_PATH={WORK}/generators")
    run("cmake", "--build", WORK / "host")
    run(WORK / "host/fifteen_lines")


main()
