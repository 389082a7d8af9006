// The file is written under a name of its own, and takes the place of an older one only when it is complete.
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cluster/src/saving/file.hpp"
#include "cluster/src/saving/format.hpp"
#include "cluster/src/saving/saving.hpp"
#include "throng/cluster/cluster_engine.hpp"

namespace throng::cluster {

namespace detail {

namespace {

class Saving {
public:
    Saving(ClusterState& state, const char* path) noexcept : state_(state), path_(path), name_(state.memory) {
        const World& world = state.now;
        header_.count = world.census.count;
        header_.set_extras(world.extras);
    }

    ClusterStatus run() noexcept {
        fail_if_refused(state_, path_);
        if (state_.trouble.ok()) name_new_file();
        ClusterStatus status = prepare();
        if (!status.ok()) return status;
        if (state_.rank() == 0) write_header();
        status = agree(state_.ranks, state_.trouble, state_.asking);
        if (status.ok()) {
            write_rows();
            status = agree(state_.ranks, state_.trouble, state_.asking);
        }
        if (state_.rank() == 0) replace(status.ok());
        return status.ok() ? agree(state_.ranks, state_.trouble, state_.asking) : status;
    }

private:
    void name_new_file() noexcept {
        static constexpr char end[] = ".new";
        const std::size_t length = std::strlen(path_);
        if (!state_.need(name_.resize(length + sizeof end))) return;
        std::memcpy(name_.data(), path_, length);
        std::memcpy(name_.data() + length, end, sizeof end);
    }
    // That all ranks name the same file; which rows are this rank's, and what the sum of all is.
    ClusterStatus prepare() noexcept {
        std::uint64_t name = 0;
        for (const char letter : std::span<const char>(name_.data(), name_.size()))
            name = Census::mix(name + static_cast<unsigned char>(letter));
        const ClusterStatus refused = state_.begin(ClusterStatus(state_.trouble), name).fault;
        if (!refused.ok()) return refused;
        const std::uint64_t owned = state_.now.owned;
        const int error = MPI_Exscan(&owned, &first_, 1, MPI_UINT64_T, MPI_SUM, state_.ranks.get());
        if (error != MPI_SUCCESS) return state_.ranks.failed(error);
        if (state_.rank() == 0) first_ = 0;  // undefined there
        Summary mine;
        mine.work = sum_of_rows(header_, first_, owned, state_.now.agents);
        const Summary all = sum_up(state_.ranks, mine, state_.asking);
        header_.sum = all.work;
        return all.fault;
    }
    void write_header() noexcept {
        RankFile file(name_.data(), MPI_MODE_CREATE | MPI_MODE_WRONLY);
        is_there_ = file.error() == MPI_SUCCESS;
        file.set_size(sizeof header_ + header_.count * header_.row_bytes());
        file.write(0, &header_, sizeof header_);
        end(file);
    }
    void write_rows() noexcept {
        RankFile file(name_.data(), MPI_MODE_WRONLY);
        for_each_column(
            header_, first_, state_.now.owned, state_.now.agents,
            [&](std::uint64_t at, const void* data, std::uint64_t bytes) { file.write(at, data, bytes); });
        end(file);
    }
    void end(RankFile& file) noexcept {
        file.sync();
        file.close();
        fail_by_file(state_, file.error());
    }
    void replace(bool is_complete) noexcept {
        if (is_complete && std::rename(name_.data(), path_) == 0) return;
        const bool is_allowed = errno != EACCES && errno != EPERM;
        if (is_there_) std::remove(name_.data());
        if (is_complete) fail_by_file(state_, is_allowed ? MPI_ERR_FILE : MPI_ERR_ACCESS);
    }

    ClusterState& state_;
    const char* const path_;
    throng::detail::Buffer<char> name_;
    SavedHeader header_;
    std::uint64_t first_ = 0;
    bool is_there_ = false;  // the new file, made by rank 0
};

}  // namespace

}  // namespace detail

ClusterStatus ClusterEngine::save(const char* path) noexcept {
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    return detail::Saving(*state_, path).run();
}

}  // namespace throng::cluster
