// Numbers as bytes that are the same on every machine: the lowest byte first, nothing in between, zero
// without a sign, and one NaN. A list of fields is a template that takes a writer or a reader, so writing and
// reading cannot differ:
//
//     fields.number(grid.origin_x, -widest, widest);
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "throng/compiler.hpp"

namespace throng::detail {

// Writes as many bytes as fit, and counts all.
class FieldWriter {
public:
    explicit FieldWriter(std::span<std::byte> room) noexcept : room_(room) {}

    template <class T>
    void number(const T& value, T, T) noexcept {
        write(value);
    }
    template <class T>
    void number_or_nan(const T& value, T, T) noexcept {
        write(value);
    }
    void flag(bool value) noexcept { put<1>(value); }
    // Sizes have 64 bits on all machines.
    void count(std::size_t value, std::size_t) noexcept { put<8>(value); }
    template <class Enum>
    void one_of(Enum value, Enum) noexcept {
        put<1>(static_cast<std::uint64_t>(value));
    }

    std::size_t total() const noexcept { return at_; }

private:
    void write(float value) noexcept {
        put<4>(value == 0 ? 0 : bits_as<std::uint32_t>(value == value ? value : nan<float>));
    }
    void write(double value) noexcept {
        put<8>(value == 0 ? 0 : bits_as<std::uint64_t>(value == value ? value : nan<double>));
    }
    void write(std::uint32_t value) noexcept { put<4>(value); }
    void write(std::uint64_t value) noexcept { put<8>(value); }

    // If all fit, a compiler makes one store of them.
    template <std::size_t bytes>
    void put(std::uint64_t bits) noexcept {
        const std::size_t at = at_;
        at_ += bytes;
        if (at_ <= room_.size()) {
            std::byte* const to = room_.data() + at;
            for (std::size_t k = 0; k < bytes; ++k) to[k] = static_cast<std::byte>(bits >> 8 * k);
            return;
        }
        for (std::size_t k = at; k < room_.size(); ++k)
            room_[k] = static_cast<std::byte>(bits >> 8 * (k - at));
    }

    template <class T>
    static constexpr T nan = std::numeric_limits<T>::quiet_NaN();

    std::span<std::byte> room_;
    std::size_t at_ = 0;
};

// Reads what was written, and refuses numbers outside the limits of a field. After the first refusal, and
// past the end, fields keep their values.
class FieldReader {
public:
    explicit FieldReader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

    template <class T>
    void number(T& value, T least, T most) noexcept {
        const T read = next<T>();
        if (accept(read >= least && read <= most)) value = read;
    }
    template <class T>
    void number_or_nan(T& value, T least, T most) noexcept {
        const T read = next<T>();
        if (accept(read != read || (read >= least && read <= most))) value = read;
    }
    void flag(bool& value) noexcept {
        const std::uint64_t bits = take<1>();
        if (accept(bits <= 1)) value = bits != 0;
    }
    void count(std::size_t& value, std::size_t most) noexcept {
        const std::uint64_t bits = take<8>();
        if (accept(bits <= most)) value = static_cast<std::size_t>(bits);
    }
    template <class Enum>
    void one_of(Enum& value, Enum last) noexcept {
        const std::uint64_t bits = take<1>();
        if (accept(bits <= static_cast<std::uint64_t>(last))) value = static_cast<Enum>(bits);
    }

    // Notes whether a value makes sense.
    bool accept(bool sensible) noexcept { return is_good_ = is_good_ && sensible; }
    bool is_good() const noexcept { return is_good_; }
    std::size_t left() const noexcept { return bytes_.size(); }

private:
    template <class T>
    T next() noexcept {
        if constexpr (std::is_same_v<T, float>)
            return bits_as<float>(static_cast<std::uint32_t>(take<4>()));
        else if constexpr (std::is_same_v<T, double>)
            return bits_as<double>(take<8>());
        else
            return static_cast<T>(take<sizeof(T)>());
    }
    template <std::size_t bytes>
    std::uint64_t take() noexcept {
        if (!accept(bytes <= bytes_.size())) return 0;
        const std::byte* const from = bytes_.data();
        std::uint64_t bits = 0;
        for (std::size_t k = 0; k < bytes; ++k) bits |= std::to_integer<std::uint64_t>(from[k]) << 8 * k;
        bytes_ = bytes_.subspan(bytes);
        return bits;
    }

    std::span<const std::byte> bytes_;
    bool is_good_ = true;
};

}  // namespace throng::detail
