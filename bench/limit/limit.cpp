// limit: what a bare special case reaches, as the mark for the engine's public API to beat.
//
// One uniform row grid, no handles, no filters, no giants, no mixed sizes, no error checks: agents are
// counting-sorted first into rows, then inside each row by column, so that the cells c0..c1 of a row are
// one contiguous run which one SIMD loop tests. Rows are independent, so each pass is a parallel_for over
// rows. Rows are several times taller than cells are wide: then most agents' partners are among the few that
// follow them in their own row (one unaligned vector, no branch), and only those near the row's lower edge
// look into the row below.
//
//   g++ -O3 -march=native -std=c++20 -I../.. limit.cpp -o limit -ltbb
//   ./limit SCENARIO N THREADS [CELL=1.25] [ROW=6]
//
// The scenario is crowd or clustered; a cell must not be narrower than the largest agent.
// Prints, as JSON lines: frame.update, frame.pairs, frame, T2 (random order, packets sorted here, all
// counted), T2c (coherent order), T3, and copy (the cost of only streaming the agents' 20 bytes once, on one
// thread).
#include <immintrin.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <bit>
#include <cstring>

#include "worlds/workload/workload.hpp"

using namespace workload;
using u32 = std::uint32_t;

// Eight lanes: AVX2. The pair pass uses them everywhere: a window of partners is short, and a 256-bit
// unaligned load crosses half as many cache lines.
struct Eight {
    static constexpr u32 W = 8;
    __m256 x0, y0, x1, y1;
    Eight(float a, float b, float c, float d)
        : x0(_mm256_set1_ps(a)), y0(_mm256_set1_ps(b)), x1(_mm256_set1_ps(c)), y1(_mm256_set1_ps(d)) {}
    u32 overlap(const float* bx0, const float* by0, const float* bx1, const float* by1) const {
        const __m256 x = _mm256_and_ps(_mm256_cmp_ps(_mm256_loadu_ps(bx0), x1, _CMP_LE_OQ),
                                       _mm256_cmp_ps(x0, _mm256_loadu_ps(bx1), _CMP_LE_OQ));
        const __m256 y = _mm256_and_ps(_mm256_cmp_ps(_mm256_loadu_ps(by0), y1, _CMP_LE_OQ),
                                       _mm256_cmp_ps(y0, _mm256_loadu_ps(by1), _CMP_LE_OQ));
        return u32(_mm256_movemask_ps(_mm256_and_ps(x, y)));
    }
    struct Table {
        alignas(64) unsigned char lane[256][8];
        constexpr Table() : lane{} {
            for (int m = 0; m < 256; ++m) {
                int k = 0;
                for (int b = 0; b < 8; ++b)
                    if (m >> b & 1) lane[m][k++] = (unsigned char)b;
            }
        }
    };
    static void pack(u32* out, const u32* ids, u32 m);
    static void fill(u32* out, u32 id) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_set1_epi32(int(id)));
    }
};
constexpr Eight::Table table;
inline void Eight::pack(u32* out, const u32* ids, u32 m) {
    const __m256i lanes =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(table.lane[m])));
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(out),
        _mm256_permutevar8x32_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(ids)), lanes));
}
#if defined(__AVX512F__)
// Sixteen lanes: AVX-512. Searches use them: their runs are long.
struct Sixteen {
    static constexpr u32 W = 16;
    __m512 x0, y0, x1, y1;
    Sixteen(float a, float b, float c, float d)
        : x0(_mm512_set1_ps(a)), y0(_mm512_set1_ps(b)), x1(_mm512_set1_ps(c)), y1(_mm512_set1_ps(d)) {}
    u32 overlap(const float* bx0, const float* by0, const float* bx1, const float* by1) const {
        __mmask16 m = _mm512_cmp_ps_mask(_mm512_loadu_ps(bx0), x1, _CMP_LE_OQ);
        m = _mm512_mask_cmp_ps_mask(m, x0, _mm512_loadu_ps(bx1), _CMP_LE_OQ);
        m = _mm512_mask_cmp_ps_mask(m, _mm512_loadu_ps(by0), y1, _CMP_LE_OQ);
        return _mm512_mask_cmp_ps_mask(m, y0, _mm512_loadu_ps(by1), _CMP_LE_OQ);
    }
    static void pack(u32* out, const u32* ids, u32 m) {
        const __m512i v = _mm512_loadu_si512(ids);
        _mm512_storeu_si512(out, _mm512_mask_compress_epi32(v, __mmask16(m), v));
    }
};
using Wide = Sixteen;
#else
using Wide = Eight;
#endif

