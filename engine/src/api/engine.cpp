#include "throng/engine.hpp"

#include <algorithm>

#include "base/fold.hpp"
#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "engine/src/edit/gathered_agents.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/writer/writer.hpp"
#include "parallel/blocks.hpp"
#include "throng/static_layer.hpp"

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

// --- What an update is given -------------------------------------------------------------------------------

namespace {

// Labels, then heights, of an update.
Status check_carried(const Boxes& boxes, const UpdateOptions& options) noexcept {
    const auto fault_of = [&](const auto& some) {
        const bool fits = some.empty() || some.size() == boxes.size();
        return some.fault() != Code::ok ? some.fault() : fits ? Code::ok : Code::size_mismatch;
    };
    if (const Code bad = fault_of(options.labels); bad != Code::ok) return {bad, Argument::labels};
    return {fault_of(options.heights), Argument::heights};
}

Status check_left_out(const LeftOut* left_out) noexcept {
    const bool null = left_out != nullptr && left_out->ids.data() == nullptr && !left_out->ids.empty();
    return {null ? Code::null_view : Code::ok, Argument::output};
}

Status check_update(const Boxes& boxes, const UpdateOptions& options) noexcept {
    if (const Code bad = boxes.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (const Status bad = check_carried(boxes, options); !bad.ok()) return bad;
    return boxes.size() > max_agents ? Status{Code::too_many, max_agents} : Status{};
}
Status check_owned(const Boxes& boxes, std::size_t owned) noexcept {
    return {owned != all_owned && owned > boxes.size() ? Code::bad_config : Code::ok, Argument::owned};
}

// An update with an id for each box, or a place for one.
Status check_named(std::span<const AgentId> ids, const Boxes& boxes, const UpdateOptions& options) noexcept {
    if (const Code bad = boxes.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (ids.data() == nullptr && !ids.empty()) return {Code::null_view, Argument::ids};
    if (boxes.size() != ids.size()) return {Code::size_mismatch, Argument::ids};
    return check_carried(boxes, options);
}

// Labels or heights that are all the default need not be stored.
template <class View, class Default>
View carried(const View& some, const Default& usual) noexcept {
    for (std::size_t i = 0; i < some.size(); ++i)
        if (some[i] != usual) return some;
    return {};
}
UpdateOptions carried(const UpdateOptions& options) noexcept {
    return {carried(options.labels, Label{}), carried(options.heights, Band{}), options.owned,
            options.left_out};
}

}  // namespace

// --- In bulk -----------------------------------------------------------------------------------------------

Status Engine::update_all(const std::span<const AgentId>* ids, const Boxes& given, PairList* pairs,
                          const UpdateOptions& options) noexcept {
    if (pairs != nullptr) pairs->clear();
    if (options.left_out != nullptr) options.left_out->total = options.left_out->written = 0;
    if (writer_ == nullptr) return status_;
    Boxes boxes = given;
    Status status = ids == nullptr ? check_update(boxes, options) : check_named(*ids, boxes, options);
    if (status.ok()) status = check_owned(boxes, options.owned);
    if (status.ok()) status = check_left_out(options.left_out);
    if (!status.ok()) return status;
    if (writer_->staging().size() != 0) return {Code::edits_pending};
    if (writer_->wraps()) status = writer_->fold_all(boxes);
    if (!status.ok()) return status;
    Buffer<Pair>* const to = pairs == nullptr ? nullptr : &pairs->pairs_;
    status = writer_->update(ids, boxes, to, carried(options));
    if (pairs == nullptr) return status;
    if (!status.ok()) pairs->clear();
    pairs->id_bound_ = writer_->newest().id_bound;
    pairs->of_one_frame_ = true;
    return status;
}

// --- Edit by edit ------------------------------------------------------------------------------------------

Status Engine::insert_one(const Box& box, AgentId& id, const Label& label, const Band& height) noexcept {
    UpdateOptions options;
    if (label != Label{}) options.labels = Labels::of({&label, 1});
    if (height != Band{}) options.heights = Heights::of({&height, 1});
    return insert(Boxes::of({&box, 1}), {&id, 1}, options);
}

Status Engine::insert(const Boxes& boxes, std::span<AgentId> ids, const UpdateOptions& options) noexcept {
    if (writer_ == nullptr) return status_;
    if (const Status bad = check_named(ids, boxes, options); !bad.ok()) return bad;
    if (options.owned != all_owned && options.owned != boxes.size())
        return {Code::bad_config, Argument::owned};
    if (options.left_out != nullptr) return {Code::bad_config, Argument::options};
    Boxes there = boxes;
    if (const Status bad = writer_->fold_some(there); !bad.ok()) return bad;
    return writer_->staging().insert(there, options.labels, options.heights, ids.data());
}

Status Engine::move_one(AgentId id, const Box& box, const Band* height) noexcept {
    return move({&id, 1}, Boxes::of({&box, 1}), height == nullptr ? Heights() : Heights::of({height, 1}));
}

Status Engine::move(std::span<const AgentId> ids, const Boxes& boxes, const Heights& heights) noexcept {
    if (writer_ == nullptr) return status_;
    if (const Status bad = check_named(ids, boxes, {.heights = heights}); !bad.ok()) return bad;
    Boxes there = boxes;
    if (const Status bad = writer_->fold_some(there); !bad.ok()) return bad;
    return writer_->staging().move(ids.data(), there, heights);
}

Status Engine::relabel(std::span<const AgentId> ids, const Labels& labels) noexcept {
    if (writer_ == nullptr) return status_;
    if (ids.data() == nullptr && !ids.empty()) return {Code::null_view, Argument::ids};
    if (labels.size() != ids.size()) return {Code::size_mismatch, Argument::ids};
    if (const Code bad = labels.fault(); bad != Code::ok) return {bad, Argument::labels};
    return writer_->staging().relabel(ids.data(), labels);
}

Status Engine::remove(std::span<const AgentId> ids) noexcept {
    if (writer_ == nullptr) return status_;
    if (ids.data() == nullptr && !ids.empty()) return {Code::null_view, Argument::ids};
    return writer_->staging().remove(ids);
}

Status Engine::handle(AgentId id, AgentHandle& handle) noexcept {
    return writer_ == nullptr ? status_ : writer_->staging().handle(id, handle);
}

AgentId Engine::id(const AgentHandle& handle) const noexcept {
    return writer_ != nullptr && writer_->staging().is_current(handle) ? handle.id : no_agent;
}

void Engine::discard() noexcept {
    if (writer_ != nullptr) writer_->staging().discard();
}

std::size_t Engine::staged() const noexcept { return writer_ == nullptr ? 0 : writer_->staging().size(); }

Status Engine::commit() noexcept { return writer_ == nullptr ? status_ : writer_->commit(); }

// --- Another origin ----------------------------------------------------------------------------------------

Status Engine::rebase(float dx, float dy) noexcept {
    if (writer_ == nullptr) return status_;
    if (const Code bad = detail::check(Box{dx, dy, dx, dy}); bad != Code::ok) return {bad};
    if (writer_->staging().size() != 0) return {Code::edits_pending};
    return writer_->rebase(dx, dy);
}

// --- Another order -----------------------------------------------------------------------------------------

Status Engine::renumber(std::span<const AgentId> order) noexcept {
    if (writer_ == nullptr) return status_;
    if (order.data() == nullptr && !order.empty()) return {Code::null_view, Argument::ids};
    if (writer_->staging().size() != 0) return {Code::edits_pending};
    return writer_->renumber(order);
}

// --- A plan that is kept -----------------------------------------------------------------------------------

Filled Engine::plan(std::span<std::byte> bytes) const noexcept {
    if (writer_ == nullptr) return {.status = status_};
    if (bytes.data() == nullptr && !bytes.empty()) return {.status = {Code::null_view, Argument::output}};
    const std::size_t total = writer_->planner().write(bytes);
    return {.status = {}, .total = total, .written = std::min(total, bytes.size())};
}

Status Engine::set_plan(std::span<const std::byte> bytes) noexcept {
    if (writer_ == nullptr) return status_;
    if (bytes.data() == nullptr && !bytes.empty()) return {Code::null_view};
    return writer_->planner().read(bytes);
}

Status Engine::replan() noexcept {
    if (writer_ != nullptr) writer_->planner().forget();
    return status_;
}

// --- What never moves: one frame of a temporary engine ---

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

StaticLayer StaticLayer::made_again(float dx, float dy, float period_x, float period_y) const noexcept {
    StaticLayer moved;
    moved.config_ = config_;
    moved.status_ = status_.ok() ? Status{detail::check(Box{dx, dy, dx, dy})} : status_;
    const FrameState* old = frame_.state_;
    if (old == nullptr || !moved.status_.ok()) return moved;
    Staging nothing_staged(&old->store->memory());
    ScratchList scratch(&old->store->memory());
    GatheredAgents gathered(scratch);
    AgentList agents;
    nothing_staged.reset(old->agents);
    nothing_staged.follow(*old);
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

Isa Engine::isa() const noexcept { return writer_ == nullptr ? Isa::automatic : writer_->isa(); }

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
