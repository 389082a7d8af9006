#include "cluster/src/partition/partition.hpp"

#include <zoltan.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cluster/src/partition/domain.hpp"

namespace throng::cluster::detail {

namespace {

using Sample = std::span<const Weighted>;

int sample_size(void* sample, int* error) {
    *error = ZOLTAN_OK;
    return static_cast<int>(static_cast<const Sample*>(sample)->size());
}

void sample_weights(void* sample, int, int, ZOLTAN_ID_PTR ids, ZOLTAN_ID_PTR, int, float* weights,
                    int* error) {
    const Sample& points = *static_cast<const Sample*>(sample);
    for (std::size_t i = 0; i < points.size(); ++i) {
        ids[i] = static_cast<ZOLTAN_ID_TYPE>(i);
        weights[i] = points[i].weight;
    }
    *error = ZOLTAN_OK;
}

int sample_dimensions(void*, int* error) {
    *error = ZOLTAN_OK;
    return 2;
}

void sample_places(void* sample, int, int, int count, ZOLTAN_ID_PTR ids, ZOLTAN_ID_PTR, int, double* places,
                   int* error) {
    const Sample& points = *static_cast<const Sample*>(sample);
    for (int i = 0; i < count; ++i) {
        const Point& place = points[ids[i]].place;
        places[2 * i] = place.x;
        places[2 * i + 1] = place.y;
    }
    *error = ZOLTAN_OK;
}

// What a part has of a world.
struct Extent {
    Extent(const Box& part, const Box& world) noexcept
        : width(std::max(0.0, std::min(double{part.max_x}, double{world.max_x}) -
                                  std::max(double{part.min_x}, double{world.min_x}))),
          height(std::max(0.0, std::min(double{part.max_y}, double{world.max_y}) -
                                   std::max(double{part.min_y}, double{world.min_y}))) {}

