// The cuts, which Zoltan makes: recursive coordinate bisection of weighted points. All code for Zoltan is
// behind this file. Zoltan allocates its own memory.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <utility>

#include "cluster/src/partition/plane.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

struct Zoltan_Struct;

namespace throng::cluster::detail {

// A point that stands for so much work.
struct Weighted {
    Point place;
    float weight = 1;
};

class Partition {
public:
    Partition(MemoryResource* memory, const Plane& plane) noexcept : plane_(plane), domains_(memory) {}
    Partition(Partition&& other) noexcept
        : plane_(other.plane_),
          zoltan_(std::exchange(other.zoltan_, nullptr)),
          cut_(std::exchange(other.cut_, false)),
          domains_(std::move(other.domains_)) {}
    Partition& operator=(Partition&& other) noexcept {
        std::swap(zoltan_, other.zoltan_);
        std::swap(cut_, other.cut_);
        domains_.swap(other.domains_);
        return *this;
    }
    ~Partition();

    // Makes a partition in which the first rank has everything. False without memory, or if Zoltan refuses.
    bool make(MPI_Comm ranks, int count) noexcept;
    bool copy(const Partition& from) noexcept;  // collective
    // Collective. Cuts anew: cuts move as little as necessary, and keep their directions. Each part goes to
    // the rank that holds most of it in the sample. False if Zoltan fails.
    bool cut(std::span<const Weighted> sample) noexcept;

    // Whether parts are long and thin within a world, on the whole; and how long half of their borders are.
    bool are_thin(const Box& world) const noexcept;
    double borders(const Box& world) const noexcept;

    std::span<const Box> domains() const noexcept { return {domains_.data(), domains_.size()}; }
    // Of a folded place.
    int owner(const Point& place) const noexcept;
    // The ranks whose parts touch a box that is widened by a margin, each once. There is room for four times
    // as many as there are: two seams cut a box into four.
    std::span<const int> touched(const Box& box, double margin, std::span<int> room) const noexcept;

private:
    bool read_domains() noexcept;
    int touched(const Interval& x, const Interval& y, int* ranks) const noexcept;

    const Plane plane_;
    Zoltan_Struct* zoltan_ = nullptr;
    bool cut_ = false;
    throng::detail::Buffer<Box> domains_;
};

}  // namespace throng::cluster::detail
