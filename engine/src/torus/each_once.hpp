// What images of queries find, behind what was found before: each agent once.
#pragma once

#include <algorithm>

#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/store/spaces.hpp"
#include "engine/src/store/store.hpp"

namespace throng::detail {

// For one query: lets each agent pass once if several images may find it. Stands for what is kept
// (ask/one_query.hpp), and hands on new answers to it.
template <class Keep>
class EachOnce : public HandOn<EachOnce<Keep>, simd::IdSink, 256, Keep::has_boxes> {
    using Base = HandOn<EachOnce, simd::IdSink, 256, Keep::has_boxes>;
    using Base::sink_;

public:
    EachOnce(Keep& keep, const FrameState& frame) noexcept : keep_(keep), space_(frame.store->spaces.torus) {}

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
        Base::flush();
        return !sink_.stopped;
    }
    bool take(AgentId* ids, Box* boxes, std::size_t count) noexcept {
        Buffer<AgentId>& seen = space_->seen;
        const AgentId *const begin = seen.data(), *const end = begin + before_;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (std::binary_search(begin, end, ids[i])) continue;
            if constexpr (Keep::has_boxes) boxes[kept] = boxes[i];
            ids[kept++] = ids[i];
        }
        const std::size_t had = seen.size();
        has_memory_ = seen.resize(had + kept);
        if (!has_memory_) return false;
        std::copy_n(ids, kept, seen.data() + had);
        return kept == 0 || keep_.take(ids, boxes, kept);
    }

private:
    Keep& keep_;
    const Lease<TorusSpace> space_;
    std::size_t before_ = 0;  // how many ids other images found
    bool has_memory_ = true;
};

}  // namespace throng::detail
