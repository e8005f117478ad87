#ifndef TIMEWARP_LANES_H
#define TIMEWARP_LANES_H

typedef short tw_lanes __attribute__((vector_size(16)));

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

#endif
