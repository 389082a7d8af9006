# An overlay port: the sources are the clone that it stands in. vcpkg does not see when these change, so after a `git pull`
# the port has to be removed and installed again.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS features
    FEATURES
        c THRONG_BUILD_C
        structures THRONG_STRUCTURES
        tbb THRONG_WITH_TBB
)

# Each option that looks for something is ON or OFF here. vcpkg has no Zoltan, and so no cluster.
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${features}
        -DTHRONG_WITH_MPI=OFF
        -DTHRONG_COMPILER_CACHE=OFF
        -DTHRONG_BUILD_TESTS=OFF
        -DTHRONG_BUILD_BENCH=OFF
        -DTHRONG_BUILD_EXAMPLES=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/throng)
vcpkg_fixup_pkgconfig()

if("c" IN_LIST FEATURES)
    # Shared in every triplet, since it keeps the names of C++ inside.
    set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
