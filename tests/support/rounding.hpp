// The rounding modes, and one of them for as long as an object lives.
#pragma once

#include <cfenv>

namespace throng::test {

inline constexpr int rounding_modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

class Rounding {
public:
    explicit Rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
    Rounding(const Rounding&) = delete;
    ~Rounding() { std::fesetround(before_); }

private:
    int before_;
};

}  // namespace throng::test
