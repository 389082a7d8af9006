// Which neighbours within a radius are missing from lists made for it and a skin. kept.cpp has the proof.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/blocks.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/neighbours/centres/centre_frames.hpp"
#include "engine/src/neighbours/list_sinks.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "engine/src/store/spaces.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// What is known of lists made for radius + skin.
struct KeptMargin {
    static constexpr double slack = 0x1p-20, tiny = 1e-18;

    float radius;
    double found;    // everything that near was found
    double allowed;  // how far an agent may have moved without a look at its neighbours

    KeptMargin(float wanted, float made) noexcept : radius(wanted), found(double{made} * (1 - slack) - tiny) {
        const double reached = double{wanted} * (1 + slack) + tiny;
        allowed = std::max(0.0, (found - reached) / (2 * (1 + slack)));
    }
    // `allowed` as the kernel wants it, not above it.
    simd::Margin margin() const noexcept {
        if (allowed == 0) return {0, 0};
        const int exponent = std::clamp(std::ilogb(allowed), -100, 100);
        const double scaled = std::ldexp(allowed, -exponent);
        return {std::ldexp(1.0f, -exponent), static_cast<float>(scaled * scaled * (1 - slack))};
    }
};

// The centre of an unused id.
inline constexpr Point no_centre{std::numeric_limits<float>::infinity(),
                                 std::numeric_limits<float>::infinity()};

class Movement {
public:
    // Both have the centre of each agent by its id, and `no_centre` for other ids: those of the frame, and
    // those at the time when the lists were made.
    Movement(const FrameState& frame, const Executor& executor, const KeptMargin& margin, const Point* now,
             const Point* was) noexcept
        : frame_(frame),
          executor_(executor),
          margin_(margin),
          moved_(margin.margin()),
          now_(now),
          was_(was),
          most_(margin.allowed == 0 ? 0 : frame.agents / most_in),
          space_(frame.store->spaces.batches) {}

    // Calls missed(a, b) for each agent b that is within the radius of a stray a and may not have been in its
    // list, by blocks. Once it returns false, or is_over, it looks no further. Without memory, `missed` lacks
    // some.
    template <class Missed>
    Status look(const Missed& missed) noexcept {
        if (!space_ || !resize_amply(space_->answers, most_)) return {Code::out_of_memory};
        if (const Status bad = find_strays(); !bad.ok()) return bad;
        if (is_over() || strays() == 0) return {};
        const WhereToLook where(frame_, Within{.radius = margin_.radius}, [&] {
            return SampledSites(strays(), Within{.radius = margin_.radius},
                                [&](std::size_t i, const auto& add) { add(now_[space_->answers[i]], i); });
        });
        searched_ = &where.frame();
        if (!put_in_row_order()) return {Code::out_of_memory};
        const parallel::Ran ran =
            parallel::for_ranges(executor_, strays(), min_in_a_block, [&](parallel::Range range) {
                const Lease<AnswerSpace> space(frame_.store->spaces.answers);
                if (!space || !look_around(range, *space, missed))
                    out_of_memory_.store(true, std::memory_order_relaxed);
            });
        return outcome(ran, out_of_memory_);
    }
    // Whether lists have to be made again: a look around all agents outside the margin would cost as much, or
    // there are agents with other ids, or `missed` wants no more.
    bool is_over() const noexcept { return is_over_.load(std::memory_order_relaxed); }

private:
    static constexpr std::size_t min_in_a_block = 4096;
    // Lists are made again if more than one agent in `most_in` has strayed.
    static constexpr std::size_t most_in = 16;

    std::size_t strays() const noexcept { return strays_.load(std::memory_order_relaxed); }

