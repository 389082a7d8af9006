// Runs searches for lists of neighbours in blocks, and puts the lists together. Either list follows list as
// the blocks do, or lists are placed by number, through streams as hits are
// (engine/src/query/batch_lists.cpp):
//
//     search   block 0    ->  stream of part 0, of part 1 ...       in parallel over blocks
//              block 1    ->  stream of part 0, of part 1 ...
//     place    part 0     <-  its streams of all blocks             in parallel over parts of the numbers
//
// A stream holds, for each list, a header (simd/neighbour_kernels.hpp) and its ids, and beside them the
// distances. Additions by the searches of others have streams of their own, of a number and an id each, and
// come last in a list. Short half lists are made only from such streams.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/blocks.hpp"
#include "engine/src/answers/lists/place_answers.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "engine/src/store/spaces.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "simd/neighbour_kernels.hpp"
#include "throng/executor.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// The lists under construction.
struct ListResult {
    Buffer<std::uint64_t>& offsets;
    Buffer<AgentId>& ids;
    Buffer<float>* distances;  // null if not wanted
    Buffer<AgentId>& agents;   // the owners of lists in row order
    std::uint32_t max_count;   // in a list; zero if there is no bound
    ListRoom* bound;           // null if there is none
    // By the numbers of the sites: the nearest that are further away do not matter, and may be in the lists
    // or not. Null if all matter.
    const float* far_enough = nullptr;
    std::uint64_t found = 0;

    ListResult(NeighbourLists& lists, const Neighbourhood& wanted, ListRoom* room = nullptr) noexcept
        : offsets(lists.offsets_),
          ids(lists.answers_),
          distances(wanted.distances ? &lists.distances_ : nullptr),
          agents(lists.agents_),
          max_count(wanted.max_count),
          bound(room) {}

    // `start` makes room for the offsets of `count` lists; make_empty makes these lists empty. Both return
    // false if there is no memory.
    bool start(std::size_t lists) noexcept {
        if (!resize_amply(offsets, lists + 1)) return false;
        offsets[0] = 0;
        return true;
    }
    bool make_empty(std::size_t lists) noexcept {
        if (!start(lists)) return false;
        std::fill(offsets.begin(), offsets.end(), 0u);
        return true;
    }

    std::size_t size() const noexcept { return offsets.size() == 0 ? 0 : offsets.size() - 1; }
    std::size_t length_of(std::size_t list) const noexcept {
        return static_cast<std::size_t>(offsets[list + 1] - offsets[list]);
    }
    // The last squared distance of a list with any.
    float furthest_in(std::size_t list) const noexcept {
        return (*distances)[static_cast<std::size_t>(offsets[list + 1]) - 1];
    }
    // The answers from number `from` on become those from `to` on, which is not behind it.
    void move(std::size_t from, std::size_t count, std::size_t to) const noexcept {
        if (from == to) return;
        std::copy_n(ids.begin() + from, count, ids.begin() + to);
        if (distances != nullptr) std::copy_n(distances->begin() + from, count, distances->begin() + to);
    }
    // Drops all but the first lists, and distances that are not needed any more.
    void keep_first(std::size_t lists, bool with_distances) noexcept {
        found = offsets[lists];
        const auto count = static_cast<std::size_t>(found);
        (void)offsets.resize(lists + 1);
        (void)ids.resize(count);
        if (distances != nullptr) (void)distances->resize(with_distances ? count : 0);
        if (agents.size() != 0) (void)agents.resize(lists);
    }

    static constexpr bool is_growing() noexcept { return true; }
    template <class Sink>
    KeepAll<Sink> keep(std::atomic<bool>& out_of_memory) const noexcept {
        return KeepAll<Sink>(&ids, &out_of_memory, distances, bound);
    }
    // How many answers have a spot before it grows.
    std::uint64_t spots() const noexcept {
        return distances == nullptr ? ids.capacity() : std::min(ids.capacity(), distances->capacity());
    }
    // Makes room for `count` ids and a vector more.
    bool grow(std::uint64_t count) noexcept {
        if (bound != nullptr && !bound->admits(count)) return false;
        (void)ids.resize(static_cast<std::size_t>(found));
        if (!reserve_amply(ids, count + simd::gap)) return false;
        if (distances == nullptr) return true;
        (void)distances->resize(static_cast<std::size_t>(found));
        return reserve_amply(*distances, count + simd::gap);
    }
    // Sets the sizes once all lists are there, unless `made` says that they are not.
    Status finish(const Status& made) noexcept {
        const auto count = static_cast<std::size_t>(found);
        if (!made.ok() || (ids.resize(count) && (distances == nullptr || distances->resize(count))))
            return made;
        return {Code::out_of_memory};
    }
};

