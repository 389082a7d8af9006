// Answers in blocks: how many queries a block has whose answers must fit into a number of bytes, and the loop
// over blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/src/answers/lists/sinks.hpp"
#include "throng/geometry.hpp"
#include "throng/queries/answer_blocks.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// How a block's bytes are divided. A quarter is for what each query takes, such as its offset.
struct BlockSizes {
    // How many queries to begin with, whose answers might be of any size, and how many are sorted together at
    // most.
    static constexpr std::size_t first_queries = 256, most_queries = 1 << 20,
                                 most_ids = static_cast<std::size_t>(std::uint64_t{1}
                                                                     << (sizeof(std::size_t) == 8 ? 40 : 30));

    std::size_t queries, ids;

    explicit BlockSizes(std::size_t max_bytes, std::size_t bytes_of_query = sizeof(std::uint64_t),
                        std::size_t bytes_of_id = sizeof(AgentId)) noexcept
        : queries(std::clamp<std::size_t>(max_bytes / 4 / bytes_of_query, 2, most_queries + 1) - 1),
          ids(std::min((max_bytes - std::min(max_bytes, (queries + 1) * bytes_of_query)) / bytes_of_id,
                       most_ids)) {}

    std::size_t first() const noexcept { return std::min(first_queries, queries); }
    // How many queries come after a block of `count` that found `found` answers: they should fill most of the
    // block, but nothing is known of them.
    std::size_t next(std::size_t count, std::uint64_t found) const noexcept {
        const std::uint64_t fitting =
            found == 0 ? queries : ids * std::uint64_t{count} / (found + found / 8 + 1);
        const std::size_t most = std::min(4 * count, queries);
        return static_cast<std::size_t>(std::clamp<std::uint64_t>(fitting, 1, most));
    }
};

// How many bytes each half of a block may have; without another half, all of them.
template <class Answers>
std::size_t bytes_of_half(const AnswerLimit& limit, const OtherHalf<Answers>& other) noexcept {
    return other.frame == nullptr ? limit.max_bytes : limit.max_bytes / 2;
}

// Whether a call goes on where another stopped. Then it checks the queries of each block, and not all of them
// once more.
inline bool goes_on(const AnswerLimit& limit) noexcept {
    return limit.place != nullptr && limit.place->first != 0;
}
// A fault of a part of the queries, as one of all of them.
inline Status in_all(Status status, std::size_t first) noexcept {
    if (status.index != Status::no_index) status.index += first;
    return status;
}

// Clears the answers and, if there is one, their other half, which must be an object of its own.
template <class Answers>
Status clear_both(Answers& answers, Answers* other) noexcept {
    answers.clear();
    if (other != nullptr) other->clear();
    return {other == &answers ? Code::bad_config : Code::ok, Argument::output};
}

// Passes on block after block. make(of_elements, first, count, found) makes the answers to the queries
// [first, first + count), or to the first of these, as many as fit and one at least: into `block`, or into
// that of the elements. `count` becomes the number of queries that it searched for last, and `found` how much
// it found for these. join() makes the halves of a block fit each other.
template <class Answers, class Make, class Join>
Status visit_blocks(std::size_t queries, const BlockSizes& sizes, AnswerPlace* place, Answers& block,
                    const OtherHalf<Answers>& other, const AnyBlockVisitor<Answers>& visitor,
                    const Make& make, const Join& join) {
    const AnswerPlace from = place == nullptr ? AnswerPlace{} : *place;
    std::size_t next = from.queries == 0 ? sizes.first() : std::min(from.queries, sizes.queries);
    for (std::size_t first = from.first; first < queries; first += block.size()) {
        std::size_t count = std::min(next, queries - first);
        std::uint64_t found = 0;
        Status status = make(false, first, count, found);
        next = sizes.next(count, found);
        if (status.ok() && other.frame != nullptr) {
            count = block.size();
            status = make(true, first, count, found);
            next = std::min(next, sizes.next(count, found));
            if (status.ok()) join();
        }
        if (!status.ok()) {
            (void)clear_both(block, other.block);
            return status;
        }
        if (place != nullptr) *place = {first + block.size(), next};
        if (!visitor(first, block)) return {};
    }
    return {};
}

// A search that finds more than fits stops, and is made again for fewer queries: whether it does depends on
// how much there is to find, never on what finds it. One answer alone may have any size. `words` is how much
// room each query takes while it is searched for.
template <class Answers, class Search>
Status make_what_fits(const BlockSizes& sizes, std::size_t words, Answers& block, std::size_t& count,
                      std::uint64_t& found, const Search& search) noexcept {
    for (;; count = std::max<std::size_t>(count / 4, 1)) {
        ListRoom room;
        room.max_count = sizes.ids + words * count;
        const Status status = search(count, count == 1 ? nullptr : &room, found);
        if (status.ok() && (count == 1 || found <= sizes.ids)) return status;
        block.clear();
        if (!status.ok() && (status.code != Code::out_of_memory || !room.exceeded())) return status;
    }
}

}  // namespace throng::detail
