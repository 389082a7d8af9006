// Texts with numbers, written into the memory of the caller.
#include <charconv>
#include <cmath>
#include <cstring>

#include "throng/reports.hpp"
#include "throng/version.hpp"

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
    // Four digits, as printf's %.4g. Older standard libraries have no to_chars for floats.
    Text& operator<<(float number) noexcept {
        if (number < 0) *this << "-";
        double scaled = std::abs(double{number});
        if (!std::isfinite(scaled)) return *this << "inf";
        if (scaled == 0) return *this << "0";
        int exponent = 3;
        for (; scaled >= 9999.5; ++exponent) scaled /= 10;
        for (; scaled < 999.95; --exponent) scaled *= 10;
        put_digits(static_cast<std::uint32_t>(scaled + 0.5), exponent);
        return *this;
    }
    std::size_t finish() noexcept {
        if (!out_.empty()) out_[length_ < out_.size() ? length_ : out_.size() - 1] = '\0';
        return length_;
    }

private:
    // `number` has four digits; the first one counts 10^exponent. Zeros at the end are left out.
    void put_digits(std::uint32_t number, int exponent) noexcept {
        char digits[4] = {};
        int count = 4;
        for (int i = 4; i-- != 0; number /= 10) {
            digits[i] = static_cast<char>('0' + number % 10);
            if (i == count - 1 && i != 0 && digits[i] == '0') --count;
        }
        const bool scientific = exponent < -4 || exponent >= 4;
        const int point = scientific ? 0 : exponent;  // behind this digit
        if (point < 0) put("0.000", static_cast<std::size_t>(1 - point));
        for (int i = 0; i < count || i <= point; ++i) {
            if (i == point + 1 && point >= 0) put(".", 1);
            put(i < count ? digits + i : "0", 1);
        }
        if (!scientific) return;
        *this << (exponent < 0 ? "e-" : "e+") << (std::abs(exponent) < 10 ? "0" : "")
              << static_cast<std::uint64_t>(std::abs(exponent));
    }
    void put(const char* words, std::size_t count) noexcept {
        for (std::size_t i = 0; i < count; ++i, ++length_)
            if (length_ < out_.size()) out_[length_] = words[i];
    }

    std::span<char> out_;
    std::size_t length_ = 0;
};

void describe_grid(const Tuning& t, Text& out) noexcept {
    out << std::uint64_t{t.columns} << " x " << std::uint64_t{t.rows} << " cells of " << t.cell_width << " x "
        << t.row_height;
    if (t.islands != 0) out << ", and " << std::uint64_t{t.islands} << " islands with cells of their own";
    out << ": " << describe(t.reason) << "; " << t.oversized << " agents larger than " << t.common_width
        << " x " << t.common_height << " are kept beside the grid";
}

}  // namespace

std::size_t describe(const Status& status, std::span<char> text) noexcept {
    Text out(text);
    out << status.message();
    if (status.index != Status::no_index) out << " (index " << std::uint64_t{status.index} << ")";
    return out.finish();
}

std::size_t describe(const BuildInfo& info, std::span<char> text) noexcept {
    Text out(text);
    const auto put = [&out](int number) { out << static_cast<std::uint64_t>(number); };
    out << "Throng ";
    put(info.version.major);
    out << ".";
    put(info.version.minor);
    out << ".";
    put(info.version.patch);
    out << ", " << info.compiler;
    if (info.has_tbb)
        out << ", oneTBB " << info.tbb_version;
    else
        out << ", without oneTBB";
    out << ", kernels for ";
    const char* between = "";
    for (const Isa isa : info.instruction_sets) {
        out << between << to_string(isa);
        between = ", ";
    }
    return out.finish();
}

std::size_t describe(const Tuning& t, std::span<char> text) noexcept {
    Text out(text);
    if (t.reason == TuningReason::nothing_to_fit || t.reason == TuningReason::few) {
        out << describe(t.reason);
        return out.finish();
    }
    if (t.reason == TuningReason::all_oversized)
        out << describe(t.reason);
    else
        describe_grid(t, out);
    return out.finish();
}

}  // namespace throng
