// A shape or a cast with its filter, as it travels: a head and the numbers of its kind.
#pragma once

#include <algorithm>
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
    std::size_t words() const noexcept { return words_for_numbers(all_numbers()); }

    // Which agents it wants: those of a filter, without its `self`.
    void set_filter(const Filter& filter) noexcept {
        head.categories = filter.categories;
        head.not_in_group = filter.not_in_group;
        set_band(filter.heights);
    }
    void set_filter(const Query& other) noexcept {
        head.categories = other.head.categories;
        head.not_in_group = other.head.not_in_group;
        head.leaves_out_self = other.head.leaves_out_self;
        head.self = other.head.self;
        set_band(other.band());
    }
    void leave_out(GlobalId self) noexcept {
        head.leaves_out_self = 1;
        head.self = self;
    }
    // Those that also share a height with another band. The two need not share one. Then the band is upside
    // down, but still tells which agents share a height with both.
    void share_heights(const Band& other) noexcept {
        const Band one = band();
        set_band({std::max(one.min_z, other.min_z), std::min(one.max_z, other.max_z)});
    }
    Band band() const noexcept {
        const float* const edges = numbers + head.numbers;
        return head.has_band ? Band{edges[0], edges[1]} : Band{};
    }

    // Reads the numbers as what they are. A polygon is a view of `corners`, with room for as many as it has.
    Shape shape(Point* corners) const noexcept;
    Cast cast() const noexcept;
    std::size_t corners() const noexcept { return kind() == Shape::Kind::polygon ? head.numbers / 2u : 0u; }
    // What it cannot find anything beyond, whatever is rounded.
    Box bounds() const noexcept;

    struct Head {
        std::uint32_t query = 0;
        std::uint8_t kind = 0, agents_as = 0, numbers = 0, leaves_out_self : 1 = 0, has_band : 1 = 0;
        std::uint32_t categories = all_categories, not_in_group = no_group;
        GlobalId self = 0;
    };
    Head head;
    float numbers[most_numbers + 2];  // and the edges of a band

private:
    std::size_t all_numbers() const noexcept { return head.numbers + (head.has_band ? 2u : 0u); }
    void set_band(const Band& band) noexcept {
        head.has_band = band != Band{};
        if (!head.has_band) return;
        numbers[head.numbers] = band.min_z;
        numbers[head.numbers + 1] = band.max_z;
    }
    static constexpr std::uint8_t cast_kind = 255;
    Shape::Kind kind() const noexcept { return static_cast<Shape::Kind>(head.kind); }
};

}  // namespace throng::cluster::detail
