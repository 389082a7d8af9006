// A file of this rank alone, by MPI. Ranks open the same file each for itself: so none waits in MPI for one
// that cannot. After an error all further calls do nothing.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace throng::cluster::detail {

class RankFile {
public:
    // `mode` is one of MPI_File_open.
    RankFile(const char* path, int mode) noexcept;
    RankFile(const RankFile&) = delete;
    RankFile& operator=(const RankFile&) = delete;
    ~RankFile() { close(); }

    std::uint64_t size() noexcept;
    void set_size(std::uint64_t bytes) noexcept;
    void read(std::uint64_t at, void* to, std::uint64_t bytes) noexcept;
    void write(std::uint64_t at, const void* from, std::uint64_t bytes) noexcept;
    // Waits until all that was written is on the disk.
    void sync() noexcept;
    void close() noexcept;

    // MPI_SUCCESS, or the class of the first error.
    int error() const noexcept { return error_; }

private:
    template <class Call>
    void in_blocks(std::uint64_t at, std::uint64_t bytes, const Call& call) noexcept;
    void fail(int error) noexcept;

    MPI_File file_ = MPI_FILE_NULL;
    int error_ = MPI_SUCCESS;
};

}  // namespace throng::cluster::detail
