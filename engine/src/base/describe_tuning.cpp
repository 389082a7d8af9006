#include <charconv>
#include <cstring>

#include "throng/reports.hpp"

namespace throng {

namespace {

// Writes what fits, and counts all of it.
class Text {
public:
    explicit Text(std::span<char> out) noexcept : out_(out) {}
    Text& operator<<(const char* words) noexcept {
        put(words, std::strlen(words));
        return *this;
    }
    Text& operator<<(std::uint64_t number) noexcept {
        char digits[24];
        put(digits,
            static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits));
        return *this;
    }
    Text& operator<<(float number) noexcept {
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof digits, number, std::chars_format::general, 4);
        put(digits, static_cast<std::size_t>(end.ptr - digits));
        return *this;
    }
    std::size_t finish() noexcept {
        if (!out_.empty()) out_[length_ < out_.size() ? length_ : out_.size() - 1] = '\0';
        return length_;
    }

private:
    void put(const char* words, std::size_t count) noexcept {
        for (std::size_t i = 0; i < count; ++i, ++length_)
            if (length_ < out_.size()) out_[length_] = words[i];
    }

    std::span<char> out_;
    std::size_t length_ = 0;
};

}  // namespace

std::size_t describe(const Tuning& t, std::span<char> text) noexcept {
    Text out(text);
    if (t.reason == TuningReason::nothing_to_fit || t.reason == TuningReason::few) {
        out << describe(t.reason);
        return out.finish();
    }
    out << std::uint64_t{t.columns} << " x " << std::uint64_t{t.rows} << " cells of " << t.cell_width << " x "
        << t.row_height;
    if (t.islands != 0)
        out << ", and " << std::uint64_t{t.islands} << " islands with cells of their own that hold all but "
            << t.strays << " agents";
    out << ": " << describe(t.reason) << "; " << t.oversized << " agents larger than " << t.common_width
        << " x " << t.common_height << " are kept beside the grid";
    if (t.times_rebuilt != 0)
        out << "; expensive frames were built once more " << t.times_rebuilt
            << (t.times_rebuilt == 1 ? " time" : " times");
    return out.finish();
}

}  // namespace throng
