// What an agent has besides its box: its label, its heights, and whether it is a ghost; and filters, which
// select agents by them. All types here are plain values, or views of arrays that need to live only as long
// as the call.
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
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "throng/geometry.hpp"
#include "throng/status.hpp"
#include "throng/views/members.hpp"

namespace throng {

namespace detail {
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

// A view of the host's labels, element after element.
class Labels {
    using Numbers = detail::Strided<std::uint32_t>;

public:
    // None: every agent has the default label.
    Labels() = default;
    // From a std::vector<Label>, or another contiguous range of Label.
    template <detail::ViewableRangeOf<Label> Range>
    Labels(Range&& labels) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : Labels(of(labels)) {}
    static Labels of(const detail::Strided<Label>& labels) noexcept {
        return {labels.each(&Label::categories), labels.each(&Label::group)};
    }

    // Categories and groups, or one of the two. Without categories each agent has the first one.
    static Labels arrays(const Numbers& categories, const Numbers& groups) noexcept {
        return {categories, groups};
    }
    static Labels categories(const Numbers& categories) noexcept { return {categories, categories.absent()}; }
    static Labels groups(const Numbers& groups) noexcept { return {groups.absent(), groups}; }
    // Members of the host's own structs, or member paths: the categories and the group, one of the two, or a
    // Label. A view converts nothing, so both numbers are std::uint32_t: copy an enum or a byte.
    template <detail::ViewableRange Range, detail::MemberOf<Range, std::uint32_t> Categories,
              detail::MemberOf<Range, std::uint32_t> Group>
    static Labels members(Range&& elements, Categories categories, Group group) noexcept {
        return {detail::each_of(elements, categories), detail::each_of(elements, group)};
    }
    template <detail::ViewableRange Range, detail::MemberOf<Range, Label> Both>
    static Labels members(Range&& elements, Both label) noexcept {
        return of(detail::each_of(elements, label));
    }
    template <detail::ViewableRange Range, detail::MemberOf<Range, std::uint32_t> Categories>
    static Labels categories(Range&& elements, Categories wanted) noexcept {
        return categories(detail::each_of(elements, wanted));
    }
    template <detail::ViewableRange Range, detail::MemberOf<Range, std::uint32_t> Group>
    static Labels groups(Range&& elements, Group wanted) noexcept {
        return groups(detail::each_of(elements, wanted));
    }
    // The same from pointers with a stride in bytes; in `arrays` one of the two may be null.
    static Labels categories(const std::uint32_t* first, std::size_t count,
                             std::size_t stride = sizeof(std::uint32_t)) noexcept {
        return categories({first, count, stride});
    }
    static Labels groups(const std::uint32_t* first, std::size_t count,
                         std::size_t stride = sizeof(std::uint32_t)) noexcept {
        return groups({first, count, stride});
    }
    static Labels arrays(const std::uint32_t* categories, const std::uint32_t* groups, std::size_t count,
                         std::size_t stride = sizeof(std::uint32_t)) noexcept {
        return {{categories, count, stride}, {groups, count, stride}};
    }

    std::size_t size() const noexcept { return categories_.size(); }
    bool empty() const noexcept { return size() == 0; }
    Label operator[](std::size_t i) const noexcept {
        return {categories_.first() == nullptr ? Label{}.categories : categories_[i],
                groups_.first() == nullptr ? no_group : groups_[i]};
    }
    // The first fault of the view itself: no array, arrays of different lengths, or too short a stride.
    Code fault() const noexcept {
        if (size() != groups_.size()) return Code::size_mismatch;
        return categories_.first() == nullptr ? groups_.fault() : categories_.fault();
    }

private:
    Labels(const Numbers& categories, const Numbers& groups) noexcept
        : categories_(categories), groups_(groups) {}

    Numbers categories_, groups_;
};

// --- Heights -----------------------------------------------------------------------------------------------

// On which storey an agent is, how tall it is, and at which heights a query looks:
//
//     status = engine.update(boxes, {.heights = throng::Heights::arrays(feet, heads)});
//     status = engine.update(boxes, {.heights = throng::Heights::bases(feet, 1.8f)});   // all equally tall
//     status = engine.move(ids, boxes, throng::Heights::arrays(feet, heads));           // on the stairs
//     status = frame.for_each_overlap(box, visitor, {.heights = {.min_z = 3, .max_z = 4.8f}});
//
// An agent may have a band of heights, from `min_z` to `max_z`, both included. An agent without one has every
// height, like a lift shaft or an outer wall. A filter has a band too, and admits agents that share a height
// with it; the default band is every height. Nothing is rounded.
//
// Two agents are a pair or neighbours only if they share a height. A filter may leave out more. Casts may
// have heights of their own and rise (queries/casts.hpp). Boxes, shapes and points have only the heights of
// their filter. Kept lists (queries/neighbours.hpp) may have agents at other heights too.
//
// The search itself tests bands, so a count, a first hit or a nearest agent is one of the admitted agents.
// Heights are meant for what stands on floors: storeys, bridges, stairs. If many agents stand above each
// other, the engine divides them into storeys by itself, and a search looks only at the storeys of its band.
//
// Any float is a legal edge, infinite ones too. A band with a NaN is refused as `not_finite`, and one with
// its minimum above its maximum as `inverted`. Faults of ids come first, then bands, then boxes.
//
// Heights cost sixteen bytes an agent, with the labels that come with them, and a pass over them in each
// update. If all agents have every height, none is stored, and the world costs what it does without heights.
struct Band {
    float min_z = -std::numeric_limits<float>::infinity();
    float max_z = std::numeric_limits<float>::infinity();

