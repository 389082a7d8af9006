// Answers against the committed values, so that machines that cannot share a process can be compared.
#include <cstdio>

#include "determinism/golden_values.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

struct Hash {
    std::uint64_t in_order = 0, whatever_order = 0;
    void add(std::uint64_t high, std::uint64_t low) {
        in_order = mixed(in_order * 3 + (high << 32 | low) + 1);
        if (high > low && unordered) std::swap(high, low);
        whatever_order += mixed((high << 32 | low) + 1);
    }
    // The two numbers may stand either way round.
    bool unordered = false;
};

// Three frames: two bulk updates and one commit between them.
GoldenValues measure(const SceneRecipe& recipe, Isa isa) {
    Scene scene(recipe, 1000, 11);
    Engine engine(scene.configure({.isa = isa}));
    Hash hits, fingerprints, pairs{.unordered = true};
    for (int frame = 0; frame < 3; ++frame, scene.step()) {
        if (frame == 1) {
            for (std::size_t i = 0; i < scene.agents().size(); i += 5)
                EXPECT_EQ(engine.move(static_cast<AgentId>(i), scene.agents()[i]), Status{});
            EXPECT_EQ(engine.commit(), Status{});
        } else {
            EXPECT_EQ(engine.update(scene.boxes()), Status{});
        }
        const Answers answers = ask(engine.frame(), scene.queries(200, 3));
        for (std::size_t query = 0; query + 1 < answers.offsets.size(); ++query)
            for (std::uint64_t i = answers.offsets[query]; i < answers.offsets[query + 1]; ++i)
                hits.add(query, answers.ids[static_cast<std::size_t>(i)]);
        for (const Pair& pair : answers.pairs) pairs.add(pair.a, pair.b);
        fingerprints.add(answers.fingerprint >> 32, answers.fingerprint & 0xFFFFFFFFu);
    }
    return {recipe.name,   hits.whatever_order, pairs.whatever_order,
            hits.in_order, pairs.in_order,      fingerprints.in_order};
}

void print(const GoldenValues& values) {
    const auto hex = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    std::printf("{\"%s\", 0x%016llx, 0x%016llx,\n 0x%016llx, 0x%016llx, 0x%016llx},\n", values.scene,
                hex(values.hit_sum), hex(values.pair_sum), hex(values.hits), hex(values.pairs),
                hex(values.fingerprint));
}

class Golden : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(Golden, answers_are_those_of_every_machine) {
    if (std::getenv("THRONG_PRINT_GOLDEN") != nullptr) return print(measure(GetParam(), Isa::automatic));
    const auto found = std::find_if(
        std::begin(golden_values), std::end(golden_values),
        [](const GoldenValues& values) { return std::string_view(values.scene) == GetParam().name; });
    ASSERT_NE(found, std::end(golden_values)) << "no values for " << GetParam().name;
    for (const Isa isa : instruction_sets()) {
        const GoldenValues measured = measure(GetParam(), isa);
        EXPECT_EQ(measured.hit_sum, found->hit_sum) << to_string(isa);
        EXPECT_EQ(measured.pair_sum, found->pair_sum) << to_string(isa);
        EXPECT_EQ(measured.hits, found->hits) << to_string(isa);
        EXPECT_EQ(measured.pairs, found->pairs) << to_string(isa);
        EXPECT_EQ(measured.fingerprint, found->fingerprint) << to_string(isa);
    }
}

INSTANTIATE_TEST_SUITE_P(every, Golden, every_scene(), scene_name);

}  // namespace
}  // namespace throng::test
