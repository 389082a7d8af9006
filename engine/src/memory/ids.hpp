// Ids: which are free, a number for each, and which agent has one now.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/bits/hierarchical_bitset.hpp"
#include "engine/src/memory/host_memory.hpp"
#include "throng/compiler.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// Whether ids below `bound` are so far apart that arrays by id would be much larger than those by agent.
inline constexpr std::size_t ids_for_an_agent = 8, and_more_agents = 512;
inline bool are_sparse(std::size_t bound, std::size_t agents) noexcept {
    return bound / ids_for_an_agent > agents + and_more_agents;
}
// How many places an array by id needs, or one by agent if ids are far apart.
inline std::size_t places_by_id(std::size_t bound, std::size_t agents) noexcept {
    return are_sparse(bound, agents) ? agents : std::max(bound, agents);
}

// A number for each id, in pages (a two-level table). A world that was once large may have a few agents with
// large ids left; memory follows the number of agents, not the largest id.
//
//     pages    [ . ]  [ none ]  [ none ]  [ . ] ...        4,096 ids each
//                |                          |
//              numbers                    numbers, and how many of them are not `none`
//
// An empty page is kept for the next use. Many empty pages are freed by `give_back_excess`. So ids that come
// and go do not allocate.
class IdTable {
public:
    static constexpr std::uint32_t none = 0x7FFFFFFFu;
    static constexpr std::size_t page_size = 4096;

    explicit IdTable(MemoryResource* memory) noexcept : memory_(memory), pages_(memory) {}
    IdTable(const IdTable&) = delete;
    ~IdTable() { release(); }

    // Ids below this have a number, `none` until one is set.
    std::size_t size() const noexcept { return size_; }
    std::size_t bytes() const noexcept { return pages_.bytes() + (used_ + waiting_) * sizeof(Page); }
    // Grows to `size` ids, with pages for all from `first` on, so that they can be set. Returns false if
    // there is no memory.
    [[nodiscard]] bool grow(std::size_t size, std::size_t first) noexcept {
        if (!make_directory(size)) return false;
        for (std::size_t p = first / page_size; p * page_size < size; ++p)
            if (!make_page(p)) return false;
        size_ = std::max(size_, size);
        return true;
    }
    // Makes the page of an id below the size, so that it can be set. Returns false if there is no memory.
    [[nodiscard]] bool prepare(std::size_t id) noexcept { return make_page(id / page_size); }
    // Forgets the ids at and above a smaller size.
    void shrink(std::size_t size) noexcept {
        for (std::size_t id = size; id < size_; ++id)
            if (pages_[id / page_size] != nullptr && (*this)[id] != none) set(id, none);
        size_ = std::min(size_, size);
    }
    void clear() noexcept {
        lately_ = std::max(used_, lately_ - lately_ / 8);
        for (std::size_t p = 0; p < pages_.size(); ++p)
            if (pages_[p] != nullptr) leave(std::exchange(pages_[p], nullptr));
        size_ = 0;
    }

    std::uint32_t operator[](std::size_t id) const noexcept {
        const Page* page = pages_[id / page_size];
        return page == nullptr ? none : page->numbers[id % page_size];
    }
    // The number of an id below the size is about to be read and set.
    void ask_for(std::size_t id) const noexcept {
        const Page* page = pages_[id / page_size];
        if (page != nullptr) THRONG_PREFETCH(page->numbers + id % page_size, 1);
    }
    // The page must exist; it does if the id has a number.
    void set(std::size_t id, std::uint32_t number) noexcept {
        Page& page = *pages_[id / page_size];
        std::uint32_t& old = page.numbers[id % page_size];
        page.count += number != none;
        page.count -= old != none;
        old = number;
    }
    // The same if the id has a number before and after.
    void replace(std::size_t id, std::uint32_t number) noexcept {
        pages_[id / page_size]->numbers[id % page_size] = number;
    }
    // The same for an id that had none.
    void set_first(std::size_t id, std::uint32_t number) noexcept {
        Page& page = *pages_[id / page_size];
        page.numbers[id % page_size] = number;
        ++page.count;
    }
    // Whether some pages do not exist.
    bool has_gaps() const noexcept { return used_ != pages_.size(); }
    // Recycles the page of `id` if it is empty. Deferred on purpose, since an empty page may soon be used
    // again.
    void sweep(std::size_t id) noexcept {
        Page*& page = pages_[id / page_size];
        if (page != nullptr && page->count == 0) leave(std::exchange(page, nullptr));
    }
    // Frees empty pages, except for half as many as are in use, or as `agents` needed lately: the pages of an
    // update wait for the next edit.
    void give_back_excess(std::size_t agents) noexcept {
        constexpr std::size_t few_in_a_page = 256;
        const std::size_t pages = std::max(used_, std::min(lately_, agents / few_in_a_page));
        if (waiting_ <= pages + 16) return;
        while (waiting_ > pages / 2 + 8) {
            destroy(*memory_, std::exchange(free_, free_->next));
            --waiting_;
        }
    }
    // For tests that plant a fault.
    std::uint32_t& entry(std::size_t id) noexcept { return pages_[id / page_size]->numbers[id % page_size]; }

private:
    struct Page {
        Page() noexcept { std::fill_n(numbers, page_size, none); }
        std::uint32_t numbers[page_size];
        std::uint32_t count = 0;  // that are not none
        Page* next = nullptr;
    };