class ListBatch {
public:
    // With `among_ghosts`, blocks search among ghosts (below).
    ListBatch(const FrameState& frame, const Executor& executor, BatchSpace& space, ListResult& result,
              bool among_ghosts = false) noexcept
        : frame_(frame), executor_(executor), space_(space), result_(result), among_ghosts_(among_ghosts) {}
    ListBatch(const ListBatch&) = delete;
    ~ListBatch() {
        spaces().put_back_all(adding());
        spaces().put_back_all(taken());
    }
    BatchSpace& space() noexcept { return space_; }

    // Of one of some blocks: search(block, space, output), which returns false if there is no memory, or
    // search(block, output).
    using SearchInSpace = parallel::Call<bool(std::size_t, AnswerSpace&, simd::NeighbourOutput&)>;
    using Search = parallel::Call<void(std::size_t, simd::NeighbourOutput&)>;
    using FirstOf = parallel::Call<std::size_t(std::size_t block)>;

    // The lists of the numbers [0, count), which are appended to the result. search(block, space, output)
    // makes the lists of one of `blocks` blocks. Then additions(block, space, add), if there are any, calls
    // add(number, id, squared distance) for each addition to any of these lists.
    template <class Additions = std::nullptr_t>
    Status lists_by_number(std::size_t first, std::size_t count, std::size_t blocks, SearchInSpace search,
                           const Additions& additions = {}) noexcept {
        Status status = search_by_number(count, blocks, search);
        if constexpr (!std::is_null_pointer_v<Additions>)
            if (status.ok()) status = search_additions(blocks, additions);
        return status.ok() ? place_by_number(first, count) : status;
    }
    // The lists of the numbers [0, count), from pairs: search(block, output) leaves in the streams each pair
    // of two numbers; the list of the lower one gets the other.
    Status lists_of_pairs(std::size_t count, std::size_t blocks, Search search) noexcept;
    // Appends the lists in the order of the blocks. Block b begins with list first_of(b) of these.
    // search(block, output) makes them.
    Status lists_in_turn(std::size_t first, std::size_t blocks, FirstOf first_of, Search search) noexcept;

    // The two sinks for lists in turn differ by this shift, if no id is that high.
    static constexpr std::uint32_t shift_to_ghosts = 31;

    // Only how long the lists would be. search(block, output) counts those of a block.
    Status counts_by_number(std::span<std::uint32_t> counts, std::size_t blocks, Search search) noexcept;
    // The lists of the numbers [0, count), straight to their spots: `full` lists have `max_count` ids each,
    // and the others none. Without `ranks` the first lists are full. With them list i is full if ranks[i + 1]
    // > ranks[i], and ranks[i] is its spot, and its number for the search. Each block has a spot behind them
    // for what belongs nowhere.
    Status lists_in_spots(std::size_t full, std::size_t count, std::size_t blocks, Search search,
                          const std::uint32_t* ranks) noexcept;
    // How many owned agents have lower ids, for each id below `count`, and how many they are. Null if there
    // is no memory.
    const std::uint32_t* ranks_among(const simd::GhostIds& ghosts, std::size_t count) noexcept;

private:
    // The most ids of a list that has a spot before it is made.
    static constexpr std::size_t one_list = simd::count_limit + std::size_t{2} * simd::gap;

    // Reserves what blocks need beside the next `taken` spaces: which spaces they take is a matter of chance.
    // Returns false if there is no memory.
    bool prepare_among_ghosts(std::size_t blocks, std::size_t taken) noexcept;

    Status search_by_number(std::size_t count, std::size_t blocks, SearchInSpace search) noexcept;
    template <class Additions>
    Status search_additions(std::size_t blocks, const Additions& additions) noexcept {
        if (!spaces().take_all(adding(), blocks)) return {Code::out_of_memory};
        return with_spaces(spaces(), executor_, blocks, [&](std::size_t b, AnswerSpace& scratch) {
            AnswerSpace& space = *adding()[b];
            for (std::size_t p = 0; p < parts_; ++p) {
                space.streams[p].clear();
                space.distances[p].clear();
            }
            const auto add = [&](std::uint32_t number, AgentId id, float distance) {
                const std::size_t p = number >> shift_;
                return space.streams[p].push_back(number) && space.streams[p].push_back(id) &&
                       (result_.distances == nullptr || space.distances[p].push_back(distance));
            };
            return additions(b, scratch, add);
        });
    }

