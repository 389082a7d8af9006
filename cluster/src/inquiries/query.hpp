// A shape or a cast with its filter, as it travels: a head and the numbers of its kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cluster/src/messages/parcels.hpp"
#include "cluster/src/partition/domain.hpp"
#include "throng/agents_as.hpp"
#include "throng/cluster/status.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/shapes.hpp"

namespace throng::cluster::detail {

struct Query {
    static constexpr std::size_t most_numbers = 2 * ConvexPolygon::max_corners;

    explicit Query(const Shape& shape) noexcept;
    explicit Query(const Cast& cast) noexcept;
    explicit Query(const Word* words) noexcept;

    void pack(Word* at) const noexcept;
    static std::size_t words_for_numbers(std::size_t numbers) noexcept {
        return words_of<Head>() + words_for(numbers * sizeof(float));
    }
    std::size_t words() const noexcept { return words_for_numbers(head.numbers); }

    // Reads the numbers as what they are. A polygon is a view of `corners`, with room for as many as it has.
    Shape shape(Point* corners) const noexcept;
    Cast cast() const noexcept;
    std::size_t corners() const noexcept { return kind() == Shape::Kind::polygon ? head.numbers / 2u : 0u; }
    // What it cannot find anything beyond, whatever is rounded.
    Box bounds() const noexcept;

    struct Head {
        std::uint32_t query = 0;
        std::uint8_t kind = 0, agents_as = 0, numbers = 0, leaves_out_self = 0;
        std::uint32_t categories = all_categories, not_in_group = no_group;
        GlobalId self = 0;
    };
    Head head;
    float numbers[most_numbers];

private:
    static constexpr std::uint8_t cast_kind = 255;
    Shape::Kind kind() const noexcept { return static_cast<Shape::Kind>(head.kind); }
};

}  // namespace throng::cluster::detail
