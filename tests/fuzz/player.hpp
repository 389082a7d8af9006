// Carries out the operations of a history on a world, an Engine or its twin by brute force, and writes down
// what it answered. Both have the same interface, so this is written once.
#pragma once

#include "fuzz/ask_casts.hpp"
#include "fuzz/ask_filtered.hpp"
#include "fuzz/ask_layered.hpp"
#include "fuzz/ask_neighbours.hpp"
#include "fuzz/handles.hpp"
#include "fuzz/history.hpp"
#include "fuzz/shuffle.hpp"
#include "fuzz/transcript.hpp"
#include "oracle/pair_changes.hpp"
#include "support/test.hpp"

namespace throng::fuzz {

template <class World>
class Player {
    static constexpr bool is_engine = std::is_same_v<World, Engine>;
    using AnyFrame = decltype(std::declval<const World&>().frame());
    using AnyHits = std::conditional_t<is_engine, OverlapLists, oracle::OverlapLists>;
    using AnyCastHits = std::conditional_t<is_engine, CastHits, std::vector<std::vector<CastHit>>>;
    using AnyPairs = std::conditional_t<is_engine, PairList, oracle::PairLists>;
    using AnyChanges = std::conditional_t<is_engine, PairChanges, oracle::PairChanges>;

public:
    template <class... Arguments>
    explicit Player(Arguments&&... arguments) : world_(std::forward<Arguments>(arguments)...) {}

    World& world() { return world_; }

    void play(const Operation& operation, Transcript& out) {
        const Boxes boxes = operation.boxes.view();
        const Labels labels = Labels::of(operation.labels);
        const UpdateOptions options = options_of(operation);
        const bool odd = boxes.size() % 2 == 1;
        if (operation.released) release_memory();
        switch (operation.kind) {
        case Kind::update:
            if (!options.heights.empty()) return update("update with heights", out, odd, options, boxes);
            return update("update", out, odd, {}, boxes);
        case Kind::update_by_ids:
            return update("update by ids", out, odd, options, std::span<const AgentId>(operation.ids), boxes);
        case Kind::update_labelled: return update("update with labels", out, odd, options, boxes);
        case Kind::update_legal:
        case Kind::update_legal_by_ids: return update_legal(operation, boxes, out);
        case Kind::renumber: return renumber(operation, out);
        case Kind::insert_one: return insert_one(boxes, options, out);
        case Kind::insert_many: return insert_many(boxes, options, out);
        case Kind::move_one:
            if (boxes.empty()) return;
            return out.note("move", move_one(operation.ids.front(), boxes[0], options.heights).code);
        case Kind::move_many:
            return out.note("move many", world_.move(operation.ids, boxes, options.heights));
        case Kind::remove_one: return out.note("remove", world_.remove(operation.ids.front()).code);
        case Kind::remove_many: return out.note("remove many", world_.remove(operation.ids));
        case Kind::relabel: return out.note("relabel", world_.relabel(operation.ids, labels));
        case Kind::rebase: return out.note("rebase", world_.rebase(operation.origin.x, operation.origin.y));
        case Kind::commit: return out.note("commit", world_.commit());
        case Kind::discard: return world_.discard();
        case Kind::ask_batch: return ask_batch(frame(operation.frame), boxes, out);
        case Kind::ask_singly: return ask_singly(frame(operation.frame), boxes, out);
        case Kind::ask_filtered:
            return fuzz::ask_filtered<AnyHits, AnyPairs>(frame(operation.frame), operation, out);
        case Kind::ask_layered:
            return fuzz::ask_layered<AnyHits, AnyCastHits>(frame(operation.frame), frame(operation.room),
                                                           boxes, out);
        case Kind::build_walls:
            return build_walls(boxes, {.labels = labels, .heights = options.heights}, out);
        case Kind::handles: return handles_.play(world_, operation, out);
        case Kind::ask_kept: return ask_kept(frame(operation.frame), out);
        case Kind::ask_bounded: return ask_bounded(frame(operation.frame), boxes, operation.room, out);
        case Kind::pairs: return pairs(frame(operation.frame), out);
        case Kind::order: return ask_order(frame(operation.frame), operation.room, out);
        case Kind::hold: return hold(out);
        case Kind::drop: return drop(operation.frame);
        case Kind::relocate: {
            World elsewhere = std::move(world_);
            world_ = std::move(elsewhere);
            return;
        }
        }
    }

