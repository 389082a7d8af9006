#include "cluster/src/world/ghost_links.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace throng::cluster::detail {

namespace {

constexpr std::uint32_t goes_whole = 0xFFFFFFFF;

// The number of a float among all, in their order.
std::int64_t number_of(float value) noexcept {
    const std::int32_t bits = std::bit_cast<std::int32_t>(value);
    return bits ^ ((bits >> 31) & 0x7FFFFFFF);
}
float float_of(std::int64_t number) noexcept {
    const std::int32_t bits = static_cast<std::int32_t>(number);
    return std::bit_cast<float>(bits ^ ((bits >> 31) & 0x7FFFFFFF));
}

// How far the upper edges are from where the old size would put them.
struct Steps {
    std::int8_t x = 0, y = 0;
};
float expected(float low, float old_low, float old_high) noexcept { return low + (old_high - old_low); }

bool steps_between(const Box& old, const Box& box, Steps& steps) noexcept {
    const std::int64_t x = number_of(box.max_x) - number_of(expected(box.min_x, old.min_x, old.max_x));
    const std::int64_t y = number_of(box.max_y) - number_of(expected(box.min_y, old.min_y, old.max_y));
    steps = {static_cast<std::int8_t>(x), static_cast<std::int8_t>(y)};
    return steps.x == x && steps.y == y;
}
Box after_steps(const Box& old, const Point& corner, const Steps& steps) noexcept {
    return {corner.x, corner.y, float_of(number_of(expected(corner.x, old.min_x, old.max_x)) + steps.x),
            float_of(number_of(expected(corner.y, old.min_y, old.max_y)) + steps.y)};
}

// To the bit: a height of minus zero is another one.
bool have_same_extras(const AgentTable& was, std::size_t last, const AgentTable& is, std::size_t i,
                      const Extras& extras) noexcept {
    bool same = true;
    AgentTable::for_each_column(extras, [&]<class T>(AgentTable::Column<T> column, std::size_t values) {
        if constexpr (!std::is_same_v<T, GlobalId> && !std::is_same_v<T, Box> && !AgentTable::is_payload<T>)
            same = same && (values == 0 ||
                            std::memcmp(&was.value(column, last), &is.value(column, i), sizeof(T)) == 0);
    });
    return same;
}

struct Head {
    std::uint32_t corners = 0, whole = 0;
};

// The parts of a parcel after its head.
struct Layout {
    Layout(std::size_t last, const Head& head, std::size_t record) noexcept
        : bits((last + 63) / 64),
          corners(head.corners),
          steps(words_for(head.corners * sizeof(Steps))),
          records(head.whole * record) {}
    std::size_t words() const noexcept { return words_of<Head>() + bits + corners + steps + records; }

    std::size_t bits, corners, steps, records;
};

}  // namespace

bool GhostLists::begin(int ranks, const Extras& of_all) noexcept {
    extras = of_all;
    if (!agents.resize(0, {}) || !parts.resize(static_cast<std::size_t>(ranks))) return false;
    std::fill(parts.begin(), parts.end(), Part());
    return true;
}

bool GhostLinks::prepare(int ranks) noexcept {
    return told_.begin(ranks) && heard_.begin(ranks) && next_told.begin(ranks) && next_heard.begin(ranks);
}

void GhostLinks::match(int rank) noexcept {
    const Extras& extras = next_told.extras;
    const bool same_kind = told_.extras == extras;
    const GhostLists::Part old = told_.of(rank), part = next_told.of(rank);
    const AgentTable &was = told_.agents, &is = next_told.agents;
    std::uint32_t last = old.begin;
    for (std::uint32_t i = part.begin; i < part.end; ++i) {
        while (last < old.end && was.ids[last] < is.ids[i]) ++last;
        matches_[i] = goes_whole;
        if (!same_kind || last == old.end || was.ids[last] != is.ids[i]) continue;
        // An id that is there twice goes as a corner once; the sum will find it.
        if (i != part.begin && is.ids[i] == is.ids[i - 1]) continue;
        Steps steps;
        if (have_same_extras(was, last, is, i, extras) && steps_between(was.boxes[last], is.boxes[i], steps))
            matches_[i] = last;
    }
}

