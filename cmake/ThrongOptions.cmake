# Every option has the project's prefix. Options for developers of the library are not shown to a host that builds it as
# part of its own project.
include(CMakeDependentOption)

set(THRONG_OWN_BUILD "${PROJECT_IS_TOP_LEVEL}")

set(THRONG_WITH_TBB AUTO CACHE STRING
    "The oneTBB executor: ON needs oneTBB, AUTO takes it where it is found. OFF makes tbb_executor() the serial one.")
set_property(CACHE THRONG_WITH_TBB PROPERTY STRINGS AUTO ON OFF)
set(THRONG_WITH_MPI AUTO CACHE STRING
    "The cluster, over MPI: ON needs MPI and Zoltan, AUTO takes them where both are found.")
set_property(CACHE THRONG_WITH_MPI PROPERTY STRINGS AUTO ON OFF)
if(EMSCRIPTEN)
    option(THRONG_WASM_SIMD
        "Kernels of WebAssembly's vectors. Without, they run where a browser lacks these, and take SIMDe's headers to compile." ON)
    option(THRONG_SMALL "Compile what is around the kernels for size: a module that is sent to browsers." OFF)
endif()
set(THRONG_ISAS "all" CACHE STRING
    "The instruction sets to compile, by name, or all, baseline and native. Fewer are a smaller library that compiles sooner.")
option(THRONG_STRUCTURES
    "Build and install the small structures with the rest. What links throng::structures builds them in any case."
    "${THRONG_OWN_BUILD}")
option(THRONG_BUILD_C
    "Build and install the C library, throng_c, with the rest. It takes the objects of the C++ library, and needs no C compiler."
    "${THRONG_OWN_BUILD}")
option(THRONG_C_STATIC_RUNTIME
    "Link the compiler's run-time libraries into the C library, which then needs nothing but the C library of the system." OFF)
option(THRONG_INSTALL
    "Install the library with the project. Off in a host's build, which installs a product of its own."
    "${THRONG_OWN_BUILD}")
cmake_dependent_option(THRONG_BUILD_TESTS
    "Build the tests. They need GoogleTest, so a host that only links the library is spared them." ON
    "THRONG_OWN_BUILD" OFF)
cmake_dependent_option(THRONG_BUILD_BENCH
    "Build the benchmarks. They need Google Benchmark, and are of use only on a quiet machine." ON
    "THRONG_OWN_BUILD" OFF)
cmake_dependent_option(THRONG_BENCH_NATIVE
    "Compile the peers of scripts/compare that are headers for the machine that builds, and only for it." OFF
    "THRONG_BUILD_BENCH" OFF)
cmake_dependent_option(THRONG_BUILD_EXAMPLES
    "Build the examples. They show a host's side of the library and run as tests." ON
    "THRONG_OWN_BUILD" OFF)
cmake_dependent_option(THRONG_BUILD_DEMO
    "Build the demo. It needs CLI11, draws with Cairo, and takes longer to compile than the library." ON
    "THRONG_BUILD_EXAMPLES" OFF)
cmake_dependent_option(THRONG_WERROR
    "Turn warnings into errors. For .ci/run only, whose compilers are known: a newer one must never break a build." OFF
    "THRONG_OWN_BUILD" OFF)

cmake_dependent_option(THRONG_FUZZ
    "Build the fuzz targets for libFuzzer, which needs Clang. They then serve to find, not to test." OFF
    "THRONG_BUILD_TESTS" OFF)

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(THRONG_OWN_BUILD)
    set(THRONG_SANITIZE "" CACHE STRING
        "Sanitizers for every target. Each finds what the other cannot, and they exclude one another.")
    set_property(CACHE THRONG_SANITIZE PROPERTY STRINGS "" "address,undefined" "thread")

    # A build without a build type is unoptimised, which no measurement of this library wants.
    if(NOT multi_config AND NOT CMAKE_BUILD_TYPE)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
    endif()
else()
    set(THRONG_SANITIZE "")
    if(NOT multi_config AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CXX_FLAGS MATCHES "-O")
        message(WARNING "Throng is compiled without optimisation, and is many times slower: set CMAKE_BUILD_TYPE.")
    endif()
endif()
unset(multi_config)

if(THRONG_SANITIZE)
    set(throng_sanitizer_flags
        "-fsanitize=${THRONG_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(THRONG_SANITIZE MATCHES "undefined")
        # Not part of `undefined`, but the check that arbitrary floats are most likely to trip.
        list(APPEND throng_sanitizer_flags -fsanitize=float-cast-overflow)
    endif()
    if(THRONG_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        # An access by a null pointer ends the program anyway, and the address sanitizer says where. Without a check
        # before each access the build takes a tenth less.
        list(APPEND throng_sanitizer_flags -fno-sanitize=null)
    endif()
    # For the whole tree, with tests and examples: a sanitizer sees only code that was compiled for it.
    add_compile_options(${throng_sanitizer_flags})
    add_link_options(${throng_sanitizer_flags})
endif()

set(THRONG_LIBFUZZER OFF)
if(THRONG_FUZZ)
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS "-fsanitize=fuzzer")
    check_cxx_source_compiles(
        "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }"
        THRONG_HAS_LIBFUZZER)
    unset(CMAKE_REQUIRED_FLAGS)
    if(THRONG_HAS_LIBFUZZER)
        set(THRONG_LIBFUZZER ON)
        # In the library too: it is what the fuzzer explores.
        add_compile_options(-fsanitize=fuzzer-no-link)
    else()
        message(STATUS "Throng: the fuzz targets get a driver of our own, since this compiler has no libFuzzer")
    endif()
endif()
