// Puts agents of a row that follow each other in the order of their ids, in place. Nearly always two or three.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
class IdOrder {
public:
    // The agents [begin, end).
    IdOrder(const Row& row, std::uint32_t begin, std::uint32_t end)
        : data_(const_cast<float*>(row.data) + begin),
          ids_(reinterpret_cast<std::uint32_t*>(data_ + std::size_t{4} * row.stride)),
          stride_(row.stride),
          count_(end - begin) {}

    void restore() const {
        constexpr std::uint32_t few = 16;
        if (count_ > few) [[unlikely]]
            return restore_many();
        for (std::uint32_t i = 1; i < count_; ++i)
            for (std::uint32_t k = i; k != 0 && ids_[k] < ids_[k - 1]; --k) swap(k, k - 1);
    }

private:
    // As a heap, which needs no memory.
    void restore_many() const {
        for (std::uint32_t root = count_ / 2; root-- != 0;) sink(root, count_);
        for (std::uint32_t last = count_ - 1; last != 0; --last) {
            swap(0, last);
            sink(0, last);
        }
    }
    void sink(std::uint32_t root, std::uint32_t count) const {
        for (;;) {
            std::uint32_t child = 2 * root + 1;
            if (child >= count) return;
            child += child + 1 < count && ids_[child] < ids_[child + 1] ? 1 : 0;
            if (ids_[root] > ids_[child]) return;
            swap(root, child);
            root = child;
        }
    }
    void swap(std::uint32_t i, std::uint32_t k) const {
        for (float* side = data_; side != data_ + std::size_t{4} * stride_; side += stride_) {
            const float kept = side[i];
            side[i] = side[k];
            side[k] = kept;
        }
        const std::uint32_t kept = ids_[i];
        ids_[i] = ids_[k];
        ids_[k] = kept;
    }

    float* data_;
    std::uint32_t* ids_;
    std::size_t stride_;
    std::uint32_t count_;
};

}  // namespace throng::simd
