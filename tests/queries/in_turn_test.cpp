// Pieces of one result whose lengths are known only once they are found.
#include "parallel/in_turn.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace throng::test {
namespace {

constexpr std::size_t pieces = 400, slots = 16;
constexpr std::uint64_t first_slot = 7;

// Piece p has p % 5 elements, each of which says which piece it is of.
struct Joined {
    std::vector<parallel::Piece> pieces{test::pieces};
    std::vector<std::size_t> held = std::vector<std::size_t>(slots), result;
    std::size_t in_first_round = 0;
};

template <class Found>
Joined join(const Executor& executor, bool has_room, Found&& found) {
    Joined all;
    parallel::InTurn turn(all.pieces, first_slot);
    const auto find = [&](std::size_t piece, std::size_t slot, std::uint64_t& size) {
        all.held[slot] = piece;
        size = piece % 5;
        found(piece);
        return true;
    };
    const auto place = [&](std::size_t piece, std::size_t slot, std::uint64_t begin) {
        EXPECT_EQ(all.held[slot], piece) << "a slot was used again too soon";
        for (std::size_t i = 0; i < piece % 5; ++i) all.result[static_cast<std::size_t>(begin) + i] += piece;
    };
    if (has_room) all.result.resize(first_slot + 2 * pieces);
    while (turn.found() != pieces) {
        EXPECT_TRUE(turn.find(executor, slots, all.result.size(), find, place));
        if (all.in_first_round == 0) all.in_first_round = turn.found();
        if (!has_room) all.result.resize(static_cast<std::size_t>(turn.end()));
        EXPECT_TRUE(turn.place_others(executor, place));
    }
    return all;
}

void expect_in_order(const Joined& all) {
    std::size_t at = first_slot;
    for (std::size_t p = 0; p < pieces; ++p)
        for (std::size_t i = 0; i < p % 5; ++i) ASSERT_EQ(all.result[at++], p);
    EXPECT_EQ(at, first_slot + 2 * pieces);
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

// While block 0 is busy, the other worker can be made to run all blocks that follow: two threads in a fixed
// order.
struct TwoWorkers {
    Executor::Body body = nullptr;
    void* argument = nullptr;
    std::size_t next = 0, end = 0;

    void run_others() {
        while (next < end) body(argument, next++);
    }
    Executor executor() {
        return {.context = this,
                .workers = 2,
                .parallel_for = [](void* context, std::size_t count, Executor::Body run, void* with) {
                    TwoWorkers& self = *static_cast<TwoWorkers*>(context);
                    self = {.body = run, .argument = with, .next = 1, .end = count};
                    run(with, 0);
                    self.run_others();
                }};
    }
};

// The other worker fills half of the slots, and ends. Then the worker with the long piece must not take all
// that follows.
TEST(InTurn, leaves_what_follows_a_long_piece_to_all_workers) {
    TwoWorkers workers;
    const Joined all = join(workers.executor(), true, [&](std::size_t piece) {
        if (piece == 0) workers.run_others();
    });
    EXPECT_EQ(all.in_first_round, 1 + slots / 2);
    expect_in_order(all);
}

}  // namespace
}  // namespace throng::test
