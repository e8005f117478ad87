// These functions exist only in glibc, and Swift's Glibc module doesn't include them.
#ifndef TIMEWARP_CMALLOC_H
#define TIMEWARP_CMALLOC_H
// Defines __GLIBC__ where it is.
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
// With M_PERTURB, malloc fills the memory that it returns with the complement of the value; 255 gives zeros, 0 fills none.
static inline void tw_hand_out_zeros(int is_on) { mallopt(M_PERTURB, is_on ? 255 : 0); }
// Large blocks are given back as soon as they are freed, and few threads have a heap of their own.
static inline void tw_keep_little_freed(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 4 << 20);
    mallopt(M_ARENA_MAX, 4);
}
// Gives memory back to the system that was freed, but that every thread's heap still holds.
static inline void tw_give_back_freed(void) { malloc_trim(0); }
#else
static inline void tw_hand_out_zeros(int is_on) {}
static inline void tw_keep_little_freed(void) {}
static inline void tw_give_back_freed(void) {}
#endif
#endif
