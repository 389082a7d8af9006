#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "throng/cluster/status.hpp"

namespace throng::cluster {

namespace {

// Writes as much as fits, and counts all.
class ClusterText {
public:
    explicit ClusterText(std::span<char> text) noexcept : text_(text) {
        if (!text_.empty()) text_[0] = 0;
    }
    void add(std::string_view words) noexcept {
        if (length_ + 1 < text_.size()) {
            const std::size_t fits = std::min(words.size(), text_.size() - length_ - 1);
            std::memcpy(text_.data() + length_, words.data(), fits);
            text_[length_ + fits] = 0;
        }
        length_ += words.size();
    }
    template <class Number>
    void add_number(Number number) noexcept {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        add({digits, static_cast<std::size_t>(end - digits)});
    }
    std::size_t length() const noexcept { return length_; }

private:
    std::span<char> text_;
    std::size_t length_ = 0;
};

// What the class of an error means, where that helps.
std::string_view words_for_file(int error) noexcept {
    if (error == MPI_ERR_NO_SUCH_FILE) return ": there is no such file or directory,";
    if (error == MPI_ERR_ACCESS || error == MPI_ERR_READ_ONLY) return ": this is not allowed,";
    if (error == MPI_ERR_NO_SPACE || error == MPI_ERR_QUOTA) return ": there is no space left,";
    return "";
}

}  // namespace

const char* describe(Trouble trouble) noexcept {
    switch (trouble) {
    case Trouble::none: return "ok";
    case Trouble::refused: return "a rank's input or memory was refused";
    case Trouble::mpi_failed: return "a call of MPI failed";
    case Trouble::partition_failed: return "Zoltan could not cut the world";
    case Trouble::not_conserved: return "agents were lost or doubled between ranks";
    case Trouble::beyond_reach:
        return "a distance is beyond what all ranks agreed on in the last update: configure reach and "
               "radius, or "
               "call set_reach before it";
    case Trouble::differs:
        return "what has to be the same on all ranks differs between them: the periods, "
               "payload_bytes, ghost_payload_bytes, agents_stay or rebalance, or an option of a call that "
               "asks other ranks";
    case Trouble::other_ranks: return "the other cluster is not on the same ranks in the same order";
    case Trouble::not_cut: return "the other cluster has no cuts yet: update it, or partition it, first";
    case Trouble::host_failed: return "a step of the host failed";
    case Trouble::file_failed: return "the file could not be opened, read or written";
    case Trouble::not_saved: return "the file is no saved cluster, or one of another version or byte order";
    case Trouble::damaged:
        return "the file of a saved cluster is too short or too long, or its bytes have changed";
    }
    return "unknown trouble";
}

std::size_t describe(const ClusterStatus& status, std::span<char> text) noexcept {
    ClusterText out(text);
    if (status.trouble == Trouble::beyond_reach) {
        out.add(status.status.argument == Argument::radii
                    ? "a radius is beyond that of the last update: set `radius`"
                    : "a distance is beyond the reach of the last update: set `reach`");
        out.add(" in the configuration, or by set_reach before an update,");
    } else if (status.trouble != Trouble::refused) {
        out.add(describe(status.trouble));
    } else {
        char words[160];
        throng::describe(status.status, words);
        out.add(words);
        if (status.status == Code::duplicate_id) {
            out.add(", id ");
            out.add_number(status.id);
        }
    }
    if (status.trouble == Trouble::file_failed) {
        out.add(words_for_file(status.mpi_error));
    } else if (status.mpi_error != 0) {
        out.add(" with error ");
        out.add_number(status.mpi_error);
    }
    if (status.rank != ClusterStatus::no_rank) {
        out.add(" on rank ");
        out.add_number(status.rank);
    }
    return out.length();
}

}  // namespace throng::cluster
