// The static layer: one frame of a temporary engine, and queries over a frame together with its layer.

#include "throng/static_layer.hpp"

#include <algorithm>

#include "engine/src/api/rebase.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/write/committer.hpp"
#include "throng/engine.hpp"
#include "throng/queries/with_static.hpp"

namespace throng {

using namespace detail;

StaticLayer::StaticLayer(const Boxes& boxes, const Labels& labels, const StaticLayerConfig& config) noexcept
    : config_(config) {
    Engine engine({.executor = config.executor, .memory = config.memory, .isa = config.isa});
    status_ = engine.update(boxes, labels);
    frame_ = status_.ok() ? engine.frame() : Frame(status_);
}

StaticLayer StaticLayer::rebased(float dx, float dy) const noexcept {
    StaticLayer moved;
    moved.config_ = config_;
    moved.status_ = status_.ok() ? check_rebase(dx, dy) : status_;
    const FrameState* old = frame_.state_;
    if (old == nullptr || !moved.status_.ok()) return moved;
    Staging nothing_staged(&old->store->memory());
    Committer committer(&old->store->memory());
    nothing_staged.reset(old->agents);
    moved.status_ = committer.gather(config_.executor, *old, nothing_staged, old->agents);
    if (!moved.status_.ok()) return moved;
    moved.status_ = rebase_all(committer.gathered(), committer.gathered_ids(), dx, dy);
    if (!moved.status_.ok()) return moved;
    return StaticLayer(committer.gathered_boxes(), committer.gathered_labels(), config_);
}

Frame Frame::static_layer() const noexcept {
    if (state_ == nullptr) return Frame(status());
    if (state_->layer == nullptr) return {};
    share(state_->layer);
    return {state_->layer, executor_};
}

template <class Queries>
Status WithStatic::find_all(const Queries& queries, Hits& agents, Hits& elements,
                            const Filters& filters) const noexcept {
    Status status = agents_.overlaps(queries, agents, filters);
    if (status.ok())
        status = elements_.overlaps(queries, elements, filters.of_elements());
    else
        elements.clear();
    if (!status.ok()) agents.clear();
    return status;
}

template <class Query>
Count WithStatic::count_both(const Query& query, const Filter& filter) const noexcept {
    Count count = agents_.count(query, filter);
    if (count.status.ok()) count.total += elements_.count(query, of_elements(filter)).total;
    return count;
}

template <class Query>
Found WithStatic::any_of_both(const Query& query, const Filter& filter) const noexcept {
    const Found found = agents_.any(query, filter);
    return !found.status.ok() || found.found ? found : elements_.any(query, of_elements(filter));
}

// The layer's counts go to scratch first, so nothing is written unless both halves succeed.
template <class Queries>
Status WithStatic::count_all(const Queries& queries, std::span<std::uint32_t> counts,
                             const Filters& filters) const noexcept {
    if (elements_.size() == 0) return agents_.count(queries, counts, filters);
    const Lease<BatchSpace> space(agents_.state_->store->batch_spaces);
    if (!space || !reserve_amply(space->answers, counts.size()) || !space->answers.resize(counts.size()))
        return {Code::out_of_memory};
    Status status =
        elements_.count(queries, std::span(space->answers.data(), counts.size()), filters.of_elements());
    if (status.ok()) status = agents_.count(queries, counts, filters);
    for (std::size_t i = 0; i < counts.size() && status.ok(); ++i) counts[i] += space->answers[i];
    return status;
}

template <class Queries>
Status WithStatic::any_of_all(const Queries& queries, std::span<std::uint8_t> answers,
                              const Filters& filters) const noexcept {
    if (elements_.size() == 0) return agents_.any(queries, answers, filters);
    const Lease<BatchSpace> space(agents_.state_->store->batch_spaces);
    const std::size_t words = answers.size() / sizeof(std::uint32_t) + 1;
    if (!space || !reserve_amply(space->answers, words) || !space->answers.resize(words))
        return {Code::out_of_memory};
    auto* elements = reinterpret_cast<std::uint8_t*>(space->answers.data());
    Status status = elements_.any(queries, std::span(elements, answers.size()), filters.of_elements());
    if (status.ok()) status = agents_.any(queries, answers, filters);
    for (std::size_t i = 0; i < answers.size() && status.ok(); ++i) answers[i] |= elements[i];
    return status;
}

Status WithStatic::overlaps(const Boxes& boxes, Hits& agents, Hits& elements,
                            const Filters& filters) const noexcept {
    return find_all(boxes, agents, elements, filters);
}
Status WithStatic::count(const Boxes& boxes, std::span<std::uint32_t> counts,
                         const Filters& filters) const noexcept {
    return count_all(boxes, counts, filters);
}
Status WithStatic::any(const Boxes& boxes, std::span<std::uint8_t> answers,
                       const Filters& filters) const noexcept {
    return any_of_all(boxes, answers, filters);
}
Status WithStatic::overlaps(const Shapes& shapes, Hits& agents, Hits& elements,
                            const Filters& filters) const noexcept {
    return find_all(shapes, agents, elements, filters);
}
Status WithStatic::count(const Shapes& shapes, std::span<std::uint32_t> counts,
                         const Filters& filters) const noexcept {
    return count_all(shapes, counts, filters);
}
Status WithStatic::any(const Shapes& shapes, std::span<std::uint8_t> answers,
                       const Filters& filters) const noexcept {
    return any_of_all(shapes, answers, filters);
}
Count WithStatic::count(const Box& box, const Filter& filter) const noexcept {
    return count_both(box, filter);
}
Found WithStatic::any(const Box& box, const Filter& filter) const noexcept {
    return any_of_both(box, filter);
}
Count WithStatic::count(const Shape& shape, const Filter& filter) const noexcept {
    return count_both(shape, filter);
}
Found WithStatic::any(const Shape& shape, const Filter& filter) const noexcept {
    return any_of_both(shape, filter);
}

}  // namespace throng
