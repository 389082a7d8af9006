// A small structure in strict C99: the beginning of throng_structures.h as a program.
#include <stdio.h>

#include "throng_structures.h"

int main(void) {
    const throng_box places[3] = {{1, 1, 2, 2}, {2, 2, 3, 3}, {9, 9, 10, 10}};
    throng_structure_config config;
    throng_structure* index = NULL;
    throng_boxes boxes;
    throng_pair pairs[4];
    uint32_t ids[3];
    uint64_t total = 0;
    throng_structure_config_init(&config);
    throng_boxes_init(&boxes);
    config.kind = THRONG_LOOSE_QUADTREE;
    config.extents.max_x = config.extents.max_y = 100;
    if (throng_boxes_of(&boxes, places, 3) != THRONG_OK) return 1;
    if (throng_structure_create(NULL, &config, &index, NULL) != THRONG_OK) return 2;
    if (throng_structure_insert(index, &boxes, ids, 3, NULL) != THRONG_OK) return 3;
    if (throng_structure_pairs(index, pairs, 4, &total, NULL) != THRONG_OK || total != 1) return 4;
    if (throng_structure_overlaps(index, &places[0], ids[0], ids, 3, &total, NULL) != THRONG_OK) return 5;
    if (total != 1 || ids[0] != 1 || throng_structure_size(index) != 3) return 6;
    printf("%u and %u touch\n", (unsigned)pairs[0].a, (unsigned)pairs[0].b);
    throng_structure_destroy(index);
    return 0;
}
