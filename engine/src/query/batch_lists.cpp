// The batches of a frame whose answers are ids: checks, and the place for the ids (see batch_hits.hpp).

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/src/query/batch_hits.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/query/shape_reader.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

Status OpenedBatch::find_apart(const ImagedBatch& batch, const Executor& executor,
                               const FoundLists& lists) noexcept {
    const auto find_each = [&](const QueryBatch& some, const Filters& filters,
                               const FoundLists& to) -> Status {
        if (!resize_amply(to.offsets, some.size() + 1)) return {Code::out_of_memory};
        HitResult result{to.offsets.data(), {&to.ids, {}, 0, to.room}, to.order};
        const Status bad = HitBatch(*frame_, executor, some, space(), {*frame_, filters}, result).run();
        if (!bad.ok() || to.ids.resize(static_cast<std::size_t>(result.ids.found))) return bad;
        return {Code::out_of_memory};
    };
    Status status = find_each(batch.queries, batch.filters, lists);
    std::uint64_t found = lists.ids.size();
    if (status.ok() && batch.has_images()) {
        Buffer<AgentId>& more = around().more_ids;
        if (lists.room != nullptr)
            lists.room->add_words(std::uint64_t{simd::stream_header} * batch.images.size());
        status =
            find_each(batch.images, batch.their_filters, {around().more_offsets, more, nullptr, lists.room});
        found += more.size();
    }
    return status.ok() && lists.room != nullptr && !lists.room->admits(found) ? Status{Code::out_of_memory}
                                                                              : status;
}

Status OpenedBatch::find(const ImagedBatch& batch, const FoundLists& lists) noexcept {
    const Status bad = find_apart(batch, executor_, lists);
    if (!bad.ok() || !batch.has_images() || add_lists_of_images(batch, lists)) return bad;
    return {Code::out_of_memory};
}

Status Frame::find_all(const BoxesOrShapes& queries, OverlapLists& hits, const Filters& filters,
                       std::uint32_t* order, ListRoom* room) const noexcept {
    hits.clear();
    if (const Status bad = check_call(queries, {}, filters, failure_); !bad.ok()) return bad;
    Status status;
    if (state_ != nullptr) {
        OpenedBatch opened(*state_, executor_);
        status = opened.open(queries, filters, torus());
        if (status.ok()) status = opened.find(opened.all(), {hits.offsets_, hits.answers_, order, room});
    } else if (!resize_amply(hits.offsets_, queries.size() + 1)) {
        status = {Code::out_of_memory};
    } else {
        std::fill(hits.offsets_.begin(), hits.offsets_.end(), 0u);
        status = check(queries);
        if (order != nullptr) std::iota(order, order + queries.size(), 0u);
    }
    if (!status.ok()) hits.clear();
    return status;
}

Status Frame::overlaps(const BoxesOrShapes& queries, OverlapLists& hits,
                       const Filters& filters) const noexcept {
    return find_all(queries, hits, filters, nullptr);
}

Status Frame::overlaps(const BoxesOrShapes& queries, OverlapsAsFound& hits,
                       const Filters& filters) const noexcept {
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    hits.clear();
    if (queries.size() > most) return {Code::too_many, most};
    if (!resize_amply(hits.queries_, queries.size())) return {Code::out_of_memory};
    const Status status = find_all(queries, hits.lists_, filters, hits.queries_.data());
    if (!status.ok()) hits.clear();
    return status;
}

Filled Frame::overlaps(const BoxesOrShapes& queries, std::span<std::uint64_t> offsets, std::span<AgentId> ids,
                       const Filters& filters) const noexcept {
    Status output = check_output(ids, 0);
    if (offsets.data() == nullptr) output = {Code::null_view, Argument::output};
    if (output.ok() && offsets.size() != queries.size() + 1) output = {Code::size_mismatch, Argument::output};
    if (const Status bad = check_call(queries, output, filters, failure_); !bad.ok()) return {.status = bad};
    if (state_ == nullptr) {
        const Status legal = check(queries);
        if (legal.ok()) std::fill(offsets.begin(), offsets.end(), std::uint64_t{0});
        return {.status = legal};
    }
    OpenedBatch opened(*state_, executor_);
    Status status = opened.open(queries, filters, torus());
    HitResult result{offsets.data(), {nullptr, ids}};
    if (status.ok() && !opened.all().has_images()) {
        status =
            HitBatch(*state_, executor_, opened.all().queries, opened.space(), {*state_, filters}, result)
                .run();
    } else if (status.ok()) {
        Buffer<std::uint64_t>& all_offsets = opened.around().made_offsets;
        Buffer<AgentId>& all = opened.around().made_ids;
        status = opened.find(opened.all(), {all_offsets, all});
        if (status.ok()) {
            std::copy(all_offsets.begin(), all_offsets.end(), offsets.begin());
            std::copy_n(all.begin(), std::min(all.size(), ids.size()), ids.begin());
            result.ids.found = all.size();
        }
    }
    return status.ok() ? filled(result.ids.found, ids.size()) : Filled{.status = status};
}

}  // namespace throng
