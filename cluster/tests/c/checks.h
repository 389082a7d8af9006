/* What the C tests of ranks share. */
#ifndef THRONG_CLUSTER_TESTS_C_CHECKS_H
#define THRONG_CLUSTER_TESTS_C_CHECKS_H

#include <stdint.h>

#include "throng_cluster.h"

enum { count = 200 };

void expect(int holds, const char* what);
#define EXPECT(holds) expect((holds) != 0, #holds)

/* Of all ranks. */
uint64_t sum(uint64_t mine);
/* One box as a batch. */
throng_boxes one(const throng_box* box);

/* Worlds of the same agents, in worlds.c. */
void climb(throng_cluster* cluster, const uint64_t* ids, throng_boxes where, int rank, int ranks);
void wrap_around(int rank, const uint64_t* ids, uint64_t held, const throng_boxes* where);
void give_payload_to_ghosts(const uint64_t* ids, uint64_t held, const throng_boxes* where);

#endif
