// overlaps, count and any of queries/without_engine.hpp.

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>

#include "beside/arrays/asked_arrays.hpp"
#include "beside/arrays/box_pass.hpp"
#include "beside/arrays/query_index.hpp"
#include "beside/arrays/sorted_lists.hpp"
#include "parallel/blocks.hpp"

namespace throng {

using namespace detail;

namespace {

// Reads the queries and makes their index.
Status open(const Boxes& boxes, const Boxes& queries, QueryIndex::Wanted wanted, Buffer<simd::Query>& read,
            QueryIndex& index) noexcept {
    if (const Status bad = read_queries(queries, read); !bad.ok()) return bad;
    return {index.make({read.data(), read.size()}, boxes, wanted) ? Code::ok : Code::out_of_memory};
}

Status find(const Boxes& boxes, const Boxes& queries, OverlapLists& hits, const ArrayQueryConfig& config,
            const simd::Kernels& kernels) noexcept {
    HostMemory memory(config.memory);
    Buffer<simd::Query> read(&memory);
    QueryIndex index(&memory);
    if (const Status bad = open(boxes, queries, QueryIndex::Wanted::lists, read, index); !bad.ok())
        return bad;
    if (index.is_slower_than_an_engine()) {
        Engine engine(engine_config(config));
        if (const Status bad = make_engine(engine, boxes); !bad.ok()) return bad;
        if (const Status bad = engine.frame().overlaps(queries, hits); !bad.ok()) return bad;
        return sort_lists(config.executor, boxes.size(), hits.offsets(), ListParts::ids(hits), memory);
    }
    BoxPass pass(kernels, config.executor, boxes, index, memory);
    if (const Status bad = pass.find(); !bad.ok()) return bad;
    return pass.write(ListParts::offsets(hits), ListParts::ids(hits));
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
    QueryIndex index(&memory);
    if (const Status bad = open(boxes, queries, QueryIndex::Wanted::numbers, read, index); !bad.ok())
        return bad;
    if (index.is_slower_than_an_engine()) {
        Engine engine(engine_config(config));
        if (const Status bad = make_engine(engine, boxes); !bad.ok()) return bad;
        return answer(engine.frame(), queries, answers);
    }
    BoxPass pass(*kernels, config.executor, boxes, index, memory);
    if (const Status bad = pass.count(); !bad.ok()) return bad;
    for (std::size_t i = 0; i < queries.size(); ++i) answer(pass.count_of(i), answers[i]);
    return {};
}

}  // namespace

Status overlaps(const Boxes& boxes, const Boxes& queries, OverlapLists& hits,
                const ArrayQueryConfig& config) noexcept {
    hits.clear();
    const simd::Kernels* kernels = nullptr;
    Status status = check_arrays(boxes, queries, config, kernels);
    if (status.ok()) status = find(boxes, queries, hits, config, *kernels);
    if (!status.ok()) hits.clear();
    return status;
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
