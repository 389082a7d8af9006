// How much work the tests do: 1 in an ordinary release build, less where the same work takes ten times
// longer. The environment variable THRONG_TEST_SCALE decides; without it the macro of the same name, which
// the build sets; without that the kind of build.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <type_traits>
#include <vector>

namespace throng::test {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define THRONG_TEST_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define THRONG_TEST_SANITIZED 1
#endif

#if defined(__SANITIZE_THREAD__)
#define THRONG_TEST_RACES 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THRONG_TEST_RACES 1
#endif
#endif

inline double scale() {
    if (const char* text = std::getenv("THRONG_TEST_SCALE"); text != nullptr && *text != '\0')
        return std::atof(text);
#if defined(THRONG_TEST_SCALE)
    return THRONG_TEST_SCALE;
#elif defined(THRONG_TEST_RACES)
    return 0.03;
#elif defined(THRONG_TEST_SANITIZED) || !defined(NDEBUG)
    return 0.1;
#else
    return 1;
#endif
}

// A count that follows the scale, but is never too small for the test to mean anything.
inline std::size_t scaled(std::size_t count, std::size_t at_least) {
    return std::max(at_least, static_cast<std::size_t>(static_cast<double>(count) * scale()));
}

// The worlds that a test runs in. Where each takes ten times as long, under a sanitizer or an emulator, some
// of them are enough, since races and reads out of bounds show in any world. The tests start at different
// ones, so together they see all.
template <class Worlds>
auto enough_of(const Worlds& all, std::size_t start) {
    std::vector<std::remove_cvref_t<decltype(*all.begin())>> some;
    const std::size_t step = scale() < 0.03 ? 6 : scale() < 0.1 ? 3 : 1;
    for (std::size_t i = start % std::min(step, all.size()); i < all.size(); i += step)
        some.push_back(all[i]);
    return some;
}

}  // namespace throng::test
