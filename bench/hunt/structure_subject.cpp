#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/common/failures.hpp"
#include "bench/common/structure_list.hpp"
#include "bench/hunt/touched_memory.hpp"

namespace throng::hunt {

using structures::answers_are_candidates;
using structures::DynamicSpatialIndex;
using structures::ElementId;
using structures::SpatialIndex;

namespace {

using bench::require;

// What a host would say about its world: where most of it is, and how large its agents are.
template <SpatialIndex Structure>
structures::Expected expectation(const std::vector<Box>& boxes) {
    if (boxes.empty()) return {.extents = {0, 0, 1, 1}};
    structures::Expected expected{.extents = boxes.front(), .elements = boxes.size()};
    std::vector<float> sizes;
    for (const Box& box : boxes) {
        sizes.push_back(std::max(box.max_x - box.min_x, box.max_y - box.min_y));
        Box& all = expected.extents;
        all = {std::min(all.min_x, box.min_x), std::min(all.min_y, box.min_y), std::max(all.max_x, box.max_x),
               std::max(all.max_y, box.max_y)};
    }
    // No structure divides a single point.
    if (Box& all = expected.extents; all.min_x == all.max_x)
        all.max_x = std::nextafter(all.max_x, std::numeric_limits<float>::infinity());
    std::sort(sizes.begin(), sizes.end());
    // A structure that takes nothing beyond the largest size is told of the very largest, rounded up.
    expected.typical_size = sizes[sizes.size() / 2];
    expected.largest_size =
        answers_are_candidates<Structure> ? 1.001f * sizes.back() : sizes[sizes.size() * 99 / 100];
    return expected;
}

// A structure knows neither heights nor periods, and gets the boxes alone. Candidates are no answers: those
// of a structure that gives them are compared with the true boxes, as a host does.
template <SpatialIndex Structure>
class StructureSubject final : public TimedSubject {
public:
    explicit StructureSubject(const std::vector<Box>& boxes)
        : structure_(Structure::recommended(expectation<Structure>(boxes)), &memory_) {
        require(structure_.status(), "the structure");
    }

    bool can(Operation operation) const override {
        switch (operation) {
        case Operation::update:
        case Operation::count_pairs:
        case Operation::single:
        case Operation::memory: return true;
        case Operation::moves:
        case Operation::one_edit: return DynamicSpatialIndex<Structure>;
        default: return false;
        }
    }

    void update(const worlds::Scene& scene) override {
        keep(scene.boxes);
        const Status status = structure_.assign(Boxes::of(scene.boxes));
        if (status.code == Code::too_large) throw Refused("an element is larger than was said");
        require(status, "assign");
    }
    std::uint64_t pairs() override { return count_pairs(); }
    std::uint64_t count_pairs() override {
        std::uint64_t answers = 0;
        require(structure_.for_each_pair([&](std::span<const Pair> some) {
            if constexpr (answers_are_candidates<Structure>) {
                for (const Pair& pair : some) answers += boxes_[pair.a].overlaps(boxes_[pair.b]);
            } else {
                answers += some.size();
            }
        }),
                "for_each_pair");
        return answers;
    }
    std::uint64_t list(const BoxBatch& boxes) override { return count(boxes); }
    std::uint64_t count(const BoxBatch& boxes) override {
        std::uint64_t answers = 0;
        for (const Box& box : boxes.queries) answers += single(box, no_filter);
        return answers;
    }
    std::uint64_t single(const Box& box, const Filter&) override {
        std::uint64_t answers = 0;
        require(structure_.for_each_overlap(box,
                                            [&](std::span<const ElementId> some) {
                                                if constexpr (answers_are_candidates<Structure>) {
                                                    for (const ElementId id : some)
                                                        answers += boxes_[id].overlaps(box);
                                                } else {
                                                    answers += some.size();
                                                }
                                            }),
                "overlaps");
        return answers;
    }
    void edit(const std::vector<Edit>& edits) override {
        if constexpr (DynamicSpatialIndex<Structure>) {
            for (const Edit& one : edits) {
                if constexpr (answers_are_candidates<Structure>) boxes_[one.id] = one.box;
                const Status status = structure_.move(one.id, one.box);
                if (status.code == Code::too_large) throw Refused("an element is larger than was said");
                require(status, "move");
            }
            structure_.clean_up();
        }
    }
    std::size_t bytes() const override { return structure_.bytes(); }

private:
    void keep(const std::vector<Box>& boxes) {
        if constexpr (answers_are_candidates<Structure>) boxes_ = boxes;
    }

    Structure structure_;
    std::vector<Box> boxes_;
};

}  // namespace

MakeSubject structure_subject(const std::string& name) {
    MakeSubject make;
    std::string all;
    bench::for_each_structure([&]<class Structure>(const char* known, const char*) {
        all += std::string(all.empty() ? "" : ", ") + known;
        if (name == known)
            make = [](const worlds::Scene& scene) {
                return std::make_unique<StructureSubject<Structure>>(scene.boxes);
            };
    });
    if (!make) throw bench::UsageError("there is no structure '" + name + "'; there are " + all);
    return make;
}

}  // namespace throng::hunt
