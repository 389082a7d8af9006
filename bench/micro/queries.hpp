// The queries that the search kernels are measured with.
#pragma once

#include <vector>

#include "simd/box_tree.hpp"
#include "simd/types.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::bench {

inline std::vector<simd::Query> queries_from(const std::vector<workload::Rect>& boxes) {
    std::vector<simd::Query> queries;
    queries.reserve(boxes.size());
    for (const workload::Rect& box : boxes) queries.push_back({box.x0, box.y0, box.x1, box.y1});
    return queries;
}

// Room for ids, which is emptied when it is full.
class IdBuffer {
public:
    explicit IdBuffer(std::size_t capacity) : ids_(capacity + simd::gap) {
        sink_ = {.begin = ids_.data(),
                 .at = ids_.data(),
                 .limit = ids_.data() + capacity,
                 .full = &empty,
                 .run = nullptr,
                 .context = nullptr,
                 .stopped = false};
    }
    simd::IdSink& sink() { return sink_; }
    void clear() { sink_.at = sink_.begin; }

private:
    static void empty(simd::IdSink& sink) { sink.at = sink.begin; }

    std::vector<std::uint32_t> ids_;
    simd::IdSink sink_{};
};

}  // namespace throng::bench
