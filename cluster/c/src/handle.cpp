#include "cluster/c/src/handle.hpp"

#include <cstddef>
#include <limits>
#include <new>

namespace throng::cluster::c {

throng_cluster_status status_of(const ClusterStatus& status) noexcept {
    throng_cluster_status c{};
    c.trouble = static_cast<std::int32_t>(status.trouble);
    c.code = static_cast<std::int32_t>(status.status.code);
    c.argument = static_cast<std::int32_t>(status.status.argument);
    c.rank = status.rank;
    c.mpi_error = status.mpi_error;
    c.index = status.status.index;
    c.id = status.id;
    return c;
}

throng_cluster_status give(const throng_cluster& cluster, const ClusterStatus& status,
                           throng_cluster_lists* lists) noexcept {
    const Lists& from = cluster.lists;
    lists->count = from.size();
    lists->offsets = from.offsets().data();
    lists->ids = from.ids().data();
    lists->numbers = from.numbers().empty() ? nullptr : from.numbers().data();
    return status_of(status);
}

namespace {

throng_cluster_agents agents_of(const Table& table) noexcept {
    throng_cluster_agents agents{};
    agents.count = table.size();
    agents.ids = table.ids.data();
    agents.boxes = reinterpret_cast<const float*>(table.boxes.data());
    if (!table.labels.empty()) agents.labels = &table.labels.data()->categories;
    if (!table.payload.empty()) agents.payload = table.payload.data();
    return agents;
}

ClusterConfig config_of(const throng_cluster_config& from) noexcept {
    ClusterConfig config;
    config.reach = from.reach;
    config.radius = from.radius;
    config.rebalance = from.rebalance != 0;
    config.agents_stay = from.agents_stay != 0;
    config.payload_bytes = static_cast<std::size_t>(from.payload_bytes);
    config.block_bytes = static_cast<std::size_t>(from.block_bytes);
    config.sample = static_cast<std::size_t>(from.sample);
    return config;
}

}  // namespace

}  // namespace throng::cluster::c

namespace cluster = throng::cluster;
using cluster::c::status_of;

extern "C" {

uint64_t throng_cluster_describe(const throng_cluster_status* status, char* text, uint64_t room) {
    cluster::ClusterStatus from;
    from.trouble = static_cast<cluster::Trouble>(status->trouble);
    from.status.code = static_cast<throng::Code>(status->code);
    from.status.argument = static_cast<throng::Argument>(status->argument);
    from.status.index = static_cast<std::size_t>(status->index);
    from.rank = status->rank;
    from.mpi_error = status->mpi_error;
    from.id = status->id;
    return describe(from, std::span<char>(text, static_cast<std::size_t>(room)));
}

void throng_cluster_config_init(throng_cluster_config* config) {
    const cluster::ClusterConfig defaults;
    *config = {};
    config->rebalance = defaults.rebalance ? 1 : 0;
    config->block_bytes = defaults.block_bytes;
    config->sample = defaults.sample;
}

throng_cluster_status throng_cluster_create(int communicator, const throng_cluster_config* config,
                                            throng_cluster** made) {
    if (made == nullptr) return cluster::c::refused(throng::Code::null_view);
    *made = nullptr;
    throng_cluster_config wanted;
    throng_cluster_config_init(&wanted);
    if (config != nullptr) wanted = *config;
    auto* const handle = new (std::nothrow) throng_cluster;
    if (handle == nullptr) return cluster::c::refused(throng::Code::out_of_memory);
    cluster::ClusterConfig from = cluster::c::config_of(wanted);
    if (wanted.threads == 1) from.engine.executor = throng::serial_executor();
    if (wanted.threads > 1)
        from.engine.executor = handle->threads.emplace(unsigned(wanted.threads)).executor();
    const MPI_Comm ranks = MPI_Comm_f2c(static_cast<MPI_Fint>(communicator));
    const cluster::ClusterStatus status = handle->engine.emplace(ranks, from).status();
    if (status.ok())
        *made = handle;
    else
        delete handle;
    return status_of(status);
}

void throng_cluster_destroy(throng_cluster* handle) { delete handle; }

throng_cluster_status throng_cluster_update(throng_cluster* handle, const throng_cluster_agents* agents) {
    cluster::Agents from;
    from.ids = {agents->ids, static_cast<std::size_t>(agents->count)};
    from.boxes = cluster::c::boxes_of(agents->boxes, agents->count);
    if (agents->labels != nullptr)
        from.labels = throng::Labels::of(std::span<const throng::Label>(
            reinterpret_cast<const throng::Label*>(agents->labels), static_cast<std::size_t>(agents->count)));
    const std::size_t bytes = handle->engine->payload_bytes() * from.ids.size();
    from.payload = {static_cast<const std::byte*>(agents->payload), agents->payload == nullptr ? 0 : bytes};
    return status_of(handle->engine->update(from));
}

void throng_cluster_owned(const throng_cluster* handle, throng_cluster_agents* agents) {
    *agents = cluster::c::agents_of(handle->engine->owned());
}
void throng_cluster_ghosts(const throng_cluster* handle, throng_cluster_agents* agents) {
    *agents = cluster::c::agents_of(handle->engine->ghosts());
}
uint64_t throng_cluster_size(const throng_cluster* handle) { return handle->engine->size(); }

throng_cluster_status throng_cluster_partition(throng_cluster* handle, const float* points,
                                               const float* weights, uint64_t count) {
    const std::size_t size = static_cast<std::size_t>(count);
    return status_of(
        handle->engine->partition({reinterpret_cast<const throng::Point*>(points), size},
                                  weights == nullptr ? std::span<const float>() : std::span(weights, size)));
}
throng_cluster_status throng_cluster_partition_as(throng_cluster* handle, const throng_cluster* other) {
    return status_of(handle->engine->partition_as(*other->engine));
}

void throng_cluster_domain(const throng_cluster* handle, int rank, float box[4]) {
    const throng::Box domain = handle->engine->domain(rank);
    const float corners[] = {domain.min_x, domain.min_y, domain.max_x, domain.max_y};
    for (int k = 0; k < 4; ++k) box[k] = corners[k];
}

void throng_cluster_get_report(const throng_cluster* handle, throng_cluster_report* to) {
    const cluster::ClusterReport& from = handle->engine->report();
    *to = {from.held,
           from.sent,
           from.jumped,
           from.received,
           from.owned,
           from.ghosts,
           from.ghosts_sent,
           from.neighbours,
           from.cluster_owned,
           from.busiest,
           from.all_work,
           from.partitioned ? 1u : 0u,
           from.general ? 1u : 0u,
           from.rounds,
           from.migration.messages,
           from.migration.bytes,
           from.ghosting.messages,
           from.ghosting.bytes,
           from.general_exchange.messages,
           from.general_exchange.bytes,
           from.sums.messages,
           from.sums.bytes,
           from.seconds,
           from.partition_seconds,
           from.build_seconds,
           from.waited_seconds};
}

}  // extern "C"
