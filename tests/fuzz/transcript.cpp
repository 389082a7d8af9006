#include "fuzz/transcript.hpp"

#include "support/test.hpp"

namespace throng::fuzz {

void Transcript::note(const char* what, const Status& status) {
    if (status.code == Code::out_of_memory) out_of_memory_ = true;
    entries_.push_back({what, {static_cast<std::uint64_t>(status.code), status.index}});
}

void Transcript::note(const char* what, std::span<const AgentId> ids) {
    Entry entry{what, {ids.begin(), ids.end()}};
    if (order_ == Order::sorted) std::sort(entry.values.begin(), entry.values.end());
    entries_.push_back(std::move(entry));
}

void Transcript::note(const char* what, std::vector<Pair> pairs) {
    if (order_ == Order::sorted) return note_unordered(what, std::move(pairs));
    Entry entry{what, {}};
    for (const Pair& pair : pairs) entry.values.push_back(std::uint64_t{pair.a} << 32 | pair.b);
    entries_.push_back(std::move(entry));
}

void Transcript::note_unordered(const char* what, std::vector<Pair> pairs) {
    Entry entry{what, {}};
    for (const Pair& pair : pairs)
        entry.values.push_back(std::uint64_t{std::min(pair.a, pair.b)} << 32 | std::max(pair.a, pair.b));
    std::sort(entry.values.begin(), entry.values.end());
    entries_.push_back(std::move(entry));
}

namespace {

// A pair, or the number itself.
std::string text_of(std::uint64_t value) {
    if (value >> 32 == 0 || value == static_cast<std::uint64_t>(-1)) return std::to_string(value);
    return std::to_string(value >> 32) + '-' + std::to_string(value & 0xFFFFFFFFu);
}

std::string around(const std::vector<std::uint64_t>& values, std::size_t place) {
    std::string text = std::to_string(values.size()) + " values, from " + std::to_string(place) + " on:";
    for (std::size_t i = place; i < std::min(values.size(), place + 8); ++i) text += ' ' + text_of(values[i]);
    return text;
}

}  // namespace

std::string difference(const Transcript& one, const Transcript& other) {
    const std::size_t entries = std::min(one.entries_.size(), other.entries_.size());
    for (std::size_t i = 0; i < entries; ++i) {
        const Transcript::Entry &a = one.entries_[i], &b = other.entries_[i];
        if (std::string_view(a.what) != b.what)
            return std::string("'") + a.what + "' against '" + b.what + "'";
        if (a.values == b.values) continue;
        const auto [first, second] =
            std::mismatch(a.values.begin(), a.values.end(), b.values.begin(), b.values.end());
        const auto place = static_cast<std::size_t>(first - a.values.begin());
        return std::string(a.what) + ":\n    " + around(a.values, place) + "\n    " + around(b.values, place);
    }
    if (one.entries_.size() == other.entries_.size()) return {};
    const auto& longer = one.entries_.size() > entries ? one.entries_ : other.entries_;
    return std::string("only one has '") + longer[entries].what + "'";
}

}  // namespace throng::fuzz
