// The work spaces of calls and their parallel blocks: plain buffers, each kind in a pool (see pool.hpp). And
// what lies beside a frame: tables of its agents, and the frames of their shapes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

#include "base/blocks.hpp"
#include "base/kernels.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/memory/pool.hpp"
#include "engine/src/memory/traits.hpp"
#include "parallel/in_turn.hpp"
#include "simd/box_tree.hpp"
#include "simd/query_kernels.hpp"
#include "simd/types.hpp"
#include "throng/engine.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/results.hpp"

namespace throng::detail {

// A call whose type has to be deduced from other arguments.
template <class Signature>
using CallIn = std::type_identity_t<parallel::Call<Signature>>;

// Runs blocks, each with a work space: use(block, space) returns false if there is no memory, and then the
// others soon end.
template <class Space>
Status with_spaces(Pool<Space>& pool, const Executor& executor, std::size_t blocks,
                   CallIn<bool(std::size_t, Space&)> use) noexcept {
    std::atomic<bool> out_of_memory{false};
    const parallel::Ran ran = parallel::for_blocks(executor, blocks, [&](std::size_t b) {
        if (out_of_memory.load(std::memory_order_relaxed)) return;
        const Lease<Space> space(pool);
        if (!space || !use(b, *space)) out_of_memory.store(true, std::memory_order_relaxed);
    });
    return outcome(ran, out_of_memory);
}
// The same with spaces for which ready(space) is true. As many of them as may run at once are made before.
template <class Space>
Status with_spaces(Pool<Space>& pool, const Executor& executor, std::size_t blocks, std::size_t at_once,
                   CallIn<bool(Space&)> ready, CallIn<bool(std::size_t, Space&)> use) noexcept {
    if (!pool.prepare(at_once, ready)) return {Code::out_of_memory};
    return with_spaces(pool, executor, blocks,
                       [&](std::size_t b, Space& space) { return ready(space) && use(b, space); });
}

// For sorting the records of a row.
struct SortSpace : WorkSpace<SortSpace> {
    using WorkSpace::WorkSpace;
    Buffer<std::byte> bytes{host};
};

// For the pairs of some rows: the agents that reach into later rows, scratch for sorting overfull cells, and
// the results.
struct PairSpace : WorkSpace<PairSpace> {
    using WorkSpace::WorkSpace;
    Buffer<std::uint32_t> edge{host};
    Buffer<std::byte> sweep{host};
    Buffer<Pair> pairs{host};
};

// The spaces taken by the blocks of one search for pairs.
struct PairTable : WorkSpace<PairTable> {
    using WorkSpace::WorkSpace;
    Buffer<PairSpace*> spaces{host};
    Buffer<parallel::Piece> pieces{host};
    PartRoom pair_room;
};

// For a batch of queries: a copy of the queries if the host's layout does not suit the kernels, and scratch
// for sorting them into packets.
struct BatchSpace : WorkSpace<BatchSpace> {
    using WorkSpace::WorkSpace;
    Buffer<simd::Query> queries{host};  // boxes, or the bounds of shapes
    Buffer<Band> heights{host};         // of agents that look at their own heights
    Buffer<simd::ShapeQuery> shapes{host};
    Buffer<simd::PolygonEdge> edges{host};
    Buffer<std::uint16_t> row_of{host};
    Buffer<std::uint32_t> counts{host};
    Buffer<std::uint32_t> starts{host};
    Buffer<simd::Record> records{host};
    Buffer<simd::Record*> cursors{host};
    Buffer<std::uint32_t> answers{host};       // of another frame, to the same queries
    Buffer<float> far_enough{host};            // around each site
    Buffer<parallel::Piece> pieces{host};      // of a result in the order of the search
    Buffer<struct AnswerSpace*> blocks{host};  // the spaces of the running blocks
    Buffer<struct AnswerSpace*> adding{host};  // and of those that add to lists of neighbours
};

// For the answers of one block of a batch.
struct AnswerSpace : WorkSpace<AnswerSpace> {
    static constexpr std::size_t max_streams = 64;