    // An odd number of agents comes with the pairs of the new frame, which have to be those that the frame
    // gives.
    template <class... Agents>
    void update(const char* name, Transcript& out, bool with_pairs, const UpdateOptions& options,
                const Agents&... agents) {
        if constexpr (is_engine) {
            if (with_pairs) {
                PairList with_update, of_frame;
                const Status status = world_.update(agents..., with_update, options);
                out.note(name, status);
                // Memory may have run out between the two.
                if (status && !world_.frame().pairs(of_frame)) return;
                if (!test::equal_ranges(with_update, of_frame)) out.note("other pairs", with_update.size());
                return;
            }
        }
        out.note(name, world_.update(agents..., options));
    }

    // How things stand. Everything that was published is checked.
    void look(Transcript& out) {
        out.note("size", world_.frame().size());
        out.note("staged", world_.staged());
        if constexpr (is_engine)
            out.note("edits have memory", world_.staged() == 0 || world_.memory().staged != 0);
        else
            out.note("edits have memory", true);
        const AnyFrame newest = world_.frame();
        out.note("number", newest.number());
        const std::uint64_t before = std::exchange(seen_, newest.number());
        if (before == seen_) return;
        note_labels(newest, out);
        if constexpr (is_engine) {
            const Validation validation = world_.validate();
            out.note("faults", validation.status.ok() ? validation.faults : 1);
            if (out.in_order()) out.note("fingerprint", newest.fingerprint());
            if (out.in_order()) out.note("grids chosen", newest.tuning().times_chosen);
        } else {
            out.note("faults", 0);
        }
    }

