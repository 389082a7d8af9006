# Structs have the same layout as in C: the checks that the tests print compile. With PLANTED, a struct that is a byte
# larger, they do not.
execute_process(COMMAND "${MONO}" "${TESTS}" --layouts ${PLANTED} OUTPUT_FILE "${SOURCE}" RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "The tests print no layouts.")
endif()
execute_process(COMMAND "${COMPILER}" -x c -std=c11 -fsyntax-only "-I${INCLUDE}" "${SOURCE}"
    RESULT_VARIABLE failed ERROR_VARIABLE said)
if(NOT PLANTED AND failed)
    message(FATAL_ERROR "${said}")
elseif(PLANTED AND NOT said MATCHES "sizeof\\(throng_")
    message(FATAL_ERROR "The compiler does not find that ${PLANTED} is larger: ${said}")
endif()
