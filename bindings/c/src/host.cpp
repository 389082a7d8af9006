#include "bindings/c/src/host.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

#include "bindings/c/src/cancelling.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/structs.hpp"
#include "throng/isa.hpp"
#include "throng/version.hpp"

namespace throng::c_api {

namespace {

// Blocks are numbered by std::size_t in the library, and by 64 bits in C.
struct Blocks {
    Executor::Body body;
    void* argument;
};

extern "C" {
static void throng_c_run_block(void* argument, std::uint64_t index) {
    const Blocks& blocks = *static_cast<const Blocks*>(argument);
    blocks.body(blocks.argument, static_cast<std::size_t>(index));
}
}

void* allocate_host(const throng_engine_config& config) noexcept {
    if (config.allocate != nullptr)
        return config.allocate(config.memory_context, sizeof(Host), alignof(Host));
    return throng::allocate(nullptr, sizeof(Host), alignof(Host));
}

}  // namespace

Host::Host(const throng_engine_config& config) noexcept
    : allocate_(config.allocate),
      deallocate_(config.deallocate),
      memory_context_(config.memory_context),
      memory_(config.allocate == nullptr && config.huge_pages != 0 ? &huge_pages_ : nullptr),
      parallel_for_(config.parallel_for),
      executor_context_(config.executor_context),
      threads_(config.serial != 0 ? 1 : config.threads) {
    if (parallel_for_ != nullptr)
        executor_ = {.context = this, .workers = config.workers, .parallel_for = run};
    else if (config.workers > 1)
        executor_ = {.workers = config.workers};  // which the engine refuses
    else
        executor_ = threads_.executor();
    executor_ = cancellable(executor_);
}

Host* Host::make(const throng_engine_config& config) noexcept {
    void* memory = allocate_host(config);
    return memory == nullptr ? nullptr : new (memory) Host(config);
}

void Host::release() noexcept {
    if (held_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const throng_deallocate back = deallocate_;
    void* context = memory_context_;
    this->~Host();
    if (back != nullptr)
        back(context, this, sizeof(Host), alignof(Host));
    else
        give_back(nullptr, this, sizeof(Host), alignof(Host));
}

void* Host::allocate(std::size_t bytes, std::size_t alignment) noexcept {
    void* memory = nullptr;
    if (allocate_ == nullptr) {
        memory = throng::allocate(memory_, bytes, alignment);
    } else {
        const std::lock_guard lock(one_at_a_time_);
        memory = allocate_(memory_context_, bytes, alignment);
    }
    if (memory != nullptr) held_.fetch_add(1, std::memory_order_relaxed);
    return memory;
}

void Host::deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    if (memory == nullptr) return;
    if (deallocate_ == nullptr) {
        give_back(memory_, memory, bytes, alignment);
    } else {
        const std::lock_guard lock(one_at_a_time_);
        deallocate_(memory_context_, memory, bytes, alignment);
    }
    release();
}

void* Host::enlarge(void* memory, std::size_t bytes, std::size_t more, std::size_t alignment) noexcept {
    return throng::enlarge(memory_, memory, bytes, more, alignment);
}

void Host::run(void* host, std::size_t count, Executor::Body body, void* argument) {
    const Host& self = *static_cast<const Host*>(host);
    Blocks blocks{body, argument};
    self.parallel_for_(self.executor_context_, count, throng_c_run_block, &blocks);
}

Status read_config(const throng_engine_config* given, throng_engine_config& own,
                   EngineConfig& config) noexcept {
    constexpr Argument where = argument(THRONG_ARGUMENT_CONFIG);
    if (const Status status = read(given, own, where, false); !status) return status;
    if (own.header_version / 1000000 != THRONG_VERSION_MAJOR) return {bad_version, where};
    if ((own.allocate == nullptr) != (own.deallocate == nullptr))
        return {null_pointer, argument(THRONG_ARGUMENT_MEMORY)};
    if (own.isa != nullptr && !parse_isa(own.isa, config.isa))
        return {Code::unknown_isa, argument(THRONG_ARGUMENT_ISA)};
    config.cell_width = own.cell_width;
    config.row_height = own.row_height;
    config.common_size = own.common_size;
    config.period_x = own.period_x;
    config.period_y = own.period_y;
    return {};
}

}  // namespace throng::c_api
