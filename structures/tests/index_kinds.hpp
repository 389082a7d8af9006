// The spatial structures that the common tests run on. index_kinds.cpp has a line for each; nothing else in
// the tests knows which they are.
#pragma once

#include "structures/tests/any_spatial_index.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {

std::vector<IndexKind> index_kinds();          // all that can be queried
std::vector<IndexKind> dynamic_index_kinds();  // those that are edited element by element

// Tests of each kind, which are named by it. A fixture derives from this one.
class TestOfKinds : public ::testing::TestWithParam<IndexKind> {};
std::string name_of_kind(const ::testing::TestParamInfo<IndexKind>& kind);
void PrintTo(const IndexKind& kind, std::ostream* out);

}  // namespace throng::structures::test
