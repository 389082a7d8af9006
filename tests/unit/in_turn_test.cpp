// Pieces of one result whose lengths are known only once they are found.
#include "parallel/in_turn.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "support/thread_pool.hpp"

namespace throng::test {
namespace {

constexpr std::size_t pieces = 400, slots = 16;
constexpr std::uint64_t first = 7;

// Piece p has p % 5 elements, each of which says which piece it is of.
struct Joined {
    std::vector<parallel::Piece> pieces{test::pieces};
    std::vector<std::size_t> held = std::vector<std::size_t>(slots), result;
    std::size_t in_first_round = 0;
};

template <class Found>
Joined join(const Executor& executor, bool has_room, Found&& found) {
    Joined all;
    parallel::InTurn turn(all.pieces, first);
    const auto find = [&](std::size_t piece, std::size_t slot, std::uint64_t& size) {
        all.held[slot] = piece;
        size = piece % 5;
        found(piece);
        return true;
    };
    const auto place = [&](std::size_t piece, std::size_t slot, std::uint64_t begin) {
        EXPECT_EQ(all.held[slot], piece) << "a slot was used again too soon";
        for (std::uint64_t i = 0; i < piece % 5; ++i) all.result[begin + i] += piece;
    };
    if (has_room) all.result.resize(first + 2 * pieces);
    while (turn.found() != pieces) {
        EXPECT_TRUE(turn.find(executor, slots, all.result.size(), find, place));
        if (all.in_first_round == 0) all.in_first_round = turn.found();
        if (!has_room) all.result.resize(turn.end());
        EXPECT_TRUE(turn.place_others(executor, place));
    }
    return all;
}

void expect_in_order(const Joined& all) {
    std::size_t at = first;
    for (std::size_t p = 0; p < pieces; ++p)
        for (std::size_t i = 0; i < p % 5; ++i) ASSERT_EQ(all.result[at++], p);
    EXPECT_EQ(at, first + 2 * pieces);
}

TEST(InTurn, joins_pieces_in_order_whatever_the_executor_runs_first) {
    const Executor backwards{
        .context = nullptr,
        .workers = 8,
        .parallel_for = [](void*, std::size_t count, Executor::Body body, void* argument) {
            for (std::size_t block = count; block-- > 0;) body(argument, block);
        }};
    for (const bool has_room : {false, true})
        for (const Executor& executor : {backwards, serial_executor()})
            expect_in_order(join(executor, has_room, [](std::size_t) {}));
}

// The other worker fills half of the slots, and ends. Then the one with the long piece must not take all that follows.
TEST(InTurn, leaves_what_follows_a_long_piece_to_all_workers) {
    ThreadPool pool(2);
    std::atomic<std::size_t> others{0};
    const Joined all = join(pool.executor(), true, [&](std::size_t piece) {
        if (piece != 0)
            ++others;
        else
            while (others < slots / 2) std::this_thread::yield();
    });
    EXPECT_LT(all.in_first_round, 2 * slots);
    expect_in_order(all);
}

}  // namespace
}  // namespace throng::test
