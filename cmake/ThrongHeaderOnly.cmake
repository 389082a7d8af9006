# Libraries that are headers only, for cross builds: the build machine's will do. But its own system headers lie in the same
# directory, and must not be seen by a cross compiler.
#
#     throng_headers_alone(<result> <directory> <name>)
#         A directory that has nothing but directory/name, if there is more in that one; else the same directory.
function(throng_headers_alone result directory name)
    if(CMAKE_CROSSCOMPILING AND directory STREQUAL "/usr/include")
        file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/${name}-only")
        file(CREATE_LINK "${directory}/${name}" "${PROJECT_BINARY_DIR}/${name}-only/${name}" SYMBOLIC)
        set(directory "${PROJECT_BINARY_DIR}/${name}-only")
    endif()
    set(${result} "${directory}" PARENT_SCOPE)
endfunction()
