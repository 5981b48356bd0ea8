// The ways through the layers of a small net: plain, and with vectors of 256 and 512 bits.
#include "eval/small_net_layers.h"

#include <algorithm>

#if defined(__x86_64__) && defined(__GNUC__)
#define CROSSBOARD_VECTORS
#include <immintrin.h>
#endif

namespace crossboard::small_net {

namespace {

// From a sum of the second layer, in FULL * SECOND_SCALE, to a unit in FULL.
constexpr int SECOND_SHIFT = 11;
static_assert(1 << SECOND_SHIFT == SECOND_SCALE);

std::int32_t forward_plain(const Layers& layers, const Pieces& pieces) {
    std::array<std::int16_t, NetSize::MOST_HIDDEN> units;
    std::copy_n(layers.first_bias, layers.hidden, units.data());
    for (int i = 0; i < pieces.count; ++i) {
        const std::int16_t* row = layers.first + pieces.rows[i] * layers.hidden;
        for (int j = 0; j < layers.hidden; ++j)
            units[j] = static_cast<std::int16_t>(units[j] + row[j]);
    }
    for (int j = 0; j < layers.hidden; ++j) units[j] = std::clamp<std::int16_t>(units[j], 0, FULL);
    std::array<std::int32_t, NetSize::MOST_SECOND> sums;
    std::copy_n(layers.second_bias, layers.second, sums.data());
    for (int j = 0; j < layers.hidden; j += 2) {
        const std::int16_t* pair = layers.pairs + j * layers.second;
        if (units[j] == 0 && units[j + 1] == 0) continue;
        for (int k = 0; k < layers.second; ++k)
            sums[k] += units[j] * pair[2 * k] + units[j + 1] * pair[2 * k + 1];
    }
    std::int32_t output = layers.output_bias + FULL * pieces.direct;
    for (int k = 0; k < layers.second; ++k)
        output += std::clamp(sums[k] >> SECOND_SHIFT, 0, FULL) * layers.output[k];
    return output;
}

#ifdef CROSSBOARD_VECTORS

#define CROSSBOARD_AVX2 __attribute__((target("avx2")))

// Sums the rows of 16 * Vectors columns of the first layer and writes the units.
template <int Vectors>
CROSSBOARD_AVX2 inline void sum_rows_256(const Layers& layers, const Pieces& pieces, int column,
                                         std::int16_t* units) {
    const auto* bias = reinterpret_cast<const __m256i*>(layers.first_bias + column);
    __m256i sums[Vectors];
    for (int v = 0; v < Vectors; ++v) sums[v] = _mm256_load_si256(bias + v);
    for (int i = 0; i < pieces.count; ++i) {
        const auto* row = reinterpret_cast<const __m256i*>(layers.first +
                                                           pieces.rows[i] * layers.hidden + column);
        for (int v = 0; v < Vectors; ++v)
            sums[v] = _mm256_add_epi16(sums[v], _mm256_load_si256(row + v));
    }
    const __m256i zero = _mm256_setzero_si256(), full = _mm256_set1_epi16(FULL);
    for (int v = 0; v < Vectors; ++v)
        _mm256_store_si256(reinterpret_cast<__m256i*>(units + column) + v,
                           _mm256_min_epi16(_mm256_max_epi16(sums[v], zero), full));
}

// Sums 8 * Vectors units of the second layer and returns what they send to the output.
template <int Vectors>
CROSSBOARD_AVX2 inline __m256i sum_pairs_256(const Layers& layers, const std::int16_t* units,
                                             int first) {
    const auto* bias = reinterpret_cast<const __m256i*>(layers.second_bias + first);
    __m256i sums[Vectors];
    for (int v = 0; v < Vectors; ++v) sums[v] = _mm256_load_si256(bias + v);
    for (int j = 0; j < layers.hidden; j += 2) {
        std::int32_t both;
        __builtin_memcpy(&both, units + j, sizeof both);
        const __m256i pair = _mm256_set1_epi32(both);
        const auto* weights =
            reinterpret_cast<const __m256i*>(layers.pairs + j * layers.second + 2 * first);
        for (int v = 0; v < Vectors; ++v)
            sums[v] =
                _mm256_add_epi32(sums[v], _mm256_madd_epi16(pair, _mm256_load_si256(weights + v)));
    }
    const __m256i zero = _mm256_setzero_si256(), full = _mm256_set1_epi32(FULL);
    const auto* output = reinterpret_cast<const __m256i*>(layers.output + first);
    __m256i total = zero;
    for (int v = 0; v < Vectors; ++v) {
        const __m256i unit = _mm256_min_epi32(
            _mm256_max_epi32(_mm256_srai_epi32(sums[v], SECOND_SHIFT), zero), full);
        total = _mm256_add_epi32(total, _mm256_mullo_epi32(unit, _mm256_load_si256(output + v)));
    }
    return total;
}

CROSSBOARD_AVX2 std::int32_t forward_avx2(const Layers& layers, const Pieces& pieces) {
    alignas(64) std::array<std::int16_t, NetSize::MOST_HIDDEN> units;
    int column = 0;
    for (; column + 128 <= layers.hidden; column += 128)
        sum_rows_256<8>(layers, pieces, column, units.data());
    for (; column < layers.hidden; column += 32)
        sum_rows_256<2>(layers, pieces, column, units.data());
    __m256i total = _mm256_setzero_si256();
    int first = 0;
    for (; first + 32 <= layers.second; first += 32)
        total = _mm256_add_epi32(total, sum_pairs_256<4>(layers, units.data(), first));
    for (; first < layers.second; first += 16)
        total = _mm256_add_epi32(total, sum_pairs_256<2>(layers, units.data(), first));
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0b01'00'11'10));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0b10'11'00'01));
    return _mm_cvtsi128_si32(half) + layers.output_bias + FULL * pieces.direct;
}