struct Grid {
    struct Binned {
        float x0, y0, x1, y1;
        u32 id, col;
    };
    float inv = 0, inv_row = 0, reach = 0.5f;  // reach: the largest half extent
    int cols = 0, rows = 0, chunks = 0;
    std::size_t n = 0;
    std::vector<u32> histogram, row_begin, cell_begin, order, id;
    std::vector<float> x0, y0, x1, y1;
    std::vector<Binned> binned;

    Grid(float side, std::size_t count, float cell, float row_height, int chunk_count)
        : inv(1 / cell), inv_row(1 / row_height), chunks(chunk_count), n(count) {
        cols = int(side * inv) + 1;
        rows = int(side * inv_row) + 1;
        histogram.resize(std::size_t(chunks) * rows);
        row_begin.resize(rows + 1);
        cell_begin.resize(std::size_t(rows) * (cols + 1));
        for (auto* v : {&x0, &y0, &x1, &y1}) v->assign(n + 64, NAN);
        id.assign(n + 64, ~0u);
        binned.resize(n);
        order.resize(n);
    }
    int row(float y) const { return int(y * inv_row); }
    int col(float x) const { return int(x * inv); }

    void update(const World& w) {
        const std::size_t step = (n + chunks - 1) / chunks;
        auto each_chunk = [&](auto&& f) {
            tbb::parallel_for(0, chunks, [&](int k) {
                u32* h = &histogram[std::size_t(k) * rows];
                f(h, k * step, std::min(n, (k + 1) * step));
            });
        };
        each_chunk([&](u32* h, std::size_t b, std::size_t e) {
            std::fill(h, h + rows, 0u);
            for (std::size_t i = b; i < e; ++i) ++h[row(w.y[i])];
        });
        u32 sum = 0;
        for (int r = 0; r < rows; ++r) {
            row_begin[r] = sum;
            for (int k = 0; k < chunks; ++k) {
                u32& h = histogram[std::size_t(k) * rows + r];
                const u32 c = h;
                h = sum;
                sum += c;
            }
        }
        row_begin[rows] = sum;
        each_chunk([&](u32* h, std::size_t b, std::size_t e) {
            for (std::size_t i = b; i < e; ++i)
                binned[h[row(w.y[i])]++] = {w.x[i] - w.hx[i], w.y[i] - w.hy[i], w.x[i] + w.hx[i],
                                            w.y[i] + w.hy[i], u32(i),           u32(w.x[i] * inv)};
        });
        tbb::parallel_for(tbb::blocked_range<int>(0, rows, 8), [&](auto& range) {
            for (int r = range.begin(); r < range.end(); ++r) sort_row(r);
        });
    }
    // Counting sort by column: first the order, then the records are read in that order, four at a time, and
    // transposed into the row's arrays.
    void sort_row(int r) {
        u32 *c = &cell_begin[std::size_t(r) * (cols + 1)], *p = &order[row_begin[r]];
        const u32 a = row_begin[r], count = row_begin[r + 1] - a;
        const Binned* from = &binned[a];
        std::fill(c, c + cols + 1, 0u);
        for (u32 k = 0; k < count; ++k) ++c[from[k].col];
        u32 sum = 0;
        for (int q = 0; q <= cols; ++q) {
            const u32 t = c[q];
            c[q] = sum;
            sum += t;
        }
        for (u32 k = 0; k < count; ++k) p[c[from[k].col]++] = k;
        for (int q = cols; q > 0; --q) c[q] = c[q - 1] + a;
        c[0] = a;
        float *ox0 = &x0[a], *oy0 = &y0[a], *ox1 = &x1[a], *oy1 = &y1[a];
        u32* oid = &id[a];
        u32 i = 0;
        for (; i + 4 <= count; i += 4) {
            const Binned *s = &from[p[i]], *t = &from[p[i + 1]], *u = &from[p[i + 2]], *v = &from[p[i + 3]];
            __m128 m0 = _mm_loadu_ps(&s->x0), m1 = _mm_loadu_ps(&t->x0), m2 = _mm_loadu_ps(&u->x0),
                   m3 = _mm_loadu_ps(&v->x0);
            _MM_TRANSPOSE4_PS(m0, m1, m2, m3);
            _mm_storeu_ps(ox0 + i, m0);
            _mm_storeu_ps(oy0 + i, m1);
            _mm_storeu_ps(ox1 + i, m2);
            _mm_storeu_ps(oy1 + i, m3);
            oid[i] = s->id;
            oid[i + 1] = t->id;
            oid[i + 2] = u->id;
            oid[i + 3] = v->id;
        }
        for (; i < count; ++i) {
            const Binned& s = from[p[i]];
            ox0[i] = s.x0;
            oy0[i] = s.y0;
            ox1[i] = s.x1;
            oy1[i] = s.y1;
            oid[i] = s.id;
        }
    }
    template <class Q, class Hit>
    void test(u32 b, u32 e, const Q& q, Hit&& hit) const {
        for (u32 j = b; j < e; j += Q::W) {
            u32 m = q.overlap(&x0[j], &y0[j], &x1[j], &y1[j]);
            if (e - j < Q::W) m &= (1u << (e - j)) - 1;
            hit(j, m);
        }
    }
    // Three passes over each row: every agent against the W that follow it; what is left of overfull cells;
    // and the agents near the lower edge against three cells of the row below.
    std::size_t pairs(int r0, int r1, std::vector<u32>& out_a, std::vector<u32>& out_b,
                      std::vector<u32>& edge) const {
        constexpr u32 W = Eight::W;
        std::size_t o = 0;
        auto room = [&](std::size_t more) {
            if (out_a.size() < o + more + 2 * W) {
                out_a.resize(2 * (o + more + 2 * W));
                out_b.resize(out_a.size());
            }
        };
        auto emit = [&](u32 i, u32 j, u32 m) {
            Eight::pack(out_b.data() + o, &id[j], m);
            Eight::fill(out_a.data() + o, id[i]);
            o += std::popcount(m);
        };
        auto against = [&](u32 i, u32 b, u32 e) {
            room(e - b);
            test(b, e, Eight(x0[i], y0[i], x1[i], y1[i]), [&](u32 j, u32 m) { emit(i, j, m); });
        };
        for (int r = r0; r < r1; ++r) {
            const u32 *c = &cell_begin[std::size_t(r) * (cols + 1)], b = c[0], e = c[cols];
            room(std::size_t(e - b) * W);
            const float lower = (r + 1) / inv_row - reach;
            if (edge.size() < e - b + W) edge.resize(2 * (e - b + W));
            u32 edges = 0;
            u32 *pa = out_a.data(), *pb = out_b.data();
            for (u32 i = b; i < e; ++i) {
                u32 m =
                    Eight(x0[i], y0[i], x1[i], y1[i]).overlap(&x0[i + 1], &y0[i + 1], &x1[i + 1], &y1[i + 1]);
                if (i + W + 1 > e) [[unlikely]]
                    m &= (1u << (e - i - 1)) - 1;
                Eight::pack(pb + o, &id[i + 1], m);
                Eight::fill(pa + o, id[i]);
                o += std::popcount(m);
                edge[edges] = i;
                edges += y1[i] >= lower;
            }
            for (int q = 0; q < cols; ++q)
                if (const u32 end = c[std::min(q + 2, cols)]; end > c[q] + W + 1) [[unlikely]]
                    for (u32 i = c[q]; i < c[q + 1]; ++i)
                        if (end > i + W + 1) against(i, i + W + 1, end);
            if (r + 1 == rows) continue;
            const u32* d = c + cols + 1;
            for (u32 k = 0; k < edges; ++k) {
                const u32 i = edge[k];
                const int q = col((x0[i] + x1[i]) * 0.5f);
                against(i, d[std::max(q - 1, 0)], d[std::min(q + 2, cols)]);
            }
        }
        return o;
    }
    std::size_t query(const Rect& r, u32* out) const {
        std::size_t o = 0;
        const int r0 = std::max(0, row(r.y0 - reach)), r1 = std::min(rows - 1, row(r.y1 + reach)),
                  c0 = std::max(0, col(r.x0 - reach)), c1 = std::min(cols - 1, col(r.x1 + reach));
        const Wide q(r.x0, r.y0, r.x1, r.y1);
        for (int y = r0; y <= r1; ++y) {
            const u32* c = &cell_begin[std::size_t(y) * (cols + 1)];
            test(c[c0], c[c1 + 1], q, [&](u32 j, u32 m) {
                Wide::pack(out + o, &id[j], m);
                o += std::popcount(m);
            });
        }
        return o;
    }
};

