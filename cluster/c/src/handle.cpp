#include "cluster/c/src/handle.hpp"

#include <cstddef>
#include <cstdio>
#include <utility>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/views.hpp"

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

namespace {

throng_cluster_agents agents_of(const Table& table) noexcept {
    throng_cluster_agents agents{};
    agents.count = table.size();
    agents.ids = table.ids.data();
    agents.boxes = reinterpret_cast<const throng_box*>(table.boxes.data());
    agents.labels = reinterpret_cast<const throng_label*>(table.labels.data());
    if (!table.payload.empty()) agents.payload = table.payload.data();
    agents.heights = reinterpret_cast<const throng_band*>(table.heights.data());
    return agents;
}

ClusterStatus from_c(const throng_cluster_status& c) noexcept {
    ClusterStatus status;
    const bool is_one = c.trouble >= THRONG_CLUSTER_OK && c.trouble <= THRONG_CLUSTER_DAMAGED;
    status.trouble = is_one ? static_cast<Trouble>(c.trouble) : Trouble::host_failed;
    status.status.code = static_cast<Code>(c.code);
    status.status.argument = static_cast<Argument>(c.argument);
    status.status.index = static_cast<std::size_t>(c.index);
    status.rank = c.rank;
    status.mpi_error = c.mpi_error;
    status.id = c.id;
    return status;
}

// A call that fails before it begins is the host's, or an array at fault.
Agents failed_with(const ClusterStatus& status) noexcept {
    Agents none;
    none.failed = status;
    return none;
}

Agents agents_from(const uint64_t* ids, std::uint64_t count, const throng_boxes* boxes,
                   const throng_labels* labels, const void* payload, std::size_t payload_bytes) noexcept {
    if (boxes == nullptr) {
        ClusterStatus failed;
        failed.trouble = Trouble::host_failed;
        return failed_with(failed);
    }
    Agents from;
    UpdateOptions options;
    const Status read = c_api::first_fault(c_api::check_array(ids, count, Argument::ids),
                                           c_api::view_without_ghosts(boxes, from.boxes, options),
                                           c_api::view(labels, from.labels));
    if (!read) return failed_with(refusal(read));
    from.heights = options.heights;
    from.ids = {ids, c_api::as_size(count)};
    from.payload = {static_cast<const std::byte*>(payload),
                    payload == nullptr ? 0 : payload_bytes * from.ids.size()};
    return from;
}

Status read_config(const throng_cluster_config* given, throng_cluster_config& own, throng_engine_config& its,
                   ClusterConfig& config) noexcept {
    throng_cluster_config_init(&own);
    throng_engine_config_init(&its);
    if (given != nullptr) own = *given;
    config.reach = own.reach;
    config.radius = own.radius;
    config.rebalance = own.rebalance != 0;
    config.agents_stay = own.agents_stay != 0;
    config.payload_bytes = c_api::as_size(own.payload_bytes);
    config.ghost_payload_bytes = c_api::as_size(own.ghost_payload_bytes);
    config.block_bytes = c_api::as_size(own.block_bytes);
    config.sample = c_api::as_size(own.sample);
    return own.engine == nullptr ? Status{} : c_api::read_config(own.engine, its, config.engine);
}

// What is wrong on one rank, before it has an engine, is told the others by the engine.
ClusterStatus create(MPI_Comm communicator, const throng_cluster_config* given,
                     throng_cluster** made) noexcept {
    throng_cluster_config own;
    throng_engine_config its;
    ClusterConfig config;
    Status read = read_config(given, own, its, config);
    if (!read) {
        config.engine = {};
        throng_engine_config_init(&its);
    }
    if (made == nullptr) read = {Code::null_view, Argument::output};
    c_api::Host* const host = c_api::Host::make(its);
    if (host == nullptr) read = Code::out_of_memory;
    if (read) {
        config.engine.executor = host->executor();
        // A rank that stopped a call of all ranks would leave the others waiting.
        config.engine.executor.cancelled = nullptr;
        config.engine.memory = host;
    } else {
        config.failed = refusal(read);
    }
    ClusterEngine engine(communicator, config);
    ClusterStatus status = engine.status();
    throng_cluster* handle = nullptr;
    if (status.ok()) {
        // Without memory the engine stays, to tell the others.
        handle = c_api::make<throng_cluster>(host, std::move(engine), config.agents_stay);
        status = handle == nullptr ? engine.agree(refusal(Code::out_of_memory)) : handle->engine.agree({});
    }
    if (!status.ok()) c_api::destroy(std::exchange(handle, nullptr));
    if (host != nullptr) host->release();
    if (made != nullptr) *made = handle;
    return status;
}

}  // namespace

}  // namespace throng::cluster::c

namespace cluster = throng::cluster;
using cluster::c::status_of;

extern "C" {

uint64_t throng_cluster_describe(const throng_cluster_status* status, char* text, uint64_t room) {
    const std::size_t size = text == nullptr ? 0 : throng::c_api::as_size(room);
    // What only C can do wrong has words of its own.
    if (status->trouble != THRONG_CLUSTER_REFUSED || status->code < THRONG_NULL_POINTER)
        return describe(cluster::c::from_c(*status), std::span<char>(text, size));
    char words[200];
    throng_status_details details;
    throng_status_details_init(&details);
    details.code = status->code;
    details.argument = status->argument;
    throng_status_describe(&details, words, sizeof words);
    const int length = status->rank < 0 ? std::snprintf(text, size, "%s", words)
                                        : std::snprintf(text, size, "%s on rank %d", words, status->rank);
    return static_cast<uint64_t>(length);
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
    return status_of(cluster::c::create(MPI_Comm_f2c(static_cast<MPI_Fint>(communicator)), config, made));
}

void throng_cluster_destroy(throng_cluster* handle) { throng::c_api::destroy(handle); }

throng_cluster_status throng_cluster_agree(throng_cluster* handle, const throng_cluster_status* mine) {
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        cluster::ClusterStatus status;
        if (mine != nullptr) status = cluster::c::from_c(*mine);
        // A host that begins with zeros does not mean rank 0; one that passes on what it heard names another.
        if (status.trouble == cluster::Trouble::host_failed && status.rank <= 0)
            status.rank = cluster::ClusterStatus::no_rank;
        return engine.agree(status);
    });
}

