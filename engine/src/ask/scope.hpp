// The parts that a question is put to: the agents of a frame, and in calls of `WithStatic` the elements of
// its static layer. A frame that is empty, or that stands for a failure, has no parts; its calls check their
// arguments, and answer with nothing or with that status.
//
//     if (Scope::is_plain(*this)) return answer(*state_, query);      // one part, no seams: the usual case
//     const Scope scope(*this);
//     if (scope.is_empty()) return scope.status();
//     const Torus torus = scope.torus();              // fold the query once, and find its images once
//     scope.each([&](const Part& part) { return keep.add(*part.frame, query, filter_for(part, filter)); });
//
// What is kept of an answer is handed from part to part, and says when it has enough. Images of a query in a
// world that wraps around are no parts: they depend on the query.
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
    explicit Scope(const FrameCalls& frame) noexcept
        : agents_(frame.state_),
          layer_(frame.with_layer_ ? frame.state_->layer : nullptr),
          wraps_(frame.wraps_),
          failure_(frame.failure_),
          executor_(&frame.executor_) {}
    // Whether a frame is one part without seams: one look at a byte. And that part.
    static bool is_plain(const FrameCalls& frame) noexcept {
        return frame.looks_at_ == FrameCalls::LooksAt::plain;
    }
    static const FrameState& only_part(const FrameCalls& frame) noexcept { return *frame.state_; }
    // Without the static layer, for calls that answer for each kind apart.
    static Scope of_agents(const FrameCalls& frame) noexcept {
        Scope scope(frame);
        scope.layer_ = nullptr;
        return scope;
    }
    // Together with it, for calls of `WithStatic`.
    static Scope of_both(const FrameCalls& frame) noexcept {
        Scope scope(frame);
        if (scope.agents_ != nullptr) scope.layer_ = scope.agents_->layer;
        return scope;
    }

    // The same with another executor, which lives as long.
    Scope on(const Executor& executor) const noexcept {
        Scope scope(*this);
        scope.executor_ = &executor;
        return scope;
    }
    // A frame as it lies, without seams.
    static Frame flat(const FrameCalls& frame) noexcept { return frame.unrolled(); }

    bool is_empty() const noexcept { return agents_ == nullptr; }
    // What a frame without parts answers.
    const Status& status() const noexcept { return failure_; }
    const Executor& executor() const noexcept { return *executor_; }
    const FrameState& agents() const noexcept { return *agents_; }
    const FrameState* layer() const noexcept { return layer_; }
    bool wraps() const noexcept { return wraps_; }
    // Of all parts together, so that images are the same for all: the widest agent or element decides.
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

private:
    const FrameState* agents_;
    const FrameState* layer_;
    bool wraps_;
    const Status& failure_;
    const Executor* executor_;
};

// Elements have ids of their own, which `self` never matches.
inline Filter filter_for(const Part& part, Filter filter) noexcept {
    if (part.is_layer) filter.self = no_agent;
    return filter;
}

}  // namespace throng::detail
