// Every call that reads a frame, once: what it is asked, and what it gives compared with what brute force
// finds. Tests make all calls on a frame in one loop, in any world; see agreement.hpp and reading_calls.hpp.
#pragma once

#include "harness/asked.hpp"
#include "harness/results.hpp"
#include "harness/wrong.hpp"
#include "support/test.hpp"

namespace throng::test {

// What a call gives of the lists of its kind.
enum class Gives {
    lists,         // all, in one order whatever the form of the call
    in_any_order,  // all, but what is in a list in any order
    sizes,         // how long each is
    any,           // whether there is something in each
    one,           // the first of each
    two,           // the first two of each
    total          // how long they are together
};

struct Call {
    const char* name;
    Gives gives;
    std::function<Status(const Frame& frame, const Asked& asked, Results& results)> make;
    // Made for one query after the other, so only for some queries, and without the executor.
    bool is_single = false;
    // What is asked does not go with this form: then the status is `bad_config`.
    std::function<bool(const Asked& asked)> is_refused = nullptr;
    // There is no such form of what is asked, so it does not compile: the call is not made.
    std::function<bool(const Asked& asked)> is_none = nullptr;
};

// How the lists of a kind are in order.
enum class Order { given, of_the_frame, of_pairs };

// Calls that give the same lists, and these lists by brute force.
struct Kind {
    const char* name;
    bool is_layered;  // about the static layer too
    std::function<Order(const Asked& asked)> order;
    std::function<std::vector<Numbers>(const oracle::BruteForceFrame& twin, const Asked& asked)> expect;
    std::vector<Call> calls;
};

const std::vector<Kind>& kinds();

// The parts of that list.
std::vector<Kind> kinds_of_overlaps();
std::vector<Kind> kinds_of_pairs();
std::vector<Kind> kinds_of_neighbours();
std::vector<Kind> kinds_of_layered_neighbours();
std::vector<Kind> kinds_of_casts();

// The other frame of calls about two: the static layer, unless a test puts another one here, with its twin.
struct OtherFrame {
    Frame frame;
    oracle::BruteForceFrame twin;
};
inline const OtherFrame*& other_frame() {
    static thread_local const OtherFrame* other = nullptr;
    return other;
}
inline Frame other_of(const Frame& frame) {
    return other_frame() != nullptr ? other_frame()->frame : frame.static_layer();
}
inline oracle::BruteForceFrame other_of(const oracle::BruteForceFrame& twin) {
    return other_frame() != nullptr ? other_frame()->twin : twin.static_layer();
}

// What a call writes into the host's memory: the same answers, as far as there is room.
template <class T, class Write>
Status into_memory(std::vector<T>& out, const Write& write) {
    const Filled none = write(some_room(std::span<T>()));
    if (!none.status) return none.status;
    std::vector<T> half(static_cast<std::size_t>(none.total) / 2);
    const Filled some = write(std::span<T>(half));
    if (!some.status) return some.status;
    out.assign(static_cast<std::size_t>(none.total) + 3, T{});
    const Filled all = write(std::span<T>(out));
    out.resize(static_cast<std::size_t>(all.written));
    if (!all.status) return all.status;
    EXPECT_TRUE(all.total == none.total && some.total == none.total && all.written == all.total);
    EXPECT_EQ(some.written, half.size());
    EXPECT_TRUE(std::equal(half.begin(), half.end(), out.begin())) << "others in too little memory";
    return all.status;
}

// Makes a call for some of many queries, one by one. `one(i, list)` adds what query i gives.
template <class One>
Status one_by_one(std::size_t queries, const Asked& asked, Results& results, const One& one) {
    results.make_room(queries);
    for (std::size_t i = 0; i < queries; i += asked.one_in)
        if (const Status status = one(i, results.answer[i]); !status) return status;
    return {};
}

// Notes a block of answers: where it begins and how long it is. `bytes` is what each container of it has.
template <class Block>
void note_block(Results& results, std::size_t& next, std::size_t first, const Block& block, std::size_t bytes,
                std::size_t max_bytes) {
    EXPECT_TRUE(first == next && !block.empty());
    EXPECT_TRUE(bytes <= max_bytes || block.size() == 1) << bytes << " bytes in a block";
    next += block.size();
    results.note(block.size());
}

}  // namespace throng::test
