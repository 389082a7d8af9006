# Installs the libraries into an empty place, and builds and runs a C program with only these: by the paths, by
# pkg-config if there is one, and by find_package.
#
#     cmake -DBUILD=... -DCONFIG=... -DWORK=... -DCOMPILER=... -DGENERATOR=... -DTOOLCHAIN=... -DEMULATOR=... -DSUFFIX=...
#         -DWINDOWS=... -DEXAMPLE=... [-DSTRUCTURES=...] -P installed.cmake
#
# STRUCTURES is a program that uses the small structures, if the library has them.
cmake_minimum_required(VERSION 3.21)
file(REMOVE_RECURSE "${WORK}")
set(prefix "${WORK}/prefix")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --config "${CONFIG}" --prefix "${prefix}"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
set(name libthrong_c.so)
if(WINDOWS)
    set(name libthrong_c.dll.a)
endif()
file(GLOB_RECURSE library "${prefix}/${name}")
if(NOT library OR NOT EXISTS "${prefix}/include/throng.h")
    message(FATAL_ERROR "the C library or its header was not installed")
endif()
get_filename_component(directory "${library}" DIRECTORY)
set(by_path "-Wl,-rpath,${directory}")
if(WINDOWS)
    set(by_path "")
    if(NOT EXISTS "${prefix}/bin/throng.dll" OR NOT EXISTS "${directory}/throng.def")
        message(FATAL_ERROR "throng.dll or throng.def was not installed")
    endif()
endif()

function(expect_bounces program)
    if(WINDOWS)  # which looks for a DLL beside the program
        get_filename_component(folder "${program}" DIRECTORY)
        file(COPY "${prefix}/bin/throng.dll" DESTINATION "${folder}")
    endif()
    execute_process(COMMAND ${EMULATOR} "${program}${SUFFIX}" 1000 20 OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    if(NOT said MATCHES "1000 agents touched [1-9]")
        message(FATAL_ERROR "${said}")
    endif()
endfunction()

# The other libraries are not linked, so nothing of C++ is needed.
execute_process(COMMAND "${COMPILER}" -x c -std=c99 "${EXAMPLE}" -x none "-I${prefix}/include" "-L${directory}" -lthrong_c
        ${by_path} -o "${WORK}/bounce${SUFFIX}"
    COMMAND_ERROR_IS_FATAL ANY)
expect_bounces("${WORK}/bounce")

if(STRUCTURES)
    execute_process(COMMAND "${COMPILER}" -x c -std=c99 "${STRUCTURES}" -x none "-I${prefix}/include" "-L${directory}" -lthrong_c
            ${by_path} -o "${WORK}/structures${SUFFIX}"
        COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${EMULATOR} "${WORK}/structures${SUFFIX}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endif()

find_program(pkg_config NAMES pkg-config pkgconf)
if(pkg_config)
    set(ENV{PKG_CONFIG_PATH} "${directory}/pkgconfig")
    execute_process(COMMAND "${pkg_config}" --cflags --libs throng_c OUTPUT_VARIABLE flags
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    execute_process(COMMAND "${COMPILER}" -x c -std=c99 "${EXAMPLE}" -x none ${flags} ${by_path}
            -o "${WORK}/bounce_by_pkg_config${SUFFIX}"
        COMMAND_ERROR_IS_FATAL ANY)
    expect_bounces("${WORK}/bounce_by_pkg_config")
endif()

set(cross_build "")
if(TOOLCHAIN)
    set(cross_build "-DCMAKE_TOOLCHAIN_FILE=${TOOLCHAIN}" "-DCMAKE_FIND_ROOT_PATH=${prefix}")
endif()
file(COPY "${EXAMPLE}" DESTINATION "${WORK}/host")
file(WRITE "${WORK}/host/CMakeLists.txt" "
cmake_minimum_required(VERSION 3.21)
project(host CXX)
find_package(throng REQUIRED)
add_executable(host bounce.c)
set_source_files_properties(bounce.c PROPERTIES LANGUAGE CXX)
target_link_libraries(host PRIVATE throng::c)
")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${WORK}/host" -B "${WORK}/host/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Release
    ${cross_build} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/host/build" --config Release OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
expect_bounces("${WORK}/host/build/host")
