#include "engine/src/neighbours/list_batch.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "throng/compiler.hpp"

namespace throng::detail {

namespace {

// This many lists fit into the second-level cache while they are placed.
constexpr std::size_t lists_in_a_part = 1 << 14, min_in_a_part = 1 << 9;

// A placeholder for an empty list: at least as many ids are read as copied at once.
constexpr AgentId no_list[1 + simd::gap] = {};
constexpr float no_distances[simd::gap] = {};

// A list in a stream.
struct Listed {
    const AgentId* ids;
    std::size_t count;

    Listed(const AgentId* header, std::uint32_t most) noexcept : ids(header + 1), count(*header & most) {
        if (count == most) [[unlikely]]
            count = *ids++;
    }
};

}  // namespace

Status ListBatch::lists_of_pairs(std::size_t count, std::size_t blocks, Search search) noexcept {
    const auto in_block = [&](std::size_t b, AnswerSpace&, simd::NeighbourOutput& output) {
        search(b, output);
        return true;
    };
    if (const Status bad = search_by_number(count, blocks, in_block); !bad.ok()) return bad;
    return place_pairs(count);
}

Status ListBatch::lists_in_turn(std::size_t first, std::size_t blocks, FirstOf first_of,
                                Search search) noexcept {
    if (blocks != 1 && !prepare_among_ghosts(blocks, slots_for(executor_, blocks)))
        return {Code::out_of_memory};
    return append_lists<simd::ListSink>(
        executor_, {spaces(), taken(), space_.pieces}, blocks, 1, result_.distances != nullptr, result_,
        [&](std::size_t b) { return result_.offsets.data() + 1 + first + first_of(b); },
        [&](std::size_t b, AnswerSpace*, simd::ListSink* sinks, std::uint64_t* ends) {
            simd::NeighbourOutput output = lists_to(sinks[0], ends);  // the other is for ghosts
            search(b, output);
            return true;
        },
        [&](const AnswerSpace& space, std::uint64_t begin) { copy(space, begin); });
}

Status ListBatch::counts_by_number(std::span<std::uint32_t> counts, std::size_t blocks,
                                   Search search) noexcept {
    const auto in_block = [&](std::size_t b, AnswerSpace&, simd::NeighbourOutput& output) {
        output.headers = false;
        output.counts = counts.data();
        output.count_sinks = std::exchange(output.sinks, nullptr);
        search(b, output);
        return true;
    };
    if (const Status bad = search_by_number(counts.size(), blocks, in_block); !bad.ok()) return bad;
    const parallel::Ran ran = parallel::for_blocks(executor_, parts_, [&](std::size_t p) {
        std::uint32_t* const to = counts.data() + (p << shift_);
        const std::uint32_t up = 32 - shift_, most = simd::most_in_header(shift_);
        for (const AnswerSpace* block : space_.blocks)
            for (const std::uint32_t header : block->streams[p]) to[header >> up] = header & most;
    });
    return outcome(ran);
}

const std::uint32_t* ListBatch::ranks_among(const simd::GhostIds& ghosts, std::size_t count) noexcept {
    if (!resize_amply(space_.answers, count + 1)) return nullptr;
    std::uint32_t owned = 0;
    for (std::size_t id = 0; id < count; ++id) {
        space_.answers[id] = owned;
        owned += !ghosts.has(static_cast<AgentId>(id));
    }
    space_.answers[count] = owned;
    return space_.answers.data();
}

Status ListBatch::lists_in_spots(std::size_t full, std::size_t count, std::size_t blocks, Search search,
                                 const std::uint32_t* ranks) noexcept {
    const std::uint64_t in_each = result_.max_count;
    if (!result_.grow((full + (full == count ? 0 : blocks)) * in_each)) return {Code::out_of_memory};
    const parallel::Ran ran = parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
        const parallel::Range lists = parallel::range_of(count, blocks, b);
        for (std::size_t i = lists.begin; i < lists.end; ++i)
            result_.offsets[i + 1] = (ranks == nullptr ? std::min(i + 1, full) : ranks[i + 1]) * in_each;
        alignas(64) AgentId ids[one_list + simd::list_slack];
        alignas(64) float distances[one_list + simd::list_slack];
        simd::ListSink sink{.begin = ids,
                            .at = ids,
                            .limit = ids + one_list,
                            .distances = distances,
                            .full = [](simd::ListSink&) {}};
        simd::NeighbourOutput output{
            .sinks = &sink,
            .spots = result_.ids.data(),
            .distance_spots = result_.distances == nullptr ? nullptr : result_.distances->data(),
            .nowhere = full == count ? simd::no_id : static_cast<std::uint32_t>(full + b)};
        search(b, output);
    });
    result_.found = full * in_each;
    return outcome(ran);
}

