#include "oracle/brute_force.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "oracle/neighbours.hpp"
#include "oracle/shapes.hpp"

namespace throng::oracle {
namespace {

// For Boxes and for Shapes, as below.
template <class Queries>
Status check_all(const Queries& queries, const Around& around = {}) {
    if (const Code bad = queries.fault(); bad != Code::ok) return {bad};
    for (std::size_t i = 0; i < queries.size(); ++i) {
        if (const Code code = check(queries[i]); code != Code::ok) return {code, i};
        if constexpr (!std::is_same_v<Queries, Heights>)
            if (is_too_long(queries[i], around)) return {Code::too_large, i};
    }
    return {};
}

// What is wrong with the first agent at fault; of two equal ids the second is at fault. The boxes may be left
// out.
Status check_edits(const BruteForce& world, std::span<const AgentId> ids, const Boxes* boxes,
                   const Heights& heights = {}) {
    std::vector<bool> seen;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!world.knows(ids[i])) return {Code::unknown_id, i};
        if (const Code code = check(heights[i]); code != Code::ok) return {code, i, Argument::heights};
        if (boxes != nullptr)
            if (const Code code = check((*boxes)[i]); code != Code::ok) return {code, i};
        if (ids[i] >= seen.size()) seen.resize(ids[i] + std::size_t{1});
        if (seen[ids[i]]) return {Code::duplicate_id, i};
        seen[ids[i]] = true;
    }
    return {};
}

template <class T>
Filled copy_what_fits(std::span<const T> all, std::span<T> out) {
    const std::size_t fit = std::min(all.size(), out.size());
    std::copy_n(all.begin(), fit, out.begin());
    return {{}, all.size(), fit};
}

}  // namespace

Code check(const Box& box) {
    for (const float value : {box.min_x, box.min_y, box.max_x, box.max_y})
        if (!std::isfinite(value)) return Code::not_finite;
    return box.min_x > box.max_x || box.min_y > box.max_y ? Code::inverted : Code::ok;
}

Code check(const Band& band) {
    if (std::isnan(band.min_z) || std::isnan(band.max_z)) return Code::not_finite;
    return band.min_z > band.max_z ? Code::inverted : Code::ok;
}

// --- Queries ---------------------------------------------------------------------------------------------

template <class Query>
Status BruteForceFrame::find(const Query& query, const Filter& filter, std::vector<AgentId>& ids) const {
    if (const Code code = check(query); code != Code::ok) return {code, 0};
    if (is_too_long(query, around_)) return {Code::too_large, 0};
    if (agents_ == nullptr) return {};
    // A copy, which stays in registers: sanitizers look at every access to memory.
    const Query asked = query;
    const bool wraps = around_.wraps();
    for (const Agent& agent : *agents_)
        if ((wraps ? overlaps_around(asked, agent.box, around_) : oracle::overlaps(asked, agent.box)) &&
            filter.admits(agent.id, agent.label, agent.height))
            ids.push_back(agent.id);
    return {};
}
template Status BruteForceFrame::find(const Box&, const Filter&, std::vector<AgentId>&) const;
template Status BruteForceFrame::find(const Shape&, const Filter&, std::vector<AgentId>&) const;

template <class Query>
Filled BruteForceFrame::find_what_fits(const Query& query, std::span<AgentId> out,
                                       const Filter& filter) const {
    std::vector<AgentId> ids;
    if (const Status status = find(query, filter, ids); !status) return {status};
    return copy_what_fits(std::span<const AgentId>(ids), out);
}
template Filled BruteForceFrame::find_what_fits(const Box&, std::span<AgentId>, const Filter&) const;
template Filled BruteForceFrame::find_what_fits(const Shape&, std::span<AgentId>, const Filter&) const;

