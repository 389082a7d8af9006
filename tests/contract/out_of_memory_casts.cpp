// The calls that cast.
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "contract/out_of_memory_calls.hpp"
#include "gtest/gtest.h"
#include "support/casts.hpp"
#include "support/scenes.hpp"
#include "throng/engine.hpp"

namespace throng::test {

namespace {

const std::vector<Cast>& casts() {
    static const std::vector<Cast> some = casts_for(first_scene(), 300);
    return some;
}

void note(World& world, std::span<const CastHit> hits) {
    for (const CastHit& hit : hits)
        world.answer.push_back(std::uint64_t{hit.id} << 32 | std::bit_cast<std::uint32_t>(hit.t));
}

template <class Target>
Status first_hits(World& world, const Target& target) {
    std::vector<CastHit> hits(casts().size());
    const Status status = target.first_hits(casts(), hits);
    world.answer.clear();
    note(world, hits);
    return status;
}

}  // namespace

std::vector<Call> casting_calls() {
    return {
        {"a batch of first hits", populate,
         [](World& world) { return first_hits(world, world.engine.frame()); }},
        {"first hits with a static layer", populate_with_layer,
         [](World& world) { return first_hits(world, world.engine.frame().with_static()); }},
        {"a batch of blocked", populate,
         [](World& world) {
             std::vector<std::uint8_t> blocked(casts().size());
             const Status status = world.engine.frame().blocked(casts(), blocked);
             world.answer.assign(blocked.begin(), blocked.end());
             return status;
         }},
        {"a batch of all hits", populate,
         [](World& world) {
             CastHits hits(&world.memory);
             const Status status = world.engine.frame().all_hits(casts(), hits);
             EXPECT_TRUE(status.ok() || hits.empty()) << "on failure results are empty";
             world.answer.assign(hits.offsets().begin(), hits.offsets().end());
             note(world, hits.hits());
             return status;
         }},
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
