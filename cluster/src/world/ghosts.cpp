// Copies of agents beyond the border, and the local frame over both.
#include <algorithm>
#include <numeric>

#include "cluster/src/partition/domain.hpp"
#include "cluster/src/world/cluster_state.hpp"

namespace throng::cluster::detail {

// A rank's agents lie beyond its part by half their size at most, and are wanted as far as the margin beyond
// the other's. Both ranks find each other by the same numbers, and with room for rounding.
void ClusterState::find_peers(const Partition& cuts) noexcept {
    const double far =
        World::widened(next.reach + next.sizes.largest) + next.sizes.largest + next.largest_place * 0x1p-18;
    const std::span<const Box> domains = cuts.domains();
    need(next.peers.resize(domains.size()));  // there is room since the start
    std::size_t count = 0;
    for (std::size_t r = 0; r < domains.size(); ++r)
        if (static_cast<int>(r) != rank() &&
            gap(domains[static_cast<std::size_t>(rank())], domains[r]) <= far)
            next.peers[count++] = static_cast<int>(r);
    need(next.peers.resize(count));
}

void ClusterState::exchange_ghosts(const Partition& cuts) noexcept {
    const Box mine = cuts.domains()[static_cast<std::size_t>(rank())];
    const AgentTable& table = next.agents;
    const Extras extras = next.extras.of_ghosts();
    sends.clear();
    const bool all_are_common = !next.sizes.has_giants();
    const Box deep = inside_of(mine, next.margin());
    for (std::size_t i = 0; trouble.ok() && i < next.owned && ranks.size() > 1; ++i) {
        if (all_are_common && contains(deep, table.boxes[i])) continue;
        const double margin = next.margin_of(table.boxes[i]);
        if (keeps(mine, table.boxes[i], margin)) continue;
        for (const int to : cuts.touched(table.boxes[i], margin, {touched.data(), touched.size()})) {
            if (to == rank() || cuts.domains()[static_cast<std::size_t>(to)] == no_box) continue;
            if (!need(sends.push_back({to, static_cast<std::uint32_t>(i)}))) break;
        }
    }
    if (!trouble.ok()) sends.clear();
    if (need(parcels.begin(ranks.size(), extras.words()))) {
        for (const Send& send : sends) parcels.count(send.rank);
        need(parcels.open());
    }
    if (trouble.ok())
        for (const Send& send : sends) table.pack(send.element, extras, parcels.place(send.rank));
    next_report.ghosts_sent = sends.size();
    next_report.neighbours = next.peers.size();
    spare.clear();
    fail(post.to_neighbours(parcels, {next.peers.data(), next.peers.size()}, next_report.ghosting,
                            next_report.waited_seconds, [&](int, std::span<const Word> came) {
                                if (trouble.ok()) need(spare.append(came, extras));
                            }));
    next_report.ghosts = spare.size();
    number_elements();
}

// Ghosts come behind the owned agents, by id, and all get their places among each other.
void ClusterState::number_elements() noexcept {
    const Extras extras = next.extras.of_ghosts();
    AgentTable& table = next.agents;
    const std::size_t ghosts = spare.size(), count = next.owned + ghosts;
    if (!trouble.ok() || ghosts == 0) return;
    const bool room = order.resize(ghosts) && table.ids.resize(count) && table.boxes.resize(count) &&
                      table.labels.resize(extras.labels ? count : 0) &&
                      table.homes.resize(extras.homes ? count : 0) && next.element_of.resize(count) &&
                      next.local_of.resize(count);
    if (!need(room)) return;
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return spare.ids[a] < spare.ids[b]; });
    for (std::size_t k = 0; k < ghosts; ++k) table.copy(next.owned + k, spare, order[k], extras);
    std::size_t own = 0, ghost = next.owned;
    for (std::size_t local = 0; local < count; ++local) {
        const bool takes_own = ghost == count || (own != next.owned && table.ids[own] < table.ids[ghost]);
        const std::size_t element = takes_own ? own++ : ghost++;
        next.element_of[local] = static_cast<std::uint32_t>(element);
        next.local_of[element] = static_cast<AgentId>(local);
    }
}

void ClusterState::build() noexcept {
    if (!trouble.ok()) return;
    const Stopwatch building(next_report.build_seconds);
    const AgentTable& table = next.agents;
    const std::span<const Box> boxes(table.boxes.data(), table.size());
    UpdateOptions options;
    if (next.extras.labels) options.labels = std::span<const Label>(table.labels.data(), table.size());
    options.owned = next.owned;
    if (next.has_ghosts())
        fail(engine.update({next.local_of.data(), table.size()}, boxes, options));
    else
        fail(engine.update(boxes, options));
    if (trouble.ok()) next.frame = engine.frame();
}

Census ClusterState::census_of_owned() const noexcept {
    Census kept;
    if (!trouble.ok()) return kept;
    kept.count = next.owned;
    for (std::size_t i = 0; i < next.owned; ++i) kept.ids += next.agents.ids[i];
    return kept;
}

// Only if every rank has succeeded.
ClusterStatus ClusterState::publish(const Census& before) noexcept {
    Summary mine;
    mine.fault = trouble;
    mine.kept = census_of_owned();
    const Summary end = sum_up(ranks, mine, next_report);
    return end.fault.ok() ? publish(before, end.kept) : end.fault;
}

// Only if no agent is lost or doubled.
ClusterStatus ClusterState::publish(const Census& before, const Census& kept) noexcept {
    if (kept.count != before.count || kept.ids != before.ids) {
        ClusterStatus lost;
        lost.trouble = Trouble::not_conserved;
        return lost;
    }
    next.census = before;
    now.swap(next);
    next.frame = Frame();
    return {};
}

}  // namespace throng::cluster::detail
