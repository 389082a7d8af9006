"""Throng as a package of Conan 2: `conan create cmake/packages/conan --build=missing` in a clone."""

import pathlib
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir


class ThrongRecipe(ConanFile):
    name = "throng"
    description = "Who is where in a crowd of moving agents: pairs, neighbours, boxes and rays in the plane"
    license = "MIT"
    topics = ("spatial-index", "collision-detection", "broad-phase", "neighbour-search", "simd")
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "with_tbb": [True, False],
        "with_c": [True, False],
        "with_structures": [True, False],
    }
    default_options = {"shared": False, "fPIC": True, "with_tbb": True, "with_c": False, "with_structures": False}

    def clone(self) -> pathlib.Path:
        return pathlib.Path(self.recipe_folder).parents[2]

    def set_version(self):
        header = load(self, self.clone() / "engine/include/throng/version.hpp")
        self.version = ".".join(re.findall(r"#define THRONG_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    def export_sources(self):
        clone, exported = self.clone(), pathlib.Path(self.export_sources_folder)
        for file in ("CMakeLists.txt", "LICENSE"):
            copy(self, file, clone, exported)
        copy(self, "CMakeLists.txt", clone / "bindings/js", exported / "bindings/js")
        for folder in "cmake base beside engine parallel simd structures cluster bindings/c".split():
            copy(self, "*", clone / folder, exported / folder, excludes=["tests/*", "*/tests/*"])

    def config_options(self):
        if self.settings.os == "Windows":
            del self.options.fPIC

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")

    def layout(self):
        self.folders.root = "../../.."
        cmake_layout(self)

    def requirements(self):
        # Inside the kernels alone: no header of ours includes it.
        self.requires("xsimd/[>=8.1 <15]", visible=False)
        if self.options.with_tbb:
            self.requires("onetbb/[>=2021.8 <2023]")

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.arch not in ("x86_64", "armv8"):
            raise ConanInvalidConfiguration("Throng has no kernels for this processor")
        if self.options.with_c and not self.options.get_safe("fPIC", True):
            raise ConanInvalidConfiguration("with_c needs fPIC: the C library is a shared one in any case")
        if self.options.with_c and self.settings.os == "Windows" and (
            self.options.shared or self.settings.compiler == "msvc"
        ):
            raise ConanInvalidConfiguration("on Windows with_c takes MinGW, and a static throng")

    def generate(self):
        # Each option that looks for something is ON or OFF. There is no Zoltan to be had, and so no cluster.
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["THRONG_WITH_TBB"] = bool(self.options.with_tbb)
        toolchain.cache_variables["THRONG_BUILD_C"] = bool(self.options.with_c)
        toolchain.cache_variables["THRONG_STRUCTURES"] = bool(self.options.with_structures)
        for left_out in "WITH_MPI COMPILER_CACHE BUILD_TESTS BUILD_BENCH BUILD_EXAMPLES".split():
            toolchain.cache_variables[f"THRONG_{left_out}"] = False
        # By its folder: the targets of Conan name theirs in expressions that only a generator evaluates.
        toolchain.cache_variables["THRONG_XSIMD_INCLUDE_DIR"] = self.dependencies["xsimd"].cpp_info.includedirs[0]
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder, "licenses"))
        # Conan writes its own for whoever uses the package.
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, pathlib.Path(self.package_folder, folder))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "throng")
        self.cpp_info.set_property("cmake_target_name", "throng::everything")
        engine = self.describe("engine", "throng", "throng::throng")
        if self.options.with_tbb:
            engine.requires = ["onetbb::libtbb"]
        if self.settings.os in ("Linux", "FreeBSD"):
            engine.system_libs = ["m", "pthread"]
        if self.options.with_structures:
            self.describe("structures", "throng_structures", "throng::structures").requires = ["engine"]
        if self.options.with_c:
            self.describe("c", "throng_c", "throng::c")

    def describe(self, component, library, target):
        described = self.cpp_info.components[component]
        described.libs = [library]
        described.set_property("cmake_target_name", target)
        described.set_property("pkg_config_name", library)
        return described
