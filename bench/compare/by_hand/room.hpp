// Memory for answers whose number is not known: it grows, is used again, and always has eight elements more
// than were asked for, since eight are written at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "bench/compare/by_hand/lanes.hpp"

namespace throng::bench::by_hand {

template <class Element>
class Room {
public:
    void clear() { size_ = 0; }
    // Where the next so many may be written.
    Element* end_with(std::size_t more) {
        if (size_ + more + lanes > elements_.size())
            elements_.resize(std::max(size_ + more + lanes, 2 * elements_.size()));
        return elements_.data() + size_;
    }
    void end_at(const Element* end) { size_ = static_cast<std::size_t>(end - elements_.data()); }

    std::size_t size() const { return size_; }
    std::span<const Element> all() const { return std::span(elements_).first(size_); }
    std::span<Element> all() { return std::span(elements_).first(size_); }

private:
    std::vector<Element> elements_;
    std::size_t size_ = 0;
};

}  // namespace throng::bench::by_hand