Status BruteForceFrame::overlaps(const BoxesOrShapes& queries, OverlapLists& hits,
                                 const Filters& filters) const {
    hits.clear();
    if (!filters.one_for_all() && filters.size() != queries.size()) return {Code::size_mismatch};
    return queries.visit([&](const auto& all) -> Status {
        if (const Status status = check_all(all, around_); !status) return status;
        hits.offsets_.push_back(0);
        for (std::size_t i = 0; i < all.size(); ++i) {
            static_cast<void>(find(all[i], filters[i], hits.ids_));
            hits.offsets_.push_back(hits.ids_.size());
        }
        return {};
    });
}
template <class Answer>
Status BruteForceFrame::answer_all(const BoxesOrShapes& queries, std::span<Answer> answers,
                                   const Filters& filters) const {
    if (answers.size() != queries.size()) return {Code::size_mismatch};
    OverlapLists hits;
    const Status status = overlaps(queries, hits, filters);
    for (std::size_t i = 0; i < hits.size(); ++i)
        answers[i] = static_cast<Answer>(sizeof(Answer) == 1 ? !hits[i].empty() : hits[i].size());
    return status;
}

Filled BruteForceFrame::overlaps(const BoxesOrShapes& queries, std::span<std::uint64_t> offsets,
                                 std::span<AgentId> ids, const Filters& filters) const {
    if (offsets.size() != queries.size() + 1) return {{Code::size_mismatch}};
    OverlapLists hits;
    if (const Status status = overlaps(queries, hits, filters); !status) return {status};
    std::copy(hits.offsets_.begin(), hits.offsets_.end(), offsets.begin());
    return copy_what_fits(hits.ids(), ids);
}
Status BruteForceFrame::count(const BoxesOrShapes& queries, std::span<std::uint32_t> counts,
                              const Filters& filters) const {
    return answer_all(queries, counts, filters);
}
Status BruteForceFrame::any(const BoxesOrShapes& queries, std::span<std::uint8_t> answers,
                            const Filters& filters) const {
    return answer_all(queries, answers, filters);
}

// Without branches: these would be mispredicted half of the time, and tests spend more time here than in the
// engine.
bool are_within(const Box& a, const Box& b, double distance) {
    if (distance == 0)
        return (a.min_x <= b.max_x) & (b.min_x <= a.max_x) & (a.min_y <= b.max_y) & (b.min_y <= a.max_y);
    const double dx =
        std::max(0.0, std::max(double{b.min_x} - double{a.max_x}, double{a.min_x} - double{b.max_x}));
    const double dy =
        std::max(0.0, std::max(double{b.min_y} - double{a.max_y}, double{a.min_y} - double{b.max_y}));
    return dx * dx + dy * dy <= distance * distance;
}

bool are_close(const Box& a, const Box& b, const PairQuery& wanted) {
    if (!are_within(a, b, wanted.within)) return false;
    if (wanted.agents_as == AgentsAs::boxes) return true;
    const Point one = centre_of(a), other = centre_of(b);
    const auto radius = [](const Box& box) {
        return std::min(0.5f * box.max_x - 0.5f * box.min_x, 0.5f * box.max_y - 0.5f * box.min_y);
    };
    const float radii = wanted.agents_as == AgentsAs::circles ? radius(a) + radius(b) : 0.0f,
                reach = radii + wanted.within, limit = reach * reach;
    const float dx = one.x - other.x, dy = one.y - other.y, xx = dx * dx, yy = dy * dy;
    return xx + yy <= limit;
}

Status BruteForceFrame::pairs(PairLists& list, const PairQuery& wanted) const {
    list.clear();
    if (agents_ == nullptr) return {};
    std::span<const Agent> others(*agents_);
    for (const Agent& a : *agents_) {
        others = others.subspan(1);
        const Box box = a.box;
        for (const Agent& b : others)
            if ((around_.wraps() ? are_close_around(box, b.box, wanted, around_)
                                 : oracle::are_close(box, b.box, wanted)) &&
                wanted.filter.admits(a.label, b.label) && a.height.overlaps(b.height) &&
                !(a.is_ghost && b.is_ghost))
                list.pairs_.push_back({a.id, b.id});
    }
    return {};
}

