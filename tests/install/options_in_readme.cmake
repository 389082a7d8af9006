# Every option that a build of the project can be given is in the README.
#
#     cmake -DREADME=... "-DOPTIONS=name;..." -P options_in_readme.cmake
cmake_minimum_required(VERSION 3.21)
file(READ "${README}" readme)
list(LENGTH OPTIONS count)
if(count LESS 10)
    message(FATAL_ERROR "only these options were found: ${OPTIONS}")
endif()
foreach(option IN LISTS OPTIONS)
    if(NOT readme MATCHES "`${option}`")
        message(SEND_ERROR "the README does not mention ${option}")
    endif()
endforeach()
