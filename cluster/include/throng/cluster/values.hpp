// Views of the host's own arrays with a value for each agent or pair: velocities, forces, numbers of any
// kind. They need to live only as long as the call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <type_traits>

#include "throng/cluster/results.hpp"

namespace throng::cluster {

// What a value is made of. Sums of integers wrap around, so the signed ones are summed like the others.
enum class Number : std::uint8_t { bytes, float32, float64, int8, int16, int32, int64 };

constexpr std::size_t bytes_of(Number number) noexcept {
    constexpr std::size_t bytes[] = {1, 4, 8, 1, 2, 4, 8};
    return bytes[static_cast<std::size_t>(number)];
}

namespace detail {

template <class T>
constexpr Number number_in() noexcept {
    if constexpr (std::is_same_v<T, float>) return Number::float32;
    if constexpr (std::is_same_v<T, double>) return Number::float64;
    if constexpr (!std::is_integral_v<T> || std::is_same_v<T, bool>) return Number::bytes;
    constexpr Number of_size[] = {Number::int8, Number::int16, Number::bytes, Number::int32};
    return sizeof(T) == 8 ? Number::int64 : sizeof(T) <= 4 ? of_size[sizeof(T) - 1] : Number::bytes;
}
template <class T>
struct NumberIn {
    static constexpr Number value = number_in<std::remove_all_extents_t<T>>();
};
template <class T, std::size_t count>
struct NumberIn<std::array<T, count>> : NumberIn<T> {};

template <class Range>
concept HoldsValues = requires(Range& range) {
    std::data(range);
    std::size(range);
    requires !requires { range.numbers(); };
};

}  // namespace detail

// Values that are only read.
class ConstValues {
public:
    constexpr ConstValues() noexcept = default;
    // Of `count` values, each of so many numbers.
    ConstValues(const void* data, std::size_t count, Number number, std::size_t numbers) noexcept
        : data_(static_cast<const std::byte*>(data)), count_(count), numbers_(numbers), number_(number) {}
    // An array, a vector or a span: of numbers, or of small arrays of them. Anything else that may be copied
    // as bytes is `Number::bytes`, which cannot be summed. For structs of numbers of one kind use `of`.
    template <detail::HoldsValues Range>
    ConstValues(const Range& range) noexcept  // NOLINT(google-explicit-constructor)
        : ConstValues(std::data(range), std::size(range),
                      detail::NumberIn<std::remove_cvref_t<decltype(*std::data(range))>>::value) {}
    // Structs of `N`, such as `struct Force { double x, y; }`.
    template <class N, class Range>
    static ConstValues of(const Range& range) noexcept {
        return ConstValues(std::data(range), std::size(range), detail::NumberIn<N>::value);
    }

    const std::byte* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return count_; }
    Number number() const noexcept { return number_; }
    std::size_t numbers() const noexcept { return numbers_; }
    // Of one value.
    std::size_t bytes() const noexcept { return numbers_ * bytes_of(number_); }

protected:
    template <class T>
    ConstValues(const T* data, std::size_t count, Number number) noexcept
        : ConstValues(data, count, number, sizeof(T) / bytes_of(number)) {
        static_assert(std::is_trivially_copyable_v<T>);
    }

    const std::byte* data_ = nullptr;
    std::size_t count_ = 0, numbers_ = 1;
    Number number_ = Number::bytes;
};

// Values that are written, too.
class Values : public ConstValues {
public:
    constexpr Values() noexcept = default;
    Values(void* data, std::size_t count, Number number, std::size_t numbers) noexcept
        : ConstValues(data, count, number, numbers) {}
    template <detail::HoldsValues Range>
    Values(Range&& range) noexcept  // NOLINT(google-explicit-constructor)
        : ConstValues(range) {
        static_assert(!std::is_const_v<std::remove_reference_t<decltype(*std::data(range))>>);
    }
    template <class N, class Range>
    static Values of(Range&& range) noexcept {
        Values values(range);
        static_cast<ConstValues&>(values) = ConstValues::of<N>(range);
        return values;
    }

    std::byte* data() const noexcept { return const_cast<std::byte*>(data_); }
};

// Pairs of a list, or an array of pairs that the host has chosen from it. In a list `a` is the agent with the
// lower id. In an array of `Pair` it is the first place. So a loop over `list.places()` hands in that array.
class SomePairs {
public:
    SomePairs(const PairList& list) noexcept  // NOLINT(google-explicit-constructor)
        : places_(list.places().data()),
          apart_(list.apart().data()),
          count_(list.size()),
          lower_id_first_(true) {
        if (list.apart().empty()) apart_ = nullptr;
    }
    SomePairs(std::span<const Pair> places) noexcept  // NOLINT(google-explicit-constructor)
        : places_(places.data()), count_(places.size()) {}
    SomePairs(std::span<const ClusterPair> pairs) noexcept  // NOLINT(google-explicit-constructor)
        : apart_(pairs.data()), count_(pairs.size()) {}

    bool is_null() const noexcept { return places_ == nullptr && apart_ == nullptr && count_ != 0; }
    std::size_t size() const noexcept { return count_; }
    // Whether the other agent may be one of another cluster, which has no place here.
    bool may_lack_b() const noexcept { return apart_ != nullptr; }
    Pair places(std::size_t i) const noexcept {
        return apart_ == nullptr ? places_[i] : Pair{apart_[i].a_place, apart_[i].b_place};
    }
    // With that of the lower id first, if that is what the list says. The places of owned agents, before
    // `owned`, are in the order of ids.
    Pair a_and_b(std::size_t i, std::size_t owned, const GlobalId* ids) const noexcept {
        const Pair pair = places(i);
        if (!lower_id_first_ || apart_ != nullptr) return pair;
        const bool turns = pair.a < owned && pair.b < owned ? pair.b < pair.a : ids[pair.b] < ids[pair.a];
        return turns ? Pair{pair.b, pair.a} : pair;
    }
    // With the ids of all places.
    ClusterPair read(std::size_t i, const GlobalId* ids) const noexcept {
        if (apart_ != nullptr) return apart_[i];
        const Pair pair = places_[i];
        const GlobalId a = ids[pair.a], b = ids[pair.b];
        const bool turns = lower_id_first_ && b < a;
        return {turns ? b : a, turns ? a : b, turns ? pair.b : pair.a, turns ? pair.a : pair.b};
    }

private:
    const Pair* places_ = nullptr;
    const ClusterPair* apart_ = nullptr;
    std::size_t count_;
    bool lower_id_first_ = false;
};

}  // namespace throng::cluster
