// The version of the library: the headers', and the one of the library that was linked. This is where it is
// written down; CMake reads the three numbers from here.
#pragma once

#include <cstddef>
#include <span>

#include "throng/export.hpp"
#include "throng/isa.hpp"

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

// How the linked library was built: the facts for a bug report, and the reason why only one core works. They
// were fixed when the library was compiled; the host's own compiler and flags do not matter.
//
//     char text[256];
//     describe(throng::build_info(), text);
// What it points to is constant, and stays as long as the library is loaded.
struct BuildInfo {
    Version version;
    const char* compiler = "";  // such as "GCC 12.2.0"
    // Whether tbb_executor() runs on oneTBB's threads, or is the serial one; and its headers' version or "".
    bool has_tbb = false;
    const char* tbb_version = "";
    // The instruction sets with kernels in the library. is_supported() says whether this machine can run one.
    std::span<const Isa> instruction_sets;

    constexpr bool carries(Isa isa) const noexcept {
        for (const Isa carried : instruction_sets)
            if (carried == isa) return true;
        return false;
    }
};

THRONG_API BuildInfo build_info() noexcept;

// The same in one line, such as "Throng 0.3.0, GCC 12.2.0, oneTBB 2021.8, kernels for sse2, avx2". Writes as
// much as fits, with a terminating zero, and returns the length of the whole text.
THRONG_API std::size_t describe(const BuildInfo& info, std::span<char> text) noexcept;

}  // namespace throng
