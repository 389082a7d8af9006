// Casts under every rounding mode. Their times are rounded as the caller's thread rounds, so brute force runs
// under the same mode. But no agent is lost, under whatever mode the frame was made. And no cast divides by
// zero.
#include <cfenv>

#include "harness/agreement.hpp"
#include "support/casts.hpp"
#include "support/rounding.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

void expect_no_agent_lost(const char* name) {
    const Scene scene = make_scene(name, scaled(1000, 400));
    std::vector<Cast> casts = casts_for(scene, scaled(600, 150));
    // Where distances overflow to the largest float, these hit what is further away.
    std::erase_if(casts, [](const Cast& c) { return std::abs(c.dx) > 1.7e38f || std::abs(c.dy) > 1.7e38f; });
    const auto all_casts = std::make_shared<Asked>();
    all_casts->cast(casts);
    all_casts->one_in = 7;
    oracle::BruteForce twin = twin_with(scene.boxes());
    for (const int asked : rounding_modes) {
        const Expectation expected = [&] {
            const Rounding rounding(asked);
            return Expectation(twin.frame(), all_casts, {"casts"});
        }();
        for (const Isa isa : instruction_sets())
            for (const int made : rounding_modes) {
                Engine engine(scene.configure({.executor = serial_executor(), .isa = isa}));
                {
                    const Rounding rounding(made);
                    ASSERT_EQ(engine.update(scene.boxes()), Status{});
                }
                const Rounding rounding(asked);
                EXPECT_TRUE(expected.met_by(engine.frame()))
                    << name << ", " << to_string(isa) << ", made " << made << ", asked " << asked;
            }
    }
}

TEST(RoundedCasts, lose_no_agent) {
    for (const char* name : {"inexact_cell_edges", "lattice", "huge_numbers", "mixed_sizes", "any_numbers"})
        expect_no_agent_lost(name);
}

#if defined(__GLIBC__) && defined(__x86_64__)
TEST(RoundedCasts, divide_by_nothing_that_is_zero) {
    const Scene scene = make_scene("mixed_sizes", 500);
    std::vector<Cast> casts = casts_for(scene, 400);
    for (std::size_t i = 0; i < casts.size(); ++i) (i % 2 == 0 ? casts[i].dx : casts[i].dy) = 0;
    for (const Isa isa : instruction_sets()) {
        Engine engine = engine_with(scene.boxes(), {.executor = serial_executor(), .isa = isa});
        std::vector<CastHit> hits(casts.size());
        ASSERT_EQ(std::feclearexcept(FE_ALL_EXCEPT), 0);
        ASSERT_EQ(engine.frame().first_hits(casts, hits), Status{});
        for (const Cast& cast : casts) ASSERT_EQ(engine.frame().first_hit(cast).status, Status{});
        EXPECT_EQ(std::fetestexcept(FE_DIVBYZERO), 0) << to_string(isa);
    }
}
#endif

}  // namespace
}  // namespace throng::test
