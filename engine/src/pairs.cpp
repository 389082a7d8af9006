// Pairs: groups of rows in parallel, each with its own work space, joined in the order of the rows; then the
// oversized agents, in groups of their own.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "engine/src/row_groups.hpp"
#include "engine/src/row_labels.hpp"
#include "engine/src/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

static_assert(sizeof(Pair) == sizeof(simd::Pair) && alignof(Pair) == alignof(simd::Pair));

constexpr std::size_t oversized_in_a_block = 64;

simd::Pair* as_kernel(Pair* pairs) noexcept { return reinterpret_cast<simd::Pair*>(pairs); }

// Which pairs are wanted of a frame. Where nobody has a label but the default one, it is all of them or none.
struct Wanted {
    Wanted(const FrameState& frame, const PairFilter* wanted) noexcept {
        if (wanted == nullptr) return;
        filter = {wanted->a, wanted->b, wanted->other_groups_only};
        filtered = frame.labelled;
        none = !frame.labelled && !wanted->admits(Label{}, Label{});
    }
    bool filtered = false, none = false;
    simd::PairLabelFilter filter{};
};

// The work of a whole frame, cut into blocks.
class PairWork {
public:
    PairWork(const FrameState& frame, const Wanted& wanted, const Executor& executor) noexcept
        : frame_(frame), wanted_(wanted) {
        row_blocks_ = row_groups_for(executor, frame.rows.size(), frame.agents);
        const std::size_t oversized = frame.view.oversized.count;
        oversized_blocks_ =
            oversized == 0 ? 0 : parallel::blocks_for(executor, oversized, oversized_in_a_block);
    }
    std::size_t blocks() const noexcept { return row_blocks_ + oversized_blocks_; }

    // Makes sure of the spaces that the blocks take while they run. False if there is no memory.
    bool prepare(const Executor& executor) const noexcept {
        std::size_t largest = 0;
        for (const simd::Row& row : frame_.rows) largest = std::max<std::size_t>(largest, row.count);
        return frame_.store->pair_spaces.prepare(
            parallel::at_once(executor, blocks()),
            [&](PairSpace& space) { return reserve_amply(space.edge, largest + simd::gap); });
    }

    // Runs one block into a sink. False if there is no memory for its scratch.
    bool run(std::size_t block, Buffer<std::uint32_t>& edge, simd::PairSink& sink) const noexcept {
        if (block >= row_blocks_) {
            const parallel::Part part =
                parallel::part_of(frame_.view.oversized.count, oversized_blocks_, block - row_blocks_);
            run_oversized(static_cast<std::uint32_t>(part.begin), static_cast<std::uint32_t>(part.end), sink);
            return true;
        }
        const RowGroup group = rows_of(block);
        if (wanted_.filtered) return run_filtered(group, sink);
        std::size_t largest = 0;
        for (std::size_t r = group.begin; r < group.end; ++r)
            largest = std::max<std::size_t>(largest, frame_.rows[r].count);
        if (!reserve_amply(edge, largest + simd::gap)) return false;
        for (std::size_t r = group.begin; r < group.end; ++r)
            frame_.kernels->row_pairs(frame_.view, static_cast<std::uint32_t>(r), edge.data(), sink);
        return true;
    }
    // A guess at how many pairs a block has room for at first.
    std::size_t agents_in_block() const noexcept { return frame_.agents / row_blocks_ + 1; }

private:
    void run_oversized(std::uint32_t first, std::uint32_t last, simd::PairSink& sink) const noexcept {
        if (wanted_.filtered)
            frame_.kernels->oversized_pairs_filtered(frame_.view, first, last, wanted_.filter, sink);
        else
            frame_.kernels->oversized_pairs(frame_.view, first, last, sink);
    }
    bool run_filtered(const RowGroup& group, simd::PairSink& sink) const noexcept {
        for (std::size_t r = group.begin; r < group.end; ++r)
            frame_.kernels->row_pairs_filtered(frame_.view, static_cast<std::uint32_t>(r), wanted_.filter,
                                               sink);
        return true;
    }
    RowGroup rows_of(std::size_t block) const noexcept {
        // Rows are about equally dear where they hold about equally many agents; the last one of a run of
        // rows is found by walking, which is cheap beside what the rows cost.
        const std::size_t rows = frame_.rows.size();
        if (row_blocks_ == 1) return {0, rows};
        const auto edge = [&](std::size_t index) {
            const std::size_t wanted = frame_.agents / row_blocks_ * index;
            std::size_t sum = 0, r = 0;
            while (r < rows && sum < wanted) sum += frame_.rows[r++].count;
            return index == row_blocks_ ? rows : r;
        };
        return {edge(block), edge(block + 1)};
    }

