// motion.js for the library of this machine: it prints the fingerprint of frame 100 and how many pairs touch
// there, which the page in a browser has to come to as well.
//
//     throng_js_twin SCENARIO AGENTS SEED
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/js/page/native/native.h"
#include "throng.h"

static uint32_t state;
static float any(float most) {
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 16777216.0f * most;
}

static uint32_t count;
static float side, *x, *y, *vx, *vy, *radius;

static void place(const char* scenario, uint32_t i) {
    const float half = side / 2;
    float px = any(side), py = any(side), which;
    vx[i] = any(0.2f) - 0.1f;
    vy[i] = any(0.2f) - 0.1f;
    radius[i] = 0.5f;
    which = any(1);
    if (strcmp(scenario, "clustered") == 0 || strcmp(scenario, "villages") == 0) {
        const int is_villages = strcmp(scenario, "villages") == 0;
        const uint32_t places = is_villages ? 9 : 40, at = (uint32_t)(which * (float)places);
        const float wide = side / (is_villages ? 12.0f : 8.0f), most = side * 0.85f;
        px = (float)(at * 37 % places) / (float)places * most + px / side * wide;
        py = (float)((at * 23 + 5) % places) / (float)places * most + py / side * wide;
    } else if (strcmp(scenario, "pile") == 0) {
        px = half + (px - half) / 8;
        py = half + (py - half) / 8;
    } else if (strcmp(scenario, "giants") == 0 && i % 200 == 0) {
        radius[i] = 2 + which * 10;
    }
    x[i] = px;
    y[i] = py;
}

static void step(float* at, float* v) {
    float to = *at + *v;
    if (to < 0) {
        to = 0;
        *v = fabsf(*v);
    } else if (to > side) {
        to = side;
        *v = -fabsf(*v);
    }
    *at = to;
}

static void bounce(uint32_t a, uint32_t b) {
    const float ax = vx[a], ay = vy[a];
    const float across = (x[b] - x[a]) * (vx[b] - vx[a]), down = (y[b] - y[a]) * (vy[b] - vy[a]);
    if (across + down >= 0) return;
    vx[a] = vx[b];
    vy[a] = vy[b];
    vx[b] = ax;
    vy[b] = ay;
}

static void move_all(int is_crossing) {
    uint32_t i;
    if (is_crossing) {
        count = page_crowd_step();
        for (i = 0; i < 5; ++i) {
            float* const arrays[] = {x, y, vx, vy, radius};
            memcpy(arrays[i], page_crowd_array(i), count * sizeof(float));
        }
        return;
    }
    for (i = 0; i < count; ++i) {
        step(x + i, vx + i);
        step(y + i, vy + i);
    }
}

static void need(int32_t status) {
    if (status == THRONG_OK) return;
    printf("%s\n", throng_status_text(status));
    exit(1);
}

int main(int argc, char** argv) {
    throng_engine_config config;
    throng_engine* engine = NULL;
    throng_frame* frame = NULL;
    throng_pairs* pairs = NULL;
    throng_boxes boxes;
    throng_pair_query circles;
    uint64_t found = 0, k;
    uint32_t i, number;
    int is_crossing;
    if (argc != 4) return 2;
    is_crossing = strcmp(argv[1], "crossing") == 0;
    count = (uint32_t)strtoul(argv[2], NULL, 10);
    state = (uint32_t)strtoul(argv[3], NULL, 10);
    side = ceilf(sqrtf((float)count)) * 2;
    x = malloc(5 * count * sizeof(float));
    if (x == NULL) return 1;
    y = x + count;
    vx = y + count;
    vy = vx + count;
    radius = vy + count;
    if (is_crossing) page_crowd_make(count);
    for (i = 0; !is_crossing && i < count; ++i) place(argv[1], i);
    throng_engine_config_init(&config);
    need(throng_engine_create(&config, &engine, NULL));
    need(throng_pairs_create(engine, &pairs, NULL));
    throng_boxes_init(&boxes);
    throng_pair_query_init(&circles);
    circles.agents_as = THRONG_AGENTS_AS_CIRCLES;
    for (number = 1; number <= 100; ++number) {
        const throng_pair* all;
        move_all(is_crossing);
        throng_boxes_centre_half(&boxes, x, y, radius, radius, count, 0);
        need(throng_engine_update(engine, &boxes, NULL, NULL));
        need(throng_engine_frame(engine, &frame, NULL));
        need(throng_frame_pairs(frame, is_crossing ? &circles : NULL, pairs, NULL));
        all = throng_pairs_get(pairs, &found);
        for (k = 0; !is_crossing && k < found; ++k) bounce(all[k].a, all[k].b);
    }
    printf("%llu %llu\n", (unsigned long long)throng_frame_fingerprint(frame), (unsigned long long)found);
    throng_frame_release(frame);
    throng_pairs_destroy(pairs);
    throng_engine_destroy(engine);
    free(x);
    return 0;
}
