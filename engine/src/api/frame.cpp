#include "throng/frame.hpp"

#include <algorithm>

#include "engine/src/frame/frame_reader.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/lookup/lookup.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/validation/validation.hpp"
#include "parallel/blocks.hpp"
#include "throng/compiler.hpp"

namespace throng {

using namespace detail;

Frame::Frame(FrameState* state, const Executor& executor, bool wraps) noexcept
    : state_(state), executor_(executor), wraps_(wraps && state != nullptr) {
    if (state_ != nullptr) looks_at_ = wraps_ ? LooksAt::seams : 0;
}
Frame::Frame(const Frame& other) noexcept
    : state_(other.state_),
      executor_(other.executor_),
      failure_(other.failure_),
      looks_at_(other.looks_at_),
      wraps_(other.wraps_) {
    share(state_);
}

Frame::~Frame() { drop(state_); }

std::size_t Frame::size() const noexcept { return state_ == nullptr ? 0 : state_->agents; }

std::uint64_t Frame::number() const noexcept { return state_ == nullptr ? 0 : state_->number; }

Frame Frame::on(const Executor& executor) const noexcept {
    if (!parallel::has_what_it_names(executor) && failure_.ok())
        return Frame(Status{Code::bad_config, Argument::executor});
    Frame other(*this);
    other.executor_ = executor;
    return other;
}

Box Frame::box(AgentId id) const noexcept {
    if (state_ == nullptr || id >= state_->id_bound) return no_box;
    return box_of(*state_, id);
}

Label Frame::label(AgentId id) const noexcept {
    if (state_ == nullptr || id >= state_->id_bound || !state_->labelled()) return {};
    return traits_of(*state_, id).label;
}

Band Frame::height(AgentId id) const noexcept {
    if (state_ == nullptr || id >= state_->id_bound || !state_->has_heights()) return {};
    return traits_of(*state_, id).height;
}

bool Frame::is_ghost(AgentId id) const noexcept { return state_ != nullptr && state_->ghosts.has(id); }

std::size_t Frame::ghost_count() const noexcept { return state_ == nullptr ? 0 : state_->ghost_count; }

Tuning Frame::tuning() const noexcept { return state_ == nullptr ? Tuning{} : state_->tuning; }

Validation Frame::validate() const noexcept {
    if (state_ == nullptr) return {};
    return detail::validate(*state_, nullptr, &state_->store->memory());
}

Filled Frame::row_order(std::span<AgentId> ids) const noexcept {
    if (ids.data() == nullptr && !ids.empty()) return {.status = {Code::null_view, Argument::output}};
    if (state_ == nullptr) return {.status = status()};
    const std::size_t written = std::min(ids.size(), state_->agents);
    AgentSites(*state_).ids({0, written}, ids.data());
    return {.status = {}, .total = state_->agents, .written = written};
}

// The order counts: the same agents in another order have another fingerprint.
std::uint64_t Frame::fingerprint() const noexcept {
    std::uint64_t hash = 0x9E3779B97F4A7C15u;
    if (state_ == nullptr) return hash;
    const auto add = [&](std::uint32_t word) {
        hash = (hash ^ word) * 0x9FB21C651E98DF25u;
        hash ^= hash >> 32;
    };
    for (const simd::Row& row : state_->rows) {
        add(common_agents_in(row));
        add(row.oversized);
        for (std::size_t k = 0; k < arrays_of_a_row(state_->extras) && agents_in(row) != 0; ++k) {
            const auto* words = reinterpret_cast<const std::uint32_t*>(row.data) + k * row.stride;
            for_each_slot(row, [&](std::uint32_t i) { add(words[i]); });
        }
        if (state_->ghost_count != 0 && agents_in(row) != 0)
            for_each_slot(row, [&](std::uint32_t i) { add(is_ghost(RowArrays(row).id[i])); });
    }
    return hash;
}

std::uint64_t Frame::agents_fingerprint() const noexcept {
    std::uint64_t sum = 0;
    if (state_ == nullptr) return sum;
    const auto add = [&](AgentId id, const Box& box, const Traits& traits) {
        std::uint64_t hash = 0x9E3779B97F4A7C15u;
        const auto mix = [&](auto... words) {
            for (const std::uint32_t word : {bits_as<std::uint32_t>(words)...}) {
                hash = (hash ^ word) * 0x9FB21C651E98DF25u;
                hash ^= hash >> 32;
            }
        };
        mix(id, box.min_x, box.min_y, box.max_x, box.max_y, traits.label.categories, traits.label.group);
        if (traits.height != Band{}) mix(traits.height.min_z, traits.height.max_z);
        if (is_ghost(id)) hash *= 0x9FB21C651E98DF25u;
        sum += hash;  // in any order
    };
    (void)detail::for_each_agent(serial_executor(), *state_,
                                 [&](AgentId id, const simd::Row& row, std::uint32_t i) {
                                     add(id, RowArrays(row).box(i), traits_in(row, state_->extras, i));
                                 });
    return sum;
}

}  // namespace throng
