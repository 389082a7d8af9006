// Labels say what an agent is and which group it belongs to. Filters select agents by their labels.
//
//     enum : std::uint32_t { walker = 1, cyclist = 2, player = 4 };
//     status = engine.update(boxes, {.labels = throng::Labels::arrays(categories, teams)});
//     const auto labels = throng::Labels::members(agents, &Agent::categories, &Agent::team);
//     status = engine.update(boxes, {.labels = labels});
//     status = frame.for_each_overlap(box, visitor, {.categories = player, .not_in_group = my_team});
//
// A label is a mask of up to 32 categories, and the number of a group (a team, a household). An agent may
// have several categories or none. The default label is the first category without a group.
//
// A filter saves work: the frame knows which categories occur in each stretch of a row, and skips stretches
// without a wanted one. So a query for a rare category costs a fraction of a query for all agents.
//
// Labels cost eight bytes an agent, and a pass over them in each update. If all labels are the default one,
// none is stored, and the world costs what it does without labels.
//
// All types here are plain values, or views of arrays that need to live only as long as the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "throng/agents_as.hpp"
#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/heights.hpp"
#include "throng/status.hpp"

namespace throng {

namespace detail {
class FrameCalls;
class OpenedBatch;
class Scope;
}  // namespace detail

inline constexpr std::uint32_t all_categories = 0xFFFFFFFFu;
// The group of an agent that belongs to no group.
inline constexpr std::uint32_t no_group = 0xFFFFFFFFu;

struct Label {
    std::uint32_t categories = 1;
    std::uint32_t group = no_group;
    friend constexpr bool operator==(const Label&, const Label&) = default;
};

// A view of the host's labels, element after element. The stride is in bytes, and the same for both arrays.
class Labels {
public:
    // None: every agent has the default label.
    Labels() = default;
    // From a std::vector<Label>, or another contiguous range of Label.
    template <detail::ViewableRangeOf<Label> Range>
    Labels(Range&& labels) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : Labels(of({std::data(labels), std::size(labels)})) {}

    // Categories and groups, or one of the two. Without categories each agent has the first one.
    static Labels arrays(detail::ViewedSpan<std::uint32_t> categories,
                         detail::ViewedSpan<std::uint32_t> groups) noexcept {
        Labels labels(categories.data(), groups.data(), categories.size(), sizeof(std::uint32_t));
        labels.mismatched_ = categories.size() != groups.size();
        return labels;
    }
    static Labels categories(detail::ViewedSpan<std::uint32_t> categories) noexcept {
        return {categories.data(), nullptr, categories.size(), sizeof(std::uint32_t)};
    }
    static Labels groups(detail::ViewedSpan<std::uint32_t> groups) noexcept {
        return {nullptr, groups.data(), groups.size(), sizeof(std::uint32_t)};
    }
    // Members of the host's own structs, or member paths: the categories and the group, one of the two, or a
    // Label. A view converts nothing, so both numbers are std::uint32_t: copy an enum or a byte.
    template <detail::ViewableRange Range, detail::MemberOf<Range, std::uint32_t> Categories,
              detail::MemberOf<Range, std::uint32_t> Group>
    static Labels members(Range&& elements, Categories categories, Group group) noexcept {
        return view(elements, detail::first_of(elements, categories), detail::first_of(elements, group));
    }
    template <detail::ViewableRange Range, detail::MemberOf<Range, Label> Both>
    static Labels members(Range&& elements, Both label) noexcept {
        const Label* first = detail::first_of(elements, label);
        if (first == nullptr) return view(elements, nullptr, nullptr);
        return view(elements, &first->categories, &first->group);
    }
    template <detail::ViewableRange Range, detail::MemberOf<Range, std::uint32_t> Categories>
    static Labels categories(Range&& elements, Categories categories) noexcept {
        return view(elements, detail::first_of(elements, categories), nullptr);
    }
    template <detail::ViewableRange Range, detail::MemberOf<Range, std::uint32_t> Group>
    static Labels groups(Range&& elements, Group group) noexcept {
        return view(elements, nullptr, detail::first_of(elements, group));
    }
    // The same from pointers with a stride in bytes; in `arrays` one of the two may be null.
    static Labels categories(const std::uint32_t* categories, std::size_t count,
                             std::size_t stride = sizeof(std::uint32_t)) noexcept {
        return {categories, nullptr, count, stride};
    }
    static Labels groups(const std::uint32_t* groups, std::size_t count,
                         std::size_t stride = sizeof(std::uint32_t)) noexcept {
        return {nullptr, groups, count, stride};
    }
    static Labels arrays(const std::uint32_t* categories, const std::uint32_t* groups, std::size_t count,
                         std::size_t stride = sizeof(std::uint32_t)) noexcept {
        return {categories, groups, count, stride};
    }
    static Labels of(detail::ViewedSpan<Label> labels) noexcept {
        const Label* first = labels.data();
        if (first == nullptr) return {nullptr, nullptr, labels.size(), sizeof(Label)};
        return {&first->categories, &first->group, labels.size(), sizeof(Label)};
    }

    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    Label operator[](std::size_t i) const noexcept {
        return {categories_ == nullptr ? Label{}.categories : read(categories_, i),
                groups_ == nullptr ? no_group : read(groups_, i)};
    }
    // The first fault of the view itself: no array, arrays of different lengths, or too short a stride.
    Code fault() const noexcept {
        if (mismatched_) return Code::size_mismatch;
        if (count_ == 0) return Code::ok;
        if (categories_ == nullptr && groups_ == nullptr) return Code::null_view;
        return count_ > 1 && stride_ < sizeof(std::uint32_t) ? Code::bad_stride : Code::ok;
    }

private:
    Labels(const std::uint32_t* categories, const std::uint32_t* groups, std::size_t count,
           std::size_t stride) noexcept
        : categories_(categories), groups_(groups), count_(count), stride_(stride) {}

