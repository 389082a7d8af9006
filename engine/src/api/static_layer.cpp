// The static layer: one frame of a temporary engine.

#include "throng/static_layer.hpp"

#include "base/legal.hpp"
#include "engine/src/edit/gathered_agents.hpp"
#include "engine/src/store/store.hpp"
#include "throng/engine.hpp"

namespace throng {

using namespace detail;

StaticLayer::StaticLayer(const Boxes& boxes, const UpdateOptions& options,
                         const StaticLayerConfig& config) noexcept
    : config_(config) {
    if (options.left_out == nullptr) {
        build(boxes, options, 0, 0);
    } else {
        status_ = {Code::bad_config, Argument::options};
        frame_ = Frame(status_);
    }
}

void StaticLayer::build(const Boxes& boxes, const UpdateOptions& options, float period_x,
                        float period_y) noexcept {
    Engine engine({.executor = config_.executor,
                   .memory = config_.memory,
                   .period_x = period_x,
                   .period_y = period_y,
                   .isa = config_.isa});
    status_ = engine.update(boxes, options);
    frame_ = status_.ok() ? engine.frame() : Frame(status_);
}

StaticLayer StaticLayer::rebased(float dx, float dy) const noexcept { return made_again(dx, dy, 0, 0); }

StaticLayer StaticLayer::made_again(float dx, float dy, float period_x, float period_y) const noexcept {
    StaticLayer moved;
    moved.config_ = config_;
    moved.status_ = status_.ok() ? Status{check(Box{dx, dy, dx, dy})} : status_;
    const FrameState* old = frame_.state_;
    if (old == nullptr || !moved.status_.ok()) return moved;
    Staging nothing_staged(&old->store->memory());
    GatheredAgents gathered(&old->store->memory());
    AgentList agents;
    nothing_staged.reset(old->agents);
    moved.status_ = gathered.list_moved(config_.executor, *old, nothing_staged, dx, dy, agents);
    if (!moved.status_.ok()) return moved;
    moved.build(agents.boxes, UpdateOptions{agents.labels, agents.heights}, period_x, period_y);
    return moved;
}

Frame Frame::static_layer() const noexcept {
    if (state_ == nullptr) return Frame(status());
    if (state_->layer == nullptr) return {};
    share(state_->layer);
    return {state_->layer, executor_, state_->layer->torus.wraps()};
}

}  // namespace throng
