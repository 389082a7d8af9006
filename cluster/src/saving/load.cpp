// Each rank reads as many rows as the others, wherever their agents are, and hands them in.
#include "cluster/src/saving/file.hpp"
#include "cluster/src/saving/format.hpp"
#include "cluster/src/saving/saving.hpp"
#include "throng/cluster/cluster_engine.hpp"

namespace throng::cluster {

namespace detail {

namespace {

class Loading {
public:
    explicit Loading(ClusterState& state) noexcept : state_(state), rows_(state.memory) {}

    ClusterStatus run(const char* path) noexcept {
        const ClusterStatus status = read_on_all_ranks(path);
        return status.ok() ? state_.update(agents()) : status;
    }

private:
    ClusterStatus read_on_all_ranks(const char* path) noexcept {
        const Stopwatch asking(state_.asking.seconds);
        fail_if_refused(state_, path);
        if (state_.trouble.ok()) read(path);
        Summary mine;
        mine.fault = state_.trouble;
        mine.shared = header_.mixed();
        mine.work = sum_;
        const Summary all = sum_up(state_.ranks, mine, state_.asking);
        if (!all.fault.ok()) return all.fault;
        ClusterStatus changed;
        changed.trouble = Trouble::damaged;
        return all.work == header_.sum ? ClusterStatus() : changed;
    }
    void read(const char* path) noexcept {
        RankFile file(path, MPI_MODE_RDONLY);
        const std::uint64_t bytes = file.size();
        if (bytes >= sizeof header_) file.read(0, &header_, sizeof header_);
        if (file.error() == MPI_SUCCESS) look_at_header(bytes);
        if (state_.trouble.ok() && file.error() == MPI_SUCCESS) read_rows(file);
        fail_by_file(state_, file.error());
    }
    void look_at_header(std::uint64_t file_bytes) noexcept {
        if (file_bytes < sizeof header_ || !header_.is_of_this_kind())
            state_.fail(state_.trouble_here(Trouble::not_saved));
        else if (header_.payload_bytes != state_.config.payload_bytes)
            state_.fail({Code::size_mismatch, Argument::values});
        else if (!header_.fits(file_bytes))
            state_.fail(state_.trouble_here(Trouble::damaged));
    }
    void read_rows(RankFile& file) noexcept {
        // The first rows go to as many ranks as there are left over, one each.
        const std::uint64_t ranks = static_cast<std::uint64_t>(state_.ranks.size());
        const std::uint64_t rank = static_cast<std::uint64_t>(state_.rank());
        const std::uint64_t each = header_.count / ranks, left = header_.count % ranks;
        const std::uint64_t first = rank * each + std::min(rank, left), count = each + (rank < left ? 1 : 0);
        if (!state_.need(rows_.resize(static_cast<std::size_t>(count), header_.extras()))) return;
        for_each_column(header_, first, count, rows_, [&](std::uint64_t at, void* data, std::uint64_t bytes) {
            file.read(at, data, bytes);
        });
        if (file.error() == MPI_SUCCESS) sum_ = sum_of_rows(header_, first, count, rows_);
    }
    Agents agents() const noexcept {
        Agents all;
        all.ids = {rows_.ids.data(), rows_.size()};
        all.boxes = Boxes::of(std::span<const Box>(rows_.boxes.data(), rows_.size()));
        const UpdateOptions traits = rows_.traits(header_.extras(), 0, rows_.size());
        all.labels = traits.labels;
        all.heights = traits.heights;
        all.payload = {rows_.payload.data(), rows_.payload.size()};
        return all;
    }

    ClusterState& state_;
    AgentTable rows_;
    SavedHeader header_;
    std::uint64_t sum_ = 0;
};

}  // namespace

}  // namespace detail

ClusterStatus ClusterEngine::load(const char* path) noexcept {
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    return detail::Loading(*state_).run(path);
}

}  // namespace throng::cluster
