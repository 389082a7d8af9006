// How buffers grow and shrink if their need varies from frame to frame.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "throng/compiler.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// Adds headroom to a need that varies a little from frame to frame: a share for large counts, a constant for
// small ones. Answers may be more than a size of 32 bits can say: then it is the largest size.
inline std::size_t amply(std::uint64_t count) noexcept {
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(count + count / 4 + 256, std::numeric_limits<std::size_t>::max()));
}

// The same for numbers of answers, which vary by several times their square root.
inline std::size_t more_than_amply(std::size_t count) noexcept {
    return amply(count) + static_cast<std::size_t>(16 * std::sqrt(static_cast<double>(count)));
}

// The room for one part of a result in a space. From frame to frame parts need more or less, and blocks get
// other spaces. So every part follows the longest one. It grows only when the longest part no longer fits.
struct PartRoom {
    std::size_t count = 0;

    void follow(std::size_t longest) noexcept {
        if (longest > count) count = more_than_amply(longest);
    }
};

// Makes room for `count` values, with headroom if the buffer has to grow.
template <class T>
[[nodiscard]] bool reserve_amply(Buffer<T>& buffer, std::uint64_t count) noexcept {
    return count <= buffer.capacity() || buffer.reserve(amply(count));
}

// Sets the size of a buffer whose need varies from frame to frame, with headroom if it has to allocate.
template <class T, class... Value>
[[nodiscard]] bool resize_amply(Buffer<T>& buffer, std::uint64_t count, Value... value) noexcept {
    return reserve_amply(buffer, count) && buffer.resize(static_cast<std::size_t>(count), value...);
}

// The same for a table with an entry for each row, or some multiple of that. The number of rows changes a
// little whenever islands are replanned; without islands it changes only with the grid.
template <class T, class... Value>
[[nodiscard]] bool resize_by_rows(bool rows_vary, Buffer<T>& buffer, std::size_t count,
                                  Value... value) noexcept {
    return (!rows_vary || reserve_amply(buffer, count)) && buffer.resize(count, value...);
}

// Frees a buffer whose content is no longer needed, if it was made for many times as many values as are usual
// now. A normal need stays far below the bound, even with few agents. So a settled simulation never frees,
// and a slowly shrinking one does so rarely.
template <class T>
void release_excess(Buffer<T>& buffer, std::size_t usual) noexcept {
    if (buffer.capacity() > std::max(16 * 1024 / sizeof(T), amply(32)) + 4 * usual) buffer.release();
}

// The scratch of a writer: buffers that stay from call to call, while what is in them does not. A buffer
// enters the list when it is made, so one call frees all that are much too large, whatever they belong to.
class ScratchList {
public:
    // For a buffer with one value for each id, instead of so many for each agent.
    static constexpr std::size_t by_id = 0;

    class Member {
    public:
        Member(const Member&) = delete;

    protected:
        Member(ScratchList& list, std::size_t for_an_agent) noexcept
            : list_(list), for_an_agent_(for_an_agent), next_(std::exchange(list.first_, this)) {}
        // Mostly the last one that came is the first to leave.
        THRONG_NOINLINE virtual ~Member() {
            Member** link = &list_.first_;
            while (*link != this) link = &(*link)->next_;
            *link = next_;
        }

    private:
        friend class ScratchList;
        // Frees the member if it is much too large for so many values.
        virtual void release_beyond(std::size_t usual) noexcept = 0;

        ScratchList& list_;
        const std::size_t for_an_agent_;
        Member* next_;
    };

    explicit ScratchList(MemoryResource* memory) noexcept : memory_(memory) {}
    ScratchList(const ScratchList&) = delete;
    operator MemoryResource*() const noexcept { return memory_; }  // NOLINT(google-explicit-constructor)

    // Frees the buffers that are much too large for this many agents, or for so many places by id.
    void release_excess(std::size_t agents, std::size_t places) noexcept {
        for (Member* one = first_; one != nullptr; one = one->next_)
            one->release_beyond(one->for_an_agent_ == by_id ? places : one->for_an_agent_ * agents);
    }

private:
    MemoryResource* const memory_;
    Member* first_ = nullptr;
};

template <class T>
class Scratch final : public Buffer<T>, ScratchList::Member {
public:
    explicit Scratch(ScratchList& list, std::size_t for_an_agent = 1) noexcept
        : Buffer<T>(list), Member(list, for_an_agent) {}

private:
    void release_beyond(std::size_t usual) noexcept override { release_excess<T>(*this, usual); }
};

// Called when a result is complete: if it nearly fills its buffer, the buffer grows now, while the world is
// still settling. Lack of memory here is no failure.
template <class T>
void keep_ample(Buffer<T>& buffer, std::size_t used) noexcept {
    if (used + used / 8 + 64 > buffer.capacity()) (void)buffer.reserve(more_than_amply(used));
}

}  // namespace throng::detail