Status ListBatch::search_by_number(std::size_t count, std::size_t blocks, SearchInSpace search) noexcept {
    part_numbers(count);
    if (!spaces().take_all(taken(), blocks) || !prepare_among_ghosts(blocks, 0)) return {Code::out_of_memory};
    const auto search_one = [&](std::size_t b, AnswerSpace& space, simd::ListSink* sinks,
                                const std::atomic<bool>&) {
        simd::NeighbourOutput output{.sinks = sinks, .shift = shift_, .headers = true};
        if (constexpr std::size_t every = simd::no_id; parts_ << shift_ < every)
            output.nowhere = static_cast<std::uint32_t>(parts_ << shift_);
        if (!resize_amply(space.ends, parts_) || !search(b, space, output)) return false;
        for (std::size_t p = 0; p < parts_; ++p) space.ends[p] = sinks[p].headers;
        return true;
    };
    const Status status = search_into_streams<simd::ListSink>(
        executor_, taken(), parts_, result_.distances != nullptr, result_.bound, search_one);
    if (status.ok()) keep_streams_ample();
    return status;
}

void ListBatch::part_numbers(std::size_t count) noexcept {
    const std::size_t shortest = (count + AnswerSpace::max_streams - 1) / AnswerSpace::max_streams;
    const std::size_t wanted =
        std::clamp(count / (4 * parallel::workers_of(executor_)), min_in_a_part, lists_in_a_part);
    shift_ = static_cast<std::uint32_t>(std::bit_width(std::bit_ceil(std::max(wanted, shortest))) - 1);
    parts_ = (count + (std::size_t{1} << shift_) - 1) >> shift_;
}

// A stream that is much shorter than the longest one stays so. When it has no room for twice as much, it gets
// room for eight times as much, so that it need not grow whenever it is the longest so far. No memory is no
// failure.
void ListBatch::keep_streams_ample() noexcept {
    std::size_t longest = 0;
    for (const AnswerSpace* space : space_.blocks)
        for (std::size_t p = 0; p < parts_; ++p) longest = std::max(longest, space->streams[p].size());
    for (AnswerSpace* space : space_.blocks) {
        space->stream_room.follow(longest + 2 * simd::list_slack);
        const auto keep = [&](auto& stream, std::size_t size) {
            const std::size_t most = space->stream_room.count, behind = 2 * simd::list_slack;
            if (stream.capacity() < std::min(most, 2 * size + behind))
                (void)stream.reserve(std::min(most, 8 * size + behind));
        };
        for (std::size_t p = 0; p < parts_; ++p) {
            const std::size_t size = space->streams[p].size();
            keep(space->streams[p], size);
            if (result_.distances != nullptr) keep(space->distances[p], size);
        }
    }
}

bool ListBatch::prepare_among_ghosts(std::size_t blocks, std::size_t taken) noexcept {
    std::size_t seen = 0;
    return !among_ghosts_ ||
           spaces().prepare(taken + parallel::at_once(executor_, blocks), [&](AnswerSpace& space) {
               return seen++ < taken || make_ready_among_ghosts(space, result_.distances != nullptr);
           });
}

Status ListBatch::place_by_number(std::size_t first, std::size_t count) noexcept {
    return place_parts(
        frame_, executor_, parts_, result_,
        [&](std::size_t p) {
            std::uint64_t ids = 0;
            for (const AnswerSpace* block : space_.blocks) ids += block->streams[p].size() - block->ends[p];
            for (const AnswerSpace* block : adding()) ids += block->streams[p].size() / 2;
            return ids;
        },
        [&](AnswerSpace& space) { return make_tables(space, lists_in(0, count)); },
        [&](std::size_t p, std::uint64_t begin, std::uint64_t end, AnswerSpace& space) {
            place_part(first + (p << shift_), lists_in(p, count), p, begin, end, space);
            return true;
        });
}

bool ListBatch::make_tables(AnswerSpace& space, std::size_t lists) const noexcept {
    return resize_amply(space.lists, lists) &&
           (result_.distances == nullptr || resize_amply(space.list_distances, lists)) &&
           (space_.adding.size() == 0 || resize_amply(space.added, lists));
}