    bool make_directory(std::size_t size) noexcept {
        const std::size_t pages = size / page_size + (size % page_size != 0);
        return pages <= pages_.size() || pages_.resize(pages, nullptr);
    }
    bool make_page(std::size_t p) noexcept {
        if (pages_[p] != nullptr) return true;
        if (free_ != nullptr) {
            pages_[p] = std::exchange(free_, free_->next);
            --waiting_;
        } else if ((pages_[p] = make<Page>(*memory_)) == nullptr) {
            return false;
        }
        ++used_;
        return true;
    }
    void leave(Page* page) noexcept {
        if (page->count != 0) std::fill_n(page->numbers, page_size, none);
        page->count = 0;
        page->next = std::exchange(free_, page);
        --used_;
        ++waiting_;
    }
    void release() noexcept {
        clear();
        while (free_ != nullptr) destroy(*memory_, std::exchange(free_, free_->next));
    }

    MemoryResource* memory_;
    Buffer<Page*> pages_;
    Page* free_ = nullptr;
    std::size_t size_ = 0, used_ = 0, waiting_ = 0;
    std::size_t lately_ = 0;  // pages in use when all were left
};

// The set of free ids. The lowest free id is given out first; the set is a HierarchicalBitset, so finding it
// takes a few steps even with many millions of ids.
class IdPool {
public:
    explicit IdPool(MemoryResource* memory) noexcept : free_(memory) {}

    // One more than the largest id given out since the last reset.
    std::size_t bound() const noexcept { return bound_; }
    std::size_t bytes() const noexcept { return free_.bytes(); }

    // The ids [0, count) are in use, all others free. Needs no memory.
    void reset(std::size_t count) noexcept {
        free_.clear();
        free_count_ = 0;
        bound_ = count;
    }
    // How many of the next `count` ids will be new, at or above the bound.
    std::size_t new_among(std::size_t count) const noexcept {
        return count > free_count_ ? count - free_count_ : 0;
    }
    // Calls `visit(id)` with the next `count` free ids below the bound, or fewer if there are fewer, until it
    // returns false. Returns whether it never did.
    template <class Visit>
    [[nodiscard]] bool for_each_next(std::size_t count, Visit&& visit) const noexcept {
        std::size_t id = free_.find_next(none_below_);
        for (; count != 0 && id != free_.npos; --count, id = free_.find_next(id + 1))
            if (!visit(id)) return false;
        return true;
    }
    // Makes room so that freeing ids, and taking up to `more` ids, cannot fail.
    [[nodiscard]] bool reserve(std::size_t more) noexcept {
        return free_.resize(std::max(free_.size(), bound_ + more));
    }
    // Makes room so that after a reset to `ids` ids any of them can be freed.
    [[nodiscard]] bool reserve_all(std::size_t ids) noexcept {
        return free_.resize(std::max(free_.size(), ids));
    }
    // The id that the next take() returns.
    AgentId lowest() const noexcept {
        return static_cast<AgentId>(free_.none() ? bound_ : free_.find_next(none_below_));
    }
    AgentId take() noexcept {
        const AgentId id = lowest();
        if (id == bound_) {
            ++bound_;
        } else {
            free_.reset(id);
            --free_count_;
            none_below_ = id;
        }
        return id;
    }
    void give_back(AgentId id) noexcept {
        if (free_.test(id)) return;
        free_.set(id);
        ++free_count_;
        none_below_ = std::min<std::size_t>(none_below_, id);
    }
    // All ids below the bound are free; needs reserved room.
    void give_back_all() noexcept {
        free_.set_range(0, bound_);
        free_count_ = bound_;
        none_below_ = 0;
    }
    template <class Visit>
    void for_each_free(Visit&& visit) const noexcept {
        free_.for_each_in(0, bound_, visit);
    }
    // Marks an id below the bound as used again.
    void take_back(AgentId id) noexcept {
        if (!free_.test(id)) return;
        free_.reset(id);
        --free_count_;
    }
    // Forgets the ids at and above a lower bound.
    void shrink(std::size_t bound) noexcept {
        free_count_ -= free_.count_in(bound, bound_);
        free_.reset_range(bound, bound_);
        bound_ = bound;
    }