    // Whether they share a height.
    constexpr bool overlaps(const Band& other) const noexcept {
        return min_z <= other.max_z && other.min_z <= max_z;
    }
    friend constexpr bool operator==(const Band&, const Band&) = default;
};

// A view of the host's bands, element after element.
class Heights {
public:
    // None: every agent has every height.
    Heights() = default;
    // From a std::vector<Band>, or another contiguous range of Band.
    template <detail::ViewableRangeOf<Band> Range>
    Heights(Range&& bands) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : Heights(of(bands)) {}
    static Heights of(const detail::Strided<Band>& bands) noexcept {
        return {bands.each(&Band::min_z), bands.each(&Band::max_z)};
    }

    static Heights arrays(const detail::Strided<float>& min_z, const detail::Strided<float>& max_z) noexcept {
        return {min_z, max_z};
    }
    // From `base` up to base + height, in float: all are equally tall.
    static Heights bases(const detail::Strided<float>& base, float height) noexcept {
        Heights heights(base, base);
        heights.height_ = height;
        heights.have_bases_ = true;
        return heights;
    }
    // Members of the host's own structs, or member paths: the two edges, a Band, or the base.
    template <detail::ViewableRange Range, detail::MemberOf<Range, float> Min,
              detail::MemberOf<Range, float> Max>
    static Heights members(Range&& elements, Min min_z, Max max_z) noexcept {
        return {detail::each_of(elements, min_z), detail::each_of(elements, max_z)};
    }
    template <detail::ViewableRange Range, detail::MemberOf<Range, Band> Both>
    static Heights members(Range&& elements, Both band) noexcept {
        return of(detail::each_of(elements, band));
    }
    template <detail::ViewableRange Range, detail::MemberOf<Range, float> Base>
    static Heights bases(Range&& elements, Base base, float height) noexcept {
        return bases(detail::each_of(elements, base), height);
    }
    // The same from pointers with a stride in bytes.
    static Heights arrays(const float* min_z, const float* max_z, std::size_t count,
                          std::size_t stride = sizeof(float)) noexcept {
        return {{min_z, count, stride}, {max_z, count, stride}};
    }
    static Heights bases(const float* base, float height, std::size_t count,
                         std::size_t stride = sizeof(float)) noexcept {
        return bases({base, count, stride}, height);
    }

    std::size_t size() const noexcept { return min_z_.size(); }
    bool empty() const noexcept { return size() == 0; }
    // Calls use(read), where read(i) is what [i] is. For loops: it finds out once how the bands lie.
    template <class Use>
    auto with_reader(const Use& use) const noexcept {
        if (min_z_.first() == nullptr) return use([](std::size_t) { return Band{}; });
        if (have_bases_)
            return use([bases = min_z_, height = height_](std::size_t i) {
                const float base = bases[i];
                return Band{base, base + height};
            });
        if (max_z_.at(0) == min_z_.at(0) + sizeof(float) && min_z_.stride() == max_z_.stride() &&
            min_z_.stride() == sizeof(Band))
            return use([bands = min_z_.at(0)](std::size_t i) {
                const char* const at = bands + i * sizeof(Band);
                return Band{detail::read_as<float>(at), detail::read_as<float>(at + sizeof(float))};
            });
        return use([min_z = min_z_, max_z = max_z_](std::size_t i) { return Band{min_z[i], max_z[i]}; });
    }
    // Every height where there are none.
    Band operator[](std::size_t i) const noexcept {
        return with_reader([i](const auto& read) { return read(i); });
    }
    // The first fault of the view itself, as of Labels.
    Code fault() const noexcept {
        const Code bad = max_z_.fault(size());
        return bad == Code::ok ? min_z_.fault() : bad;
    }

private:
    Heights(const detail::Strided<float>& min_z, const detail::Strided<float>& max_z) noexcept
        : min_z_(min_z), max_z_(max_z) {}

