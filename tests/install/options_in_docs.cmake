# Every option that a build of the project can be given is in the page of options.
#
#     cmake -DPAGE=... "-DOPTIONS=name;..." -P options_in_docs.cmake
cmake_minimum_required(VERSION 3.21)
file(READ "${PAGE}" page)
list(LENGTH OPTIONS count)
if(count LESS 10)
    message(FATAL_ERROR "only these options were found: ${OPTIONS}")
endif()
foreach(option IN LISTS OPTIONS)
    if(NOT page MATCHES "`${option}`")
        message(SEND_ERROR "${PAGE} does not mention ${option}")
    endif()
endforeach()
