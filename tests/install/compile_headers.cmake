# Installs the library into an empty place, and compiles each public header alone, and twice in one file.
#
#     cmake -DBUILD=... -DCONFIG=... -DWORK=... -DCOMPILER=... -P compile_headers.cmake
cmake_minimum_required(VERSION 3.21)
file(REMOVE_RECURSE "${WORK}")

execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --config "${CONFIG}" --prefix "${WORK}/prefix"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

file(GLOB_RECURSE headers RELATIVE "${WORK}/prefix/include" "${WORK}/prefix/include/throng/*.hpp")
if(NOT headers)
    message(FATAL_ERROR "no header was installed")
endif()
foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER "${header}" name)
    file(WRITE "${WORK}/headers/${name}.cpp" "#include <${header}>\n#include <${header}>\n")
    execute_process(COMMAND "${COMPILER}" -std=c++20 -Wall -Wextra -Wpedantic -Werror -fsyntax-only
        "-I${WORK}/prefix/include" "${WORK}/headers/${name}.cpp"
        COMMAND_ERROR_IS_FATAL ANY)
endforeach()
