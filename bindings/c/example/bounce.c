// A crowd that bounces off itself and off the walls of its world, drawn as text: what the C library is for,
// in a hundred lines.
//
//     throng_example_c_bounce [AGENTS] [FRAMES]
//
// In each frame the agents move, the engine is given all of them, and each pair that touches bounces: the two
// take on each other's movement along the axis on which they overlap least. The last frame is drawn, a digit
// for each agent in a field.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "throng.h"

typedef struct Agent {
    float x, y, half, vx, vy;
} Agent;

static const float side = 100;

// Any number from 0 to 1, the same in every run.
static float any(void) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 16777216.0f;
}

static void walk(float* at, float* speed, float half) {
    *at += *speed;
    if ((*at < half && *speed < 0) || (*at > side - half && *speed > 0)) *speed = -*speed;
}

static void bounce(Agent* one, Agent* other) {
    const float dx = other->x - one->x, dy = other->y - one->y, reach = one->half + other->half;
    const float over_x = reach - (dx < 0 ? -dx : dx), over_y = reach - (dy < 0 ? -dy : dy);
    float* mine = over_x < over_y ? &one->vx : &one->vy;
    float* its = over_x < over_y ? &other->vx : &other->vy;
    const float apart = over_x < over_y ? dx : dy, towards = *mine - *its, before = *mine;
    if (towards * apart <= 0) return;  // they part already
    *mine = *its;
    *its = before;
}

static void draw(const throng_frame* frame) {
    enum { columns = 64, rows = 24 };
    int row, column;
    for (row = 0; row < rows; ++row) {
        char line[columns + 1];
        for (column = 0; column < columns; ++column) {
            const float width = side / columns, height = side / rows;
            const float x = (float)column * width, y = (float)row * height;
            const throng_box field = {x, y, x + width, y + height};
            uint64_t here = 0;
            if (throng_frame_count(frame, &field, NULL, &here, NULL) != THRONG_OK) here = 0;
            line[column] = here == 0 ? '.' : (char)('0' + (here < 9 ? here : 9));
        }
        line[columns] = '\0';
        puts(line);
    }
}

// One frame: walk, index, bounce.
static int32_t step(throng_engine* engine, throng_frame** frame, throng_pairs* pairs, Agent* agents,
                    uint64_t count, uint64_t* bounces, throng_status_details* details) {
    throng_boxes boxes;
    const throng_pair* touching;
    uint64_t found = 0, i;
    int32_t status;
    for (i = 0; i < count; ++i) {
        walk(&agents[i].x, &agents[i].vx, agents[i].half);
        walk(&agents[i].y, &agents[i].vy, agents[i].half);
    }
    throng_boxes_init(&boxes);
    throng_boxes_centre_half(&boxes, &agents->x, &agents->y, &agents->half, &agents->half, count,
                             sizeof(Agent));
    if ((status = throng_engine_update(engine, &boxes, NULL, details)) != THRONG_OK) return status;
    if ((status = throng_engine_frame(engine, frame, details)) != THRONG_OK) return status;
    if ((status = throng_frame_pairs(*frame, NULL, pairs, details)) != THRONG_OK) return status;
    touching = throng_pairs_get(pairs, &found);
    for (i = 0; i < found; ++i) bounce(&agents[touching[i].a], &agents[touching[i].b]);
    *bounces += found;
    return THRONG_OK;
}

int main(int argc, char** argv) {
    const uint64_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    unsigned long frames = argc > 2 ? strtoul(argv[2], NULL, 10) : 100;
    Agent* agents = (Agent*)calloc(count + 1, sizeof(Agent));
    throng_engine_config config;
    throng_status_details details;
    throng_engine* engine = NULL;
    throng_frame* frame = NULL;
    throng_pairs* pairs = NULL;
    uint64_t i, bounces = 0;
    int32_t status = THRONG_OUT_OF_MEMORY;
    for (i = 0; agents != NULL && i < count; ++i) {
        const Agent agent = {side * any(), side * any(), 0.2f + 0.3f * any(), any() - 0.5f, any() - 0.5f};
        agents[i] = agent;
    }
    throng_status_details_init(&details);
    throng_engine_config_init(&config);
    if (agents != NULL) status = throng_engine_create(&config, &engine, &details);
    if (status == THRONG_OK) status = throng_pairs_create(engine, &pairs, &details);
    for (; status == THRONG_OK && frames > 0; --frames)
        status = step(engine, &frame, pairs, agents, count, &bounces, &details);
    if (status == THRONG_OK) {
        draw(frame);
        printf("%llu agents touched %llu times\n", (unsigned long long)count, (unsigned long long)bounces);
    } else {
        char text[200];
        throng_status_describe(&details, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    throng_pairs_destroy(pairs);
    throng_frame_release(frame);
    throng_engine_destroy(engine);
    free(agents);
    return status == THRONG_OK && bounces > 0 ? 0 : 1;
}
