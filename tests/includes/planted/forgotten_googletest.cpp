// A fault: GoogleTest is left out.
#include "by_way_of_ours.hpp"

TEST(Forgotten, googletest) { EXPECT_EQ(name_of_a_test(), std::string()); }
