// Puts numbers in the order of their keys, in place. There are nearly always two or three.
#pragma once

#include <cstdint>

namespace throng::simd {

// Key gives the key of a number. V keeps what is instantiated inside of one object file.
template <class V, class Key>
class IdOrder {
public:
    IdOrder(std::uint32_t* numbers, std::uint32_t count, const Key& key)
        : numbers_(numbers), count_(count), key_(key) {}

    void restore() const {
        constexpr std::uint32_t few = 16;
        if (count_ > few) [[unlikely]]
            return restore_many();
        for (std::uint32_t i = 1; i < count_; ++i)
            for (std::uint32_t k = i; k != 0 && is_before(k, k - 1); --k) swap(k, k - 1);
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
            child += std::uint32_t{child + 1 < count && is_before(child, child + 1)};
            if (is_before(child, root)) return;
            swap(root, child);
            root = child;
        }
    }
    bool is_before(std::uint32_t i, std::uint32_t k) const { return key_(numbers_[i]) < key_(numbers_[k]); }
    void swap(std::uint32_t i, std::uint32_t k) const {
        const std::uint32_t kept = numbers_[i];
        numbers_[i] = numbers_[k];
        numbers_[k] = kept;
    }

    std::uint32_t *numbers_, count_;
    const Key& key_;
};

}  // namespace throng::simd
