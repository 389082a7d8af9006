# WebAssembly by Emscripten: Debian's package, or any other one whose em++ is on the path. Tests run in node.

find_program(THRONG_EMSCRIPTEN em++)
mark_as_advanced(THRONG_EMSCRIPTEN)
if(NOT THRONG_EMSCRIPTEN)
    message(FATAL_ERROR "There is no em++ on the path. Install Emscripten (Debian: emscripten).")
endif()
file(REAL_PATH "${THRONG_EMSCRIPTEN}" throng_emscripten)
get_filename_component(throng_emscripten "${throng_emscripten}" DIRECTORY)
include("${throng_emscripten}/cmake/Modules/Platform/Emscripten.cmake")

# Debian's keeps the parts of node that it needs in a place where node does not look by itself.
if(EXISTS /usr/share/nodejs/acorn)
    set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
endif()

# Exceptions by WebAssembly's own instructions: they cost nothing until one is thrown. The tests see inside the kernels,
# and so need their flags as well. (ThrongFlags.cmake explains the last one.)
set(CMAKE_CXX_FLAGS_INIT "-fwasm-exceptions -msimd128 -msse2 -fno-slp-vectorize")
# The tests' worlds need more than the default 16 MiB of a module, and read files. The module is compiled synchronously:
# loading in the background would use a newer node's fetch(), which reads no file.
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=8MB -sEXIT_RUNTIME=1 -sNODERAWFS=1 -sWASM_ASYNC_COMPILATION=0 --pre-js \"${CMAKE_CURRENT_LIST_DIR}/wasm_environment.js\"")

# xsimd is headers only, so the build machine's will do.
set(THRONG_XSIMD_INCLUDE_DIR /usr/include CACHE PATH "Directory with xsimd/xsimd.hpp")
