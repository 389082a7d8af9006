// The version of these headers and of the linked library.
#pragma once

#include "throng/export.hpp"

namespace throng {

struct Version {
    int major = 0, minor = 0, patch = 0;
    friend constexpr bool operator==(const Version&, const Version&) = default;
};

// The version of these headers. Compare it with library_version() at start-up to detect a mismatch.
inline constexpr Version header_version{0, 1, 0};

// The version of the linked library.
THRONG_API Version library_version() noexcept;

}  // namespace throng
