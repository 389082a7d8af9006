// Batches of boxes and shapes: which agents of the cluster overlap them, and how many.
#include <algorithm>

#include "cluster/src/inquiries/batch.hpp"
#include "throng/cluster/cluster_engine.hpp"
#include "throng/results.hpp"

namespace throng::cluster {

namespace detail {

namespace {

Query query_of(const Plane& plane, const BoxesOrShapes& queries, std::size_t q) noexcept {
    return queries.visit([&](const auto& all) {
        if constexpr (std::is_same_v<decltype(all), const Boxes&>)
            return Query(Shape(plane.box_of(all, q)));
        else
            return Query(Shape(all[q]));
    });
}

// What the ranks asked, of this rank's frame.
void find_overlaps(Batch& batch, OverlapLists& hits) noexcept {
    ClusterState& state = batch.state;
    const std::size_t count = batch.inquiry.asked();
    throng::detail::Buffer<Shape> shapes(state.memory);
    throng::detail::Buffer<Point> corners(state.memory);
    if (!state.trouble.ok() || !state.need(shapes.resize(count, Shape(Box{})))) return;
    std::size_t all = 0, at = 0;
    for (std::size_t q = 0; q < count; ++q) all += Query(batch.inquiry.query(q)).corners();
    if (!state.need(corners.resize(all))) return;
    for (std::size_t q = 0; q < count; ++q) {
        const Query query(batch.inquiry.query(q));
        shapes[q] = query.shape(corners.data() + at);
        at += query.corners();
    }
    state.fail(
        state.now.frame.overlaps(Shapes(std::span<const Shape>(shapes.data(), count)), hits,
                                 Filters::of(std::span<const Filter>(batch.local_filters.data(), count))));
}

}  // namespace

}  // namespace detail

ClusterStatus ClusterEngine::overlaps(const BoxesOrShapes& queries, Lists& lists, const Filters& filters,
                                      std::span<const GlobalId> selves) noexcept {
    lists.clear();
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    detail::Batch batch(*state_, filters, selves);
    const ClusterStatus refused =
        batch.ask(queries.size(), state_->nobody.explain(queries).status,
                  [&](std::size_t q) { return detail::query_of(state_->plane, queries, q); });
    if (!refused.ok()) return refused;
    OverlapLists& hits = state_->hits;
    detail::find_overlaps(batch, hits);
    batch.inquiry.answer([&](std::size_t q, const auto& answer) {
        for (const AgentId id : hits[q])
            if (batch.answers(q, id)) answer({state_->now.global(id), 0, detail::number_of(batch, q)});
    });
    if (state_->trouble.ok()) state_->need(batch.inquiry.write(queries.size(), lists, false));
    const ClusterStatus status = batch.inquiry.end();
    if (!status.ok()) lists.clear();
    return status;
}

ClusterStatus ClusterEngine::count(const BoxesOrShapes& queries, std::span<std::uint64_t> counts,
                                   const Filters& filters, std::span<const GlobalId> selves) noexcept {
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    detail::Batch batch(*state_, filters, selves);
    Status bad = state_->nobody.explain(queries).status;
    if (bad.ok() && counts.size() < queries.size()) bad = {Code::size_mismatch, Argument::output};
    if (bad.ok() && counts.data() == nullptr && queries.size() != 0)
        bad = {Code::null_view, Argument::output};
    const ClusterStatus refused = batch.ask(
        queries.size(), bad, [&](std::size_t q) { return detail::query_of(state_->plane, queries, q); });
    if (!refused.ok()) return refused;
    OverlapLists& hits = state_->hits;
    detail::find_overlaps(batch, hits);
    batch.inquiry.answer([&](std::size_t q, const auto& answer) {
        const auto here =
            std::count_if(hits[q].begin(), hits[q].end(), [&](AgentId id) { return batch.answers(q, id); });
        if (here != 0) answer({static_cast<std::uint64_t>(here), 0, detail::number_of(batch, q)});
    });
    const ClusterStatus status = batch.inquiry.end();
    if (!status.ok()) return status;
    std::fill_n(counts.begin(), queries.size(), 0u);
    for (const detail::Found& found : batch.inquiry.found) counts[found.query] += found.id;
    return {};
}

}  // namespace throng::cluster
