# cmake --install: the engine's library and that of the structures, one include/throng, and the package files by which
# find_package(throng) and pkg-config find them.
#
# A host that builds the library as part of itself may install it along with its own files, or leave it out.
include(CMakeDependentOption)
include(CMakePackageConfigHelpers)

if(NOT THRONG_INSTALL)
    return()
endif()

set(throng_installed throng)
if(THRONG_STRUCTURES)
    list(APPEND throng_installed throng_structures)
    install(DIRECTORY "${THRONG_ROOT}/structures/include/throng" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp")
endif()
install(TARGETS ${throng_installed}
    EXPORT throngTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY
    "${THRONG_ROOT}/engine/include/throng"
    "${THRONG_ROOT}/parallel/include/throng"
    "${THRONG_ROOT}/simd/include/throng"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp")

if(THRONG_MPI_FOUND)
    # An export of its own: a host without MPI sees nothing of it.
    install(DIRECTORY "${THRONG_ROOT}/cluster/include/throng" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp")
    install(TARGETS throng_cluster
        EXPORT throngClusterTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    install(EXPORT throngClusterTargets NAMESPACE throng:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/throng")
endif()

install(FILES "${THRONG_ROOT}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(throng_package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/throng")
configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/throngConfig.cmake.in" "${CMAKE_CURRENT_BINARY_DIR}/throngConfig.cmake"
    INSTALL_DESTINATION "${throng_package_directory}")
# Before 1.0, a minor version may change the interface.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/throngConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES
    "${CMAKE_CURRENT_BINARY_DIR}/throngConfig.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/throngConfigVersion.cmake"
    DESTINATION "${throng_package_directory}")
install(EXPORT throngTargets NAMESPACE throng:: DESTINATION "${throng_package_directory}")

# For hosts without CMake: throng.pc and the others, for pkg-config. Its paths start at its own place, so a package may be moved. What an
# archive needs besides itself is not left to `pkg-config --static`, since there is no other library that it could be.
set(throng_pc_requires "")
set(throng_pc_libraries "")
if(NOT BUILD_SHARED_LIBS)
    set(throng_pc_libraries " -pthread")
    if(EMSCRIPTEN)
        # There -pthread makes another kind of module, of which all objects have to be.
        set(throng_pc_libraries " ${throng_exceptions}")
    endif()
    if(THRONG_TBB_FOUND)
        set(throng_pc_requires " tbb")
    endif()
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(throng_pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
    file(RELATIVE_PATH throng_pc_prefix "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
    string(REGEX REPLACE "/$" "" throng_pc_prefix "\${pcfiledir}/${throng_pc_prefix}")
endif()
# An absolute directory stays what it is.
set(throng_pc_libdir "\${prefix}")
set(throng_pc_includedir "\${prefix}")
cmake_path(APPEND throng_pc_libdir "${CMAKE_INSTALL_LIBDIR}")
cmake_path(APPEND throng_pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
set(throng_pc_files throng)
if(THRONG_STRUCTURES)
    list(APPEND throng_pc_files throng_structures)
endif()
if(THRONG_MPI_FOUND)
    # MPI itself is what its compiler wrappers bring, whichever it is. Zoltan has no file of its own for pkg-config.
    set(throng_pc_zoltan "")
    if(NOT BUILD_SHARED_LIBS)
        set(throng_pc_zoltan " ${THRONG_ZOLTAN_LIBRARY}")
    endif()
    list(APPEND throng_pc_files throng_cluster)
endif()
foreach(name IN LISTS throng_pc_files)
    configure_file("${CMAKE_CURRENT_LIST_DIR}/${name}.pc.in" "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" @ONLY)
    install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
