// A batch whose answers are too many to be held at once: they come in blocks, in the caller's order.
//
//     throng::Hits block;    // kept by the host from frame to frame
//     status = frame.for_each_answer(boxes, block, [&](std::size_t first, const throng::Hits& some) {
//         for (std::size_t i = 0; i < some.size(); ++i) use(first + i, some[i]);    // of query first + i
//     }, {.max_bytes = 1 << 24});
//
// A block has as many whole answers as fit, as judged by the blocks before. Only a block of one query, whose answer
// alone is larger, exceeds the bound. The search needs work spaces of about the same size beside it.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "throng/results.hpp"

namespace throng {

struct AnswerLimit {
    // How many bytes the answers of a block take at most, offsets included. Queries in any order are sorted within their
    // block, so small blocks in a large world take longer: each visits all of the world.
    std::size_t max_bytes = std::size_t{1} << 24;
};

// A visitor of blocks: the number of the first query, and the answers from that one on. It returns nothing, or a bool:
// whether to go on.
template <class Visitor>
concept AnswerVisitor = std::is_invocable_v<Visitor&, std::size_t, const Hits&> &&
    (std::is_void_v<std::invoke_result_t<Visitor&, std::size_t, const Hits&>> ||
     std::same_as<bool, std::invoke_result_t<Visitor&, std::size_t, const Hits&>>);

namespace detail {

struct BlockVisitor {
    void* visitor;
    bool (*call)(void* visitor, std::size_t first, const Hits& some);

    bool operator()(std::size_t first, const Hits& some) const { return call(visitor, first, some); }
};
template <AnswerVisitor Visitor>
BlockVisitor any_block_visitor(Visitor& visitor) noexcept {
    return {const_cast<void*>(static_cast<const void*>(&visitor)),
            [](void* to, std::size_t first, const Hits& some) {
                Visitor& call = *static_cast<Visitor*>(to);
                if constexpr (std::is_void_v<std::invoke_result_t<Visitor&, std::size_t, const Hits&>>) {
                    call(first, some);
                    return true;
                } else {
                    return call(first, some);
                }
            }};
}

}  // namespace detail

}  // namespace throng
