#include "structures/tests/index_checks.hpp"

#include "structures/tests/test.hpp"
#include "structures/tests/witness.hpp"
#include "structures/tests/worlds.hpp"
#include "support/aligned_memory.hpp"

namespace throng::structures::test {
namespace {

void require_true_account(const Witness& witness, const CountingResource& memory, const char* when) {
    const std::size_t out = memory.bytes_out(), says = witness.index().bytes();
    // It may count itself too.
    require(out <= says && says <= out + witness.kind().own_size, when, " ", out,
            " bytes are out, and it says ", says);
    require(!memory.misused(), when, " memory was given back otherwise than it was taken");
}

// Takes from the C library, which nothing else here does. So the global heap is left to code that should not
// use it.
class QuietResource : public MemoryResource {
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        return take_aligned(bytes, alignment);
    }
    void deallocate(void* memory, std::size_t, std::size_t) noexcept override { give_back_aligned(memory); }
};

// Makes the same edit to one structure again and again, each time with one more allocation before memory
// ends, or before just one allocation fails, until none fails. Returns how often something failed.
template <class Prepare, class Edit>
std::uint64_t sweep(const IndexKind& kind, const Expected& expected, bool only_once, Prepare&& prepare,
                    Edit&& edit) {
    for (std::uint64_t allowed = 0;; ++allowed) {
        CountingResource memory;
        Random random(25);
        bool failed = false;
        within(in_words(allowed, only_once ? " allocations, then one that fails" : " allocations, then none"),
               [&] {
                   Witness witness(kind, expected, memory);
                   prepare(witness);
                   if (only_once) memory.fail_once_after(allowed);
                   if (!only_once) memory.fail_after(allowed);
                   edit(witness);
                   memory.stop_failing();
                   failed = memory.failures() != 0;
                   if (failed) require_true_account(witness, memory, "when there was none");
                   if (failed) check_all_of(witness, random, 6);
                   edit(witness);
                   check_all_of(witness, random, 3);
               });
        require(memory.blocks_out() == 0 && !memory.misused(), "memory was not given back as it was taken");
        if (!failed) return allowed;
    }
}

void check_construction_without_memory(const IndexKind& kind, const Expected& expected,
                                       const std::vector<Box>& crowd) {
    for (std::uint64_t allowed = 0;; ++allowed) {
        CountingResource memory;
        Random random(26);
        memory.fail_after(allowed);
        {
            Witness witness(kind, expected, memory);
            const Status status = witness.index().status();
            memory.stop_failing();
            require(status.ok() || (status.code == Code::out_of_memory && memory.failures() != 0), "after ",
                    allowed, " allocations it says ", status);
            // If it could not be made, each edit is refused; the witness checks that.
            require(witness.assign(crowd).ok() == witness.works(), "it does not take a crowd");
            if (kind.dynamic) static_cast<void>(witness.insert(crowd[0]));
            check_all_of(witness, random, 4);
        }
        require(memory.blocks_out() == 0 && !memory.misused(), "memory was not given back as it was taken");
        if (memory.failures() == 0) return;
    }
}

void check_edits_without_memory(const IndexKind& kind, const Expected& expected,
                                const std::vector<Box>& crowd, const std::vector<Box>& more, bool only_once) {
    const auto take_a_crowd = [&](Witness& witness) {
        require(witness.assign(crowd).ok(), "it does not take a crowd");
    };
    within("insert", [&] {
        sweep(
            kind, expected, only_once, [](Witness&) {},
            [&](Witness& witness) {
                for (const Box& box : more) witness.insert(box);
            });
    });
    within("move", [&] {
        sweep(kind, expected, only_once, take_a_crowd, [&](Witness& witness) {
            for (const ElementId id : std::vector<ElementId>(witness.living()))
                static_cast<void>(witness.move(id, more[id % more.size()]));
        });
    });
    within("remove", [&] {
        sweep(kind, expected, only_once, take_a_crowd, [&](Witness& witness) {
            for (const ElementId id : std::vector<ElementId>(witness.living()))
                if (id % 2 == 0) static_cast<void>(witness.remove(id));
        });
    });
    within("clean_up", [&] {
        const auto remove_most = [&](Witness& witness) {
            take_a_crowd(witness);
            for (ElementId id = 10; id < crowd.size(); ++id) static_cast<void>(witness.remove(id));
        };
        sweep(kind, expected, only_once, remove_most, [](Witness& witness) { witness.clean_up(); });
    });
}

}  // namespace

void check_accounts(const IndexKind& kind) {
    CountingResource memory;
    Random random(24);
    const std::vector<Box> crowd = even_crowd(600, 40, 10);
    {
        Witness witness(kind, expected_of(crowd), memory);
        const auto all_is_true = [&](const char* when) { require_true_account(witness, memory, when); };
        all_is_true("at first");
        require(witness.assign(crowd).ok(), "it does not take a crowd");
        require(memory.bytes_out() >= crowd.size() * 4, "the memory of a crowd is not of the resource");
        all_is_true("after an assignment");
        witness.ask_pairs();
        all_is_true("after pairs");
        if (kind.dynamic) {
            for (const Box& box : crowd) witness.insert(box);
            witness.ask_pairs();
            all_is_true("after insertions");
            for (int i = 0; i < 900; ++i)
                static_cast<void>(witness.remove(witness.living()[random.below(witness.size())]));
            witness.clean_up();
            all_is_true("after removals");
        }
        witness.clear();
        all_is_true("after it was emptied");
    }
    require(memory.blocks_out() == 0, memory.blocks_out(), " blocks were not given back");
}

