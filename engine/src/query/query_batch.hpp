// The queries of a batch as the kernels read them: an array of boxes with corners, and the filters. A host's
// array in that layout is used in place; otherwise the boxes are copied once. For shapes, it is the array of
// their bounds, by which they are sorted; the kernels for shapes read the shapes too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/box_reader.hpp"
#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/memory/traits.hpp"
#include "engine/src/store/spaces.hpp"
#include "simd/query_kernels.hpp"
#include "throng/compiler.hpp"
#include "throng/labels.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// --- Shapes ------------------------------------------------------------------------------------------------

// How many edges it takes.
inline std::size_t edges_of(const Shape& shape) noexcept {
    if (shape.kind() != Shape::Kind::polygon) return 0;
    const std::size_t corners = shape.polygon().corners().size();
    return corners <= ConvexPolygon::max_corners ? corners : 0;
}
// Reads a shape if it is legal; the query refers to the edges.
Code read_shape(const Shape& shape, simd::ShapeQuery& query, simd::PolygonEdge* edges) noexcept;
// The status of the first illegal shape, or query.
Status check(const Shapes& shapes) noexcept;
inline Status check(const BoxesOrShapes& queries) noexcept {
    return queries.visit([](const auto& all) { return check(all); });
}

// --- The queries of a batch --------------------------------------------------------------------------------

class QueryBatch {
public:
    QueryBatch() = default;
    // `shapes` is null for boxes.
    QueryBatch(const simd::Query* queries, const simd::ShapeQuery* shapes, std::size_t count) noexcept
        : queries_(queries), shapes_(shapes), count_(count) {}

    // Fails if there is no memory for the copy. Boxes are checked later, and shapes here.
    Status open(const BoxesOrShapes& queries, BatchSpace& space) noexcept {
        return queries.visit([&](const auto& all) { return read(all, space); });
    }
    std::size_t size() const noexcept { return count_; }
    const simd::Query* data() const noexcept { return queries_; }
    const simd::ShapeQuery* shapes() const noexcept { return shapes_; }
    // The queries [first, first + count).
    QueryBatch part(std::size_t first, std::size_t count) const noexcept {
        return {queries_ + first, shapes_ == nullptr ? nullptr : shapes_ + first, count};
    }

    // The kernels: for the queries [first, first + count) in their order, or, with `records`, for a packet of
    // `count` queries from `first` on; see simd/query_kernels.hpp.
    void find(const FrameState& frame, const simd::LabelFilters& filters, std::size_t first,
              const simd::Record* records, std::size_t count, simd::IdSink* streams, std::uint32_t shift,
              std::uint64_t* ends) const noexcept {
        const simd::Kernels& kernels = *frame.kernels;
        if (shapes_ != nullptr)
            kernels.shapes->find(frame.view, filters, {shapes_ + first, records, count}, streams, shift,
                                 ends);
        else if (records != nullptr)
            kernels.queries->find_packet(frame.view, filters, records, count, streams, shift, ends);
        else
            kernels.queries->find_in_order(frame.view, filters, queries_ + first, count, *streams, ends);
    }
    // The answers to all of them go to their spots after `answers`: counts, or whether there is any.
    template <class Answer>
    void answer(const FrameState& frame, const simd::LabelFilters& filters, std::size_t first,
                const simd::Record* records, std::size_t count, Answer* answers) const noexcept {
        const simd::Kernels& kernels = *frame.kernels;
        const auto with = [&](auto of_shapes, auto packet, auto in_order) {
            if (shapes_ != nullptr)
                of_shapes(frame.view, filters, simd::ShapeBatch{shapes_ + first, records, count}, answers);
            else if (records != nullptr)
                packet(frame.view, filters, records, count, answers);
            else
                in_order(frame.view, filters, queries_ + first, count, answers);
        };
        const auto& shapes = *kernels.shapes;
        const auto& queries = *kernels.queries;
        if constexpr (std::is_same_v<Answer, std::uint32_t>)
            with(shapes.count, queries.count_packet, queries.count_in_order);
        else
            with(shapes.any, queries.any_packet, queries.any_in_order);
    }

    // How many agents a query is expected to test if they are spread evenly, and how many are expected in its
    // bounds. Both are estimated from a few queries and one more than that, so never zero.
    double expected_candidates(const FrameState& frame) const noexcept;
    double expected_answers(const FrameState& frame, parallel::Range some) const noexcept;
    // Whether the way through the tree of the oversized agents is so long, and regions have so few queries,
    // that sharing the way pays more than sharing rows; judged by most of a few queries.
    bool is_far_in_tree(const FrameState& frame) const noexcept;
    // Whether neighbours in the batch are mostly neighbours in the world, judged from a few short runs.
    bool is_coherent(const FrameState& frame) const noexcept;

private:
    template <class Add>
    double mean_of_some(parallel::Range some, const Add& add, std::size_t most = 64) const noexcept;
    Status read(const Boxes& boxes, BatchSpace& space) noexcept {
        count_ = boxes.size();
        if (are_array_of_boxes(boxes)) {
            queries_ = reinterpret_cast<const simd::Query*>(boxes.coordinate(0));
            return {};
        }
        if (!resize_amply(space.queries, count_)) return {Code::out_of_memory};
        read_all(boxes, space.queries.data());
        queries_ = space.queries.data();
        return {};
    }
    Status read(const Shapes& shapes, BatchSpace& space) noexcept;
    static void read_all(const Boxes& boxes, simd::Query* out) noexcept {
        if (!boxes.has_stride(sizeof(float)) || boxes.form() != Boxes::Form::centre_half) {
            for (std::size_t i = 0; i < boxes.size(); ++i) out[i] = query_of(boxes[i]);
            return;
        }
        // The most common layout.
        const float *x = boxes.coordinate(0), *y = boxes.coordinate(1), *half_x = boxes.coordinate(2),
                    *half_y = boxes.coordinate(3);
        for (std::size_t i = 0; i < boxes.size(); ++i)
            out[i] = {x[i] - half_x[i], y[i] - half_y[i], x[i] + half_x[i], y[i] + half_y[i]};
    }

