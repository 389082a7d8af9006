// Reads numbers from the bytes that a fuzzer made up. Behind the end there are zeros, so that
// every input means something.
#pragma once

#include "support/test.hpp"

namespace throng::fuzz {

class Bytes {
public:
    explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    bool empty() const { return bytes_.empty(); }
    std::uint8_t byte() {
        if (bytes_.empty()) return 0;
        const std::uint8_t value = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return value;
    }
    // The first byte is the lowest.
    std::uint32_t two_bytes() {
        const std::uint32_t low = byte();
        return low | static_cast<std::uint32_t>(byte()) << 8;
    }
    std::uint32_t four_bytes() {
        const std::uint32_t low = two_bytes();
        return low | two_bytes() << 16;
    }
    // Any float there is, NaN and infinities included.
    float any_float() { return detail::bits_as<float>(four_bytes()); }

private:
    std::span<const std::uint8_t> bytes_;
};

}  // namespace throng::fuzz
