#include "structures/tests/index_checks.hpp"

#include "structures/tests/test.hpp"
#include "structures/tests/witness.hpp"
#include "structures/tests/worlds.hpp"
#include "support/rounding.hpp"

namespace throng::structures::test {
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

// Ids of removed elements, ids that never were in use, and numbers that are no ids.
void check_boxes_of_unknown_ids(const IndexKind& kind) {
    CountingResource memory;
    const std::vector<Box> crowd = even_crowd(300, 30, 11);
    Witness witness(kind, expected_of(crowd), memory);
    const auto check = [&](ElementId id) {
        require(!witness.index().contains(id), "it contains the unknown id ", id);
        require(witness.index().box(id) == no_box, "it has a box of the unknown id ", id);
    };
    const auto check_all = [&] {
        for (const ElementId id :
             {static_cast<ElementId>(crowd.size()), 0x7FFFFFFFu, 0x80000000u, no_element})
            check(id);
    };
    check(0);
    check_all();
    fill_with_crowd(witness, crowd);
    for (ElementId id = 0; id < crowd.size(); ++id)
        if (!witness.index().contains(id)) check(id);
    check_all();
    const std::unique_ptr<AnySpatialIndex> moved = witness.index().move_out();
    if (kind.refuses_after_a_move) check(0);
    witness.index().move_from(*moved);
    witness.clear();
    check(0);
    check_all();
    if (!kind.has_extents) return;
    const auto unusable = kind.make_with_extents(expected_of(crowd), {1, 1, 0, 0}, &memory);
    require(unusable->box(0) == no_box, "it has a box, and cannot be used");
}

void check_refused_because_of_move(AnySpatialIndex& index) {
    const Box box{10, 10, 11, 11};
    const auto expect = [](const Status& status, const char* what) {
        require(status.code == Code::moved_from, what, " says ", static_cast<int>(status.code));
    };
    expect(index.status(), "status");
    expect(index.assign(Boxes::of({&box, 1})), "assign");
    expect(index.for_each_overlap(box, [](ElementId) { require(false, "it has an answer"); }), "a query");
    expect(index.for_each_overlap({2, 1, 1, 2}, [](ElementId) {}), "a query of an illegal box");
    expect(index.for_each_pair([](Pair) { require(false, "it has a pair"); }), "for_each_pair");
    index.for_each_element([](ElementId) { require(false, "it has an element"); });
    index.for_each_part([](const Part&) { require(false, "it has a part"); });
    if (index.kind().dynamic) {
        ElementId id = 77;
        expect(index.insert(box, id), "insert");
        require(id == 77, "it hands out an id");
        expect(index.move(0, box), "move");
        expect(index.remove(0), "remove");
        index.clean_up();
    }
    if (index.kind().spreads_clean_up) require(index.clean_up(1), "its clean-up is not complete");
    index.clear();
    require(index.size() == 0 && !index.contains(0), "it has elements");
    require(index.validate().sound(), "it is broken: ", index.validate().what);
}

// A structure that was moved from is refused, and works again when another is assigned to it.
void check_moves(const IndexKind& kind) {
    CountingResource memory;
    Random random(22);
    const std::vector<Box> crowd = even_crowd(300, 30, 10);
    Witness witness(kind, expected_of(crowd), memory);
    fill_with_crowd(witness, crowd);
    for (int twice = 0; twice < 2; ++twice) {
        const std::unique_ptr<AnySpatialIndex> moved = witness.index().move_out();
        within("moved from", [&] { check_refused_because_of_move(witness.index()); });
        require(!kind.uses_the_resource || memory.bytes_out() == witness.index().bytes() + moved->bytes(),
                "memory of another resource is used");
        witness.index().move_from(*moved);
        within("moved by assignment", [&] { check_refused_because_of_move(*moved); });
        check_all_of(witness, random, 10);
    }
}

// After any refusals and calls, each element is found by its box, and by an edit, once the mode is the first
// one again.
void check_edits_under(const IndexKind& kind, int home, int away) {
    constexpr std::size_t count = 300;
    CountingResource memory;
    Random random(23);
    const auto place = [&] { return 0.1f * static_cast<float>(random.below(90)); };
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < 2 * count; ++i) {
        const float x = place(), y = place();
        boxes.push_back({x, y, x + 0.1f * static_cast<float>(i % 9), y});
    }
    const Rounding rounding(home);
    const auto index = kind.make({.extents = {0, 0, 9, 9}, .elements = count, .largest_size = 0.9f}, &memory);
    require(index->assign(Boxes::of(std::span(boxes).first(count))).ok(), "it takes no boxes");
    std::size_t refused = 0, left = count;
    for (ElementId id = 0; id < count; ++id) {
        const Rounding other(away);
        const Status status = id % 3 == 0 ? index->remove(id) : index->move(id, boxes[count + id]);
        require(status.ok() || status == Status{Code::other_rounding}, status.message());
        if (status.ok() && id % 3 != 0) boxes[id] = boxes[count + id];
        left -= std::size_t{status.ok() && id % 3 == 0};
        refused += std::size_t{!status.ok()};
        if (id % 16 == 0) index->clean_up();
    }
    require(refused == 0 || refused == count, "some edits are refused, and others are not");
    require(index->size() == left && index->validate().sound(), index->validate().what);
    for (ElementId id = 0; id < count; ++id) {
        if (!index->contains(id)) continue;
        std::size_t found = 0;
        const auto look = [&](ElementId other) { found += std::size_t{other == id}; };
        require(index->for_each_overlap(boxes[id], look).ok() && found == 1, "it lost ", id);
        require(index->remove(id).ok(), "it does not remove ", id);
    }
    const Rounding other(away);
    require(index->assign(Boxes::of(std::span(boxes).first(count))).ok(),
            "it takes no boxes under another mode");
    for (ElementId id = 0; id < count; ++id)
        require((id % 2 == 0 ? index->move(id, boxes[count + id]) : index->remove(id)).ok(),
                "edits stay refused after an assignment");
    require(index->size() == count / 2 && index->validate().sound(), index->validate().what);
}

}  // namespace

void check_edits_under_other_modes(const IndexKind& kind) {
    for (const int home : rounding_modes)
        for (const int away : rounding_modes)
            if (home != away)
                within(in_words(home, " and ", away), [&] { check_edits_under(kind, home, away); });
}

void check_refusals(const IndexKind& kind) {
    check_refused_assignments(kind);
    check_refused_queries(kind);
    check_boxes_of_unknown_ids(kind);
    if (kind.refuses_after_a_move) check_moves(kind);
    if (kind.dynamic) check_refused_edits(kind);
}

}  // namespace throng::structures::test
