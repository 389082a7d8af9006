#include "bench/hunt/trial_engine.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#ifdef THRONG_BENCH_C
#include "throng.h"
#endif

namespace throng::hunt {

#ifdef THRONG_BENCH_C

namespace {

void check(std::int32_t status, const char* call) {
    if (status != THRONG_OK) throw std::runtime_error(std::string(call) + ": " + throng_status_text(status));
}

throng_boxes view_of(const std::vector<throng_box>& boxes) {
    throng_boxes view;
    throng_boxes_init(&view);
    check(throng_boxes_of(&view, boxes.data(), boxes.size()), "throng_boxes_of");
    return view;
}

throng_box box_of(const Box& box) { return {box.min_x, box.min_y, box.max_x, box.max_y}; }

float radius_of(const Box& box) {
    return std::min(0.5f * box.max_x - 0.5f * box.min_x, 0.5f * box.max_y - 0.5f * box.min_y);
}

// Every trial is accepted that overlaps at most so many others.
const std::vector<double> weights(std::size_t{1} << 17, 1.0);

}  // namespace

bool TrialEngine::exists() { return true; }

TrialEngine::~TrialEngine() { throng_engine_destroy(engine_); }

void TrialEngine::update(const worlds::Scene& scene) {
    if (engine_ == nullptr) {
        throng_engine_config config;
        throng_engine_config_init(&config);
        config.serial = 1;
        config.period_x = period_.x;
        config.period_y = period_.y;
        check(throng_engine_create(&config, &engine_, nullptr), "throng_engine_create");
    }
    std::vector<throng_box> boxes;
    for (const Box& box : scene.boxes) boxes.push_back(box_of(box));
    throng_boxes view = view_of(boxes);
    if (!scene.heights.empty()) {
        view.min_z = &scene.heights.front().min_z;
        view.max_z = &scene.heights.front().max_z;
        view.stride_z = sizeof(Band);
    }
    check(throng_engine_update(engine_, &view, nullptr, nullptr), "throng_engine_update");
    // The first trial notes where all agents are, for those that follow.
    if (!scene.boxes.empty()) try_moves({{0, scene.boxes.front()}});
}

std::uint64_t TrialEngine::try_moves(const std::vector<Edit>& moves) {
    std::vector<std::uint32_t> ids;
    std::vector<throng_box> boxes;
    std::vector<float> radii;
    for (const Edit& move : moves) {
        ids.push_back(move.id);
        boxes.push_back(box_of(move.box));
        radii.push_back(radius_of(move.box));
    }
    const throng_boxes view = view_of(boxes);
    throng_trial_rule rule;
    throng_trial_rule_init(&rule);
    rule.agents_as = THRONG_AGENTS_AS_CIRCLES;
    rule.radii = radii.data();
    rule.radii_count = radii.size();
    rule.weights = weights.data();
    rule.weight_count = weights.size();
    const std::vector<double> randoms(moves.size(), 0.0);
    rule.randoms = randoms.data();
    rule.random_count = randoms.size();
    std::vector<throng_trial> trials(moves.size());
    check(throng_engine_try_moves(engine_, ids.data(), ids.size(), &view, &rule, nullptr, trials.data(),
                                  trials.size(), nullptr, nullptr),
          "throng_engine_try_moves");
    std::uint64_t overlapped = 0;
    for (const throng_trial& trial : trials) overlapped += trial.before + trial.after;
    return overlapped;
}

#else

bool TrialEngine::exists() { return false; }
TrialEngine::~TrialEngine() = default;
void TrialEngine::update(const worlds::Scene&) {}
std::uint64_t TrialEngine::try_moves(const std::vector<Edit>&) { return 0; }

#endif

}  // namespace throng::hunt
