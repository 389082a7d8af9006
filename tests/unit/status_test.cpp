#include "support/test.hpp"

namespace throng {
namespace {

// One more than the last value of each enumeration. A new value makes this wrong, so the test must be looked
// at.
constexpr int codes = static_cast<int>(Code::bad_plan) + 1;
constexpr int faults = static_cast<int>(Fault::ghosts_differ) + 1;
constexpr int reasons = static_cast<int>(TuningReason::all_oversized) + 1;

template <class Enumeration>
void expect_a_sentence_each(int count) {
    std::set<std::string> seen;
    for (int i = 0; i < count; ++i) {
        const char* text = describe(static_cast<Enumeration>(i));
        ASSERT_NE(text, nullptr) << i;
        EXPECT_GT(std::string(text).size(), 1u) << i;
        EXPECT_TRUE(seen.insert(text).second) << i << " says the same as another: " << text;
    }
    EXPECT_NE(describe(static_cast<Enumeration>(255)), nullptr);
}

TEST(Describe, has_a_sentence_for_each_value_and_one_for_none) {
    expect_a_sentence_each<Code>(codes);
    expect_a_sentence_each<Fault>(faults);
    expect_a_sentence_each<TuningReason>(reasons);
}

TEST(Status, is_written_with_its_index_as_far_as_that_fits) {
    const Status third{Code::not_finite, 17, Argument::radii};
    const std::string whole = "a radius is not a finite number (index 17)";
    char text[64];
    EXPECT_EQ(describe(third, text), whole.size());
    EXPECT_EQ(std::string(text), whole);
    for (const std::size_t room : {whole.size(), std::size_t{9}}) {
        EXPECT_EQ(describe(third, std::span(text).first(room)), whole.size());
        EXPECT_EQ(std::string(text), whole.substr(0, room - 1));
    }
    EXPECT_EQ(describe(third, {}), whole.size());
    EXPECT_EQ(describe(Status{Code::out_of_memory}, text), std::string(describe(Code::out_of_memory)).size());
    EXPECT_STREQ(text, describe(Code::out_of_memory)) << "no element is at fault";
}

TEST(Status, is_ok_and_without_an_index_at_first) {
    const Status status;
    EXPECT_TRUE(status.ok());
    EXPECT_TRUE(static_cast<bool>(status));
    EXPECT_EQ(status.index, Status::no_index);
    EXPECT_STREQ(status.message(), describe(Code::ok));
}

TEST(Status, with_any_other_code_is_not_ok) {
    for (int i = 1; i < codes; ++i) {
        const Status status{static_cast<Code>(i), 3};
        EXPECT_FALSE(status.ok()) << i;
        EXPECT_FALSE(static_cast<bool>(status)) << i;
        EXPECT_STREQ(status.message(), describe(static_cast<Code>(i)));
    }
}

TEST(Status, is_equal_in_code_and_index) {
    EXPECT_EQ((Status{Code::inverted, 3}), (Status{Code::inverted, 3}));
    EXPECT_NE((Status{Code::inverted, 3}), (Status{Code::inverted, 4}));
    EXPECT_NE((Status{Code::inverted, 3}), (Status{Code::not_finite, 3}));
}

TEST(Validation, is_sound_only_without_a_fault_and_with_a_complete_check) {
    EXPECT_TRUE(Validation{}.sound());
    EXPECT_FALSE((Validation{.status = {}, .faults = 1, .first = Fault::id_twice}.sound()));
    EXPECT_FALSE((Validation{.status = {Code::out_of_memory}}.sound()));
}

TEST(Status, is_of_a_code_whatever_its_index) {
    const Status third{Code::not_finite, 3};
    EXPECT_TRUE(third == Code::not_finite && Code::not_finite == third && third != Code::inverted);
    EXPECT_NE(third, (Status{Code::not_finite, 4}));
}

TEST(MemoryReport, adds_up_its_parts) {
    const MemoryReport report{.rows = 1,
                              .history = 10,
                              .tables = 100,
                              .agents = 1000,
                              .staged = 10000,
                              .scratch = 100000,
                              .allocations = 7};
    EXPECT_EQ(report.total(), 111111u);
}

// tests/install checks that library_version() is the library's own.
TEST(Version, of_the_library_and_its_headers_is_that_of_the_project) {
    const std::string project = THRONG_TEST_VERSION;
    const Version library = library_version();
    EXPECT_EQ(library, header_version);
    EXPECT_EQ(std::to_string(library.major) + "." + std::to_string(library.minor) + "." +
                  std::to_string(library.patch),
              project);
}

TEST(Version, in_one_number_keeps_its_parts_apart) {
    EXPECT_EQ(THRONG_VERSION / 1'000'000, header_version.major);
    EXPECT_EQ(THRONG_VERSION / 1'000 % 1'000, header_version.minor);
    EXPECT_EQ(THRONG_VERSION % 1'000, header_version.patch);
}

}  // namespace
}  // namespace throng
