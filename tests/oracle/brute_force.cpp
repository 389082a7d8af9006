#include "oracle/brute_force.hpp"

#include <algorithm>
#include <cmath>

namespace throng::oracle {
namespace {

Status check_all(const Boxes& boxes) {
    if (boxes.null()) return {Code::null_view};
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (const Code code = check(boxes[i]); code != Code::ok) return {code, i};
    return {};
}

// What is wrong with the first agent that something is wrong with; of two equal ids the second is at
// fault. The boxes may be left out.
Status check_edits(const BruteForce& world, std::span<const AgentId> ids, const Boxes* boxes) {
    std::vector<bool> seen;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!world.knows(ids[i])) return {Code::unknown_agent, i};
        if (boxes != nullptr)
            if (const Code code = check((*boxes)[i]); code != Code::ok) return {code, i};
        if (ids[i] >= seen.size()) seen.resize(ids[i] + std::size_t{1});
        if (seen[ids[i]]) return {Code::duplicate_agent, i};
        seen[ids[i]] = true;
    }
    return {};
}

template <class T>
Found copy_what_fits(std::span<const T> all, std::span<T> out) {
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

// --- Questions ---------------------------------------------------------------------------------------------

Status BruteForceFrame::find(const Box& box, const Filter* filter, std::vector<AgentId>& ids) const {
    if (const Code code = check(box); code != Code::ok) return {code, 0};
    if (agents_ == nullptr) return {};
    // A copy, which stays in registers: sanitizers look at every access to memory.
    const Box asked = box;
    for (const Agent& agent : *agents_)
        if (agent.box.overlaps(asked) && (filter == nullptr || filter->admits(agent.id, agent.label)))
            ids.push_back(agent.id);
    return {};
}

Found BruteForceFrame::overlaps(const Box& box, const Filter& filter, std::span<AgentId> out) const {
    std::vector<AgentId> ids;
    if (const Status status = find(box, &filter, ids); !status) return {status};
    return copy_what_fits(std::span<const AgentId>(ids), out);
}

Found BruteForceFrame::overlaps(const Box& box, std::span<AgentId> out) const {
    std::vector<AgentId> ids;
    if (const Status status = find(box, nullptr, ids); !status) return {status};
    return copy_what_fits(std::span<const AgentId>(ids), out);
}

Status BruteForceFrame::overlaps(const Boxes& boxes, HitLists& hits) const {
    return find_all(boxes, nullptr, hits);
}

Status BruteForceFrame::overlaps(const Boxes& boxes, const Filters& filters, HitLists& hits) const {
    return find_all(boxes, &filters, hits);
}

Status BruteForceFrame::find_all(const Boxes& boxes, const Filters* filters, HitLists& hits) const {
    hits.clear();
    if (filters != nullptr && !filters->one_for_all() && filters->size() != boxes.size())
        return {Code::size_mismatch};
    if (const Status status = check_all(boxes); !status) return status;
    hits.offsets_.push_back(0);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        static_cast<void>(find(boxes[i], filters == nullptr ? nullptr : &(*filters)[i], hits.ids_));
        hits.offsets_.push_back(hits.ids_.size());
    }
    return {};
}

Found BruteForceFrame::overlaps(const Boxes& boxes, std::span<std::uint64_t> offsets,
                                std::span<AgentId> ids) const {
    if (offsets.size() != boxes.size() + 1) return {{Code::size_mismatch}};
    HitLists hits;
    if (const Status status = overlaps(boxes, hits); !status) return {status};
    std::copy(hits.offsets_.begin(), hits.offsets_.end(), offsets.begin());
    return copy_what_fits(hits.ids(), ids);
}

Found BruteForceFrame::count(const Box& box) const { return overlaps(box, std::span<AgentId>()); }

Found BruteForceFrame::count(const Box& box, const Filter& filter) const {
    return overlaps(box, filter, std::span<AgentId>());
}

Status BruteForceFrame::count(const Boxes& boxes, std::span<std::uint32_t> counts) const {
    if (counts.size() != boxes.size()) return {Code::size_mismatch};
    if (const Status status = check_all(boxes); !status) return status;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        counts[i] = static_cast<std::uint32_t>(count(boxes[i]).found);
    return {};
}

Found BruteForceFrame::any(const Box& box) const {
    const Found all = count(box);
    return {all.status, all.found != 0 ? std::uint64_t{1} : 0, 0};
}