Filled BruteForceFrame::pairs(std::span<Pair> out, const PairQuery& wanted) const {
    PairLists list;
    static_cast<void>(pairs(list, wanted));
    return copy_what_fits(list.pairs(), out);
}

Count BruteForceFrame::count_pairs(const PairQuery& wanted) const {
    PairLists list;
    const Status status = pairs(list, wanted);
    return {status, list.size()};
}

// --- Writing -----------------------------------------------------------------------------------------------

namespace {

bool fit(const Boxes& boxes, const UpdateOptions& options) {
    return (options.labels.empty() || options.labels.size() == boxes.size()) &&
           (options.heights.empty() || options.heights.size() == boxes.size());
}

Status check_all(const Boxes& boxes, const UpdateOptions& options) {
    const Status bad = check_all(options.heights);
    return bad.ok() ? check_all(boxes) : bad;
}

// Whether an element may be an agent.
bool is_legal(const Boxes& boxes, const UpdateOptions& options, std::size_t i) {
    return check(boxes[i]) == Code::ok && check(options.heights[i]) == Code::ok;
}

}  // namespace

namespace {

constexpr AgentId first_id_that_is_too_large = sizeof(std::size_t) < 8 ? 1073741824u : 4294967040u;

// What is wrong with the ids of an update: the first that is too large or was there before.
Status check_ids(std::span<const AgentId> ids) {
    std::set<AgentId> seen;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i] >= first_id_that_is_too_large) return {Code::too_many, i};
        if (!seen.insert(ids[i]).second) return {Code::duplicate_id, i};
    }
    return {};
}

std::vector<AgentId> ids_from_0(std::size_t count) {
    std::vector<AgentId> ids(count);
    std::iota(ids.begin(), ids.end(), AgentId{0});
    return ids;
}

}  // namespace

Status BruteForce::check_update(std::span<const AgentId> ids, const Boxes& boxes,
                                const UpdateOptions& options) const {
    if (ids.size() != boxes.size() || !fit(boxes, options)) return {Code::size_mismatch};
    if (options.owned != all_owned && options.owned > boxes.size()) return {Code::bad_config};
    if (staged() != 0) return {Code::edits_pending};
    return check_ids(ids);
}

void BruteForce::replace_all(std::span<const AgentId> ids, const Boxes& boxes, const UpdateOptions& options) {
    next_.clear();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!is_legal(boxes, options, i)) continue;
        if (ids[i] >= next_.size()) next_.resize(std::size_t{ids[i]} + 1);
        next_[ids[i]] = {folded(boxes[i]), true, options.labels[i], options.heights[i], i >= options.owned};
    }
    publish();
}

Status BruteForce::update(const Boxes& boxes, const UpdateOptions& options) {
    return update(ids_from_0(boxes.size()), boxes, options);
}

Status BruteForce::update(std::span<const AgentId> ids, const Boxes& boxes, const UpdateOptions& options) {
    LeftOut* const left_out = options.left_out;
    if (left_out != nullptr) left_out->total = left_out->written = 0;
    if (const Status status = check_update(ids, boxes, options); !status) return status;
    if (left_out == nullptr)
        if (const Status status = check_all(boxes, options); !status) return status;
    replace_all(ids, boxes, options);
    if (left_out == nullptr) return {};
    std::set<AgentId> illegal;
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (!is_legal(boxes, options, i)) illegal.insert(ids[i]);
    left_out->total = illegal.size();
    left_out->written = std::min(illegal.size(), left_out->ids.size());
    std::copy_n(illegal.begin(), left_out->written, left_out->ids.begin());
    return {};
}

Status BruteForce::renumber(std::span<const AgentId> order) {
    if (staged() != 0) return {Code::edits_pending};
    if (order.size() != size()) return {Code::size_mismatch};
    std::set<AgentId> seen;
    std::vector<Slot> renumbered;
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (!knows(order[k])) return {Code::unknown_id, k};
        if (!seen.insert(order[k]).second) return {Code::duplicate_id, k};
        renumbered.push_back(next_[order[k]]);
    }
    next_ = renumbered;
    publish();
    return {};
}

