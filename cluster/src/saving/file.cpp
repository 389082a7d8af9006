#include "cluster/src/saving/file.hpp"

#include <algorithm>

namespace throng::cluster::detail {

namespace {

constexpr std::uint64_t block_of_file = std::uint64_t{1} << 28;

}  // namespace

RankFile::RankFile(const char* path, int mode) noexcept {
    fail(MPI_File_open(MPI_COMM_SELF, path, mode, MPI_INFO_NULL, &file_));
    if (error_ == MPI_SUCCESS) fail(MPI_File_set_errhandler(file_, MPI_ERRORS_RETURN));
}

void RankFile::fail(int error) noexcept {
    if (error_ == MPI_SUCCESS && error != MPI_SUCCESS) MPI_Error_class(error, &error_);
}

std::uint64_t RankFile::size() noexcept {
    MPI_Offset bytes = 0;
    if (error_ == MPI_SUCCESS) fail(MPI_File_get_size(file_, &bytes));
    return static_cast<std::uint64_t>(bytes);
}

void RankFile::set_size(std::uint64_t bytes) noexcept {
    if (error_ == MPI_SUCCESS) fail(MPI_File_set_size(file_, static_cast<MPI_Offset>(bytes)));
}

// MPI counts bytes with an int.
template <class Call>
void RankFile::in_blocks(std::uint64_t at, std::uint64_t bytes, const Call& call) noexcept {
    for (std::uint64_t done = 0; done < bytes && error_ == MPI_SUCCESS; done += block_of_file) {
        const int wanted = static_cast<int>(std::min(block_of_file, bytes - done));
        MPI_Status status;
        int got = 0;
        fail(call(static_cast<MPI_Offset>(at + done), done, wanted, &status));
        if (error_ == MPI_SUCCESS) fail(MPI_Get_count(&status, MPI_BYTE, &got));
        if (got != wanted) fail(MPI_ERR_IO);
    }
}

void RankFile::read(std::uint64_t at, void* to, std::uint64_t bytes) noexcept {
    in_blocks(at, bytes, [&](MPI_Offset place, std::uint64_t done, int count, MPI_Status* status) {
        return MPI_File_read_at(file_, place, static_cast<char*>(to) + done, count, MPI_BYTE, status);
    });
}

void RankFile::write(std::uint64_t at, const void* from, std::uint64_t bytes) noexcept {
    in_blocks(at, bytes, [&](MPI_Offset place, std::uint64_t done, int count, MPI_Status* status) {
        return MPI_File_write_at(file_, place, static_cast<const char*>(from) + done, count, MPI_BYTE,
                                 status);
    });
}

void RankFile::sync() noexcept {
    if (error_ == MPI_SUCCESS) fail(MPI_File_sync(file_));
}

void RankFile::close() noexcept {
    if (file_ != MPI_FILE_NULL) fail(MPI_File_close(&file_));
    file_ = MPI_FILE_NULL;
}

}  // namespace throng::cluster::detail
