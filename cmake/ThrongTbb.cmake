# oneTBB, if it is wanted and there. TBB::tbb is looked for at the top, so that tests and benchmarks see it
# too.
set(THRONG_TBB_FOUND OFF)
if(THRONG_WITH_TBB)
    find_package(TBB CONFIG QUIET)
    if(TARGET TBB::tbb)
        set(THRONG_TBB_FOUND ON)
        message(STATUS "Throng: with the oneTBB executor (oneTBB ${TBB_VERSION})")
    else()
        message(STATUS "Throng: oneTBB was not found (Debian: libtbb-dev): tbb_executor() will be serial")
    endif()
endif()