#define CROSSBOARD_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

template <int Vectors>
CROSSBOARD_AVX512 inline void sum_rows_512(const Layers& layers, const Pieces& pieces, int column,
                                           std::int16_t* units) {
    const std::int16_t* bias = layers.first_bias + column;
    __m512i sums[Vectors];
    for (int v = 0; v < Vectors; ++v) sums[v] = _mm512_load_si512(bias + 32 * v);
    for (int i = 0; i < pieces.count; ++i) {
        const std::int16_t* row = layers.first + pieces.rows[i] * layers.hidden + column;
        for (int v = 0; v < Vectors; ++v)
            sums[v] = _mm512_add_epi16(sums[v], _mm512_load_si512(row + 32 * v));
    }
    const __m512i zero = _mm512_setzero_si512(), full = _mm512_set1_epi16(FULL);
    for (int v = 0; v < Vectors; ++v)
        _mm512_store_si512(units + column + 32 * v,
                           _mm512_min_epi16(_mm512_max_epi16(sums[v], zero), full));
}

// In CHAINS rows of sums, so that one product need not wait for the one before.
template <int Vectors>
CROSSBOARD_AVX512 inline __m512i sum_pairs_512(const Layers& layers, const std::int16_t* units,
                                               int first) {
    constexpr int CHAINS = 4;
    __m512i sums[CHAINS][Vectors];
    for (int v = 0; v < Vectors; ++v) {
        sums[0][v] = _mm512_load_si512(layers.second_bias + first + 16 * v);
        for (int chain = 1; chain < CHAINS; ++chain) sums[chain][v] = _mm512_setzero_si512();
    }
    for (int j = 0; j < layers.hidden; j += 2 * CHAINS) {
        const __m512i four =
            _mm512_broadcast_i32x4(_mm_load_si128(reinterpret_cast<const __m128i*>(units + j)));
        const std::int16_t* weights = layers.pairs + j * layers.second + 2 * first;
        const __m512i pairs[CHAINS] = {
            _mm512_shuffle_epi32(four, _MM_PERM_AAAA), _mm512_shuffle_epi32(four, _MM_PERM_BBBB),
            _mm512_shuffle_epi32(four, _MM_PERM_CCCC), _mm512_shuffle_epi32(four, _MM_PERM_DDDD)};
        for (int chain = 0; chain < CHAINS; ++chain)
            for (int v = 0; v < Vectors; ++v)
                sums[chain][v] = _mm512_dpwssd_epi32(
                    sums[chain][v], pairs[chain],
                    _mm512_load_si512(weights + 2 * chain * layers.second + 32 * v));
    }
    const __m512i zero = _mm512_setzero_si512(), full = _mm512_set1_epi32(FULL);
    __m512i total = zero;
    for (int v = 0; v < Vectors; ++v) {
        const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(sums[0][v], sums[1][v]),
                                             _mm512_add_epi32(sums[2][v], sums[3][v]));
        const __m512i unit =
            _mm512_min_epi32(_mm512_max_epi32(_mm512_srai_epi32(sum, SECOND_SHIFT), zero), full);
        total = _mm512_add_epi32(
            total, _mm512_mullo_epi32(unit, _mm512_load_si512(layers.output + first + 16 * v)));
    }
    return total;
}

CROSSBOARD_AVX512 std::int32_t forward_avx512(const Layers& layers, const Pieces& pieces) {
    alignas(64) std::array<std::int16_t, NetSize::MOST_HIDDEN> units;
    int column = 0;
    for (; column + 128 <= layers.hidden; column += 128)
        sum_rows_512<4>(layers, pieces, column, units.data());
    for (; column < layers.hidden; column += 32)
        sum_rows_512<1>(layers, pieces, column, units.data());
    __m512i total = _mm512_setzero_si512();
    int first = 0;
    for (; first + 32 <= layers.second; first += 32)
        total = _mm512_add_epi32(total, sum_pairs_512<2>(layers, units.data(), first));
    for (; first < layers.second; first += 16)
        total = _mm512_add_epi32(total, sum_pairs_512<1>(layers, units.data(), first));
    return _mm512_reduce_add_epi32(total) + layers.output_bias + FULL * pieces.direct;
}

#endif

}  // namespace

const std::vector<Way>& ways() {
    static const std::vector<Way> found = [] {
        std::vector<Way> list;
#ifdef CROSSBOARD_VECTORS
        if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
            __builtin_cpu_supports("avx512vnni"))
            list.push_back({"avx512", forward_avx512});
        if (__builtin_cpu_supports("avx2")) list.push_back({"avx2", forward_avx2});
#endif
        list.push_back({"plain", forward_plain});
        return list;
    }();
    return found;
}

}  // namespace crossboard::small_net
