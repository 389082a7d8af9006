#include "throng/engine.hpp"

#include <algorithm>
#include <utility>

#include "base/box_check.hpp"
#include "base/find_kernels.hpp"
#include "base/fold.hpp"
#include "base/limits.hpp"
#include "engine/src/writer/writer.hpp"
#include "parallel/blocks.hpp"

namespace throng {

using namespace detail;

// --- Making an engine --------------------------------------------------------------------------------------

namespace {

Status check_config(const EngineConfig& config) noexcept {
    const auto legal = [](float size) { return size >= 0 && size <= 1e30f; };
    if (!legal(config.cell_width) || !legal(config.row_height))
        return {Code::bad_config, Argument::cell_size};
    if (!legal(config.common_size)) return {Code::bad_config, Argument::element_size};
    if (!is_legal_period(config.period_x) || !is_legal_period(config.period_y))
        return {Code::bad_config, Argument::period};
    if (!parallel::has_what_it_names(config.executor)) return {Code::bad_config, Argument::executor};
    return {};
}

}  // namespace

Engine::Engine(const EngineConfig& config) noexcept {
    const simd::Kernels* kernels = nullptr;
    status_ = check_config(config);
    if (status_.ok()) status_ = find_kernels(config.isa, kernels);
    if (!status_.ok()) return;
    status_ = Writer::create(config, *kernels, writer_);
}

Engine::~Engine() { Writer::destroy(writer_); }

// --- Labels ------------------------------------------------------------------------------------------------

namespace {

Status check_views(const Boxes& boxes, const UpdateOptions& options) noexcept {
    if (const Code bad = boxes.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (const Code bad = options.labels.fault(); bad != Code::ok) return {bad, Argument::labels};
    return {options.heights.fault(), Argument::heights};
}

Status check_sizes(const Boxes& boxes, const UpdateOptions& options) noexcept {
    const auto fit = [&](const auto& some) { return some.empty() || some.size() == boxes.size(); };
    if (!fit(options.labels)) return {Code::size_mismatch, Argument::labels};
    return {fit(options.heights) ? Code::ok : Code::size_mismatch, Argument::heights};
}

Status check_update(const Boxes& boxes, const UpdateOptions& options) noexcept {
    if (const Status bad = check_views(boxes, options); !bad.ok()) return bad;
    if (const Status bad = check_sizes(boxes, options); !bad.ok()) return bad;
    return boxes.size() > max_agents ? Status{Code::too_many, max_agents} : Status{};
}
Status check_owned(const Boxes& boxes, std::size_t owned) noexcept {
    return {owned != all_owned && owned > boxes.size() ? Code::bad_config : Code::ok, Argument::owned};
}

// With an id for each box, or a place for one.
Status check_named(std::span<const AgentId> ids, const Boxes& boxes, const UpdateOptions& options) noexcept {
    if (boxes.size() != ids.size()) return {Code::size_mismatch, Argument::ids};
    if (const Status bad = check_sizes(boxes, options); !bad.ok()) return bad;
    if (const Status bad = check_views(boxes, options); !bad.ok()) return bad;
    return {ids.data() == nullptr && !ids.empty() ? Code::null_view : Code::ok, Argument::ids};
}

// Those that are all the default one need not be stored.
template <class View, class Default>
View carried(const View& some, const Default& usual) noexcept {
    for (std::size_t i = 0; i < some.size(); ++i)
        if (some[i] != usual) return some;
    return {};
}
UpdateOptions carried(const UpdateOptions& options) noexcept {
    return {carried(options.labels, Label{}), carried(options.heights, Band{}), options.owned};
}

}  // namespace

// --- In bulk -----------------------------------------------------------------------------------------------

Status Engine::update(const Boxes& boxes, const UpdateOptions& options) noexcept {
    return update_all(nullptr, boxes, options, nullptr);
}

Status Engine::update(const Boxes& boxes, const UpdateOptions& options, PairList& pairs) noexcept {
    return update_all(nullptr, boxes, options, &pairs);
}

Status Engine::update_all(const std::span<const AgentId>* ids, const Boxes& given,
                          const UpdateOptions& options, PairList* pairs) noexcept {
    if (pairs != nullptr) pairs->clear();
    if (writer_ == nullptr) return status_;
    Boxes boxes = given;
    Status status = ids == nullptr ? check_update(boxes, options) : check_named(*ids, boxes, options);
    if (status.ok()) status = check_owned(boxes, options.owned);
    if (!status.ok()) return status;
    if (writer_->staged() != 0) return {Code::edits_pending};
    if (writer_->wraps()) status = writer_->fold_all(boxes);
    if (!status.ok()) return status;
    Buffer<Pair>* const to = pairs == nullptr ? nullptr : &pairs->pairs_;
    const auto [labels, heights, owned] = carried(options);
    status = ids == nullptr ? writer_->update({boxes, nullptr, labels, heights}, owned, to)
                            : writer_->update(*ids, boxes, labels, heights, owned, to);
    if (pairs == nullptr) return status;
    if (!status.ok()) pairs->clear();
    pairs->id_bound_ = writer_->newest().id_bound;
    pairs->of_one_frame_ = true;
    return status;
}

Filled Engine::update_legal(const Boxes& boxes, std::span<AgentId> left_out,
                            const UpdateOptions& options) noexcept {
    if (left_out.data() == nullptr && !left_out.empty())
        return {.status = {Code::null_view, Argument::output}};
    const Status status = update(boxes, options);
    if (status.code != Code::not_finite && status.code != Code::inverted) return {.status = status};
    Boxes there = boxes;
    if (writer_->wraps())
        if (const Status bad = writer_->fold_all(there); !bad.ok()) return {.status = bad};
    const auto [labels, heights, owned] = carried(options);
    return writer_->update_legal({there, nullptr, labels, heights}, owned, left_out);
}

// --- In bulk, by ids ---------------------------------------------------------------------------------------

Status Engine::update(std::span<const AgentId> ids, const Boxes& boxes,
                      const UpdateOptions& options) noexcept {
    return update_all(&ids, boxes, options, nullptr);
}

Status Engine::update(std::span<const AgentId> ids, const Boxes& boxes, const UpdateOptions& options,
                      PairList& pairs) noexcept {
    return update_all(&ids, boxes, options, &pairs);
}

Filled Engine::update_legal(std::span<const AgentId> ids, const Boxes& boxes, std::span<AgentId> left_out,
                            const UpdateOptions& options) noexcept {
    if (left_out.data() == nullptr && !left_out.empty())
        return {.status = {Code::null_view, Argument::output}};
    const Status status = update(ids, boxes, options);
    if (status.code != Code::not_finite && status.code != Code::inverted) return {.status = status};
    return writer_->update_legal_by_ids(ids, options.owned, left_out);
}

// --- Edit by edit ------------------------------------------------------------------------------------------

Status Engine::insert(const Box& box, AgentId& id) noexcept { return insert(Boxes::of({&box, 1}), {&id, 1}); }

Status Engine::insert(const Box& box, const Label& label, AgentId& id) noexcept {
    return insert(Boxes::of({&box, 1}), Labels::of({&label, 1}), {&id, 1});
}

Status Engine::insert(const Box& box, const Label& label, const Band& height, AgentId& id) noexcept {
    return insert(Boxes::of({&box, 1}), {Labels::of({&label, 1}), Heights::of({&height, 1})}, {&id, 1});
}

Status Engine::insert(const Boxes& boxes, const UpdateOptions& options, std::span<AgentId> ids) noexcept {
    if (writer_ == nullptr) return status_;
    if (const Status bad = check_named(ids, boxes, options); !bad.ok()) return bad;
    if (options.owned != all_owned && options.owned != boxes.size())
        return {Code::bad_config, Argument::owned};
    Boxes there = boxes;
    if (writer_->wraps())
        if (const Status bad = writer_->fold_some(there); !bad.ok()) return bad;
    return writer_->insert(there, options.labels, options.heights, ids.data());
}

Status Engine::move(AgentId id, const Box& box) noexcept { return move({&id, 1}, Boxes::of({&box, 1})); }

Status Engine::move(AgentId id, const Box& box, const Band& height) noexcept {
    return move({&id, 1}, Boxes::of({&box, 1}), Heights::of({&height, 1}));
}

Status Engine::move(std::span<const AgentId> ids, const Boxes& boxes, const Heights& heights) noexcept {
    if (writer_ == nullptr) return status_;
    if (const Status bad = check_named(ids, boxes, {.heights = heights}); !bad.ok()) return bad;
    Boxes there = boxes;
    if (writer_->wraps())
        if (const Status bad = writer_->fold_some(there); !bad.ok()) return bad;
    return writer_->move(ids.data(), there, heights);
}

Status Engine::relabel(AgentId id, const Label& label) noexcept {
    return relabel({&id, 1}, Labels::of({&label, 1}));
}

Status Engine::relabel(std::span<const AgentId> ids, const Labels& labels) noexcept {
    if (writer_ == nullptr) return status_;
    if (labels.size() != ids.size()) return {Code::size_mismatch, Argument::ids};
    if (const Code bad = labels.fault(); bad != Code::ok) return {bad, Argument::labels};
    if (ids.data() == nullptr && !ids.empty()) return {Code::null_view, Argument::ids};
    return writer_->relabel(ids.data(), labels);
}

Status Engine::remove(AgentId id) noexcept { return remove({&id, 1}); }

Status Engine::remove(std::span<const AgentId> ids) noexcept {
    if (writer_ == nullptr) return status_;
    if (ids.data() == nullptr && !ids.empty()) return {Code::null_view, Argument::ids};
    return writer_->remove(ids);
}

// --- By handle ---------------------------------------------------------------------------------------------

Status Engine::handle(AgentId id, AgentHandle& handle) noexcept {
    return writer_ == nullptr ? status_ : writer_->handle(id, handle);
}

Status Engine::insert(const Box& box, const Label& label, AgentHandle& handle) noexcept {
    if (writer_ == nullptr) return status_;
    if (const Status bad = check(Boxes::of({&box, 1})); !bad.ok()) return bad;
    // First, so that nothing can fail once the agent is staged.
    if (!writer_->keep_handles()) return {Code::out_of_memory};
    AgentId id;
    const Status status = label == Label{} ? insert(box, id) : insert(box, label, id);
    return status.ok() ? this->handle(id, handle) : status;
}

bool Engine::is_current(const AgentHandle& handle) const noexcept {
    return writer_ != nullptr && writer_->is_current(handle);
}

Status Engine::move(const AgentHandle& agent, const Box& box) noexcept {
    if (writer_ == nullptr) return status_;
    return is_current(agent) ? move(agent.id, box) : Status{Code::unknown_id, 0};
}

Status Engine::relabel(const AgentHandle& agent, const Label& label) noexcept {
    if (writer_ == nullptr) return status_;
    return is_current(agent) ? relabel(agent.id, label) : Status{Code::unknown_id, 0};
}

Status Engine::remove(const AgentHandle& agent) noexcept {
    if (writer_ == nullptr) return status_;
    return is_current(agent) ? remove(agent.id) : Status{Code::unknown_id, 0};
}

void Engine::discard() noexcept {
    if (writer_ != nullptr) writer_->discard();
}

std::size_t Engine::staged() const noexcept { return writer_ == nullptr ? 0 : writer_->staged(); }

Status Engine::commit() noexcept { return writer_ == nullptr ? status_ : writer_->commit(); }

// --- Another origin ----------------------------------------------------------------------------------------

Status Engine::rebase(float dx, float dy) noexcept {
    if (writer_ == nullptr) return status_;
    if (const Code bad = detail::check(Box{dx, dy, dx, dy}); bad != Code::ok) return {bad};
    if (writer_->staged() != 0) return {Code::edits_pending};
    return writer_->rebase(dx, dy);
}

// --- Another order -----------------------------------------------------------------------------------------

Status Engine::renumber(std::span<const AgentId> order) noexcept {
    if (writer_ == nullptr) return status_;
    if (order.data() == nullptr && !order.empty()) return {Code::null_view, Argument::ids};
    if (writer_->staged() != 0) return {Code::edits_pending};
    return writer_->renumber(order);
}

// --- A plan that is kept -----------------------------------------------------------------------------------

Filled Engine::plan(std::span<std::byte> bytes) const noexcept {
    if (writer_ == nullptr) return {.status = status_};
    if (bytes.data() == nullptr && !bytes.empty()) return {.status = {Code::null_view, Argument::output}};
    const std::size_t total = writer_->write_plan(bytes);
    return {.status = {}, .total = total, .written = std::min(total, bytes.size())};
}

Status Engine::set_plan(std::span<const std::byte> bytes) noexcept {
    if (writer_ == nullptr) return status_;
    if (bytes.data() == nullptr && !bytes.empty()) return {Code::null_view};
    return writer_->set_plan(bytes);
}

Status Engine::replan() noexcept {
    if (writer_ != nullptr) writer_->replan();
    return status_;
}

// --- What never moves --------------------------------------------------------------------------------------

Status Engine::set_static_layer(const StaticLayer& layer) noexcept {
    if (writer_ == nullptr) return status_;
    if (!layer.status().ok()) return layer.status();
    if (!writer_->wraps()) {
        writer_->set_layer(layer.frame_.state_);
        return {};
    }
    const StaticLayer folded = layer.made_again(0, 0, writer_->period().x, writer_->period().y);
    if (folded.status().ok()) writer_->set_layer(folded.frame_.state_);
    return folded.status();
}

void Engine::clear_static_layer() noexcept {
    if (writer_ != nullptr) writer_->set_layer(nullptr);
}

// --- The published world -----------------------------------------------------------------------------------

Frame Engine::frame() const noexcept {
    if (writer_ == nullptr) return Frame(status_);
    return {writer_->share_newest(), writer_->executor(), writer_->wraps()};
}

Status Engine::add_pairs_around(FrameState& frame, const Executor& executor, Buffer<Pair>& pairs) noexcept {
    share(&frame);
    return Frame(&frame, executor, true).add_pairs_around(nullptr, pairs, {});
}

std::size_t Engine::size() const noexcept { return frame().size(); }

Isa Engine::isa() const noexcept { return writer_ == nullptr ? Isa::automatic : writer_->isa(); }

Tuning Engine::tuning() const noexcept { return frame().tuning(); }

MemoryReport Engine::memory() const noexcept {
    return writer_ == nullptr ? MemoryReport{} : writer_->memory();
}

Status Engine::reserve(std::size_t agents, std::size_t edits) noexcept {
    if (writer_ == nullptr) return status_;
    if (agents > max_agents || edits > max_agents) return {Code::too_many, max_agents};
    return writer_->reserve(agents, edits);
}

void Engine::release_memory() noexcept {
    if (writer_ != nullptr) writer_->release_memory();
}

Validation Engine::validate() const noexcept {
    if (writer_ == nullptr) return {.status = status_};
    return writer_->validate();
}

}  // namespace throng
