// The rounding modes, and a class that sets one for as long as it lives.
#pragma once

#include <cfenv>

#include "throng/compiler.hpp"

namespace throng::test {

inline constexpr int rounding_modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

// For a test that sets a mode. WebAssembly's instructions always round to nearest.
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
