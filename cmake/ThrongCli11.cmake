# CLI11::CLI11, for the arguments of the demo and the benchmarks. For a cross build, a toolchain file may name the directory that
# has CLI/CLI.hpp.
if(NOT THRONG_CLI11_INCLUDE_DIR)
    find_package(CLI11 CONFIG QUIET)
elseif(NOT TARGET CLI11::CLI11 AND EXISTS "${THRONG_CLI11_INCLUDE_DIR}/CLI/CLI.hpp")
    throng_headers_alone(throng_cli11_directory "${THRONG_CLI11_INCLUDE_DIR}" CLI)
    add_library(CLI11::CLI11 INTERFACE IMPORTED)
    target_include_directories(CLI11::CLI11 INTERFACE "${throng_cli11_directory}")
endif()
