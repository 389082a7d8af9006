// Lets each agent pass once where several images of a query may find it.
#pragma once

#include <algorithm>

#include "base/unwritten.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/store/store.hpp"

namespace throng::detail {

// Takes the place of what is kept (ask/kept.hpp), and hands on to it what is new.
template <class Keep>
class EachOnce {
public:
    EachOnce(Keep& keep, const FrameState& frame) noexcept : keep_(keep), space_(frame.store->spaces.torus) {
        AgentId* const begin = ids_.data();
        sink_ = {begin, begin, begin + room, full, nullptr, this, false, nullptr};
        if constexpr (Keep::has_boxes) sink_.boxes = &boxes_[0].min_x;
    }

    bool has_memory() const noexcept { return has_memory_; }
    // Elements have ids of their own.
    void begin_part(bool) noexcept {
        has_memory_ = static_cast<bool>(space_);
        if (has_memory_) space_->seen.clear();
    }
    template <class Query>
    bool add(const FrameState& frame, const Query& query, const Filter& filter) noexcept {
        if (!has_memory_) return false;
        Buffer<AgentId>& seen = space_->seen;
        std::sort(seen.begin(), seen.end());
        before_ = seen.size();
        query.find(frame, filter, sink_);
        full(sink_);
        return !sink_.stopped;
    }

private:
    static constexpr std::size_t room = 256;

    static void full(simd::IdSink& sink) {
        auto& once = *static_cast<EachOnce*>(sink.context);
        const auto count = static_cast<std::size_t>(sink.at - sink.begin);
        sink.at = sink.begin;
        if (!sink.stopped) sink.stopped = !once.hand_on(count);
    }
    bool hand_on(std::size_t count) noexcept {
        Buffer<AgentId>& seen = space_->seen;
        const AgentId *const begin = seen.data(), *const end = begin + before_;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (std::binary_search(begin, end, ids_[i])) continue;
            if constexpr (Keep::has_boxes) boxes_[kept] = boxes_[i];
            ids_[kept++] = ids_[i];
        }
        const std::size_t had = seen.size();
        has_memory_ = seen.resize(had + kept);
        if (!has_memory_) return false;
        std::copy_n(ids_.data(), kept, seen.data() + had);
        return keep_.take(ids_.data(), boxes_.data(), kept);
    }

    Keep& keep_;
    const Lease<TorusSpace> space_;
    simd::IdSink sink_;
    std::size_t before_ = 0;  // how many ids other images found
    bool has_memory_ = true;
    Unwritten<AgentId, room + simd::gap> ids_;
    Unwritten<Box, Keep::has_boxes ? room + simd::gap : 1> boxes_;
};

}  // namespace throng::detail
