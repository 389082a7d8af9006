# Runs Bounce.cs by Mono and bounce.c, and compares what they print.
execute_process(COMMAND "${MONO}" "${PROGRAM}" 2000 50 OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${IN_C}" 2000 50 OUTPUT_VARIABLE wanted COMMAND_ERROR_IS_FATAL ANY)
if(NOT found STREQUAL wanted OR NOT found MATCHES "2000 agents touched [1-9]")
    message(FATAL_ERROR "Bounce.cs printed\n${found}\nand bounce.c\n${wanted}")
endif()
