// What a C host gives an engine: memory and threads; and how long things live.

#include "bindings/c/tests/c_world.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// A host's threads.
struct Backwards {
    std::atomic<std::uint64_t> blocks = 0;
    std::uint64_t skipped = 0;
};
void run_backwards(void* context, std::uint64_t count, throng_block body, void* argument) {
    auto& host = *static_cast<Backwards*>(context);
    host.blocks += count;
    std::thread other([&] {
        for (std::uint64_t i = count; i > count / 2; --i) body(argument, i - 1);
    });
    for (std::uint64_t i = host.skipped; i < count / 2; ++i) body(argument, i);
    other.join();
}

TEST(CHost, memory_all_comes_from_the_host_and_goes_back_whichever_goes_last) {
    CountingResource memory;
    const Scene scene = make_scene("uniform", 2000);
    {
        CWorld c(config_with(memory));
        throng_hits* hits = nullptr;
        c.update(scene.agents());
        ASSERT_EQ(throng_hits_create(c.engine, &hits, nullptr), THRONG_OK);
        throng_frame_retain(c.frame);
        throng_frame* held = c.frame;
        throng_engine_destroy(c.engine);
        c.engine = nullptr;
        const throng_boxes boxes = boxes_in_c(scene.agents());
        EXPECT_EQ(throng_frame_overlaps_of(held, &boxes, nullptr, hits, nullptr), THRONG_OK);
        throng_frame_release(held);
        throng_hits_destroy(hits);
        EXPECT_NE(memory.blocks_out(), 0u);
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

TEST(CHost, memory_is_asked_for_one_call_at_a_time) {
    CountingResource memory;
    CWorld c(config_with(memory));
    Scene scene = make_scene("uniform", 500);
    c.update(scene.agents());
    memory.dawdle();
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i)
        readers.emplace_back([&] {
            for (int k = 0; k < 10; ++k) {
                throng_frame* frame = nullptr;
                EXPECT_EQ(throng_engine_frame(c.engine, &frame, nullptr), THRONG_OK);
                throng_frame_release(frame);
            }
        });
    for (int k = 0; k < 5; ++k) {
        scene.step();
        const throng_boxes boxes = boxes_in_c(scene.agents());
        EXPECT_EQ(throng_engine_update(c.engine, &boxes, nullptr, nullptr), THRONG_OK);
    }
    for (std::thread& reader : readers) reader.join();
    EXPECT_FALSE(memory.overlapped());
}

TEST(CHost, a_settled_simulation_allocates_nothing) {
    CountingResource memory;
    CWorld c(config_with(memory));
    const Scene scene = make_scene("uniform", 2000);
    const throng_boxes boxes = boxes_in_c(scene.agents());
    auto within = made(throng_init_within);
    within.radius = 1;
    std::uint64_t calls = 0;
    for (int frame = 0; frame < 100; ++frame) {
        if (frame == 80) calls = memory.calls();
        ASSERT_EQ(throng_engine_update(c.engine, &boxes, nullptr, nullptr), THRONG_OK);
        ASSERT_EQ(throng_engine_frame(c.engine, &c.frame, nullptr), THRONG_OK);
        ASSERT_EQ(throng_frame_pairs(c.frame, nullptr, c.pairs, nullptr), THRONG_OK);
        ASSERT_EQ(throng_frame_neighbours_within(c.frame, &within, nullptr, c.lists, nullptr), THRONG_OK);
    }
    EXPECT_EQ(memory.calls(), calls);
}

// Every kind of result that is kept from frame to frame, and the calls that fill it.
struct KeptResults {
    explicit KeptResults(const CWorld& world) : c(world) {
        auto wanted = made(throng_init_kept_neighbourhood);
        wanted.radius = 1;
        wanted.skin = 0.5f;
        status = throng_hits_as_found_create(c.engine, &found, nullptr);
        if (status == THRONG_OK) status = throng_pair_changes_create(c.engine, &changes, nullptr);
        if (status == THRONG_OK) status = throng_kept_neighbours_create(c.engine, &wanted, &kept, nullptr);
        if (status == THRONG_OK) status = throng_hits_create(c.engine, &walls, nullptr);
        within.radius = 1;
        nearest.count = 4;
    }
    KeptResults(const KeptResults&) = delete;
    KeptResults& operator=(const KeptResults&) = delete;
    ~KeptResults() {
        throng_hits_as_found_destroy(found);
        throng_pair_changes_destroy(changes);
        throng_kept_neighbours_destroy(kept);
        throng_hits_destroy(walls);
        throng_frame_release(layer);
        throng_frame_release(serial);
    }
    // What one frame of a host asks for, up to the first call that fails.
    std::int32_t ask(const throng_boxes& boxes) {
        const std::uint64_t count = boxes.count;
        counts.resize(count);
        std::int32_t it = throng_engine_update_with_pairs(c.engine, &boxes, nullptr, c.pairs, nullptr);
        const auto then = [&](const auto& call) {
            if (it == THRONG_OK) it = call();
        };
        then([&] { return throng_engine_frame(c.engine, &frame, nullptr); });
        then([&] { return throng_frame_static_layer(frame, &layer, nullptr); });
        then([&] { return throng_frame_serial(frame, &serial, nullptr); });
        then([&] { return throng_frame_pair_changes(frame, nullptr, changes, nullptr); });
        then([&] { return throng_frame_neighbours_kept(frame, kept, nullptr); });
        then([&] { return throng_frame_overlaps_as_found(frame, &boxes, nullptr, found, nullptr); });
        then([&] { return throng_frame_overlaps_of_both(frame, &boxes, nullptr, c.hits, walls, nullptr); });
        then([&] { return throng_frame_pairs_with(frame, layer, nullptr, c.pairs, nullptr); });
        then([&] {
            return throng_frame_neighbours_nearest_in(frame, layer, &nearest, nullptr, c.lists, nullptr);
        });
        then([&] {
            return throng_frame_count_neighbours(frame, &within, nullptr, counts.data(), count, nullptr);
        });
        for (std::uint64_t first = 0; first < count && it == THRONG_OK;) {
            it = throng_hits_block(c.hits, first, 5000, nullptr);
            then([&] { return throng_frame_overlaps_of(serial, &boxes, nullptr, c.hits, nullptr); });
            if (it == THRONG_OK) first += got(c.hits, throng_hits_offsets).size() - 1;
        }
        return it;
    }

    const CWorld& c;
    std::int32_t status = THRONG_OK;
    throng_hits_as_found* found = nullptr;
    throng_pair_changes* changes = nullptr;
    throng_kept_neighbours* kept = nullptr;
    throng_hits* walls = nullptr;
    throng_frame *frame = nullptr, *layer = nullptr, *serial = nullptr;
    throng_within within = made(throng_init_within);
    throng_nearest nearest = made(throng_init_nearest);
    std::vector<std::uint32_t> counts;
};

std::int32_t build_walls(throng_engine* engine, const throng_boxes& boxes) {
    throng_static_layer* walls = nullptr;
    std::int32_t status = throng_static_layer_create(engine, &boxes, nullptr, &walls, nullptr);
    if (status == THRONG_OK) status = throng_engine_set_static_layer(engine, walls, nullptr);
    throng_static_layer_destroy(walls);
    return status;
}

TEST(CHost, a_settled_simulation_allocates_nothing_for_kept_results) {
    CountingResource memory;
    {
        CWorld c(config_with(memory));
        const Scene scene = make_scene("uniform", 2000);
        const throng_boxes boxes = boxes_in_c(scene.agents());
        ASSERT_EQ(build_walls(c.engine, boxes), THRONG_OK);
        KeptResults results(c);
        std::uint64_t calls = 0;
        for (int frame = 0; frame < 100; ++frame) {
            if (frame == 80) calls = memory.calls();
            ASSERT_EQ(results.ask(boxes), THRONG_OK);
        }
        EXPECT_EQ(memory.calls(), calls);
        throng_frame_release(results.frame);
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

// A world for which every allocation may fail, also those of its results.
std::int32_t build_and_ask(CountingResource& memory, const throng_boxes& boxes) {
    const throng_engine_config config = config_with(memory);
    CWorld c(CWorld::Empty{});
    std::int32_t status = throng_engine_create(&config, &c.engine, nullptr);
    if (status == THRONG_OK) status = c.make_results();
    if (status == THRONG_OK) status = build_walls(c.engine, boxes);
    if (status == THRONG_OK) {
        KeptResults results(c);
        status = results.status == THRONG_OK ? results.ask(boxes) : results.status;
        throng_frame_release(results.frame);
    }
    if (status == THRONG_OK) status = throng_arrays_overlaps_of(&boxes, &boxes, &config, c.hits, nullptr);
    return status;
}

TEST(CHost, out_of_memory_is_a_status_of_every_kept_result) {
    const Scene scene = make_scene("uniform", 300);
    const throng_boxes boxes = boxes_in_c(scene.agents());
    for (std::uint64_t successes = 0;; ++successes) {
        CountingResource memory;
        memory.fail_after(successes);
        const std::int32_t status = build_and_ask(memory, boxes);
        EXPECT_EQ(memory.blocks_out(), 0u);
        EXPECT_FALSE(memory.misused());
        if (status == THRONG_OK) break;
        ASSERT_EQ(status, THRONG_OUT_OF_MEMORY) << successes;
        ASSERT_LT(successes, 2000u);
    }
}

TEST(CHost, out_of_memory_is_a_status_at_every_allocation) {
    const Scene scene = make_scene("uniform", 300);
    const throng_boxes boxes = boxes_in_c(scene.agents());
    for (std::uint64_t successes = 0;; ++successes) {
        CountingResource memory;
        memory.fail_after(successes);
        const throng_engine_config config = config_with(memory);
        throng_engine* engine = nullptr;
        throng_frame* frame = nullptr;
        throng_pairs* pairs = nullptr;
        std::int32_t status = throng_engine_create(&config, &engine, nullptr);
        if (status == THRONG_OK) status = throng_engine_update(engine, &boxes, nullptr, nullptr);
        if (status == THRONG_OK) status = throng_engine_frame(engine, &frame, nullptr);
        if (status == THRONG_OK) status = throng_pairs_create(engine, &pairs, nullptr);
        if (status == THRONG_OK) status = throng_frame_pairs(frame, nullptr, pairs, nullptr);
        throng_pairs_destroy(pairs);
        throng_frame_release(frame);
        throng_engine_destroy(engine);
        EXPECT_EQ(memory.blocks_out(), 0u);
        if (status == THRONG_OK) break;
        ASSERT_EQ(status, THRONG_OUT_OF_MEMORY) << successes;
        ASSERT_LT(successes, 1000u);
    }
}

TEST(CHost, threads_of_the_host_change_no_answer) {
    Backwards host;
    throng_engine_config config = made_config();
    config.parallel_for = run_backwards;
    config.executor_context = &host;
    config.workers = 4;
    throng_engine_config serial = made_config();
    serial.serial = 1;
    CWorld c(config), alone(serial);
    const Scene scene = make_scene("uniform", 30000);
    c.update(scene.agents());
    alone.update(scene.agents());
    EXPECT_GT(host.blocks, 0u);
    ASSERT_EQ(throng_frame_pairs(c.frame, nullptr, c.pairs, nullptr), THRONG_OK);
    ASSERT_EQ(throng_frame_pairs(alone.frame, nullptr, alone.pairs, nullptr), THRONG_OK);
    const auto one = got(c.pairs, throng_pairs_get), other = got(alone.pairs, throng_pairs_get);
    ASSERT_EQ(one.size(), other.size());
    EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size_bytes()), 0);
    // A host that loses a block is found out.
    host.skipped = 1;
    const throng_boxes boxes = boxes_in_c(scene.agents());
    EXPECT_EQ(throng_engine_update(c.engine, &boxes, nullptr, nullptr), THRONG_BAD_EXECUTOR);
}

// A callback that lets calls go on until it was called `yes_from` times, and then cancels them. It calls the
// library itself meanwhile.
struct Impatient {
    CWorld& c;
    int asked = 0, yes_from = 0;
    std::thread::id thread = {};
};
std::int32_t wants_an_end(void* context) {
    auto& host = *static_cast<Impatient*>(context);
    host.thread = std::this_thread::get_id();
    auto within = made(throng_init_within);
    within.radius = 1;
    EXPECT_EQ(throng_frame_neighbours_within(host.c.frame, &within, nullptr, host.c.lists, nullptr),
              THRONG_OK);
    return host.asked++ >= host.yes_from;
}

TEST(CHost, a_thread_ends_its_calls_and_no_others) {
    const Scene scene = make_scene("uniform", 30000);
    auto within = made(throng_init_within);
    within.radius = std::numeric_limits<float>::max();  // each counts all
    for (const std::uint32_t serial : {0u, 1u}) {
        auto config = made_config();
        config.serial = serial;
        CWorld c(config);
        c.update(scene.agents());
        std::vector<std::uint32_t> counts(scene.agents().size());
        const auto count = [&] {
            return throng_frame_count_neighbours(c.frame, &within, nullptr, counts.data(), counts.size(),
                                                 nullptr);
        };
        Impatient host{c};
        throng_cancel_with(wants_an_end, &host);
        EXPECT_EQ(count(), THRONG_CANCELLED);
        EXPECT_EQ(host.thread, std::this_thread::get_id());
        const throng_boxes boxes = boxes_in_c(scene.agents());
        EXPECT_EQ(throng_engine_update(c.engine, &boxes, nullptr, nullptr), THRONG_CANCELLED);
        EXPECT_EQ(throng_engine_size(c.engine), scene.agents().size());
        const int asked = host.asked;
        std::thread([&] { EXPECT_EQ(count(), THRONG_OK); }).join();
        EXPECT_EQ(host.asked, asked);
        host.yes_from = std::numeric_limits<int>::max();
        EXPECT_EQ(count(), THRONG_OK);
        throng_cancel_with(nullptr, nullptr);
        host.yes_from = 0;
        EXPECT_EQ(count(), THRONG_OK);
        EXPECT_EQ(counts[0], scene.agents().size() - 1);
    }
}

TEST(CHost, calls_without_an_engine_end_too) {
    throng_cancel_with([](void*) -> std::int32_t { return 1; }, nullptr);
    const std::vector<std::uint32_t> ids(1000);
    const std::vector<std::uint64_t> offsets{0, ids.size()};
    auto links = made(throng_init_links);
    links.offsets = offsets.data(), links.offset_count = offsets.size();
    links.ids = ids.data(), links.id_count = ids.size();
    double result = 7;
    const throng_result_column results{&result, 1, 0, THRONG_DOUBLES, 0};
    auto fold = made(throng_init_fold);
    fold.by = THRONG_FOLD_COUNT;
    EXPECT_EQ(throng_arrays_fold(&links, nullptr, 0, &results, 1, &fold, nullptr, nullptr), THRONG_CANCELLED);
    EXPECT_EQ(result, 7);
    throng_static_layer* layer = nullptr;
    const std::vector<Box> walls(1000, Box{0, 0, 1, 1});
    const throng_boxes boxes = boxes_in_c(walls);
    EXPECT_EQ(throng_static_layer_create(nullptr, &boxes, nullptr, &layer, nullptr), THRONG_CANCELLED);
    throng_cancel_with(nullptr, nullptr);
}

TEST(CHost, so_many_threads_answer_as_all) {
    const Scene scene = make_scene("uniform", 30000);
    CWorld all;
    all.update(scene.agents());
    for (const std::uint32_t threads : {1u, 2u, 3u, 1000u, 4000000000u}) {
        auto config = made_config();
        config.threads = threads;
        CWorld c(config);
        c.update(scene.agents());
        EXPECT_EQ(throng_frame_fingerprint(c.frame), throng_frame_fingerprint(all.frame));
        EXPECT_EQ(throng_frame_pairs(c.frame, nullptr, c.pairs, nullptr), THRONG_OK);
        EXPECT_EQ(throng_frame_pairs(all.frame, nullptr, all.pairs, nullptr), THRONG_OK);
        std::uint64_t found = 0, expected = 0;
        const throng_pair* pairs = throng_pairs_get(c.pairs, &found);
        const throng_pair* in_all = throng_pairs_get(all.pairs, &expected);
        ASSERT_EQ(found, expected);
        EXPECT_EQ(std::memcmp(pairs, in_all, static_cast<std::size_t>(found) * sizeof *pairs), 0);
    }
}

TEST(CHost, reports_are_those_of_the_engine) {
    throng_engine_config config = made_config();
    config.isa = to_string(best_isa());
    config.cell_width = config.row_height = 4;
    CWorld c(config);
    c.update(make_scene("uniform", 2000).agents());
    auto memory = made(throng_init_memory_report);
    auto tuning = made(throng_init_tuning);
    auto validation = made(throng_init_validation);
    ASSERT_EQ(throng_engine_memory(c.engine, &memory, nullptr), THRONG_OK);
    ASSERT_EQ(throng_engine_tuning(c.engine, &tuning, nullptr), THRONG_OK);
    ASSERT_EQ(throng_engine_validate(c.engine, &validation, nullptr), THRONG_OK);
    EXPECT_GT(memory.rows, 0u);
    EXPECT_GT(memory.allocations, 0u);
    EXPECT_EQ(tuning.cell_width, 4);
    EXPECT_EQ(throng_tuning_text(tuning.reason), std::string(describe(TuningReason::set_by_host)));
    EXPECT_EQ(validation.faults, 0u);
    EXPECT_EQ(throng_fault_text(validation.first), std::string("none"));
    EXPECT_EQ(throng_engine_isa(c.engine), std::string(config.isa));
    const std::uint64_t before = memory.scratch;
    ASSERT_EQ(throng_engine_reserve(c.engine, 10000, 100, nullptr), THRONG_OK);
    ASSERT_EQ(throng_engine_memory(c.engine, &memory, nullptr), THRONG_OK);
    EXPECT_GT(memory.scratch, before + 1000000);
    EXPECT_EQ(throng_engine_reserve(c.engine, ~std::uint64_t{0}, 0, nullptr), THRONG_TOO_MANY);
    EXPECT_EQ(throng_engine_reserve(c.engine, 0, ~std::uint64_t{0}, nullptr), THRONG_TOO_MANY);
    ASSERT_EQ(throng_engine_release_memory(c.engine, nullptr), THRONG_OK);
    ASSERT_EQ(throng_engine_memory(c.engine, &memory, nullptr), THRONG_OK);
    EXPECT_LE(memory.scratch, before);
    char text[200];
    char own[200];
    EXPECT_EQ(throng_build_describe(text, sizeof text), describe(build_info(), own));
    EXPECT_STREQ(text, own);
    EXPECT_GT(throng_build_describe(nullptr, 5), 10u);
}

}  // namespace
}  // namespace throng::test
