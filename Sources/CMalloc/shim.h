// mallopt exists only in glibc, and Swift's Glibc module doesn't include it.
#ifndef TIMEWARP_CMALLOC_H
#define TIMEWARP_CMALLOC_H
#ifdef __GLIBC__
#include <malloc.h>
// With M_PERTURB, malloc fills the memory that it returns with the complement of the value; 255 gives zeros.
static inline void tw_hand_out_zeros(void) { mallopt(M_PERTURB, 255); }
#else
static inline void tw_hand_out_zeros(void) {}
#endif
#endif
