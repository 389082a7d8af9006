// Where a witness writes down what a structure answered, to judge it afterwards. Judging may end with an
// exception, which must not be thrown in a visitor. A structure that does not stop answering is told to stop.
#pragma once

#include "structures/tests/finding.hpp"
#include "structures/tests/test.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::structures::test {

class AnswerSheet {
public:
    // All ids that mean something are below `range`.
    explicit AnswerSheet(std::size_t range) : range_(range) {}

    bool take(ElementId id) {
        ids_.push_back(id);
        return ids_.size() <= 2 * range_;
    }
    const std::vector<ElementId>& ids() const { return ids_; }

    // `known(id)`: whether there is such an element. `due(element)`: whether it must be answered. `words()`
    // says what was asked; it is called only if something is wrong, since words take longer than judging.
    template <class Words, class Known, class Due>
    void judge(Words&& words, Known&& known, const std::vector<ElementId>& elements, Due&& due) const {
        const auto require = [&](bool holds, ElementId id, const char* fault) {
            if (!holds)
                throw Finding(in_words(words(), ": ", id, ' ', fault, ", of ", ids_.size(), " answers"));
        };
        std::vector<char> answered(range_);
        for (const ElementId id : ids_) {
            require(known(id), id, "is answered, and there is no such element");
            require(due(id), id, "is answered, and should not be");
            require(!answered[id], id, "is answered twice");
            answered[id] = 1;
        }
        for (const ElementId id : elements) require(answered[id] != 0 || !due(id), id, "is missing");
    }

private:
    std::size_t range_;
    std::vector<ElementId> ids_;
};

// The same for pairs, as a bit for every two elements: there may be millions.
class PairSheet {
public:
    // `boxes` are those by which each of the elements has to answer, in the same order.
    PairSheet(const std::vector<ElementId>& elements, std::vector<Box> boxes, std::size_t range)
        : elements_(elements),
          boxes_(std::move(boxes)),
          places_(range, nowhere),
          seen_(elements.size() * elements.size()) {
        for (std::size_t i = 0; i < elements.size(); ++i) places_[elements[i]] = i;
    }

    bool take(std::span<const Pair> pairs) {
        return std::all_of(pairs.begin(), pairs.end(), [this](Pair pair) { return take(pair); });
    }
    std::size_t size() const { return size_; }

    // Each pair that was taken overlaps, and none was taken twice. So none is missing if as many were taken
    // as overlap.
    void judge() const {
        require(fault_.empty(), "the pair ", guilty_.a, ' ', guilty_.b, ' ', fault_);
        if (size_ != count_due()) name_the_missing();
    }

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    bool take(Pair pair) {
        ++size_;
        const std::size_t a = place(pair.a), b = place(pair.b);
        if (a == nowhere || b == nowhere) return blame(pair, "names an element that does not exist");
        if (a == b) return blame(pair, "is of one element");
        if (!boxes_[a].overlaps(boxes_[b]))
            return blame(pair, in_words("is wrong: ", boxes_[a], ' ', boxes_[b]));
        const std::size_t bit = place_of_bit(a, b);
        if (seen_[bit]) return blame(pair, "comes twice");
        seen_[bit] = true;
        return true;
    }
    std::size_t place(ElementId id) const { return id < places_.size() ? places_[id] : nowhere; }
    std::size_t place_of_bit(std::size_t a, std::size_t b) const {
        return std::min(a, b) * elements_.size() + std::max(a, b);
    }
    bool blame(Pair pair, std::string fault) {
        guilty_ = pair;
        fault_ = std::move(fault);
        return false;
    }
    // Most of the time of a check. It has no branches, so that compilers make vectors of it.
    std::size_t count_due() const {
        std::size_t count = 0;
        for (std::size_t a = 0; a < boxes_.size(); ++a) {
            const Box one = boxes_[a];
            std::uint32_t of_one = 0;
            for (std::size_t b = a + 1; b < boxes_.size(); ++b) {
                const Box& other = boxes_[b];
                of_one += std::uint32_t{one.min_x <= other.max_x} & std::uint32_t{other.min_x <= one.max_x} &
                          std::uint32_t{one.min_y <= other.max_y} & std::uint32_t{other.min_y <= one.max_y};
            }
            count += of_one;
        }
        return count;
    }
    void name_the_missing() const {
        for (std::size_t a = 0; a < boxes_.size(); ++a)
            for (std::size_t b = a + 1; b < boxes_.size(); ++b)
                require(!boxes_[a].overlaps(boxes_[b]) || seen_[place_of_bit(a, b)], "the pair ",
                        elements_[a], ' ', elements_[b], " is missing: ", boxes_[a], ' ', boxes_[b]);
        require(false, size_, " pairs were answered where ", count_due(), " are due");
    }

    const std::vector<ElementId>& elements_;
    std::vector<Box> boxes_;
    std::vector<std::size_t> places_;
    std::vector<bool> seen_;
    std::size_t size_ = 0;
    Pair guilty_;
    std::string fault_;
};

}  // namespace throng::structures::test
