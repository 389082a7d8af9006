// Which rows the last few commits made anew, so that the tables of a dropped frame can be brought up to date instead of
// all being copied (store.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::detail {

class RecentRows {
public:
    // Where more rows are new, copying all tables costs no more than the commits did.
    static constexpr std::size_t most = 512;

    // All frames from this number on have the newest one's rows but for those that are noted, and stand on its map.
    std::uint64_t since() const noexcept { return since_; }
    std::span<const std::uint32_t> rows() const noexcept { return {rows_.data(), count_}; }

    // A frame has nothing in common with the one before.
    void start_at(std::uint64_t frame) noexcept {
        since_ = frame;
        count_ = 0;
    }
    // The rows in which a frame differs from the one before.
    void add(std::uint64_t frame, std::span<const std::uint32_t> rows) noexcept {
        if (rows.size() > most - count_) return start_at(frame);
        for (const std::uint32_t row : rows) {
            frames_[count_] = frame;
            rows_[count_++] = row;
        }
    }
    // No frame older than this one will be asked about.
    void forget_before(std::uint64_t frame) noexcept {
        const auto kept = static_cast<std::size_t>(
            std::upper_bound(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(count_), frame) -
            frames_.begin());
        std::copy(frames_.begin() + static_cast<std::ptrdiff_t>(kept),
                  frames_.begin() + static_cast<std::ptrdiff_t>(count_), frames_.begin());
        std::copy(rows_.begin() + static_cast<std::ptrdiff_t>(kept),
                  rows_.begin() + static_cast<std::ptrdiff_t>(count_), rows_.begin());
        count_ -= kept;
        since_ = frame;
    }

private:
    std::uint64_t since_ = 0;
    std::size_t count_ = 0;
    std::array<std::uint32_t, most> rows_{};
    std::array<std::uint64_t, most> frames_{};  // in which each row was new, ascending
};

}  // namespace throng::detail