    Status find_strays() noexcept {
        return outcome(
            parallel::for_ranges(executor_, frame_.id_bound, min_in_a_block, [&](parallel::Range range) {
                for (std::size_t first = range.begin; first < range.end && !is_over(); first += sites_at_once)
                    find_strays(first, std::min<std::size_t>(sites_at_once, range.end - first));
            }));
    }
    void find_strays(std::size_t first, std::size_t ids) noexcept {
        AgentId found[sites_at_once];
        std::size_t count =
            frame_.kernels->neighbours->strays(&now_->x, &was_->x, static_cast<std::uint32_t>(first),
                                               static_cast<std::uint32_t>(ids), moved_, found);
        if (count == 0) return;
        if (frame_.agents != frame_.id_bound) count = leave_out_unused(found, count);
        const std::size_t before = strays_.fetch_add(count, std::memory_order_relaxed);
        if (before + count <= most_)
            std::copy_n(found, count, space_->answers.data() + before);
        else
            is_over_.store(true, std::memory_order_relaxed);
    }
    // Ids without an agent are among strays, since they have no distance.
    std::size_t leave_out_unused(AgentId* ids, std::size_t count) noexcept {
        std::size_t left = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const bool is = now_[ids[i]].x != no_centre.x, was = was_[ids[i]].x != no_centre.x;
            if (is != was) is_over_.store(true, std::memory_order_relaxed);
            ids[left] = ids[i];
            left += is && was;
        }
        return left;
    }
    // Strays of a row together, so that a look around one finds in the caches what others have brought there.
    bool put_in_row_order() noexcept {
        const std::size_t count = strays();
        const AgentId* const ids = space_->answers.data();
        if (!resize_amply(space_->row_of, most_) || !resize_amply(space_->starts, most_) ||
            !resize_amply(space_->counts, searched_->map.rows()))
            return false;
        std::fill(space_->counts.begin(), space_->counts.end(), 0u);
        for (std::size_t i = 0; i < count; ++i) {
            const Point& at = now_[ids[i]];
            const std::uint32_t row = searched_->map.row_of({at.x, at.y, at.x, at.y});
            space_->row_of[i] = static_cast<std::uint16_t>(row);
            ++space_->counts[row];
        }
        std::uint32_t begin = 0;
        for (std::uint32_t& start : space_->counts) begin += std::exchange(start, begin);
        for (std::size_t i = 0; i < count; ++i) space_->starts[space_->counts[space_->row_of[i]]++] = ids[i];
        return true;
    }
    // Both return false if there is no memory.
    template <class Missed>
    bool look_around(const parallel::Range& range, AnswerSpace& space, const Missed& missed) noexcept {
        alignas(64) float x[sites_at_once + simd::gap], y[sites_at_once + simd::gap];
        for (std::size_t first = range.begin; first < range.end && !is_over(); first += sites_at_once) {
            const auto count =
                static_cast<std::uint32_t>(std::min<std::size_t>(sites_at_once, range.end - first));
            const AgentId* const ids = space_->starts.data() + first;
            for (std::uint32_t i = 0; i < count; ++i) {
                x[i] = now_[ids[i]].x;
                y[i] = now_[ids[i]].y;
            }
            std::fill_n(x + count, simd::gap, 0.0f);
            std::fill_n(y + count, simd::gap, 0.0f);
            if (!look_around({x, y, ids, nullptr, count}, space)) return false;
            const Buffer<AgentId>& pairs = space.streams[0];
            for (std::size_t i = 0; i < pairs.size(); i += 2)
                if (!missed(pairs[i], pairs[i + 1])) is_over_.store(true, std::memory_order_relaxed);
        }
        return true;
    }
    // Leaves the pairs in the first stream.
    bool look_around(const simd::Queriers& strays, AnswerSpace& space) noexcept {
        KeepLists keep(&space.streams[0], &out_of_memory_);
        simd::ListSink sink{};
        if (!keep.open(sink, 0)) return false;
        std::uint32_t done = 0;
        if (margin_.radius * margin_.radius < std::numeric_limits<float>::max())
            done = frame_.kernels->neighbours->meet_others(searched_->view, strays, margin_.radius,
                                                           {&was_->x, margin_.found, margin_.allowed}, sink);
        if (!keep.close_amply(sink)) return false;
        return done == strays.count ||
               search_around(space, {strays.x + done, strays.y + done, strays.number + done, nullptr,
                                     strays.count - done});
    }
    // The same for any strays, behind the pairs so far.
    bool search_around(AnswerSpace& space, const simd::Queriers& strays) noexcept {
        const simd::NeighbourQuery query{.radius = margin_.radius};
        Buffer<AgentId>& pairs = space.streams[0];
        return each_neighbour(
            *searched_, strays, query, 1, space, out_of_memory_, [&](std::uint32_t i, std::size_t at) {
                const AgentId stray = strays.number[i], other = space.streams[1][at];
                return was_found(stray, other) || (pairs.push_back(stray) && pairs.push_back(other));
            });
    }
    // Whether the lists of these two surely have each other.
    bool was_found(AgentId a, AgentId b) const noexcept {
        const double dx = double{was_[a].x} - was_[b].x, dy = double{was_[a].y} - was_[b].y;
        return dx * dx + dy * dy <= margin_.found * margin_.found;
    }

    const FrameState& frame_;
    const FrameState* searched_ = nullptr;  // for the neighbours of strays
    const Executor& executor_;
    const KeptMargin margin_;
    const simd::Margin moved_;
    const Point *const now_, *const was_;
    const std::size_t most_;  // agents to look around
    const Lease<BatchSpace> space_;
    std::atomic<std::size_t> strays_{0};
    std::atomic<bool> is_over_{false}, out_of_memory_{false};
};

}  // namespace throng::detail