Status BruteForce::insert(const Box& box, AgentId& id, const Label& label, const Band& height) {
    if (const Code code = check(height); code != Code::ok) return {code, 0, Argument::heights};
    if (const Code code = check(box); code != Code::ok) return {code, 0};
    const auto free = std::find_if(next_.begin(), next_.end(), [](const Slot& slot) { return !slot.used; });
    id = static_cast<AgentId>(free - next_.begin());
    if (free == next_.end()) next_.emplace_back();
    next_[id] = {folded(box), true, label, height};
    note_edit(id);
    return {};
}

Status BruteForce::insert(const Boxes& boxes, std::span<AgentId> ids, const UpdateOptions& options) {
    if (ids.size() != boxes.size() || !fit(boxes, options)) return {Code::size_mismatch};
    if (options.owned != all_owned && options.owned != boxes.size()) return {Code::bad_config};
    if (const Status status = check_all(boxes, options); !status) return status;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        static_cast<void>(insert(boxes[i], ids[i], options.labels[i], options.heights[i]));
    return {};
}

Status BruteForce::relabel(AgentId id, const Label& label) {
    return relabel(std::span(&id, 1), Labels::of(std::span(&label, 1)));
}

Status BruteForce::relabel(std::span<const AgentId> ids, const Labels& labels) {
    if (ids.size() != labels.size()) return {Code::size_mismatch};
    if (const Status status = check_edits(*this, ids, nullptr); !status) return status;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        next_[ids[i]].label = labels[i];
        note_edit(ids[i]);
    }
    return {};
}

Status BruteForce::move(AgentId id, const Box& box) {
    return move(std::span(&id, 1), Boxes::of(std::span(&box, 1)));
}

Status BruteForce::move(AgentId id, const Box& box, const Band& height) {
    return move(std::span(&id, 1), Boxes::of(std::span(&box, 1)), Heights::of(std::span(&height, 1)));
}

Status BruteForce::move(std::span<const AgentId> ids, const Boxes& boxes, const Heights& heights) {
    if (ids.size() != boxes.size() || !fit(boxes, {.heights = heights})) return {Code::size_mismatch};
    if (const Code bad = boxes.fault(); bad != Code::ok) return {bad};
    if (const Status status = check_edits(*this, ids, &boxes, heights); !status) return status;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!heights.empty()) next_[ids[i]].height = heights[i];
        next_[ids[i]].box = folded(boxes[i]);
        note_edit(ids[i]);
    }
    return {};
}

Status BruteForce::remove(AgentId id) { return remove(std::span(&id, 1)); }

Status BruteForce::remove(std::span<const AgentId> ids) {
    if (const Status status = check_edits(*this, ids, nullptr); !status) return status;
    for (const AgentId id : ids) {
        next_[id] = {};
        note_edit(id);
    }
    return {};
}

Status BruteForce::commit() {
    if (staged() != 0 || layer_ != frame_.layer_) publish();
    return {};
}

void BruteForce::set_static_layer(const BruteForceFrame& elements) {
    layer_ = std::make_shared<const BruteForceFrame>(elements);
}
void BruteForce::clear_static_layer() { layer_.reset(); }

void BruteForce::discard() {
    next_ = published_;
    edited_.clear();
}

void BruteForce::note_edit(AgentId id) {
    if (std::find(edited_.begin(), edited_.end(), id) == edited_.end()) edited_.push_back(id);
}

void BruteForce::publish() {
    auto agents = std::make_shared<std::vector<BruteForceFrame::Agent>>();
    for (std::size_t i = 0; i < next_.size(); ++i)
        if (next_[i].used)
            agents->push_back(
                {next_[i].box, static_cast<AgentId>(i), next_[i].label, next_[i].height, next_[i].is_ghost});
    frame_.agents_ = std::move(agents);
    frame_.layer_ = layer_;
    ++frame_.number_;
    published_ = next_;
    edited_.clear();
}

}  // namespace throng::oracle
