// The version of the library: the headers', and the one of the library that was linked. This is where it is
// written down; CMake reads the three numbers from here.
#pragma once

#include "throng/export.hpp"

#define THRONG_VERSION_MAJOR 0
#define THRONG_VERSION_MINOR 3
#define THRONG_VERSION_PATCH 0
// All three in one number, to compare in an #if: 1.2.3 is 1002003.
#define THRONG_VERSION (THRONG_VERSION_MAJOR * 1000000 + THRONG_VERSION_MINOR * 1000 + THRONG_VERSION_PATCH)

namespace throng {

struct Version {
    int major = 0, minor = 0, patch = 0;
    friend constexpr bool operator==(const Version&, const Version&) = default;
};

// The version of these headers. A host that fears a mismatch compares the two when it starts.
inline constexpr Version header_version{THRONG_VERSION_MAJOR, THRONG_VERSION_MINOR, THRONG_VERSION_PATCH};

// The version of the library that was linked: the one it was compiled with, whatever headers the host has.
THRONG_API Version library_version() noexcept;

}  // namespace throng