    // The offset and the number of a query's answers.
    struct Spot {
        const AgentId* ids;
        std::uint64_t count;
    };
    explicit AnswerSpace(MemoryResource* memory) noexcept : WorkSpace(memory) {
        for (Buffer<AgentId>& stream : streams) stream = Buffer<AgentId>(memory);
        for (Buffer<float>& stream : distances) stream = Buffer<float>(memory);
    }
    Buffer<simd::Record> records{host};
    Buffer<std::uint8_t> group_of{host};
    Buffer<std::uint64_t> ends{host};
    Buffer<Spot> spots{host};
    // For lists of neighbours: their places in the streams, their distances, and how many are added from
    // other streams. Apart, since only the first are always needed, and fit into the cache beside streams.
    Buffer<const AgentId*> lists{host};
    Buffer<const float*> list_distances{host};
    Buffer<std::uint32_t> added{host};
    Buffer<AgentId> streams[max_streams];
    Buffer<float> distances[max_streams];  // of neighbours, each at the spot of its id
    PartRoom stream_room;                  // for lists of neighbours
    Buffer<AgentId> dropped{host};         // lists of ghosts, and their distances
    Buffer<float> dropped_distances{host};
};

// A cast of a batch among the casts of its part of the world: its number and its bin, and then its spot in
// the order of the search.
struct CastEntry {
    std::uint32_t number, spot;
};
// For a batch of casts: their order, and answers in this order or the hits of one of its blocks.
struct CastSpace : WorkSpace<CastSpace> {
    using WorkSpace::WorkSpace;
    Buffer<Cast> casts{host};          // a copy, if they do not lie in one array
    Buffer<std::uint32_t> bins{host};  // of each cast, and then which is its entry
    Buffer<CastEntry> entries{host};
    Buffer<std::uint32_t> counts{host};
    Buffer<std::uint32_t> starts{host};
    Buffer<std::uint32_t> order{host};
    Buffer<parallel::Piece> pieces{host};
    Buffer<CastHit> hits{host};
    Buffer<std::uint8_t> found{host};
    Buffer<Box> boxes{host};  // of the hits, if wanted
    PartRoom hit_room;
    Buffer<CastHit>& answers(const CastHit*) noexcept { return hits; }
    Buffer<std::uint8_t>& answers(const std::uint8_t*) noexcept { return found; }
    Buffer<CastSpace*> blocks{host};  // the spaces of the blocks
};

// --- In a world that wraps around (engine/src/torus) ------------------------------------------------------

// A moved shape. A polygon then has corners of its own.
struct MovedShape {
    Shape shape = Point{};
    std::uint32_t corners = 0;
    Unwritten<Point, ConvexPolygon::max_corners> corner;

    operator Shape() const noexcept {  // NOLINT(google-explicit-constructor): a batch reads it so
        if (corners == 0) return shape;
        ConvexPolygon polygon(std::span(corner.data(), corners));
        polygon.was_convex_ = true;
        return polygon;
    }
    static bool was_convex(const ConvexPolygon& polygon) noexcept { return polygon.was_convex_; }
};

// A place whose circle reaches over a seam, and the number of its list. Bit 3 * l + k + 4 says whether it has
// the image that is moved by k and l periods.
struct ImagedPlace {
    Point at;
    float radius;
    std::uint32_t owner, moves;
};

// An id in a list, in a table of those: the list has it as its number `at`.
struct ListedId {
    std::uint32_t list = 0;
    AgentId id = 0;
    std::size_t at = 0;
};

struct TorusSpace : WorkSpace<TorusSpace> {
    explicit TorusSpace(MemoryResource* memory) noexcept;
    ~TorusSpace();
    // Casts if some had to be folded, which may touch a seam, and their images.
    Buffer<Cast> folded_casts{host}, cast_images{host};
    Buffer<std::uint32_t> casts_near_seams{host};
    // Images of boxes or of the bounds of shapes, the shapes, and which queries may find an agent twice.
    Buffer<Box> boxes{host};
    Buffer<simd::ShapeQuery> shapes{host};
    Buffer<simd::PolygonEdge> edges{host};
    Buffer<std::uint32_t> repeating{host};
    // For each image: its query, its radius, and its filter.
    Buffer<std::uint32_t> owners{host};
    Buffer<ImagedPlace> imaged{host};
    Buffer<float> radii{host};
    Buffer<Filter> filters{host};
    Buffer<std::uint32_t> places{host};  // in which list the answers of each query are
    Buffer<std::uint32_t> counts{host};
    Buffer<std::uint8_t> found{host};
    // The answers of images.
    Buffer<std::uint64_t> more_offsets{host};
    Buffer<AgentId> more_ids{host};
    OverlapLists hits{host};
    NeighbourLists lists{host};
    Buffer<CastHit> cast_hits{host};
    // Which images add to which lists, and the ids in one of these (added_lists.hpp).
    Buffer<std::uint64_t> keys{host};
    Buffer<ListedId> listed{host};
    // Ids that were found before, ascending.
    Buffer<AgentId> seen{host};
    Buffer<Pair> pairs{host};
    NeighbourLists made{host};  // lists; a call gives a part of them
    Buffer<std::uint64_t> made_offsets{host};
    Buffer<AgentId> made_ids{host};
    Buffer<std::uint32_t>& answers(const std::uint32_t*) noexcept { return counts; }
    Buffer<std::uint8_t>& answers(const std::uint8_t*) noexcept { return found; }
};

// --- Beside a frame, until it is dropped ------------------------------------------------------------------

// The boxes and traits of a frame's agents by id, and its piles and crowded cells (simd/types.hpp). Each of
// the three is made when a call first needs it (engine/src/frame/lookup). The table goes back to its pool
// when the frame is dropped.
//
//     pages     [ 0 ]  [ none ]  [ 1 ] ...      64 ids each
//     boxes     the boxes of page 0, of page 1 ...
//
// A world that was once large may have a few agents with large ids left; a page that no agent needs takes
// four bytes.
struct AgentTable : WorkSpace<AgentTable> {
    static constexpr std::size_t ids_in_a_page = 64;
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

