// The row of one query in the answer to which points are nearest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace throng::structures::detail {

// The nearest so far of one query, in its row of the host's arrays: few in ascending order, and many as a
// heap, with the farthest first.
template <class Each>
class NearestRow {
public:
    NearestRow(double* measures, std::int64_t* ids, std::size_t most, double below) noexcept
        : measures_(measures), ids_(ids), most_(most), bound_(below) {}

    double bound() const noexcept { return bound_; }
    // found[i] is the measure of ids[i].
    template <class Found>
    void offer(const Found& found, const std::uint32_t* ids, std::size_t number) noexcept {
        if (most_ > few) return offer_many(found, ids, number);
        // Copies: as far as a compiler knows, the row may lie where the members do.
        double *const measures = measures_, bound = bound_;
        std::int64_t* const its_ids = ids_;
        std::size_t count = count_;
        for (std::size_t i = 0; i < number; ++i) {
            const double measure = found[i];
            if (!(measure < bound)) continue;
            std::size_t at = count < most_ ? count++ : most_ - 1;
            for (; at != 0 && measures[at - 1] > measure; --at) {
                measures[at] = measures[at - 1];
                its_ids[at] = its_ids[at - 1];
            }
            measures[at] = measure;
            its_ids[at] = ids[i];
            if (count == most_) bound = measures[most_ - 1];
        }
        bound_ = bound, count_ = count;
    }
    // Turns measures into distances in ascending order, and fills the rest of the row.
    void finish(std::size_t none) noexcept {
        for (std::size_t i = most_ > few ? count_ : 0; i > 1; --i) {
            const double last = measures_[i - 1];
            const std::int64_t id = ids_[i - 1];
            measures_[i - 1] = measures_[0], ids_[i - 1] = ids_[0];
            sink(last, id, i - 1);
        }
        for (std::size_t i = 0; i < count_; ++i) measures_[i] = Each::distance(measures_[i]);
        for (; count_ < most_; ++count_) {
            measures_[count_] = std::numeric_limits<double>::infinity();
            ids_[count_] = static_cast<std::int64_t>(none);
        }
    }

private:
    static constexpr std::size_t few = 64;

    template <class Found>
    void offer_many(const Found& found, const std::uint32_t* ids, std::size_t number) noexcept {
        for (std::size_t i = 0; i < number; ++i) {
            if (!(found[i] < bound_)) continue;
            if (count_ < most_)
                rise(found[i], ids[i], count_++);
            else
                sink(found[i], ids[i], most_);
            if (count_ == most_) bound_ = measures_[0];
        }
    }
    void rise(double measure, std::int64_t id, std::size_t at) noexcept {
        for (; at != 0 && measures_[(at - 1) / 2] < measure; at = (at - 1) / 2)
            measures_[at] = measures_[(at - 1) / 2], ids_[at] = ids_[(at - 1) / 2];
        measures_[at] = measure, ids_[at] = id;
    }
    // Puts it in the place of the first of a heap of so many.
    void sink(double measure, std::int64_t id, std::size_t count) noexcept {
        std::size_t at = 0;
        for (std::size_t next = 1; next < count; next = 2 * at + 1) {
            if (next + 1 < count && measures_[next + 1] > measures_[next]) ++next;
            if (!(measures_[next] > measure)) break;
            measures_[at] = measures_[next], ids_[at] = ids_[next];
            at = next;
        }
        measures_[at] = measure, ids_[at] = id;
    }

    double* const measures_;
    std::int64_t* const ids_;
    std::size_t count_ = 0;
    const std::size_t most_;
    double bound_;
};

}  // namespace throng::structures::detail
