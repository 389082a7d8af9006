// A host in C whose linker is in the manner of MSVC's: it takes throng.lib, and no library of the compiler's,
// so that neither needs Microsoft's files here. The header's calls need no word of the host's about where
// they come from. Its exit status is 0, or the number of the line where something does not hold.
#include <stddef.h>
#include <stdint.h>

#include "throng.h"

int _fltused = 0;  // what that linker looks for where there are floats

#define CHECK(condition)                   \
    do {                                   \
        if (!(condition)) return __LINE__; \
    } while (0)

enum { agents = 20000 };  // so many that there is something to do on several threads
static float x[agents], y[agents];
static throng_engine_config config;
static throng_boxes boxes;
static const throng_box near_box = {-1, -1, 0.5f, 0.5f};
static uint32_t blocks_run;

// The host's own threads: here the one that calls.
static void in_turn(void* context, uint64_t count, throng_block block, void* argument) {
    uint64_t i;
    (void)context;
    for (i = 0; i < count; ++i) block(argument, i);
    blocks_run += (uint32_t)count;
}

int start(void) {
    throng_engine* engine = NULL;
    throng_frame* frame = NULL;
    throng_pairs* pairs = NULL;
    const throng_pair* pair;
    uint64_t total = 0;
    int i;
    for (i = 0; i < agents; ++i) {
        x[i] = (float)(i % 200 * 4);
        y[i] = (float)(i / 200 * 4);
    }
    x[1] = 1;  // which touches the first, as no other two do
    CHECK(throng_version() == THRONG_C_VERSION);
    CHECK(throng_engine_config_init(&config) == THRONG_OK);
    config.parallel_for = in_turn;
    config.workers = 2;
    CHECK(throng_engine_create(&config, &engine, NULL) == THRONG_OK);
    CHECK(throng_boxes_init(&boxes) == THRONG_OK);
    CHECK(throng_boxes_points(&boxes, x, y, 1, agents, 0) == THRONG_OK);
    CHECK(throng_engine_update(engine, &boxes, NULL, NULL) == THRONG_OK);
    CHECK(throng_engine_frame(engine, &frame, NULL) == THRONG_OK);
    CHECK(throng_frame_count(frame, &near_box, NULL, &total, NULL) == THRONG_OK && total == 2);
    CHECK(throng_pairs_create(engine, &pairs, NULL) == THRONG_OK);
    CHECK(throng_frame_pairs(frame, NULL, pairs, NULL) == THRONG_OK);
    pair = throng_pairs_get(pairs, &total);
    CHECK(total == 1 && pair[0].a + pair[0].b == 1);
    throng_pairs_destroy(pairs);
    throng_frame_release(frame);
    throng_engine_destroy(engine);
    return blocks_run != 0 ? 0 : __LINE__;
}