    double width, height;
};

constexpr std::pair<const char*, const char*> zoltan_parameters[] = {
    {"DEBUG_LEVEL", "0"},  // first of all, or Zoltan prints a line
    {"LB_METHOD", "RCB"},    {"RCB_OUTPUT_LEVEL", "0"},    {"NUM_GID_ENTRIES", "1"}, {"NUM_LID_ENTRIES", "0"},
    {"OBJ_WEIGHT_DIM", "1"}, {"RETURN_LISTS", "NONE"},     {"KEEP_CUTS", "1"},       {"RCB_REUSE", "1"},
    {"CHECK_GEOM", "0"},     {"RCB_LOCK_DIRECTIONS", "1"},  // those of the first cuts
    {"REMAP", "1"},
};

}  // namespace

Partition::~Partition() {
    if (zoltan_ != nullptr) Zoltan_Destroy(&zoltan_);
}

bool Partition::make(MPI_Comm ranks, int count) noexcept {
    // Zoltan first: all ranks do that together.
    float version = 0;
    if (Zoltan_Initialize(0, nullptr, &version) != ZOLTAN_OK) return false;
    zoltan_ = Zoltan_Create(ranks);
    if (zoltan_ == nullptr) return false;
    if (!domains_.resize_exactly(static_cast<std::size_t>(count))) return false;
    for (Box& domain : domains_) domain = no_box;
    domains_[0] = whole_plane;
    for (const auto& [name, value] : zoltan_parameters)
        if (Zoltan_Set_Param(zoltan_, name, value) != ZOLTAN_OK) return false;
    return true;
}

bool Partition::copy(const Partition& from) noexcept {
    // All ranks do that together, as it duplicates a communicator.
    if (zoltan_ != nullptr) Zoltan_Destroy(&zoltan_);
    zoltan_ = Zoltan_Copy(from.zoltan_);
    if (!domains_.resize_exactly(from.domains_.size())) return false;
    std::copy(from.domains_.begin(), from.domains_.end(), domains_.begin());
    cut_ = from.cut_;
    return zoltan_ != nullptr;
}

bool Partition::cut(Sample sample) noexcept {
    Zoltan_Set_Num_Obj_Fn(zoltan_, &sample_size, &sample);
    Zoltan_Set_Obj_List_Fn(zoltan_, &sample_weights, &sample);
    Zoltan_Set_Num_Geom_Fn(zoltan_, &sample_dimensions, &sample);
    Zoltan_Set_Geom_Multi_Fn(zoltan_, &sample_places, &sample);
    int changes = 0, id_words = 0, place_words = 0, imports = 0, exports = 0;
    ZOLTAN_ID_PTR ids = nullptr, places = nullptr, other_ids = nullptr, other_places = nullptr;
    int *ranks = nullptr, *parts = nullptr, *other_ranks = nullptr, *other_parts = nullptr;
    const int error =
        Zoltan_LB_Partition(zoltan_, &changes, &id_words, &place_words, &imports, &ids, &places, &ranks,
                            &parts, &exports, &other_ids, &other_places, &other_ranks, &other_parts);
    Zoltan_LB_Free_Part(&ids, &places, &ranks, &parts);
    Zoltan_LB_Free_Part(&other_ids, &other_places, &other_ranks, &other_parts);
    if (error != ZOLTAN_OK && error != ZOLTAN_WARN) return false;
    cut_ = true;
    return read_domains();
}

bool Partition::read_domains() noexcept {
    for (std::size_t rank = 0; rank < domains_.size(); ++rank) {
        int dimensions = 0;
        double min_x = 0, min_y = 0, min_z = 0, max_x = 0, max_y = 0, max_z = 0;
        if (Zoltan_RCB_Box(zoltan_, static_cast<int>(rank), &dimensions, &min_x, &min_y, &min_z, &max_x,
                           &max_y, &max_z) != ZOLTAN_OK)
            return false;
        domains_[rank] = plane_.part(domain_between(min_x, min_y, max_x, max_y));
    }
    return true;
}

double Partition::borders(const Box& world) const noexcept {
    double sum = 0;
    for (const Box& part : domains_) sum += Extent(part, world).width + Extent(part, world).height;
    return sum;
}

// Half as much again as the borders of squares: as if all parts were seven times as long as wide.
bool Partition::are_thin(const Box& world) const noexcept {
    double of_squares = 0;
    for (const Box& part : domains_)
        of_squares += 2 * std::sqrt(Extent(part, world).width * Extent(part, world).height);
    return borders(world) > 1.5 * of_squares;
}

int Partition::owner(const Point& place) const noexcept {
    if (!cut_) return 0;
    double places[3] = {place.x, place.y, 0};
    int rank = 0, part = 0;
    if (Zoltan_LB_Point_PP_Assign(zoltan_, places, &rank, &part) != ZOLTAN_OK) return 0;
    return part;
}

std::span<const int> Partition::touched(const Box& box, double margin, std::span<int> room) const noexcept {
    if (!cut_) {
        room[0] = 0;
        return room.first(1);
    }
    const CutInterval x = plane_.along_x(box, margin), y = plane_.along_y(box, margin);
    int* end = room.data();
    for (int k = 0; k < x.count; ++k)
        for (int l = 0; l < y.count; ++l) end += touched(x.parts[k], y.parts[l], end);
    if (x.count * y.count > 1) {
        std::sort(room.data(), end);
        end = std::unique(room.data(), end);
    }
    return {room.data(), end};
}

int Partition::touched(const Interval& x, const Interval& y, int* ranks) const noexcept {
    const auto finite = [](double number) {
        return std::clamp(number, -std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
    };
    int count = 0;
    // With as many parts as ranks, each rank has the part of its number.
    const int error = Zoltan_LB_Box_Assign(zoltan_, finite(x.min), finite(y.min), 0, finite(x.max),
                                           finite(y.max), 0, ranks, &count);
    return error == ZOLTAN_OK ? count : 0;
}

}  // namespace throng::cluster::detail
