// Whether a structure is usable: a status that becomes `moved_from` when the structure is moved from.
#pragma once

#include "throng/status.hpp"

namespace throng::structures::detail {

class Readiness {
public:
    Readiness() = default;
    Readiness(Status status) noexcept : status_(status) {}  // NOLINT(google-explicit-constructor): it is one
    Readiness(Readiness&& other) noexcept : status_(other.status_) { other.status_ = {Code::moved_from}; }
    Readiness& operator=(Readiness&& other) noexcept {
        const Status status = other.status_;
        other.status_ = {Code::moved_from};
        status_ = status;
        return *this;
    }

    Status status() const noexcept { return status_; }
    explicit operator bool() const noexcept { return status_.ok(); }

private:
    Status status_;
};

}  // namespace throng::structures::detail
