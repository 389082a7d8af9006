# Installs the library into an empty place, and builds and runs a host's project against it.
#
#     cmake -DBUILD=... -DCONFIG=... -DCONSUMER=... -DWORK=... -DGENERATOR=... -DCOMPILER=... -DFLAGS=...
#           -DWITH_TBB=... -DWITH_STRUCTURES=... -DVERSION=... -DTOOLCHAIN=... -DEMULATOR=... -DSUFFIX=... -DWINDOWS=... -DLINK_FLAGS=...
#           -P install_and_consume.cmake
cmake_minimum_required(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/run_consumer.cmake")
cross_build("${WORK}/prefix")
file(REMOVE_RECURSE "${WORK}")

execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --config "${CONFIG}" --prefix "${WORK}/prefix"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# Every public header, in one place, without a trace of what only our build knows.
file(GLOB_RECURSE headers RELATIVE "${WORK}/prefix" "${WORK}/prefix/*/throng/*.hpp")
set(headers_of_structures "")
if(WITH_STRUCTURES)
    set(headers_of_structures structures.hpp structures/quadtree.hpp structures/object/object_tree.hpp)
elseif("${headers}" MATCHES "structures")
    message(FATAL_ERROR "headers of the structures were installed without them: ${headers}")
endif()
foreach(name IN ITEMS throng.hpp engine.hpp frame.hpp executor.hpp isa.hpp memory.hpp ${headers_of_structures})
    if(NOT "include/throng/${name}" IN_LIST headers)
        message(FATAL_ERROR "throng/${name} was not installed, only: ${headers}")
    endif()
endforeach()
file(GLOB_RECURSE installed "${WORK}/prefix/*.hpp" "${WORK}/prefix/*.cmake")
foreach(file IN LISTS installed)
    file(READ "${file}" text)
    get_filename_component(build_parent "${BUILD}" ABSOLUTE)
    foreach(trace IN ITEMS "xsimd/" "xsimd::" "-ffp-contract" "-mavx" "-Werror" "${build_parent}")
        string(FIND "${text}" "${trace}" position)
        if(NOT position EQUAL -1)
            message(FATAL_ERROR "${file} mentions ${trace}")
        endif()
    endforeach()
endforeach()

# Headers that say they are of another version, for a program that links the library all the same.
file(READ "${WORK}/prefix/include/throng/version.hpp" text)
string(REGEX REPLACE "(define THRONG_VERSION_M[A-Z]+) [0-9]+" "\\1 77" other "${text}")
file(WRITE "${WORK}/other/throng/version.hpp" "${other}")

# How well the host's program is optimised does not matter here.
string(TOUPPER "${CONFIG}" configuration)
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${CONSUMER}" -B "${WORK}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DCMAKE_CXX_FLAGS_${configuration}=-O0"
    "-DTHRONG_EXPECTED=${VERSION}" "-DTHRONG_OTHER_HEADERS=${WORK}/other" ${arguments_for_cross_build}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/build" --config "${CONFIG}"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# A version that this one does not promise to replace is refused.
string(REGEX MATCH "^([0-9]+)\\.([0-9]+)\\.[0-9]+$" version "${VERSION}")
math(EXPR next_minor "${CMAKE_MATCH_2} + 1")
set(newer "${CMAKE_MATCH_1}.${next_minor}")
file(WRITE "${WORK}/newer/CMakeLists.txt"
    "cmake_minimum_required(VERSION 3.21)\nproject(newer CXX)\nfind_package(throng ${newer} REQUIRED CONFIG)\n")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${WORK}/newer" -B "${WORK}/newer/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix" ${arguments_for_cross_build}
    RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
if(refused EQUAL 0)
    message(FATAL_ERROR "find_package(throng ${newer}) accepted ${VERSION}")
endif()

if(WINDOWS)
    file(GLOB libraries "${WORK}/prefix/bin/*.dll")
    file(COPY ${libraries} DESTINATION "${WORK}/build")
endif()
run_consumer(consumer "${WORK}/build" "${CONFIG}" "${WITH_TBB}")
run_consumer(consumer_without_exceptions "${WORK}/build" "${CONFIG}" "${WITH_TBB}")
run_consumer(consumer_of_cxx23 "${WORK}/build" "${CONFIG}" "${WITH_TBB}")
run_other_headers("${WORK}/build" "${CONFIG}" "${VERSION}")
if(WITH_STRUCTURES)
    run_consumer_of_structures(consumer_of_structures "${WORK}/build" "${CONFIG}")
    run_consumer_of_structures(consumer_of_structures_without_exceptions "${WORK}/build" "${CONFIG}")
endif()
if(EXISTS "${WORK}/prefix/lib/cmake/throng/throngClusterTargets.cmake")
    execute_process(COMMAND "${WORK}/build/consumer_of_cluster" COMMAND_ERROR_IS_FATAL ANY)
endif()

# A host without CMake.
include("${CMAKE_CURRENT_LIST_DIR}/pkg_config.cmake")
consume_by_pkg_config("${WORK}" "${CONSUMER}" "${COMPILER}" "${FLAGS}" "${VERSION}" "${WITH_TBB}"
    "${WITH_STRUCTURES}")
