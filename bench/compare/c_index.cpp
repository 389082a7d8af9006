// The engine as a C host has it: through throng.h and the shared library, on one thread.
#include <algorithm>
#include <cmath>
#include <string>

#include "bench/common/failures.hpp"
#include "bench/compare/index.hpp"
#include "throng.h"

namespace throng::bench {

namespace {

void check(std::int32_t status, const char* call) {
    if (status != THRONG_OK) throw std::runtime_error(std::string(call) + ": " + throng_status_text(status));
}

void* allocate(void* memory, std::uint64_t bytes, std::uint64_t alignment) {
    return static_cast<MemoryResource*>(memory)->allocate(static_cast<std::size_t>(bytes),
                                                          static_cast<std::size_t>(alignment));
}
void deallocate(void* memory, void* block, std::uint64_t bytes, std::uint64_t alignment) {
    static_cast<MemoryResource*>(memory)->deallocate(block, static_cast<std::size_t>(bytes),
                                                     static_cast<std::size_t>(alignment));
}

throng_box box_of(const workload::Rect& r) { return {r.x0, r.y0, r.x1, r.y1}; }

class CIndex final : public Index {
public:
    explicit CIndex(const Setup& setup) : found_(setup.agents) {
        throng_engine_config config;
        throng_engine_config_init(&config);
        config.serial = setup.threads == 1;
        const std::string isa = to_string(setup.isa);
        config.isa = setup.isa == Isa::automatic ? nullptr : isa.c_str();
        if (setup.memory != nullptr) {
            config.allocate = allocate;
            config.deallocate = deallocate;
            config.memory_context = setup.memory;
        }
        check(throng_engine_create(&config, &engine_, nullptr), "throng_engine_create");
        check(throng_pairs_create(engine_, &pairs_, nullptr), "throng_pairs_create");
        check(throng_hits_create(engine_, &hits_, nullptr), "throng_hits_create");
        check(throng_neighbours_create(engine_, &lists_, nullptr), "throng_neighbours_create");
        threads_ = setup.threads;
    }
    ~CIndex() override {
        throng_neighbours_destroy(lists_);
        throng_hits_destroy(hits_);
        throng_pairs_destroy(pairs_);
        throng_frame_release(frame_);
        throng_engine_destroy(engine_);
    }

    bool can(Ability ability) const override {
        switch (ability) {
        case Ability::allocations:
        case Ability::casts:
        case Ability::neighbours:
        case Ability::only_arrays:
        case Ability::single_calls:
        case Ability::single_casts: return true;
        default: return false;
        }
    }
    unsigned threads() const override { return threads_; }
    const char* instruction_set() const override { return throng_engine_isa(engine_); }
    std::size_t bytes() const override {
        throng_memory_report report;
        throng_memory_report_init(&report);
        check(throng_engine_memory(engine_, &report, nullptr), "throng_engine_memory");
        return static_cast<std::size_t>(report.rows + report.history + report.tables + report.agents +
                                        report.staged + report.scratch);
    }

    void update(const workload::World& w) override {
        throng_boxes boxes;
        throng_boxes_init(&boxes);
        throng_boxes_centre_half(&boxes, w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size(), 0);
        publish(boxes);
    }
    void update_places(const workload::World& w) override {
        throng_boxes boxes;
        throng_boxes_init(&boxes);
        throng_boxes_points(&boxes, w.x.data(), w.y.data(), 0, w.size(), 0);
        publish(boxes);
    }
    void find_pairs() override {
        check(throng_frame_pairs(frame_, nullptr, pairs_, nullptr), "throng_frame_pairs");
    }
    workload::Checksum pairs() const override {
        std::uint64_t count = 0;
        const throng_pair* all = throng_pairs_get(pairs_, &count);
        workload::Checksum sum;
        for (const throng_pair& pair : std::span(all, count)) sum.pair(pair.a, pair.b);
        return sum;
    }

    void answer(const std::vector<workload::Rect>& queries) override {
        throng_boxes boxes;
        throng_boxes_init(&boxes);
        if (!queries.empty()) {
            const workload::Rect& first = queries.front();
            throng_boxes_min_max(&boxes, &first.x0, &first.y0, &first.x1, &first.y1, queries.size(),
                                 sizeof first);
        }
        check(throng_frame_overlaps_of(frame_, &boxes, nullptr, hits_, nullptr), "throng_frame_overlaps_of");
    }
    workload::Checksum answers() const override {
        std::uint64_t count = 0;
        const std::uint32_t* ids = throng_hits_ids(hits_, &count);
        workload::Checksum sum;
        for (const std::uint32_t id : std::span(ids, count)) sum.hit(id);
        return sum;
    }
    std::uint64_t search(const workload::Rect& query) override {
        const throng_box box = box_of(query);
        std::uint64_t total = 0;
        check(throng_frame_overlaps(frame_, &box, nullptr, found_.data(), found_.size(), &total, nullptr),
              "throng_frame_overlaps");
        written_ = std::min<std::size_t>(static_cast<std::size_t>(total), found_.size());
        return total;
    }
    std::span<const std::uint32_t> searched() const override { return std::span(found_).first(written_); }
    std::uint64_t count(const workload::Rect& query) override {
        const throng_box box = box_of(query);
        std::uint64_t total = 0;
        check(throng_frame_count(frame_, &box, nullptr, &total, nullptr), "throng_frame_count");
        return total;
    }
    void search_singly(std::span<const workload::Rect> queries, workload::Checksum* sum) override {
        for (const workload::Rect& query : queries) {
            search(query);
            if (sum != nullptr)
                for (const std::uint32_t id : searched()) sum->hit(id);
        }
    }