    const FrameState& frame_;
    const Wanted& wanted_;
    std::size_t row_blocks_, oversized_blocks_;
};

// A sink that keeps everything in one growing buffer.
struct Keep {
    Buffer<Pair>& pairs;
    bool out_of_memory = false;

    bool open(simd::PairSink& sink, std::size_t begin, std::size_t room) noexcept {
        if (!pairs.reserve(begin + room + 2 * simd::pair_slack)) return false;
        sink = {as_kernel(pairs.data()) + begin, limit(), full, this};
        return true;
    }
    simd::Pair* limit() noexcept { return as_kernel(pairs.data()) + pairs.capacity() - simd::pair_slack; }
    std::size_t size(const simd::PairSink& sink) noexcept {
        return static_cast<std::size_t>(sink.at - as_kernel(pairs.data()));
    }
    static void full(simd::PairSink& sink) {
        Keep& keep = *static_cast<Keep*>(sink.context);
        const std::size_t have = keep.size(sink);
        (void)keep.pairs.resize(have);
        if (!keep.pairs.reserve(have + have / 2 + 2 * simd::pair_slack)) {
            // The search goes on into the same place, so that the kernel need not know; the result will be
            // refused.
            keep.out_of_memory = true;
            sink.at = keep.limit() - simd::pair_slack;
            return;
        }
        sink.at = as_kernel(keep.pairs.data()) + have;
        sink.limit = keep.limit();
    }
};

// A sink that passes blocks of pairs on.
template <class Take>
struct Pass {
    Take& take;
    std::array<Pair, 2048 + simd::pair_slack> buffer;

    explicit Pass(Take& t) noexcept : take(t) {}
    simd::PairSink sink() noexcept {
        simd::Pair* begin = as_kernel(buffer.data());
        return {begin, begin + buffer.size() - simd::pair_slack, full, this};
    }
    static void full(simd::PairSink& sink) {
        Pass& pass = *static_cast<Pass*>(sink.context);
        const auto count = static_cast<std::size_t>(sink.at - as_kernel(pass.buffer.data()));
        if (count != 0) pass.take(pass.buffer.data(), count);
        sink.at = as_kernel(pass.buffer.data());
    }
};

// Every block's pairs, passed on as they are found: take(pairs, count), on any thread.
template <class Take>
Status pass_pairs(const FrameState& frame, const Wanted& wanted, const Executor& executor,
                  Take&& take) noexcept {
    if (wanted.none) return {};
    const PairWork work(frame, wanted, executor);
    std::atomic<bool> out_of_memory{!work.prepare(executor)};
    const bool ran = parallel::for_blocks(executor, work.blocks(), [&](std::size_t block) {
        const Lease<PairSpace> space(frame.store->pair_spaces);
        Pass pass(take);
        simd::PairSink sink = pass.sink();
        if (!space || !work.run(block, space->edge, sink)) {
            out_of_memory.store(true, std::memory_order_relaxed);
            return;
        }
        pass.full(sink);
    });
    if (!ran) return {Code::bad_executor};
    return out_of_memory.load(std::memory_order_relaxed) ? Status{Code::out_of_memory} : Status{};
}

// One block after the other, straight into the list.
Status list_serially(const FrameState& frame, const PairWork& work, Buffer<Pair>& list) noexcept {
    const Lease<PairSpace> space(frame.store->pair_spaces);
    Keep keep{list};
    simd::PairSink sink{};
    if (!space || !keep.open(sink, 0, 0)) return {Code::out_of_memory};
    for (std::size_t block = 0; block < work.blocks(); ++block)
        if (!work.run(block, space->edge, sink)) return {Code::out_of_memory};
    if (keep.out_of_memory || !list.resize(keep.size(sink))) return {Code::out_of_memory};
    keep_ample(list, list.size() + 2 * simd::pair_slack);
    return {};
}

// The pairs of each block in a work space of its own.
class PairBlocks {
public:
    explicit PairBlocks(const FrameState& frame) noexcept : frame_(frame), table_(frame.store->pair_tables) {}
    PairBlocks(const PairBlocks&) = delete;
    ~PairBlocks() {
        if (!table_) return;
        // Last in, first out: so a block finds the space again that it had the last time.
        for (std::size_t i = table_->spaces.size(); i-- > 0;)
            if (table_->spaces[i] != nullptr) frame_.store->pair_spaces.put_back(table_->spaces[i]);
        table_->spaces.clear();
    }

