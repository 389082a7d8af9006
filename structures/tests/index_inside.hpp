// The private half of a structure, for tests that read it, or write into it as only a broken program would.
#pragma once

#include "structures/tests/index_answers.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures {

template <class Index>
struct IndexInspector {
    static auto& state(auto& index) { return index.template own<typename Index::State>(); }
};

namespace test {

template <class Index>
auto& inside(Index& index) {
    return IndexInspector<std::remove_cvref_t<Index>>::state(index);
}

// What is written into a structure, and what `validate` says then; null if it may say different things.
template <class State>
struct Corruption {
    const char* found;
    void (*plant)(State& inside);
};

template <class Index, std::size_t count>
void expect_found(Index (*make)(), const Corruption<typename Index::State> (&all)[count]) {
    for (std::size_t i = 0; i < count; ++i) {
        Index index = make();
        ASSERT_TRUE(index.validate()) << "before anything was written";
        all[i].plant(inside(index));
        const IndexValidation report = index.validate();
        EXPECT_FALSE(report) << "corruption " << i;
        if (all[i].found != nullptr) {
            EXPECT_STREQ(report.what, all[i].found) << "corruption " << i;
        }
    }
}

}  // namespace test
}  // namespace throng::structures
