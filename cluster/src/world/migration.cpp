// Agents on their way to their owners: to neighbouring ranks in one message each. If any goes further, or the
// world was cut anew, in blocks by the general exchange.
#include <algorithm>
#include <functional>

#include "cluster/src/partition/domain.hpp"
#include "cluster/src/world/block_of_boxes.hpp"
#include "cluster/src/world/cluster_state.hpp"

namespace throng::cluster::detail {

namespace {

// What a rank was handed, to be read as an AgentTable is.
struct HandedIn {
    template <class T>
    using Column = AgentTable::Column<T>;

    GlobalId value(Column<GlobalId>, std::size_t i) const noexcept { return agents.ids[i]; }
    Box value(Column<Box>, std::size_t i) const noexcept { return agents.boxes[i]; }
    Label value(Column<Label>, std::size_t i) const noexcept {
        return agents.labels.empty() ? Label{} : agents.labels[i];
    }
    Band value(Column<Band>, std::size_t i) const noexcept { return agents.heights[i]; }
    Home value(Column<Home>, std::size_t i) const noexcept {
        return {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(i)};
    }
    const std::byte* value(Column<std::byte>, std::size_t i, std::size_t bytes) const noexcept {
        return agents.payload.data() + i * bytes;
    }

    const Agents& agents;
    int rank;
};

}  // namespace

Border ClusterState::border_of(const FrameFacts& frame, const Partition& cuts) const noexcept {
    const Box mine = cuts.domains()[static_cast<std::size_t>(rank())];
    return {plane, inside_of(mine, frame.margin()), frame.sizes, !(mine == whole_plane)};
}

std::uint64_t ClusterState::list_leavers(const Agents& agents, const Partition& cuts) noexcept {
    moves.leavers.clear();
    const Box mine = cuts.domains()[static_cast<std::size_t>(rank())];
    std::uint64_t jumps = 0;
    for (const std::uint32_t i : border) {
        const Point place = plane.place(agents.boxes[i]);
        if (holds(mine, place)) continue;
        const int owner = cuts.owner(place);
        if (owner == rank()) continue;
        if (!need(moves.leavers.push_back({owner, i}))) return 0;
        if (!std::binary_search(now.peers.begin(), now.peers.end(), owner)) ++jumps;
    }
    return jumps;
}

void ClusterState::migrate(const Agents& agents, bool general) noexcept {
    const Stopwatch migrating(next_report.migration_seconds);
    next_report.sent = moves.leavers.size();
    next_report.general = general;
    if (!trouble.ok()) moves.leavers.clear();
    moves.begin(trouble.ok() ? agents.ids : std::span<const GlobalId>(), ids_ascend);
    if (!moves.they_stay()) take_all_as_comers(agents);
    const std::size_t here = moves.comers.size();
    if (general)
        send_in_blocks(agents);
    else
        send_to_peers(agents);
    next_report.received = moves.comers.size() - here;
    if (trouble.ok()) need(moves.settle());
    next.owned = moves.size();
    next_report.owned = next.owned;
    next.own = moves.census(handed_in);
    if (trouble.ok()) place_boxes(agents);
}

// All but those that leave, where the host's order is not that of ids.
void ClusterState::take_all_as_comers(const Agents& agents) noexcept {
    AgentTable& to = moves.comers;
    const Extras& extras = next.extras;
    if (!trouble.ok() || !need(to.resize(agents.ids.size() - moves.leavers.size(), extras))) return;
    std::size_t at = 0;
    moves.for_each_stay([&](std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i, ++at) to.copy(at, HandedIn{agents, rank()}, i, extras);
    });
}

void ClusterState::send_to_peers(const Agents& agents) noexcept {
    if (need(parcels.begin(ranks.size(), next.extras.words()))) {
        if (trouble.ok())
            for (const Send& send : moves.leavers) parcels.count(send.rank);
        need(parcels.open());
    }
    if (trouble.ok())
        for (const Send& send : moves.leavers)
            AgentTable::pack(HandedIn{agents, rank()}, send.element, next.extras, parcels.place(send.rank));
    fail(post.to_neighbours(parcels, {now.peers.data(), now.peers.size()}, next_report.migration,
                            next_report.waited_seconds, [&](int, std::span<const Word> came) {
                                if (trouble.ok()) need(moves.comers.append(came, next.extras));
                            }));
}

