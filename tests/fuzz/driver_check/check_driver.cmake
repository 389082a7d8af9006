# The driver must find the planted fault, write the guilty input to a file and name it, find the same one again from the
# same seed, and fail on that file alone. Without a fault it must succeed.
#
#     cmake -DTARGET=... -DKEPT=... -DWORK=... -P check_driver.cmake
cmake_minimum_required(VERSION 3.21)
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

function(expect expected_result expected_text)
    execute_process(COMMAND "${TARGET}" ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL expected_result OR NOT output MATCHES "${expected_text}")
        message(FATAL_ERROR "${ARGN}: ${result} instead of ${expected_result}, or not '${expected_text}':\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

expect(0 "1 inputs tried" "${KEPT}")
expect(0 "1 inputs tried" "${KEPT}/harmless")
expect(2 "neither an option nor a path" "${WORK}/nowhere")

foreach(turn IN ITEMS first second)
    expect(1 "The input is now in ${WORK}/${turn}-crash-7-[0-9]+" -runs=100000 -seed=7
        "-artifact_prefix=${WORK}/${turn}-" "${KEPT}")
    file(GLOB ${turn} "${WORK}/${turn}-*")
endforeach()
execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${first}" "${second}" COMMAND_ERROR_IS_FATAL ANY)
expect(1 "The input is ${first}" "${first}")
