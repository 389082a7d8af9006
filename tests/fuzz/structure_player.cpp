#include "fuzz/structure_player.hpp"

#include "fuzz/boxes.hpp"
#include "structures/tests/index_checks.hpp"
#include "structures/tests/worlds.hpp"
#include "support/test.hpp"

namespace throng::fuzz {
namespace {

// So that no input takes too long.
constexpr std::size_t max_elements = 400;

}  // namespace

StructurePlayer::StructurePlayer(const structures::test::IndexKind& kind,
                                 const structures::Expected& expected, test::CountingResource& memory)
    : memory_(memory), elements_expected_(expected.elements), witness_(kind, expected, memory) {
    structures::test::require(
        witness_.works() || !structures::test::is_sane(expected) || expected.elements == 0,
        "it refuses a sane configuration");
}

void StructurePlayer::play(const StructureOperation& operation) {
    if (operation.allocations != Operation::enough) memory_.fail_after(operation.allocations);
    carry_out(operation);
    memory_.stop_failing();
    witness_.look();
    const std::size_t elements = std::max(elements_expected_, witness_.max_at_once());
    structures::test::require(
        memory_.bytes_out() <= structures::test::max_bytes_for(witness_.kind(), elements),
        memory_.bytes_out(), " bytes are out for ", elements, " elements");
}

void StructurePlayer::look_back() {
    constexpr float most = 3.4028235e38f;
    for (const Box& box :
         {Box{-most, -most, most, most}, Box{0, 0, 10, 10}, Box{-most, 1, most, 2}, Box{5, 5, 5, 5}})
        witness_.ask(box);
    for (const ElementId id : witness_.living()) witness_.ask(witness_.given(id), id);
    witness_.ask_pairs();
}

void StructurePlayer::carry_out(const StructureOperation& operation) {
    const Boxes boxes = operation.boxes.view();
    switch (operation.deed) {
    case Deed::assign: return static_cast<void>(witness_.assign(boxes));
    case Deed::clear: return witness_.clear();
    case Deed::ask:
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            witness_.ask(boxes[i]);
            witness_.ask(boxes[i], element(operation.number));
        }
        return;
    case Deed::ask_beside:
        if (size() != 0)
            witness_.ask(beside(witness_.given(element(operation.number)),
                                static_cast<std::uint8_t>(operation.count)));
        return;
    case Deed::pairs: return static_cast<void>(witness_.ask_pairs());
    case Deed::relocate: return relocate();
    default:
        if (witness_.kind().dynamic) edit(operation, boxes);
    }
}

void StructurePlayer::edit(const StructureOperation& operation, const Boxes& boxes) {
    const std::size_t number = operation.number;
    switch (operation.deed) {
    case Deed::insert:
        for (std::size_t i = 0; i < boxes.size() && size() < max_elements; ++i) witness_.insert(boxes[i]);
        return;
    case Deed::move:
        for (std::size_t i = 0; i < boxes.size(); ++i)
            static_cast<void>(witness_.move(element(number + i), boxes[i]));
        return;
    case Deed::move_together:
        for (std::size_t i = 0; i < operation.count && size() != 0; ++i)
            static_cast<void>(witness_.move(element(number + i), witness_.given(element(number + i + 1))));
        return;
    case Deed::remove:
        for (std::size_t i = 0; i < operation.count && size() != 0; ++i)
            static_cast<void>(witness_.remove(element(number)));
        return;
    case Deed::remove_all_but:
        // Where memory is short, a structure may say so and keep them.
        for (std::size_t i = size(); i > operation.count; --i)
            static_cast<void>(witness_.remove(element(number)));
        return;
    case Deed::unknown_id: {
        const auto id = static_cast<ElementId>(number);
        static_cast<void>(witness_.move(id, Box{1, 1, 2, 2}));
        static_cast<void>(witness_.remove(id));
        return;
    }
    default: return witness_.clean_up();
    }
}

void StructurePlayer::relocate() {
    const std::unique_ptr<structures::test::AnySpatialIndex> elsewhere = witness_.index().move_out();
    witness_.index().move_from(*elsewhere);
}

}  // namespace throng::fuzz
