// All ids in the order of the rows.

#include <algorithm>
#include <cstddef>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_holes.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// Copies ids until the memory is full.
class OrderSink {
public:
    explicit OrderSink(std::span<AgentId> out) noexcept : out_(out) {}

    // The common agents of a row, or those of a list.
    void add(const simd::Row& row) noexcept {
        const AgentId* ids = RowArrays(row).id;
        for_each_run(row, [&](std::uint32_t begin, std::uint32_t end) {
            const std::size_t count = std::min<std::size_t>(end - begin, out_.size() - written_);
            std::copy_n(ids + begin, count, out_.data() + written_);
            written_ += count;
        });
    }
    std::size_t written() const noexcept { return written_; }

private:
    std::span<AgentId> out_;
    std::size_t written_ = 0;
};

}  // namespace

Filled Frame::order(std::span<AgentId> ids) const noexcept {
    if (ids.data() == nullptr && !ids.empty()) return {.status = {Code::null_view, Argument::output}};
    if (state_ == nullptr) return {.status = status()};
    OrderSink sink(ids);
    for (const simd::Row& row : state_->rows)
        if (row.count != 0) sink.add(row);
    if (state_->view.oversized.count != 0)
        for (std::uint32_t g = 0; g < grove_count(*state_); ++g) sink.add(grove_at(*state_, g).oversized);
    return {.status = {}, .total = state_->agents, .written = sink.written()};
}

}  // namespace throng
