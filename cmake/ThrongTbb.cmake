# oneTBB, if wanted. TBB::tbb is looked for at the top, so that tests and benchmarks see it too. Package managers, and
# builds that ask for it by name, get it or an error: otherwise users would find out that the library is serial.
string(TOUPPER "${THRONG_WITH_TBB}" THRONG_WITH_TBB)
if(NOT THRONG_WITH_TBB MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|YES|NO|1|0)$")
    message(FATAL_ERROR "THRONG_WITH_TBB is AUTO, ON or OFF, and not '${THRONG_WITH_TBB}'.")
endif()
set(THRONG_TBB_FOUND OFF)
if(THRONG_WITH_TBB OR THRONG_WITH_TBB STREQUAL "AUTO")
    find_package(TBB CONFIG QUIET)
    if(TARGET TBB::tbb)
        set(THRONG_TBB_FOUND ON)
        message(STATUS "Throng: with the oneTBB executor (oneTBB ${TBB_VERSION}; THRONG_WITH_TBB is ${THRONG_WITH_TBB})")
    elseif(THRONG_WITH_TBB STREQUAL "AUTO")
        message(STATUS "Throng: oneTBB was not found (Debian: libtbb-dev), so tbb_executor() is the serial one "
            "(THRONG_WITH_TBB is AUTO)")
    else()
        message(FATAL_ERROR "THRONG_WITH_TBB is ON, and oneTBB was not found (Debian: libtbb-dev). Name its place in "
            "CMAKE_PREFIX_PATH, or set THRONG_WITH_TBB to AUTO or OFF, and tbb_executor() is the serial one.")
    endif()
else()
    message(STATUS "Throng: without oneTBB, so tbb_executor() is the serial one (THRONG_WITH_TBB is ${THRONG_WITH_TBB})")
endif()