    void find_within(float radius, bool half, std::uint32_t) override {
        throng_within wanted;
        throng_within_init(&wanted);
        wanted.radius = radius;
        wanted.half = half;
        check(throng_frame_neighbours_within(frame_, &wanted, nullptr, lists_, nullptr),
              "throng_frame_neighbours_within");
    }
    void find_nearest(std::uint32_t most, std::uint32_t) override {
        throng_nearest wanted;
        throng_nearest_init(&wanted);
        wanted.count = most;
        wanted.distances = 1;
        check(throng_frame_neighbours_nearest(frame_, &wanted, nullptr, lists_, nullptr),
              "throng_frame_neighbours_nearest");
    }
    workload::Checksum within(bool half) const override {
        workload::Checksum sum;
        const std::span offsets = list_offsets();
        const std::span ids = list_ids();
        for (std::uint32_t i = 0; i + 1 < offsets.size(); ++i)
            for (std::uint64_t at = offsets[i]; at < offsets[i + 1]; ++at) {
                if (half)
                    sum.pair(i, ids[at]);
                else
                    sum.directed(i, ids[at]);
            }
        return sum;
    }
    workload::Checksum nearest() const override {
        workload::Checksum sum;
        const std::span offsets = list_offsets();
        const std::span ids = list_ids();
        const float* squared = throng_neighbours_squared_distances(lists_, nullptr);
        for (std::uint64_t i = 0; i + 1 < offsets.size(); ++i)
            for (std::uint64_t at = offsets[i], k = 0; at < offsets[i + 1]; ++at, ++k)
                sum.found(i * 8 + k, ids[at], std::sqrt(squared[at]));
        return sum;
    }

    void prepare_casts(const std::vector<workload::Ray>& rays, float half) override {
        casts_.clear();
        for (const workload::Ray& r : rays)
            casts_.push_back({r.x - half, r.y - half, r.x + half, r.y + half, r.dx, r.dy, 0});
        hits_of_casts_.resize(casts_.size());
        blocked_.resize(casts_.size());
    }
    void find_first_hits() override {
        check(throng_frame_first_hits_of(frame_, casts_.data(), casts_.size(), nullptr, hits_of_casts_.data(),
                                         hits_of_casts_.size(), nullptr),
              "throng_frame_first_hits_of");
    }
    void find_blocked() override {
        check(throng_frame_blocked_of(frame_, casts_.data(), casts_.size(), nullptr, blocked_.data(),
                                      blocked_.size(), nullptr),
              "throng_frame_blocked_of");
    }
    void find_first_hits_singly() override {
        for (std::size_t i = 0; i < casts_.size(); ++i)
            check(throng_frame_first_hit(frame_, &casts_[i], nullptr, &hits_of_casts_[i], nullptr),
                  "throng_frame_first_hit");
    }
    void find_blocked_singly() override {
        for (std::size_t i = 0; i < casts_.size(); ++i) {
            std::int32_t blocked = 0;
            check(throng_frame_blocked(frame_, &casts_[i], nullptr, &blocked, nullptr),
                  "throng_frame_blocked");
            blocked_[i] = blocked != 0;
        }
    }
    std::span<const CastHit> first_hits() const override {
        told_.clear();
        for (const throng_cast_hit& hit : hits_of_casts_)
            told_.push_back({hit.id, hit.fraction, hit.is_static});
        return told_;
    }
    std::span<const std::uint8_t> blocked() const override { return blocked_; }

private:
    void publish(const throng_boxes& boxes) {
        check(throng_engine_update(engine_, &boxes, nullptr, nullptr), "throng_engine_update");
        check(throng_engine_frame(engine_, &frame_, nullptr), "throng_engine_frame");
    }

    std::span<const std::uint64_t> list_offsets() const {
        std::uint64_t count = 0;
        const std::uint64_t* offsets = throng_neighbours_offsets(lists_, &count);
        return {offsets, static_cast<std::size_t>(count)};
    }
    std::span<const std::uint32_t> list_ids() const {
        std::uint64_t count = 0;
        const std::uint32_t* ids = throng_neighbours_ids(lists_, &count);
        return {ids, static_cast<std::size_t>(count)};
    }

    unsigned threads_ = 1;
    throng_engine* engine_ = nullptr;
    throng_frame* frame_ = nullptr;
    throng_pairs* pairs_ = nullptr;
    throng_hits* hits_ = nullptr;
    throng_neighbours* lists_ = nullptr;
    std::vector<std::uint32_t> found_;
    std::size_t written_ = 0;
    std::vector<throng_cast> casts_;
    std::vector<throng_cast_hit> hits_of_casts_;
    mutable std::vector<CastHit> told_;
    std::vector<std::uint8_t> blocked_;
};

}  // namespace

std::unique_ptr<Index> make_c_index(const Setup& setup) { return std::make_unique<CIndex>(setup); }

}  // namespace throng::bench