    using WorkSpace::WorkSpace;

    // The place of an id's box, if there is a page for it.
    std::size_t slot(AgentId id) const noexcept {
        const std::size_t page = id / ids_in_a_page;
        if (page >= pages.size() || pages[page] == none) return nowhere;
        return pages[page] * ids_in_a_page + id % ids_in_a_page;
    }
    // `no_box` for an unused id.
    const Box& box(AgentId id) const noexcept {
        const std::size_t at = slot(id);
        return at == nowhere ? no_box : boxes[at];
    }
    // The default ones for an unused id.
    Traits traits_of(AgentId id) const noexcept {
        const std::size_t at = slot(id);
        return at == nowhere || traits.size() == 0 ? Traits{} : traits[at];
    }

    Buffer<std::uint32_t> pages{host};
    Buffer<Box> boxes{host};
    Buffer<Traits> traits{host};                    // none in a frame without labels
    Buffer<simd::Pile> piles{host};                 // by address
    Buffer<simd::CrowdedCell> crowded_cells{host};  // by address
    Buffer<float> chunk_bounds{host};
    std::atomic<bool> has_boxes{false}, has_piles{false}, has_crowded_cells{false};
};

// Tells rounding modes apart by their effect: a host may have set only that of the vector unit.
inline int rounding_mode() noexcept {
    const volatile float tiny = 0x1p-30f;
    return (1.0f + tiny != 1.0f) + 2 * (1.0f - tiny != 1.0f) + 4 * (-1.0f - tiny != -1.0f);
}

inline bool rounds_to_nearest() noexcept { return rounding_mode() == 0; }

// The centres of a frame's agents by id, if all ids are in use. An update makes it on its way if a reader
// wanted such a table lately (Store::want_centres), since it reads the boxes in that order anyway. It goes
// back to its pool when the frame is dropped.
struct CentreTable : WorkSpace<CentreTable> {
    using WorkSpace::WorkSpace;
    Buffer<Point> points{host};
    int rounding = 0;  // under which they were rounded
};

// A second frame of a frame's agents, where each agent is the point at its centre, or the square around the
// circle in its box. It comes from an engine of its own, whose plan is made for these shapes, however large
// the agents' boxes are. With that engine it goes back to its pool when the frame is dropped
// (engine/src/neighbours/shape_frames.hpp).
struct ShapeFrame : WorkSpace<ShapeFrame> {
    using WorkSpace::WorkSpace;
    const FrameState& state() const noexcept { return *frame.state_; }
    // As many lists as the original frame has, which may have had larger ids; its ghosts, in its memory; and
    // its periods, with the sizes of the shapes.
    void follow(const FrameState& of) const noexcept;

    std::optional<Engine> engine;  // none before the first frame
    Frame frame;
    Buffer<std::uint32_t> rank{host};  // by id: the agent's place in the order of answers
    Buffer<AgentId> by_rank{host};     // the agents in that order
    Buffer<Box> shapes{host};          // by id, for the update
    Buffer<AgentId> ids{host};         // the ids in use, if not all are
    Buffer<Traits> traits{host};
};

// --- The pools --------------------------------------------------------------------------------------------

// All pools of a store.
struct Spaces {
    explicit Spaces(MemoryResource& from) noexcept : memory(from) {}

    MemoryResource& memory;
    Pool<SortSpace> sort{memory};
    Pool<PairSpace> pairs{memory};
    std::atomic<std::size_t> sweep_bytes{0};  // the most that any of these needed for a sweep
    Pool<PairTable> pair_tables{memory};
    Pool<BatchSpace> batches{memory};
    Pool<AnswerSpace> answers{memory};
    Pool<CastSpace> casts{memory};
    Pool<TorusSpace> torus{memory};
    Pool<AgentTable> agent_tables{memory};
    Pool<CentreTable> centre_tables{memory};
    Pool<ShapeFrame> shape_frames{memory};

    template <class Visit>
    void for_each_pool(Visit&& visit) noexcept {
        const auto each = [&](auto&... pools) { (visit(pools), ...); };
        each(sort, pairs, pair_tables, batches, answers, casts, torus, agent_tables, centre_tables,
             shape_frames);
    }
    // Gives back what is in the pools.
    void release() noexcept {
        for_each_pool([](auto& pool) { pool.release(); });
        sweep_bytes.store(0, std::memory_order_relaxed);
    }
};

}  // namespace throng::detail
