// Casts of any rank: what they touch first, or all that they touch.
#include "throng/queries/casts.hpp"
#include "cluster/src/inquiries/batch.hpp"
#include "cluster/src/queries/ghosts_alone.hpp"
#include "throng/cluster/cluster_engine.hpp"

namespace throng::cluster {

namespace detail {

namespace {

// What the ranks asked, as casts of this rank's frame.
bool read_casts(Batch& batch, throng::detail::Buffer<Cast>& casts) noexcept {
    const std::size_t count = batch.inquiry.asked();
    if (!batch.state.trouble.ok() || !batch.state.need(casts.resize(count))) return false;
    for (std::size_t q = 0; q < count; ++q) casts[q] = Query(batch.inquiry.query(q)).cast();
    return true;
}

// The first hits among all agents here, and among the ghosts, if there are any.
void find_first(Batch& batch, throng::detail::Buffer<CastHit>& first,
                throng::detail::Buffer<CastHit>& first_ghosts) noexcept {
    ClusterState& state = batch.state;
    throng::detail::Buffer<Cast> asked(state.memory);
    const auto find = [&](const Frame& frame, throng::detail::Buffer<CastHit>& hits) {
        if (state.trouble.ok() && state.need(hits.resize(asked.size())))
            state.fail(frame.first_hits(
                std::span<const Cast>(asked.data(), asked.size()), {hits.data(), hits.size()},
                Filters::of(std::span<const Filter>(batch.local_filters.data(), asked.size()))));
    };
    if (!read_casts(batch, asked)) return;
    find(state.now.frame, first);
    if (!state.now.has_ghosts() || asked.size() == 0) return;
    for (Filter& filter : batch.local_filters) filter = as_of_ghosts(state.now, filter);
    find(ghosts_alone(state), first_ghosts);
}

}  // namespace

}  // namespace detail

ClusterStatus ClusterEngine::first_hits(const Casts& casts, std::span<ClusterHit> hits,
                                        const Filters& filters, std::span<const GlobalId> selves) noexcept {
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    detail::ClusterState& state = *state_;
    detail::Batch batch(state, filters, selves);
    Status bad = state.nobody.all_hits(casts, state.cast_hits);
    if (bad.ok() && hits.size() < casts.size()) bad = {Code::size_mismatch, Argument::output};
    if (bad.ok() && hits.data() == nullptr && casts.size() != 0) bad = {Code::null_view, Argument::output};
    const ClusterStatus refused =
        batch.ask(casts.size(), bad, [&](std::size_t q) { return detail::Query(casts[q]); });
    if (!refused.ok()) return refused;
    throng::detail::Buffer<CastHit> first(state.memory), ghosts(state.memory);
    detail::find_first(batch, first, ghosts);
    // Each rank names its first hit; one of the ranks that were asked has the first of all.
    batch.inquiry.answer([&](std::size_t q, const auto& answer) {
        if (first[q].found())
            answer({state.now.global(first[q].id), first[q].fraction, detail::number_of(batch, q)});
        if (ghosts.size() != 0 && ghosts[q].found())
            answer({state.now.ghost(ghosts[q].id), ghosts[q].fraction, detail::number_of(batch, q)});
    });
    const ClusterStatus status = batch.inquiry.end();
    if (!status.ok()) return status;
    std::fill_n(hits.begin(), casts.size(), ClusterHit());
    for (const detail::Found& found : batch.inquiry.found) {
        ClusterHit& hit = hits[found.query];
        if (!hit.found() || std::tie(found.number, found.id) < std::tie(hit.fraction, hit.id))
            hit = {found.id, found.number, 1};
    }
    return {};
}

ClusterStatus ClusterEngine::all_hits(const Casts& casts, Lists& lists, const Filters& filters,
                                      std::span<const GlobalId> selves) noexcept {
    lists.clear();
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    detail::ClusterState& state = *state_;
    detail::Batch batch(state, filters, selves);
    const ClusterStatus refused = batch.ask(casts.size(), state.nobody.all_hits(casts, state.cast_hits),
                                            [&](std::size_t q) { return detail::Query(casts[q]); });
    if (!refused.ok()) return refused;
    throng::detail::Buffer<Cast> asked(state.memory);
    if (detail::read_casts(batch, asked))
        state.fail(state.now.frame.all_hits(
            std::span<const Cast>(asked.data(), asked.size()), state.cast_hits,
            Filters::of(std::span<const Filter>(batch.local_filters.data(), asked.size()))));
    batch.inquiry.answer([&](std::size_t q, const auto& answer) {
        for (const CastHit& hit : state.cast_hits[q])
            if (batch.answers(q, hit.id))
                answer({state.now.global(hit.id), hit.fraction, detail::number_of(batch, q)});
    });
    if (state.trouble.ok()) state.need(batch.inquiry.write(casts.size(), lists, true));
    const ClusterStatus status = batch.inquiry.end();
    if (!status.ok()) lists.clear();
    return status;
}

}  // namespace throng::cluster
