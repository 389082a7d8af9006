// Numbers and times as a reader wants them, in tables and in pictures.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

namespace throng::bench {

// With `digits` digits after the point.
inline std::string fixed(double value, int digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

// 1234567 as "1,234,567"; fractions with as many digits as they need, up to three.
inline std::string number(double value) {
    std::string digits = fixed(value, 3);
    while (digits.back() == '0') digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
    const std::size_t whole = std::min(digits.find('.'), digits.size()), first = digits[0] == '-' ? 1 : 0;
    for (std::size_t at = whole; at > first + 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

// 1200000 as "1.2M", 10000 as "10k".
inline std::string short_number(double value) {
    if (value >= 1e6) return number(value / 1e6) + "M";
    if (value >= 1e4) return number(value / 1e3) + "k";
    return number(value);
}

// With about three digits that count, and never more than two after the point.
inline std::string three_digits(double value) {
    return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

// 123456 bytes as "123 kB".
inline std::string memory(std::size_t bytes) {
    const auto size = static_cast<double>(bytes);
    return size < 1e6 ? three_digits(size / 1e3) + " kB" : three_digits(size / 1e6) + " MB";
}

struct TimeUnit {
    double in_a_millisecond;
    const char* sign;
    const char* name;
};

// The unit for times about as long as this one: a small world's frame takes microseconds.
inline TimeUnit time_unit(double milliseconds) {
    return milliseconds < 1 ? TimeUnit{1e3, "µs", "microseconds"} : TimeUnit{1, "ms", "milliseconds"};
}

// 0.0421 milliseconds as "42.1 µs".
inline std::string duration(double milliseconds) {
    const TimeUnit unit = time_unit(milliseconds);
    return three_digits(milliseconds * unit.in_a_millisecond) + " " + unit.sign;
}

}  // namespace throng::bench
