// What a rank hands in, before anything is sent: whether it is legal, and what it adds up to. And whether ids
// occur twice, which no rank can see alone.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <tuple>
#include <type_traits>

#include "cluster/src/world/block_of_boxes.hpp"
#include "cluster/src/world/cluster_state.hpp"

namespace throng::cluster::detail {

namespace {

constexpr std::size_t most_agents = 4'000'000'000;
constexpr std::uint64_t all_are_new = std::uint64_t{1} << 40;

Status fault_of_views(const Agents& agents, std::size_t payload_bytes) noexcept {
    const std::size_t count = agents.ids.size();
    if (agents.ids.data() == nullptr && count != 0) return {Code::null_view, Argument::ids};
    if (agents.boxes.fault() != Code::ok) return {agents.boxes.fault(), Argument::boxes};
    if (agents.boxes.size() != count) return {Code::size_mismatch, Argument::boxes};
    if (count > most_agents) return Status(Code::too_many);
    if (agents.labels.fault() != Code::ok) return {agents.labels.fault(), Argument::labels};
    if (!agents.labels.empty() && agents.labels.size() != count)
        return {Code::size_mismatch, Argument::labels};
    if (agents.heights.fault() != Code::ok) return {agents.heights.fault(), Argument::heights};
    if (!agents.heights.empty() && agents.heights.size() != count)
        return {Code::size_mismatch, Argument::heights};
    if (agents.payload.size() != count * payload_bytes) return {Code::size_mismatch, Argument::values};
    if (agents.payload.data() == nullptr && !agents.payload.empty())
        return {Code::null_view, Argument::values};
    return {};
}

Code fault_of(const Box& box) noexcept {
    const float sum =
        (box.min_x - box.min_x) + (box.min_y - box.min_y) + (box.max_x - box.max_x) + (box.max_y - box.max_y);
    if (sum != 0) return Code::not_finite;  // a NaN compares unequal
    return box.min_x <= box.max_x && box.min_y <= box.max_y ? Code::ok : Code::inverted;
}

Status fault_of_bands(const Heights& heights) noexcept {
    return heights.with_reader([&](const auto& read) -> Status {
        for (std::size_t i = 0; i < heights.size(); ++i) {
            const Band band = read(i);
            if (band.min_z <= band.max_z) continue;
            return {band.min_z > band.max_z ? Code::inverted : Code::not_finite, i, Argument::heights};
        }
        return {};
    });
}

// Whether a view begins in these boxes, and is not a run of them.
bool takes_apart(const Boxes& view, const throng::detail::Buffer<Box>& boxes) noexcept {
    if (view.empty() || view.are_in_pages()) return false;
    bool does = false;
    read_boxes(view, [&](const auto& read) {
        if constexpr (!std::is_pointer_v<std::remove_cvref_t<decltype(read)>>)
            for (std::size_t k = 0; k < 4; ++k) {
                const auto* const at = reinterpret_cast<const std::byte*>(read.place(k, 0));
                const std::span<const std::byte> all = std::as_bytes(std::span(boxes.data(), boxes.size()));
                does |= !std::less<>()(at, all.data()) && std::less<>()(at, all.data() + all.size());
            }
    });
    return does;
}

// An id in the directory: the rank that its number falls to keeps where it occurs.
struct Occurrence {
    GlobalId id;
    std::uint32_t rank, index;
    friend bool operator<(const Occurrence& one, const Occurrence& other) noexcept {
        return std::tie(one.id, one.rank, one.index) < std::tie(other.id, other.rank, other.index);
    }
};

// Those that another rank sent.
bool add_occurrences(throng::detail::Buffer<Occurrence>& to, int from, std::span<const Word> words) noexcept {
    const std::size_t first = to.size(), count = words.size() / 2;
    if (!to.resize(first + count)) return false;
    for (std::size_t k = 0; k < count; ++k)
        to[first + k] = {words[2 * k], static_cast<std::uint32_t>(from),
                         static_cast<std::uint32_t>(words[2 * k + 1])};
    return true;
}

int directory_rank(GlobalId id, int ranks) noexcept {
    const std::uint64_t mixed = (id * 0x9E3779B97F4A7C15u) >> 32;
    return static_cast<int>(mixed % static_cast<std::uint64_t>(ranks));
}

// The first of the occurrences that come again, by rank and index.
ClusterStatus first_twice(throng::detail::Buffer<Occurrence>& all) noexcept {
    std::sort(all.begin(), all.end());
    ClusterStatus first;
    for (std::size_t i = 1; i < all.size(); ++i) {
        if (all[i].id != all[i - 1].id) continue;
        const int rank = static_cast<int>(all[i].rank);
        if (first.ok() || std::tie(rank, all[i].index) < std::tie(first.rank, first.status.index))
            first = refusal({Code::duplicate_id, all[i].index, Argument::ids}, rank, all[i].id);
    }
    return first;
}

}  // namespace

Summary ClusterState::look_at(const Agents& agents) noexcept {
    Summary mine;
    mine.reach = wanted_reach;
    mine.radius = wanted_radius;
    mine.work = mine.busiest = now.owned + pair_count / 4;
    mine.pairs = pair_count;
    mine.labels = agents.labels.empty() ? 0 : 1;
    mine.heights = agents.heights.empty() ? 0 : 1;
    fail(agents.failed);
    if (!trouble.ok() && trouble.rank == ClusterStatus::no_rank) trouble.rank = rank();
    fail(fault_of_views(agents, config.payload_bytes));
    if (trouble.ok()) fail(fault_of_bands(agents.heights));
    if (!trouble.ok()) return mine;
    const Border near = border_of(now, forced ? next_partition : partition);
    look_at_boxes(agents, near, mine);
    mine.census = handed_in = look_at_ids(agents.ids, mine.newcomers);
    return mine;
}

void ClusterState::copy_first(Agents& agents) noexcept {
    copied.clear();
    if (agents.boxes.fault() != Code::ok) return;
    if (!(plane.wraps() && agents.boxes.converts()) && !takes_apart(agents.boxes, now.agents.boxes)) return;
    if (!need(copied.resize(agents.boxes.size()))) return;
    for (std::size_t i = 0; i < copied.size(); ++i) copied[i] = plane.box_of(agents.boxes, i);
    agents.boxes = std::span<const Box>(copied.data(), copied.size());
}

// A rank alone has no border and no ghosts, and its engine finds boxes that are not legal.
void ClusterState::look_at_boxes(const Agents& agents, const Border& near, Summary& mine) noexcept {
    border.clear();
    if (ranks.size() == 1) return;
    read_boxes(agents.boxes, [&](const auto& boxes) { look_at_each(boxes, agents.ids.size(), near, mine); });
}

// In blocks: the extremes alone show for most blocks that they are legal, and of one class of sizes.
template <class View>
void ClusterState::look_at_each(const View& boxes, std::size_t count, const Border& near,
                                Summary& mine) noexcept {
    std::array<Box, block_of_boxes> room;
    double place = 0;
    for (std::size_t i = 0; i < count; i += block_of_boxes) {
        const std::size_t end = std::min(count, i + block_of_boxes);
        const std::span<const Box> block = block_at(boxes, i, end, room);
        const BlockOfBoxes all(block);
        if (!all.seems_legal() && !name_fault(boxes, i, end)) return;
        place = std::max(place, all.largest_place());
        all.add_sizes(block, mine.sizes);
        if (near.is_any && !need(near.list(block, all, i, border))) return;
    }
    mine.largest_place = place;
}

void ClusterState::name_fault(const Agents& agents) noexcept {
    undo_boxes();
    read_boxes(agents.boxes, [&](const auto& boxes) { name_fault(boxes, 0, agents.ids.size()); });
}

Sizes ClusterState::sizes() const noexcept {
    if (ranks.size() > 1) return now.sizes;
    Summary all;
    all.census = now.census;
    std::array<Box, block_of_boxes> room;
    for (std::size_t i = 0; i < now.owned; i += block_of_boxes) {
        const auto block =
            block_at(now.agents.boxes.data(), i, std::min(now.owned, i + block_of_boxes), room);
        BlockOfBoxes(block).add_sizes(block, all.sizes);
    }
    return common_and_giants(all);
}

// Mostly all but a few are ids of the last frame, and their sum is known.
Census ClusterState::look_at_ids(std::span<const GlobalId> ids, std::uint64_t& may_be_twice) noexcept {
    const GlobalId* const owned = now.agents.ids.data();
    newcomers.clear();
    gone.clear();
    ids_ascend = true;
    ids_are_the_last =
        ids.size() == now.owned && now.owned != 0 &&
        (ids.data() == owned || std::memcmp(ids.data(), owned, now.owned * sizeof(GlobalId)) == 0);
    if (ids_are_the_last) return now.own;
    Census census = now.own;
    if (compare_ids(ids)) {
        for (const GlobalId id : gone) census.subtract(id);
        for (const std::uint32_t i : newcomers) census.add(ids[i]);
        may_be_twice = newcomers.size();
        return census;
    }
    census = {};
    ids_ascend = true;
    for (GlobalId last = 0; const GlobalId id : ids) {
        ids_ascend &= last < id || census.count == 0;
        census.add(last = id);
    }
    may_be_twice = all_are_new;
    return census;
}

// Ids that come in the order of the owned ones are there once: no two ranks own the same agent, and none owns
// it twice. All others may be new, come from another rank or out of order, or be there twice. False if these
// are many.
bool ClusterState::compare_ids(std::span<const GlobalId> ids) noexcept {
    const GlobalId* at = now.agents.ids.data();
    const GlobalId* const end = at + now.owned;
    std::size_t left = ids.size() / 16 + 64;
    const auto leave_out_up_to = [&](const GlobalId* found) {
        if (static_cast<std::size_t>(found - at) > left) return false;
        for (; at != found; ++at, --left)
            if (!need(gone.push_back(*at))) return false;
        return true;
    };
    for (std::size_t i = 0; i < ids.size(); ++i) {
        ids_ascend &= i == 0 || ids[i - 1] < ids[i];
        if (at != end && *at == ids[i]) {
            ++at;
            continue;
        }
        const GlobalId* const found = std::lower_bound(at, end, ids[i]);
        if (found != end && *found == ids[i]) {
            if (!leave_out_up_to(found)) return false;
            ++at;
        } else if (left-- == 0 || !need(newcomers.push_back(static_cast<std::uint32_t>(i)))) {
            return false;
        }
    }
    return leave_out_up_to(end);
}

// True if there is none.
template <class View>
bool ClusterState::name_fault(const View& boxes, std::size_t begin, std::size_t end) noexcept {
    for (std::size_t i = begin; i < end; ++i)
        if (const Code code = fault_of(boxes[i]); code != Code::ok) {
            fail(Status(code, i, Argument::boxes));
            return false;
        }
    return true;
}

ClusterStatus ClusterState::check_ids(const Agents& agents, const Summary& all) noexcept {
    if (all.census == now.census || all.newcomers == 0) return {};  // the same, or some of them
    // A rank whose ids are all new counts as 2^40 of them, and that times many ranks would overflow.
    if (all.newcomers >= all_are_new) return check_all_ids(agents.ids);
    const std::uint64_t copies = all.newcomers * static_cast<std::uint64_t>(ranks.size());
    return copies <= all.census.count ? check_newcomers(agents.ids) : check_all_ids(agents.ids);
}

// Each goes to all ranks, which know whether they have it.
ClusterStatus ClusterState::check_newcomers(std::span<const GlobalId> ids) noexcept {
    throng::detail::Buffer<Occurrence> here(memory);
    if (need(parcels.begin(ranks.size(), 2))) {
        for (int to = 0; to < ranks.size(); ++to) parcels.count(to, newcomers.size());
        if (need(parcels.open()))
            for (int to = 0; to < ranks.size(); ++to)
                for (const std::uint32_t i : newcomers) put(put(parcels.place(to), ids[i]), std::uint64_t{i});
    }
    fail(post.to_any(
        parcels, next_report.general_exchange, next_report.waited_seconds,
        [&](int from, std::span<const Word> words) { need(add_occurrences(here, from, words)); }));
    std::sort(here.begin(), here.end());
    const GlobalId* const owned = now.agents.ids.data();
    for (std::size_t k = 0, count = here.size(); k < count && trouble.ok(); ++k) {
        const GlobalId id = here[k].id;
        if ((k != 0 && here[k - 1].id == id) || !std::binary_search(owned, owned + now.owned, id) ||
            std::binary_search(gone.begin(), gone.end(), id))
            continue;
        const auto at = std::find(ids.begin(), ids.end(), id) - ids.begin();
        need(here.push_back({id, static_cast<std::uint32_t>(rank()), static_cast<std::uint32_t>(at)}));
    }
    return agree(ranks, trouble.ok() ? first_twice(here) : trouble, next_report);
}

// In blocks, so that a rank that has all agents needs little memory for it.
ClusterStatus ClusterState::check_all_ids(std::span<const GlobalId> ids) noexcept {
    throng::detail::Buffer<Occurrence> here(memory);
    const std::size_t block = std::max<std::size_t>(config.block_bytes / sizeof(Occurrence), 1);
    std::size_t next_agent = 0;
    bool more = true;
    while (more) {
        const std::size_t end = trouble.ok() ? std::min(ids.size(), next_agent + block) : next_agent;
        if (need(parcels.begin(ranks.size(), 2))) {
            for (std::size_t i = next_agent; i < end; ++i)
                parcels.count(directory_rank(ids[i], ranks.size()));
            if (need(parcels.open()))
                for (std::size_t i = next_agent; i < end; ++i)
                    put(put(parcels.place(directory_rank(ids[i], ranks.size())), ids[i]), i);
        }
        fail(post.to_any(
            parcels, next_report.general_exchange, next_report.waited_seconds,
            [&](int from, std::span<const Word> words) { need(add_occurrences(here, from, words)); }));
        next_agent = end;
        Summary mine;
        mine.flags = trouble.ok() && next_agent < ids.size() ? 1 : 0;
        const Summary all = sum_up(ranks, mine, next_report);
        fail(all.fault);
        more = all.flags != 0;
    }
    parcels.release();
    return agree(ranks, trouble.ok() ? first_twice(here) : trouble, next_report);
}

}  // namespace throng::cluster::detail
