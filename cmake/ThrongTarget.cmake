# Shared by our targets.
#
#     throng_target(<target> [LIBRARY])
#         Sees inside the library: internal includes start at the repository root ("simd/kernels.hpp"). With
#         LIBRARY, the target is a part of the library itself, and its arithmetic is pinned down as well.
#     throng_folder(<folder> <file>...)
#         Adds the sources of a folder of src to throng_sources. They are compiled as one, in less than two thirds of the processor
#         time (docs/decisions/build_and_tests.md): the headers are read and the same templates instantiated once. So files of a folder may not use a
#         name twice, nor files of the library, which scripts/amalgamate writes as one. -DCMAKE_UNITY_BUILD=OFF compiles each alone.
#     throng_library(<target> <exports> <source>...)
#         One of the libraries that are installed, throng or throng_structures, of which a shared one exports what the linker
#         script <exports> names.
#     throng_unoptimised(<target> <source>...)
#         <target>_unoptimised: what a target of the library is compiled from, once more for tests/objects.
#     throng_whole_library(<target> <object>...)
#         <target>_whole: the same as an archive, together with the objects. Our tests and benchmarks look inside, and what is inside a
#         shared library is hidden.
#     throng_host_target(<target>)
#         Sees what a host sees, and no more: the examples.
#     throng_program(<target>)
#         Sees inside the library, and is a program to be called by name: throng-draw for the target throng_draw.
#     throng_compile_together(<target>)
#         Compiles its files as one, unless CMAKE_UNITY_BUILD says otherwise: the headers are read and the same templates
#         instantiated once, not for each file.
#
# All compile as C++20 without extensions, and with our warnings in our own builds.