int main(int argc, char** argv) {
    const std::string scenario = argc > 1 ? argv[1] : "crowd";
    const std::size_t n = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000000;
    const int threads = argc > 3 ? std::atoi(argv[3]) : 1;
    const float cell = argc > 4 ? float(std::atof(argv[4])) : 1.25f,
                row_height = argc > 5 ? float(std::atof(argv[5])) : 6.0f;
    tbb::global_control limit_threads(tbb::global_control::max_allowed_parallelism, threads);
    World w = make(scenario, n);
    Grid g(w.side, n, cell, row_height, threads * 4);
    const int block = 4, blocks = (g.rows + block - 1) / block;
    std::vector<std::vector<u32>> a(blocks), b(blocks), edge(blocks);
    std::vector<std::size_t> found(blocks);
    std::vector<double> t_update, t_pairs, t_frame;
    Checksum at3;
    for (int f = 1; f <= 13; ++f) {
        w.step();
        const double t0 = now();
        g.update(w);
        const double t1 = now();
        tbb::parallel_for(0, blocks, [&](int k) {
            found[k] = g.pairs(k * block, std::min(g.rows, (k + 1) * block), a[k], b[k], edge[k]);
        });
        const double t2 = now();
        if (f > 3) {
            t_update.push_back((t1 - t0) * 1e3);
            t_pairs.push_back((t2 - t1) * 1e3);
            t_frame.push_back((t2 - t0) * 1e3);
        }
        if (f == 3)
            for (int k = 0; k < blocks; ++k)
                for (std::size_t i = 0; i < found[k]; ++i) at3.pair(a[k][i], b[k][i]);
    }
    report("limit", "pairs@3", scenario, n, threads, 0, at3);
    report("limit", "frame.update", scenario, n, threads, median(t_update), {});
    report("limit", "frame.pairs", scenario, n, threads, median(t_pairs), {});
    report("limit", "frame", scenario, n, threads, median(t_frame), {});

    // Packets: the queries are binned like the agents, by row and then by column, and each row's are answered
    // together, so that neighbours in the batch touch the same few runs. The answers stay in that order (with
    // the queries' numbers beside them). The coherent batch needs no binning.
    struct Ask {
        Rect r;
        u32 number, col;
    };
    for (bool coherent : {false, true}) {
        const auto q = neighbourhoods(w, coherent);
        const int pieces = coherent ? 64 : g.rows;
        std::vector<Ask> binned(q.size()), sorted(q.size());
        std::vector<u32> begin(pieces + 1);
        std::vector<std::vector<u32>> out(pieces);
        std::vector<std::size_t> total(pieces);
        std::vector<double> t;
        auto row_of = [&](const Rect& r) { return std::clamp(g.row(r.y0), 0, g.rows - 1); };
        for (int rep = 0; rep < 5; ++rep) {
            const double t0 = now();
            if (coherent)
                for (int k = 0; k <= pieces; ++k) begin[k] = u32(q.size() * k / pieces);
            else {
                std::vector<u32> at(pieces + 1);
                for (auto& r : q) ++at[row_of(r) + 1];
                for (int k = 0; k < pieces; ++k) at[k + 1] += at[k];
                begin = at;
                for (std::size_t i = 0; i < q.size(); ++i)
                    binned[at[row_of(q[i])]++] = {q[i], u32(i),
                                                  u32(std::clamp(g.col(q[i].x0), 0, g.cols - 1))};
            }
            tbb::parallel_for(0, pieces, [&](int k) {
                if (!coherent) {
                    std::vector<u32> at(g.cols + 1);
                    for (u32 i = begin[k]; i < begin[k + 1]; ++i) ++at[binned[i].col + 1];
                    for (int c = 0; c < g.cols; ++c) at[c + 1] += at[c];
                    for (u32 i = begin[k]; i < begin[k + 1]; ++i)
                        sorted[begin[k] + at[binned[i].col]++] = binned[i];
                }
                std::size_t o = 0;
                for (u32 i = begin[k]; i < begin[k + 1]; ++i) {
                    if (out[k].size() < o + 4096) out[k].resize(2 * (o + 4096));
                    o += g.query(coherent ? q[i] : sorted[i].r, out[k].data() + o);
                }
                total[k] = o;
            });
            t.push_back((now() - t0) * 1e3);
        }
        Checksum s;
        for (int k = 0; k < pieces; ++k)
            for (std::size_t i = 0; i < total[k]; ++i) s.hit(out[k][i]);
        report("limit", coherent ? "T2c" : "T2", scenario, n, threads, median(t), s);
    }
    {
        const auto q = large_queries(w);
        std::vector<u32> out(n + 64);
        std::vector<double> t;
        Checksum s;
        for (int rep = 0; rep < 3; ++rep) {
            const double t0 = now();
            s.count = 0;
            for (auto& r : q) s.count += g.query(r, out.data());
            t.push_back((now() - t0) * 1e3);
        }
        report("limit", "T3", scenario, n, 1, median(t), s);
    }
    {
        std::vector<char> from(n * 20, 1), to(n * 20);
        std::vector<double> t;
        for (int rep = 0; rep < 9; ++rep) {
            const double t0 = now();
            std::memcpy(to.data(), from.data(), from.size());
            t.push_back((now() - t0) * 1e3);
            from[rep] = to[rep + 1];
        }
        report("limit", "copy", scenario, n, 1, median(t), {});
    }
}