    // Makes every query of every frame that is left.
    void look_back(Transcript& out) {
        constexpr float most = 3.4028235e38f;
        const Box queries[] = {{-most, -most, most, most}, {0, 0, 10, 10}, {-most, 1, most, 2}, {5, 5, 5, 5}};
        for (std::size_t i = 0; i <= held_.size(); ++i) {
            ask_batch(frame(i), Boxes::of(queries), out);
            pairs(frame(i), out);
        }
        for (const AnyHits& answer : answers_)
            for (std::size_t i = 0; i < answer.size(); ++i) out.note("an answer that was kept", answer[i]);
    }

private:
    // All that the twin has is in use.
    void release_memory() {
        if constexpr (is_engine) world_.release_memory();
    }
    void hold(Transcript& out) {
        if (held_.size() == 8) return;
        const Box queries[] = {{-100, -100, 100, 100}, {0, 0, 5, 5}};
        AnyHits answer;
        out.note("answer to keep", world_.frame().overlaps(Boxes::of(queries), answer));
        if (out.out_of_memory()) return;
        held_.push_back(world_.frame());
        answers_.push_back(std::move(answer));
    }
    // The answer stays.
    void drop(std::size_t which) {
        if (!held_.empty()) held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which % held_.size()));
    }
    // The newest one, or one that is held.
    AnyFrame frame(std::size_t which) const {
        which %= held_.size() + 1;
        return which == 0 ? world_.frame() : held_[which - 1];
    }

    // A third of the updates with labels or ids have ghosts.
    static UpdateOptions options_of(const Operation& operation) {
        const std::size_t count = operation.boxes.view().size();
        return {.labels = Labels::of(operation.labels),
                .heights = Heights::of(operation.heights),
                .owned = count % 3 == 1 ? count / 2 : all_owned};
    }
    void update_legal(const Operation& operation, const Boxes& boxes, Transcript& out) {
        std::vector<AgentId> ids(operation.room);
        LeftOut left_out{ids};
        UpdateOptions options = options_of(operation);
        options.left_out = &left_out;
        const Status status = operation.kind == Kind::update_legal
                                  ? world_.update(boxes, options)
                                  : world_.update(operation.ids, boxes, options);
        note({status, left_out.total, left_out.written}, "update legal", out);
        for (std::size_t i = 0; i < left_out.written; ++i) out.note("left out", ids[i]);
    }
    // Ascending ids, since the twin knows no rows; or, where all are engines, the order of rows. Some orders
    // are then shuffled, and some made wrong.
    void renumber(const Operation& operation, Transcript& out) {
        std::vector<AgentId> order = order_of(world_.frame());
        if (!out.in_order() || operation.order % 2 == 0) std::sort(order.begin(), order.end());
        if (operation.order >= 32) shuffle(order, operation.order);
        if (!order.empty()) {
            const std::size_t at = operation.order % order.size();
            switch (operation.fault % 32) {
            case 1: order.pop_back(); break;
            case 2: order[at] = order.front(); break;
            case 3: order[at] = operation.fault; break;
            case 4: order[at] = no_agent; break;
            default: break;
            }
        }
        out.note("renumber", world_.renumber(order));
    }
    static std::vector<AgentId> order_of(const AnyFrame& frame) {
        std::vector<AgentId> order(frame.size());
        static_cast<void>(frame.row_order(order));
        return order;
    }
    void ask_order(const AnyFrame& frame, std::size_t room, Transcript& out) {
        std::vector<AgentId> ids(room);
        const Filled filled = frame.row_order(ids);
        note(filled, "order", out);
        ids.resize(static_cast<std::size_t>(filled.written));
        const std::vector<AgentId> all = order_of(frame);
        out.note("all in order", all);
        out.note("the first of them", std::equal(ids.begin(), ids.end(), all.begin()));
    }

    void build_walls(const Boxes& boxes, const UpdateOptions& options, Transcript& out) {
        if (boxes.empty()) return world_.clear_static_layer();
        if constexpr (is_engine) {
            out.note("walls", world_.set_static_layer(StaticLayer(boxes, options, {.isa = world_.isa()})));
        } else {
            World walls(world_.frame().around());
            const Status status = walls.update(boxes, options);
            out.note("walls", status);
            if (status) world_.set_static_layer(walls.frame());
        }
    }
    Status move_one(AgentId id, const Box& box, const Heights& heights) {
        return heights.empty() ? world_.move(id, box) : world_.move(id, box, heights[0]);
    }
    void insert_one(const Boxes& boxes, const UpdateOptions& options, Transcript& out) {
        if (boxes.empty()) return;
        AgentId id = 0;
        const Label label = options.labels[0];
        const Status status = !options.heights.empty()
                                  ? world_.insert(boxes[0], id, label, options.heights[0])
                              : !options.labels.empty() ? world_.insert(boxes[0], id, label)
                                                        : world_.insert(boxes[0], id);
        out.note("insert", status.code);
        if (status) out.note("id", id);
    }
    // Of those that ask for ghosts every second one is refused.
    void insert_many(const Boxes& boxes, UpdateOptions options, Transcript& out) {
        std::vector<AgentId> ids(boxes.size());
        if (boxes.size() % 2 == 0) options.owned = all_owned;
        const Status status = world_.insert(boxes, ids, options);
        out.note("insert many", status);
        if (status)
            for (const AgentId id : ids) out.note("one of the ids", id);
    }

    void ask_batch(const AnyFrame& frame, const Boxes& boxes, Transcript& out) {
        AnyHits hits;
        out.note("overlaps", frame.overlaps(boxes, hits));
        out.note("queries answered", hits.size());
        for (std::size_t i = 0; i < hits.size(); ++i) out.note("hits", hits[i]);
        ask_as_found(frame, boxes, out);
        std::vector<std::uint32_t> counts(boxes.size());
        const Status counted = frame.count(boxes, counts);
        out.note("counts", counted);
        for (std::size_t i = 0; counted && i < counts.size(); ++i) out.note("one of the counts", counts[i]);
        std::vector<std::uint8_t> answers(boxes.size());
        const Status answered = frame.any(boxes, answers);
        out.note("any of many", answered);
        for (std::size_t i = 0; answered && i < answers.size(); ++i)
            out.note("one of the answers", answers[i]);
        ask_neighbours(frame, boxes, out);
        ask_shapes<AnyHits>(frame, boxes, out);
        ask_casts<AnyCastHits>(frame, boxes, out);
    }

    // Lists with a skin have every neighbour there is; the twin keeps none.
    void ask_kept(const AnyFrame& frame, Transcript& out) {
        note_lists(neighbours_of(frame, {.radius = kept_radius}), "neighbours to be kept", false, out);
        std::size_t lacking = 0;
        if constexpr (is_engine) {
            NeighbourLists wanted;
            const Status status = kept_.update(frame);
            out.note("kept", status);
            if (!status || !frame.neighbours({.radius = kept_radius}, wanted)) return;
            for (std::size_t i = 0; i < wanted.size(); ++i)
                for (const AgentId other : wanted[i])
                    lacking += std::count(kept_.lists()[i].begin(), kept_.lists()[i].end(), other) == 0;
            if (out.in_order()) out.note("kept lists", kept_.lists().ids());
        } else {
            out.note("kept", Status{});
        }
        out.note("lacking", lacking);
    }

    // The twin knows one order only.
    void ask_as_found(const AnyFrame& frame, const Boxes& boxes, Transcript& out) {
        using Found = std::conditional_t<is_engine, OverlapsAsFound, oracle::OverlapLists>;
        Found found;
        out.note("as found", frame.overlaps(boxes, found));
        std::vector<std::vector<AgentId>> lists(boxes.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
            if constexpr (is_engine)
                lists[found[k].query].assign(found[k].agents.begin(), found[k].agents.end());
            else
                lists[k].assign(found[k].begin(), found[k].end());
        }
        for (const std::vector<AgentId>& list : lists) out.note("a list as found", list);
        if constexpr (is_engine)
            if (out.in_order()) out.note("their order", found.queries());
    }

    void ask_singly(const AnyFrame& frame, const Boxes& boxes, Transcript& out) {
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            std::vector<AgentId> ids;
            const Status status = frame.for_each_overlap(boxes[i], [&](AgentId id) { ids.push_back(id); });
            out.note("overlaps one", status.code);
            out.note("visited", ids);
            const Count count = frame.count(boxes[i]);
            const Found any = frame.any(boxes[i]);
            out.note("count of one", count.status.code);
            out.note("count", count.total);
            out.note("any of one", any.status.code);
            out.note("any", any.found);
            if (!status) continue;
            std::size_t visits = 0;
            const std::size_t stop = ids.size() / 2;
            static_cast<void>(frame.for_each_overlap(boxes[i], [&](AgentId) { return ++visits <= stop; }));
            out.note("visits until told to stop", visits);
        }
    }

    void ask_bounded(const AnyFrame& frame, const Boxes& boxes, std::size_t room, Transcript& out) {
        std::vector<std::uint64_t> offsets(boxes.size() + 1);
        std::vector<AgentId> ids(room);
        const Filled found = frame.overlaps(boxes, offsets, ids);
        note(found, "bounded hits", out);
        if (found.status) {
            for (const std::uint64_t offset : offsets) out.note("offset", offset);
            AnyHits all;
            const Status status = frame.overlaps(boxes, all);
            out.note("all hits", status);
            if (status)
                out.note("the first of all",
                         std::equal(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(found.written),
                                    all.ids().begin()));
            if (out.in_order()) out.note("bounded ids", std::span<const AgentId>(ids).first(found.written));
        }
        std::vector<Pair> pairs(room);
        note(frame.pairs(pairs), "bounded pairs", out);
    }

    void pairs(const AnyFrame& frame, Transcript& out) {
        AnyPairs list;
        out.note("pairs", frame.pairs(list));
        out.note("pair list", std::vector<Pair>(list.begin(), list.end()));
        const Count count = frame.count_pairs();
        out.note("pair count", count.status);
        out.note("found", count.total);
        std::vector<Pair> visited;
        out.note("for each pair", frame.for_each_pair_concurrently([&](std::span<const Pair> some) {
            visited.insert(visited.end(), some.begin(), some.end());
        }));
        out.note_unordered("visited pairs", std::move(visited));
        out.note("pairs within 2", frame.pairs(list, {.within = 2}));
        out.note("list of those", std::vector<Pair>(list.begin(), list.end()));
        // Where memory ran out, the twin is not asked, and must not fall behind.
        if (!out.out_of_memory()) note_changes(frame, out);
    }
    // Since the frame that was last asked for them, which may be any.
    void note_changes(const AnyFrame& frame, Transcript& out) {
        if constexpr (is_engine) {
            out.note("changes", changes_.update(frame));
        } else {
            AnyPairs list;
            out.note("changes", frame.pairs(list));
            changes_.see(list);
        }
        out.note("began", std::vector<Pair>(changes_.began().begin(), changes_.began().end()));
        out.note("ended", std::vector<Pair>(changes_.ended().begin(), changes_.ended().end()));
    }

    static void note(const Filled& found, const char* what, Transcript& out) {
        out.note(what, found.status);
        out.note("found", found.total);
        out.note("written", found.written);
    }

    static constexpr float kept_radius = 2;
    KeptNeighbours kept_{{.radius = kept_radius, .skin = 1}};
    World world_;
    AnyChanges changes_;
    std::vector<AnyFrame> held_;
    std::vector<AnyHits> answers_;
    Handles handles_;
    std::uint64_t seen_ = 0;
};

}  // namespace throng::fuzz