    template <class Range>
    static Labels view(const Range& elements, const std::uint32_t* categories,
                       const std::uint32_t* groups) noexcept {
        return {categories, groups, std::size(elements), sizeof(detail::ElementOf<Range>)};
    }

    std::uint32_t read(const std::uint32_t* array, std::size_t i) const noexcept {
        std::uint32_t value;
        std::memcpy(&value, reinterpret_cast<const char*>(array) + i * stride_, sizeof value);
        return value;
    }

    const std::uint32_t* categories_ = nullptr;
    const std::uint32_t* groups_ = nullptr;
    std::size_t count_ = 0;
    std::size_t stride_ = sizeof(std::uint32_t);
    bool mismatched_ = false;
};

// Whether an agent with these categories is wanted: it has a wanted one, or all are wanted.
constexpr bool has_any(std::uint32_t categories, std::uint32_t wanted) noexcept {
    return (categories & wanted) != 0 || wanted == all_categories;
}

// An agent passes if it has at least one of the categories, is not the agent `self`, is not in the group
// `not_in_group`, and shares a height with the band `heights` (heights.hpp). The default filter admits all.
// `all_categories` admits agents without a category too, and `not_in_group` agents without a group. Name the
// members: `{.self = me}` leaves out one agent, while `{me}` would be a mask of categories.
struct Filter {
    std::uint32_t categories = all_categories;
    AgentId self = no_agent;
    std::uint32_t not_in_group = no_group;
    Band heights = {};

