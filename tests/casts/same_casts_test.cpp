// Casts give the same bytes for any number of workers, any executor and any instruction set, and those that they
// gave on another machine.
#include <bit>
#include <cstdio>

#include "support/casts.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

struct Answers {
    std::vector<CastHit> first, all;
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint8_t> blocked;
    friend bool operator==(const Answers&, const Answers&) = default;

    std::uint64_t hash() const {
        std::uint64_t h = 0;
        const auto add = [&](std::uint64_t v) { h = (h ^ v) * 0x9FB21C651E98DF25u, h ^= h >> 32; };
        for (const std::vector<CastHit>* hits : {&first, &all})
            for (const CastHit& hit : *hits)
                add(std::uint64_t{hit.id} << 32 | std::bit_cast<std::uint32_t>(hit.fraction));
        for (const std::uint64_t offset : offsets) add(offset);
        return h;
    }
};

Answers ask(const Frame& frame, const std::vector<Cast>& casts) {
    Answers answers{std::vector<CastHit>(casts.size()), {}, {}, std::vector<std::uint8_t>(casts.size())};
    CastHits all;
    EXPECT_EQ(frame.first_hits(casts, answers.first), Status{});
    EXPECT_EQ(frame.blocked(casts, answers.blocked), Status{});
    EXPECT_EQ(frame.all_hits(casts, all), Status{});
    answers.all.assign(all.hits().begin(), all.hits().end());
    answers.offsets.assign(all.offsets().begin(), all.offsets().end());
    return answers;
}

TEST(SameCasts, give_the_same_bytes_on_every_executor_and_instruction_set) {
    const auto places = all_workplaces({1, 3, 33});
    for (const char* name : {"mixed_sizes", "villages"}) {
        const Scene scene = make_scene(name, 2000);
        const std::vector<Cast> casts = casts_for(scene, scaled(2000, 500));
        Engine reference(scene.configure({.executor = serial_executor()}));
        ASSERT_EQ(reference.update(scene.boxes()), Status{});
        const Answers expected = ask(reference.frame(), casts);
        for (const Isa isa : instruction_sets()) {
            Engine engine(scene.configure({.executor = serial_executor(), .isa = isa}));
            ASSERT_EQ(engine.update(scene.boxes()), Status{});
            for (const auto& place : places)
                place->run([&] {
                    EXPECT_TRUE(ask(engine.frame().on(place->executor()), casts) == expected)
                        << name << ", " << place->name() << ", " << to_string(isa);
                });
        }
    }
}

// One cast at a time gives what the batch does, whatever its order.
TEST(SameCasts, do_not_depend_on_the_batch_that_they_are_in) {
    const Scene scene = make_scene("mixed_sizes", 3000);
    const std::vector<Cast> casts = casts_for(scene, 1000);
    Engine engine;
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    const Answers together = ask(engine.frame(), casts);
    for (std::size_t i = 0; i < casts.size(); ++i)
        ASSERT_EQ(engine.frame().first_hit(casts[i]).hit, together.first[i]) << i;
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
            Engine engine(scene.configure({.isa = isa}));
            ASSERT_EQ(engine.update(scene.boxes()), Status{});
            const std::uint64_t got = ask(engine.frame(), casts_for(scene, 1000)).hash();
            if (print)
                std::printf("    {\"%s\", 0x%016llx},\n", name, static_cast<unsigned long long>(got));
            else
                EXPECT_EQ(got, hash) << name << ", " << to_string(isa);
        }
    }
}

}  // namespace
}  // namespace throng::test
