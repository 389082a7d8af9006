// Copies of agents beyond the border, and the local frame over both.
#include <algorithm>
#include <numeric>

#include "cluster/src/partition/domain.hpp"
#include "cluster/src/world/cluster_state.hpp"

namespace throng::cluster::detail {

// A rank's agents reach beyond its part by half their size at most, and the other rank wants what is within
// the margin of its part. Both find each other by the same numbers, with room for rounding.
void ClusterState::find_peers(const Partition& cuts) noexcept {
    const double far = World::widened(next.reach + next.sizes.largest) + next.sizes.largest +
                       next.largest_place * 0x1p-18 + 2 * next.rounding;
    const std::span<const Box> domains = cuts.domains();
    need(next.peers.resize(domains.size()));  // there is room since the start
    std::size_t count = 0;
    for (std::size_t r = 0; r < domains.size(); ++r)
        if (static_cast<int>(r) != rank() &&
            plane.gap(domains[static_cast<std::size_t>(rank())], domains[r]) <= far)
            next.peers[count++] = static_cast<int>(r);
    need(next.peers.resize(count));
}

void ClusterState::exchange_ghosts(const Agents& agents, const Partition& cuts) noexcept {
    const Stopwatch ghosting(next_report.ghosting_seconds);
    const Extras extras = next.extras.of_ghosts();
    const std::span<const int> peers(next.peers.data(), next.peers.size());
    sends.clear();
    if (trouble.ok() && ranks.size() > 1) list_ghosts(cuts);
    if (!trouble.ok()) sends.clear();
    (void)(links.next_told.begin(ranks.size(), extras) && links.next_heard.begin(ranks.size(), extras));
    if (need(parcels.begin(ranks.size(), 1))) {
        if (trouble.ok()) tell_ghosts(agents);
        if (trouble.ok())
            need(links.pack(parcels, peers));
        else
            need(parcels.open());
    }
    next_report.ghosts_sent = sends.size();
    next_report.neighbours = peers.size();
    int sender = 0;
    inbox.clear();
    const auto read_all = [&] {
        if (trouble.ok() && inbox.size() != 0) need(links.unpack(sender, {inbox.data(), inbox.size()}));
        inbox.clear();
    };
    fail(post.to_neighbours(parcels, peers, next_report.ghosting, next_report.waited_seconds,
                            [&](int from, std::span<const Word> came) {
                                if (from != sender) read_all();
                                sender = from;
                                const std::size_t first = inbox.size();
                                if (!trouble.ok() || !need(inbox.resize(first + came.size()))) return;
                                std::copy(came.begin(), came.end(), inbox.begin() + first);
                            }));
    read_all();
    next.ghosts = links.next_heard.agents.size();
    next_report.ghosts = next.ghosts;
    if (trouble.ok()) place_ghosts();
}

// Which agents go where, by place: of those that came, and of those near the border.
void ClusterState::list_ghosts(const Partition& cuts) noexcept {
    const Box mine = cuts.domains()[static_cast<std::size_t>(rank())];
    moves.for_each_place({border.data(), border.size()}, [&](std::size_t place) {
        const double margin = next.margin_of(now.agents.boxes[place]);
        const Box box = plane.folded(now.agents.boxes[place]);
        if (keeps(mine, box, margin)) return;
        for (const int to : cuts.touched(box, margin, {touched.data(), touched.size()}))
            if (to != rank() && cuts.domains()[static_cast<std::size_t>(to)] != no_box)
                need(sends.push_back({to, static_cast<std::uint32_t>(place)}));
    });
}

void ClusterState::tell_ghosts(const Agents& agents) noexcept {
    GhostLists& told = links.next_told;
    if (!need(told.agents.resize(sends.size(), told.extras))) return;
    for (const Send& send : sends) ++told.of(send.rank).end;
    std::uint32_t end = 0;
    for (GhostLists::Part& part : told.parts) {
        part.begin = end;
        end += std::exchange(part.end, end);
    }
    for (const Send& send : sends) {
        const std::uint32_t at = told.of(send.rank).end++;
        const Moves::Source from = moves.source(send.element);
        told.agents.ids[at] = moves.id(from);
        told.agents.boxes[at] = now.agents.boxes[send.element];
        AgentTable::for_each_trait(told.extras, [&](auto column, std::size_t of_each) {
            if (of_each != 0) (told.agents.*column)[at] = next_traits.value(column, send.element);
        });
        if (told.extras.homes) told.agents.homes[at] = home(from);
        if (told.extras.payload == 0) continue;
        const std::byte* const payloads = from.came ? moves.comers.payload.data() : agents.payload.data();
        std::memcpy(told.agents.payload.data() + at * told.extras.payload,
                    payloads + from.place * next.extras.payload, told.extras.payload);
    }
}

// Behind the owned agents, by id.
void ClusterState::place_ghosts() noexcept {
    const AgentTable& ghosts = links.next_heard.agents;
    AgentTable& table = now.agents;
    const bool room = order.resize(next.ghosts) &&
                      table.make_room(next.owned, next.ghosts, next.extras, before, memory) &&
                      next_traits.resize_traits_closely(next.elements(), next.extras);
    if (!need(room)) return;
    (void)table.boxes.resize(next.elements());
    std::iota(order.begin(), order.end(), 0u);
    const auto by_id = [&](std::uint32_t a, std::uint32_t b) { return ghosts.ids[a] < ghosts.ids[b]; };
    std::sort(order.begin(), order.end(), by_id);
    for (std::size_t k = 0; k < next.ghosts; ++k) {
        table.boxes[next.owned + k] = ghosts.boxes[order[k]];
    }
    AgentTable::for_each_trait(next.extras, [&](auto column, std::size_t of_each) {
        for (std::size_t k = 0; of_each != 0 && k < next.ghosts; ++k)
            (next_traits.*column)[next.owned + k] = ghosts.value(column, order[k]);
    });
}

void ClusterState::build(const Agents& agents) noexcept {
    if (!trouble.ok()) return;
    const Stopwatch building(next_report.build_seconds);
    const std::size_t count = next.elements();
    UpdateOptions options = next_traits.traits(next.extras, 0, count);
    options.owned = next.owned;
    const Status built = engine.update(std::span<const Box>(now.agents.boxes.data(), count), options);
    if (!built.ok()) name_fault(agents);
    fail(built);
    if (trouble.ok()) next.frame = engine.frame();
}

}  // namespace throng::cluster::detail
