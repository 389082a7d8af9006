#include "engine/src/pairs/piled_ghosts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/src/frame/row_layout.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "engine/src/pairs/closeness.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "simd/query_kernels.hpp"

namespace throng::detail {

namespace {

// How many agents a ghost may overlap. The mean is over all agents, and owned ones count as 0.
constexpr std::uint64_t few = 6;

std::uint32_t overlapping(const FrameState& frame, const simd::Row& row, std::uint32_t i,
                          const Growth& growth) noexcept {
    const Box box = RowArrays(row).box(i);
    const simd::Query query{growth.down(box.min_x), growth.down(box.min_y), growth.up(box.max_x),
                            growth.up(box.max_y)};
    const Filter filter{.heights = traits_in(row, frame.extras, i).height};
    std::uint32_t found = 0;
    frame.kernels->queries->count_in_order(frame.view, kernel_filters(frame, filter), &query, 1, &found);
    return found;
}

}  // namespace

bool are_ghosts_piled(const FrameState& frame, double distance) noexcept {
    if (frame.ghosts.empty()) return false;
    const Growth growth(distance);
    const AgentSites sites(frame);
    const std::size_t samples = 16 + static_cast<std::size_t>(std::sqrt(frame.agents)) / 8;
    std::uint64_t found = 0;
    std::size_t before = 0, sample = 0;
    sites.each_piece({0, sites.size()}, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
        const auto next = [&] { return std::uint64_t{2 * sample + 1} * sites.size() / (2 * samples); };
        for (; next() < before + (end - first) && found <= few * samples; ++sample) {
            const auto i = static_cast<std::uint32_t>(first + (next() - before));
            if (frame.ghosts.has(RowArrays(row).id[i])) found += overlapping(frame, row, i, growth);
        }
        before += end - first;
    });
    return found > few * samples;
}

// Some at a time: if nobody is around all of them, none has to look.
void PartnersOfGhosts::find(const parallel::Range& slots, const parallel::Stop& stop) noexcept {
    const simd::GhostIds ghosts = frame_.ghosts;
    std::size_t count = 0;
    Box around{};
    for (std::size_t i = slots.begin; i < slots.end && !pairs_.stopped; ++i) {
        const Box& box = grown_.boxes()[i];
        // Slots may have no agent.
        if (!ghosts.has(grown_.ids()[i]) || !(box.min_x <= box.max_x)) continue;
        around = count == 0 ? box
                            : Box{std::min(around.min_x, box.min_x), std::min(around.min_y, box.min_y),
                                  std::max(around.max_x, box.max_x), std::max(around.max_y, box.max_y)};
        slots_[count++] = static_cast<std::uint32_t>(i);
        if (count != ghosts_at_once) continue;
        if (stop.is_wanted()) return;
        find_for_some(std::exchange(count, 0), around);
    }
    find_for_some(count, around);
}
void PartnersOfGhosts::find_for_some(std::size_t count, const Box& around) noexcept {
    const simd::QueryKernels& queries = *frame_.kernels->queries;
    const simd::View& view = *grown_.searched().view;
    const auto query_of = [&](const Box& box) {
        return simd::Query{box.min_x, box.min_y, growth_.up(box.max_x), growth_.up(box.max_y)};
    };
    if (count == 0 || !queries.any(view, query_of(around))) return;
    for (std::size_t k = 0; k < count && !pairs_.stopped; ++k) {
        slot_ = slots_[k];
        const simd::Query query = query_of(grown_.boxes()[slot_]);
        if (filter_ != nullptr) {
            std::uint64_t end;
            const Filter filter = filter_for(grown_.traits()[slot_]);
            queries.find_in_order(view, kernel_filters(frame_, filter), &query, 1, sink_, &end);
        } else {
            queries.find(view, query, sink_);
        }
        flush();
    }
}
bool PartnersOfGhosts::take(const AgentId* ids, const Box*, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count && !pairs_.stopped; ++i) {
        if (pairs_.at > pairs_.limit) pairs_.full(pairs_);
        *pairs_.at++ = {slot_, ids[i]};
    }
    return !pairs_.stopped;
}
Filter PartnersOfGhosts::filter_for(const Traits& traits) const noexcept {
    const Label& label = traits.label;
    return {.categories = (has_any(label.categories, filter_->a) ? filter_->b : 0) |
                          (has_any(label.categories, filter_->b) ? filter_->a : 0),
            .not_in_group = filter_->other_groups_only ? label.group : no_group,
            .heights = filter_->by_height ? traits.height : Band{}};
}

}  // namespace throng::detail
