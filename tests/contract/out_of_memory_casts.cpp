// The calls that cast.
#include <bit>

#include "contract/out_of_memory_calls.hpp"
#include "support/casts.hpp"
#include "support/test.hpp"

namespace throng::test {

namespace {

const std::vector<Cast>& casts() {
    static const std::vector<Cast> some = casts_for(first_scene(), 300);
    return some;
}

void note(World& world, std::span<const CastHit> hits) {
    for (const CastHit& hit : hits)
        world.answer.push_back(std::uint64_t{hit.id} << 32 | std::bit_cast<std::uint32_t>(hit.fraction));
}

// The same boxes and movements, as arrays of the host's.
Casts boxes_that_move() {
    static const std::vector<Box> boxes = [] {
        std::vector<Box> some;
        for (const Cast& cast : casts()) some.push_back(cast.start);
        return some;
    }();
    const Cast* const first = casts().data();
    return Casts::boxes(boxes, Points::arrays(&first->dx, &first->dy, boxes.size(), sizeof(Cast)));
}

template <class Target>
Status first_hits(World& world, const Target& target, const Casts& some = casts()) {
    std::vector<CastHit> hits(some.size());
    const Status status = target.first_hits(some, hits);
    world.answer.clear();
    note(world, hits);
    return status;
}

template <class Target>
Status all_hits(World& world, const Target& target, const Casts& some) {
    CastHits hits(&world.memory);
    const Status status = target.all_hits(some, hits);
    EXPECT_TRUE(status.ok() || hits.empty()) << "on failure results are empty";
    world.answer.assign(hits.offsets().begin(), hits.offsets().end());
    note(world, hits.hits());
    return status;
}

}  // namespace

std::vector<Call> casting_calls() {
    return {
        {"a batch of first hits", populate,
         [](World& world) { return first_hits(world, world.engine.frame()); }},
        {"first hits with a static layer", populate_with_layer,
         [](World& world) { return first_hits(world, world.engine.frame().with_static()); }},
        {"first hits of casts in the host's arrays", populate,
         [](World& world) { return first_hits(world, world.engine.frame(), boxes_that_move()); }},
        {"a batch of all hits with a static layer", populate_with_layer,
         [](World& world) { return all_hits(world, world.engine.frame().with_static(), casts()); }},
        {"all hits of casts in the host's arrays", populate,
         [](World& world) { return all_hits(world, world.engine.frame(), boxes_that_move()); }},
        {"all hits of one cast with a static layer", populate_with_layer,
         [](World& world) {
             const Frame frame = world.engine.frame();
             world.answer.clear();
             return frame.with_static().for_each_hit(
                 Cast::box({0, 0, 100, 100}, 300, 300),
                 [&](std::span<const CastHit> hits) { note(world, hits); });
         }},
        {"all hits of one cast with their boxes", populate_with_layer,
         [](World& world) {
             world.answer.clear();
             return world.engine.frame().with_static().for_each_hit(
                 Cast::box({0, 0, 100, 100}, 300, 300), [&](const CastHit& hit, const Box& box) {
                     note(world, std::span(&hit, 1));
                     world.answer.push_back(std::bit_cast<std::uint32_t>(box.min_x));
                 });
         }},
        {"all hits in blocks", populate_with_layer,
         [](World& world) {
             CastHits block(&world.memory);
             world.answer.clear();
             const Status status = world.engine.frame().with_static().for_each_answer(
                 casts(), block, [&](std::size_t, const CastHits& some) { note(world, some.hits()); },
                 {.max_bytes = 3000});
             EXPECT_TRUE(status.ok() || block.empty()) << "on failure results are empty";
             return status;
         }},
        {"a batch of blocked", populate,
         [](World& world) {
             std::vector<std::uint8_t> blocked(casts().size());
             const Status status = world.engine.frame().blocked(casts(), blocked);
             world.answer.assign(blocked.begin(), blocked.end());
             return status;
         }},
        {"a batch of all hits", populate,
         [](World& world) { return all_hits(world, world.engine.frame(), casts()); }},
        {"all hits of one cast", populate,
         [](World& world) {
             const Frame frame = world.engine.frame();
             world.answer.clear();
             return frame.for_each_hit(Cast::box({0, 0, 100, 100}, 300, 300),
                                       [&](std::span<const CastHit> hits) { note(world, hits); });
         }},
    };
}

}  // namespace throng::test