void check_the_global_heap(const IndexKind& kind, HeapCount global) {
    QuietResource memory;
    const std::vector<Box> crowd = even_crowd(600, 40, 10);
    const Expected expected = expected_of(crowd);
    std::size_t visits = 0;
    const std::uint64_t before = global();
    {
        const std::unique_ptr<AnySpatialIndex> made = kind.make(expected, &memory);
        AnySpatialIndex& index = *made;
        static_cast<void>(index.assign(Boxes::of(crowd)));
        static_cast<void>(index.for_each_pair([&](Pair) { ++visits; }));
        for (const Box& box : crowd)
            static_cast<void>(index.for_each_overlap(box, [&](ElementId) { ++visits; }));
        if (kind.dynamic) {
            ElementId id = no_element;
            for (const Box& box : crowd) static_cast<void>(index.insert(box, id));
            for (ElementId i = 0; i < crowd.size(); ++i) static_cast<void>(index.move(i, crowd[i / 2]));
            static_cast<void>(index.for_each_pair([&](Pair) { ++visits; }));
            for (ElementId i = 0; i < crowd.size(); ++i) static_cast<void>(index.remove(i));
            index.clean_up();
        }
        index.for_each_part([&](const Part&) { ++visits; });
        require(index.validate().sound(), "it is not sound");
        index.clear();
    }
    require(global() == before, "the global heap was asked ", global() - before, " times");
    require(visits != 0, "no element was visited");
}

// The witness checks that a call that ran out of memory changed nothing.
void check_out_of_memory(const IndexKind& kind) {
    const std::vector<Box> crowd = even_crowd(150, 22, 11), more = even_crowd(scaled(400, 200), 22, 12);
    const Expected expected = expected_of(crowd);
    check_construction_without_memory(kind, expected, crowd);
    const auto nothing = [](Witness&) {};
    const auto take_a_crowd = [&](Witness& witness) {
        require(witness.assign(crowd).ok(), "it does not take a crowd");
    };
    for (const bool only_once : {false, true}) {
        const auto assign = [](const std::vector<Box>& boxes) {
            return [taken = &boxes](Witness& witness) { static_cast<void>(witness.assign(*taken)); };
        };
        within("assign", [&] {
            require(sweep(kind, expected, only_once, nothing, assign(crowd)) != 0, "it takes no memory");
            sweep(kind, expected, only_once, take_a_crowd, assign(more));
        });
        within("pairs", [&] {
            const auto count_pairs = [](Witness& witness, std::size_t& pairs) {
                pairs = 0;
                return witness.index().for_each_pair([&](Pair) { ++pairs; });
            };
            CountingResource enough;
            Witness whole(kind, expected, enough);
            take_a_crowd(whole);
            std::size_t all = 0, found = 0;
            require(count_pairs(whole, all).ok() && all != 0, "it finds no pairs");
            sweep(kind, expected, only_once, take_a_crowd, [&](Witness& witness) {
                const Status status = count_pairs(witness, found);
                require(status.ok() ? found == all : status.code == Code::out_of_memory, "after ", found,
                        " of ", all, " pairs it says ", status);
            });
        });
        if (kind.dynamic) check_edits_without_memory(kind, expected, crowd, more, only_once);
    }
}

void check_moves_of_the_structure(const IndexKind& kind) {
    CountingResource memory, other_memory;
    Random random(27);
    const std::vector<Box> crowd = even_crowd(400, 35, 13), others = even_crowd(250, 35, 14);
    {
        Witness witness(kind, expected_of(crowd), memory), other(kind, expected_of(others), other_memory);
        require(witness.assign(crowd).ok() && other.assign(others).ok(), "it does not take a crowd");
        const std::uint64_t calls = memory.calls();
        AnySpatialIndex& index = witness.index();
        const std::unique_ptr<AnySpatialIndex> moved = index.move_out();
        index.move_from(*moved);
        index.move_from(index);
        require(memory.calls() == calls, "moving it takes memory");
        check_all_of(witness, random);
        // The memory that it held goes back to its resource.
        const std::unique_ptr<AnySpatialIndex> third = kind.make(expected_of(crowd), &other_memory);
        require(third->assign(Boxes::of(crowd)).ok(), "it does not take a crowd");
        other.index().move_from(index);
        index.move_from(*third);
        check_all_of(witness, random);
        require(witness.assign(others).ok(), "a structure that was assigned takes no crowd");
        check_all_of(witness, random);
        if (kind.dynamic) witness.insert(crowd[0]);
        check_all_of(witness, random);
        require(other.index().size() == crowd.size(), "elements were lost on the way");
    }
    for (const CountingResource* resource : {&memory, &other_memory})
        require(resource->blocks_out() == 0 && !resource->misused(), "memory went astray");
}

}  // namespace throng::structures::test