void ClusterState::send_in_blocks(const Agents& agents) noexcept {
    const throng::detail::Buffer<Send>& leavers = moves.leavers;
    const std::size_t words = next.extras.words();
    const std::size_t block = std::max<std::size_t>(config.block_bytes / (words * sizeof(Word)), 1);
    std::size_t begin = 0;
    bool more = true;
    while (more) {
        const std::size_t end = trouble.ok() ? std::min(leavers.size(), begin + block) : begin;
        if (need(parcels.begin(ranks.size(), words))) {
            for (std::size_t k = begin; k < end; ++k) parcels.count(leavers[k].rank);
            if (need(parcels.open()))
                for (std::size_t k = begin; k < end; ++k)
                    AgentTable::pack(HandedIn{agents, rank()}, leavers[k].element, next.extras,
                                     parcels.place(leavers[k].rank));
        }
        fail(post.to_any(parcels, next_report.general_exchange, next_report.waited_seconds,
                         [&](int, std::span<const Word> came) {
                             if (trouble.ok()) need(moves.comers.append(came, next.extras));
                         }));
        begin = end;
        ++next_report.rounds;
        Summary mine;
        mine.flags = trouble.ok() && begin < leavers.size() ? 1 : 0;
        const Summary all = sum_up(ranks, mine, next_report);
        fail(all.fault);
        more = all.flags != 0;
    }
}

// In the place of the last frame's. As many ghosts will come again.
void ClusterState::place_boxes(const Agents& agents) noexcept {
    AgentTable& table = now.agents;
    const AgentTable& comers = moves.comers;
    if (!need(table.make_room(next.owned, now.ghosts, next.extras, before, memory))) return;
    read_boxes(agents.boxes, [&](const auto& boxes) {
        if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(boxes)>>) {
            const Box* const all = table.boxes.data();
            const bool in_place =
                !std::less<>()(boxes, all) && std::less<>()(boxes, all + table.boxes.size());
            if (in_place && !need(moves.keep(boxes))) return;
            if (in_place) written_over = table.boxes.data() + (boxes - all);
            (void)table.boxes.resize(next.owned);
            moves.apply(table.boxes.data(), boxes, comers.boxes.data());
        } else {
            (void)table.boxes.resize(next.owned);
            moves.apply_each(
                table.boxes.data(), [&](std::size_t i) { return boxes[i]; }, comers.boxes.data());
        }
    });
    if (!need(next_traits.resize_traits_closely(next.owned, next.extras))) return;
    const HandedIn input{agents, rank()};
    AgentTable::for_each_trait(next.extras, [&](auto column, std::size_t of_each) {
        if (of_each == 0) return;
        moves.apply_each((next_traits.*column).data(), [&](std::size_t i) { return input.value(column, i); },
                         (comers.*column).data());
    });
}

void ClusterState::place_all(const Agents& agents) noexcept {
    AgentTable& table = now.agents;
    const Extras& extras = next.extras;
    const std::size_t count = next.elements();
    (void)(table.ids.resize(count) && table.homes.resize(extras.homes ? count : 0) &&
           table.payload.resize(extras.payload_bytes(next.owned, next.ghosts)));  // there is room
    if (extras.payload != 0)
        moves.apply(table.payload.data(), agents.payload.data(), moves.comers.payload.data(), extras.payload);
    if (extras.homes)
        moves.apply_each(
            table.homes.data(),
            [&](std::size_t i) {
                return home({false, i});
            },
            moves.comers.homes.data());
    if (!ids_are_the_last || moves.are_any())
        moves.apply(table.ids.data(), agents.ids.data(), moves.comers.ids.data());
    const GhostLists& heard = links.next_heard;
    for (std::size_t k = 0; k < next.ghosts; ++k) {
        table.ids[next.owned + k] = heard.agents.ids[order[k]];
        if (extras.homes) table.homes[next.owned + k] = heard.agents.homes[order[k]];
        if (extras.ghost_payload != 0)
            std::memcpy(table.payload.data() + extras.payload_bytes(next.owned, k),
                        heard.agents.payload.data() + order[k] * extras.ghost_payload, extras.ghost_payload);
    }
    table.swap_traits(next_traits);
}

}  // namespace throng::cluster::detail
