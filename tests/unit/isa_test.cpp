#include <optional>

#include "support/environment.hpp"
#include "support/test.hpp"

namespace throng {
namespace {

constexpr Isa named[] = {Isa::sse2,   Isa::avx2,    Isa::avx512, Isa::avx512vbmi2,
                         Isa::neon64, Isa::wasm128, Isa::wasm32};

// Sets THRONG_ISA, or unsets it, for as long as it lives.
class Environment {
public:
    explicit Environment(const char* value) {
        if (const char* before = std::getenv("THRONG_ISA")) before_ = before;
        test::set_environment("THRONG_ISA", value);
    }
    ~Environment() { test::set_environment("THRONG_ISA", before_ ? before_->c_str() : nullptr); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    std::optional<std::string> before_;
};

// One that no machine has which can run this test.
Isa foreign_isa() { return is_supported(Isa::neon64) ? Isa::avx2 : Isa::neon64; }

TEST(Isa, is_found_by_its_own_name) {
    for (const Isa isa : {Isa::automatic, Isa::sse2, Isa::avx2, Isa::avx512, Isa::avx512vbmi2, Isa::neon64,
                          Isa::wasm128, Isa::wasm32}) {
        Isa found = isa == Isa::sse2 ? Isa::avx2 : Isa::sse2;
        ASSERT_TRUE(parse_isa(to_string(isa), found)) << to_string(isa);
        EXPECT_EQ(found, isa);
    }
}

TEST(Isa, has_the_names_that_the_manual_promises) {
    EXPECT_STREQ(to_string(Isa::automatic), "automatic");
    EXPECT_STREQ(to_string(Isa::sse2), "sse2");
    EXPECT_STREQ(to_string(Isa::avx2), "avx2");
    EXPECT_STREQ(to_string(Isa::avx512), "avx512");
    EXPECT_STREQ(to_string(Isa::avx512vbmi2), "avx512vbmi2");
    EXPECT_STREQ(to_string(Isa::neon64), "neon64");
    EXPECT_STREQ(to_string(Isa::wasm128), "wasm128");
    EXPECT_STREQ(to_string(Isa::wasm32), "wasm32");
    EXPECT_NE(to_string(static_cast<Isa>(200)), nullptr);
}

TEST(Isa, is_not_found_by_another_name) {
    for (const char* text : {"", "sse", "sse22", "avx", "avx5122", " avx2", "avx2 ", "neon", "auto", "x"}) {
        Isa isa = Isa::avx2;
        EXPECT_FALSE(parse_isa(text, isa)) << text;
        EXPECT_EQ(isa, Isa::avx2) << text;
    }
}

TEST(Isa, that_this_machine_runs_is_among_those_of_its_kind) {
    EXPECT_TRUE(is_supported(Isa::automatic));
    EXPECT_FALSE(is_supported(static_cast<Isa>(200)));
    // A build has the kernels that THRONG_ISAS names, and no others.
    const auto expect = [info = build_info()](Isa isa, bool runs) {
        EXPECT_EQ(is_supported(isa), runs && info.carries(isa)) << to_string(isa);
    };
#if defined(__x86_64__)
    expect(Isa::sse2, true);
    expect(Isa::avx2, __builtin_cpu_supports("avx2"));
    expect(Isa::avx512, __builtin_cpu_supports("avx512vl"));
    expect(Isa::avx512vbmi2, __builtin_cpu_supports("avx512vbmi2"));
    EXPECT_FALSE(is_supported(Isa::neon64));
    EXPECT_FALSE(is_supported(Isa::wasm128));
#elif defined(__aarch64__)
    expect(Isa::neon64, true);
    EXPECT_FALSE(is_supported(Isa::sse2));
#elif defined(__wasm__)
    expect(Isa::wasm128, true);
    expect(Isa::wasm32, true);
    EXPECT_FALSE(is_supported(Isa::sse2));
#endif
}

TEST(Isa, best_of_all_is_supported_and_none_is_better) {
    const Isa best = best_isa();
    EXPECT_NE(best, Isa::automatic);
    EXPECT_TRUE(is_supported(best));
    if (best == Isa::neon64) return;
    for (const Isa isa : test::instruction_sets()) EXPECT_LE(isa, best);
}

TEST(Engine, takes_each_supported_instruction_set_by_name) {
    const Environment none(nullptr);
    ASSERT_FALSE(test::instruction_sets().empty());
    for (const Isa isa : test::instruction_sets()) {
        const Engine engine({.isa = isa});
        EXPECT_EQ(engine.status(), Status{});
        EXPECT_EQ(engine.isa(), isa);
    }
}

TEST(Engine, takes_the_best_instruction_set_if_none_was_chosen) {
    const Environment none(nullptr);
    EXPECT_EQ(Engine().isa(), best_isa());
}

TEST(Engine, refuses_an_instruction_set_that_cannot_run_here) {
    const Environment none(nullptr);
    for (const Isa isa : named) {
        const Engine engine({.isa = isa});
        EXPECT_EQ(engine.status().code, is_supported(isa) ? Code::ok : Code::unsupported_isa)
            << to_string(isa);
    }
    EXPECT_EQ(Engine({.isa = foreign_isa()}).status().code, Code::unsupported_isa);
    EXPECT_FALSE(Engine({.isa = static_cast<Isa>(200)}).status().ok());
}

TEST(Engine, takes_the_instruction_set_that_the_environment_names) {
    for (const Isa isa : test::instruction_sets()) {
        const Environment set(to_string(isa));
        const Engine engine;
        EXPECT_EQ(engine.status(), Status{});
        EXPECT_EQ(engine.isa(), isa);
    }
    const Environment set("automatic");
    EXPECT_EQ(Engine().isa(), best_isa());
}

TEST(Engine, refuses_an_environment_that_names_nothing_known) {
    for (const char* text : {"sse9", "avx-512", "best"}) {
        const Environment set(text);
        EXPECT_EQ(Engine().status().code, Code::unknown_isa) << text;
    }
}

TEST(Engine, refuses_an_environment_that_names_what_cannot_run_here) {
    const Environment set(to_string(foreign_isa()));
    EXPECT_EQ(Engine().status().code, Code::unsupported_isa);
}

TEST(Engine, reads_the_environment_only_if_the_configuration_leaves_the_choice_open) {
    const Isa isa = test::instruction_sets().front();
    for (const char* text : {"sse9", to_string(foreign_isa()), to_string(test::instruction_sets().back())}) {
        const Environment set(text);
        const Engine engine({.isa = isa});
        EXPECT_EQ(engine.status(), Status{}) << text;
        EXPECT_EQ(engine.isa(), isa) << text;
    }
}

TEST(Engine, says_the_best_instruction_set_whatever_the_environment_names) {
    const Isa best = best_isa();
    const Environment set(to_string(test::instruction_sets().front()));
    EXPECT_EQ(best_isa(), best);
}

}  // namespace
}  // namespace throng
