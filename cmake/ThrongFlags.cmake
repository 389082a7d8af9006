# The compilers' names for the flags that we need. GCC and Clang share theirs, and MSVC has its own:
#
#     throng_warnings, throng_werror       for our own builds
#     throng_own_flags                     for the library, tests and examples, and no host
#     throng_exceptions                    for what is linked with it, too
#     throng_library_flags                 for the library's own files, whatever the host's flags say
#     throng_exact_arithmetic              and, behind these, so that no product and sum become one rounding
#     throng_engine_flags                  for what is around the kernels
#     throng_kernel_flags                  for the kernels, and for those of an instruction set:
#     throng_sse2, throng_avx2, throng_avx512, throng_avx512vbmi2
#
# Empty: the compiler needs none.

if(CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang|AppleClang)$" AND NOT MSVC)
    set(throng_warnings
        -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wcast-align
        -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi -Wundef -Wimplicit-fallthrough)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        # GCC 12 warns about every insertion at the front of a std::string.
        list(APPEND throng_warnings -Wno-restrict)
    elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Newer ones take a reference that a call returns for a part of its argument.
        list(APPEND throng_warnings -Wno-dangling-reference)
    endif()
    set(throng_werror -Werror)
    # A designated initialiser names what differs from the default and leaves out the rest. This must not warn, even if
    # a host asks for all warnings in its whole tree.
    set(throng_own_flags -Wno-missing-field-initializers)
    # Contraction changes answers from one instruction set to the next, and a host's fast-math would take away the NaN that
    # pads our arrays. Both would show only on rare inputs. For Clang the last of the two decides.
    set(throng_exact_arithmetic -ffp-contract=off)
    # Exceptions of the host's memory and of visitors are caught inside, so exceptions are on.
    set(throng_exceptions -fexceptions)
    set(throng_library_flags -fno-fast-math)
    if(EMSCRIPTEN)
        # There are two kinds of exceptions, and a program can have one of them: by WebAssembly's own instructions,
        # unless the host has chosen the other kind, or none.
        if(CMAKE_CXX_FLAGS MATCHES "-fignore-exceptions")
            set(throng_exceptions "")
        elseif(NOT CMAKE_CXX_FLAGS MATCHES "-fexceptions")
            set(throng_exceptions -fwasm-exceptions)
        endif()
        # For the whole library: a module with such instructions loads only where they run, so there is no choice at run
        # time. Emscripten 3.1.6's compiler makes wrong numbers when it puts scalars side by side in a vector by itself
        # (tests/unit/tree_marks_test.cpp), so that is off.
        list(APPEND throng_library_flags -fno-slp-vectorize)
        if(THRONG_WASM_SIMD)
            list(APPEND throng_library_flags -msimd128 -msse2)
        endif()
    endif()
    list(APPEND throng_library_flags ${throng_exceptions})
    set(throng_engine_flags "")
    if(EMSCRIPTEN AND THRONG_SMALL)
        # Only for these files: for Emscripten, -Oz means that no function at all is inlined, whatever flags follow.
        set(throng_engine_flags -Oz)
    elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # The kernels take most of the time. The rest would be a seventh larger with -O3, take longer to compile, and
        # run no faster, if its loops become vectors too.
        set(throng_engine_flags "$<$<CONFIG:Release>:-O2;-fvect-cost-model=dynamic>")
    endif()
    # Link-time optimisation would mix the instruction sets. A kernel throws nothing, and without exceptions the compiler
    # does not emit a shared helper that ends the program. Kernels are always optimised, in a debug build too: an inline
    # function that the compiler did not inline becomes a weak symbol, and the linker may pick the copy made for a CPU that
    # the machine does not have. tests/objects looks for them.
    set(throng_kernel_flags "$<IF:$<CONFIG:Release>,-O3,-O2>" -fno-lto -fno-exceptions)
    if(EMSCRIPTEN AND NOT THRONG_WASM_SIMD)
        # Lane by lane, inlined and unrolled code is mostly larger: without, the module has two thirds of the size.
        set(throng_kernel_flags -O2 -fno-unroll-loops -mllvm -inline-threshold=0 -fno-lto -fno-exceptions)
    endif()
    set(throng_sse2 -msse2)
    # -mavx2 brings neither FMA nor the bit manipulations, and -mavx512f not even those. Only flags that the dispatcher
    # can ask the CPU about are allowed. Not -mlzcnt: Clang 14 has no query for it, and a CPU without it counts
    # differently instead of failing.
    set(throng_avx2 -mavx2 -mfma -mbmi -mbmi2 -mpopcnt)
    set(throng_avx512 ${throng_avx2} -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # GCC 12 finds the deliberately undefined vectors of its own avx512fintrin.h.
        list(APPEND throng_avx512 -Wno-uninitialized -Wno-maybe-uninitialized)
    endif()
    set(throng_avx512vbmi2 ${throng_avx512} -mavx512vbmi2)
elseif(MSVC)
    message(STATUS "Throng: ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} in the manner of MSVC is untested. Please say "
        "how far it gets.")
    set(throng_warnings /W4)
    set(throng_werror /WX)
    # Without these it does not compile C++20, and a header cannot ask for it.
    set(throng_own_flags /permissive- /Zc:__cplusplus /Zc:preprocessor /utf-8)
    # Before Visual Studio 2022, precise arithmetic contracted.
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19.30)
        set(throng_exact_arithmetic /fp:strict)
    else()
        set(throng_exact_arithmetic /fp:precise)
    endif()
    set(throng_exceptions /EHsc)
    set(throng_library_flags ${throng_exceptions} /bigobj)
    set(throng_engine_flags "")
    set(throng_kernel_flags /O2 /Ob3 /GL-)
    set(throng_sse2 "")
    # Both bring the bit manipulations and FMA.
    set(throng_avx2 /arch:AVX2)
    set(throng_avx512 /arch:AVX512)
    set(throng_avx512vbmi2 /arch:AVX512)
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        # Here MSVC lets every function use every instruction.
        list(APPEND throng_avx512vbmi2 -mavx512vbmi2)
    endif()
else()
    message(FATAL_ERROR "Throng builds with GCC or Clang, and may build with MSVC; this is ${CMAKE_CXX_COMPILER_ID}.")
endif()

if(MINGW AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The stack of Windows is aligned to 16 bytes, and GCC does not always align it further for the vectors of 32 and 64
    # bytes that it puts there (its bug 54412). A program may then crash at some call. Debian's GCC moves all of them as
    # if they were not aligned. For other GCCs the assembler does the same, from binutils 2.38 on; tests/objects looks
    # for what is left. For aligned memory that takes no longer. Our headers bring no such vectors into a host's own
    # files.
    include(CheckCXXCompilerFlag)
    check_cxx_compiler_flag(-Wa,-muse-unaligned-vector-move THRONG_HAS_UNALIGNED_MOVES)
    if(THRONG_HAS_UNALIGNED_MOVES)
        list(APPEND throng_own_flags -Wa,-muse-unaligned-vector-move)
    elseif(NOT THRONG_ISAS MATCHES "^(baseline|sse2)$")
        message(WARNING "Throng: this assembler is older than binutils 2.38, so kernels for AVX2 and AVX-512 may end the program, "
            "unless GCC was changed as Debian's is. THRONG_ISAS=baseline leaves them out.")
    endif()
endif()
