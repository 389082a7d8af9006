# Cairo draws the pictures of the demo and the benchmarks. Without it they are skipped, and everything else builds. The
# target is global, since programs in several directories link it.
include_guard(GLOBAL)
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND AND NOT CMAKE_CROSSCOMPILING)
    pkg_check_modules(THRONG_CAIRO QUIET IMPORTED_TARGET GLOBAL "cairo >= 1.16" cairo-png cairo-svg)
endif()
if(NOT TARGET PkgConfig::THRONG_CAIRO)
    message(STATUS "Throng: pictures are skipped, since Cairo was not found (Debian: libcairo2-dev)")
endif()
