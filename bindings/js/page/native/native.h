/* What the page's module has besides throng.h: parts of a frame and of the small structures, to be drawn, and
 * a crowd that avoids collisions. twin.c has the crowd as well. */
#ifndef THRONG_PAGE_NATIVE_H
#define THRONG_PAGE_NATIVE_H

#include <stdint.h>

#include "throng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows, islands and nodes of a frame, six numbers each: min_x, min_y, max_x, max_y; its kind (0 a row, 1 an
 * island, 2 a node), and how many cells a row has. They are there until the next call. */
uint32_t page_parts_of_frame(const throng_frame* frame);
const float* page_parts(void);

/* A small structure of the kind, in the order of structures.js, in place of the one before; 1 if it was made.
 */
int32_t page_structure_make(uint32_t kind, float side, uint32_t elements, float largest);
/* Copies the boxes of a frame, which page_structure_assign() then gives to the structure. */
int32_t page_structure_read(const throng_frame* frame);
int32_t page_structure_assign(void);
/* How many pairs it finds; and its nodes and cells, as above: 3 a node, 4 a leaf or a cell. */
uint32_t page_structure_pairs(void);
uint32_t page_parts_of_structure(void);

/* The crowd of examples/crowd at its crossing. page_crowd_step() says how many have not arrived; their arrays
 * are there until the next one, and lie in the square from (0, 0) to (side, side). */
float page_crowd_make(uint32_t agents);
uint32_t page_crowd_step(void);
const float* page_crowd_array(uint32_t which); /* x, y, vx, vy, radius */
uint32_t page_crowd_walls(void);               /* four numbers each, in array 5 */

#ifdef __cplusplus
}
#endif
#endif