    Status find(const Executor& executor, const PairWork& work) noexcept {
        if (!table_ || !table_->spaces.resize(work.blocks(), nullptr)) return {Code::out_of_memory};
        for (PairSpace*& space : table_->spaces)
            if (space = frame_.store->pair_spaces.take(); space == nullptr) return {Code::out_of_memory};
        std::atomic<bool> out_of_memory{false};
        const bool ran = parallel::for_blocks(executor, work.blocks(), [&](std::size_t block) {
            if (!find_block(work, block, *table_->spaces[block]))
                out_of_memory.store(true, std::memory_order_relaxed);
        });
        if (!ran) return {Code::bad_executor};
        return out_of_memory.load(std::memory_order_relaxed) ? Status{Code::out_of_memory} : Status{};
    }
    std::size_t total() const noexcept {
        std::size_t sum = 0;
        for (const PairSpace* space : table_->spaces) sum += space->pairs.size();
        return sum;
    }
    // The first `room` pairs, in order. False if the executor failed.
    bool copy(const Executor& executor, Pair* out, std::size_t room) const noexcept {
        const Buffer<PairSpace*>& spaces = table_->spaces;
        return parallel::for_blocks(executor, spaces.size(), [&](std::size_t block) {
            std::size_t at = 0;
            for (std::size_t b = 0; b < block; ++b) at += spaces[b]->pairs.size();
            if (at >= room) return;
            const Buffer<Pair>& some = spaces[block]->pairs;
            std::memcpy(out + at, some.data(), std::min(some.size(), room - at) * sizeof(Pair));
        });
    }

private:
    static bool find_block(const PairWork& work, std::size_t block, PairSpace& space) noexcept {
        Keep keep{space.pairs};
        simd::PairSink sink{};
        space.pairs.clear();
        if (!keep.open(sink, 0, work.agents_in_block() / 2) || !work.run(block, space.edge, sink))
            return false;
        if (keep.out_of_memory || !space.pairs.resize(keep.size(sink))) return false;
        keep_ample(space.pairs, space.pairs.size() + 2 * simd::pair_slack);
        return true;
    }

    const FrameState& frame_;
    Lease<PairTable> table_;
};

}  // namespace

Status Frame::list_pairs(const PairFilter* filter, PairList& list) const noexcept {
    list.clear();
    if (state_ == nullptr) return {};
    const Wanted wanted(*state_, filter);
    if (wanted.none) return {};
    const PairWork work(*state_, wanted, executor_);
    Status status;
    if (executor_.parallel_for == nullptr || work.blocks() == 1) {
        status = list_serially(*state_, work, list.pairs_);
    } else {
        PairBlocks blocks(*state_);
        status = blocks.find(executor_, work);
        if (status.ok() &&
            !(reserve_amply(list.pairs_, blocks.total()) && list.pairs_.resize(blocks.total())))
            status = {Code::out_of_memory};
        if (status.ok() && !blocks.copy(executor_, list.pairs_.data(), list.size()))
            status = {Code::bad_executor};
    }
    if (!status.ok()) list.clear();
    return status;
}

Found Frame::fill_pairs(const PairFilter* filter, std::span<Pair> out) const noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view}};
    if (state_ == nullptr) return {};
    const Wanted wanted(*state_, filter);
    if (wanted.none) return {};
    const PairWork work(*state_, wanted, executor_);
    PairBlocks blocks(*state_);
    if (const Status status = blocks.find(executor_, work); !status.ok()) return {.status = status};
    const std::size_t total = blocks.total(), room = std::min(total, out.size());
    if (!blocks.copy(executor_, out.data(), room)) return {.status = {Code::bad_executor}};
    return {.status = {}, .found = total, .written = room};
}

Found Frame::count_pairs_of(const PairFilter* filter) const noexcept {
    if (state_ == nullptr) return {};
    std::atomic<std::uint64_t> total{0};
    const Wanted wanted(*state_, filter);
    const Status status = pass_pairs(*state_, wanted, executor_, [&](const Pair*, std::size_t count) {
        total.fetch_add(count, std::memory_order_relaxed);
    });
    if (!status.ok()) return {.status = status};
    return {.status = {}, .found = total.load(std::memory_order_relaxed)};
}

Status Frame::visit_pairs(const PairFilter* filter, PairVisitor visitor) const noexcept {
    if (state_ == nullptr) return {};
    std::atomic<bool> threw{false};
    const Wanted wanted(*state_, filter);
    const Status status = pass_pairs(*state_, wanted, executor_, [&](const Pair* pairs, std::size_t count) {
        if (threw.load(std::memory_order_relaxed)) return;
        try {
            visitor.visit(visitor.visitor, pairs, count);
        } catch (...) {
            threw.store(true, std::memory_order_relaxed);
        }
    });
    return status.ok() && threw.load(std::memory_order_relaxed) ? Status{Code::visitor_threw} : status;
}

}  // namespace throng
