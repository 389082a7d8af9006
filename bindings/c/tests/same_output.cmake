# Runs bounce.c and the same program in another language, and compares what they print.
execute_process(COMMAND "${RUN}" "${PROGRAM}" 2000 50 OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${IN_C}" 2000 50 OUTPUT_VARIABLE wanted COMMAND_ERROR_IS_FATAL ANY)
if(NOT found STREQUAL wanted OR NOT found MATCHES "2000 agents touched [1-9]")
    message(FATAL_ERROR "${PROGRAM} printed\n${found}\nand bounce.c\n${wanted}")
endif()