bool GhostLinks::pack(Parcels& parcels, std::span<const int> peers) noexcept {
    const Extras& extras = next_told.extras;
    if (!matches_.resize(next_told.agents.size())) return false;
    const auto head_of = [&](int peer) {
        Head head;
        const GhostLists::Part part = next_told.of(peer);
        for (std::uint32_t i = part.begin; i < part.end; ++i)
            ++(matches_[i] == goes_whole ? head.whole : head.corners);
        return head;
    };
    for (const int peer : peers) {
        match(peer);
        const GhostLists::Part old = told_.of(peer);
        parcels.count(peer, Layout(old.end - old.begin, head_of(peer), extras.words()).words());
    }
    if (!parcels.open()) return false;
    for (const int peer : peers) {
        const GhostLists::Part old = told_.of(peer), part = next_told.of(peer);
        const Head head = head_of(peer);
        const Layout layout(old.end - old.begin, head, extras.words());
        Word* const bits = put(parcels.place(peer, layout.words()), head);
        std::fill(bits, bits + layout.bits + layout.corners + layout.steps, Word{0});
        Word* corner = bits + layout.bits;
        std::byte* step = reinterpret_cast<std::byte*>(corner + layout.corners);
        Word* record = corner + layout.corners + layout.steps;
        for (std::uint32_t i = part.begin; i < part.end; ++i) {
            if (matches_[i] == goes_whole) {
                record = next_told.agents.pack(i, extras, record);
                continue;
            }
            const Box& box = next_told.agents.boxes[i];
            const std::size_t bit = matches_[i] - old.begin;
            bits[bit / 64] |= Word{1} << bit % 64;
            corner = put(corner, Point{box.min_x, box.min_y});
            Steps steps;
            (void)steps_between(told_.agents.boxes[matches_[i]], box, steps);
            std::memcpy(step, &steps, sizeof steps);
            step += sizeof steps;
        }
    }
    return true;
}

bool GhostLinks::unpack(int rank, std::span<const Word> words) noexcept {
    const Extras& extras = next_heard.extras;
    AgentTable& to = next_heard.agents;
    const AgentTable& was = heard_.agents;
    const GhostLists::Part old = heard_.of(rank);
    GhostLists::Part& part = next_heard.of(rank);
    part = {static_cast<std::uint32_t>(to.size()), static_cast<std::uint32_t>(to.size())};
    if (words.empty()) return true;
    Head head;
    const Word* const bits = get(words.data(), head);
    const Layout layout(old.end - old.begin, head, extras.words());
    if (!to.resize(to.size() + head.corners + head.whole, extras)) return false;
    const Word* corner = bits + layout.bits;
    const std::byte* step = reinterpret_cast<const std::byte*>(corner + layout.corners);
    const Word* record = corner + layout.corners + layout.steps;
    const auto take_whole_below = [&](GlobalId limit) {
        for (GlobalId id = 0; record != words.data() + words.size();) {
            get(record, id);
            if (id >= limit) break;
            record = to.unpack(part.end++, extras, record);
        }
    };
    for (std::size_t i = 0; i < old.end - old.begin; ++i) {
        if ((bits[i / 64] >> i % 64 & 1) == 0) continue;
        const std::size_t from = old.begin + i;
        take_whole_below(was.ids[from]);
        Point place;
        corner = get(corner, place);
        Steps steps;
        std::memcpy(&steps, step, sizeof steps);
        step += sizeof steps;
        to.copy(part.end, was, from, extras);
        to.boxes[part.end++] = after_steps(was.boxes[from], place, steps);
    }
    while (record != words.data() + words.size()) record = to.unpack(part.end++, extras, record);
    return true;
}

}  // namespace throng::cluster::detail
