// What the tests of LooseGrid share.
#pragma once

#include "structures/src/loose_grid/state.hpp"
#include "structures/tests/index_answers.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {

// Ten by ten loose cells of size 10, and five by five tight ones.
inline LooseGrid::Config ten_by_ten() {
    return {.extents = {0, 0, 100, 100}, .columns = 10, .rows = 10, .tight_columns = 2, .tight_rows = 2};
}

}  // namespace throng::structures::test
