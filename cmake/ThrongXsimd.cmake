# xsimd is header-only and used only inside the kernels. No installed header mentions it, and a host of an installed
# Throng does not need it.
#
# Only its include directory is taken from the package. Debian's targets file links `xtl`, which is a package
# of its own that xsimd does not need; and older and newer versions name their target differently.
if(NOT THRONG_XSIMD_INCLUDE_DIR)
    find_package(xsimd CONFIG QUIET)
    if(NOT xsimd_FOUND)
        message(FATAL_ERROR "Throng needs the xsimd headers to build its kernels. Install them (Debian: "
            "libxsimd-dev), or name their place in CMAKE_PREFIX_PATH or THRONG_XSIMD_INCLUDE_DIR.")
    endif()
    foreach(candidate IN ITEMS xsimd xsimd::xsimd)
        if(TARGET ${candidate})
            get_target_property(throng_xsimd_directory ${candidate} INTERFACE_INCLUDE_DIRECTORIES)
        endif()
    endforeach()
else()
    set(throng_xsimd_directory "${THRONG_XSIMD_INCLUDE_DIR}")
endif()
set(THRONG_XSIMD_INCLUDE_DIR "${THRONG_XSIMD_INCLUDE_DIR}" CACHE PATH
    "Directory with xsimd/xsimd.hpp, to build the kernels with another xsimd than the one CMake would find")
if(NOT EXISTS "${throng_xsimd_directory}/xsimd/xsimd.hpp")
    message(FATAL_ERROR "There is no xsimd/xsimd.hpp in ${throng_xsimd_directory}.")
endif()

file(STRINGS "${throng_xsimd_directory}/xsimd/config/xsimd_config.hpp" throng_xsimd_version
    REGEX "^#define XSIMD_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX MATCHALL "[0-9]+" throng_xsimd_version "${throng_xsimd_version}")
list(JOIN throng_xsimd_version "." throng_xsimd_version)
message(STATUS "Throng: kernels on xsimd ${throng_xsimd_version} (${throng_xsimd_directory})")

# From version 14 on it wants these wherever there is VBMI2. The dispatcher asks the CPU for them as well.
if(throng_xsimd_version VERSION_GREATER_EQUAL 14 AND "-mavx512vbmi2" IN_LIST throng_avx512vbmi2)
    list(APPEND throng_avx512vbmi2 -mavx512ifma -mavx512vbmi)
endif()

throng_headers_alone(throng_xsimd_directory "${throng_xsimd_directory}" xsimd)

add_library(throng_xsimd INTERFACE)
target_include_directories(throng_xsimd SYSTEM INTERFACE "${throng_xsimd_directory}")
