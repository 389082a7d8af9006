// Casts give the bytes that they gave on another machine, on every instruction set. That they give the same
// on every executor is in contract/reading_calls_test.cpp.
#include <cstdio>

#include "support/casts.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Of first hits, and of all hits with their offsets.
std::uint64_t hash_of(const Frame& frame, const std::vector<Cast>& casts) {
    std::vector<CastHit> first(casts.size());
    CastHits all;
    EXPECT_EQ(frame.first_hits(casts, first), Status{});
    EXPECT_EQ(frame.all_hits(casts, all), Status{});
    std::uint64_t h = 0;
    const auto add = [&](std::uint64_t v) { h = (h ^ v) * 0x9FB21C651E98DF25u, h ^= h >> 32; };
    for (const std::span<const CastHit> hits : {std::span<const CastHit>(first), all.hits()})
        for (const CastHit& hit : hits)
            add(std::uint64_t{hit.id} << 32 | detail::bits_as<std::uint32_t>(hit.fraction));
    for (const std::uint64_t offset : all.offsets()) add(offset);
    return h;
}

struct Golden {
    const char* scene;
    std::uint64_t hash;
};
// After a change on purpose: THRONG_PRINT_GOLDEN=1 throng_casts_tests --gtest_filter='*Golden*'
constexpr Golden golden[] = {
    {"uniform", 0x127180dd41de7a39},           {"mixed_sizes", 0x641ebe5317a98fb3},
    {"giants_over_small", 0x7a5bebbc95974ca9}, {"lattice", 0x8b5d42f2fd121c96},
    {"huge_numbers", 0x5017c5d206b277c0},
};

TEST(GoldenCasts, give_the_bytes_that_they_gave_on_another_machine) {
    const bool print = std::getenv("THRONG_PRINT_GOLDEN") != nullptr;
    for (const auto& [name, hash] : golden) {
        const Scene scene = make_scene(name, 1000);
        for (const Isa isa : instruction_sets()) {
            const std::uint64_t got = hash_of(
                engine_with(scene.boxes(), scene.configure({.isa = isa})).frame(), casts_for(scene, 1000));
            if (print)
                std::printf("    {\"%s\", 0x%016llx},\n", name, static_cast<unsigned long long>(got));
            else
                EXPECT_EQ(got, hash) << name << ", " << to_string(isa);
        }
    }
}

}  // namespace
}  // namespace throng::test
