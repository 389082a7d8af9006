// Tells a history to a structure, through a witness that judges every answer.
#pragma once

#include "fuzz/structure_history.hpp"
#include "structures/tests/witness.hpp"
#include "support/test.hpp"

namespace throng::fuzz {

using structures::ElementId, structures::no_element;

class StructurePlayer {
public:
    StructurePlayer(const structures::test::IndexKind& kind, const structures::Expected& expected,
                    test::CountingResource& memory);

    void play(const StructureOperation& operation);
    // Makes every query.
    void look_back();

private:
    std::size_t size() const { return witness_.size(); }
    ElementId element(std::size_t number) const {
        return size() == 0 ? no_element : witness_.living()[number % size()];
    }
    void carry_out(const StructureOperation& operation);
    void edit(const StructureOperation& operation, const Boxes& boxes);
    void relocate();

    test::CountingResource& memory_;
    std::size_t elements_expected_;
    structures::test::Witness witness_;
};

}  // namespace throng::fuzz
