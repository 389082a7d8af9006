// A host whose memory runs out, with and without exceptions of its own. Returns whether everything that gets memory in
// the host's own code, by templates of the public headers, says so by its status.
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <throng/containers/free_list.hpp>
#include <throng/containers/hierarchical_bitset.hpp>
#include <throng/containers/small_list.hpp>
#include <throng/structures/leaf_order.hpp>
#include <throng/structures/loose_grid.hpp>
#include <throng/structures/object_quadtree.hpp>
#include <throng/throng.hpp>

namespace {

struct ItsBox {
    throng::Box operator()(const throng::Box* box) const { return *box; }
};

// Whose constructor might throw, so that the containers have to undo what they began.
struct Name {
    explicit Name(std::size_t length) : text(length, 'a') {}
    std::string text;
};

// Hands out what it was made with, one piece behind the other, and then nothing more.
class Bounded final : public throng::MemoryResource {
public:
    Bounded() = default;
    explicit Bounded(std::span<std::byte> bytes) noexcept : left_(bytes) {}

    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        void* at = left_.data();
        std::size_t room = left_.size();
        if (at == nullptr || std::align(alignment, bytes, at, room) == nullptr) return nullptr;
        left_ = {static_cast<std::byte*>(at) + bytes, room - bytes};
        return at;
    }
    void deallocate(void*, std::size_t, std::size_t) noexcept override {}

private:
    std::span<std::byte> left_;
};

// Elements that the list takes until its memory is used up.
template <class Insert>
std::size_t taken_until_refused(Insert insert) {
    for (std::size_t i = 0; i < 10'000; ++i)
        if (!insert(i)) return i;
    return 10'000;
}

bool free_list_answers() {
    alignas(64) std::array<std::byte, 4096> memory;
    Bounded bounded(memory);
    throng::FreeList<Name> names(&bounded);
    const std::size_t taken = taken_until_refused(
        [&](std::size_t i) { return names.emplace(i % 10) != throng::FreeList<Name>::none; });
    return taken >= 8 && taken == names.size() && names[7].text == "aaaaaaa";
}

bool small_list_answers() {
    alignas(64) std::array<std::byte, 4096> memory;
    Bounded bounded(memory);
    throng::SmallList<Name, 4> names(&bounded);
    const std::size_t taken = taken_until_refused([&](std::size_t i) { return names.emplace_back(i % 10); });
    return taken >= 8 && taken == names.size() && names[7].text == "aaaaaaa";
}

}  // namespace

bool a_lack_of_memory_is_a_status() {
    Bounded nothing;
    throng::MemoryResource* const none = &nothing;
    const throng::Box boxes[] = {{0, 0, 1, 1}, {0.5f, 0.5f, 2, 2}};

    throng::Engine without({.memory = none});
    if (without.update(throng::Boxes::of(boxes)).code != throng::Code::out_of_memory) return false;
    throng::Engine engine;
    throng::PairList pairs(none);
    throng::Hits hits(none);
    if (!engine.update(throng::Boxes::of(boxes))) return false;
    if (engine.frame().pairs(pairs).code != throng::Code::out_of_memory) return false;
    if (engine.frame().overlaps(throng::Boxes::of(boxes), hits).code != throng::Code::out_of_memory)
        return false;

    throng::ObjectQuadtree<const throng::Box*, ItsBox> tree({.extents = {0, 0, 8, 8}}, {}, {}, none);
    if (tree.insert(&boxes[0]).code != throng::Code::out_of_memory) return false;
    throng::HierarchicalBitset bits(none);
    if (bits.resize(1000)) return false;

    return free_list_answers() && small_list_answers();
}