    constexpr bool admits(AgentId id, const Label& label, const Band& height = {}) const noexcept {
        return has_any(label.categories, categories) && id != self &&
               (label.group != not_in_group || not_in_group == no_group) && heights.overlaps(height);
    }
    friend constexpr bool operator==(const Filter&, const Filter&) = default;
};

// Admits every agent. Calls without a filter share it.
inline constexpr Filter no_filter{};

// The filters of a batch: one for all its queries, or one for each.
class Filters {
public:
    Filters() noexcept : Filters(Filter{}) {}
    // One for all.
    Filters(const Filter& filter) noexcept  // NOLINT(google-explicit-constructor): a filter is one for all
        : one_(filter) {}
    static Filters all(const Filter& filter) noexcept { return Filters(filter); }
    // One for each query: a view of the host's filters.
    template <detail::ViewableRangeFor<Filter, Filters> Range>
    Filters(Range&& filters) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : Filters(of({std::data(filters), std::size(filters)})) {}
    static Filters of(detail::ViewedSpan<Filter> filters) noexcept {
        const Filter* first = filters.data();
        if (first == nullptr) return strided(nullptr, 0, nullptr, 0, filters.size());
        return strided(&first->categories, sizeof(Filter), &first->heights, sizeof(Filter), filters.size());
    }
    // The same from pointers, with strides in bytes: to the categories, with `self` and `not_in_group` behind
    // them, and to the heights; null means every height.
    static Filters strided(const std::uint32_t* first, std::size_t stride, const Band* heights,
                           std::size_t height_stride, std::size_t count) noexcept {
        Filters filters;
        filters.one_for_all_ = false;
        filters.first_ = first;
        filters.stride_ = stride;
        filters.heights_ = heights;
        filters.height_stride_ = height_stride;
        filters.count_ = count;
        return filters;
    }
    // One for all, except that query i leaves out agent i instead of the filter's `self`. It is for batches
    // in which query i belongs to agent i, and saves an array of filters. `i` is the place in the batch: if
    // the queries lie in another order, or ids have gaps, give a filter for each query. Elements of a static
    // layer have ids of their own, so none is left out.
    static Filters each_without_itself(const Filter& filter = {}) noexcept {
        Filters filters(filter);
        filters.each_leaves_out_itself_ = true;
        filters.one_.self = 0;  // as the kernels expect it
        return filters;
    }

    bool one_for_all() const noexcept { return one_for_all_; }
    bool each_leaves_out_itself() const noexcept { return each_leaves_out_itself_; }
    // Whether they are for the elements of a static layer, whose ids `self` never matches.
    bool are_of_elements() const noexcept { return of_elements_; }
    // How many there are, unless there is one for all.
    std::size_t size() const noexcept { return count_; }
    // Where the first filter lies, the heights of the first, and the distance to the next.
    const std::uint32_t* first() const noexcept { return one_for_all_ ? &one_.categories : first_; }
    std::size_t stride() const noexcept { return stride_; }
    const Band* heights() const noexcept { return one_for_all_ ? &one_.heights : heights_; }
    std::size_t height_stride() const noexcept { return height_stride_; }
    Filter operator[](std::size_t i) const noexcept {
        Filter filter = one_for_all_ ? one_ : element(i);
        if (each_leaves_out_itself_) filter.self = static_cast<AgentId>(number_ + i);
        if (of_elements_) filter.self = no_agent;
        return filter;
    }
    // The filters of the queries [first, first + count). Each keeps its number.
    Filters part(std::size_t first, std::size_t count) const noexcept {
        Filters some(*this);
        some.number_ += first;
        if (one_for_all_) return some;
        some.first_ = further(first_, first * stride_);
        some.heights_ = further(heights_, first * height_stride_);
        some.count_ = count;
        return some;
    }
    // The number of the first.
    std::size_t number() const noexcept { return number_; }

private:
    friend class detail::FrameCalls;
    friend class detail::OpenedBatch;
    friend class detail::Scope;
    friend class WithStatic;
    Filter element(std::size_t i) const noexcept {
        Filter filter;
        std::memcpy(&filter.categories, further(first_, i * stride_), 3 * sizeof(std::uint32_t));
        if (heights_ != nullptr)
            std::memcpy(&filter.heights, further(heights_, i * height_stride_), sizeof(Band));
        return filter;
    }
    template <class T>
    static const T* further(const T* from, std::size_t bytes) noexcept {
        if (from == nullptr) return nullptr;
        return reinterpret_cast<const T*>(reinterpret_cast<const char*>(from) + bytes);
    }

