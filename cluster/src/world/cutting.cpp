// When the world is cut again, and by which sample.
#include <algorithm>
#include <cmath>

#include "cluster/src/world/cluster_state.hpp"

namespace throng::cluster::detail {

// When the busiest rank has a quarter more to do than the mean. Where no cut can do better, as in a pile at
// one place, cuts are tried again only when it is a tenth worse than just after the last ones.
bool ClusterState::wants_cut(const Summary& all) noexcept {
    if (ranks.size() == 1 || all.census.count == 0 || forced) return false;
    if (!was_cut) return true;
    if (!config.rebalance) return false;
    const std::uint64_t thousandths =
        all.busiest * 1000 * static_cast<std::uint64_t>(ranks.size()) / std::max<std::uint64_t>(all.work, 1);
    if (settling && weighed_pairs == (all.pairs != 0)) tolerated = thousandths;
    settling = false;
    return thousandths > 1250 && thousandths * 10 > tolerated * 11;
}

// Each point of the sample goes to the rank that has had its place until now: Zoltan gives a part to the rank
// that holds most of it.
ClusterStatus ClusterState::bring_sample_to_owners(ClusterReport& to) noexcept {
    if (need(parcels.begin(ranks.size(), words_of<Weighted>()))) {
        for (const Weighted& point : sample) parcels.count(partition.owner(point.place));
        if (need(parcels.open()))
            for (const Weighted& point : sample) put(parcels.place(partition.owner(point.place)), point);
    }
    sample.clear();
    fail(post.to_any(parcels, to.general_exchange, to.waited_seconds, [&](int, std::span<const Word> words) {
        const std::size_t first = sample.size(), count = words.size() / words_of<Weighted>();
        if (!need(sample.resize(first + count))) return;
        for (std::size_t k = 0; k < count; ++k)
            get(words.data() + k * words_of<Weighted>(), sample[first + k]);
    }));
    return agree(ranks, trouble, to);
}

// How many times the mean the busiest rank would have, by the sample.
double ClusterState::unevenness(const Partition& cuts) noexcept {
    if (!ranks.status().ok()) return 1;  // which the next sum says
    const std::size_t count = loads.size() / 2;
    double *const mine = loads.data(), *const all_have = mine + count;
    std::fill(loads.begin(), loads.end(), 0);
    for (const Weighted& point : sample)
        mine[static_cast<std::size_t>(cuts.owner(point.place))] += double{point.weight};
    const int error = MPI_Allreduce(mine, all_have, ranks.size(), MPI_DOUBLE, MPI_SUM, ranks.get());
    if (error != MPI_SUCCESS) fail(ranks.failed(error));
    double all = 0, most = 0;
    for (std::size_t k = 0; k < count; ++k) {
        all += all_have[k];
        most = std::max(most, all_have[k]);
    }
    return all > 0 ? most * static_cast<double>(count) / all : 1;
}

// Cuts keep their directions, so few agents have to move. But where parts are now long and thin, or one rank
// has far more than the mean, others are tried, and taken if they are far better. `cuts` are a copy of the
// present ones. All ranks get the same, and do what the first one has found.
ClusterStatus ClusterState::cut_by_sample(Partition& cuts, ClusterReport& to) noexcept {
    const auto all_agree = [&](bool first_rank_wants, ClusterStatus& status) {
        Summary mine;
        mine.fault = trouble;
        mine.flags = rank() == 0 && first_rank_wants ? 1 : 0;
        const Summary all = sum_up(ranks, mine, to);
        status = all.fault;
        return status.ok() && all.flags != 0;
    };
    const auto cut_all = [&](Partition& which) {
        if (!which.cut({sample.data(), sample.size()})) fail(trouble_here(Trouble::partition_failed));
        return agree(ranks, trouble, to);
    };
    ClusterStatus status;
    if (was_cut) status = bring_sample_to_owners(to);
    if (status.ok()) status = cut_all(cuts);
    if (!status.ok() || !was_cut) return status;
    Box world = no_box;
    for (const Weighted& point : sample)
        world = world.united({point.place.x, point.place.y, point.place.x, point.place.y});
    fail(unite(ranks, world));
    const double uneven = unevenness(cuts);
    if (!all_agree(cuts.are_thin(world) || uneven > 1.2, status)) return status;
    Partition others(memory, plane);
    need(others.make(ranks.get(), ranks.size()));
    status = agree(ranks, trouble, to);
    if (status.ok()) status = cut_all(others);
    if (!status.ok()) return status;
    const double others_uneven = unevenness(others);
    const bool shorter = others.borders(world) <= 0.75 * cuts.borders(world) && others_uneven <= 1.1 * uneven;
    if (all_agree(shorter || others_uneven <= 0.9 * uneven, status)) cuts = std::move(others);
    return status;
}

// Each point stands for as many agents, on every rank.
void ClusterState::cut(const Agents& agents, const Summary& all) noexcept {
    const Stopwatch cutting(next_report.partition_seconds);
    const std::uint64_t of_each = all.census.count / static_cast<std::uint64_t>(ranks.size());
    const std::size_t stride =
        static_cast<std::size_t>(of_each / std::max<std::size_t>(config.sample, 1)) + 1;
    const std::size_t count = (agents.ids.size() + stride - 1) / stride;
    throng::detail::Buffer<Box> boxes(memory);
    throng::detail::Buffer<std::uint32_t> beside(memory);
    throng::detail::Buffer<Filter> filters(memory);
    if (need(sample.resize(count) && boxes.resize(count) && beside.resize(count, 0) &&
             filters.resize(agents.heights.empty() ? 0 : count, Filter{}))) {
        for (std::size_t k = 0; k < count; ++k) boxes[k] = agents.boxes[k * stride];
        for (std::size_t k = 0; k < filters.size(); ++k) filters[k].heights = agents.heights[k * stride];
        // An agent that overlaps others at its heights takes longer. Where these are not known, as in the
        // first frame, a later cut sees to it.
        const std::span<const Filter> each(filters.data(), filters.size());
        if (all.pairs != 0)
            fail(now.frame.count(std::span<const Box>(boxes.data(), count), {beside.data(), count},
                                 each.empty() ? Filters() : Filters::of(each)));
        for (std::size_t k = 0; k < count; ++k) {
            const float others = beside[k] > 1 ? static_cast<float>(beside[k] - 1) : 0;
            sample[k] = {plane.place(boxes[k]), 1 + others / 8};
        }
    }
    need(next_partition.copy(partition));
    // What all agreed on counts, and not this rank's own fault.
    trouble = agree(ranks, trouble, next_report);
    if (!trouble.ok()) return;  // on all ranks
    trouble = cut_by_sample(next_partition, next_report);
    if (!trouble.ok()) return;
    has_cut = true;
    weighs_pairs = all.pairs != 0;
}

ClusterStatus ClusterState::partition_by(std::span<const Point> points,
                                         std::span<const float> weights) noexcept {
    trouble = {};
    if (!weights.empty() && weights.size() != points.size()) fail({Code::size_mismatch, Argument::weights});
    if (points.data() == nullptr && !points.empty()) fail({Code::null_view, Argument::boxes});
    if (weights.data() == nullptr && !weights.empty()) fail({Code::null_view, Argument::weights});
    double sum = 0;
    for (std::size_t i = 0; trouble.ok() && i < points.size(); ++i) {
        const float weight = weights.empty() ? 1 : weights[i];
        if (!std::isfinite(points[i].x) || !std::isfinite(points[i].y))
            fail({Code::not_finite, i, Argument::boxes});
        else if (!std::isfinite(weight))
            fail({Code::not_finite, i, Argument::weights});
        else if (weight < 0)
            fail({Code::inverted, i, Argument::weights});
        sum += double{weight};
    }
    if (trouble.ok() && need(sample.resize(points.size())))
        for (std::size_t i = 0; i < points.size(); ++i)
            sample[i] = {plane.folded(points[i]), weights.empty() ? 1 : weights[i]};
    const Summary all = begin(ClusterStatus(trouble), 0, sum > 0 ? 1 : 0);
    if (!all.fault.ok() || all.busiest == 0 || ranks.size() == 1) return all.fault;
    Partition cuts(memory, plane);
    need(cuts.copy(partition));
    ClusterStatus status = agree(ranks, trouble, asking);
    if (!status.ok()) return status;
    status = cut_by_sample(cuts, asking);
    if (!status.ok()) return status;
    next_partition = std::move(cuts);
    forced = true;
    return {};
}

ClusterStatus ClusterState::partition_as(const ClusterState* other, const ClusterStatus& of_other) noexcept {
    ClusterStatus bad = of_other;
    if (bad.ok() && !is_beside(*other)) bad = trouble_here(Trouble::other_ranks);
    // Without cuts, all agents would go to one rank and stay there.
    if (bad.ok() && ranks.size() > 1 && !other->was_cut && !other->forced)
        bad = trouble_here(Trouble::not_cut);
    if (bad.ok() && plane.period() != other->plane.period())
        bad = refusal({Code::bad_config, Argument::period}, rank());
    ClusterStatus status = begin(bad).fault;
    if (!status.ok()) return status;
    Partition cuts(memory, plane);
    need(cuts.copy(other->forced ? other->next_partition : other->partition));
    status = agree(ranks, trouble, asking);
    if (!status.ok()) return status;
    next_partition = std::move(cuts);
    forced = true;
    return {};
}

}  // namespace throng::cluster::detail