    detail::Strided<float> min_z_, max_z_;
    float height_ = 0;
    bool have_bases_ = false;
};

// --- Filters -----------------------------------------------------------------------------------------------

// Whether an agent with these categories is wanted: it has a wanted one, or all are wanted.
constexpr bool has_any(std::uint32_t categories, std::uint32_t wanted) noexcept {
    return (categories & wanted) != 0 || wanted == all_categories;
}

// An agent passes if it has at least one of the categories, is not the agent `self`, is not in the group
// `not_in_group`, and shares a height with the band `heights`. The default filter admits all.
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

namespace detail {
// The same for the elements of a static layer, whose ids `self` never matches.
constexpr Filter of_elements(Filter filter) noexcept {
    filter.self = no_agent;
    return filter;
}
}  // namespace detail

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
        : Filters(of(filters)) {}
    static Filters of(const detail::Strided<Filter>& filters) noexcept {
        return {filters.each(&Filter::categories), filters.each(&Filter::heights)};
    }
    // The same from pointers, with strides in bytes: to the categories, with `self` and `not_in_group` behind
    // them, and to the heights; null means every height.
    static Filters strided(const std::uint32_t* first, std::size_t stride, const Band* heights,
                           std::size_t height_stride, std::size_t count) noexcept {
        return {{first, count, stride}, {heights, count, height_stride}};
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
    // Whether they are for the elements of a static layer.
    bool are_of_elements() const noexcept { return of_elements_; }
    // How many there are, unless there is one for all.
    std::size_t size() const noexcept { return each_.size(); }
    // Where the first filter lies, the heights of the first, and the distance to the next.
    const std::uint32_t* first() const noexcept { return one_for_all_ ? &one_.categories : each_.first(); }
    std::size_t stride() const noexcept { return each_.stride(); }
    const Band* heights() const noexcept { return one_for_all_ ? &one_.heights : heights_.first(); }
    std::size_t height_stride() const noexcept { return heights_.stride(); }
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
        some.each_ = each_.part(first, count);
        some.heights_ = heights_.part(first, count);
        return some;
    }
    // The number of the first.
    std::size_t number() const noexcept { return number_; }

private:
    friend class Frame;
    friend class detail::OpenedBatch;
    friend class detail::Scope;
    friend class WithStatic;
    Filters(const detail::Strided<std::uint32_t>& each, const detail::Strided<Band>& heights) noexcept
        : each_(each), heights_(heights), one_for_all_(false) {}
    Filter element(std::size_t i) const noexcept {
        Filter filter;
        std::memcpy(&filter.categories, each_.at(i), 3 * sizeof(std::uint32_t));
        if (heights_.first() != nullptr) filter.heights = heights_[i];
        return filter;
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
    detail::Strided<std::uint32_t> each_{nullptr, 0, 0};  // the categories, with two more numbers behind them
    detail::Strided<Band> heights_{nullptr, 0, 0};
    std::size_t number_ = 0;
    bool one_for_all_ = true;
    bool each_leaves_out_itself_ = false;
    bool of_elements_ = false;
};

// --- What an update takes besides the boxes ----------------------------------------------------------------

//     status = engine.update(boxes, {.labels = labels});
//     status = engine.update(boxes, {.heights = throng::Heights::bases(feet, 1.8f)});
//     status = engine.update(boxes, {.owned = own});     // agents from `own` on are ghosts
//
// A ghost is a copy of an agent that another engine owns, for the next tile of a streamed world, in another
// process or on another machine. A host gives each engine its own agents first, and behind them copies of the
// other engines' agents that are within reach of its own. Then all engines together answer what one engine
// with all agents would: each agent gets its list from its owner, and each pair comes from the owners of its
// agents. In calls about all agents at once:
//
// - Pairs of two ghosts are not listed and not counted; so they do not begin or end.
// - Only owned agents get lists and counts of neighbours. The list of a ghost is empty, its count is 0, and
//   in row order it has no list. Ghosts are in the lists of others.
// - Pairs with another frame and `neighbours_in` start from the owned agents of the frame. What they find in
//   the other frame may be ghosts there.
//
// Queries with the host's own boxes, shapes, points or casts find ghosts like all other agents. Edits and
// commits leave an agent owned or a ghost; inserted agents are owned. Ghosts whose ids follow each other, as
// they do without ids of the host's own, take no memory. Otherwise they take a bit for each id from the
// lowest to the highest. Ghosts with higher ids than owned agents are the cheapest.

inline constexpr std::size_t all_owned = std::numeric_limits<std::size_t>::max();

// The agents that an update of untrusted input leaves out, so that one NaN does not stop a world:
//
//     throng::LeftOut left_out{.ids = some};      // some = a std::array<AgentId, 16>
//     status = engine.update(boxes, {.left_out = &left_out});
//
// Their ids are free until a later update gives them legal boxes: an insert may take them, and handles to
// them stay stale. An illegal id still fails the update. One illegal box in a batch of queries also refuses
// the whole batch, and the status names the first; take the boxes of these agents out of it.
struct LeftOut {
    // The host's memory for their ids, in ascending order: as many as fit.
    std::span<AgentId> ids = {};
    // How many the last update left out (none if it failed), and how many of them were written.
    std::uint64_t total = 0, written = 0;
};

struct UpdateOptions {
    Labels labels = {};
    Heights heights = {};
    // How many of the boxes are owned agents: the first ones. A larger number is refused as `bad_config`.
    std::size_t owned = all_owned;
    // Gets the agents whose boxes or heights are illegal; without it they refuse the update. `insert` and
    // `StaticLayer` refuse it as `bad_config`.
    LeftOut* left_out = nullptr;
};

}  // namespace throng
