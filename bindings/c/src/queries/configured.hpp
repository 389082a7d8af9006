// The configuration of a call without an engine.
#pragma once

#include <optional>

#include "bindings/c/src/cancelling.hpp"
#include "bindings/c/src/host.hpp"
#include "bindings/c/src/statuses.hpp"
#include "throng/queries/without_engine.hpp"

namespace throng::c_api {

// Threads and memory for the time of the call.
class Configured {
public:
    Status view(const throng_engine_config* given) noexcept {
        if (given == nullptr) {
            config_.executor = cancellable(config_.executor);
            return {};
        }
        throng_engine_config own;
        EngineConfig engine{.executor = {}};
        if (const Status status = read_config(given, own, engine); !status) return status;
        const Host& host = host_.emplace(own);
        config_ = {.executor = host.executor(),
                   .memory = own.allocate == nullptr ? nullptr : &*host_,
                   .isa = engine.isa};
        return {};
    }
    operator const ArrayQueryConfig&()
        const noexcept {  // NOLINT(google-explicit-constructor): that is what it has
        return config_;
    }

private:
    std::optional<Host> host_;
    ArrayQueryConfig config_;
};

}  // namespace throng::c_api
