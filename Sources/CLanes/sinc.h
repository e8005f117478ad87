#ifndef TIMEWARP_SINC_H
#define TIMEWARP_SINC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The inner loop of band-limited interpolation, in C because only here a function can be compiled for processors that
// have 256-bit vectors (AVX2) beside one for those that don't. Both do the same additions and multiplications in the
// same order, none of them fused, so their results are the same to the bit.

// The weights of a kernel: rows of `taps` weights for fractions of a sample, 1/`steps` apart.
typedef struct {
  const float *rows;
  ptrdiff_t taps;
  // How many samples before the whole part of a position have a weight.
  ptrdiff_t before;
  double steps;
} tw_sinc_bank;

typedef float tw_sinc_lanes __attribute__((vector_size(32)));

static inline __attribute__((always_inline)) tw_sinc_lanes tw_sinc_load(const float *from) {
  tw_sinc_lanes lanes;
  memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

static inline __attribute__((always_inline)) float tw_sinc_sum(tw_sinc_lanes lanes) {
  return lanes[0] + lanes[1] + lanes[2] + lanes[3] + lanes[4] + lanes[5] + lanes[6] + lanes[7];
}

// The weights and samples of one position.
typedef struct {
  const float *row;
  ptrdiff_t first;
  float share;
} tw_sinc_place;

static inline __attribute__((always_inline)) tw_sinc_place tw_sinc_find(
    const tw_sinc_bank *bank, double position) {
#pragma STDC FP_CONTRACT OFF
  // floor() would be a call on processors from before 2008.
  int64_t whole = (int64_t)position;
  whole -= position < (double)whole;
  double fraction = (position - (double)whole) * bank->steps;
  int64_t step = (int64_t)fraction;
  tw_sinc_place place = {
      bank->rows + step * bank->taps, (ptrdiff_t)whole - bank->before, (float)(fraction - (double)step)};
  return place;
}

// Weights between two rows.
static inline __attribute__((always_inline)) tw_sinc_lanes tw_sinc_weights(
    tw_sinc_place place, ptrdiff_t taps, ptrdiff_t tap) {
#pragma STDC FP_CONTRACT OFF
  tw_sinc_lanes low = tw_sinc_load(place.row + tap);
  return low + (tw_sinc_load(place.row + taps + tap) - low) * place.share;
}

// See tw_sinc_render. `b` is null for one channel. Two positions at a time, because each addition to a sum waits for the
// one before.
static inline __attribute__((always_inline)) ptrdiff_t tw_sinc_loop(
    const tw_sinc_bank *bank, const double *positions, ptrdiff_t count, double start, const float *a,
    const float *b, ptrdiff_t sample_count, float *out_a, float *out_b) {
#pragma STDC FP_CONTRACT OFF
  ptrdiff_t taps = bank->taps;
  ptrdiff_t last = sample_count - taps;
  for (ptrdiff_t index = 0; index < count; index += 2) {
    tw_sinc_place p = tw_sinc_find(bank, positions[index] - start);
    if (p.first < 0 || p.first > last) {
      return index;
    }
    tw_sinc_place q = p;
    ptrdiff_t next = index;
    if (index + 1 < count) {
      tw_sinc_place found = tw_sinc_find(bank, positions[index + 1] - start);
      if (found.first >= 0 && found.first <= last) {
        q = found;
        next = index + 1;
      }
    }
    tw_sinc_lanes sum_pa = {0}, sum_pb = {0}, sum_qa = {0}, sum_qb = {0};
    for (ptrdiff_t tap = 0; tap < taps; tap += 8) {
      tw_sinc_lanes weights_p = tw_sinc_weights(p, taps, tap);
      tw_sinc_lanes weights_q = tw_sinc_weights(q, taps, tap);
      sum_pa += weights_p * tw_sinc_load(a + p.first + tap);
      sum_qa += weights_q * tw_sinc_load(a + q.first + tap);
      if (b) {
        sum_pb += weights_p * tw_sinc_load(b + p.first + tap);
        sum_qb += weights_q * tw_sinc_load(b + q.first + tap);
      }
    }
    out_a[next] = tw_sinc_sum(sum_qa);
    out_a[index] = tw_sinc_sum(sum_pa);
    if (b) {
      out_b[next] = tw_sinc_sum(sum_qb);
      out_b[index] = tw_sinc_sum(sum_pb);
    }
    if (next == index && index + 1 < count) {
      return index + 1;
    }
  }
  return count;
}

#if defined(__x86_64__)
static inline __attribute__((target("avx2"), noinline)) ptrdiff_t tw_sinc_wide(
    const tw_sinc_bank *bank, const double *positions, ptrdiff_t count, double start, const float *a,
    const float *b, ptrdiff_t sample_count, float *out_a, float *out_b) {
  return b ? tw_sinc_loop(bank, positions, count, start, a, b, sample_count, out_a, out_b)
           : tw_sinc_loop(bank, positions, count, start, a, 0, sample_count, out_a, 0);
}
#endif

// Whether this processor has the vectors that tw_sinc_render is faster with.
static inline int tw_sinc_has_wide_vectors(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
#else
  return 0;
#endif
}

// Writes the values of one or two channels at positions, which count from `start`. Stops at the first position whose
// weights reach outside of the samples, and returns its index; `count` if there is none.
static inline ptrdiff_t tw_sinc_render(
    const tw_sinc_bank *bank, int is_wide, const double *positions, ptrdiff_t count, double start,
    const float *a, const float *b, ptrdiff_t sample_count, float *out_a, float *out_b) {
#if defined(__x86_64__)
  if (is_wide) {
    return tw_sinc_wide(bank, positions, count, start, a, b, sample_count, out_a, out_b);
  }
#endif
  return b ? tw_sinc_loop(bank, positions, count, start, a, b, sample_count, out_a, out_b)
           : tw_sinc_loop(bank, positions, count, start, a, 0, sample_count, out_a, 0);
}

#endif
