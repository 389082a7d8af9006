#include "structures/refusal_checks.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "structures/history_checks.hpp"
#include "structures/witness.hpp"
#include "structures/worlds.hpp"

namespace throng::test {
namespace {

std::vector<Box> illegal_boxes() {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(),
                    inf = std::numeric_limits<float>::infinity();
    std::vector<Box> boxes;
    for (const float value : {nan, -nan, inf, -inf})
        for (const int which : {0, 1, 2, 3}) {
            float corners[4] = {10, 10, 11, 11};
            corners[which] = value;
            boxes.push_back({corners[0], corners[1], corners[2], corners[3]});
        }
    boxes.push_back({nan, nan, nan, nan});
    boxes.push_back({-inf, -inf, inf, inf});
    boxes.push_back({11, 10, 10, 11});
    boxes.push_back({10, 11, 11, 10});
    boxes.push_back({10, 11, 10, std::nextafter(11.0f, 0.0f)});
    return boxes;
}

// A structure with a crowd in it that was edited, where it can be.
void fill_with_crowd(Witness& witness, const std::vector<Box>& crowd) {
    require(witness.assign(crowd).ok(), "it does not take a crowd");
    if (witness.kind().dynamic) {
        Random random(3);
        for (int i = 0; i < 40; ++i)
            static_cast<void>(witness.remove(witness.living()[random.below(witness.size())]));
        for (int i = 0; i < 20; ++i) witness.insert(crowd[random.below(crowd.size())]);
    }
}

void check_refused_assignments(const IndexKind& kind) {
    CountingResource memory;
    Random random(20);
    const std::vector<Box> crowd = even_crowd(300, 30, 7), others = even_crowd(500, 30, 8);
    Witness witness(kind, expected_of(crowd), memory);
    fill_with_crowd(witness, crowd);
    for (const Box& bad : illegal_boxes())
        for (const std::size_t at : {std::size_t{0}, others.size() / 2, others.size() - 1}) {
            std::vector<Box> boxes = others;
            boxes[at] = bad;
            // The lowest of two is to be named.
            if (at + 1 < boxes.size()) boxes[boxes.size() - 1] = {5, 5, 4, 4};
            within(in_words("assign with ", bad, " at ", at), [&] {
                require(!witness.assign(boxes).ok(), "it is not refused");
                check_all_of(witness, random, 4);
            });
        }
    static_cast<void>(witness.assign(Boxes::of(std::span<const Box>(static_cast<const Box*>(nullptr), 3))));
    const std::vector<float> numbers(9, 1.0f);
    static_cast<void>(
        witness.assign(Boxes::min_max(numbers.data(), nullptr, numbers.data(), numbers.data(), 9)));
    check_all_of(witness, random, 10);
    require(witness.assign(Boxes::of({})).ok() && witness.index().size() == 0,
            "it does not take an empty view");
    check_all_of(witness, random, 4);
}

void check_refused_edits(const IndexKind& kind) {
    CountingResource memory;
    Random random(21);
    const std::vector<Box> crowd = even_crowd(300, 30, 7);
    Witness witness(kind, expected_of(crowd), memory);
    // There is no element yet.
    for (const ElementId id : {0u, 1u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFEu, no_element}) {
        require(witness.move(id, crowd[0]).code == Code::unknown_id, "it moves ", id, ", which is not there");
        require(witness.remove(id).code == Code::unknown_id, "it removes ", id, ", which is not there");
    }
    fill_with_crowd(witness, crowd);
    const ElementId gone = witness.living()[5];
    static_cast<void>(witness.remove(gone));
    for (const ElementId id :
         {gone, static_cast<ElementId>(crowd.size() + 100), 0x80000000u, 0xFFFFFFFEu, no_element})
        within(in_words("the unknown id ", id), [&] {
            for (int twice = 0; twice < 2; ++twice) {
                require(witness.move(id, crowd[0]).code == Code::unknown_id, "it is moved");
                require(witness.remove(id).code == Code::unknown_id, "it is removed");
                witness.clean_up();
                check_all_of(witness, random, 4);
            }
        });
    for (const Box& bad : illegal_boxes())
        within(in_words("the illegal box ", bad), [&] {
            require(witness.insert(bad) == no_element, "it is inserted");
            require(!witness.move(witness.living()[3], bad).ok(), "an element is moved there");
            check_all_of(witness, random, 4);
        });
    // The hole that was left is still one.
    require(witness.insert(crowd[1]) != no_element, "nothing can be inserted any more");
    check_all_of(witness, random, 4);
}

void check_refused_queries(const IndexKind& kind) {
    CountingResource memory;
    const std::vector<Box> crowd = even_crowd(300, 30, 9);
    Witness witness(kind, expected_of(crowd), memory);
    for (const Box& bad : illegal_boxes()) witness.ask(bad);
    fill_with_crowd(witness, crowd);
    for (const Box& bad : illegal_boxes()) {
        witness.ask(bad);
        witness.ask(bad, witness.living()[0]);
    }
    witness.look();
}

}  // namespace

void check_refusals(const IndexKind& kind) {
    check_refused_assignments(kind);
    check_refused_queries(kind);
    if (kind.dynamic) check_refused_edits(kind);
}

}  // namespace throng::test