    const simd::Query* queries_ = nullptr;
    const simd::ShapeQuery* shapes_ = nullptr;  // null for boxes
    std::size_t count_ = 0;
};

// --- Filters: none, if they would leave out no agent -------------------------------------------------------

// Whether each agent has a height of a band; without heights they have every height.
inline bool admits_all(const FrameState& frame, const Band& band) noexcept {
    return frame.view.shared_heights.admit_all(band.min_z, band.max_z);
}
// Without labels, all agents have the default category and no group.
THRONG_ALWAYS_INLINE inline bool admits_all(const FrameState& frame, const Filter& filter) noexcept {
    if (filter.self != no_agent) return false;
    if (!frame.labelled()) return (filter.categories & simd::default_category) != 0;
    if (filter.not_in_group != no_group || !admits_all(frame, filter.heights)) return false;
    return (filter.categories & frame.shared_categories) != 0 || filter.categories == all_categories;
}

// The filter of one query, which must live as long as the result.
inline simd::LabelFilters one_filter(const FrameState& frame, const Filter& filter) noexcept {
    return {.first = &filter.categories,
            .bands = admits_all(frame, filter.heights) ? nullptr : &filter.heights.min_z};
}
inline simd::LabelFilters kernel_filters(const FrameState& frame, const Filter& filter) noexcept {
    return admits_all(frame, filter) ? simd::LabelFilters{} : one_filter(frame, filter);
}

// The number of the one storey at which a query looks, or 0 if it looks at several.
inline std::uint32_t layer_of_query(const WorldMap& map, const simd::LabelFilters& filters,
                                    std::size_t i) noexcept {
    if (!map.has_storeys() || filters.bands == nullptr) return 0;
    const simd::LabelFilter filter = filters[i];
    return map.layer_of({filter.min_z, filter.max_z});
}

// Unless there is one filter for all, there must be one for each query.
inline Status check_filters(const Filters& filters, std::size_t queries) noexcept {
    if (filters.one_for_all()) return check_bands(filters);
    if (filters.size() != 0 && filters.first() == nullptr) return {Code::null_view, Argument::filters};
    if (filters.size() != queries) return {Code::size_mismatch, Argument::filters};
    return check_bands(filters);
}

struct FilterBatch {
    static constexpr std::uint32_t all_bits = ~std::uint32_t{0};
    simd::LabelFilters filters;

    FilterBatch() noexcept = default;
    // `wanted` must live as long as this.
    FilterBatch(const FrameState& frame, const Filters& wanted) noexcept {
        if (wanted.one_for_all() && admits_all(frame, wanted[0])) return;
        filters = {.first = wanted.first(), .step = wanted.stride() / sizeof(std::uint32_t)};
        const Band* const bands = wanted.heights();
        const bool are_alike = wanted.height_stride() == 0;
        if (frame.has_heights() && bands != nullptr && !(are_alike && admits_all(frame, *bands))) {
            filters.bands = &bands->min_z;
            filters.band_step = wanted.height_stride() / sizeof(float);
        }
        if (wanted.each_leaves_out_itself())
            filters.itself = all_bits, filters.number = static_cast<AgentId>(wanted.number());
        if (wanted.are_of_elements()) filters.itself = filters.number = all_bits, filters.number_step = 0;
        if (admit_all(frame, wanted.size())) filters = {};
    }
    // Those of the queries from `first` on.
    simd::LabelFilters from(std::size_t first) const noexcept {
        return filters.are_unfiltered() ? filters : filters.from(first);
    }
    // Whether hardly any agent is admitted. Such queries run in the caller's order: they read little but the
    // table of stretches, which stays in the cache anyway, and sorting them would cost more. Judged from a
    // sample of the batch.
    bool are_selective(const FrameState& frame, const QueryBatch& batch) const noexcept;

private:
    // Whether filters for each query are only by height, and leave out no agent.
    bool admit_all(const FrameState& frame, std::size_t queries) const noexcept {
        constexpr std::size_t at_once = 256;
        if (filters.bands == nullptr || filters.itself != 0) return false;
        bool all = queries != 0;
        for (std::size_t first = 0; first < queries && all; first += at_once) {
            simd::LabelFilters::Several several;
            for (std::size_t n = first; n < std::min(queries, first + at_once); ++n)
                filters.add_to(several, n);
            all = several.are_only_by_height() &&
                  admits_all(frame, Band{several.heights.from, several.heights.to});
        }
        return all;
    }
};

}  // namespace throng::detail
