// Parts of frames and of the small structures, as arrays of numbers, and the structures themselves.
#include <cstdlib>
#include <memory>

#include "bindings/c/src/objects.hpp"
#include "bindings/js/page/native/native.h"
#include "throng/structures/grid_hierarchy.hpp"
#include "throng/structures/loose_grid.hpp"
#include "throng/structures/loose_quadtree.hpp"
#include "throng/structures/quadtree.hpp"
#include "throng/structures/row_grid.hpp"
#include "throng/structures/static_index.hpp"
#include "throng/structures/uniform_grid.hpp"

namespace {

using namespace throng;

// Numbers one after the other. Where there is no memory for more, the rest is left out.
template <class Number>
class List {
public:
    bool reserve(std::size_t count) {
        if (count <= room_) return true;
        void* more = std::realloc(data_, 2 * count * sizeof(Number));
        if (more == nullptr) return false;
        data_ = static_cast<Number*>(more);
        room_ = 2 * count;
        return true;
    }
    void add(Number number) {
        if (reserve(size + 1)) data_[size++] = number;
    }
    Number* data() { return data_; }
    std::size_t size = 0;

private:
    Number* data_ = nullptr;
    std::size_t room_ = 0;
};

List<float> parts;
List<Box> boxes;

void add(const Box& box, float kind, std::uint32_t cells) {
    if (!parts.reserve(parts.size + 6)) return;
    for (const float number : {box.min_x, box.min_y, box.max_x, box.max_y, kind, static_cast<float>(cells)})
        parts.add(number);
}

template <class Visit>
uint32_t listed(const Visit& visit) {
    parts.size = 0;
    visit();
    return static_cast<uint32_t>(parts.size / 6);
}

// A structure of any kind.
struct AnyStructure {
    virtual ~AnyStructure() = default;
    virtual bool assign() = 0;
    virtual uint32_t pairs() = 0;
    virtual void add_parts() = 0;
};
template <class Kind>
struct StructureOf final : AnyStructure {
    explicit StructureOf(const structures::Expected& expected) : structure(Kind::recommended(expected)) {}
    bool assign() override { return structure.assign(Boxes(std::span(boxes.data(), boxes.size))).ok(); }
    uint32_t pairs() override {
        uint32_t count = 0;
        const Status status = structure.for_each_pair([&](Pair) { ++count; });
        return status.ok() ? count : 0;
    }
    void add_parts() override {
        structure.for_each_part([](const structures::Part& part) { add(part.box, part.leaf ? 4 : 3, 0); });
    }
    Kind structure;
};
std::unique_ptr<AnyStructure> chosen;

template <class... Kinds>
std::unique_ptr<AnyStructure> make(uint32_t kind, const structures::Expected& expected) {
    std::unique_ptr<AnyStructure> made;
    uint32_t k = 0;
    ((k++ == kind ? void(made = std::make_unique<StructureOf<Kinds>>(expected)) : void()), ...);
    return made;
}

}  // namespace

uint32_t page_parts_of_frame(const throng_frame* frame) {
    return listed([&] {
        const Status status = frame->frame.for_each_part(
            [](const FramePart& part) { add(part.box, static_cast<float>(part.kind), part.cells); });
        if (!status.ok()) parts.size = 0;
    });
}
const float* page_parts() { return parts.data(); }

int32_t page_structure_make(uint32_t kind, float side, uint32_t elements, float largest) {
    using namespace structures;
    chosen = make<Quadtree, LooseQuadtree, LooseGrid, UniformGrid, RowGrid, GridHierarchy, StaticIndex>(
        kind,
        {.extents = {0, 0, side, side}, .elements = elements, .typical_size = 1, .largest_size = largest});
    return chosen != nullptr;
}
int32_t page_structure_read(const throng_frame* frame) {
    const std::size_t count = frame->frame.size();
    boxes.size = 0;
    return boxes.reserve(count) &&
           frame->frame.for_each_agent([](AgentId, const Box& box) { boxes.add(box); }).ok();
}
int32_t page_structure_assign() { return chosen != nullptr && chosen->assign(); }
uint32_t page_structure_pairs() { return chosen == nullptr ? 0 : chosen->pairs(); }
uint32_t page_parts_of_structure() {
    return listed([] {
        if (chosen != nullptr) chosen->add_parts();
    });
}
