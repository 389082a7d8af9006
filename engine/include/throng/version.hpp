// The version of the library: the header's, and the one of the library that was linked.
#pragma once

#include "throng/export.hpp"

namespace throng {

struct Version {
    int major = 0, minor = 0, patch = 0;
    friend constexpr bool operator==(const Version&, const Version&) = default;
};

// The version of these headers. A host that fears a mismatch compares the two when it starts.
inline constexpr Version header_version{0, 1, 0};

// The version of the library that was linked.
THRONG_API Version library_version() noexcept;

}  // namespace throng
