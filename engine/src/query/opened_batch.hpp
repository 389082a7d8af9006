// The queries of a call, opened once for all its parts: as the kernels read them. In a world that wraps
// around they are folded, and queries that reach over a seam have images.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/query/query_batch.hpp"
#include "engine/src/store/store.hpp"
#include "throng/executor.hpp"
#include "throng/labels.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// Queries with their images, and the filters of both.
struct ImagedBatch {
    QueryBatch queries, images;
    Filters filters, their_filters;
    // For each image the number of its query; and the queries for which two images may find the same agent.
    // Both ascend, and the first of the queries has the number `first`.
    std::span<const std::uint32_t> owners, repeating;
    std::uint32_t first = 0;
    bool all_repeat = true;  // the queries with images

    bool has_images() const noexcept { return !owners.empty(); }
    ImagedBatch part(std::size_t from, std::size_t count) const noexcept {
        const auto begin = static_cast<std::uint32_t>(first + from),
                   end = static_cast<std::uint32_t>(begin + count);
        const auto those_of = [=](std::span<const std::uint32_t> all) {
            const auto low = std::lower_bound(all.begin(), all.end(), begin);
            return std::span(low, std::lower_bound(low, all.end(), end));
        };
        const std::span<const std::uint32_t> own = those_of(owners);
        const auto image = static_cast<std::size_t>(own.data() - owners.data());
        return {queries.part(from, count),
                images.part(image, own.size()),
                filters.part(from, count),
                their_filters.part(image, own.size()),
                own,
                those_of(repeating),
                begin};
    }
};

// Lists of ids. Unless `order` is null they come in the order of the search: then it gets the number of each
// list's query. Unless `room` is null it bounds them.
struct FoundLists {
    Buffer<std::uint64_t>& offsets;
    Buffer<AgentId>& ids;
    std::uint32_t* order = nullptr;
    ListRoom* room = nullptr;
};

class OpenedBatch {
public:
    OpenedBatch(const FrameState& frame, const Executor& executor) noexcept
        : frame_(&frame),
          executor_(executor),
          space_(frame.store->spaces.batches),
          around_(frame.store->spaces.torus) {}

    // `torus` is null if the world does not wrap around. Boxes are checked later, and shapes here.
    Status open(const BoxesOrShapes& queries, const Filters& filters, const Torus* torus) noexcept;

    const ImagedBatch& all() const noexcept { return all_; }
    BatchSpace& space() noexcept { return *space_; }
    // Only if there are images.
    TorusSpace& around() noexcept { return *around_.get(); }

    // Whether all opened queries are legal.
    Status check_all(const BoxesOrShapes& queries) noexcept;
    // Counts, or whether there is any, for legal queries.
    template <class Answer>
    Status answer(Answer* answers) noexcept;
    // From now on answers are those of a static layer.
    void go_on_in(const FrameState& layer) noexcept {
        frame_ = &layer;
        all_.filters = all_.filters.of_elements();
        all_.their_filters = all_.their_filters.of_elements();
    }
    // Lists for the queries of `batch`.
    Status find(const ImagedBatch& batch, const FoundLists& lists) noexcept;

private:
    // The answers of images stay in the space around the batch, and are put behind those of queries. With
    // `placed`, some are put there at once, where the search allows it. It is set to the number of queries,
    // from the first on, that have them.
    Status find_apart(const ImagedBatch& batch, const Executor& executor, const FoundLists& lists,
                      std::size_t* placed = nullptr) noexcept;
    [[nodiscard]] bool add_lists_of_images(const ImagedBatch& batch, const FoundLists& lists,
                                           std::size_t placed) noexcept;
    // Counts, or whether there is any, for some of the queries or images, and not for the others.
    template <class Answer>
    Status answer_each(QueryBatch batch, const Filters& given, Answer* answers) noexcept;
    template <class Answer>
    Status answer_in_packets(QueryBatch batch, const simd::LabelFilters& filters, std::size_t first,
                             std::size_t count, Answer* answers) noexcept;
    // Queries for which two images may find the same agent, one by one.
    Status count_repeating(std::uint32_t* counts) noexcept;

    const FrameState* frame_;
    const Executor executor_;
    Lease<BatchSpace> space_;
    LateLease<TorusSpace> around_;
    ImagedBatch all_;
};

// The first query that is illegal, or goes around the world too often.
Status check(const BoxesOrShapes& queries, const Torus* torus) noexcept;

// The checks of every call, in one order.
inline Status check_call(const BoxesOrShapes& queries, const Status& output, const Filters& filters,
                         const Status& failure) noexcept {
    if (const Code bad = queries.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (!output.ok()) return output;
    const Status bad = check_filters(filters, queries.size());
    return bad.ok() ? failure : bad;
}
template <class Answer>
Status check_output(std::span<Answer> answers, std::size_t least) noexcept {
    if (answers.data() == nullptr && !answers.empty()) return {Code::null_view, Argument::output};
    return {answers.size() < least ? Code::size_mismatch : Code::ok, Argument::output};
}

// The filters of images: one for all, or one for each, which go to `memory`. Returns false if there is none.
[[nodiscard]] inline bool filters_for(const Filters& filters, std::span<const std::uint32_t> owners,
                                      Buffer<Filter>& memory, Filters& out) noexcept {
    out = filters;
    if (filters.one_for_all() && !filters.each_leaves_out_itself()) return true;
    if (!resize_amply(memory, owners.size())) return false;
    for (std::size_t i = 0; i < owners.size(); ++i) memory[i] = filters[owners[i]];
    out = Filters::of({memory.data(), memory.size()});
    return true;
}

}  // namespace throng::detail
