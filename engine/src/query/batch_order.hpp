// A batch of queries as the kernels read them: an array of boxes with corners. A host's array in that layout
// is used in place; otherwise the boxes are copied once. For shapes, it is the array of their bounds, by
// which they are sorted; the kernels for shapes read the shapes too.
#pragma once

#include <cstddef>

#include "base/box_reader.hpp"
#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/spaces.hpp"
#include "simd/query_kernels.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/status.hpp"

namespace throng::detail {

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

    // The kernels: for the queries [first, first + count) in their order, or for a packet of queries from
    // `first` on; see simd/kernels.hpp.
    void find_in_order(const FrameState& frame, const simd::LabelFilters& filters, std::size_t first,
                       std::size_t count, simd::IdSink& sink, std::uint64_t* ends) const noexcept {
        if (shapes_ == nullptr)
            frame.kernels->queries->find_in_order(frame.view, filters, queries_ + first, count, sink, ends);
        else
            frame.kernels->shapes->find(frame.view, filters, {shapes_ + first, nullptr, count}, &sink, 0,
                                        ends);
    }
    void find_packet(const FrameState& frame, const simd::LabelFilters& filters, std::size_t first,
                     const simd::Record* records, std::size_t count, simd::IdSink* streams,
                     std::uint32_t shift, std::uint64_t* ends = nullptr) const noexcept {
        if (shapes_ == nullptr)
            frame.kernels->queries->find_packet(frame.view, filters, records, count, streams, shift, ends);
        else
            frame.kernels->shapes->find(frame.view, filters, {shapes_ + first, records, count}, streams,
                                        shift, ends);
    }
    // The answers to all of them go to their spots after `answers`: counts, or whether there is any.
    template <class Answer>
    void answer_in_order(const FrameState& frame, const simd::LabelFilters& filters, std::size_t first,
                         std::size_t count, Answer* answers) const noexcept {
        if (shapes_ == nullptr)
            (frame.kernels->queries->*AnswerKernels<Answer>::in_order)(frame.view, filters, queries_ + first,
                                                                       count, answers);
        else
            (frame.kernels->shapes->*AnswerKernels<Answer>::of_shapes)(
                frame.view, filters, {shapes_ + first, nullptr, count}, answers);
    }
    template <class Answer>
    void answer_packet(const FrameState& frame, const simd::LabelFilters& filters, std::size_t first,
                       const simd::Record* records, std::size_t count, Answer* answers) const noexcept {
        if (shapes_ == nullptr)
            (frame.kernels->queries->*AnswerKernels<Answer>::packet)(frame.view, filters, records, count,
                                                                     answers);
        else
            (frame.kernels->shapes->*AnswerKernels<Answer>::of_shapes)(
                frame.view, filters, {shapes_ + first, records, count}, answers);
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
    // The kernels for answers of a fixed size.
    template <class Answer>
    struct AnswerKernels;

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

template <>
struct QueryBatch::AnswerKernels<std::uint32_t> {
    static constexpr auto in_order = &simd::QueryKernels::count_in_order;
    static constexpr auto packet = &simd::QueryKernels::count_packet;
    static constexpr auto of_shapes = &simd::ShapeKernels::count;
};
template <>
struct QueryBatch::AnswerKernels<std::uint8_t> {
    static constexpr auto in_order = &simd::QueryKernels::any_in_order;
    static constexpr auto packet = &simd::QueryKernels::any_packet;
    static constexpr auto of_shapes = &simd::ShapeKernels::any;
};

}  // namespace throng::detail
