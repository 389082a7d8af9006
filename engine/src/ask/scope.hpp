// The parts that a query is put to: the agents of a frame, and in calls of `WithStatic` the elements of its
// static layer. A frame that is empty, or stands for a failure, has no parts; its calls check their
// arguments, and answer with nothing or with that status.
//
//     if (Scope::is_plain(*this)) return answer(*state_, query);      // one part, no seams: the usual case
//     const Scope scope(*this);
//     if (!scope.status().ok()) return scope.status();
//     const Torus torus = scope.torus();              // fold the query once, and find its images once
//     scope.each(filter, [&](const Part& part, const Filter& own) { return keep.add(*part.frame, query, own);
//     });
//
// The kept answer is handed from part to part, and says when it has enough. Images of a query in a world that
// wraps around are no parts: they depend on the query.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "throng/frame.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

struct Part {
    const FrameState* frame;
    bool is_layer;
};

class Scope {
public:
    explicit Scope(const Frame& frame) noexcept
        : agents_(frame.state_),
          layer_((frame.looks_at_ & Frame::LooksAt::layer) != 0 ? frame.state_->layer : nullptr),
          wraps_(frame.wraps_),
          failure_(frame.failure_),
          executor_(&frame.executor_) {}
    // Whether a frame is one part without seams, for calls that answer for both kinds, or for agents alone:
    // one look at a byte. And that part.
    static bool is_plain(const Frame& frame) noexcept { return frame.looks_at_ == 0; }
    static bool has_plain_agents(const Frame& frame) noexcept {
        return (frame.looks_at_ & ~Frame::LooksAt::layer) == 0;
    }
    static const FrameState& only_part(const Frame& frame) noexcept { return *frame.state_; }
    // Without the static layer, for calls that answer for each kind apart.
    static Scope of_agents(const Frame& frame) noexcept {
        Scope scope(frame);
        scope.layer_ = nullptr;
        return scope;
    }
    // The same with another executor, which lives as long.
    Scope on(const Executor& executor) const noexcept {
        Scope scope(*this);
        scope.executor_ = &executor;
        return scope;
    }
    // A frame as it lies, without seams.
    static Frame flat(const Frame& frame) noexcept { return frame.unrolled(); }

    bool is_empty() const noexcept { return agents_ == nullptr; }
    // The answer of a frame without parts.
    const Status& status() const noexcept { return failure_; }
    const Executor& executor() const noexcept { return *executor_; }
    const FrameState& agents() const noexcept { return *agents_; }
    const FrameState* layer() const noexcept { return layer_; }
    bool wraps() const noexcept { return wraps_; }
    // For all parts together, so that images are the same for all: the widest agent or element decides.
    Torus torus() const noexcept {
        if (!wraps_) return {};
        Torus torus = agents_->torus;
        if (layer_ != nullptr) torus.add(layer_->torus);
        return torus;
    }
    // Calls use(part) for the agents, and then for the layer, until it returns false.
    template <class Use>
    void each(const Use& use) const {
        if (agents_ == nullptr || !use(Part{agents_, false})) return;
        if (layer_ != nullptr) (void)use(Part{layer_, true});
    }
    // The same with the filter of each part.
    template <class Use>
    THRONG_ALWAYS_INLINE void each(const Filter& filter, const Use& use) const {
        if (agents_ == nullptr || !use(Part{agents_, false}, filter)) return;
        if (layer_ != nullptr) (void)use(Part{layer_, true}, detail::of_elements(filter));
    }
    static Filters of_elements(const Filters& filters) noexcept { return filters.of_elements(); }

private:
    const FrameState* agents_;
    const FrameState* layer_;
    bool wraps_;
    const Status& failure_;
    const Executor* executor_;
};

}  // namespace throng::detail
