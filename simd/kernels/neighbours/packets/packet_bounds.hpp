// The bounds of packets of queriers, and the cells that any of a packet may find agents in: to the bit the least and the last
// of the cells of each, since no step changes the order of two numbers. They are found for all packets of a patch one after
// the other, as a packet alone would wait for each of these steps.
#pragma once

#include "simd/kernels/neighbours/circles.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

template <class V>
class PacketBounds : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Four;
    using typename Base::Locator;
    using typename Base::Reach;
    using typename Base::Window;

    struct Packet {
        Reach cells;
        float bounds[4];  // the least x and y, and the largest
    };

    // Of `count` queriers from number `first` on that look as far as `radius`, `packet` in each, a power of two. Returns the
    // cells that any of them may find agents in.
    Reach find(const Locate& locate, const Queriers& queriers, std::uint32_t first, std::uint32_t count,
               std::uint32_t packet, float radius) {
        locate_ = &locate;
        shift_ = Base::lowest(packet);
        count_ = count;
        Reach all{~0u, ~0u, 0, 0};
        for (std::uint32_t at = 0; at < count; at += packet) {
            Packet& next = packets_[at >> shift_];
            next = packet_of(queriers, first + at, some_at(at), radius);
            const Reach& c = next.cells;
            all.first_column = c.first_column < all.first_column ? c.first_column : all.first_column;
            all.first_row = c.first_row < all.first_row ? c.first_row : all.first_row;
            all.last_column = c.last_column > all.last_column ? c.last_column : all.last_column;
            all.last_row = c.last_row > all.last_row ? c.last_row : all.last_row;
        }
        return all;
    }
    // The packet of `some` queriers from number `first` on, which is number `at` of all.
    Packet of(const Queriers& queriers, std::uint32_t first, std::uint32_t at, std::uint32_t some,
              float radius) const {
        if (at >> shift_ << shift_ == at && some == some_at(at)) [[likely]]
            return packets_[at >> shift_];
        return packet_of(queriers, first, some, radius);
    }

private:
    static constexpr std::uint32_t max_packets = 16;

    std::uint32_t some_at(std::uint32_t at) const {
        const std::uint32_t packet = 1u << shift_, left = count_ - at;
        return left < packet ? left : packet;
    }
    Packet packet_of(const Queriers& queriers, std::uint32_t first, std::uint32_t some, float radius) const {
        const Four bounds = bounds_of(queriers, first, some);
        const Four corners = bounds + below_and_above(Four(Circles<V>::reach(radius)));
        Packet packet;
        packet.cells =
            Locator(*locate_).reach(corners + below_and_above(xsimd::abs(corners) * Four(Circles<V>::wider)));
        bounds.store_unaligned(packet.bounds);
        return packet;
    }
    // What is subtracted from the least and added to the largest; after it was rounded, so that its sign does not matter.
    static Four below_and_above(const Four& by) {
        alignas(16) static constexpr float signs[4] = {-1, -1, 1, 1};
        return by * Four::load_aligned(signs);
    }

    // The least and the largest coordinates of some queriers: x, y, x, y. Vectors are not put together from single floats,
    // which would have to be written first.
    static Four bounds_of(const Queriers& queriers, std::uint32_t first, std::uint32_t some) {
        const float *const xs = queriers.x + first, *const ys = queriers.y + first;
        if (some % Window::size != 0) [[unlikely]]
            return bounds_of_few(xs, ys, some);
        Window least = negated_too(xs, ys);
        for (std::uint32_t i = Window::size; i < some; i += Window::size)
            least = V::smaller(negated_too(xs + i, ys + i), least);
        Four all = V::quarter(least, 0);
        if constexpr (Window::size > Four::size) all = V::smaller(V::quarter(least, 1), all);
        return below_and_above(-all);
    }
    // In each quarter the least of x, of y, of -x and of -y.
    static Window negated_too(const float* xs, const float* ys) {
        Window a = Window::load_unaligned(xs), b = Window::load_unaligned(ys), c = -a, d = -b;
        Base::transpose(a, b, c, d);
        return V::smaller(V::smaller(a, b), V::smaller(c, d));
    }
    static Four bounds_of_few(const float* xs, const float* ys, std::uint32_t some) {
        float low_x = xs[0], low_y = ys[0], high_x = low_x, high_y = low_y;
        for (std::uint32_t i = 1; i < some; ++i) {
            low_x = xs[i] < low_x ? xs[i] : low_x;
            low_y = ys[i] < low_y ? ys[i] : low_y;
            high_x = xs[i] > high_x ? xs[i] : high_x;
            high_y = ys[i] > high_y ? ys[i] : high_y;
        }
        return Base::Locator::four(low_x, low_y, high_x, high_y);
    }

    const Locate* locate_ = nullptr;
    std::uint32_t shift_ = 0, count_ = 0;
    Packet packets_[max_packets];
};

}  // namespace throng::simd
