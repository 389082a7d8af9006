#include "structures/tests/index_checks.hpp"

#include "structures/tests/test.hpp"
#include "structures/tests/witness.hpp"
#include "structures/tests/worlds.hpp"

namespace throng::structures::test {
namespace {

// `ask(visitor)` asks the same thing each time.
template <class Answer>
void check_forms_of_visitors(const char* words, const std::function<void(AnyVisitor<Answer>)>& ask) {
    std::vector<Answer> singly, in_spans, with_a_word, in_spans_with_a_word;
    ask([&](Answer answer) { singly.push_back(answer); });
    ask([&](std::span<const Answer> some) { in_spans.insert(in_spans.end(), some.begin(), some.end()); });
    ask([&](Answer answer) {
        with_a_word.push_back(answer);
        return true;
    });
    ask([&](std::span<const Answer> some) {
        in_spans_with_a_word.insert(in_spans_with_a_word.end(), some.begin(), some.end());
        return true;
    });
    require(singly == in_spans && singly == with_a_word && singly == in_spans_with_a_word, words,
            ": visitors of different forms get ", singly.size(), ", ", in_spans.size(), ", ",
            with_a_word.size(), " and ", in_spans_with_a_word.size(), " answers, or in another order");
    for (const std::size_t wanted : {std::size_t{1}, std::size_t{2}, singly.size() / 2, singly.size()}) {
        if (wanted == 0 || wanted > singly.size()) continue;
        std::vector<Answer> first;
        std::size_t calls = 0;
        ask([&](Answer answer) {
            first.push_back(answer);
            return first.size() < wanted;
        });
        require(first.size() == wanted && std::equal(first.begin(), first.end(), singly.begin()), words,
                ": a visitor that wanted ", wanted, " was called ", first.size(), " times");
        ask([&](std::span<const Answer>) { return ++calls, false; });
        require(calls == 1, words, ": a visitor that wanted no more was called ", calls, " times");
    }
}

void check_visitors_of(Witness& witness) {
    AnySpatialIndex& index = witness.index();
    const std::vector<Box> boxes = witness.living_boxes();
    for (const Box& box : queries_about(boxes, 60, 23))
        check_forms_of_visitors<ElementId>("overlaps", [&](auto visitor) {
            require(index.for_each_overlap(box, visitor).ok(), "a query is refused");
        });
    const ElementId some = witness.living().front();
    check_forms_of_visitors<ElementId>("overlaps without one", [&](auto visitor) {
        require(index.for_each_overlap(witness.given(some), visitor, some).ok(), "a query is refused");
    });
    check_forms_of_visitors<Pair>("for_each_pair", [&](auto visitor) {
        require(index.for_each_pair(visitor).ok(), "pairs are refused");
    });
    check_forms_of_visitors<ElementId>("for_each_element",
                                       [&](auto visitor) { index.for_each_element(visitor); });
    std::size_t parts = 0;
    index.for_each_part([&](const Part&) { ++parts; });
    if (parts == 0) return;
    std::size_t visited = 0;
    index.for_each_part([&](const Part&) { return ++visited < (parts + 1) / 2; });
    require(visited == (parts + 1) / 2, "for_each_part goes on after it was told to stop");
}

// What a visitor throws comes out again, and the structure is as it was.
void check_visitors_that_throw(Witness& witness) {
    struct Enough {};
    const auto require_thrown = [](const char* words, auto&& ask) {
        for (const int calls : {0, 1, 40}) {
            int left = calls;
            bool thrown = false;
            try {
                ask([&left] {
                    if (left-- == 0) throw Enough{};
                });
            } catch (const Enough&) {
                thrown = true;
            }
            require(thrown || left >= 0, words, " keeps what a visitor throws");
        }
    };
    AnySpatialIndex& index = witness.index();
    const Box some = witness.given(witness.living().front());
    const Box near{some.min_x - 9, some.min_y - 9, some.max_x + 9, some.max_y + 9};
    require_thrown("overlaps", [&](auto&& count) {
        static_cast<void>(index.for_each_overlap(near, [&](ElementId) { count(); }));
    });
    require_thrown("for_each_pair",
                   [&](auto&& count) { static_cast<void>(index.for_each_pair([&](Pair) { count(); })); });
    require_thrown("for_each_element",
                   [&](auto&& count) { index.for_each_element([&](ElementId) { count(); }); });
    require_thrown("for_each_part",
                   [&](auto&& count) { index.for_each_part([&](const Part&) { count(); }); });
    Random random(35);
    check_all_of(witness, random, 4);
}

void check_leaf_order(const Witness& witness) {
    LeafOrder order;
    require(witness.index().update(order), "there is no leaf order");
    std::vector<ElementId> ids(order.ids().begin(), order.ids().end()), living = witness.living();
    std::sort(ids.begin(), ids.end());
    std::sort(living.begin(), living.end());
    require(ids == living, "the leaf order is not of all elements");
}

// Parts are for drawing, so little is promised: every element is in one at least, and each lies somewhere.
void check_parts(const Witness& witness) {
    std::size_t elements = 0, parts = 0, illegal = 0;
    std::vector<Box> full;
    witness.index().for_each_part([&](const Part& part) {
        ++parts;
        illegal += verdict_on(part.box) != Code::ok;
        elements += part.elements;
        if (part.elements != 0) full.push_back(part.box);
    });
    if (!witness.kind().lists_parts && parts == 0) return;
    require(illegal == 0, illegal, " of ", parts, " parts have boxes without a meaning");
    require(elements >= witness.size(), "the parts hold ", elements, " elements in all, of ", witness.size());
    for (const ElementId id : witness.living()) {
        const Box box = witness.kept(id),
                  near{box.min_x - 0.01f, box.min_y - 0.01f, box.max_x + 0.01f, box.max_y + 0.01f};
        require(std::any_of(full.begin(), full.end(), [&](const Box& part) { return part.overlaps(near); }),
                "element ", id, " lies in no part");
    }
}

}  // namespace

void check_visits(const IndexKind& kind) {
    for (const char* name :
         {"uniform", "lattice", "clustered", "giants_over_small", "one_point", "one_agent"})
        within(name, [&] {
            CountingResource memory;
            const Scene scene = make_scene(name, scaled(700, 300));
            Witness witness(kind, expected_of(scene.agents()), memory);
            check_leaf_order(witness);
            assign_acceptable(witness, scene.agents());
            check_leaf_order(witness);
            check_visitors_of(witness);
            check_visitors_that_throw(witness);
            check_parts(witness);
            if (kind.dynamic) {
                for (std::size_t i = 0; i < scene.agents().size() / 2; ++i)
                    static_cast<void>(witness.remove(static_cast<ElementId>(i)));
                for (std::size_t i = 0; i < scene.agents().size() / 4; ++i) witness.insert(scene.agents()[i]);
                witness.clean_up();
                check_leaf_order(witness);
                if (witness.size() != 0) {
                    check_visitors_of(witness);
                    check_visitors_that_throw(witness);
                }
                check_parts(witness);
            }
        });
}

}  // namespace throng::structures::test
