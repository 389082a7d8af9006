#include "structures/tests/index_checks.hpp"

#include "structures/tests/test.hpp"
#include "structures/tests/witness.hpp"
#include "structures/tests/worlds.hpp"

namespace throng::structures::test {
namespace {

class Digest {
public:
    void note(std::uint64_t value) { sum_ = (sum_ ^ value) * 0x9E3779B97F4A7C15u + (sum_ >> 29); }
    std::uint64_t value() const { return sum_; }

private:
    std::uint64_t sum_ = 1;
};

void note_everything(AnySpatialIndex& index, const std::vector<Box>& queries, Digest& digest) {
    for (const Box& box : queries)
        static_cast<void>(index.for_each_overlap(
            box, [&](ElementId id) { digest.note(id); }, 3));
    static_cast<void>(index.for_each_pair([&](Pair pair) { digest.note(pair.a), digest.note(pair.b); }));
    index.for_each_element([&](ElementId id) { digest.note(id); });
    index.for_each_part(
        [&](const Part& part) { digest.note(part.elements + (part.leaf ? 1000 : 0) + part.depth); });
    digest.note(index.size());
    digest.note(index.bytes());
}

// One digest for each stretch of a history.
std::vector<std::uint64_t> digests_of_a_history(const IndexKind& kind, const char* name) {
    CountingResource memory;
    Random random(31);
    Scene scene = make_scene(name, 250, 9);
    const std::vector<Box> queries = queries_about(scene.agents(), 40, 32);
    Witness witness(kind, expected_of(scene.agents()), memory);
    Digest digest;
    std::vector<std::uint64_t> digests;
    for (std::size_t stretch = 0; stretch < 12; ++stretch) {
        if (kind.dynamic)
            for (int step = 0; step < 60; ++step) edit_somehow(witness, scene, random);
        if (stretch % 4 == 0 || !kind.dynamic) assign_acceptable(witness, scene.agents());
        scene.step();
        note_everything(witness.index(), queries, digest);
        digests.push_back(digest.value());
    }
    return digests;
}

// Queries change nothing, so that any number of threads may query.
std::vector<std::uint64_t> digests_of_queries(const AnySpatialIndex& index, const std::vector<Box>& queries) {
    std::vector<std::uint64_t> digests;
    for (const Box& box : queries) {
        Digest digest;
        static_cast<void>(index.for_each_overlap(
            box, [&](ElementId id) { digest.note(id); }, 5));
        digests.push_back(digest.value());
    }
    Digest digest;
    index.for_each_element([&](ElementId id) { digest.note(id); });
    index.for_each_part([&](const Part& part) { digest.note(part.elements); });
    digest.note(index.size() + index.contains(3) + index.bytes());
    if (index.contains(3)) digest.note(index.box(3).overlaps(queries[0]));
    digests.push_back(digest.value() + index.validate().faults);
    return digests;
}

}  // namespace

void check_determinism(const IndexKind& kind) {
    for (const char* name : {"uniform", "lattice", "giants_over_small", "any_numbers"})
        within(name, [&] {
            const std::vector<std::uint64_t> first = digests_of_a_history(kind, name);
            // Addresses and the content of memory are different the second time.
            const std::vector<std::unique_ptr<std::vector<char>>> litter = [] {
                std::vector<std::unique_ptr<std::vector<char>>> some;
                for (std::size_t i = 0; i < 400; ++i)
                    some.push_back(std::make_unique<std::vector<char>>(i * 37, 'x'));
                for (std::size_t i = 0; i < 400; i += 2) some[i].reset();
                return some;
            }();
            const std::vector<std::uint64_t> second = digests_of_a_history(kind, name);
            for (std::size_t i = 0; i < first.size(); ++i)
                require(first[i] == second[i], "the same history is answered otherwise after stretch ", i);
        });
}

void check_readers(const IndexKind& kind) {
    for (const char* name : {"uniform", "giants_over_small", "lattice"})
        within(name, [&] {
            CountingResource memory;
            const Scene scene = make_scene(name, scaled(1500, 400));
            Witness witness(kind, expected_of(scene.agents()), memory);
            assign_acceptable(witness, scene.agents());
            if (kind.dynamic) {
                Random random(33);
                for (int step = 0; step < 300; ++step) edit_somehow(witness, scene, random);
                assign_acceptable(witness, scene.agents());
                // Left as edits leave it, without a clean_up.
                for (ElementId id = 0; id < 100; id += 3) static_cast<void>(witness.remove(id));
            }
            const AnySpatialIndex& asked = witness.index();
            const std::vector<Box> queries = queries_about(scene.agents(), scaled(120, 40), 34);
            const std::vector<std::uint64_t> expected = digests_of_queries(asked, queries);
            const std::uint64_t calls = memory.calls();
            std::atomic<std::size_t> wrong = 0;
            std::vector<std::thread> readers;
            for (int reader = 0; reader < 4; ++reader)
                readers.emplace_back([&] {
                    for (std::size_t round = 0; round < scaled(20, 5); ++round)
                        wrong += digests_of_queries(asked, queries) != expected;
                });
            for (std::thread& reader : readers) reader.join();
            require(wrong == 0, wrong.load(), " readers got other answers than one alone");
            require(memory.calls() == calls && !memory.overlapped(), "queries ask for memory");
        });
}

}  // namespace throng::structures::test
