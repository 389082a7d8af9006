#include "engine/src/plan/survey/floors.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/sample.hpp"
#include "engine/src/plan/numbers.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

// Agents of the sample between two floors, and the floor that would divide them best.
struct SampledStorey {
    std::size_t begin, end;  // in a list that is ordered by lower edges
    float floor;
    double saved;  // looks saved over all searches; 0 if a floor is not worth it
};

class DivisionByFloors {
public:
    // An agent with every height is between storeys, whatever the floors are.
    explicit DivisionByFloors(std::span<const Band> bands) noexcept {
        for (const Band& band : bands)
            if (band != Band{}) bands_[count_++] = band;
        std::sort(bands_.data(), bands_.data() + count_,
                  [](const Band& a, const Band& b) { return a.min_z < b.min_z; });
        storeys_[size_++] = best_of(0, count_);
    }

    // Divides the storey that saves most.
    bool divide() noexcept {
        SampledStorey& storey = *std::max_element(storeys_.data(), storeys_.data() + size_, saves_less);
        if (storey.saved == 0) return false;
        const float floor = floors_[size_ - 1] = storey.floor;
        // Agents that end below stay below.
        Band* const first = bands_.data() + storey.begin;
        Band* const last = bands_.data() + storey.end;
        Band* const above =
            std::lower_bound(first, last, floor, [](const Band& b, float z) { return b.min_z < z; });
        Band* const below = std::remove_if(first, above, [&](const Band& b) { return b.max_z >= floor; });
        const auto place = [&](const Band* at) { return static_cast<std::size_t>(at - bands_.data()); };
        storeys_[size_++] = best_of(place(above), place(last));
        storey = best_of(storey.begin, place(below));
        return true;
    }
    simd::Floors floors() noexcept {
        simd::Floors floors;
        std::fill(std::begin(floors.at), std::end(floors.at), simd::not_a_number);
        floors.count = static_cast<std::uint32_t>(size_ - 1);
        std::copy_n(floors_.data(), floors.count, floors.at);
        std::sort(floors.at, floors.at + floors.count);
        return floors;
    }
    std::size_t storeys() const noexcept { return size_; }

private:
    static double number(std::size_t count) noexcept { return static_cast<double>(count); }
    static bool saves_less(const SampledStorey& a, const SampledStorey& b) noexcept {
        return a.saved < b.saved;
    }

    // A floor lies in the middle between the edges beside it, so that it parts agents outside the sample too.
    static float between(float low, float high) noexcept {
        const float middle = low / 2 + high / 2;
        return low < middle && middle < high ? middle : high;
    }

    // Every search looks at the agents of its storey, and at all agents that a floor goes through. These look
    // at all agents.
    SampledStorey best_of(std::size_t begin, std::size_t end) noexcept {
        SampledStorey storey{begin, end, 0, 0};
        const std::size_t all = end - begin;
        const float* const tops = tops_.data();
        for (std::size_t i = 0; i < all; ++i) tops_[i] = bands_[begin + i].max_z;
        sort_numbers<surveyed>(tops_.data(), all);
        std::size_t below = 0;
        for (std::size_t i = 1; i < all; ++i) {
            const float low = bands_[begin + i].min_z, before = bands_[begin + i - 1].min_z;
            if (!(before < low) || low == std::numeric_limits<float>::infinity()) continue;
            while (below < all && tops[below] < low) ++below;
            const double above = number(all - i), cut = number(i - below),
                         saved = number(all) * number(all) - number(below) * number(below) - above * above -
                                 cut * number(all + count_);
            if (saved <= storey.saved) continue;
            storey.saved = saved;
            storey.floor = between(below == 0 ? before : std::max(before, tops[below - 1]), low);
        }
        const double here = number(all);
        if (here < fewest_on_storey || storey.saved < worth_a_floor * here * here) storey.saved = 0;
        return storey;
    }

    std::array<Band, surveyed> bands_;
    std::array<float, surveyed> tops_;
    std::size_t count_ = 0;
    std::array<SampledStorey, simd::Floors::most + 1> storeys_;
    std::array<float, simd::Floors::most + 1> floors_;
    std::size_t size_ = 0;
};

}  // namespace

simd::Floors find_floors(std::span<const Band> bands, std::size_t most) noexcept {
    DivisionByFloors division(bands);
    const std::size_t storeys = std::min<std::size_t>(most, simd::Floors::most + 1);
    while (division.storeys() < storeys && division.divide()) {
    }
    return division.floors();
}

double looks_with(const simd::Floors& floors, std::span<const Band> bands) noexcept {
    std::array<std::size_t, simd::Floors::most + 2> on_layer{};
    for (const Band& band : bands) ++on_layer[layer_of(floors, band)];
    const double all = static_cast<double>(bands.size()), between = static_cast<double>(on_layer[0]);
    double looks = between * all;
    for (std::size_t k = 1; k < on_layer.size(); ++k)
        looks += static_cast<double>(on_layer[k]) * (static_cast<double>(on_layer[k]) + between);
    return looks / std::max(all, 1.0);
}

}  // namespace throng::detail
