# What targets of ours have in common.
#
#     throng_target(<target> [LIBRARY])
#         Sees inside the library: internal includes start at the repository root ("simd/kernels.hpp"). With
#         LIBRARY, the target is a part of the library itself, and its arithmetic is pinned down as well.
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
    # A host's unity build leaves our files apart, but for those that we put together ourselves. What is not declared
    # in a public header stays inside (simd/include/throng/export.hpp), and the compiler may inline it though the code
    # is position-independent.
    set_target_properties(${target} PROPERTIES
        UNITY_BUILD OFF
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON
        POSITION_INDEPENDENT_CODE "${throng_position_independent}")
    # An archive inside a host's plugin exports the public names from there, unless the host hides its own names. On Windows a
    # plugin of which one name is marked exports nothing else, so the host's own would be lost.
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
