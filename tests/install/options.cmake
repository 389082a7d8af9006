# What the options promise: an optional library that was asked for by name is there, or nothing is configured; and no warning
# is an error that was not asked to be one, in presets neither.
#
#     cmake -DSOURCE=... -DWORK=... -DGENERATOR=... -DCOMPILER=... -DXSIMD=... -DWITH_TBB=... -P options.cmake
cmake_minimum_required(VERSION 3.21)
file(REMOVE_RECURSE "${WORK}")

# Configures the library alone, and leaves what CMake said in `said` and whether it succeeded in `status`.
function(configure name)
    execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/${name}" -G "${GENERATOR}"
        "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DTHRONG_XSIMD_INCLUDE_DIR=${XSIMD}" -DTHRONG_BUILD_TESTS=OFF
        -DTHRONG_BUILD_EXAMPLES=OFF -DTHRONG_BUILD_BENCH=OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON ${ARGN}
        RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    string(REGEX REPLACE "[ \n]+" " " said "${said}")
    set(said "${said}" PARENT_SCOPE)
    set(status "${status}" PARENT_SCOPE)
endfunction()
function(expect_success words)
    if(NOT status EQUAL 0 OR NOT said MATCHES "${words}")
        message(FATAL_ERROR "expected success, and '${words}', not: ${status} ${said}")
    endif()
endfunction()
function(expect_refusal words)
    if(status EQUAL 0 OR NOT said MATCHES "${words}")
        message(FATAL_ERROR "expected a refusal, and '${words}', not: ${status} ${said}")
    endif()
endfunction()

# What find_package does where oneTBB is not installed.
set(nowhere -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON)
configure(without ${nowhere})
expect_success("oneTBB was not found .* is the serial one \\(THRONG_WITH_TBB is AUTO\\)")
configure(without -DTHRONG_WITH_TBB=ON ${nowhere})
expect_refusal("THRONG_WITH_TBB is ON, and oneTBB was not found")
configure(without -DTHRONG_WITH_TBB=maybe)
expect_refusal("is AUTO, ON or OFF, and not 'MAYBE'")
# OFF does not even look: a package that fails is not met.
file(WRITE "${WORK}/broken/TBBConfig.cmake" "message(FATAL_ERROR \"somebody looked for oneTBB\")\n")
configure(off -DTHRONG_WITH_TBB=OFF "-DTBB_DIR=${WORK}/broken")
expect_success("without oneTBB, so tbb_executor\\(\\) is the serial one")
configure(broken "-DTBB_DIR=${WORK}/broken")
expect_refusal("somebody looked for oneTBB")
if(WITH_TBB)
    configure(with)
    expect_success("with the oneTBB executor \\(oneTBB [0-9.]+; THRONG_WITH_TBB is AUTO\\)")
    configure(with -DTHRONG_WITH_TBB=ON)
    expect_success("with the oneTBB executor \\(oneTBB [0-9.]+; THRONG_WITH_TBB is ON\\)")
endif()

# The planted one first: what is looked for is there if it is asked for.
foreach(asked IN ITEMS ON OFF)
    set(arguments "")
    if(asked)
        set(arguments -DTHRONG_WERROR=ON)
    endif()
    configure(werror_${asked} -DTHRONG_WITH_TBB=OFF ${arguments})
    expect_success("")
    file(READ "${WORK}/werror_${asked}/compile_commands.json" commands)
    string(FIND "${commands}" "-Werror" position)
    if(asked AND position EQUAL -1 OR NOT asked AND NOT position EQUAL -1)
        message(FATAL_ERROR "with THRONG_WERROR ${asked} there is a -Werror, or there is none: ${position}")
    endif()
endforeach()
file(READ "${SOURCE}/CMakePresets.json" presets)
if(presets MATCHES "Werror|THRONG_WERROR")
    message(FATAL_ERROR "a preset turns warnings into errors, and a user's compiler may be a newer one")
endif()
