# Installs the library into an empty place, and builds and runs a host's project against it.
#
#     cmake -DBUILD=... -DCONFIG=... -DCONSUMER=... -DWORK=... -DGENERATOR=... -DCOMPILER=... -DWITH_TBB=...
#           -P install_and_consume.cmake
cmake_minimum_required(VERSION 3.21)
file(REMOVE_RECURSE "${WORK}")

execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --config "${CONFIG}" --prefix "${WORK}/prefix"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# Every public header, in one place, and not a trace of what only our build knows.
file(GLOB_RECURSE headers RELATIVE "${WORK}/prefix" "${WORK}/prefix/*/throng/*.hpp")
foreach(name IN ITEMS throng.hpp engine.hpp frame.hpp executor.hpp isa.hpp
        containers/hierarchical_bitset.hpp)
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

execute_process(COMMAND "${CMAKE_COMMAND}" -S "${CONSUMER}" -B "${WORK}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/build" --config "${CONFIG}"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# A version that this one does not promise to replace is refused.
file(WRITE "${WORK}/newer/CMakeLists.txt"
    "cmake_minimum_required(VERSION 3.21)\nproject(newer CXX)\nfind_package(throng 0.2 REQUIRED CONFIG)\n")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${WORK}/newer" -B "${WORK}/newer/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
if(refused EQUAL 0)
    message(FATAL_ERROR "find_package(throng 0.2) accepted a 0.1")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/run_consumer.cmake")
run_consumer("${WORK}/build" "${CONFIG}" "${WITH_TBB}")
