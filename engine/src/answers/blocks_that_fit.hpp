// Answers in blocks: how many queries have answers that fit into a number of bytes, and the loop over blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/src/answers/lists/sinks.hpp"
#include "throng/geometry.hpp"
#include "throng/status.hpp"
#include "throng/views/visitors.hpp"

namespace throng::detail {

// How a block's bytes are divided. A quarter is for what each query takes, such as its offset.
struct BlockSizes {
    // How many queries to begin with, with answers of any size, and how many are sorted together at most.
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
    // How many queries follow a block of `count` queries with `found` answers. Nothing is known of them, but
    // they should fill most of the block.
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

// Whether a call goes on where another stopped. Then it checks only the queries of each block.
inline bool goes_on(const AnswerLimit& limit) noexcept {
    return limit.place != nullptr && limit.place->first != 0;
}
// A fault of a part of the queries, as a fault of all.
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

// Passes on block after block. A block that finds far more than fits stops, and is made again for fewer
// queries. If it is a little more, the answers to the first queries are kept. One answer may have any size.
template <class Answers>
class BlocksThatFit {
public:
    // For so many queries. Each takes `words` more during its search.
    BlocksThatFit(std::size_t queries, const BlockSizes& sizes, std::size_t words, AnswerPlace* place,
                  Answers& block, const OtherHalf<Answers>& other) noexcept
        : queries_(queries), sizes_(sizes), words_(words), place_(place), block_(block), other_(other) {}

    // make(of_elements, first, count, room) makes the answers to the queries [first, first + count), into
    // `block` or into that of the elements, and tells the room how many it found. join() makes the halves of
    // a block, which are of the same queries, fit each other.
    template <class Make, class Join>
    Status visit(const AnyBlockVisitor<Answers>& visitor, const Make& make, const Join& join) {
        const AnswerPlace from = place_ == nullptr ? AnswerPlace{} : *place_;
        next_ = from.queries == 0 ? sizes_.first() : std::min(from.queries, sizes_.queries);
        for (std::size_t first = from.first; first < queries_; first += block_.size()) {
            const std::size_t count = std::min(next_, queries_ - first);
            next_ = sizes_.queries;
            Status status = make_what_fits(block_, false, first, count, make);
            if (status.ok() && other_.frame != nullptr) {
                status = make_what_fits(*other_.block, true, first, block_.size(), make);
                if (status.ok()) {
                    block_.keep_first(other_.block->size());
                    join();
                }
            }
            if (!status.ok()) {
                (void)clear_both(block_, other_.block);
                return status;
            }
            if (place_ != nullptr) *place_ = {first + block_.size(), next_};
            if (!visitor(first, block_)) return {};
        }
        return {};
    }

private:
    template <class Make>
    Status make_what_fits(Answers& to, bool of_elements, std::size_t first, std::size_t count,
                          const Make& make) noexcept {
        for (;; count = std::max<std::size_t>(count / 4, 1)) {
            constexpr std::uint64_t no_bound = std::uint64_t{1} << 62;
            ListRoom room(count == 1 ? no_bound : sizes_.ids + std::uint64_t{sizes_.ids} / 4, words_ * count);
            const Status status = make(of_elements, first, count, room);
            if (status.ok()) {
                next_ = std::min(next_, sizes_.next(count, room.found()));
                std::uint64_t* const ends = to.offsets_.begin() + 1;
                const auto fitting = std::upper_bound(ends, to.offsets_.end(), sizes_.ids) - ends;
                to.keep_first(std::max(static_cast<std::size_t>(fitting), std::size_t{1}));
                return status;
            }
            to.clear();
            if (status.code != Code::out_of_memory || !room.exceeded()) return status;
        }
    }

    const std::size_t queries_;
    const BlockSizes sizes_;
    const std::size_t words_;
    AnswerPlace* const place_;
    Answers& block_;
    const OtherHalf<Answers> other_;
    std::size_t next_ = 0;  // how many queries the next block has
};

}  // namespace throng::detail
