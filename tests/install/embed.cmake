# Builds and runs a host's project with the library as a part of itself, as a shared library. It has settings that a
# host may want for its own files but that would break the library: no exceptions and run-time types, unity builds,
# link-time optimisation, and all warnings, as errors if ours are. The library exports only what its public headers
# declare.
#
#     cmake -DSOURCE=... -DCONSUMER=... -DWORK=... -DGENERATOR=... -DCOMPILER=... -DFLAGS=... -DWITH_TBB=...
#           -DXSIMD=... -DGNU=... -DWERROR=... -DNM=... -DCHECK_SYMBOLS=...
#           -DTOOLCHAIN=... -DEMULATOR=... -DSUFFIX=... -DWINDOWS=... -P embed.cmake
cmake_minimum_required(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/run_consumer.cmake")
cross_build("${WORK}")
file(REMOVE_RECURSE "${WORK}")

# Kernels compile in two thirds of the time so, and are optimised all the same.
set(CONFIG MinSizeRel)

# The linker sees all types at once, and finds two with one name. Without optimisation nothing inline hides them.
set(one_definition "")
set(link_time_optimisation ON)
if(WINDOWS)
    # GCC 12 meets a section of a template twice there, and gives up.
    set(link_time_optimisation OFF)
elseif(GNU)
    set(one_definition "-Werror=odr -Werror=lto-type-mismatch")
endif()

string(STRIP "${FLAGS} -fno-exceptions -fno-rtti -Wall -Wextra" flags_of_host)
if(WERROR)
    string(APPEND flags_of_host " -Werror")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${CONSUMER}" -B "${WORK}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DTHRONG_SOURCE=${SOURCE}"
    "-DTHRONG_WITH_TBB=${WITH_TBB}" "-DTHRONG_XSIMD_INCLUDE_DIR=${XSIMD}" -DTHRONG_ISAS=baseline
    -DBUILD_SHARED_LIBS=ON "-DCMAKE_CXX_FLAGS=${flags_of_host}"
    -DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON
    "-DCMAKE_CXX_FLAGS_MINSIZEREL=-O0 -DNDEBUG" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0
    -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=${link_time_optimisation} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
    "-DCMAKE_SHARED_LINKER_FLAGS_INIT=${one_definition}" ${arguments_for_cross_build}
    # On Windows a program finds a library beside itself, and nowhere else.
    "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${WORK}"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# The host's own file is compiled with the host's flags.
file(READ "${WORK}/compile_commands.json" commands)
string(JSON count LENGTH "${commands}")
math(EXPR last "${count} - 1")
set(seen OFF)
foreach(i RANGE ${last})
    string(JSON file GET "${commands}" ${i} file)
    string(JSON command GET "${commands}" ${i} command)
    string(REPLACE "${flags_of_host}" "" command "${command}")
    if(file MATCHES "/consumer/main.cpp$" OR file MATCHES "/consumer(_of_structures)?.dir/Unity/")
        set(seen ON)
        if(command MATCHES " (-m[a-z]|-W|-fexceptions|-ffp|-fno-fast-math|-fsanitize|-DTHRONG)[^ ]*")
            message(FATAL_ERROR "a flag of ours in the host's build: ${CMAKE_MATCH_0}")
        endif()
    elseif(command MATCHES " -W(all|error)")
        message(FATAL_ERROR "our warnings in the host's build of ${file}")
    endif()
endforeach()
if(NOT seen)
    message(FATAL_ERROR "the host's own file is not in compile_commands.json")
endif()

function(find_shared name result)
    file(GLOB_RECURSE found LIST_DIRECTORIES false
        "${WORK}/lib${name}.so" "${WORK}/lib${name}.dylib" "${WORK}/lib${name}.dll")
    set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Of the structures nothing is compiled for a program that does not link them.
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}" --config "${CONFIG}" --target consumer
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE compiled "${WORK}/throng/structures/*.o" "${WORK}/throng/structures/*.obj")
if(compiled)
    message(FATAL_ERROR "structures were compiled for a host that does not link them: ${compiled}")
endif()

execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}" --config "${CONFIG}"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE compiled "${WORK}/throng/structures/*.o" "${WORK}/throng/structures/*.obj")
if(NOT compiled)
    message(FATAL_ERROR "where structures were looked for are none when a program links them")
endif()
foreach(name IN ITEMS throng throng_structures)
    find_shared(${name} library)
    if(NOT library)
        message(FATAL_ERROR "no shared library ${name} was built")
    endif()
    if(NM AND NOT APPLE)
        execute_process(COMMAND "${CHECK_SYMBOLS}" exports "${NM}" ${library} COMMAND_ERROR_IS_FATAL ANY)
    endif()
endforeach()

# An archive inside a plugin whose host hides its own names. A part of the library is enough, and compiles fast. (On
# Windows a host says what its plugin exports.)
if(NM AND NOT APPLE AND NOT WINDOWS)
    execute_process(COMMAND "${CMAKE_COMMAND}" -S "${CONSUMER}" -B "${WORK}/hidden" -G "${GENERATOR}"
        "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DTHRONG_SOURCE=${SOURCE}"
        "-DTHRONG_WITH_TBB=OFF" "-DTHRONG_XSIMD_INCLUDE_DIR=${XSIMD}" -DTHRONG_ISAS=baseline
        -DCMAKE_CXX_VISIBILITY_PRESET=hidden OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/hidden" --config "${CONFIG}" --target throng_parallel
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB_RECURSE objects "${WORK}/hidden/throng/parallel/*.o")
    execute_process(COMMAND "${COMPILER}" -shared ${objects} -o "${WORK}/plugin.so" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${NM}" -D --defined-only "${WORK}/plugin.so" OUTPUT_VARIABLE exported
        COMMAND_ERROR_IS_FATAL ANY)
    if(NOT objects OR exported MATCHES "6throng")
        message(FATAL_ERROR "a plugin of a host that hides its names exports ours: ${exported}")
    endif()
endif()

run_consumer(consumer "${WORK}" "${CONFIG}" "${WITH_TBB}")
run_consumer_of_structures(consumer_of_structures "${WORK}" "${CONFIG}")
