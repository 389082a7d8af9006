// Whether a structure answers right, whatever was done to it before.
#pragma once

#include "structures/witness.hpp"
#include "support/test.hpp"

namespace throng::test {

// Every scene there is, and for each of them a host that is right about it and some that are not.
void check_all_assignments(const IndexKind& kind);
void check_all_histories(const IndexKind& kind);

// --- What other checks use -----------------------------------------------------------------------------

// What it says of itself, queries of all kinds, and pairs.
void check_all_of(Witness& witness, Random& random, std::size_t queries = 20);
// Where the host had a wrong idea of the elements, those that a structure may refuse are left out.
void assign_acceptable(Witness& witness, std::vector<Box> boxes);
// Of a dynamic structure.
void edit_somehow(Witness& witness, const Scene& scene, Random& random);

}  // namespace throng::test
