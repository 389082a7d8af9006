// The static layer: one frame of an engine that is not kept, and questions about a frame and its layer
// together.

#include "throng/static_layer.hpp"

#include <algorithm>

#include "engine/src/committer.hpp"
#include "engine/src/rebase.hpp"
#include "engine/src/store.hpp"
#include "throng/engine.hpp"

namespace throng {

using namespace detail;

StaticLayer::StaticLayer(const Boxes& boxes, const Labels& labels, const StaticLayerConfig& config) noexcept
    : config_(config) {
    Engine engine({.executor = config.executor, .memory = config.memory, .isa = config.isa});
    status_ = engine.update(boxes, labels);
    if (status_.ok()) frame_ = engine.frame();
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
    if (!committer.gather(*old, nothing_staged, old->agents)) {
        moved.status_ = {Code::out_of_memory};
        return moved;
    }
    moved.status_ = rebase_all(committer.gathered(), committer.gathered_ids(), dx, dy);
    if (!moved.status_.ok()) return moved;
    return StaticLayer(committer.gathered_boxes(), committer.gathered_labels(), config_);
}

Frame Frame::static_layer() const noexcept {
    if (state_ == nullptr || state_->layer == nullptr) return {};
    share(state_->layer);
    return {state_->layer, executor_};
}

Status Frame::overlaps(const Boxes& boxes, Hits& agents, Hits& elements) const noexcept {
    Status status = overlaps(boxes, agents);
    if (status.ok())
        status = static_layer().overlaps(boxes, elements);
    else
        elements.clear();
    if (!status.ok()) agents.clear();
    return status;
}

Found Frame::count_including_static(const Box& box) const noexcept {
    Found found = count(box);
    if (found.status.ok()) found.found += static_layer().count(box).found;
    return found;
}

Found Frame::any_including_static(const Box& box) const noexcept {
    const Found found = any(box);
    return !found.status.ok() || found.found != 0 ? found : static_layer().any(box);
}

// The layer's answers in a work space first, so that nothing is written unless both parts were answered.
Status Frame::count_including_static(const Boxes& boxes, std::span<std::uint32_t> counts) const noexcept {
    const Frame layer = static_layer();
    if (layer.size() == 0) return count(boxes, counts);
    const Lease<BatchSpace> space(state_->store->batch_spaces);
    if (!space || !reserve_amply(space->answers, counts.size()) || !space->answers.resize(counts.size()))
        return {Code::out_of_memory};
    Status status = layer.count(boxes, std::span(space->answers.data(), counts.size()));
    if (status.ok()) status = count(boxes, counts);
    for (std::size_t i = 0; i < counts.size() && status.ok(); ++i) counts[i] += space->answers[i];
    return status;
}

Status Frame::any_including_static(const Boxes& boxes, std::span<std::uint8_t> answers) const noexcept {
    const Frame layer = static_layer();
    if (layer.size() == 0) return any(boxes, answers);
    const Lease<BatchSpace> space(state_->store->batch_spaces);
    const std::size_t words = answers.size() / sizeof(std::uint32_t) + 1;
    if (!space || !reserve_amply(space->answers, words) || !space->answers.resize(words))
        return {Code::out_of_memory};
    auto* elements = reinterpret_cast<std::uint8_t*>(space->answers.data());
    Status status = layer.any(boxes, std::span(elements, answers.size()));
    if (status.ok()) status = any(boxes, answers);
    for (std::size_t i = 0; i < answers.size() && status.ok(); ++i) answers[i] |= elements[i];
    return status;
}

}  // namespace throng
