// Whether lists of neighbours that were made for a radius and a skin still have all neighbours within the radius. kept.cpp has
// the proof.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/src/neighbours/list_sinks.hpp"
#include "engine/src/neighbours/places.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// What is known of lists that were made for radius + skin.
struct KeptMargin {
    static constexpr double slack = 0x1p-20, tiny = 1e-18;

    float radius;
    double found;    // all that was as near was found
    double allowed;  // how far an agent may have moved without a look at its neighbours

    KeptMargin(float wanted, float made) noexcept : radius(wanted), found(double{made} * (1 - slack) - tiny) {
        const double reached = double{wanted} * (1 + slack) + tiny;
        allowed = std::max(0.0, (found - reached) / (2 * (1 + slack)));
    }
    // `allowed` as the kernel wants it, no higher.
    simd::Margin margin() const noexcept {
        if (allowed == 0) return {0, 0};
        const int exponent = std::clamp(std::ilogb(allowed), -100, 100);
        const double scaled = std::ldexp(allowed, -exponent);
        return {std::ldexp(1.0f, -exponent), static_cast<float>(scaled * scaled * (1 - slack))};
    }
};

class Movement {
public:
    // `was` has the centre of each agent by its id when the lists were made, and infinity where there was none.
    Movement(const FrameState& frame, const Executor& executor, const KeptMargin& margin,
             const Point* was) noexcept
        : frame_(frame),
          places_(frame),
          executor_(executor),
          margin_(margin),
          moved_(margin.margin()),
          was_(was),
          most_(margin.allowed == 0 ? 0 : frame.agents / most_in),
          blocks_(parallel::blocks_for(executor, frame.agents, min_in_a_block)) {}

    // Finds out whether the lists have all. Also says no if so many agents have left the margin that to look around them
    // would cost as much as new lists.
    Status look(bool& lists_have_all) noexcept {
        const bool ran = parallel::for_blocks(executor_, blocks_, [&](std::size_t b) {
            const Lease<AnswerSpace> space(frame_.store->answer_spaces);
            if (!space || !look_at(parallel::range_of(places_.size(), blocks_, b), *space))
                out_of_memory_.store(true, std::memory_order_relaxed);
        });
        lists_have_all = !is_over();
        if (!ran) return {Code::bad_executor};
        return {out_of_memory_.load(std::memory_order_relaxed) ? Code::out_of_memory : Code::ok};
    }

private:
    static constexpr std::size_t min_in_a_block = 4096;
    // Lists are made again if more than one agent in so many has strayed. So few strays are looked around at once.
    static constexpr std::size_t most_in = 16, few = 64;

    // Once it is known that lists have to be made, no more is looked at.
    bool is_over() const noexcept {
        return one_lacks_.load(std::memory_order_relaxed) || strays_.load(std::memory_order_relaxed) > most_;
    }
    // All three return false if there is no memory. A look around the strays of some agents soon finds what these have brought into the
    // caches. But where strays are many, that is better left until it is known that they are not too many.
    bool look_at(const parallel::Range& range, AnswerSpace& space) noexcept {
        std::size_t seen = 0, strays = 0, looked_around = 0;
        bool enough = true;
        places_.each_piece(range, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
            for (; enough && first < end && !is_over(); first += places_at_once) {
                const std::uint32_t some = std::min(places_at_once, end - first);
                enough = find_strays(row, first, some, space, strays);
                seen += some;
                if (!enough || strays == looked_around || strays > seen / most_in + few) continue;
                enough = look_around(space, looked_around, strays);
                looked_around = strays;
            }
        });
        if (!enough || is_over() || strays == looked_around) return enough;
        return look_around(space, looked_around, strays);
    }
    bool find_strays(const simd::Row& row, std::uint32_t first, std::uint32_t some, AnswerSpace& space,
                     std::size_t& strays) noexcept {
        const std::size_t room = strays + some + simd::gap;
        if (!resize_amply(space.streams[0], room) || !resize_amply(space.distances[0], room) ||
            !resize_amply(space.distances[1], room))
            return false;
        const simd::Strayed to{space.distances[0].data() + strays, space.distances[1].data() + strays,
                               space.streams[0].data() + strays};
        const std::uint32_t more = frame_.kernels->neighbours->strays(row, first, some, &was_->x, moved_, to);
        if (more != 0) strays_.fetch_add(more, std::memory_order_relaxed);
        strays += more;
        return true;
    }
    bool look_around(AnswerSpace& space, std::size_t begin, std::size_t end) noexcept {
        const AgentId* const ids = space.streams[0].data() + begin;
        float *const x = space.distances[0].data() + begin, *const y = space.distances[1].data() + begin;
        const auto strays = static_cast<std::uint32_t>(end - begin);
        std::fill_n(x + strays, simd::gap, 0.0f);
        std::fill_n(y + strays, simd::gap, 0.0f);
        std::uint32_t done = 0;
        if (margin_.radius * margin_.radius <= std::numeric_limits<float>::max()) {
            bool met = false;
            done = frame_.kernels->neighbours->meet_others(frame_.view, {x, y, ids, nullptr, strays},
                                                           margin_.radius,
                                                           {&was_->x, margin_.found, margin_.allowed}, met);
            if (met) one_lacks_.store(true, std::memory_order_relaxed);
        }
        return done == strays || is_over() ||
               search_around(space, {x + done, y + done, ids + done, nullptr, strays - done});
    }
    // The same for any strays.
    bool search_around(AnswerSpace& space, const simd::Queriers& strays) noexcept {
        KeepLists keep{&space.streams[1], nullptr, &out_of_memory_};
        simd::ListSink sink{};
        if (!resize_amply(space.ends, strays.count) || !keep.open(sink, 0)) return false;
        simd::NeighbourOutput output = lists_to(sink, space.ends.data());
        const simd::NeighbourQuery query{.radius = margin_.radius,
                                         .radii = nullptr,
                                         .max_count = 0,
                                         .boxes = false,
                                         .half = false,
                                         .distances = false};
        frame_.kernels->neighbours->around(frame_.view, {}, strays, query, output);
        if (!keep.close_amply(sink)) return false;
        std::size_t at = 0;
        for (std::uint32_t i = 0; i < strays.count; ++i)
            for (; at < space.ends[i]; ++at)
                if (!was_found(strays.number[i], space.streams[1][at]))
                    one_lacks_.store(true, std::memory_order_relaxed);
        return true;
    }
    // Whether the lists of these two have each other for sure. An agent that was nowhere was not even near itself.
    bool was_found(AgentId a, AgentId b) const noexcept {
        const double dx = double{was_[a].x} - was_[b].x, dy = double{was_[a].y} - was_[b].y;
        return dx * dx + dy * dy <= margin_.found * margin_.found;
    }

    const FrameState& frame_;
    const AgentPlaces places_;
    const Executor& executor_;
    const KeptMargin margin_;
    const simd::Margin moved_;
    const Point* const was_;
    const std::size_t most_;  // agents to look around
    const std::size_t blocks_;
    std::atomic<std::size_t> strays_{0};
    std::atomic<bool> one_lacks_{false}, out_of_memory_{false};
};

}  // namespace throng::detail
