// A program as a user of the two files writes it: updates, edits, pairs, boxes, circles, neighbours and
// casts, and a small structure. It prints a checksum of each answer, which is the same with the library and
// with the two files, on any instruction set.
//
//     answers [SET]    exit status 3 if this machine or this build has not got the set
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#if __has_include("throng.hpp")
#include "throng.hpp"
#else
#include <throng/structures.hpp>
#include <throng/throng.hpp>
#endif

namespace {

void need(const throng::Status& status, const char* what) {
    if (status) return;
    std::printf("%s: %s\n", what, status.message());
    std::exit(1);
}

float any(float most) {
    static std::uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(state >> 8) / 16777216.0f * most;
}

std::vector<throng::Box> any_boxes(std::size_t count, float side) {
    std::vector<throng::Box> boxes(count);
    for (throng::Box& box : boxes) {
        const float x = any(300), y = any(200);
        // Some are giants, and some lie on a common edge.
        const float width = any(40) < 1 ? 90 : any(side);
        box = {x, y, x + width, any(4) < 1 ? 210 : y + any(side)};
    }
    return boxes;
}

// Fowler, Noll and Vo's hash of the bytes.
template <class T>
void print(const char* what, std::span<const T> all) {
    std::uint64_t hash = 14695981039346656037u;
    const auto* bytes = reinterpret_cast<const unsigned char*>(all.data());
    for (std::size_t i = 0; i < all.size_bytes(); ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
    std::printf("%s: %zu, %016llx\n", what, all.size(), static_cast<unsigned long long>(hash));
}

void ask(const throng::Frame& frame, const std::vector<throng::Box>& queries) {
    throng::PairList pairs;
    throng::OverlapLists hits;
    throng::NeighbourLists lists;
    need(frame.pairs(pairs), "pairs");
    print("pairs", pairs.pairs());
    need(frame.pairs(pairs, {.within = 1.5f}), "near pairs");
    print("near pairs", pairs.pairs());
    need(frame.overlaps(queries, hits), "overlaps");
    print("in boxes", hits.ids());
    std::vector<throng::Shape> circles;
    std::vector<throng::Cast> casts;
    for (const throng::Box& box : queries) {
        circles.push_back(throng::Circle{box.min_x, box.min_y, 5});
        const float dx = any(80) - 40, dy = any(80) - 40;
        casts.push_back(throng::Cast::ray(box.min_x, box.min_y, dx, dy));
    }
    need(frame.overlaps(circles, hits), "overlaps of circles");
    print("in circles", hits.ids());
    need(frame.neighbours({.radius = 4, .distances = true}, lists), "neighbours");
    print("within 4", lists.ids());
    print("their distances", lists.squared_distances());
    need(frame.neighbours(throng::Nearest{.count = 6}, lists), "nearest");
    print("nearest 6", lists.ids());
    std::vector<throng::CastHit> first(casts.size());
    need(frame.first_hits(casts, first), "first hits");
    print("first hits", std::span<const throng::CastHit>(first));
    const std::uint64_t fingerprint[] = {frame.fingerprint(), frame.explain(queries[0]).hits};
    print("fingerprint", std::span<const std::uint64_t>(fingerprint));
}

void ask_a_structure(const std::vector<throng::Box>& boxes) {
    throng::structures::Quadtree tree(throng::structures::Quadtree::recommended(
        {.extents = {0, 0, 400, 400}, .elements = boxes.size(), .largest_size = 90}));
    need(tree.assign(throng::Boxes::of(boxes)), "a quadtree");
    std::uint64_t sum = 0;
    need(tree.for_each_pair([&](throng::Pair pair) { sum += std::uint64_t{pair.a} * pair.b; }), "its pairs");
    print("of a quadtree", std::span<const std::uint64_t>(&sum, 1));
}

}  // namespace

int main(int count, char** arguments) {
    throng::EngineConfig config{.executor = throng::serial_executor()};
    if (count > 1 && (!throng::parse_isa(arguments[1], config.isa) || !throng::is_supported(config.isa)))
        return 3;
    throng::Engine engine(config);
    const std::vector<throng::Box> queries = any_boxes(200, 20);
    for (const std::size_t agents : {3000u, 12u}) {
        std::vector<throng::Box> boxes = any_boxes(agents, 4);
        need(engine.update(throng::Boxes::of(boxes)), "update");
        ask(engine.frame(), queries);
        for (throng::AgentId id = 0; id < agents; id += 7) need(engine.move(id, queries[id % 200]), "move");
        need(engine.commit(), "commit");
        ask(engine.frame(), queries);
        ask_a_structure(boxes);
    }
    return config.isa != throng::Isa::automatic && engine.isa() != config.isa;
}
