#include "bench/micro/kernel_benches.hpp"
#include "bench/micro/queries.hpp"
#include "bench/micro/registration.hpp"
#include "simd/query_kernels.hpp"

namespace throng::bench {

namespace {

// One small query per agent in random order, sorted by row as the engine does it, and within each row.
class Packets {
public:
    explicit Packets(const WorldRows& rows)
        : rows_(rows),
          queries_(queries_from(workload::neighbourhoods(rows.world(), false))),
          row_of_(queries_.size() + 16),
          begins_(rows.view().grid.rows + std::size_t{1}),
          // Scattering fetches a little ahead of the last record.
          records_(queries_.size() + 16),
          group_of_(queries_.size()),
          sorted_(queries_.size()) {
        count();
        scatter();
        sort_rows();
    }
    std::size_t size() const { return queries_.size(); }

    void count() {
        std::vector<std::uint32_t> histogram(rows_.view().grid.rows);
        rows_.kernels().queries->count_query_rows(rows_.view(), queries_.data(), size(), row_of_.data(),
                                                  histogram.data());
        for (std::size_t r = 0; r < histogram.size(); ++r) begins_[r + 1] = begins_[r] + histogram[r];
    }
    void scatter() {
        cursors_.clear();
        for (const std::uint32_t begin : begins_) cursors_.push_back(records_.data() + begin);
        rows_.kernels().queries->scatter_queries(queries_.data(), size(), 0, row_of_.data(), cursors_.data());
    }
    void sort_rows() {
        for (std::size_t r = 0; r + 1 < begins_.size(); ++r)
            rows_.kernels().queries->sort_packet(rows_.view(), records_.data() + begins_[r],
                                                 begins_[r + 1] - begins_[r], group_of_.data(),
                                                 sorted_.data() + begins_[r]);
    }
    // body(records, count) for the queries of each row.
    template <class Body>
    void each_row(Body&& body) {
        for (std::size_t r = 0; r + 1 < begins_.size(); ++r)
            if (const std::size_t count = begins_[r + 1] - begins_[r]; count != 0)
                body(sorted_.data() + begins_[r], count);
    }

private:
    const WorldRows& rows_;
    std::vector<simd::Query> queries_;
    std::vector<std::uint16_t> row_of_;
    std::vector<std::uint32_t> begins_;
    std::vector<simd::Record> records_;
    std::vector<simd::Record*> cursors_;
    std::vector<std::uint8_t> group_of_;
    std::vector<simd::Record> sorted_;
};

template <void (Packets::*step)()>
std::size_t sorting(benchmark::State& state, WorldRows& rows) {
    Packets packets(rows);
    for (auto _ : state) (packets.*step)();
    return packets.size();
}

std::size_t find_packet(benchmark::State& state, WorldRows& rows) {
    Packets packets(rows);
    // So large that all answers, with their headers, go into the first stream.
    IdBuffer stream(64 * packets.size());
    constexpr std::uint32_t one_stream = 31;
    for (auto _ : state) {
        stream.clear();
        packets.each_row([&](const simd::Record* records, std::size_t count) {
            rows.kernels().queries->find_packet(rows.view(), {}, records, count, &stream.sink(), one_stream,
                                                nullptr);
        });
    }
    return packets.size();
}

// The answers behind each other, as they are found.
std::size_t find_packet_on(benchmark::State& state, WorldRows& rows) {
    Packets packets(rows);
    IdBuffer stream(64 * packets.size());
    std::vector<std::uint64_t> ends(packets.size());
    for (auto _ : state) {
        stream.clear();
        packets.each_row([&](const simd::Record* records, std::size_t count) {
            rows.kernels().queries->find_packet(rows.view(), {}, records, count, &stream.sink(), 0,
                                                ends.data());
        });
    }
    return packets.size();
}

template <auto simd::QueryKernels::*kernel, class Answer>
std::size_t answering_packets(benchmark::State& state, WorldRows& rows) {
    Packets packets(rows);
    std::vector<Answer> answers(packets.size());
    for (auto _ : state)
        packets.each_row([&](const simd::Record* records, std::size_t count) {
            (rows.kernels().queries->*kernel)(rows.view(), {}, records, count, answers.data());
        });
    return packets.size();
}

}  // namespace

void register_packets(const simd::Kernels& kernels) {
    add("count_query_rows", kernels, "crowd", micro_agents, sorting<&Packets::count>);
    add("scatter_queries", kernels, "crowd", micro_agents, sorting<&Packets::scatter>);
    add("sort_packet", kernels, "crowd", micro_agents, sorting<&Packets::sort_rows>);
    add("find_packet", kernels, "crowd", micro_agents, find_packet);
    add("find_packet_on", kernels, "crowd", micro_agents, find_packet_on);
    add("count_packet", kernels, "crowd", micro_agents,
        answering_packets<&simd::QueryKernels::count_packet, std::uint32_t>);
    add("any_packet", kernels, "crowd", micro_agents,
        answering_packets<&simd::QueryKernels::any_packet, std::uint8_t>);
}

}  // namespace throng::bench
