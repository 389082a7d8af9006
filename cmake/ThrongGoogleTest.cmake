# GTest::gtest, GTest::gtest_main and GTest::gmock for the tests: the installed ones. In a cross build, or with another
# standard library than the machine's, they are built from the sources in Debian's package `googletest`.
if(NOT CMAKE_CROSSCOMPILING AND NOT CMAKE_CXX_FLAGS MATCHES "-stdlib=")
    find_package(GTest QUIET)
endif()
if(NOT TARGET GTest::gtest)
    set(THRONG_GOOGLETEST_SOURCE_DIR "/usr/src/googletest" CACHE PATH
        "Sources of GoogleTest, where no built one is found")
    if(NOT EXISTS "${THRONG_GOOGLETEST_SOURCE_DIR}/CMakeLists.txt")
        message(FATAL_ERROR "The tests need GoogleTest. Install it (Debian: libgtest-dev, and googletest for "
            "cross builds and libc++), or configure with -DTHRONG_BUILD_TESTS=OFF.")
    endif()
    set(INSTALL_GTEST OFF CACHE INTERNAL "GoogleTest serves the tests only")
    add_subdirectory("${THRONG_GOOGLETEST_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL)
    foreach(name IN ITEMS gtest gtest_main gmock gmock_main)
        if(NOT TARGET GTest::${name})
            add_library(GTest::${name} ALIAS ${name})
        endif()
    endforeach()
endif()