get_filename_component(throng_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
set(THRONG_ROOT "${throng_root}" CACHE INTERNAL "The repository root, where internal includes start")

# Position-independent unless the host says otherwise, for an archive too: it may end up in a plugin, and then the linker
# refuses any other code. What it costs is in docs/decisions/simd.md.
if(BUILD_SHARED_LIBS OR NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    set(throng_position_independent ON)
else()
    set(throng_position_independent "${CMAKE_POSITION_INDEPENDENT_CODE}")
endif()

function(throng_host_target target)
    target_compile_features(${target} PRIVATE cxx_std_20)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    if(THRONG_OWN_BUILD)
        target_compile_options(${target} PRIVATE ${throng_warnings})
        if(THRONG_WERROR)
            target_compile_options(${target} PRIVATE ${throng_werror})
        endif()
    endif()
    target_compile_options(${target} PRIVATE ${throng_own_flags})
endfunction()

function(throng_target target)
    cmake_parse_arguments(PARSE_ARGV 1 argument "LIBRARY" "" "")

    throng_host_target(${target})
    target_include_directories(${target} PRIVATE "${THRONG_ROOT}")
    if(NOT argument_LIBRARY)
        return()
    endif()

    target_include_directories(${target} PRIVATE
        "${THRONG_ROOT}/engine/include" "${THRONG_ROOT}/parallel/include" "${THRONG_ROOT}/simd/include")
    target_compile_options(${target} PRIVATE ${throng_library_flags} ${throng_exact_arithmetic})
    # A host's unity build leaves our files apart, except those that we put together ourselves. Names that no public
    # header declares stay inside (simd/include/throng/export.hpp), so the compiler may inline them though the code is
    # position-independent.
    set_target_properties(${target} PROPERTIES
        UNITY_BUILD OFF
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON
        POSITION_INDEPENDENT_CODE "${throng_position_independent}")
    # An archive inside a host's plugin exports the public names from there, unless the host hides its own names. On
    # Windows a plugin with one marked name exports nothing else, so the host's own names would be lost.
    if(BUILD_SHARED_LIBS OR NOT (WIN32 OR CMAKE_CXX_VISIBILITY_PRESET STREQUAL "hidden"))
        target_compile_definitions(${target} PRIVATE THRONG_EXPORTS)
    endif()
endfunction()

function(throng_program_name target)
    string(REPLACE "_" "-" name "${target}")
    set_target_properties(${target} PROPERTIES OUTPUT_NAME "${name}")
endfunction()

function(throng_program target)
    throng_target(${target})
    throng_program_name(${target})
endfunction()

function(throng_compile_together target)
    if(NOT DEFINED CMAKE_UNITY_BUILD)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON)
    endif()
endfunction()

macro(throng_folder folder)
    foreach(file ${ARGN})
        list(APPEND throng_sources "src/${folder}/${file}.cpp")
        set_source_files_properties("src/${folder}/${file}.cpp" PROPERTIES UNITY_GROUP "${folder}")
    endforeach()
endmacro()

# A target's sources without optimisation, which leaves each inline function an object's symbol: tests/objects looks for names that have
# two bodies. Each file is compiled alone, so one that has lost an include of ours does not compile here. (Of DWARF 5 nm reads the wrong
# file.)
function(throng_unoptimised target)
    if(THRONG_OWN_BUILD AND THRONG_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        add_library(${target}_unoptimised OBJECT ${ARGN})
        throng_target(${target}_unoptimised LIBRARY)
        target_include_directories(${target}_unoptimised PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
        # Headers of MPI, for example, want their definitions.
        target_compile_definitions(${target}_unoptimised PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
        target_compile_options(${target}_unoptimised PRIVATE -O0 -g1 -gdwarf-4 -fno-sanitize=all)
    endif()
endfunction()

function(throng_library target exports)
    add_library(${target} ${ARGN})
    throng_target(${target} LIBRARY)
    target_compile_options(${target} PRIVATE "${throng_engine_flags}")
    target_compile_features(${target} PUBLIC cxx_std_20)
    set_target_properties(${target} PROPERTIES
        DEFINE_SYMBOL ""  # so that an archive and a shared library are linked from the same objects
        VERSION "${PROJECT_VERSION}"
        # Before 1.0, a minor version may change the binary interface.
        SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
    if(NOT DEFINED CMAKE_UNITY_BUILD OR CMAKE_UNITY_BUILD)
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    endif()

    set(sources ${ARGN})
    list(FILTER sources INCLUDE REGEX "^src/")
    throng_unoptimised(${target} ${sources})

    # The standard headers that most of these files include, compiled once for all. A host's build compiles each file as
    # it is, so tests/install finds a missing include.
    if(THRONG_OWN_BUILD)
        target_precompile_headers(${target} PRIVATE
            <algorithm> <array> <atomic> <bit> <cmath> <cstddef> <cstdint> <cstring> <limits> <span> <type_traits>
            <utility>)
    endif()

    # Instances of the standard library's templates in our files stay inside as well. They are declared visible, so the
    # linker has to be told.
    if(BUILD_SHARED_LIBS)
        include(CheckLinkerFlag)
        check_linker_flag(CXX "-Wl,--version-script=${exports}" THRONG_HAS_VERSION_SCRIPTS)
        if(THRONG_HAS_VERSION_SCRIPTS)
            target_link_options(${target} PRIVATE "-Wl,--version-script=${exports}")
            set_target_properties(${target} PROPERTIES LINK_DEPENDS "${exports}")
        endif()
    endif()
endfunction()

function(throng_whole_library target)
    if(NOT (BUILD_SHARED_LIBS AND (THRONG_BUILD_TESTS OR THRONG_BUILD_BENCH)))
        add_library(${target}_whole ALIAS ${target})
        return()
    endif()
    # Precompiled headers count as objects of their target.
    add_library(${target}_whole STATIC $<FILTER:$<TARGET_OBJECTS:${target}>,EXCLUDE,/cmake_pch> ${ARGN})
    set_target_properties(${target}_whole PROPERTIES LINKER_LANGUAGE CXX)
    target_compile_features(${target}_whole PUBLIC cxx_std_20)
    target_include_directories(${target}_whole PUBLIC $<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>)
endfunction()
