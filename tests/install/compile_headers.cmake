# Installs the library into an empty place, and compiles each public header alone, and twice in one file; and all of them but one
# without exceptions and run-time types, as C++20 and as C++23.
#
#     cmake -DBUILD=... -DCONFIG=... -DWORK=... -DCOMPILER=... -DFLAGS=... -DWERROR=... -DMPI=... -P compile_headers.cmake
cmake_minimum_required(VERSION 3.21)
set(mpi "")
foreach(directory IN LISTS MPI)
    list(APPEND mpi -isystem "${directory}")
endforeach()
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
set(warnings -Wall -Wextra -Wpedantic)
if(WERROR)
    list(APPEND warnings -Werror)
endif()
file(REMOVE_RECURSE "${WORK}")

execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --config "${CONFIG}" --prefix "${WORK}/prefix"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

file(GLOB_RECURSE headers RELATIVE "${WORK}/prefix/include" "${WORK}/prefix/include/throng/*.hpp")
if(NOT headers)
    message(FATAL_ERROR "no header was installed")
endif()

function(compiles file)
    execute_process(COMMAND "${COMPILER}" ${flags} -std=c++20 ${warnings} -fsyntax-only ${ARGN}
        "-I${WORK}/prefix/include" ${mpi} "${WORK}/headers/${file}.cpp"
        COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(all "")
foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER "${header}" name)
    file(WRITE "${WORK}/headers/${name}.cpp" "#include <${header}>\n#include <${header}>\n")
    compiles("${name}")
    # A std::pmr::memory_resource refuses by an exception, so its adapter is for hosts with exceptions.
    if(NOT header STREQUAL "throng/adapters/pmr.hpp")
        string(APPEND all "#include <${header}>\n")
    endif()
endforeach()

# The others in a host that has neither exceptions nor run-time types.
file(WRITE "${WORK}/headers/all.cpp" "${all}")
compiles(all -fno-exceptions -fno-rtti)
# The later one wins. GCC 12 and Clang 14 know it by this name.
compiles(all -fno-exceptions -fno-rtti -std=c++2b)