    void part_numbers(std::size_t count) noexcept;
    Buffer<AnswerSpace*>& taken() noexcept { return space_.blocks; }
    Buffer<AnswerSpace*>& adding() noexcept { return space_.adding; }
    Pool<AnswerSpace>& spaces() noexcept { return frame_.store->spaces.answers; }
    std::size_t lists_in(std::size_t part, std::size_t count) const noexcept {
        return std::min(std::size_t{1} << shift_, count - (part << shift_));
    }
    void keep_streams_ample() noexcept;
    bool make_tables(AnswerSpace& space, std::size_t lists) const noexcept;
    void locate(std::size_t count, std::size_t part, AnswerSpace& space) const noexcept;
    void place_additions(std::size_t part, const std::uint64_t* offsets, AnswerSpace& space) noexcept;
    Status place_by_number(std::size_t first, std::size_t count) noexcept;
    void place_part(std::size_t first, std::size_t count, std::size_t part, std::uint64_t begin,
                    std::uint64_t end, AnswerSpace& space) noexcept;
    template <class Length>
    bool place_full(Length length, std::size_t part, std::size_t first, std::uint64_t begin) noexcept;
    template <std::size_t usual>
    void copy_lists(std::size_t count, std::uint64_t begin, std::uint64_t end, std::uint64_t* offsets,
                    const AnswerSpace& space) noexcept;
    void copy(const AnswerSpace& space, std::uint64_t begin) noexcept;
    Status place_pairs(std::size_t count) noexcept;
    void place_pairs(std::size_t count, std::size_t part, std::uint64_t begin, AnswerSpace& space) noexcept;

    const FrameState& frame_;
    const Executor& executor_;
    BatchSpace& space_;
    ListResult& result_;
    const bool among_ghosts_;
    std::size_t parts_ = 1;
    std::uint32_t shift_ = 0;
};

// --- In a frame with ghosts. Where they are between the agents that look, a few are searched around as well,
// since neighbours in a row share most of a search; their lists go nowhere.

// The place for lists that belong to nobody (NeighbourOutput::nowhere), in reserved room.
inline constexpr std::size_t dropped_room = 2 * simd::list_slack + 4096;
// What a search among ghosts needs of a space.
inline bool make_ready_among_ghosts(AnswerSpace& space, bool distances) noexcept {
    return resize_amply(space.ends, sites_at_once) && space.dropped.reserve(dropped_room) &&
           (!distances || space.dropped_distances.reserve(dropped_room));
}
inline void open_dropped(simd::ListSink& sink, AnswerSpace& space, bool distances) noexcept {
    std::uint32_t* const begin = space.dropped.data();
    sink = {.begin = begin,
            .at = begin,
            .limit = begin + dropped_room - simd::list_slack,
            .distances = distances ? space.dropped_distances.data() : nullptr,
            .full = [](simd::ListSink& full) { full.at = full.begin; }};
}

// Whether a half list of an owned agent has another agent, which is near. Of two owned agents the lower has
// the other, and ghosts have no lists.
inline bool is_in_half(AgentId own, AgentId other, const simd::GhostIds& ghosts) noexcept {
    return other > own || ghosts.has(other);
}
// Keeps in list i, in place, what keep(i, id, squared distance) wants of it, and no more than `most`. Without
// distances these are zero.
template <class Keep>
void keep_of_lists(ListResult& result, std::uint64_t most, const Keep& keep) noexcept {
    AgentId* const ids = result.ids.data();
    float* const distances = result.distances == nullptr ? nullptr : result.distances->data();
    std::uint64_t kept = 0, from = 0;
    for (std::size_t i = 0; i + 1 < result.offsets.size(); ++i) {
        const std::uint64_t begin = kept;
        for (const std::uint64_t end = result.offsets[i + 1]; from < end; ++from) {
            const float distance = distances == nullptr ? 0 : distances[from];
            const bool stays = keep(i, ids[from], distance) && kept - begin < most;
            ids[kept] = ids[from];
            if (distances != nullptr) distances[kept] = distance;
            kept += stays;
        }
        result.offsets[i + 1] = kept;
    }
    result.found = kept;
}

}  // namespace throng::detail