Status BruteForceFrame::any(const Boxes& boxes, std::span<std::uint8_t> answers) const {
    if (answers.size() != boxes.size()) return {Code::size_mismatch};
    if (const Status status = check_all(boxes); !status) return status;
    for (std::size_t i = 0; i < boxes.size(); ++i) answers[i] = any(boxes[i]).found != 0;
    return {};
}

Status BruteForceFrame::pairs(PairLists& list) const { return list_pairs(nullptr, list); }

Status BruteForceFrame::pairs(PairLists& list, const PairFilter& filter) const {
    return list_pairs(&filter, list);
}

Status BruteForceFrame::list_pairs(const PairFilter* filter, PairLists& list) const {
    list.clear();
    if (agents_ == nullptr) return {};
    std::span<const Agent> others(*agents_);
    for (const Agent& a : *agents_) {
        others = others.subspan(1);
        const Box box = a.box;
        for (const Agent& b : others)
            if (box.overlaps(b.box) && (filter == nullptr || filter->admits(a.label, b.label)))
                list.pairs_.push_back({a.id, b.id});
    }
    return {};
}

Found BruteForceFrame::pairs(std::span<Pair> out) const {
    PairLists list;
    static_cast<void>(pairs(list));
    return copy_what_fits(list.pairs(), out);
}

Found BruteForceFrame::count_pairs() const { return pairs(std::span<Pair>()); }

std::vector<AgentId> BruteForceFrame::ids() const {
    std::vector<AgentId> all;
    if (agents_ != nullptr)
        for (const Agent& agent : *agents_) all.push_back(agent.id);
    return all;
}

std::vector<Box> BruteForceFrame::boxes() const {
    std::vector<Box> all;
    if (agents_ != nullptr)
        for (const Agent& agent : *agents_) all.push_back(agent.box);
    return all;
}

std::vector<Label> BruteForceFrame::labels() const {
    std::vector<Label> all;
    if (agents_ != nullptr)
        for (const Agent& agent : *agents_) all.push_back(agent.label);
    return all;
}

// --- Writing -----------------------------------------------------------------------------------------------

Status BruteForce::update(const Boxes& boxes) { return update(boxes, Labels()); }

Status BruteForce::update(const Boxes& boxes, const Labels& labels) {
    if (!labels.empty() && labels.size() != boxes.size()) return {Code::size_mismatch};
    if (staged() != 0) return {Code::edits_pending};
    if (const Status status = check_all(boxes); !status) return status;
    next_.clear();
    for (std::size_t i = 0; i < boxes.size(); ++i)
        next_.push_back({boxes[i], true, labels.empty() ? Label{} : labels[i]});
    publish();
    return {};
}

Status BruteForce::insert(const Box& box, AgentId& id) { return insert(box, Label{}, id); }

Status BruteForce::insert(const Box& box, const Label& label, AgentId& id) {
    if (const Code code = check(box); code != Code::ok) return {code, 0};
    const auto free = std::find_if(next_.begin(), next_.end(), [](const Slot& slot) { return !slot.used; });
    id = static_cast<AgentId>(free - next_.begin());
    if (free == next_.end()) next_.emplace_back();
    next_[id] = {box, true, label};
    note_edit(id);
    return {};
}

Status BruteForce::insert(const Boxes& boxes, std::span<AgentId> ids) { return insert(boxes, Labels(), ids); }

Status BruteForce::insert(const Boxes& boxes, const Labels& labels, std::span<AgentId> ids) {
    if (!labels.empty() && labels.size() != boxes.size()) return {Code::size_mismatch};
    if (ids.size() != boxes.size()) return {Code::size_mismatch};
    if (const Status status = check_all(boxes); !status) return status;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        static_cast<void>(insert(boxes[i], labels.empty() ? Label{} : labels[i], ids[i]));
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

Status BruteForce::move(std::span<const AgentId> ids, const Boxes& boxes) {
    if (ids.size() != boxes.size()) return {Code::size_mismatch};
    if (boxes.null()) return {Code::null_view};
    if (const Status status = check_edits(*this, ids, &boxes); !status) return status;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        next_[ids[i]].box = boxes[i];
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
    if (staged() != 0) publish();
    return {};
}

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
        if (next_[i].used) agents->push_back({next_[i].box, static_cast<AgentId>(i), next_[i].label});
    frame_.agents_ = std::move(agents);
    ++frame_.number_;
    published_ = next_;
    edited_.clear();
}

}  // namespace throng::oracle
