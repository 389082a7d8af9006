# ccache, if it is there, for our own builds: a second build of the same sources then takes seconds. Nothing depends on
# it; CCACHE_DISABLE=1 in the environment turns it off.
cmake_dependent_option(THRONG_COMPILER_CACHE
    "Compile by way of ccache, where it is installed. A host chooses for its own build." ON
    "THRONG_OWN_BUILD" OFF)
if(THRONG_COMPILER_CACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(THRONG_CCACHE ccache)
    mark_as_advanced(THRONG_CCACHE)
    if(THRONG_CCACHE)
        # What ccache must ignore, and the compiler must write, for files with precompiled headers.
        set(environment "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime")
        # By the files that were read, comments included, instead of by preprocessed text. Otherwise a precompiled
        # header with other comments would be found, and the compiler refuses headers that differ from those in it.
        list(APPEND environment CCACHE_DEPEND=1)
        if(EMSCRIPTEN)
            # A script around Clang, whose name ccache does not know.
            list(APPEND environment CCACHE_COMPILERTYPE=clang)
        endif()
        set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env ${environment} "${THRONG_CCACHE}")
        if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
            add_compile_options(-fpch-preprocess)
        elseif(NOT MSVC)
            add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
        endif()
        message(STATUS "Throng: compiling by way of ${THRONG_CCACHE}")
    endif()
endif()