    // The same for elements, which have ids of their own.
    Filters of_elements() const noexcept {
        Filters filters(*this);
        filters.one_.self = no_agent;
        filters.each_leaves_out_itself_ = false;
        filters.of_elements_ = true;
        return filters;
    }

    Filter one_;
    const std::uint32_t* first_ = nullptr;
    const Band* heights_ = nullptr;
    std::size_t stride_ = 0, height_stride_ = 0, count_ = 0, number_ = 0;
    bool one_for_all_ = true;
    bool each_leaves_out_itself_ = false;
    bool of_elements_ = false;
};

class Frame;
struct PairQuery;

// Which pairs are found: one agent has one of the categories `a`, and the other one of `b`, or the other way
// round. Pairs within a group may be left out; an agent without a group stays. The default admits every pair.
struct PairFilter {
    std::uint32_t a = all_categories, b = all_categories;
    bool other_groups_only = false;

    constexpr bool admits(const Label& one, const Label& other) const noexcept {
        const bool categories = (has_any(one.categories, a) && has_any(other.categories, b)) ||
                                (has_any(one.categories, b) && has_any(other.categories, a));
        return categories && !(other_groups_only && one.group == other.group && one.group != no_group);
    }
    // Without a distance a filter is enough: `pairs(list, PairFilter{.a = player, .b = enemy})`.
    constexpr operator PairQuery() const noexcept;  // NOLINT(google-explicit-constructor)
    friend constexpr bool operator==(const PairFilter&, const PairFilter&) = default;
};

// What a call for pairs looks for: agents that overlap or are close, and that the filter admits.
//
//     using throng::AgentsAs;
//     status = frame.pairs(list, {.agents_as = AgentsAs::circles});                // discs that touch
//     status = frame.pairs(list, {.within = 2, .agents_as = AgentsAs::circles});   // with a gap of up to 2
//     status = frame.pairs(list, {.within = 2, .agents_as = AgentsAs::centres});   // as neighbours are
//
// `within` is how far apart two boxes may be; with 0 they overlap. In double, each operation rounded by
// itself: dx is the largest of 0, b.min_x - a.max_x and a.min_x - b.max_x, dy likewise, and dx * dx + dy * dy
// is at most within * within. A negative distance is refused as `inverted`, one that is not finite as
// `not_finite`. For a distance within one frame the engine keeps room for a copy of its agents, about 50
// bytes for each, until `release_memory`.
//
// `agents_as` says what must be that close: the agents' boxes, the largest circles in the boxes, or their
// centres. In float, each operation rounded by itself, as in queries/neighbours.hpp and for a Circle:
// - The centre of an agent is x = min_x / 2 + max_x / 2, and y likewise.
// - The radius of its circle is max_x / 2 - min_x / 2, or the same of y if that is less. A centre has none.
// - dx and dy are the differences of the centres, and dx * dx + dy * dy is at most the square of a.radius +
//   b.radius + within.
// - The boxes are that close too. Without rounding this would follow from the rest.
//
// So at a distance of 0, circles touch, and centres are at one place. An unknown value is refused as
// `bad_config`. All touching circles cost little more than all overlapping boxes. With a filter, a distance
// or a second frame, pairs of boxes are found first and then measured. Distances of circles and centres are
// rounded, and can differ between rounding modes.
//
// `with` is another frame, which has to live during the call: then `a` of each pair is an agent of the frame
// that is asked, and `b` one of `*with`. Null means pairs within one frame. With the frame itself, each agent
// is a pair with itself, and any two come as (a, b) and as (b, a). The smaller frame queries the larger. Two
// frames that do not wrap around alike are refused as `bad_config`.
//
//     const throng::Frame walls = frame.static_layer();
//     status = frame.pairs(list, {.with = &walls});
struct PairQuery {
    PairFilter filter = {};
    float within = 0;
    AgentsAs agents_as = AgentsAs::boxes;
    const Frame* with = nullptr;

    friend constexpr bool operator==(const PairQuery&, const PairQuery&) = default;
};

constexpr PairFilter::operator PairQuery() const noexcept { return {.filter = *this}; }

}  // namespace throng
