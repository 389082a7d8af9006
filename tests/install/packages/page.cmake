# What docs/install.md tells a host to write for CMake: each block in a project of its own, which then links the library. And all
# files that its commands name exist.
#
#     cmake -DSOURCE=... -DPREFIX=... -DWORK=... -DGENERATOR=... -DCOMPILER=... -DXSIMD=... -P page.cmake
#
# PREFIX is where the library is installed.
cmake_minimum_required(VERSION 3.21)
file(REMOVE_RECURSE "${WORK}")
file(READ "${SOURCE}/docs/install.md" page)

execute_process(COMMAND "${SOURCE}/scripts/wheel" --sdist "${WORK}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "/where/it/is/" "${WORK}/" page "${page}")

set(blocks 0)
string(FIND "${page}" "\n```cmake\n" begin)
while(NOT begin EQUAL -1)
    math(EXPR blocks "${blocks} + 1")
    math(EXPR begin "${begin} + 10")
    string(SUBSTRING "${page}" ${begin} -1 page)
    string(FIND "${page}" "```" end)
    string(SUBSTRING "${page}" 0 ${end} block)
    set(host "${WORK}/host${blocks}")
    file(WRITE "${host}/CMakeLists.txt"
        "cmake_minimum_required(VERSION 3.21)\nproject(host CXX)\nadd_executable(my_game main.cpp)\n${block}"
        "if(NOT TARGET throng::throng)\n    message(FATAL_ERROR \"there is no throng::throng\")\nendif()\n")
    file(COPY "${SOURCE}/cmake/packages/conan/test_package/main.cpp" DESTINATION "${host}")
    file(CREATE_LINK "${SOURCE}" "${host}/throng" SYMBOLIC)
    execute_process(COMMAND "${CMAKE_COMMAND}" -S "${host}" -B "${host}/build" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
        -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=${PREFIX}" "-DTHRONG_XSIMD_INCLUDE_DIR=${XSIMD}" -DTHRONG_ISAS=baseline
        -Wno-dev --no-warn-unused-cli
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    string(FIND "${page}" "\n```cmake\n" begin)
endwhile()
if(NOT blocks EQUAL 3)
    message(FATAL_ERROR "the page has ${blocks} blocks for CMake, where 3 are looked for")
endif()
# The installed library; the others have been configured, which is as far as they differ.
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/host1/build" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${WORK}/host1/build/my_game" COMMAND_ERROR_IS_FATAL ANY)

file(STRINGS "${SOURCE}/docs/install.md" lines)
set(named "")
foreach(line IN LISTS lines)
    string(REGEX MATCHALL "(scripts|cmake/packages)/[a-z/_.-]+" found "${line}")
    list(APPEND named ${found})
endforeach()
foreach(name IN LISTS named)
    if(NOT EXISTS "${SOURCE}/${name}")
        message(FATAL_ERROR "the page names ${name}, which is not there")
    endif()
endforeach()
if(NOT named)
    message(FATAL_ERROR "the page names no file")
endif()
