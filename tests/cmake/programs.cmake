# Makes a folder's files a program, and that a test.
#
#     throng_tests(<name> LABELS ... [SOURCES ...] [SERIAL ...] [STRINGS ...] [FILTER f] [SHARDS n] [OPTIMIZED])
#         The program throng_<name>_tests of all .cpp files in this folder, or of the SOURCES, and the test <name>: or
#         several, of which each runs its share of the program, where it takes so long that the other cores would wait
#         for it at the end.
#         SERIAL     more files, or some of these, that use one thread: the thread sanitizer does without them
#         STRINGS    files that make worlds by their strings. Emscripten does without them, since its standard library
#                    writes no floats by to_chars
#         FILTER     which part of the program this test runs; throng_test adds the others
#         OPTIMIZED  for those that have much of the tested code in themselves, from headers: they are so in every build
#     throng_test(<name> <program> <filter> LABELS ... [SHARDS n])
#         A part of a program, as a test.
#     throng_test_program(<target> [OPTIMIZED])
#         Gives a program of tests its flags and its libraries.
#     throng_needed_by_label(<target> <label>...)
#         Says for which of the targets throng_<label>_tests a target is needed.
#     throng_skip_test(<name>)
#         A test that only says why it is skipped: throng_skipped_<name>.

foreach(label IN ITEMS quick platform threads)
    add_custom_target(throng_${label}_tests)
endforeach()

function(throng_needed_by_label target)
    foreach(label IN ITEMS quick platform threads)
        if(label IN_LIST ARGN)
            add_dependencies(throng_${label}_tests ${target})
        endif()
    endforeach()
endfunction()

function(throng_skip_test name)
    add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -E echo "Skipped: ${throng_skipped_${name}}")
    set_tests_properties(${name} PROPERTIES LABELS quick SKIP_REGULAR_EXPRESSION "^Skipped: ")
endfunction()

function(throng_test_program target)
    cmake_parse_arguments(PARSE_ARGV 1 argument "OPTIMIZED" "" "")
    throng_target(${target})
    target_link_libraries(${target} PRIVATE throng_test_support GTest::gtest_main)
    if(argument_OPTIMIZED)
        throng_compile_as(some ${target})
        return()
    endif()
    throng_compile_as(plain ${target})
    # Of the copies of a template, std::sort's say, the linker takes the first it meets: that of the support and the
    # oracle, which are optimised, before the program's own.
    if(THRONG_SANITIZE AND NOT APPLE)
        foreach(library IN ITEMS throng_test_harness throng_test_support throng_scenes throng_oracle)
            target_link_options(${target} PRIVATE
                "LINKER:--whole-archive,$<TARGET_FILE:${library}>,--no-whole-archive")
        endforeach()
    endif()
endfunction()

function(throng_tests name)
    cmake_parse_arguments(PARSE_ARGV 1 argument "OPTIMIZED" "FILTER;SHARDS" "LABELS;SOURCES;SERIAL;STRINGS")
    if(NOT argument_SOURCES)
        file(GLOB argument_SOURCES CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" *.cpp)
    endif()
    if(argument_SERIAL)
        list(REMOVE_ITEM argument_SOURCES ${argument_SERIAL})
    endif()
    if(NOT THRONG_SANITIZE STREQUAL "thread")
        list(APPEND argument_SOURCES ${argument_SERIAL})
    endif()
    if(EMSCRIPTEN AND argument_STRINGS)
        list(REMOVE_ITEM argument_SOURCES ${argument_STRINGS})
    endif()
    set(target throng_${name}_tests)
    add_executable(${target} ${argument_SOURCES})
    set(optimized "")
    if(argument_OPTIMIZED)
        set(optimized OPTIMIZED)
    endif()
    throng_test_program(${target} ${optimized})
    if(argument_STRINGS AND NOT EMSCRIPTEN)
        target_link_libraries(${target} PRIVATE throng_worlds)
    endif()
    if(THRONG_SANITIZE AND "counted" IN_LIST argument_LABELS)
        set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    throng_needed_by_label(${target} ${argument_LABELS})
    if(NOT argument_FILTER)
        set(argument_FILTER "*")
    endif()
    set(shards "")
    if(argument_SHARDS)
        set(shards SHARDS ${argument_SHARDS})
    endif()
    throng_test(${name} ${name} "${argument_FILTER}" LABELS ${argument_LABELS} ${shards})
endfunction()

function(throng_test name program filter)
    cmake_parse_arguments(PARSE_ARGV 3 argument "" "SHARDS" "LABELS")
    # A misspelt label is a test that never runs.
    foreach(label IN LISTS argument_LABELS)
        if(NOT label MATCHES "^(quick|platform|threads|counted|long|soak)$")
            message(FATAL_ERROR "the test ${name} has an unknown label: ${label}")
        endif()
    endforeach()
    set(command throng_${program}_tests --gtest_brief=1 "--gtest_filter=${filter}")
    if(NOT argument_SHARDS)
        add_test(NAME ${name} COMMAND ${command})
        set_tests_properties(${name} PROPERTIES LABELS "${argument_LABELS}" TIMEOUT "${THRONG_TEST_TIMEOUT}")
        return()
    endif()
    math(EXPR last "${argument_SHARDS} - 1")
    foreach(shard RANGE ${last})
        math(EXPR number "${shard} + 1")
        add_test(NAME ${name}.${number} COMMAND ${command})
        set_tests_properties(${name}.${number} PROPERTIES
            LABELS "${argument_LABELS}" TIMEOUT "${THRONG_TEST_TIMEOUT}"
            ENVIRONMENT "GTEST_TOTAL_SHARDS=${argument_SHARDS};GTEST_SHARD_INDEX=${shard}"
            # What has shards takes long, so it starts first.
            COST 10)
    endforeach()
endfunction()
