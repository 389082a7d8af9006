// A batch of queries whose answers are ids; answers are in the caller's order, or in the order of the search.
//
// Spatially coherent queries run in the caller's order, and so do portions of a batch in which each query
// finds very many agents. Others are sorted into packets (packets.hpp), and their answers have to be put back
// into the caller's order. Random writes to tens of megabytes would cost more than the search. So the batch
// is cut into parts of some ten thousand queries. Each block writes each part's answers to a stream of its
// own:
//
//     search   rows 0..9     ->  stream of part 0, of part 1, of part 2 ...    in parallel over rows
//              rows 10..19   ->  stream of part 0, of part 1, of part 2 ...
//     place    part 0        <-  its streams of all blocks                     in parallel over parts
//
// A part's answers fit into the second-level cache, where random access is cheap, and its output is one
// contiguous range of the result. The lengths of its streams give its number of answers, so each part knows
// where to begin.
//
// In the order of the search the answers of each block are a piece of the result (parallel/in_turn.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/blocks.hpp"
#include "engine/src/answers/lists/place_answers.hpp"
#include "engine/src/query/batch_order.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/store/store.hpp"
#include "throng/executor.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/status.hpp"

namespace throng::detail {

struct HitResult {
    std::uint64_t* offsets;  // one more than there are queries
    Destination<AgentId> ids;
    // Not null if the answers may come in the order of the search: then it gets the number of each answer's
    // query. Only with a growing buffer.
    std::uint32_t* order = nullptr;
};

class HitBatch {
public:
    HitBatch(const FrameState& frame, const Executor& executor, const QueryBatch& batch, BatchSpace& space,
             const FilterBatch& filters, HitResult& result) noexcept
        : frame_(frame),
          executor_(executor),
          stop_(executor),
          batch_(batch),
          space_(space),
          filters_(filters),
          result_(result) {}
    HitBatch(const HitBatch&) = delete;
    ~HitBatch() { frame_.store->spaces.answers.put_back_all(space_.blocks); }

    Status run() noexcept { return outcome(stop_, search()); }

private:
    Status search() noexcept;
    // Answers the queries [first, first + count) and appends to the result. An illegal query is reported by
    // its index.
    Status search_in_order(std::size_t first, std::size_t count, double candidates) noexcept;
    // Answers all, as many together as scratch memory may take.
    Status search_in_packets(double candidates) noexcept;
    // The same in the order of the search.
    Status search_as_found(std::size_t first, std::size_t count) noexcept;

    // The queries [first, first + count), in parts of 2^shift.
    struct Parts {
        std::size_t first, count;
        std::uint32_t shift;

        std::size_t number() const noexcept { return (count + (std::size_t{1} << shift) - 1) >> shift; }
        std::size_t queries_in(std::size_t part) const noexcept {
            return std::min(std::size_t{1} << shift, count - (part << shift));
        }
    };
    Status find_parts(const class Packets& packets, const Parts& parts) noexcept;
    Status place(const Parts& parts) noexcept;

    Status sort(class Packets& packets, std::size_t first, std::size_t count) noexcept;
    // Finds the answers of one block's packets behind each other.
    bool find_block(const class Packets& packets, std::size_t block, std::size_t first, AnswerSpace& space,
                    simd::IdSink& sink, std::uint64_t* ends) noexcept;
    // Returns false if a query is illegal.
    bool find_legal(parallel::Range some, simd::IdSink& sink, std::uint64_t* ends,
                    std::atomic<std::size_t>& first_bad) const noexcept;
    // Appends the answers of pieces; each begins with the query first_of(piece).
    template <class FirstOf, class Find>
    Status append(std::size_t pieces, std::size_t times, const FirstOf& first_of, const Find& find) noexcept;
    void place_part(std::size_t first, std::size_t count, std::size_t part, std::uint64_t begin,
                    std::uint64_t end, AnswerSpace& space) noexcept;

    const FrameState& frame_;
    const Executor& executor_;
    const parallel::Stop stop_;
    const QueryBatch batch_;
    BatchSpace& space_;
    const FilterBatch filters_;
    HitResult& result_;
};

}  // namespace throng::detail
