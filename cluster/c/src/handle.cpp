#include "cluster/c/src/handle.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

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
    if (lists == nullptr) return status_of(status);
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
    if (!table.heights.empty()) agents.heights = &table.heights.data()->min_z;
    return agents;
}

ClusterStatus from_c(const throng_cluster_status& c) noexcept {
    ClusterStatus status;
    status.trouble = static_cast<Trouble>(c.trouble);
    status.status.code = static_cast<Code>(c.code);
    status.status.argument = static_cast<Argument>(c.argument);
    status.status.index = static_cast<std::size_t>(c.index);
    status.rank = c.rank;
    status.mpi_error = c.mpi_error;
    status.id = c.id;
    return status;
}

Agents agents_from(const throng_cluster_agents* agents, std::size_t payload_bytes) noexcept {
    Agents from;
    if (agents == nullptr) {
        from.failed.trouble = Trouble::host_failed;
        return from;
    }
    from.ids = {agents->ids, static_cast<std::size_t>(agents->count)};
    from.boxes = boxes_of(agents->boxes, agents->count);
    if (agents->labels != nullptr)
        from.labels = Labels::of(std::span<const Label>(reinterpret_cast<const Label*>(agents->labels),
                                                        static_cast<std::size_t>(agents->count)));
    if (agents->heights != nullptr) from.heights = Heights::of(bands_of(agents->heights, agents->count));
    const std::size_t bytes = payload_bytes * from.ids.size();
    from.payload = {static_cast<const std::byte*>(agents->payload), agents->payload == nullptr ? 0 : bytes};
    return from;
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
    config.engine.period_x = from.period_x;
    config.engine.period_y = from.period_y;
    return config;
}

}  // namespace

}  // namespace throng::cluster::c

namespace cluster = throng::cluster;
using cluster::c::status_of;

extern "C" {

uint64_t throng_cluster_describe(const throng_cluster_status* status, char* text, uint64_t room) {
    return describe(cluster::c::from_c(*status), std::span<char>(text, static_cast<std::size_t>(room)));
}

void throng_cluster_config_init(throng_cluster_config* config) {
    const cluster::ClusterConfig defaults;
    *config = {};
    config->rebalance = defaults.rebalance ? 1 : 0;
    config->block_bytes = defaults.block_bytes;
    config->sample = defaults.sample;
}

// What is wrong on one rank, before it has an engine, is told the others by the engine.
throng_cluster_status throng_cluster_create(int communicator, const throng_cluster_config* config,
                                            throng_cluster** made) {
    throng_cluster_config wanted;
    throng_cluster_config_init(&wanted);
    if (config != nullptr) wanted = *config;
    std::unique_ptr<throng_cluster> handle(new (std::nothrow) throng_cluster);
    cluster::ClusterConfig from = cluster::c::config_of(wanted);
    if (wanted.threads == 1) from.engine.executor = throng::serial_executor();
    if (wanted.threads > 1 && handle != nullptr)
        from.engine.executor = handle->threads.emplace(unsigned(wanted.threads)).executor();
    cluster::ClusterEngine engine(MPI_Comm_f2c(static_cast<MPI_Fint>(communicator)), from);
    cluster::ClusterStatus here = engine.status();
    if (here.ok()) {
        if (handle == nullptr) here = cluster::c::refusal(throng::Code::out_of_memory);
        if (made == nullptr) here = cluster::c::refusal(throng::Code::null_view, throng::Argument::output);
        here = engine.agree(here);
    }
    if (made != nullptr) *made = nullptr;
    if (!here.ok()) return status_of(here);
    handle->engine.emplace(std::move(engine));
    *made = handle.release();
    return status_of(here);
}

void throng_cluster_destroy(throng_cluster* handle) { delete handle; }

throng_cluster_status throng_cluster_agree(throng_cluster* handle, const throng_cluster_status* mine) {
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        cluster::ClusterStatus status;
        if (mine != nullptr) status = cluster::c::from_c(*mine);
        // A host that begins with zeros does not mean rank 0; one that passes on what it heard names another.
        if (status.trouble == cluster::Trouble::host_failed && status.rank <= 0)
            status.rank = cluster::ClusterStatus::no_rank;
        return status_of(engine.agree(status));
    });
}

throng_cluster_status throng_cluster_set_reach(throng_cluster* handle, float reach, float radius) {
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        const throng::Status status = engine.set_reach(reach, radius);
        return status.ok() ? status_of({}) : cluster::c::refused(status.code, status.argument);
    });
}

throng_cluster_status throng_cluster_update(throng_cluster* handle, const throng_cluster_agents* agents) {
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        return status_of(engine.update(cluster::c::agents_from(agents, engine.payload_bytes())));
    });
}

void throng_cluster_owned(const throng_cluster* handle, throng_cluster_agents* agents) {
    *agents = cluster::c::agents_of(handle->engine->owned());
}
void throng_cluster_ghosts(const throng_cluster* handle, throng_cluster_agents* agents) {
    *agents = cluster::c::agents_of(handle->engine->ghosts());
}
void throng_cluster_in_place(throng_cluster* handle, float** boxes, void** payload) {
    const cluster::InPlace arrays = handle->engine->in_place();
    if (boxes != nullptr) *boxes = reinterpret_cast<float*>(arrays.boxes.data());
    if (payload != nullptr) *payload = arrays.payload.data();
}
float* throng_cluster_heights_in_place(throng_cluster* handle) {
    const std::span<throng::Band> heights = handle->engine->in_place().heights;
    return heights.empty() ? nullptr : &heights.data()->min_z;
}
uint64_t throng_cluster_size(const throng_cluster* handle) { return handle->engine->size(); }

throng_cluster_status throng_cluster_partition(throng_cluster* handle, const float* points,
                                               const float* weights, uint64_t count) {
    const std::size_t size = static_cast<std::size_t>(count);
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        return status_of(
            engine.partition({reinterpret_cast<const throng::Point*>(points), size},
                             weights == nullptr ? std::span<const float>() : std::span(weights, size)));
    });
}
throng_cluster_status throng_cluster_partition_as(throng_cluster* handle, const throng_cluster* other) {
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        if (other == nullptr) return status_of(engine.agree(cluster::c::refusal(throng::Code::null_view)));
        return status_of(engine.partition_as(*other->engine));
    });
}

throng_cluster_status throng_cluster_save(throng_cluster* handle, const char* path) {
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        return status_of(engine.save(path));
    });
}
throng_cluster_status throng_cluster_load(throng_cluster* handle, const char* path) {
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        return status_of(engine.load(path));
    });
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
           from.migration_seconds,
           from.ghosting_seconds,
           from.build_seconds,
           from.waited_seconds};
}

throng_cluster_status throng_cluster_reports(throng_cluster* handle,
                                             const throng_cluster_rank_report** reports, uint64_t* count,
                                             double* imbalance) {
    return cluster::c::with(handle, [&](throng_cluster& all, cluster::ClusterEngine& engine) {
        if (reports == nullptr || count == nullptr)
            return status_of(
                engine.agree(cluster::c::refusal(throng::Code::null_view, throng::Argument::output)));
        static_assert(sizeof(throng_cluster_rank_report) == sizeof(cluster::RankReport));
        const cluster::ClusterStatus status = engine.reports(all.reports);
        *reports = reinterpret_cast<const throng_cluster_rank_report*>(all.reports.begin());
        *count = all.reports.size();
        if (imbalance != nullptr) *imbalance = all.reports.imbalance(&cluster::RankReport::busy_seconds);
        return status_of(status);
    });
}

}  // extern "C"
