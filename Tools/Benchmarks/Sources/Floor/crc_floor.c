#include "crc_floor.h"

#include <stdbool.h>
#include <string.h>

// Eight bytes at a step by tables; where the processor multiplies without carries, sixteen at a step, which leaves the
// tables sixteen bytes and the rest. Source: Gopal et al., "Fast CRC Computation for Generic Polynomials Using
// PCLMULQDQ Instruction".

enum { POLYNOMIAL = 0x1021, REFLECTED = 0x8408, SLICES = 8, FOLD = 16, FEWEST_FOLDED = 48 };

static uint16_t msb_table[SLICES][256], lsb_table[SLICES][256];
// Powers of x that move 64 bits over 64 and over 128 others, as the multiplication takes them.
static uint64_t msb_powers[2], lsb_powers[2];
static bool can_fold;

static uint16_t power(unsigned exponent) {
    uint16_t value = 1;
    while (exponent--) value = (uint16_t)(value << 1 ^ (value & 0x8000 ? POLYNOMIAL : 0));
    return value;
}

static uint64_t reflected(uint64_t value) {
    uint64_t result = 0;
    for (unsigned bit = 0; bit < 64; bit++) result |= (value >> bit & 1) << (63 - bit);
    return result;
}

__attribute__((constructor)) static void prepare(void) {
    for (unsigned byte = 0; byte < 256; byte++) {
        uint16_t msb = (uint16_t)(byte << 8), lsb = (uint16_t)byte;
        for (unsigned bit = 0; bit < 8; bit++) {
            msb = (uint16_t)(msb << 1 ^ (msb & 0x8000 ? POLYNOMIAL : 0));
            lsb = (uint16_t)(lsb >> 1 ^ (lsb & 1 ? REFLECTED : 0));
        }
        msb_table[0][byte] = msb;
        lsb_table[0][byte] = lsb;
    }
    for (unsigned slice = 1; slice < SLICES; slice++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            uint16_t msb = msb_table[slice - 1][byte], lsb = lsb_table[slice - 1][byte];
            msb_table[slice][byte] = (uint16_t)(msb << 8 ^ msb_table[0][msb >> 8]);
            lsb_table[slice][byte] = (uint16_t)(lsb >> 8 ^ lsb_table[0][lsb & 0xFF]);
        }
    }
    // A product of reflected numbers comes out one place too high.
    msb_powers[0] = power(128);
    msb_powers[1] = power(192);
    lsb_powers[0] = reflected(power(127));
    lsb_powers[1] = reflected(power(191));
#if defined(__x86_64__)
    can_fold = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("ssse3");
#endif
}

static uint16_t msb_sliced(uint16_t crc, const uint8_t *bytes, size_t count) {
    for (; count >= SLICES; bytes += SLICES, count -= SLICES) {
        crc = msb_table[7][bytes[0] ^ crc >> 8] ^ msb_table[6][(bytes[1] ^ crc) & 0xFF] ^ msb_table[5][bytes[2]]
            ^ msb_table[4][bytes[3]] ^ msb_table[3][bytes[4]] ^ msb_table[2][bytes[5]] ^ msb_table[1][bytes[6]]
            ^ msb_table[0][bytes[7]];
    }
    while (count--) crc = (uint16_t)(crc << 8 ^ msb_table[0][(crc >> 8 ^ *bytes++) & 0xFF]);
    return crc;
}

static uint16_t lsb_sliced(uint16_t crc, const uint8_t *bytes, size_t count) {
    for (; count >= SLICES; bytes += SLICES, count -= SLICES) {
        crc = lsb_table[7][(bytes[0] ^ crc) & 0xFF] ^ lsb_table[6][bytes[1] ^ crc >> 8] ^ lsb_table[5][bytes[2]]
            ^ lsb_table[4][bytes[3]] ^ lsb_table[3][bytes[4]] ^ lsb_table[2][bytes[5]] ^ lsb_table[1][bytes[6]]
            ^ lsb_table[0][bytes[7]];
    }
    while (count--) crc = (uint16_t)(crc >> 8 ^ lsb_table[0][(crc ^ *bytes++) & 0xFF]);
    return crc;
}

#if defined(__x86_64__)
#include <immintrin.h>

#define FOLDING __attribute__((target("pclmul,ssse3")))

FOLDING static __m128i swapped(__m128i value) {
    return _mm_shuffle_epi8(value, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

FOLDING static __m128i load(const uint8_t *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }

// The leading half of a reflected number is the low one, so each power meets its half by the selector.
FOLDING static uint16_t msb_folded(const uint8_t *bytes, size_t count) {
    __m128i powers = _mm_set_epi64x((long long)msb_powers[1], (long long)msb_powers[0]);
    __m128i sum = swapped(load(bytes));
    for (bytes += FOLD, count -= FOLD; count >= FOLD; bytes += FOLD, count -= FOLD) {
        __m128i high = _mm_clmulepi64_si128(sum, powers, 0x11), low = _mm_clmulepi64_si128(sum, powers, 0x00);
        sum = _mm_xor_si128(_mm_xor_si128(high, low), swapped(load(bytes)));
    }
    uint8_t rest[FOLD];
    _mm_storeu_si128((__m128i *)rest, swapped(sum));
    return msb_sliced(msb_sliced(0, rest, FOLD), bytes, count);
}

FOLDING static uint16_t lsb_folded(uint16_t crc, const uint8_t *bytes, size_t count) {
    __m128i powers = _mm_set_epi64x((long long)lsb_powers[0], (long long)lsb_powers[1]);
    __m128i sum = _mm_xor_si128(load(bytes), _mm_cvtsi32_si128(crc));
    for (bytes += FOLD, count -= FOLD; count >= FOLD; bytes += FOLD, count -= FOLD) {
        __m128i high = _mm_clmulepi64_si128(sum, powers, 0x00), low = _mm_clmulepi64_si128(sum, powers, 0x11);
        sum = _mm_xor_si128(_mm_xor_si128(high, low), load(bytes));
    }
    uint8_t rest[FOLD];
    _mm_storeu_si128((__m128i *)rest, sum);
    return lsb_sliced(lsb_sliced(0, rest, FOLD), bytes, count);
}
#else
static uint16_t msb_folded(const uint8_t *bytes, size_t count) { return msb_sliced(0, bytes, count); }

static uint16_t lsb_folded(uint16_t crc, const uint8_t *bytes, size_t count) { return lsb_sliced(crc, bytes, count); }
#endif

uint16_t crc16_felica(const uint8_t *bytes, size_t count) {
    return can_fold && count >= FEWEST_FOLDED ? msb_folded(bytes, count) : msb_sliced(0, bytes, count);
}

uint16_t crc_a(const uint8_t *bytes, size_t count) {
    return can_fold && count >= FEWEST_FOLDED ? lsb_folded(0x6363, bytes, count) : lsb_sliced(0x6363, bytes, count);
}
