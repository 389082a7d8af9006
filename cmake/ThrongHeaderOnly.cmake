# Header-only libraries for cross builds: the build machine's will do. But its own system headers lie in the same
# directory, and a cross compiler must not see them.
#
#     throng_headers_alone(<result> <directory> <name>)
#         A directory with only directory/name, if there is more in that one; otherwise the same directory.
function(throng_headers_alone result directory name)
    if(CMAKE_CROSSCOMPILING AND directory STREQUAL "/usr/include")
        file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/${name}-only")
        file(CREATE_LINK "${directory}/${name}" "${PROJECT_BINARY_DIR}/${name}-only/${name}" SYMBOLIC)
        set(directory "${PROJECT_BINARY_DIR}/${name}-only")
    endif()
    set(${result} "${directory}" PARENT_SCOPE)
endfunction()