// Where each list of a part is in the streams, and how many ids are added to it.
void ListBatch::locate(std::size_t count, std::size_t part, AnswerSpace& space) const noexcept {
    // In variables, since a compiler must take stores for changes of anything.
    const std::uint32_t up = 32 - shift_, most = simd::most_in_header(shift_);
    const bool with_distances = result_.distances != nullptr;
    const AgentId** const lists = space.lists.data();
    const float** const distances = with_distances ? space.list_distances.data() : nullptr;
    std::fill_n(lists, count, no_list);
    if (with_distances) std::fill_n(distances, count, no_distances);
    for (const AnswerSpace* block : space_.blocks) {
        const Buffer<AgentId>& stream = block->streams[part];
        const AgentId *const begin = stream.begin(), *const end = stream.end();
        const float* const beside = with_distances ? block->distances[part].data() : nullptr;
        for (const AgentId* at = begin; at != end;) {
            const std::size_t number = *at >> up;
            const Listed list(at, most);
            lists[number] = at;
            if (with_distances) distances[number] = beside + (list.ids - begin);
            at = list.ids + list.count;
        }
    }
    const std::size_t mask = (std::size_t{1} << shift_) - 1;
    if (space_.adding.size() != 0) std::fill_n(space.added.data(), count, 0u);
    for (const AnswerSpace* block : space_.adding) {
        const Buffer<AgentId>& stream = block->streams[part];
        for (std::size_t i = 0; i < stream.size(); i += 2) ++space.added[stream[i] & mask];
    }
}

// First locates the lists, then copies them one by one.
void ListBatch::place_part(std::size_t first, std::size_t count, std::size_t part, std::uint64_t begin,
                           std::uint64_t end, AnswerSpace& space) noexcept {
    const std::size_t most = result_.max_count;
    const std::integral_constant<std::size_t, 8> usual;
    if (most != 0 && adding().size() == 0 && most < simd::most_in_header(shift_) &&
        end - begin == std::uint64_t{most} * count &&
        (most == usual ? place_full(usual, part, first, begin) : place_full(most, part, first, begin)))
        return;
    locate(count, part, space);
    const std::uint32_t* added = adding().size() == 0 ? nullptr : space.added.data();
    std::uint64_t* offsets = result_.offsets.data() + first + 1;
    constexpr std::size_t few = simd::gap / 2;
    // If lists have half as many on average, hardly any has more.
    const bool are_few =
        (result_.max_count != 0 && result_.max_count <= few) || 2 * (end - begin) <= few * count;
    if (are_few)
        copy_lists<few>(count, begin, end, offsets, space);
    else
        copy_lists<simd::gap>(count, begin, end, offsets, space);
    if (added != nullptr) place_additions(part, offsets, space);
}

// If all lists of a part have the same length, their spots follow from their numbers. Returns false if one
// has another, for example if more are looked for than wanted.
template <class Length>
bool ListBatch::place_full(Length length, std::size_t part, std::size_t first, std::uint64_t begin) noexcept {
    const std::uint32_t up = 32 - shift_;
    AgentId* const out = result_.ids.data() + begin;
    float* const out_distances = result_.distances == nullptr ? nullptr : result_.distances->data() + begin;
    std::uint64_t* const offsets = result_.offsets.data() + first + 1;
    const std::size_t step = length + 1, ahead = 16 * step;
    for (const AnswerSpace* block : space_.blocks) {
        const Buffer<AgentId>& stream = block->streams[part];
        for (std::size_t i = 0; i < stream.size(); i += step) {
            if ((stream[i] & simd::most_in_header(shift_)) != length) return false;
            if (i + ahead < stream.size()) {
                const std::size_t next = (stream[i + ahead] >> up) * length;
                THRONG_PREFETCH(out + next, 1);
                if (out_distances != nullptr) THRONG_PREFETCH(out_distances + next, 1);
            }
            const std::size_t number = stream[i] >> up, to = number * length;
            std::memcpy(out + to, stream.data() + i + 1, length * sizeof(AgentId));
            if (out_distances != nullptr)
                std::memcpy(out_distances + to, block->distances[part].data() + i + 1,
                            length * sizeof(float));
            offsets[number] = begin + to + length;
        }
    }
    return true;
}

