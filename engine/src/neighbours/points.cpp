#include "engine/src/neighbours/points.hpp"

#include "base/fold.hpp"
#include "base/legal.hpp"
#include "engine/src/neighbours/centre_frames.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "throng/frame.hpp"
#include "throng/static_layer.hpp"

namespace throng::detail {

namespace {

WhereToLook where_to_look(const QueryBatch& points, const FrameState& asked,
                          const Neighbourhood& wanted) noexcept {
    return {asked, wanted, points.size(), [&](std::size_t i, const auto& add) {
                add(Point{points.data()[i].min_x, points.data()[i].min_y}, i);
            }};
}

}  // namespace

// Points are boxes that are legal if they are finite.
Status check_sites(const Points& points, const Neighbourhood& wanted) noexcept {
    if (const Status bad = check(points.boxes()); !bad.ok())
        return {Code::not_finite, bad.index, Argument::boxes};
    for (std::size_t i = 0; i < wanted.radii.size(); ++i)
        if (const Code bad = check_radius(wanted.radii[i], wanted.is_nearest); bad != Code::ok)
            return {bad, i, Argument::radii};
    return {};
}

Status check_call(const Points& points, const Status& output, const Neighbourhood& wanted,
                  const Filters& filters, const Status& failure) noexcept {
    const Status options = output.ok() ? check(wanted, From::points, points.size()) : output;
    return check_call(points.boxes(), options, filters, failure);
}

Status find_around(const FrameState& frame, const Executor& executor, const QueryBatch& places,
                   BatchSpace& space, const Neighbourhood& wanted, const Filters& filters,
                   ListResult& result) noexcept {
    const WhereToLook where = where_to_look(places, frame, wanted);
    PointSearch search(where.frame(), executor, wanted, {where.frame(), filters});
    return result.finish(where.in_order(search.lists(places, space, result), executor, result));
}

Status OpenedPoints::open(const Points& points, std::size_t first, std::size_t count) noexcept {
    here_ = wanted_around(wanted_, first, count);
    filters_here_ = filters_.part(first, count);
    images_.reset();
    const Boxes some = points.part(first, count).boxes();
    if (!space_ || !batch_.open(some, *space_).ok()) return {Code::out_of_memory};
    for (std::size_t i = 0; torus_.wraps() && i < count; ++i) {
        simd::Query& there = space_->queries[i];
        there = query_of(folded(some, i, box_of(there), torus_.period));
    }
    return {};
}

Status OpenedPoints::find(const Part& part, std::size_t count, ListResult& result) noexcept {
    return find_around(*part.frame, scope_.executor(), batch_.part(0, count), *space_,
                       wanted_around(here_, 0, count), filters_of(part), result);
}

Status OpenedPoints::add_images(const Part& part, ListResult& result) noexcept {
    if (!torus_.wraps()) return {};
    TorusSpace* const around = around_.get();
    if (around == nullptr) return {Code::out_of_memory};
    if (!images_ || imaged_ != result.size() || here_.is_nearest) {
        images_.emplace(torus_, here_, *around);
        imaged_ = result.size();
        for (std::size_t i = 0; i < imaged_; ++i) {
            const simd::Query& at = batch_.data()[i];
            if (!images_->add(static_cast<std::uint32_t>(i), {at.min_x, at.min_y},
                              radius_left(result, i, here_, radius_at(here_, i))))
                return {Code::out_of_memory};
        }
    }
    if (images_->owners().empty()) return {};
    const Neighbourhood wanted = images_->wanted_around(here_);
    ListResult found(around->lists, wanted);
    Filters filters;
    if (!filters_for(filters_of(part), images_->owners(), around->filters, filters) ||
        !found.make_empty(images_->owners().size()))
        return {Code::out_of_memory};
    const Status bad =
        find_around(*part.frame, scope_.executor(), images_->places(), *space_, wanted, filters, found);
    if (!bad.ok() || images_->put(result, [](auto...) { return true; })) return bad;
    return {Code::out_of_memory};
}

Status OpenedPoints::count(const Part& part, std::uint32_t* counts) noexcept {
    const std::size_t points = batch_.size();
    if (!resize_amply(space_->answers, part.is_layer ? points : 0)) return {Code::out_of_memory};
    std::uint32_t* const to = part.is_layer ? space_->answers.data() : counts;
    Status status;
    if (torus_.wraps()) {
        TorusSpace* const around = around_.get();
        if (around == nullptr) return {Code::out_of_memory};
        ListResult lists(around->made, here_);
        if (!lists.make_empty(points)) return {Code::out_of_memory};
        status = find(part, points, lists);
        if (status.ok()) status = add_images(part, lists);
        for (std::size_t i = 0; i < points && status.ok(); ++i)
            to[i] = static_cast<std::uint32_t>(lists.length_of(i));
    } else {
        const FrameState& searched = where_to_look(batch_, *part.frame, here_).frame();
        const Filters filters = filters_of(part);
        status =
            PointSearch(searched, scope_.executor(), here_, {searched, filters}).count(batch_, *space_, to);
    }
    for (std::size_t i = 0; i < points && part.is_layer && status.ok(); ++i) counts[i] += to[i];
    return status;
}

Status find_in_parts(const Scope& scope, const Points& points, const Neighbourhood& wanted,
                     const Filters& filters, NeighbourLists& agents, NeighbourLists* elements) noexcept {
    const bool has_both = elements != nullptr, fits = scope.wraps() || has_both;
    const Neighbourhood asked = fits ? with_distances(wanted) : wanted;
    NeighbourLists& others = has_both ? *elements : agents;
    agents.clear();
    others.clear();
    if (const Status bad = check_call(points, {}, wanted, filters, scope.status()); !bad.ok()) return bad;
    ListResult of_agents(agents, asked), of_elements(others, asked);
    const bool enough =
        of_agents.make_empty(points.size()) && (!has_both || of_elements.make_empty(points.size()));
    Status status{enough ? Code::ok : Code::out_of_memory};
    std::optional<OpenedPoints> opened;
    if (status.ok() && !scope.is_empty())
        status = opened.emplace(scope, asked, filters).open(points, 0, points.size());
    if (status.ok()) status = check_sites(points, wanted);
    scope.each([&](const Part& part) {
        ListResult& lists = part.is_layer ? of_elements : of_agents;
        if (status.ok()) status = opened->find(part, points.size(), lists);
        if (status.ok()) status = opened->add_images(part, lists);
        return status.ok();
    });
    if (!status.ok()) {
        agents.clear();
        others.clear();
    } else if (has_both) {
        fit_both(of_agents, of_elements, wanted);
    } else if (fits) {
        of_agents.keep_first(points.size(), wanted.distances);
    }
    return status;
}

Status count_in_parts(const Scope& scope, const Points& points, const Neighbourhood& wanted,
                      std::span<std::uint32_t> counts, const Filters& filters) noexcept {
    const Status output = check_output(counts, points.size());
    if (const Status bad = check_call(points, output, wanted, filters, scope.status()); !bad.ok()) return bad;
    if (scope.is_empty()) {
        const Status legal = check_sites(points, wanted);
        if (legal.ok()) std::fill_n(counts.begin(), points.size(), 0u);
        return legal;
    }
    OpenedPoints opened(scope, wanted, filters);
    Status status = opened.open(points, 0, points.size());
    if (status.ok()) status = check_sites(points, wanted);
    scope.each([&](const Part& part) {
        if (status.ok()) status = opened.count(part, counts.data());
        return status.ok();
    });
    return status;
}

void fit_both(ListResult& agents, ListResult& elements, const Neighbourhood& wanted) noexcept {
    ListResult* const both[] = {&agents, &elements};
    std::size_t from[2] = {}, kept[2] = {};
    for (std::size_t i = 0; wanted.max_count != 0 && i < elements.size(); ++i) {
        const std::size_t end[2] = {static_cast<std::size_t>(agents.offsets[i + 1]),
                                    static_cast<std::size_t>(elements.offsets[i + 1])};
        for (std::uint32_t k = 0; k < wanted.max_count && (from[0] < end[0] || from[1] < end[1]); ++k) {
            // If two are equally far away, the agent comes first, as among the hits of a cast.
            const bool is_element =
                from[0] == end[0] ||
                (from[1] != end[1] && (*agents.distances)[from[0]] > (*elements.distances)[from[1]]);
            both[is_element]->move(from[is_element]++, kept[is_element]++);
        }
        for (const std::size_t kind : {0u, 1u}) {
            from[kind] = end[kind];
            both[kind]->offsets[i + 1] = kept[kind];
        }
    }
    const std::size_t lists = elements.size();
    for (ListResult* const result : both)
        if (result->size() != 0) result->keep_first(lists, wanted.distances);
}

}  // namespace throng::detail

namespace throng {

using namespace detail;

Status Frame::find_lists(const Points& points, const Neighbourhood& wanted, NeighbourLists& lists,
                         const Filters& filters) const noexcept {
    return find_in_parts(Scope::of_agents(*this), points, wanted, filters, lists, nullptr);
}
Status WithStatic::find_lists(const Points& points, const Neighbourhood& wanted, NeighbourLists& agents,
                              NeighbourLists& elements, const Filters& filters) const noexcept {
    agents.clear();
    if (&agents == &elements) return {Code::bad_config, Argument::output};
    return find_in_parts(Scope(*this), points, wanted, filters, agents, &elements);
}

Status Frame::count_neighbours(const Points& points, const Within& wanted, std::span<std::uint32_t> counts,
                               const Filters& filters) const noexcept {
    return count_in_parts(Scope::of_agents(*this), points, wanted, counts, filters);
}
Status WithStatic::count_neighbours(const Points& points, const Within& wanted,
                                    std::span<std::uint32_t> counts, const Filters& filters) const noexcept {
    return count_in_parts(Scope(*this), points, wanted, counts, filters);
}

}  // namespace throng
