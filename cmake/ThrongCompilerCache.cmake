# ccache, if it is there, for our own builds: a second build of the same sources then takes seconds. Nothing depends on
# it, and CCACHE_DISABLE=1 in the environment does without.
cmake_dependent_option(THRONG_COMPILER_CACHE
    "Compile by way of ccache, where it is installed. A host chooses for its own build." ON
    "THRONG_OWN_BUILD" OFF)
if(THRONG_COMPILER_CACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(THRONG_CCACHE ccache)
    mark_as_advanced(THRONG_CCACHE)
    if(THRONG_CCACHE)
        # What it has to look past, and the compiler to write, for files with precompiled headers.
        set(environment "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime")
        # By the files that were read, comments included, and not by what the preprocessor makes of them: a precompiled header
        # of other comments would be found, and the compiler takes headers that differ from those in it for others.
        list(APPEND environment CCACHE_DEPEND=1)
        if(EMSCRIPTEN)
            # A script around Clang, which ccache does not know by its name.
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
