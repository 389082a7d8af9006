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

// A number of steps, seven bits to a byte, the lowest first. The sign is the lowest bit, and the highest one
// of a byte says that another byte follows.
std::size_t bytes_for(std::uint64_t steps) noexcept {
    return (static_cast<std::size_t>(std::bit_width(steps | 1)) + 6) / 7;
}
std::uint64_t steps_between(float from, float to) noexcept {
    const std::int64_t steps = number_of(to) - number_of(from);
    return static_cast<std::uint64_t>(steps) << 1 ^ static_cast<std::uint64_t>(steps >> 63);
}
std::byte* put_steps(std::byte* at, std::uint64_t steps) noexcept {
    for (; steps >= 128; steps >>= 7) *at++ = static_cast<std::byte>(steps | 128);
    *at = static_cast<std::byte>(steps);
    return at + 1;
}
float take_steps(const std::byte*& at, float from) noexcept {
    std::uint64_t steps = 0, byte = 128;
    for (int shift = 0; byte >= 128; shift += 7) {
        byte = static_cast<std::uint64_t>(*at++);
        steps |= (byte & 127) << shift;
    }
    return float_of(number_of(from) +
                    (static_cast<std::int64_t>(steps >> 1) ^ -static_cast<std::int64_t>(steps & 1)));
}

// Where an upper edge is if the size stays.
float expected(float low, float old_low, float old_high) noexcept { return low + (old_high - old_low); }

template <class Call>
void for_each_edge(const AgentTable& was, std::size_t last, const AgentTable& is, std::size_t i,
                   const Extras& extras, const Call& call) noexcept {
    const Box &old = was.boxes[last], &box = is.boxes[i];
    call(steps_between(old.min_x, box.min_x));
    call(steps_between(old.min_y, box.min_y));
    call(steps_between(expected(box.min_x, old.min_x, old.max_x), box.max_x));
    call(steps_between(expected(box.min_y, old.min_y, old.max_y), box.max_y));
    if (!extras.heights) return;
    // Edges may be infinite, so their size may be none.
    call(steps_between(was.heights[last].min_z, is.heights[i].min_z));
    call(steps_between(was.heights[last].max_z, is.heights[i].max_z));
}
Box take_box(const std::byte*& at, const Box& old) noexcept {
    Box box;
    box.min_x = take_steps(at, old.min_x);
    box.min_y = take_steps(at, old.min_y);
    box.max_x = take_steps(at, expected(box.min_x, old.min_x, old.max_x));
    box.max_y = take_steps(at, expected(box.min_y, old.min_y, old.max_y));
    return box;
}

// What a parcel begins with.
struct Head {
    std::uint32_t by_steps = 0, whole = 0;
};
std::size_t words_of_bits(const GhostLists::Part& last) noexcept { return (last.end - last.begin + 63) / 64; }

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

std::size_t GhostLinks::match(int rank) noexcept {
    const Extras& extras = next_told.extras;
    const bool same_kind = told_.extras == extras;
    const GhostLists::Part old = told_.of(rank), part = next_told.of(rank);
    const AgentTable &was = told_.agents, &is = next_told.agents;
    std::uint32_t last = old.begin;
    std::size_t bytes = 0, records = 0;
    for (std::uint32_t i = part.begin; i < part.end; ++i) {
        while (last < old.end && was.ids[last] < is.ids[i]) ++last;
        // An id that is there twice goes by steps once; the sum will find it.
        const bool again = same_kind && last != old.end && was.ids[last] == is.ids[i] &&
                           (i == part.begin || is.ids[i] != is.ids[i - 1]) &&
                           (!extras.labels || was.labels[last] == is.labels[i]) &&
                           (!extras.homes || was.homes[last] == is.homes[i]);
        matches_[i] = again ? last : goes_whole;
        if (!again) {
            ++records;
            continue;
        }
        for_each_edge(was, last, is, i, extras, [&](std::uint64_t steps) { bytes += bytes_for(steps); });
        bytes += extras.payload;
    }
    return words_of<Head>() + words_of_bits(old) + words_for(bytes) + records * extras.words();
}

bool GhostLinks::pack(Parcels& parcels, std::span<const int> peers) noexcept {
    const Extras& extras = next_told.extras;
    if (!matches_.resize(next_told.agents.size())) return false;
    for (const int peer : peers) parcels.count(peer, match(peer));
    if (!parcels.open()) return false;
    for (const int peer : peers) {
        const GhostLists::Part old = told_.of(peer), part = next_told.of(peer);
        Head head;
        for (std::uint32_t i = part.begin; i < part.end; ++i)
            ++(matches_[i] == goes_whole ? head.whole : head.by_steps);
        const std::size_t words = parcels.of(peer).size();
        Word* const begin = parcels.place(peer, words);
        std::fill_n(begin, words, Word{0});
        Word *const bits = put(begin, head), *record = begin + words - head.whole * extras.words();
        std::byte* step = reinterpret_cast<std::byte*>(bits + words_of_bits(old));
        for (std::uint32_t i = part.begin; i < part.end; ++i) {
            if (matches_[i] == goes_whole) {
                record = next_told.agents.pack(i, extras, record);
                continue;
            }
            const std::size_t bit = matches_[i] - old.begin;
            bits[bit / 64] |= Word{1} << bit % 64;
            for_each_edge(told_.agents, matches_[i], next_told.agents, i, extras,
                          [&](std::uint64_t steps) { step = put_steps(step, steps); });
            if (extras.payload != 0)
                std::memcpy(step, next_told.agents.payload.data() + i * extras.payload, extras.payload);
            step += extras.payload;
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
    const Word *const bits = get(words.data(), head), *const end = words.data() + words.size();
    if (!to.resize(to.size() + head.by_steps + head.whole, extras)) return false;
    const std::byte* step = reinterpret_cast<const std::byte*>(bits + words_of_bits(old));
    const Word* record = end - head.whole * extras.words();
    const auto take_whole_below = [&](GlobalId limit) {
        for (GlobalId id = 0; record != end;) {
            get(record, id);
            if (id >= limit) break;
            record = to.unpack(part.end++, extras, record);
        }
    };
    for (std::size_t i = 0; i < old.end - old.begin; ++i) {
        if ((bits[i / 64] >> i % 64 & 1) == 0) continue;
        const std::size_t from = old.begin + i;
        take_whole_below(was.ids[from]);
        to.copy(part.end, was, from, extras);
        to.boxes[part.end] = take_box(step, was.boxes[from]);
        if (extras.heights) {
            Band& band = to.heights[part.end];
            band.min_z = take_steps(step, was.heights[from].min_z);
            band.max_z = take_steps(step, was.heights[from].max_z);
        }
        if (extras.payload != 0)
            std::memcpy(to.payload.data() + part.end * extras.payload, step, extras.payload);
        step += extras.payload;
        ++part.end;
    }
    while (record != end) record = to.unpack(part.end++, extras, record);
    return true;
}

}  // namespace throng::cluster::detail
