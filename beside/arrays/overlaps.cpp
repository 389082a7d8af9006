// overlaps, count and any of queries/without_engine.hpp.

#include <cstddef>
#include <cstdint>
#include <span>

#include "beside/arrays/asked_arrays.hpp"

namespace throng {

using namespace detail;

namespace {

Status find(const Boxes& boxes, const Boxes& queries, OverlapLists& hits,
            const ArrayQueryConfig& config) noexcept {
    const simd::Kernels* kernels = nullptr;
    if (const Status bad = check_arrays(boxes, queries, config, kernels); !bad.ok()) return bad;
    HostMemory memory(config.memory);
    Buffer<simd::Query> read(&memory);
    if (const Status bad = read_queries(queries, read); !bad.ok()) return bad;
    const auto ask = [&](const Frame& frame) noexcept -> Status {
        if (const Status bad = frame.overlaps(queries, hits); !bad.ok()) return bad;
        return sort_lists(config.executor, boxes.size(), hits.offsets(), ListParts::ids(hits), memory);
    };
    return ask_all(boxes, {read.data(), read.size()}, QueryIndex::Wanted::lists, config, *kernels, memory,
                   ask,
                   [&](BoxPass& pass) { return pass.lists(ListParts::offsets(hits), ListParts::ids(hits)); });
}

Status answer(const Frame& frame, const Boxes& queries, std::span<std::uint32_t> counts) noexcept {
    return frame.count(queries, counts);
}
Status answer(const Frame& frame, const Boxes& queries, std::span<std::uint8_t> answers) noexcept {
    return frame.any(queries, answers);
}
void answer(std::uint64_t count, std::uint32_t& to) noexcept { to = static_cast<std::uint32_t>(count); }
void answer(std::uint64_t count, std::uint8_t& to) noexcept { to = count != 0 ? 1 : 0; }

template <class Answer>
Status answer_all(const Boxes& boxes, const Boxes& queries, std::span<Answer> answers,
                  const ArrayQueryConfig& config) noexcept {
    const simd::Kernels* kernels = nullptr;
    if (answers.size() < queries.size()) return {Code::size_mismatch, Argument::output};
    if (const Status bad = check_arrays(boxes, queries, config, kernels); !bad.ok()) return bad;
    if (answers.data() == nullptr && !answers.empty()) return {Code::null_view, Argument::output};
    HostMemory memory(config.memory);
    Buffer<simd::Query> read(&memory);
    if (const Status bad = read_queries(queries, read); !bad.ok()) return bad;
    return ask_all(
        boxes, {read.data(), read.size()}, QueryIndex::Wanted::numbers, config, *kernels, memory,
        [&](const Frame& frame) { return answer(frame, queries, answers); },
        [&](BoxPass& pass) {
            const Status status = pass.count();
            for (std::size_t i = 0; i < queries.size() && status.ok(); ++i)
                answer(pass.count_of(i), answers[i]);
            return status;
        });
}

}  // namespace

Status overlaps(const Boxes& boxes, const Boxes& queries, OverlapLists& hits,
                const ArrayQueryConfig& config) noexcept {
    return found_or_none(hits, [&] { return find(boxes, queries, hits, config); });
}

Status count(const Boxes& boxes, const Boxes& queries, std::span<std::uint32_t> counts,
             const ArrayQueryConfig& config) noexcept {
    return answer_all(boxes, queries, counts, config);
}

Status any(const Boxes& boxes, const Boxes& queries, std::span<std::uint8_t> answers,
           const ArrayQueryConfig& config) noexcept {
    return answer_all(boxes, queries, answers, config);
}

}  // namespace throng