    bool is_free(AgentId id) const noexcept { return free_.test(id); }

private:
    HierarchicalBitset free_;  // below the bound; those at and above it are free without a bit
    std::size_t bound_ = 0;
    std::size_t free_count_ = 0;  // below the bound
    std::size_t none_below_ = 0;  // no lower id is free, so consecutive ids are taken without a search
};

// Generations distinguish successive agents with the same id. A handle is an id with the generation of its
// agent; it is stale once another agent has the id. They cost four bytes an id, from the first handle on. A
// host without handles pays nothing.
class Generations {
public:
    explicit Generations(MemoryResource* memory) noexcept : of_(memory), before_(memory) {}

    std::size_t bytes() const noexcept { return of_.bytes() + before_.bytes(); }
    std::uint32_t operator[](AgentId id) const noexcept { return id < of_.size() ? of_[id] : 0; }

    bool are_kept() const noexcept { return kept_; }
    // Starts to keep generations, with `edits` edits already staged, whose agents have had no other
    // generation. Returns false if there is no memory.
    [[nodiscard]] bool begin(std::size_t ids, std::size_t edits) noexcept {
        if (kept_) return true;
        if (!of_.reserve(ids) || !before_.reserve(edits)) return false;
        (void)of_.resize(ids, 0);
        (void)before_.resize(edits, 0);
        return kept_ = true;
    }
    // Makes room for `ids` ids and `edits` staged edits, so the calls below cannot fail.
    [[nodiscard]] bool reserve(std::size_t ids, std::size_t edits) noexcept {
        return !kept_ || (of_.reserve(ids) && before_.reserve(edits));
    }

    // From now on another agent has the id, or none.
    void renew(AgentId id) noexcept {
        if (!kept_) return;
        if (id >= of_.size()) (void)of_.resize(std::size_t{id} + 1, 0);
        of_[id] = next();
    }
    // The ids [0, count) are in use; an id that had an agent keeps its generation.
    void reset(std::size_t count) noexcept {
        before_.clear();
        if (!kept_) return;
        (void)of_.resize(count, next());
    }

    // The ids [0, count) have other agents than before. Needs reserved room.
    void renew_all(std::size_t count) noexcept {
        (void)of_.resize(0);
        reset(count);
    }

    // An agent got its first staged edit, which may later be discarded.
    void staged(AgentId id) noexcept {
        if (kept_) (void)before_.push_back((*this)[id]);
    }
    void restore(std::size_t edit, AgentId id) noexcept {
        if (kept_ && id < of_.size()) of_[id] = before_[edit];
    }
    void keep_edits(std::size_t count) noexcept { (void)before_.resize(std::min(count, before_.size())); }
    // Forgets the ids at and above a bound: the next agents there get new generations.
    void shrink(std::size_t bound) noexcept { (void)of_.resize(std::min(bound, of_.size())); }

private:
    // A generation repeats for the same id only after 2^32 insertions.
    std::uint32_t next() noexcept {
        if (++last_ == 0) ++last_;
        return last_;
    }

    Buffer<std::uint32_t> of_;      // by id
    Buffer<std::uint32_t> before_;  // by staged edit: the agent's generation before it
    std::uint32_t last_ = 0;
    bool kept_ = false;
};

}  // namespace throng::detail
