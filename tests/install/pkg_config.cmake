# Builds and runs the host's program by what pkg-config says of the installed package, if there is a pkg-config.
function(consume_by_pkg_config work consumer compiler compiler_flags version with_tbb)
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

    execute_process(COMMAND "${pkg_config}" --modversion throng OUTPUT_VARIABLE said
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    if(NOT said STREQUAL version)
        message(FATAL_ERROR "throng.pc says version ${said}, the library is ${version}")
    endif()
    execute_process(COMMAND "${pkg_config}" --cflags --libs throng OUTPUT_VARIABLE flags
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    separate_arguments(compiler_flags UNIX_COMMAND "${compiler_flags}")
    file(MAKE_DIRECTORY "${work}/by_pkg_config")
    set(link_flags ${LINK_FLAGS})
    if(WINDOWS)
        # There a program finds a library beside itself, and nowhere else.
        file(GLOB libraries "${work}/moved/bin/*.dll")
        file(COPY ${libraries} DESTINATION "${work}/by_pkg_config")
    else()
        list(APPEND link_flags "-Wl,-rpath,${work}/moved/lib")
    endif()
    execute_process(COMMAND "${compiler}" ${compiler_flags} -std=c++20 "${consumer}/every_class.cpp" "${consumer}/main.cpp"
            "${consumer}/no_memory.cpp" ${flags} ${link_flags} -o "${work}/by_pkg_config/consumer${SUFFIX}"
        COMMAND_ERROR_IS_FATAL ANY)
    run_consumer(consumer "${work}/by_pkg_config" "" "${with_tbb}")
endfunction()
