// What stands around the examples in the comments of the public headers: the names that they use.
// Check_header_examples puts the next example of a header in the place of each line `//@ HEADER`, and
// compiles the whole.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "throng/adapters/huge_pages.hpp"
#include "throng/adapters/pmr.hpp"
#include "throng/adapters/vector.hpp"
#include "throng/structures.hpp"
#include "throng/throng.hpp"

namespace host {

// What a game has at hand wherever it asks for something.
extern throng::Engine engine;
extern throng::Frame frame;
extern throng::Status status;
extern const throng::Executor executor;
extern const throng::Box box, world, sight, elsewhere;
extern const std::vector<throng::Box> boxes, wall_boxes, agent_boxes, queries, sights;
extern throng::OverlapLists hits, agents_hit, walls_hit;
extern throng::PairList list;
extern throng::structures::ElementId id;
extern const std::span<const float> x, y, half_x, half_y;
constexpr auto out_of_memory = throng::Code::out_of_memory;

//@ engine/include/throng/memory.hpp

void pmr_example() {
    //@ engine/include/throng/adapters/pmr.hpp
}

void huge_pages_example() {
    //@ engine/include/throng/adapters/huge_pages.hpp
}

void huge_pages_pool_example(std::pmr::memory_resource& upstream) {
    //@ engine/include/throng/adapters/huge_pages.hpp
}

void vector_example() {
    //@ engine/include/throng/adapters/vector.hpp
}

void engine_example() {
    //@ engine/include/throng/engine.hpp
}

void build_info_example() {
    //@ engine/include/throng/version.hpp
}

void update_with_pairs_example(throng::PairList& pairs) {
    //@ engine/include/throng/engine.hpp
}

void update_by_ids_example(const std::vector<throng::AgentId>& slots) {
    //@ engine/include/throng/engine.hpp
}

void handle_example(const throng::AgentHandle& handle) {
    //@ engine/include/throng/engine.hpp
}

void renumber_example(const std::vector<throng::AgentId>& order, const std::vector<float>& agents,
                      std::vector<float>& next) {
    //@ engine/include/throng/engine.hpp
}

void plan_example(throng::Engine& other) {
    //@ engine/include/throng/engine.hpp
}

void reserve_example() {
    //@ engine/include/throng/engine.hpp
}

void frame_example(std::uint32_t player) {
    //@ engine/include/throng/frame.hpp
}

enum class Colour { grey };
void frame_parts_example(void (*draw)(const throng::Box&, Colour)) {
    constexpr Colour grey = Colour::grey;
    //@ engine/include/throng/reports.hpp
}

void visitors_example(std::vector<throng::AgentId>& near, int seen) {
    //@ engine/include/throng/views/visitors.hpp
}

void answer_blocks_example(void (*use)(std::size_t, std::span<const throng::AgentId>)) {
    //@ engine/include/throng/views/visitors.hpp
}

void neighbour_blocks_example(void (*use)(std::size_t, std::span<const throng::AgentId>),
                              const std::vector<throng::Point>& places, throng::NeighbourLists& lists,
                              const std::vector<throng::Cast>& casts, throng::CastHits& touched) {
    const auto visitor = [](std::size_t, const throng::NeighbourLists&) {};
    //@ engine/include/throng/views/visitors.hpp
}

void blocks_one_by_one_example(void (*use)(std::size_t, std::span<const throng::AgentId>),
                               throng::OverlapLists& block) {
    //@ engine/include/throng/views/visitors.hpp
}

void blocks_of_both_example(throng::OverlapLists& walls) {
    //@ engine/include/throng/views/visitors.hpp
}

void shapes_example(float x, float y, throng::Point eye, throng::Point target, std::uint32_t player,
                    const std::vector<throng::Point>& wedge, const std::vector<throng::Circle>& circles) {
    const auto visitor = [](throng::AgentId) {};
    throng::Count count;
    throng::Found found;
    //@ engine/include/throng/queries/shapes.hpp
}

void boxes_or_shapes_example(float x, float y, std::span<std::uint32_t> counts,
                             const std::vector<throng::Circle>& circles) {
    throng::Count count;
    //@ engine/include/throng/queries/shapes.hpp
}

void status_example() {
    //@ engine/include/throng/status.hpp
}

void neighbours_example(throng::AgentId id, const std::vector<throng::Point>& places,
                        std::vector<std::uint32_t>& counts, std::uint32_t player, throng::Point eye,
                        throng::AgentId me) {
    using throng::AgentsAs;
    const auto meet = [](throng::AgentId, throng::AgentId) {};
    const auto greet = [](throng::AgentId) {};
    throng::NeighbourLists lists;
    //@ engine/include/throng/queries/neighbours.hpp
    //@ engine/include/throng/queries/neighbours.hpp
}

void folds_example(throng::NeighbourLists& lists, const throng::PairList& pairs, std::vector<float>& sum_x,
                   std::vector<float>& sum_y, std::vector<float>& mean_x, std::vector<double>& mean_y,
                   std::vector<float>& crowd, std::vector<float>& pull, std::vector<double>& near_mass,
                   const std::vector<float>& weights, const std::vector<double>& mass) {
    struct Agent {
        float vx;
    };
    const std::vector<Agent> agents;
    //@ engine/include/throng/queries/folds.hpp
}

void kept_neighbours_example(throng::AgentId id, bool (*close)(throng::AgentId, throng::AgentId),
                             void (*meet)(throng::AgentId, throng::AgentId)) {
    //@ engine/include/throng/queries/neighbours.hpp
}

void walk(float part_of_the_way);
void casts_example(throng::Point eye, throng::Point target, throng::AgentId me, throng::AgentId other,
                   float dx, float dy, const std::vector<throng::Cast>& casts,
                   std::vector<throng::CastHit>& hits) {
    const auto visitor = [](const throng::CastHit&) {};
    //@ engine/include/throng/queries/casts.hpp
}

void cast_views_example(const std::vector<throng::Point>& eyes, const std::vector<throng::Point>& targets,
                        std::span<const float> dx, std::span<const float> dy, float seconds,
                        const std::vector<throng::Cast>& list, std::vector<throng::CastHit>& hits) {
    using throng::Casts, throng::Filters, throng::Floats, throng::Points, throng::Radii;
    struct Agent {
        float vx, vy, radius, eye_z;
    };
    const std::vector<Agent> agents;
    const throng::Boxes bodies = boxes;
    Casts casts;
    throng::CastHits hits_of_each;
    //@ engine/include/throng/queries/casts.hpp
}

void static_layer_example() {
    //@ engine/include/throng/static_layer.hpp
}

void with_static_example(const throng::Cast& sight, throng::AgentId me,
                         const std::vector<throng::Point>& places, throng::NeighbourLists& agents,
                         throng::NeighbourLists& walls) {
    using throng::AgentsAs;
    //@ engine/include/throng/static_layer.hpp
}

void without_engine_example(const std::vector<throng::Point>& points, std::vector<std::uint32_t>& counts,
                            std::vector<std::uint8_t>& answers, throng::NeighbourLists& lists) {
    //@ engine/include/throng/queries/without_engine.hpp
}

struct Labelled {
    std::uint32_t categories, team;
};
void labels_example(const std::vector<Labelled>& agents, std::span<const std::uint32_t> categories,
                    std::span<const std::uint32_t> teams, std::uint32_t my_team) {
    using Agent = Labelled;
    auto visitor = [](throng::AgentId) {};
    //@ engine/include/throng/labels.hpp
}
void heights_example(std::span<const float> feet, std::span<const float> heads, std::size_t own,
                     const std::vector<throng::Label>& labels, std::span<const throng::AgentId> ids) {
    const auto visitor = [](throng::AgentId) {};
    //@ engine/include/throng/labels.hpp
    //@ engine/include/throng/labels.hpp
}
void left_out_example(std::array<throng::AgentId, 16>& some) {
    //@ engine/include/throng/labels.hpp
}
void pair_query_example(throng::PairList& list) {
    //@ engine/include/throng/queries/pairs.hpp
}
void pairs_of_two_frames_example(throng::PairList& list) {
    //@ engine/include/throng/queries/pairs.hpp
}
void pair_changes_example(void (*touch)(throng::AgentId, throng::AgentId),
                          void (*part)(throng::AgentId, throng::AgentId)) {
    //@ engine/include/throng/queries/pairs.hpp
}

void results_example() {
    using namespace throng;
    //@ engine/include/throng/results.hpp
}
void results_as_found_example(void (*meet)(std::uint32_t, std::span<const throng::AgentId>)) {
    //@ engine/include/throng/results.hpp
}

struct Vec2 {
    float x, y;
};
struct Agent {
    float x, y, half_x, half_y, x0, y0, x1, y1, radius;
    Vec2 place;
};
struct Body {
    double x, y, half_x, half_y;
};
void boxes_example(const std::vector<Agent>& agents, const std::vector<throng::Box>& list,
                   const std::vector<Body>& bodies, const throng::Origin& origin, const Agent* const* pages,
                   const std::vector<Agent*>& pointers, std::span<std::uint32_t> counts, throng::Boxes boxes,
                   float radius, throng::Boxes::Form form, const float* px, const float* py, const float* phx,
                   const float* phy, std::size_t count, std::size_t stride) {
    using namespace throng;
    const std::vector<Point> places;
    Points points;
    NeighbourLists lists;
    //@ engine/include/throng/boxes.hpp
}
void members_example(const std::vector<Agent>& agents, throng::Boxes boxes, float reach) {
    using namespace throng;
    //@ engine/include/throng/views/members.hpp
}

void origin_example(const std::vector<Body>& bodies, float radius, double x, double y) {
    using namespace throng;
    //@ engine/include/throng/geometry.hpp
}
void origin_choice_example(const std::vector<Body>& bodies, float radius, throng::Origin origin) {
    using namespace throng;
    //@ engine/include/throng/boxes.hpp
}

struct MyJobSystem {
    unsigned thread_count();
    template <class Job>
    void run(std::size_t count, Job job) {
        for (std::size_t i = 0; i < count; ++i) job(i);
    }
};
//@ parallel/include/throng/executor.hpp

void cancelled_example() {
    //@ parallel/include/throng/executor.hpp
}

struct NodeRef {};
throng::Code small_list_example(NodeRef root) {
    //@ structures/include/throng/structures/containers/small_list.hpp
    return throng::Code::ok;
}

struct Node {
    std::uint32_t next;
};
void free_list_example() {
    //@ structures/include/throng/structures/containers/free_list.hpp
}

void spatial_index_example() {
    using namespace throng;
    using structures::ElementId;
    using Index = structures::LooseQuadtree;
    //@ structures/include/throng/structures/spatial_index.hpp
}

// A structure of the library's own, as its base sees it.
namespace structure {
using throng::Box, throng::structures::ElementId, throng::Status;
namespace detail = throng::structures::detail;
class Index : public throng::structures::Queries<Index> {
public:
    //@ structures/include/throng/structures/queries.hpp
};
void ask(Index& index) {
    status = index.for_each_overlap(box, [](ElementId) {});
    status = index.for_each_pair([](throng::Pair) {});
    index.for_each_element([](ElementId) {});
    index.for_each_part([](const throng::structures::Part&) {});
}
}  // namespace structure

throng::Box sight_of(throng::structures::ElementId element);
throng::Code leaf_order_example(const throng::structures::Quadtree& index) {
    auto sight = sight_of;
    //@ structures/include/throng/structures/leaf_order.hpp
    return throng::Code::ok;
}

void grid_hierarchy_example() {
    //@ structures/include/throng/structures/grid_hierarchy.hpp
}

void loose_grid_example() {
    //@ structures/include/throng/structures/loose_grid.hpp
}

void loose_quadtree_example() {
    //@ structures/include/throng/structures/loose_quadtree.hpp
}

void quadtree_example() {
    //@ structures/include/throng/structures/quadtree.hpp
}

void row_grid_example() {
    auto visitor = [](std::span<const throng::Pair>, std::size_t) {};
    //@ structures/include/throng/structures/row_grid.hpp
}

void static_index_example() {
    //@ structures/include/throng/structures/static_index.hpp
}

void point_tree_example(const std::vector<throng::structures::DoublePoint>& places,
                        const std::vector<throng::structures::DoublePoint>& riders,
                        std::span<double> distances, std::span<std::int64_t> ids,
                        throng::structures::PointLists& lists, throng::structures::PointPairs& pairs) {
    //@ structures/include/throng/structures/point_tree.hpp
}

void point_places_example(const std::vector<throng::structures::DoublePoint>& stations,
                          const std::vector<throng::structures::DoublePoint>& riders,
                          std::vector<throng::Point>& floats, std::vector<std::uint8_t>& outside,
                          throng::NeighbourLists& candidates, std::span<double> distances,
                          std::span<std::int64_t> ids, std::vector<std::uint8_t>& open) {
    //@ structures/include/throng/structures/point_places.hpp
}

struct Thing {
    throng::Box bounds;
    void draw();
};
void collide(Thing& a, Thing& b);
void object_quadtree_example(Thing* lamp, const throng::Box& screen) {
    //@ structures/include/throng/structures/object_quadtree.hpp
}

}  // namespace host
