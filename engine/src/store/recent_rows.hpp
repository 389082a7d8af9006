// The rows that the last few commits rebuilt, so the tables of a dropped frame can be updated instead of
// copied as a whole (store.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::detail {

class RecentRows {
public:
    // If more rows are new, copying all tables costs no more than the commits did.
    static constexpr std::size_t most = 512;

    // All frames from this number on have the newest frame's map, and its rows except the recorded ones.
    std::uint64_t since() const noexcept { return since_; }
    std::span<const std::uint32_t> rows() const noexcept { return {rows_.data(), count_}; }

    // Starts again at a frame that shares nothing with the one before.
    void start_at(std::uint64_t frame) noexcept {
        since_ = frame;
        count_ = 0;
    }
    // Adds the rows in which a frame differs from the one before.
    void add(std::uint64_t frame, std::span<const std::uint32_t> rows) noexcept {
        if (rows.size() > most - count_) return start_at(frame);
        for (const std::uint32_t row : rows) {
            frames_[count_] = frame;
            rows_[count_++] = row;
        }
    }
    // Frames older than this one are no longer needed.
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
    std::array<std::uint64_t, most> frames_{};  // the frame that made each row, ascending
};

}  // namespace throng::detail
