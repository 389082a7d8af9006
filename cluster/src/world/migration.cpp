// Agents on their way to their owners: to neighbouring ranks in one message each, or, where any goes further
// or the world was cut anew, in blocks by the general exchange.
#include <algorithm>
#include <numeric>

#include "cluster/src/partition/domain.hpp"
#include "cluster/src/world/cluster_state.hpp"

namespace throng::cluster::detail {

namespace {

Home home_of(int rank, std::size_t i) noexcept {
    return {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(i)};
}

Word* pack_input(const Agents& agents, std::size_t i, int rank, const Extras& extras, Word* at) noexcept {
    at = put(put(at, agents.ids[i]), agents.boxes[i]);
    if (extras.labels) at = put(at, agents.labels.empty() ? Label{} : agents.labels[i]);
    if (extras.homes) at = put(at, home_of(rank, i));
    if (extras.payload == 0) return at;
    at[words_for(extras.payload) - 1] = 0;
    std::memcpy(at, agents.payload.data() + i * extras.payload, extras.payload);
    return at + words_for(extras.payload);
}

struct InputRange {
    std::size_t begin, end;
};

// These input elements become agents of a table, from the place `to` on.
void take_inputs(AgentTable& table, std::size_t to, const Agents& agents, InputRange these, int rank,
                 const Extras& extras) noexcept {
    const std::size_t count = these.end - these.begin;
    if (count == 0) return;
    std::memcpy(table.ids.data() + to, agents.ids.data() + these.begin, count * sizeof(GlobalId));
    read_boxes(agents.boxes, [&](const auto& boxes) {
        for (std::size_t i = 0; i < count; ++i) table.boxes[to + i] = boxes[these.begin + i];
    });
    for (std::size_t i = 0; extras.labels && i < count; ++i)
        table.labels[to + i] = agents.labels.empty() ? Label{} : agents.labels[these.begin + i];
    for (std::size_t i = 0; extras.homes && i < count; ++i)
        table.homes[to + i] = home_of(rank, these.begin + i);
    if (extras.payload != 0)
        std::memcpy(table.payload.data() + to * extras.payload,
                    agents.payload.data() + these.begin * extras.payload, count * extras.payload);
}

// How many agents, from the first, are in ascending order.
std::size_t ascending(const AgentTable& table) noexcept {
    std::size_t i = 1;
    while (i < table.size() && table.ids[i - 1] < table.ids[i]) ++i;
    return std::min(i, table.size());
}

}  // namespace

std::uint64_t ClusterState::list_leavers(const Agents& agents, const Partition& cuts) noexcept {
    sends.clear();
    std::uint64_t jumps = 0;
    const Box mine = cuts.domains()[static_cast<std::size_t>(rank())];
    if (mine == whole_plane) return 0;
    read_boxes(agents.boxes, [&](const auto& boxes) {
        for (std::size_t i = 0; i < agents.ids.size(); ++i) {
            const Point centre = boxes[i].centre();
            if (holds(mine, centre)) continue;
            const int owner = cuts.owner(centre);
            if (owner == rank()) continue;
            if (!need(sends.push_back({owner, static_cast<std::uint32_t>(i)}))) return;
            if (!std::binary_search(now.peers.begin(), now.peers.end(), owner)) ++jumps;
        }
    });
    return jumps;
}

void ClusterState::migrate(const Agents& agents, bool general) noexcept {
    next_report.sent = sends.size();
    next_report.general = general;
    next.agents.clear();
    keep_stayers(agents);
    const std::size_t stayed = next.agents.size();
    if (general)
        send_in_blocks(agents);
    else
        send_to_peers(agents);
    next_report.received = next.agents.size() - stayed;
    sort_owned();
    next.owned = next.agents.size();
    next_report.owned = next.owned;
}

void ClusterState::keep_stayers(const Agents& agents) noexcept {
    if (!trouble.ok() || !need(next.agents.resize(agents.ids.size() - sends.size(), next.extras))) return;
    // Those between two leavers at once.
    std::size_t to = 0, first = 0;
    for (std::size_t leaver = 0; leaver <= sends.size(); ++leaver) {
        const std::size_t end = leaver < sends.size() ? sends[leaver].element : agents.ids.size();
        take_inputs(next.agents, to, agents, {first, end}, rank(), next.extras);
        to += end - first;
        first = end + 1;
    }
}

void ClusterState::send_to_peers(const Agents& agents) noexcept {
    if (need(parcels.begin(ranks.size(), next.extras.words()))) {
        if (trouble.ok())
            for (const Send& send : sends) parcels.count(send.rank);
        need(parcels.open());
    }
    if (trouble.ok())
        for (const Send& send : sends)
            pack_input(agents, send.element, rank(), next.extras, parcels.place(send.rank));
    fail(post.to_neighbours(parcels, {now.peers.data(), now.peers.size()}, next_report.migration,
                            next_report.waited_seconds, [&](int, std::span<const Word> came) {
                                if (trouble.ok()) need(next.agents.append(came, next.extras));
                            }));
}

void ClusterState::send_in_blocks(const Agents& agents) noexcept {
    const std::size_t words = next.extras.words();
    const std::size_t block = std::max<std::size_t>(config.block_bytes / (words * sizeof(Word)), 1);
    std::size_t begin = 0;
    bool more = true;
    while (more) {
        const std::size_t end = trouble.ok() ? std::min(sends.size(), begin + block) : begin;
        if (need(parcels.begin(ranks.size(), words))) {
            for (std::size_t k = begin; k < end; ++k) parcels.count(sends[k].rank);
            if (need(parcels.open()))
                for (std::size_t k = begin; k < end; ++k)
                    pack_input(agents, sends[k].element, rank(), next.extras, parcels.place(sends[k].rank));
        }
        fail(post.to_any(parcels, next_report.general_exchange, next_report.waited_seconds,
                         [&](int, std::span<const Word> came) {
                             if (trouble.ok()) need(next.agents.append(came, next.extras));
                         }));
        begin = end;
        ++next_report.rounds;
        Summary mine;
        mine.flags = trouble.ok() && begin < sends.size() ? 1 : 0;
        const Summary all = sum_up(ranks, mine, next_report);
        fail(all.fault);
        more = all.flags != 0;
    }
}

// Those that stayed are in order if the host left them so, and only what came is sorted.
void ClusterState::sort_owned() noexcept {
    if (!trouble.ok()) return;
    AgentTable& table = next.agents;
    const std::size_t count = table.size(), sorted = ascending(table);
    if (sorted == count) return;
    const std::size_t stayed = count - next_report.received;
    const std::size_t first = sorted >= stayed ? stayed : 0;
    if (!need(order.resize(count - first) && spare.resize(count - first, next.extras))) return;
    std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(first));
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return table.ids[a] < table.ids[b]; });
    for (std::size_t k = 0; k < order.size(); ++k) spare.copy(k, table, order[k], next.extras);
    // From behind, where there is room for what came.
    std::size_t left = first, right = spare.size(), to = count;
    while (right != 0) {
        if (left != 0 && table.ids[left - 1] > spare.ids[right - 1])
            table.copy(--to, table, --left, next.extras);
        else
            table.copy(--to, spare, --right, next.extras);
    }
}

}  // namespace throng::cluster::detail
