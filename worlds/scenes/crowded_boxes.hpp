// Very many boxes in a small place, with few overlaps or all: a grid cannot tell them apart.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <utility>
#include <vector>

#include "throng/geometry.hpp"
#include "worlds/scenes/random.hpp"

namespace throng::test {

// All within the unit square, in random order.
struct CrowdedBoxes {
    const char* name;
    Box (*place)(Random& random, float t, float share);  // t from 0 to 1, share: 1 / count
    bool alike;                                          // whether one axis tells nearly all apart

    std::vector<Box> make(std::size_t count, std::uint64_t seed = 1) const {
        Random random(seed);
        std::vector<Box> boxes;
        const float share = 1 / static_cast<float>(count);
        for (std::size_t i = 0; i < count; ++i)
            boxes.push_back(place(random, (static_cast<float>(i) + 0.5f) * share, share));
        for (std::size_t i = count; i > 1; --i) std::swap(boxes[i - 1], boxes[random.below(i)]);
        return boxes;
    }
};

inline void PrintTo(const CrowdedBoxes& kind, std::ostream* out) { *out << kind.name; }

inline const CrowdedBoxes crowded_boxes[] = {
    {"lying_slivers",
     [](Random& r, float t, float share) {
         const float x = r.uniform(0, 0.1f);
         return Box{x, t, x + 0.9f, t + share * 0.3f};
     },
     true},
    {"standing_slivers",
     [](Random& r, float t, float share) {
         const float y = r.uniform(0, 0.1f);
         return Box{t, y, t + share * 0.3f, y + 0.9f};
     },
     true},
    {"points",
     [](Random& r, float, float) {
         const float x = r.uniform(), y = r.uniform();
         return Box{x, y, x, y};
     },
     true},
    {"squares",
     [](Random& r, float, float share) {
         const float x = r.uniform(), y = r.uniform(), side = 0.4f * std::sqrt(share);
         return Box{x, y, x + side, y + side};
     },
     true},
    {"lying_and_standing_apart",
     [](Random& r, float t, float share) {
         const float along = r.uniform(0, 0.1f);
         if (r.one_in(2)) return Box{along, 0.5f * t, along + 0.9f, 0.5f * t + share * 0.1f};
         return Box{t, 0.52f + along, t + share * 0.2f, 0.9f + along};
     },
     false},
    {"a_board_of_lying_and_standing",
     [](Random& r, float t, float share) {
         const int column = r.between(0, 7), row = r.between(0, 7);
         const float x = static_cast<float>(column) * 0.125f, y = static_cast<float>(row) * 0.125f,
                     at = t * 0.12f;
         if ((column + row) % 2 == 0) return Box{x, y + at, x + 0.12f, y + at + share * 0.01f};
         return Box{x + at, y, x + at + share * 0.01f, y + 0.12f};
     },
     false},
    {"a_lattice_of_crossings",
     [](Random& r, float t, float share) {
         if (r.one_in(100)) return Box{0, t, 1, t};
         return Box{t, 0, t + share * 0.1f, r.uniform(0.5f, 1)};
     },
     false},
    {"sizes_over_decades",
     [](Random& r, float, float share) {
         const float width = r.decades(-6, -2) * 0.1f, height = r.decades(-6, -2) * 0.1f;
         const float x = r.uniform(0, 1 - width), y = r.uniform(0, 1 - height);
         return Box{x, y, x + width * share * 100, y + height};
     },
     false},
};

}  // namespace throng::test
