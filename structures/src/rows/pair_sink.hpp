// Takes pairs from the engine's kernels and passes them to the visitor of a structure.
#pragma once

#include <array>
#include <cstddef>
#include <exception>

#include "base/kernels.hpp"
#include "simd/types.hpp"
#include "throng/structures/queries.hpp"

namespace throng::structures::detail {

// A sink that writes straight into the block of a visitor's answers. A kernel cannot be left by an exception,
// so one that the visitor throws is held back until `finish`, which has to be called once.
class IntoAnswers {
public:
    explicit IntoAnswers(PairAnswers& answers) noexcept : answers_(answers) { next(); }
    IntoAnswers(const IntoAnswers&) = delete;
    IntoAnswers& operator=(const IntoAnswers&) = delete;

    simd::PairSink sink{nullptr, nullptr, full, this, false};
    // Whether the visitor wants no more.
    bool stopped() const noexcept { return stopped_; }

    void finish() {
        if (!stopped_) answers_.wrote(static_cast<std::size_t>(sink.at - begin_));
        if (thrown_) std::rethrow_exception(thrown_);
    }

private:
    static constexpr std::size_t room = PairAnswers::capacity;
    static_assert(room >= 2 * simd::pair_slack);

    void next() noexcept {
        Pair* to = nullptr;
        try {
            if (!stopped_) to = answers_.room(room);
        } catch (...) {
            thrown_ = std::current_exception();
        }
        stopped_ = to == nullptr;
        begin_ = sink.at = as_kernel(stopped_ ? unwanted_.data() : to);
        sink.limit = begin_ + room - simd::pair_slack;
        sink.stopped = stopped_;
    }
    static void full(simd::PairSink& sink) {
        IntoAnswers& self = *static_cast<IntoAnswers*>(sink.context);
        if (!self.stopped_) self.answers_.wrote(static_cast<std::size_t>(sink.at - self.begin_));
        self.next();
    }

    PairAnswers& answers_;
    simd::Pair* begin_ = nullptr;
    bool stopped_ = false;
    std::exception_ptr thrown_ = nullptr;
    std::array<Pair, room> unwanted_{};
};

}  // namespace throng::structures::detail
