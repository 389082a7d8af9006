#include "structures/tests/index_checks.hpp"

#include "structures/tests/test.hpp"
#include "structures/tests/witness.hpp"
#include "structures/tests/worlds.hpp"

namespace throng::structures::test {
namespace {

void require_bounded(const Witness& witness, const CountingResource& memory, std::size_t elements) {
    const std::size_t most = max_bytes_for(witness.kind(), elements);
    require(memory.bytes_out() <= most && witness.index().bytes() <= most, memory.bytes_out(),
            " bytes are out, ", witness.index().bytes(), " by its own account, for ", elements, " elements");
}

void check_world(const IndexKind& kind, const World& world) {
    CountingResource memory;
    Random random(17);
    Witness witness(kind, world.expected, memory);
    require(witness.works() || !is_sane(world.expected), "it refuses a sane configuration");
    if (!witness.works()) return;
    const std::size_t elements = std::max(world.boxes.size(), world.expected.elements);
    assign_acceptable(witness, world.boxes);
    require_bounded(witness, memory, elements);
    check_all_of(witness, random);
    require_bounded(witness, memory, elements);
}

// The same world, made element by element, then moved into another, and taken apart.
void check_world_by_edits(const IndexKind& kind, const World& world, const World& next) {
    CountingResource memory;
    Random random(18);
    Witness witness(kind, world.expected, memory);
    if (!witness.works()) return;
    const std::size_t elements = std::max(world.boxes.size(), world.expected.elements);
    for (const Box& box : world.boxes) witness.insert(box);
    witness.clean_up();
    require_bounded(witness, memory, elements);
    check_all_of(witness, random, 8);
    for (std::size_t i = 0; i < witness.size(); ++i)
        static_cast<void>(witness.move(witness.living()[i], next.boxes[i % next.boxes.size()]));
    check_all_of(witness, random, 8);
    witness.clean_up();
    require_bounded(witness, memory, elements);
    check_all_of(witness, random, 8);
    while (witness.size() > 3)
        static_cast<void>(witness.remove(witness.living()[random.below(witness.size())]));
    check_all_of(witness, random, 8);
    witness.clean_up();
    check_all_of(witness, random, 8);
}

void check_worlds(const IndexKind& kind, const std::vector<World>& worlds) {
    for (const World& world : worlds) within(world.name, [&] { check_world(kind, world); });
}

void check_worlds_by_edits(const IndexKind& kind, std::vector<World> worlds) {
    if (!kind.dynamic) return;
    // Fewer are enough, as pairs are asked for again and again.
    for (World& world : worlds) world.boxes.resize(std::min<std::size_t>(world.boxes.size(), 1500));
    for (std::size_t i = 0; i < worlds.size(); ++i)
        within(worlds[i].name + ", by edits",
               [&] { check_world_by_edits(kind, worlds[i], worlds[(i + 1) % worlds.size()]); });
}

// A structure that took its configuration works; one that did not refuses every edit and query.
void check_configuration(Witness& witness, const CountingResource& memory, std::size_t expected_elements,
                         bool may_refuse) {
    Random random(19);
    const Status status = witness.index().status();
    require(status.ok() || (may_refuse && status.code == Code::bad_config), "its status is ", status);
    std::size_t bad_parts = 0;
    const std::vector<Box> crowd = even_crowd(300, 30, 6);
    assign_acceptable(witness, crowd);
    if (witness.kind().dynamic) {
        const ElementId id = witness.insert(crowd[7]);
        static_cast<void>(witness.move(id, crowd[8]));
        static_cast<void>(witness.remove(id));
        witness.clean_up();
    }
    if (!witness.works()) require(witness.size() == 0, "a structure that does not work took elements");
    if (witness.works()) require_bounded(witness, memory, std::max(expected_elements, crowd.size()));
    check_all_of(witness, random);
    witness.index().for_each_part([&](const Part& part) { bad_parts += verdict_on(part.box) != Code::ok; });
    require(bad_parts == 0 || !witness.works(), bad_parts, " parts have boxes without a meaning");
    witness.clear();
    check_all_of(witness, random, 4);
}

// Extents that were never set.
bool is_point(const Box& box) { return box.min_x == box.max_x && box.min_y == box.max_y; }

std::vector<Expected> odd_expectations() {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(),
                    inf = std::numeric_limits<float>::infinity();
    constexpr float most = std::numeric_limits<float>::max(), tiny = std::numeric_limits<float>::denorm_min();
    std::vector<Expected> all;
    for (const std::size_t elements : {std::size_t{0}, std::size_t{300}})
        for (const float size : {0.0f, nan, inf, -1.0f, most, tiny, 0.8f})
            for (const float larger : {0.0f, nan, inf, -1.0f, most, tiny, 0.8f})
                all.push_back({{0, 0, 30, 30}, elements, size, larger});
    for (const Box& box :
         {Box{0, 0, 0, 0}, Box{0, 0, 0, 30}, Box{0, 0, 30, 0}, Box{30, 30, 0, 0}, Box{0, 0, nan, 30},
          Box{nan, nan, nan, nan}, Box{0, 0, inf, inf}, Box{-inf, 0, 30, 30}, Box{-most, -most, most, most},
          Box{0, 0, tiny, tiny}, Box{most, most, most, most}, Box{-1e30f, 0, 1e30f, 1},
          Box{0, -3e38f, 1e-3f, 3e38f}, Box{0, 0, 1e30f, 1e-30f}})
        for (const float size : {0.8f, tiny, most}) all.push_back({box, 300, size, size});
    return all;
}

}  // namespace

std::size_t max_bytes_for(const IndexKind& kind, std::size_t elements) {
    return kind.max_bytes_per_element * elements + 64 * 1024;
}

void check_degenerate_worlds(const IndexKind& kind) { check_worlds(kind, degenerate_worlds()); }

void check_small_degenerate_worlds(const IndexKind& kind) { check_worlds(kind, small_degenerate_worlds()); }

void check_degenerate_worlds_by_edits(const IndexKind& kind) {
    check_worlds_by_edits(kind, degenerate_worlds());
}

void check_small_degenerate_worlds_by_edits(const IndexKind& kind) {
    check_worlds_by_edits(kind, small_degenerate_worlds());
}

void check_odd_expectations(const IndexKind& kind) {
    for (const Expected& odd : odd_expectations()) {
        const std::string words =
            in_words("extents ", odd.extents, ", ", odd.elements, " elements of the sizes ", odd.typical_size,
                     " and ", odd.largest_size);
        within(words, [&] {
            CountingResource memory;
            Witness witness(kind, odd, memory);
            check_configuration(witness, memory, odd.elements, !is_sane(odd) || odd.elements == 0);
        });
    }
}

void check_bad_extents(const IndexKind& kind) {
    const Expected expected{{0, 0, 30, 30}, 300, 0.8f, 0.8f};
    if (!kind.has_extents) return;
    for (const Expected& odd : odd_expectations()) {
        if (is_sane(odd.extents)) continue;
        within(in_words("a configuration with the extents ", odd.extents), [&] {
            CountingResource memory;
            Witness witness(kind.make_with_extents(expected, odd.extents, &memory), expected, memory);
            const Status status = witness.index().status();
            check_configuration(witness, memory, expected.elements, true);
            const bool divisible = verdict_on(odd.extents) == Code::ok && !is_point(odd.extents);
            require(divisible || status.code == Code::bad_config, "its status is ", status);
        });
    }
}

}  // namespace throng::structures::test
