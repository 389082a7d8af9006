// The rounding modes, and one of them for as long as an object lives.
#pragma once

#include <cfenv>

namespace throng::test {

inline constexpr int rounding_modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

// WebAssembly has only one of them, whatever is set.
inline bool has_rounding_modes() {
    const int before = std::fegetround();
    std::fesetround(FE_UPWARD);
    const bool rounds_upward = std::fegetround() == FE_UPWARD;
    std::fesetround(before);
    return rounds_upward;
}
#define THRONG_SKIP_WITHOUT_ROUNDING_MODES() \
    if (!::throng::test::has_rounding_modes()) GTEST_SKIP() << "there is one rounding mode here"

class Rounding {
public:
    explicit Rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
    Rounding(const Rounding&) = delete;
    ~Rounding() { std::fesetround(before_); }

private:
    int before_;
};

}  // namespace throng::test
