// Neighbours of any points, as the host calls for them.

#include <algorithm>

#include "engine/src/base/box_check.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/point_search.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

Status check_radii(const Neighbourhood& wanted) noexcept {
    for (std::size_t i = 0; i < wanted.radii.size(); ++i)
        if (const Code bad = check_radius(wanted.radii[i], wanted.max_count); bad != Code::ok)
            return {bad, i, Argument::radii};
    return {};
}
// Points are boxes that are legal if they are finite.
Status check_points(const Points& points) noexcept {
    const Status bad = check(points.boxes());
    return bad.ok() ? bad : Status{Code::not_finite, bad.index, Argument::boxes};
}

}  // namespace

Status detail::check_call(const Frame& frame, const Points& points, const Neighbourhood& wanted,
                          const Filters& filters) noexcept {
    if (const Code bad = points.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (const Status bad = check(wanted, From::points, points.size()); !bad.ok()) return bad;
    if (const Status bad = check(filters, From::points, points.size()); !bad.ok()) return bad;
    if (!frame.status().ok()) return frame.status();
    if (const Status bad = check_points(points); !bad.ok()) return bad;
    return check_radii(wanted);
}

Status Frame::neighbours(const Points& points, const Neighbourhood& wanted, Neighbours& lists,
                         const Filters& filters) const noexcept {
    lists.clear();
    if (const Status bad = check_call(*this, points, wanted, filters); !bad.ok()) return bad;
    ListResult result(lists, wanted);
    Status status{result.make_empty(points.size()) ? Code::ok : Code::out_of_memory};
    if (status.ok() && state_ != nullptr)
        status =
            result.finish(PointSearch(*state_, executor_, wanted, {*state_, filters}).lists(points, result));
    if (!status.ok()) lists.clear();
    return status;
}

Status Frame::count_neighbours(const Points& points, const Neighbourhood& wanted,
                               std::span<std::uint32_t> counts, const Filters& filters) const noexcept {
    if (counts.size() < points.size()) return {Code::size_mismatch, Argument::output};
    if (counts.data() == nullptr && !counts.empty()) return {Code::null_view, Argument::output};
    if (const Status bad = check_call(*this, points, wanted, filters); !bad.ok()) return bad;
    if (wanted.max_count != 0) return {Code::bad_config, Argument::max_count};
    if (state_ == nullptr) {
        std::fill_n(counts.begin(), points.size(), 0u);
        return {};
    }
    return PointSearch(*state_, executor_, wanted, {*state_, filters}).count(points, counts.data());
}

}  // namespace throng
