#include "cluster/src/inquiries/inquiry.hpp"

#include <algorithm>

#include "cluster/src/inquiries/lists_inside.hpp"

namespace throng::cluster::detail {

void Inquiry::send_queries() noexcept {
    state_.fail(state_.post.to_any(state_.parcels, state_.asking.general_exchange,
                                   state_.asking.waited_seconds, [&](int from, std::span<const Word> words) {
                                       const std::size_t first = asked_.size(), count = words.size() / words_;
                                       if (!state_.trouble.ok()) return;
                                       if (!state_.need(asked_.resize(first + words.size()) &&
                                                        from_.resize(from_.size() + count, from))) {
                                           from_.clear();
                                           return;
                                       }
                                       std::copy(words.begin(), words.end(), asked_.begin() + first);
                                   }));
    if (!state_.trouble.ok()) from_.clear();
}

void Inquiry::take_answers() noexcept {
    state_.fail(state_.post.to_any(state_.parcels, state_.asking.general_exchange,
                                   state_.asking.waited_seconds, [&](int, std::span<const Word> words) {
                                       const std::size_t first = found.size(),
                                                         count = words.size() / words_of<Found>();
                                       if (!state_.trouble.ok() || !state_.need(found.resize(first + count)))
                                           return;
                                       for (std::size_t k = 0; k < count; ++k)
                                           get(words.data() + k * words_of<Found>(), found[first + k]);
                                   }));
}

bool Inquiry::write(std::size_t queries, Lists& lists, bool with_numbers) noexcept {
    ListsInside to(lists);
    if (!to.offsets.resize(queries + 1) || !to.ids.resize(found.size()) ||
        !to.numbers.resize(with_numbers ? found.size() : 0))
        return false;
    std::sort(found.begin(), found.end());
    std::size_t at = 0;
    for (std::size_t q = 0; q <= queries; ++q) {
        to.offsets[q] = at;
        for (; at < found.size() && found[at].query == q; ++at) {
            to.ids[at] = found[at].id;
            if (with_numbers) to.numbers[at] = found[at].number;
        }
    }
    return true;
}

}  // namespace throng::cluster::detail
