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

Status WithStatic::overlaps(const BoxesOrShapes& queries, Hits& agents, Hits& elements,
                            const Filters& filters) const noexcept {
    Status status = agents_.overlaps(queries, agents, filters);
    if (status.ok())
        status = elements_.overlaps(queries, elements, filters.of_elements());
    else
        elements.clear();
    if (!status.ok()) agents.clear();
    return status;
}

// The layer's counts go to scratch first, so nothing is written unless both halves succeed.
Status WithStatic::count(const BoxesOrShapes& queries, std::span<std::uint32_t> counts,
                         const Filters& filters) const noexcept {
    if (elements_.size() == 0 || counts.size() < queries.size())
        return agents_.count(queries, counts, filters);
    const Lease<BatchSpace> space(agents_.state_->store->batch_spaces);
    if (!space || !resize_amply(space->answers, queries.size())) return {Code::out_of_memory};
    Status status =
        elements_.count(queries, std::span(space->answers.data(), queries.size()), filters.of_elements());
    if (status.ok()) status = agents_.count(queries, counts, filters);
    for (std::size_t i = 0; i < queries.size() && status.ok(); ++i) counts[i] += space->answers[i];
    return status;
}

Status WithStatic::any(const BoxesOrShapes& queries, std::span<std::uint8_t> answers,
                       const Filters& filters) const noexcept {
    if (elements_.size() == 0 || answers.size() < queries.size())
        return agents_.any(queries, answers, filters);
    const Lease<BatchSpace> space(agents_.state_->store->batch_spaces);
    if (!space || !resize_amply(space->answers, queries.size() / sizeof(std::uint32_t) + 1))
        return {Code::out_of_memory};
    auto* elements = reinterpret_cast<std::uint8_t*>(space->answers.data());
    Status status = elements_.any(queries, std::span(elements, queries.size()), filters.of_elements());
    if (status.ok()) status = agents_.any(queries, answers, filters);
    for (std::size_t i = 0; i < queries.size() && status.ok(); ++i) answers[i] |= elements[i];
    return status;
}

}  // namespace throng
