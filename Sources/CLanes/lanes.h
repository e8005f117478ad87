#ifndef TIMEWARP_LANES_H
#define TIMEWARP_LANES_H

#include <string.h>

// Operations that Swift's vectors have, but which its optimiser leaves as calls, or as many instructions, in large functions.

typedef short tw_lanes __attribute__((vector_size(16)));
typedef int tw_quad __attribute__((vector_size(16)));
typedef unsigned char tw_octet __attribute__((vector_size(8)));

// The upper 16 bits of eight products. Swift can express it only as a product of 32-bit numbers. The compiler makes one
// instruction of that where it sees both factors being widened, but not in loops: there it widens a factor that
// stays the same once, in front of the loop, and each product then takes ten instructions.
static inline __attribute__((always_inline)) tw_lanes tw_times_high(tw_lanes a, tw_lanes b) {
#if defined(__SSE2__)
  typedef short builtin_lanes __attribute__((__vector_size__(16)));
  return (tw_lanes)__builtin_ia32_pmulhw128((builtin_lanes)a, (builtin_lanes)b);
#else
  typedef int wide __attribute__((vector_size(32)));
  return __builtin_convertvector(
      (__builtin_convertvector(a, wide) * __builtin_convertvector(b, wide)) >> 16, tw_lanes);
#endif
}

// The eight products, neighbours added up.
static inline __attribute__((always_inline)) tw_quad tw_times_pairs(tw_lanes a, tw_lanes b) {
#if defined(__SSE2__)
  typedef short builtin_lanes __attribute__((__vector_size__(16)));
  return (tw_quad)__builtin_ia32_pmaddwd128((builtin_lanes)a, (builtin_lanes)b);
#else
  typedef int wide __attribute__((vector_size(32)));
  wide product = __builtin_convertvector(a, wide) * __builtin_convertvector(b, wide);
  return __builtin_shufflevector(product, product, 0, 2, 4, 6) + __builtin_shufflevector(product, product, 1, 3, 5, 7);
#endif
}

// The absolute differences.
static inline __attribute__((always_inline)) tw_lanes tw_distance(tw_lanes a, tw_lanes b) {
  return __builtin_elementwise_max(a, b) - __builtin_elementwise_min(a, b);
}

// Eight 8-bit samples.
static inline __attribute__((always_inline)) tw_lanes tw_load_octet(const unsigned char *from) {
  tw_octet octet;
  memcpy(&octet, from, sizeof octet);
  return __builtin_convertvector(octet, tw_lanes);
}

// Numbers as 8-bit samples; those that are no samples become the nearest one.
static inline __attribute__((always_inline)) tw_octet tw_octet_of(tw_lanes lanes) {
  tw_lanes none = {0}, most = none + 255;
  return __builtin_convertvector(
      __builtin_elementwise_min(__builtin_elementwise_max(lanes, none), most), tw_octet);
}

// Whether one of four numbers is `key`.
static inline __attribute__((always_inline)) int tw_holds(tw_quad numbers, int key) {
  return __builtin_reduce_or(numbers == key) != 0;
}

#endif
