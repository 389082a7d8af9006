// The interface through which `throng-compare` sees every index, ours and others': one file implements it,
// one line in the registry names it.
//
// What is timed are `update`, `find_pairs`, `answer`, `search`, `count` and `commit`. They leave their
// results in memory that the index owns and uses again, so that no index is charged for another's containers;
// the checksums are read from there afterwards, untimed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/compare/host_agent.hpp"
#include "throng/executor.hpp"
#include "throng/geometry.hpp"
#include "throng/isa.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/queries/casts.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::bench {

// What an index can do beyond updates, pairs and queries.
enum class Ability {
    edits,              // staged moves and a commit
    labels,             // categories, and queries for some of them only
    allocations,        // all its memory comes from the resource it was given
    casts,              // rays, and boxes that move
    single_casts,       // the same, a call for each
    leaf_order,         // it can say in which order queries about its agents are fastest
    neighbours,         // agents within a radius, and the nearest ones
    keeps_lists,        // of agents within a radius, from frame to frame
    touched,            // how many boxes a circle touches
    as_found,           // the answers to a batch in the order of the search
    changes,            // which pairs began and ended since the frame before
    only_places,        // it knows places alone, and no boxes
    only_queries,       // it answers queries, and finds no pairs
    only_arrays,        // it hands no agent to a visitor
    single_calls,       // boxes, a call for each
    single_neighbours,  // the neighbours of points, a call for each
    row_order,          // lists of neighbours in an order of its own
    removals,           // staged, as edits are
    insertions,         // likewise
    layouts,            // updates from structs and from points
    only_batches,       // it answers many boxes at once, and none alone
    neighbour_lists,    // `list_of` after `find_within`
    only_within,        // neighbours within a radius, and no nearest ones
};

// What a figure of a peer has to be quoted with.
struct About {
    std::string version, settings;
};

struct Setup {
    std::size_t agents = 0;
    Executor executor;
    unsigned threads = 1;
    Isa isa = Isa::automatic;
    // For indexes that can use it; counted by the caller.
    MemoryResource* memory = nullptr;
};

// What a visitor adds up of an agent: enough that nothing of it can be left out.
inline void visited(workload::Checksum& sum, std::uint32_t id, float min_x, float max_y) {
    ++sum.count;
    sum.hash += std::uint64_t{id} * 0x9E3779B97F4A7C15u + detail::bits_as<std::uint32_t>(min_x) +
                (std::uint64_t{detail::bits_as<std::uint32_t>(max_y)} << 32);
}

// For calls that take categories and ask for all.
inline constexpr std::uint32_t every_category = 0xFFFFFFFFu;

class Index {
public:
    Index() = default;
    Index(const Index&) = delete;
    Index& operator=(const Index&) = delete;
    virtual ~Index() = default;

    virtual bool can(Ability) const { return false; }
    // How many threads it really uses.
    virtual unsigned threads() const { return 1; }
    // The instruction set it runs on, where it has a choice.
    virtual const char* instruction_set() const { return ""; }
    virtual About about() const { return {}; }

    // An index that only knows places leaves out these eight calls, from here to `count`.
    // Every agent moved.
    virtual void update(const workload::World&) {}
    // Every overlapping pair, each once.
    virtual void find_pairs() {}
    virtual workload::Checksum pairs() const { return {}; }

    // The same, compared with the frame of the last call.
    virtual void find_changes() { unable(); }
    virtual workload::Checksum changes() const { unable(); }

    // A batch of queries, answered in the caller's order.
    virtual void answer(const std::vector<workload::Rect>&) {}
    virtual workload::Checksum answers() const { return {}; }

    // The same, in whatever order is found first.
    virtual void answer_as_found(const std::vector<workload::Rect>&) { unable(); }
    virtual workload::Checksum answers_as_found() const { unable(); }

    // One query, its ids written out and then counted only. The result is the number of ids.
    virtual std::uint64_t search(const workload::Rect&) { return 0; }
    virtual std::span<const std::uint32_t> searched() const { return {}; }
    virtual std::uint64_t count(const workload::Rect&) { return 0; }

    // A query for each agent, not in the caller's order but in the index's own; the order is made untimed.
    virtual void make_order() { unable(); }
    virtual void answer_in_order(const std::vector<workload::Rect>&) { unable(); }