throng_cluster_status throng_cluster_set_reach(throng_cluster* handle, float reach, float radius) {
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        return cluster::c::alone(engine, engine.set_reach(reach, radius));
    });
}

throng_cluster_status throng_cluster_set_static_layer(throng_cluster* handle,
                                                      const throng_static_layer* layer) {
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        const throng::Status needed = throng::c_api::needs(layer, throng::Argument::boxes);
        return cluster::c::alone(engine, needed ? engine.set_static_layer(layer->layer) : needed);
    });
}

throng_cluster_status throng_cluster_update(throng_cluster* handle, const uint64_t* ids, uint64_t count,
                                            const throng_boxes* boxes, const throng_labels* labels,
                                            const void* payload) {
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        return engine.update(
            cluster::c::agents_from(ids, count, boxes, labels, payload, engine.payload_bytes()));
    });
}

void throng_cluster_owned(const throng_cluster* handle, throng_cluster_agents* agents) {
    *agents = cluster::c::agents_of(handle->engine.owned());
}
void throng_cluster_ghosts(const throng_cluster* handle, throng_cluster_agents* agents) {
    *agents = cluster::c::agents_of(handle->engine.ghosts());
}
void throng_cluster_in_place(throng_cluster* handle, throng_box** boxes, void** payload,
                             throng_band** heights) {
    const cluster::InPlace arrays = handle->engine.in_place();
    if (boxes != nullptr) *boxes = reinterpret_cast<throng_box*>(arrays.boxes.data());
    if (payload != nullptr) *payload = arrays.payload.data();
    if (heights != nullptr) *heights = reinterpret_cast<throng_band*>(arrays.heights.data());
}
uint64_t throng_cluster_size(const throng_cluster* handle) { return handle->engine.size(); }

throng_cluster_status throng_cluster_frame(const throng_cluster* handle, throng_frame** frame) {
    return cluster::c::with(handle, [&](const throng_cluster& of, const cluster::ClusterEngine& engine) {
        const throng::Status needed = throng::c_api::needs(frame, throng::Argument::output);
        return cluster::c::alone(engine,
                                 needed ? throng::c_api::hand_out(of.host, engine.frame(), frame) : needed);
    });
}
uint64_t throng_cluster_global_id(const throng_cluster* handle, uint32_t place) {
    return handle->engine.global_id(place);
}

throng_cluster_status throng_cluster_partition(throng_cluster* handle, const throng_point* points,
                                               const float* weights, uint64_t count) {
    const std::size_t size = throng::c_api::as_size(count);
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        return engine.partition({reinterpret_cast<const throng::Point*>(points), size},
                                {weights, weights == nullptr ? 0 : size});
    });
}
throng_cluster_status throng_cluster_partition_as(throng_cluster* handle, const throng_cluster* other) {
    return cluster::c::with(handle, [&](throng_cluster&, cluster::ClusterEngine& engine) {
        return cluster::c::if_read(throng::c_api::needs(other, throng::c_api::handle), engine,
                                   [&] { return engine.partition_as(other->engine); });
    });
}

throng_cluster_status throng_cluster_save(throng_cluster* handle, const char* path) {
    return cluster::c::with(
        handle, [&](throng_cluster&, cluster::ClusterEngine& engine) { return engine.save(path); });
}
throng_cluster_status throng_cluster_load(throng_cluster* handle, const char* path) {
    return cluster::c::with(
        handle, [&](throng_cluster&, cluster::ClusterEngine& engine) { return engine.load(path); });
}

void throng_cluster_domain(const throng_cluster* handle, int rank, throng_box* box) {
    *box = throng::c_api::box_of(handle->engine.domain(rank));
}

float throng_cluster_reach(const throng_cluster* handle) { return handle->engine.reach(); }
float throng_cluster_radius(const throng_cluster* handle) { return handle->engine.radius(); }
float throng_cluster_giants_from(const throng_cluster* handle) { return handle->engine.giants_from(); }

void throng_cluster_get_report(const throng_cluster* handle, throng_cluster_report* to) {
    const cluster::ClusterReport& from = handle->engine.report();
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
        const throng::Status given =
            throng::c_api::first_fault(throng::c_api::needs(reports, throng::Argument::output),
                                       throng::c_api::needs(count, throng::Argument::output));
        return cluster::c::if_read(given, engine, [&] {
            static_assert(sizeof(throng_cluster_rank_report) == sizeof(cluster::RankReport));
            const cluster::ClusterStatus status = engine.reports(all.reports);
            *reports = reinterpret_cast<const throng_cluster_rank_report*>(all.reports.begin());
            *count = all.reports.size();
            if (imbalance != nullptr) *imbalance = all.reports.imbalance(&cluster::RankReport::busy_seconds);
            return status;
        });
    });
}

}  // extern "C"
