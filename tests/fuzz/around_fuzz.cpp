// The same in a world that wraps around in one direction or in both. The last byte gives the period; so an
// input of `histories` is the same history here.
#include "fuzz/contest.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr float x[] = {0, 10, 3, 64, 0.7f, 100, 1e6f, 1e-30f, 25, 10, 8, 17, 5, 33, 50, 1e30f};
    static constexpr float y[] = {10, 0, 6, 64, 2.3f, 41, 1e30f, 7, 0, 20, 8, 16, 1e-3f, 12, 50, 1e3f};
    throng::fuzz::History history = throng::fuzz::decode({data, size});
    const std::uint8_t last = size == 0 ? 0 : data[size - 1];
    history.period = {x[last % 16], y[last / 16]};
    if (!history.period.wraps()) history.period = {10, 10};
    throng::fuzz::hold_contest(history);
    return 0;
}
