# Builds and runs the host's programs by what pkg-config says of the installed package, if there is a pkg-config.
function(consume_by_pkg_config work consumer compiler compiler_flags version with_tbb
    with_structures)
    find_program(pkg_config NAMES pkg-config pkgconf)
    if(NOT pkg_config)
        message("without pkg-config, throng.pc is not tested")
        return()
    endif()
    file(GLOB_RECURSE file "${work}/prefix/throng.pc")
    get_filename_component(directory "${file}" DIRECTORY)
    # Moved to another place, since a package may be.
    file(RELATIVE_PATH inside "${work}/prefix" "${directory}")
    file(RENAME "${work}/prefix" "${work}/moved")
    set(ENV{PKG_CONFIG_PATH} "${work}/moved/${inside}:$ENV{PKG_CONFIG_PATH}")

    set(link_flags ${LINK_FLAGS})
    file(MAKE_DIRECTORY "${work}/by_pkg_config")
    if(WINDOWS)
        # There a program finds a library beside itself, and nowhere else.
        file(GLOB libraries "${work}/moved/bin/*.dll")
        file(COPY ${libraries} DESTINATION "${work}/by_pkg_config")
    else()
        list(APPEND link_flags "-Wl,-rpath,${work}/moved/lib")
    endif()
    separate_arguments(compiler_flags UNIX_COMMAND "${compiler_flags}")
    set(standard c++20)

    build_by_pkg_config(throng consumer every_class.cpp main.cpp no_memory.cpp)
    run_consumer(consumer "${work}/by_pkg_config" "" "${with_tbb}")
    if(with_structures)
        build_by_pkg_config(throng_structures consumer_of_structures
            every_structure.cpp main_of_structures.cpp no_memory_for_structures.cpp)
        run_consumer_of_structures(consumer_of_structures "${work}/by_pkg_config" "")
    endif()
    find_program(mpicxx NAMES mpicxx)
    if(EXISTS "${work}/moved/${inside}/throng_cluster.pc" AND mpicxx)
        set(ENV{OMPI_CXX} "${compiler}")
        set(compiler "${mpicxx}")
        build_by_pkg_config(throng_cluster consumer_of_cluster main_of_cluster.cpp)
        execute_process(COMMAND "${work}/by_pkg_config/consumer_of_cluster" COMMAND_ERROR_IS_FATAL ANY)
    endif()
    find_program(mpicc NAMES mpicc)
    if(EXISTS "${work}/moved/${inside}/throng_cluster_c.pc" AND mpicc)
        set(compiler "${mpicc}")
        set(compiler_flags "")
        set(standard c99)
        build_by_pkg_config(throng_cluster_c consumer_of_cluster_in_c main_of_cluster.c)
        execute_process(COMMAND "${work}/by_pkg_config/consumer_of_cluster_in_c" COMMAND_ERROR_IS_FATAL ANY)
        # And Python, by the two variables that docs/cluster.md names, where mpi4py is.
        include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../cmake/ThrongPython.cmake")
        throng_find_python(python "numpy, mpi4py")
        if(python)
            set(ENV{PYTHONPATH} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../bindings/python")
            set(ENV{THRONG_CLUSTER_LIBRARY} "${work}/moved/lib/libthrong_cluster_c.so")
            set(ENV{PYTHONDONTWRITEBYTECODE} 1)
            execute_process(COMMAND "${python}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../examples/cluster/crowd.py"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
        else()
            message("without mpi4py, the cluster is not tested in Python")
        endif()
    endif()
endfunction()

# Builds a program by what pkg-config says of a package.
macro(build_by_pkg_config package program)
    execute_process(COMMAND "${pkg_config}" --modversion ${package} OUTPUT_VARIABLE said
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    if(NOT said STREQUAL version)
        message(FATAL_ERROR "${package}.pc says version ${said}, the library is ${version}")
    endif()
    execute_process(COMMAND "${pkg_config}" --cflags --libs ${package} OUTPUT_VARIABLE flags
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    set(sources ${ARGN})
    list(TRANSFORM sources PREPEND "${consumer}/")
    execute_process(COMMAND "${compiler}" ${compiler_flags} -std=${standard} ${sources} ${flags} ${link_flags}
            -o "${work}/by_pkg_config/${program}${SUFFIX}"
        COMMAND_ERROR_IS_FATAL ANY)
endmacro()
