#include "cluster/src/messages/summary.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace throng::cluster::detail {

namespace {

void take_fault(ClusterStatus& into, const ClusterStatus& from) noexcept {
    if (from.ok()) return;
    if (into.ok() || std::tie(from.rank, from.status.index) < std::tie(into.rank, into.status.index))
        into = from;
}

// Takes the lowest rank that has it.
void take(OfRank& into, const OfRank& from, bool is_further) noexcept {
    if (is_further || (from.value == into.value && from.rank < into.rank)) into = from;
}

void add_up(Summary& into, const Summary& from) noexcept {
    take_fault(into.fault, from.fault);
    take(into.least, from.least, from.least.value < into.least.value);
    take(into.largest, from.largest, from.largest.value > into.largest.value);
    into.census.add(from.census);
    into.kept.add(from.kept);
    into.newcomers += from.newcomers;
    into.jumps += from.jumps;
    into.work += from.work;
    into.busiest = std::max(into.busiest, from.busiest);
    into.pairs += from.pairs;
    into.reach = std::max(into.reach, from.reach);
    into.radius = std::max(into.radius, from.radius);
    into.largest_place = std::max(into.largest_place, from.largest_place);
    into.labels += from.labels;
    into.heights += from.heights;
    into.flags += from.flags;
    for (std::size_t k = 0; k < size_classes; ++k) {
        into.sizes[k].count += from.sizes[k].count;
        into.sizes[k].largest = std::max(into.sizes[k].largest, from.sizes[k].largest);
    }
}

extern "C" void throng_cluster_add_up(void* from, void* into, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) {
        Summary one, other;
        std::memcpy(&one, static_cast<char*>(into) + static_cast<std::size_t>(i) * sizeof one, sizeof one);
        std::memcpy(&other, static_cast<char*>(from) + static_cast<std::size_t>(i) * sizeof one, sizeof one);
        add_up(one, other);
        std::memcpy(static_cast<char*>(into) + static_cast<std::size_t>(i) * sizeof one, &one, sizeof one);
    }
}

// The type and the operation, for as long as a sum takes.
class Sum {
public:
    Sum() noexcept {
        error_ = MPI_Type_contiguous(static_cast<int>(sizeof(Summary)), MPI_BYTE, &type_);
        if (error_ == MPI_SUCCESS) error_ = MPI_Type_commit(&type_);
        if (error_ == MPI_SUCCESS) error_ = MPI_Op_create(&throng_cluster_add_up, 1, &operation_);
    }
    Sum(const Sum&) = delete;
    Sum& operator=(const Sum&) = delete;
    ~Sum() {
        if (operation_ != MPI_OP_NULL) MPI_Op_free(&operation_);
        if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
    }
    int run(const Communicator& ranks, const Summary& mine, Summary& all) const noexcept {
        if (error_ != MPI_SUCCESS) return error_;
        return MPI_Allreduce(&mine, &all, 1, type_, operation_, ranks.get());
    }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Op operation_ = MPI_OP_NULL;
    int error_ = MPI_SUCCESS;
};

}  // namespace

Summary sum_up(const Communicator& ranks, const Summary& mine, ClusterReport& report) noexcept {
    Summary all = mine;
    all.fault = ranks.status().ok() ? mine.fault : ranks.status();
    if (ranks.size() == 1 || !ranks.status().ok()) return all;
    Summary from = mine;
    from.least = from.largest = {mine.shared, ranks.rank()};
    const Stopwatch waiting(report.waited_seconds);
    const Sum sum;
    const int error = sum.run(ranks, from, all);
    ++report.sums.messages;
    report.sums.bytes += sizeof(Summary);
    if (error != MPI_SUCCESS) {
        all.fault = ranks.failed(error);
    } else if (all.fault.ok() && all.least.value != all.largest.value) {
        all.fault = refusal(Code::bad_config, std::max(all.least.rank, all.largest.rank));
        all.fault.trouble = Trouble::differs;
    }
    return all;
}

ClusterStatus agree(const Communicator& ranks, const ClusterStatus& mine, ClusterReport& report) noexcept {
    Summary summary;
    summary.fault = mine;
    return sum_up(ranks, summary, report).fault;
}

}  // namespace throng::cluster::detail
