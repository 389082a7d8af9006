// The worst worlds there are for somebody, and the worst configurations: right answers, in bounded memory,
// and in a time that the test's timeout bounds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "structures/history_checks.hpp"
#include "structures/witness.hpp"
#include "structures/worlds.hpp"
#include "throng/structures/grid_hierarchy.hpp"

namespace throng::test {

// What a structure may take for so many elements, wherever they are. In a hierarchy each of them may have a
// region to itself, in pools that have just grown, and assign makes the new ones before the old ones go.
template <SpatialIndex Index>
std::size_t most_bytes_for(std::size_t elements) {
    return (std::is_same_v<Index, GridHierarchy> ? 2600 : 400) * elements + 64 * 1024;
}

template <SpatialIndex Index>
void require_bounded(const Witness<Index>& witness, const CountingResource& memory, std::size_t elements) {
    const std::size_t most = most_bytes_for<Index>(elements);
    require(memory.bytes_out() <= most && witness.index().bytes() <= most, memory.bytes_out(),
            " bytes are out, ", witness.index().bytes(), " by its own account, for ", elements, " elements");
}

template <SpatialIndex Index>
void check_world(const World& world) {
    CountingResource memory;
    Random random(17);
    Witness<Index> witness(world.expected, memory);
    require(witness.works() || !is_sane(world.expected), "it refuses a sane configuration");
    if (!witness.works()) return;
    const std::size_t elements = std::max(world.boxes.size(), world.expected.elements);
    assign_acceptable(witness, world.boxes);
    require_bounded(witness, memory, elements);
    check_all_of(witness, random);
    require_bounded(witness, memory, elements);
}

// The same world, made element by element, then moved into another, and taken apart.
template <DynamicSpatialIndex Index>
void check_world_by_edits(const World& world, const World& next) {
    CountingResource memory;
    Random random(18);
    Witness<Index> witness(world.expected, memory);
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

template <SpatialIndex Index>
void check_degenerate_worlds() {
    for (const World& world : degenerate_worlds()) within(world.name, [&] { check_world<Index>(world); });
}
template <SpatialIndex Index>
void check_degenerate_worlds_by_edits() {
    if constexpr (DynamicSpatialIndex<Index>) {
        std::vector<World> worlds = degenerate_worlds();
        // Fewer are enough, as pairs are asked for again and again.
        for (World& world : worlds) world.boxes.resize(std::min<std::size_t>(world.boxes.size(), 1500));
        for (std::size_t i = 0; i < worlds.size(); ++i)
            within(worlds[i].name + ", by edits",
                   [&] { check_world_by_edits<Index>(worlds[i], worlds[(i + 1) % worlds.size()]); });
    }
}

// A structure that took its configuration works; one that did not refuses every edit and question.
template <SpatialIndex Index>
void check_configuration(const typename Index::Config& config, const Expected& expected, bool may_refuse) {
    CountingResource memory;
    Random random(19);
    Witness<Index> witness(config, expected, memory);
    const Status status = witness.index().status();
    require(status.ok() || (may_refuse && status.code == Code::bad_config), "its status is ", status);
    std::size_t bad_parts = 0;
    const std::vector<Box> crowd = even_crowd(300, 30, 6);
    assign_acceptable(witness, crowd);
    if constexpr (DynamicSpatialIndex<Index>) {
        const ElementId id = witness.insert(crowd[7]);
        static_cast<void>(witness.move(id, crowd[8]));
        static_cast<void>(witness.remove(id));
        witness.clean_up();
    }
    if (!witness.works()) require(witness.size() == 0, "a structure that does not work took elements");
    if (witness.works()) require_bounded(witness, memory, std::max(expected.elements, crowd.size()));
    check_all_of(witness, random);
    witness.index().for_each_part([&](const Part& part) { bad_parts += verdict_on(part.box) != Code::ok; });
    require(bad_parts == 0 || !witness.works(), bad_parts, " parts have boxes without a meaning");
    witness.clear();
    check_all_of(witness, random, 4);
}

inline std::vector<Expected> odd_expectations() {
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

template <SpatialIndex Index>
void check_odd_expectations() {
    for (const Expected& odd : odd_expectations()) {
        const std::string words =
            in_words("extents ", odd.extents, ", ", odd.elements, " elements of the sizes ", odd.typical_size,
                     " and ", odd.largest_size);
        within(words, [&] {
            check_configuration<Index>(Index::suited_to(odd), odd, !is_sane(odd) || odd.elements == 0);
        });
    }
}

// Extents without a meaning have to be refused by whoever has any.
template <SpatialIndex Index>
void check_bad_extents() {
    const Expected expected{{0, 0, 30, 30}, 300, 0.8f, 0.8f};
    typename Index::Config config = Index::suited_to(expected);
    if constexpr (requires { config.extents = Box{}; }) {
        for (const Expected& odd : odd_expectations()) {
            config.extents = odd.extents;
            if (is_sane(odd.extents)) continue;
            within(in_words("a configuration with the extents ", odd.extents), [&] {
                check_configuration<Index>(config, expected, true);
                if (verdict_on(odd.extents) == Code::ok) return;
                CountingResource memory;
                const Index index(config, &memory);
                require(index.status().code == Code::bad_config, "its status is ", index.status());
            });
        }
    }
}

}  // namespace throng::test
