// The rounding modes, and one of them for as long as an object lives.
#pragma once

#include <cfenv>

#include "throng/compiler.hpp"

namespace throng::test {

inline constexpr int rounding_modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

// For a test that sets one. WebAssembly's instructions round to nearest, and nothing changes that.
#define THRONG_SKIP_WITHOUT_ROUNDING_MODES() \
    if constexpr (THRONG_WASM != 0) GTEST_SKIP() << "WebAssembly always rounds to nearest"

class Rounding {
public:
    explicit Rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
    Rounding(const Rounding&) = delete;
    ~Rounding() { std::fesetround(before_); }

private:
    int before_;
};

}  // namespace throng::test
