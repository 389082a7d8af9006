# MPI and Zoltan, if the cluster is wanted: AUTO takes them where both are found, ON needs them.
string(TOUPPER "${THRONG_WITH_MPI}" THRONG_WITH_MPI)
if(NOT THRONG_WITH_MPI MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|YES|NO|1|0)$")
    message(FATAL_ERROR "THRONG_WITH_MPI is AUTO, ON or OFF, and not '${THRONG_WITH_MPI}'.")
endif()
set(THRONG_MPI_FOUND OFF)
if(CMAKE_CROSSCOMPILING AND THRONG_WITH_MPI STREQUAL "AUTO")
    # It would find the build machine's.
    message(STATUS "Throng: without the cluster in a cross build (THRONG_WITH_MPI is AUTO)")
elseif(THRONG_WITH_MPI OR THRONG_WITH_MPI STREQUAL "AUTO")
    # Only the C interface: the old C++ bindings are no longer part of MPI.
    set(MPI_CXX_SKIP_MPICXX ON)
    find_package(MPI COMPONENTS CXX QUIET)
    # The files themselves: Debian's ZoltanConfig.cmake wants the development packages of all that Zoltan was linked
    # with.
    find_path(THRONG_ZOLTAN_INCLUDE_DIR zoltan.h PATH_SUFFIXES trilinos)
    find_library(THRONG_ZOLTAN_LIBRARY NAMES trilinos_zoltan zoltan)
    mark_as_advanced(THRONG_ZOLTAN_INCLUDE_DIR THRONG_ZOLTAN_LIBRARY)
    if(MPI_CXX_FOUND AND THRONG_ZOLTAN_LIBRARY AND THRONG_ZOLTAN_INCLUDE_DIR)
        set(THRONG_MPI_FOUND ON)
        message(STATUS "Throng: with the cluster, on MPI ${MPI_CXX_VERSION} and Zoltan (THRONG_WITH_MPI is ${THRONG_WITH_MPI})")
    elseif(THRONG_WITH_MPI STREQUAL "AUTO")
        message(STATUS "Throng: MPI or Zoltan was not found (Debian: libopenmpi-dev, libtrilinos-zoltan-dev), so there is no cluster "
            "(THRONG_WITH_MPI is AUTO)")
    else()
        message(FATAL_ERROR "THRONG_WITH_MPI is ON, and MPI or Zoltan was not found (Debian: libopenmpi-dev, libtrilinos-zoltan-dev). "
            "Name their place in CMAKE_PREFIX_PATH, or set THRONG_WITH_MPI to AUTO or OFF, and there is no cluster.")
    endif()
else()
    message(STATUS "Throng: without the cluster (THRONG_WITH_MPI is ${THRONG_WITH_MPI})")
endif()

# A sanitizer's library has to come before any other.
if(THRONG_MPI_FOUND AND THRONG_BUILD_TESTS AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT THRONG_SANITIZE)
    add_library(throng_resting_ranks MODULE "${THRONG_ROOT}/cluster/tests/preload/resting_ranks.cpp")
    throng_target(throng_resting_ranks)
endif()

# A test on several ranks, maybe more than cores: a waiting rank yields its core, or rests, and root may run them, as in
# a container.
function(throng_mpi_test name ranks labels)
    set(preload "")
    if(TARGET throng_resting_ranks)
        set(preload -x "LD_PRELOAD=$<TARGET_FILE:throng_resting_ranks>")
    endif()
    add_test(NAME ${name} COMMAND "${MPIEXEC_EXECUTABLE}" ${preload}
        --oversubscribe --mca mpi_yield_when_idle 1 ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" PROCESSORS 2)
    set(environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
    if(THRONG_SANITIZE)
        # MPI itself leaves memory behind when it ends.
        list(APPEND environment ASAN_OPTIONS=detect_leaks=0)
    endif()
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${environment}")
    if(THRONG_TEST_TIMEOUT)
        set_tests_properties(${name} PROPERTIES TIMEOUT "${THRONG_TEST_TIMEOUT}")
    endif()
endfunction()
