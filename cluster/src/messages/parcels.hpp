// Parcels: records of 64-bit words for other ranks, all of one size. They are packed into one array, rank
// after rank, and sent without blocking.
//
//     parcels.begin(ranks, words)                of how many words a record is,
//     parcels.count(rank) ...                    which rank each is for,
//     parcels.open()                             makes room,
//     word = parcels.place(rank) ...             which is filled
//     post.to_neighbours(parcels, peers, take)   and sent: take(rank, words) is called for what came
//
// A rank without memory sends nothing, and says so afterwards. It still takes part in every exchange, so no
// other rank waits for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "throng/memory.hpp"

namespace throng::cluster::detail {

using Word = std::uint64_t;

template <class T>
constexpr std::size_t words_of() noexcept {
    return (sizeof(T) + sizeof(Word) - 1) / sizeof(Word);
}
inline std::size_t words_for(std::size_t bytes) noexcept { return (bytes + sizeof(Word) - 1) / sizeof(Word); }

inline Word* put_bytes(Word* at, const void* from, std::size_t bytes) noexcept {
    at[words_for(bytes) - 1] = 0;
    std::memcpy(at, from, bytes);
    return at + words_for(bytes);
}
template <class T>
Word* put(Word* at, const T& value) noexcept {
    return put_bytes(at, &value, sizeof value);
}
template <class T>
const Word* get(const Word* at, T& value) noexcept {
    std::memcpy(static_cast<void*>(&value), at, sizeof value);
    return at + words_of<T>();
}

class Parcels {
public:
    explicit Parcels(MemoryResource* memory) noexcept : begins_(memory), filled_(memory), words_(memory) {}

    bool begin(int ranks, std::size_t record_words) noexcept {
        if (is_on_its_way_) return false;
        ranks_ = static_cast<std::size_t>(ranks);
        record_ = record_words;
        if (!begins_.resize(ranks_ + 1) || !filled_.resize(ranks_)) return false;
        clear();
        return true;
    }
    void count(int to, std::size_t records = 1) noexcept {
        begins_[static_cast<std::size_t>(to) + 1] += records * record_;
    }
    // Without memory there are no parcels.
    bool open() noexcept {
        for (std::size_t r = 0; r < ranks_; ++r) {
            begins_[r + 1] += begins_[r];
            filled_[r] = begins_[r];
        }
        if (words_.resize(begins_[ranks_])) return true;
        clear();
        return false;
    }
    Word* place(int to, std::size_t records = 1) noexcept {
        Word* const at = words_.data() + filled_[static_cast<std::size_t>(to)];
        filled_[static_cast<std::size_t>(to)] += records * record_;
        return at;
    }
    std::span<const Word> of(int rank) const noexcept {
        const std::size_t r = static_cast<std::size_t>(rank);
        return {words_.data() + begins_[r], begins_[r + 1] - begins_[r]};
    }
    std::size_t record_words() const noexcept { return record_; }
    std::size_t bytes() const noexcept { return begins_.bytes() + filled_.bytes() + words_.bytes(); }
    // Gives back what a large exchange needed.
    void release() noexcept {
        if (!is_on_its_way_) words_.release();
    }
    // For good: MPI may still read what is sent.
    void keep() noexcept { is_on_its_way_ = true; }
    void clear() noexcept {
        for (std::size_t& begin : begins_) begin = 0;
        words_.clear();
    }

private:
    std::size_t ranks_ = 0, record_ = 1;
    bool is_on_its_way_ = false;
    throng::detail::Buffer<std::size_t> begins_, filled_;
    throng::detail::Buffer<Word> words_;
};

}  // namespace throng::cluster::detail
