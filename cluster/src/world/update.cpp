// An update from end to end.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "cluster/src/world/cluster_state.hpp"

namespace throng::cluster::detail {

namespace {

// A record of one agent must fit into a letter, and every rank has room for one.
constexpr std::size_t most_payload = std::size_t{1} << 24;

}  // namespace

ClusterStatus ClusterState::start(MPI_Comm communicator) noexcept {
    const int error = ranks.duplicate(communicator);
    if (error != MPI_SUCCESS) return ranks.failed(error);
    fail(config.failed);
    if (!trouble.ok() && trouble.rank == ClusterStatus::no_rank) trouble.rank = rank();
    const auto is_distance = [](float value) { return value >= 0 && std::isfinite(value); };
    if (!is_distance(config.reach) || !is_distance(config.radius))
        fail({Code::bad_config, Argument::options});
    if (config.payload_bytes > most_payload) fail({Code::too_large, Argument::values});
    if (config.ghost_payload_bytes > config.payload_bytes) fail({Code::bad_config, Argument::values});
    wanted_reach = double{config.reach};
    wanted_radius = double{config.radius};
    const std::size_t count = static_cast<std::size_t>(ranks.size());
    fail(engine.status());
    if (trouble.ok() && plane.wraps()) {
        fail(engine.update(std::span<const Box>()));
        nobody = engine.frame();
    }
    // So that a rank without memory can take part in every exchange.
    const std::size_t largest_record =
        Extras{true, true, true, trouble.ok() ? config.payload_bytes : 0}.words();
    need(post.prepare(largest_record) && links.prepare(ranks.size()) && touched.resize(4 * count) &&
         loads.resize(2 * count) && now.peers.reserve(count) && next.peers.reserve(count) &&
         parcels.begin(ranks.size(), 1));
    need(partition.make(ranks.get(), ranks.size()));
    Summary mine;
    mine.fault = trouble;
    mine.shared = 4 * config.payload_bytes + (config.agents_stay ? 2 : 0) + (config.rebalance ? 1 : 0);
    mine.shared ^= Census::mix(config.ghost_payload_bytes);
    if (plane.wraps())
        mine.shared ^=
            Census::mix(std::uint64_t{std::bit_cast<std::uint32_t>(plane.period().x + 0.0f)} << 32 |
                        std::bit_cast<std::uint32_t>(plane.period().y + 0.0f));
    mine.reach = wanted_reach;
    mine.radius = wanted_radius;
    const Summary all = sum_up(ranks, mine, report);
    now.extras = extras_of(all);
    now.pairs_within = all.reach;
    now.neighbours_within = std::max(all.reach, all.radius);
    return all.fault;
}

// Most updates are like the one before: agents of the same sizes, none going beyond the neighbours, and few
// that come or go. So everything is made as if it were so, and one sum at the end says whether it was. If
// not, the frame is made again with what the sum has told, and the next one begins with a sum.
ClusterStatus ClusterState::update(const Agents& agents) noexcept {
    const ClusterStatus status = make_frame(agents);
    // What was written, by the host too, is as it was in the last frame.
    if (!status.ok()) now.restore(before);
    written_over = nullptr;
    return status;
}

ClusterStatus ClusterState::make_frame(const Agents& given) noexcept {
    trouble = {};
    next_report = {};
    has_cut = false;
    const double begin = MPI_Wtime();
    Agents agents = given;
    copy_first(agents);
    Summary mine = look_at(agents);
    if (trouble.ok()) mine.jumps = list_leavers(agents, forced ? next_partition : partition);
    next_report.jumped = mine.jumps;
    const bool tries = calm.is_enough() && !forced;
    mine.fault = trouble;
    const Summary all = tries ? steady_frame(agents, mine) : sum_up(ranks, mine, next_report);
    const bool is_same = all.fault.ok() && is_as_the_last(all);
    if (!all.fault.ok()) return all.fault;
    if (const ClusterStatus twice = check_ids(agents, all); !twice.ok()) return twice;
    calm.saw(is_same, tries);
    const ClusterStatus status =
        is_same && tries ? publish(agents, all.census, all) : changed_frame(agents, all);
    if (!status.ok()) return status;
    if (has_cut || wants_cut(all)) calm.end();
    finish(agents, all, begin);
    return status;
}

Summary ClusterState::steady_frame(const Agents& agents, Summary mine) noexcept {
    next.extras = now.extras;
    next.held = agents.ids.size();
    next.sizes = now.sizes;
    next.reach = now.reach;
    next.largest_place = now.largest_place;
    find_peers(partition);
    migrate(agents, false);
    exchange_ghosts(agents, partition);
    build(agents);
    mine.fault = trouble;
    mine.kept = census_of_owned();
    return sum_up(ranks, mine, next_report);
}

Census ClusterState::census_of_owned() const noexcept { return trouble.ok() ? next.own : Census(); }

ClusterStatus ClusterState::publish(const Agents& agents, const Census& census) noexcept {
    Summary mine;
    mine.fault = trouble;
    mine.kept = census_of_owned();
    return publish(agents, census, sum_up(ranks, mine, next_report));
}

ClusterStatus ClusterState::publish(const Agents& agents, const Census& census, const Summary& end) noexcept {
    ClusterStatus status = end.fault;
    if (status.ok() && end.kept != census) status.trouble = Trouble::not_conserved;
    if (!status.ok()) return status;
    place_all(agents);
    links.keep();
    values.are_placed = false;
    next.census = census;
    std::swap(static_cast<FrameFacts&>(now), next);
    next.frame = Frame();
    guests_are_ghosts = false;
    before.release();
    moves.release();
    const std::size_t few = now.owned / 16 + 1024;
    release_ample(border, few);
    release_ample(newcomers, few);
    release_ample(gone, few);
    release_ample(copied, few);
    if (next_report.general) parcels.release();
    return {};
}

bool ClusterState::is_as_the_last(const Summary& all) const noexcept {
    const Sizes sizes = common_and_giants(all);
    double largest = 0;
    for (const SizeClass& size : all.sizes) largest = std::max(largest, size.largest);
    const bool as_large = largest <= now.sizes.largest && 0.9 * now.sizes.common <= sizes.common &&
                          0.9 * sizes.common <= now.sizes.common;
    return as_large && all.jumps == 0 && extras_of(all) == now.extras &&
           all.largest_place <= now.largest_place &&
           std::max(all.reach, all.radius - now.sizes.common) <= now.reach;
}

ClusterStatus ClusterState::changed_frame(const Agents& agents, const Summary& all) noexcept {
    trouble = {};
    undo_boxes();
    if (wants_cut(all)) {
        cut(agents, all);
        if (!has_cut) return trouble;  // on all ranks
    }
    const Partition& cuts = has_cut || forced ? next_partition : partition;
    next.extras = extras_of(all);
    next.held = agents.ids.size();
    next.sizes = common_and_giants(all);
    next.reach = std::max(all.reach, all.radius - next.sizes.common);
    next.largest_place = 2 * all.largest_place;
    Summary known;
    look_at_boxes(agents, border_of(next, cuts), known);
    if (trouble.ok()) list_leavers(agents, cuts);
    find_peers(cuts);
    migrate(agents, ranks.size() > 1 && (has_cut || forced || all.jumps != 0 || !was_cut));
    exchange_ghosts(agents, cuts);
    build(agents);
    return publish(agents, all.census);
}

void ClusterState::finish(const Agents& agents, const Summary& all, double begin) noexcept {
    if (has_cut || forced) {
        partition = std::move(next_partition);
        was_cut = settling = true;
        tolerated = 0;
        weighed_pairs = weighs_pairs;
    }
    forced = false;
    now.pairs_within = all.reach;
    now.neighbours_within = std::max(all.reach, all.radius);
    pair_count = 0;
    next_report.held = agents.ids.size();
    next_report.cluster_owned = all.census.count;
    next_report.busiest = all.busiest;
    next_report.all_work = all.work;
    next_report.partitioned = has_cut;
    next_report.seconds = MPI_Wtime() - begin;
    report = next_report;
    asking = {};
}

Summary ClusterState::begin(const ClusterStatus& mine, std::uint64_t shared, std::uint64_t number) noexcept {
    trouble = mine;
    if (!trouble.ok() && trouble.rank == ClusterStatus::no_rank) trouble.rank = rank();
    Summary summary;
    summary.fault = trouble;
    summary.shared = shared;
    summary.busiest = number;
    return sum_up(ranks, summary, asking);
}

bool ClusterState::is_beside(const ClusterState& other) const noexcept {
    int compared = MPI_UNEQUAL;
    MPI_Comm_compare(ranks.get(), other.ranks.get(), &compared);
    return compared == MPI_IDENT || compared == MPI_CONGRUENT;
}

}  // namespace throng::cluster::detail
