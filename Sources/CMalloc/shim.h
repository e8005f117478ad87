// mallopt is glibc's alone, and Swift's own Glibc module doesn't have it.
#ifndef TIMEWARP_CMALLOC_H
#define TIMEWARP_CMALLOC_H
#ifdef __GLIBC__
#include <malloc.h>
// M_PERTURB fills what malloc hands out with the complement of its value.
static inline void tw_hand_out_zeros(void) { mallopt(M_PERTURB, 255); }
#else
static inline void tw_hand_out_zeros(void) {}
#endif
#endif
