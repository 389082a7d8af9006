// The static layer: one frame of a temporary engine.

#include "throng/static_layer.hpp"

#include "engine/src/api/rebase.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/write/committer.hpp"
#include "throng/engine.hpp"

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

}  // namespace throng
