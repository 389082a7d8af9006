// The same of the structures, and of the containers that come with them.
#include <array>
#include <cstddef>
#include <string>

#include "bounded.hpp"

#include <throng/structures.hpp>

namespace {

struct ItsBox {
    throng::Box operator()(const throng::Box* box) const { return *box; }
};

// Its constructor might throw, so the containers must undo what they began.
struct Name {
    explicit Name(std::size_t length) : text(length, 'a') {}
    std::string text;
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
    throng::structures::FreeList<Name> names(&bounded);
    const std::size_t taken = taken_until_refused(
        [&](std::size_t i) { return names.emplace(i % 10) != throng::structures::FreeList<Name>::none; });
    return taken >= 8 && taken == names.size() && names[7].text == "aaaaaaa";
}

bool small_list_answers() {
    alignas(64) std::array<std::byte, 4096> memory;
    Bounded bounded(memory);
    throng::structures::SmallList<Name, 4> names(&bounded);
    const std::size_t taken = taken_until_refused([&](std::size_t i) { return names.emplace_back(i % 10); });
    return taken >= 8 && taken == names.size() && names[7].text == "aaaaaaa";
}

}  // namespace

bool structures_without_memory_say_so() {
    Bounded nothing;
    throng::MemoryResource* const none = &nothing;
    constexpr throng::Box box{0, 0, 1, 1};
    throng::structures::ObjectQuadtree<const throng::Box*, ItsBox> tree({.extents = {0, 0, 8, 8}}, {}, {},
                                                                        none);
    if (tree.insert(&box).code != throng::Code::out_of_memory) return false;
    return free_list_answers() && small_list_answers();
}