    // Moves some agents to where the world has them now: first all are staged, then published at once.
    virtual void stage(const workload::World&, std::span<const std::uint32_t>) { unable(); }
    virtual void commit() { unable(); }

    // The same for a world whose agents have categories, and for queries that are about one of them.
    virtual void update_labelled(const workload::World&, std::span<const std::uint32_t>) { unable(); }
    virtual void answer_category(const std::vector<workload::Rect>&, std::uint32_t) { unable(); }
    virtual std::uint64_t search_category(const workload::Rect&, std::uint32_t) { unable(); }

    // The same agents as places without an extent; and of each, in the order of ids: all others within a
    // radius, or each pair once in the list of one of the two; or the nearest, with their distances.
    virtual void update_places(const workload::World&) { unable(); }
    // With a category for each agent, and asked for by a filter that admits all of them.
    virtual void update_labelled_places(const workload::World&, std::span<const std::uint32_t>) { unable(); }
    virtual void find_within(float, bool, std::uint32_t) { unable(); }
    virtual void find_nearest(std::uint32_t, std::uint32_t) { unable(); }
    virtual workload::Checksum within(bool) const { unable(); }
    // The ids that the last search found for one agent, in any order.
    virtual std::span<const std::uint32_t> list_of(std::uint32_t) const { unable(); }
    virtual workload::Checksum nearest() const { unable(); }
    // The same lists with a skin, kept from call to call; returns whether they were made again.
    virtual bool find_kept(float, float) { unable(); }
    // For each agent, how many boxes, its own too, a circle around its centre touches.
    virtual void count_touched(float, const Filter&) { unable(); }
    virtual workload::Checksum touched() const { unable(); }
    // Rays, or boxes of that half size that move; made ready untimed. First hits, those with a filter, and
    // whether there is any.
    virtual void prepare_casts(const std::vector<workload::Ray>&, float) { unable(); }
    virtual void find_first_hits() { unable(); }
    virtual void find_first_hits_filtered(const Filter&) { find_first_hits(); }
    virtual void find_blocked() { unable(); }
    // The same, a call for each cast.
    virtual void find_first_hits_singly() { unable(); }
    virtual void find_blocked_singly() { unable(); }
    virtual std::span<const CastHit> first_hits() const { return {}; }
    virtual std::span<const std::uint8_t> blocked() const { return {}; }
    // Whether the definition of a hit is the engine's, to the last bit.
    virtual bool defines_hits_likewise() const { return true; }

    // A call for each query, or each point, on one thread. Every call leaves its answers in the same memory;
    // where a sum is asked for, which is not timed, they are added to it.
    virtual void search_singly(std::span<const workload::Rect>, workload::Checksum*) { unable(); }
    virtual void find_within_singly(std::span<const Point>, float, workload::Checksum*) { unable(); }
    virtual void find_nearest_singly(std::span<const Point>, std::uint32_t, workload::Checksum*) { unable(); }
    // A call with a visitor of an id and its box for each, which adds them up by `visited`; and with one of
    // ids that writes down the first few and then stops: `searched` has those of all calls.
    virtual workload::Checksum visit_singly(std::span<const workload::Rect>) { unable(); }
    virtual void search_a_few_singly(std::span<const workload::Rect>, std::uint32_t) { unable(); }

    // As `find_within`, in lists by whichever order costs least.
    virtual void find_within_in_rows(float) { unable(); }
    virtual workload::Checksum within_in_rows() const { unable(); }

    // Stages that some agents go; `commit` publishes it.
    virtual void stage_removals(std::span<const std::uint32_t>) { unable(); }
    // Stages as many new agents, where these are.
    virtual void stage_insertions(const workload::World&, std::span<const std::uint32_t>) { unable(); }

    // Every agent moved, and is read where the host has it; or as a point that reaches equally far on all
    // sides.
    virtual void update_structs(std::span<const HostAgent>) { unable(); }
    virtual void update_points(const workload::World&, float) { unable(); }

    // Bytes that it holds, results not included.
    virtual std::size_t bytes() const = 0;

private:
    [[noreturn]] static void unable() { throw std::logic_error("this index cannot do what a task asks for"); }
};

}  // namespace throng::bench
