// A number for each id, in pages (a two-level table). A world that was once large may have a few agents with
// large ids left; memory follows the number of agents, not the largest id.
//
//     pages    [ . ]  [ none ]  [ none ]  [ . ] ...        4,096 ids each
//                |                          |
//              numbers                    numbers, and how many of them are not `none`
//
// An empty page is kept for the next use. Many empty pages are freed by `give_back_excess`. So ids that come
// and go do not allocate.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/src/memory/host_memory.hpp"
#include "throng/compiler.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// Whether ids below `bound` are so far apart that arrays by id would be much larger than those by agent.
inline constexpr std::size_t ids_for_an_agent = 8, and_more_agents = 512;
inline bool are_sparse(std::size_t bound, std::size_t agents) noexcept {
    return bound / ids_for_an_agent > agents + and_more_agents;
}
// How many places an array by id needs, or one by agent if ids are far apart.
inline std::size_t places_by_id(std::size_t bound, std::size_t agents) noexcept {
    const std::size_t most = agents == 0 ? 0 : ids_for_an_agent * (agents + and_more_agents);
    return std::max(agents, std::min(bound, most));
}

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

}  // namespace throng::detail
