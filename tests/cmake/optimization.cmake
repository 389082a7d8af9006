# How test code is optimised, and the headers that are precompiled for it.
#
#     throng_compile_as(full|some|plain <target>)
#         Gives a target its flags, and the headers that were precompiled with the same: no compiler promises to take
#         others. Clang refuses those of -O1 at -O0, and GCC 14 chooses other options of the machine at -O1 than at -O3.
#
# Full is as the build type has it: what takes part in every test. Some is for programs that have much of the tested code
# in themselves, plain for all others. A sanitizer's report names lines of the library; of plain tests it names functions,
# which compile in nine tenths of the time.

# They compile in half the time of -O3, and in three quarters of that of GCC's -O1. Clang takes -Og for -O1, and Emscripten not at all.
set(throng_test_optimization "-O1")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(throng_test_optimization "-Og")
endif()
set(THRONG_TEST_OPTIMIZATION "${throng_test_optimization}" CACHE STRING
    "How a release build optimises the test programs; oracle, scenes and library stay as they are.")
set(THRONG_TEST_OPTIMIZATION_DEBUG "" CACHE STRING "The same for a debug build")

set(throng_optimization_full "")
set(throng_optimization_some "")
set(throng_optimization_plain "")
function(throng_optimize kind configuration flag)
    get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(flag AND (multi_config OR CMAKE_BUILD_TYPE STREQUAL configuration))
        list(APPEND throng_optimization_${kind} "$<$<CONFIG:${configuration}>:${flag}>")
        set(throng_optimization_${kind} "${throng_optimization_${kind}}" PARENT_SCOPE)
    endif()
endfunction()
string(REPLACE "-O0" "-O1" some_optimization "${THRONG_TEST_OPTIMIZATION}")
throng_optimize(some Release "${some_optimization}")
throng_optimize(plain Release "${THRONG_TEST_OPTIMIZATION}")
throng_optimize(plain Debug "${THRONG_TEST_OPTIMIZATION_DEBUG}")
if(THRONG_SANITIZE)
    list(APPEND throng_optimization_plain -g0)
endif()

function(throng_compile_as kind target)
    # Later than the build type's own, so it is the one that counts.
    target_compile_options(${target} PRIVATE ${throng_optimization_${kind}})
    target_precompile_headers(${target} REUSE_FROM ${throng_headers_${kind}})
endfunction()

# What almost every test includes, compiled once for all: most of the time that a test takes to compile. includes/check_includes
# looks whether a test includes what it uses, and scripts/soak compiles without precompiled headers.
foreach(kind IN ITEMS full some plain)
    foreach(other IN ITEMS full some)
        if("${throng_optimization_${kind}}" STREQUAL "${throng_optimization_${other}}" AND throng_headers_${other})
            set(throng_headers_${kind} ${throng_headers_${other}})
        endif()
    endforeach()
    if(NOT throng_headers_${kind})
        set(throng_headers_${kind} throng_${kind}_test_headers)
        add_library(throng_${kind}_test_headers OBJECT support/only_headers.cpp)
        throng_target(throng_${kind}_test_headers)
        target_link_libraries(throng_${kind}_test_headers PRIVATE throng_test_base)
        target_compile_options(throng_${kind}_test_headers PRIVATE ${throng_optimization_${kind}})
        target_precompile_headers(throng_${kind}_test_headers PRIVATE <support/test.hpp>)
    endif()
endforeach()