// Most lists are short, so `usual` ids are copied without a branch on their number; later ids overwrite the
// surplus. Spots from `end` on belong to another part.
template <std::size_t usual>
void ListBatch::copy_lists(std::size_t count, std::uint64_t begin, std::uint64_t end, std::uint64_t* offsets,
                           const AnswerSpace& space) noexcept {
    AgentId* out = result_.ids.data();
    float* out_distances = result_.distances == nullptr ? nullptr : result_.distances->data();
    const std::uint32_t* added = adding().size() == 0 ? nullptr : space.added.data();
    const AgentId* const* const lists = space.lists.data();
    const float* const* const distances = space.list_distances.data();
    const std::uint32_t most = simd::most_in_header(shift_);
    constexpr std::size_t ahead = 8;
    for (std::size_t q = 0; q < count; ++q) {
        if (q + ahead < count) {
            THRONG_PREFETCH(lists[q + ahead]);
            if (out_distances != nullptr) THRONG_PREFETCH(distances[q + ahead]);
        }
        const Listed list(lists[q], most);
        const AgentId* const ids = list.ids;
        const std::size_t own = list.count;
        if (own <= usual && begin + usual <= end) [[likely]] {
            std::memcpy(out + begin, ids, usual * sizeof(AgentId));
            if (out_distances != nullptr)
                std::memcpy(out_distances + begin, distances[q], usual * sizeof(float));
        } else {
            std::memcpy(out + begin, ids, own * sizeof(AgentId));
            if (out_distances != nullptr)
                std::memcpy(out_distances + begin, distances[q], own * sizeof(float));
        }
        begin += own + (added == nullptr ? 0 : added[q]);
        offsets[q] = begin;
    }
}

void ListBatch::place_additions(std::size_t part, const std::uint64_t* offsets, AnswerSpace& space) noexcept {
    const std::size_t mask = (std::size_t{1} << shift_) - 1;
    for (const AnswerSpace* block : adding()) {
        const Buffer<AgentId>& stream = block->streams[part];
        for (std::size_t i = 0; i < stream.size(); i += 2) {
            const std::size_t q = stream[i] & mask;
            const std::uint64_t to = offsets[q] - space.added[q]--;
            result_.ids[static_cast<std::size_t>(to)] = stream[i + 1];
            if (result_.distances != nullptr)
                (*result_.distances)[static_cast<std::size_t>(to)] = block->distances[part][i / 2];
        }
    }
}

void ListBatch::copy(const AnswerSpace& space, std::uint64_t begin) noexcept {
    const std::size_t count = space.streams[0].size();
    if (count == 0) return;
    std::memcpy(result_.ids.data() + begin, space.streams[0].data(), count * sizeof(AgentId));
    if (result_.distances != nullptr)
        std::memcpy(result_.distances->data() + begin, space.distances[0].data(), count * sizeof(float));
}

Status ListBatch::place_pairs(std::size_t count) noexcept {
    return place_parts(
        frame_, executor_, parts_, result_,
        [&](std::size_t p) {
            std::uint64_t pairs = 0;
            for (const AnswerSpace* block : space_.blocks) pairs += block->streams[p].size() / 2;
            return pairs;
        },
        [&](AnswerSpace& space) { return resize_amply(space.added, lists_in(0, count)); },
        [&](std::size_t p, std::uint64_t begin, std::uint64_t end, AnswerSpace& space) {
            if (end - begin > std::numeric_limits<std::uint32_t>::max()) return false;
            place_pairs(lists_in(p, count), p, begin, space);
            return true;
        });
}

// Counts the pairs of each list, and then puts each pair behind those before it.
void ListBatch::place_pairs(std::size_t count, std::size_t part, std::uint64_t begin,
                            AnswerSpace& space) noexcept {
    const std::size_t mask = (std::size_t{1} << shift_) - 1;
    std::uint32_t* const ends = space.added.data();
    std::fill_n(ends, count, 0u);
    for (const AnswerSpace* block : space_.blocks) {
        const Buffer<AgentId>& stream = block->streams[part];
        const AgentId* const end = stream.end();
        for (const AgentId* at = stream.begin(); at != end; at += 2) ++ends[*at & mask];
    }
    std::uint64_t* const offsets = result_.offsets.data() + (part << shift_) + 1;
    std::uint32_t behind = 0;
    for (std::size_t q = 0; q < count; ++q) {
        const std::uint32_t length = ends[q];
        ends[q] = behind;
        behind += length;
        offsets[q] = begin + behind;
    }
    AgentId* const ids = result_.ids.data() + begin;
    for (const AnswerSpace* block : space_.blocks) {
        const Buffer<AgentId>& stream = block->streams[part];
        const AgentId* const end = stream.end();
        for (const AgentId* at = stream.begin(); at != end; at += 2) ids[ends[*at & mask]++] = at[1];
    }
}

}  // namespace throng::detail
