#include "support/test.hpp"

namespace throng {
namespace {

constexpr Isa all_sets[] = {Isa::sse2,   Isa::avx2,    Isa::avx512, Isa::avx512vbmi2,
                            Isa::neon64, Isa::wasm128, Isa::wasm32};

std::string in_words(const BuildInfo& info) {
    char text[256];
    EXPECT_LT(describe(info, text), sizeof text);
    return text;
}

TEST(BuildInfo, is_that_of_this_build) {
    const BuildInfo info = build_info();
    EXPECT_EQ(info.version, library_version());
    const std::string compiler = info.compiler;
    EXPECT_TRUE(compiler.ends_with(std::string(" ") + THRONG_TEST_COMPILER)) << compiler;
    EXPECT_TRUE(compiler.starts_with("GCC ") || compiler.find("Clang ") != std::string::npos) << compiler;
}

TEST(BuildInfo, has_oneTBB_if_the_executor_has) {
    const BuildInfo info = build_info();
    EXPECT_EQ(info.has_tbb, has_tbb());
    EXPECT_STREQ(info.tbb_version, THRONG_TEST_TBB) << "what CMake found";
}

TEST(BuildInfo, carries_what_can_be_chosen_here) {
    const BuildInfo info = build_info();
    const std::set<Isa> once(info.instruction_sets.begin(), info.instruction_sets.end());
    EXPECT_EQ(once.size(), info.instruction_sets.size());
    EXPECT_TRUE(info.carries(best_isa()));
    EXPECT_FALSE(info.carries(Isa::automatic)) << "none of its own";
    for (const Isa isa : all_sets) {
        EXPECT_EQ(info.carries(isa), once.contains(isa));
        EXPECT_TRUE(info.carries(isa) || !is_supported(isa)) << to_string(isa);
    }
    // A baseline runs wherever its build does, so this would find the baseline of another processor.
    EXPECT_TRUE(is_supported(info.instruction_sets.front())) << "the baseline";
    std::string names;
    for (const Isa isa : info.instruction_sets)
        names += (names.empty() ? "" : " ") + std::string(to_string(isa));
    EXPECT_EQ(names, THRONG_TEST_ISAS) << "what CMake chose";
}

TEST(BuildInfo, is_said_in_one_line) {
    constexpr Isa two[] = {Isa::sse2, Isa::avx2};
    BuildInfo info{
        .version = {3, 14, 159}, .compiler = "GCC 12.2.0", .has_tbb = true, .tbb_version = "2021.8"};
    info.instruction_sets = two;
    EXPECT_EQ(in_words(info), "Throng 3.14.159, GCC 12.2.0, oneTBB 2021.8, kernels for sse2, avx2");
    info.has_tbb = false;
    info.instruction_sets = std::span(two).first(1);
    EXPECT_EQ(in_words(info), "Throng 3.14.159, GCC 12.2.0, without oneTBB, kernels for sse2");
}

TEST(BuildInfo, is_cut_where_the_text_ends) {
    const BuildInfo info = build_info();
    const std::string whole = in_words(info);
    for (const std::size_t room : {whole.size() + 1, whole.size(), std::size_t{9}, std::size_t{1}}) {
        std::string text(room + 1, '#');
        EXPECT_EQ(describe(info, std::span(text.data(), room)), whole.size());
        EXPECT_EQ(std::string(text.c_str()), whole.substr(0, room - 1));
        EXPECT_EQ(text[room], '#');
    }
    EXPECT_EQ(describe(info, {}), whole.size());
}

}  // namespace
}  // namespace throng
