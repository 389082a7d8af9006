// Rays and moving boxes in Embree: rtcIntersect1 and rtcOccluded1 on boxes as user geometry, whose own test
// is the one that throng/queries/casts.hpp defines. A box that moves is a ray among boxes that are larger by
// it.
//
// Each at its kindest: the scene is built once, of the best quality, and the rays are sorted by where they
// start, with the flag for coherent rays; neither is timed. Embree may find another agent than the engine, or
// none, for a ray that grazes a corner, and among agents that hold the start any of them. So only times are
// compared, not answers.
#pragma once

#include <embree3/rtcore.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "bench/compare/embree_scene.hpp"
#include "throng/queries/casts.hpp"

namespace throng::bench {

class EmbreeCasts {
public:
    explicit EmbreeCasts(const EmbreeDevice& device) : device_(device) {}
    EmbreeCasts(const EmbreeCasts&) = delete;
    EmbreeCasts& operator=(const EmbreeCasts&) = delete;
    ~EmbreeCasts() { release(); }

    void prepare(std::span<const workload::Rect> boxes, const std::vector<workload::Ray>& rays, float half) {
        release();
        boxes_.assign(boxes.begin(), boxes.end());
        half_ = half;
        rays_ = rays;
        hits_.resize(rays.size());
        blocked_.resize(rays.size());
        sort();
        scene_ = rtcNewScene(device_.get());
        rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
        RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_HIGH);
        rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(boxes_.size()));
        rtcSetGeometryUserData(geometry, this);
        rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
        rtcSetGeometryIntersectFunction(geometry, intersect);
        rtcSetGeometryOccludedFunction(geometry, occlude);
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(scene_, geometry, 0);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene_);
        device_.check("making a scene for rays");
    }
    void find_first() {
        each_ray([&](RTCIntersectContext& context, std::uint32_t k) {
            RTCRayHit r{};
            r.ray = ray(k);
            r.hit.primID = r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(scene_, &context, &r);
            const bool hit = r.hit.primID != RTC_INVALID_GEOMETRY_ID;
            hits_[k] = {r.hit.primID, hit ? r.ray.tfar : std::numeric_limits<float>::infinity()};
        });
    }
    void find_any() {
        each_ray([&](RTCIntersectContext& context, std::uint32_t k) {
            RTCRay r = ray(k);
            rtcOccluded1(scene_, &context, &r);
            blocked_[k] = r.tfar < 0;
        });
    }
    std::span<const CastHit> hits() const { return hits_; }
    std::span<const std::uint8_t> blocked() const { return blocked_; }

private:
    void release() {
        if (scene_ != nullptr) rtcReleaseScene(scene_);
        scene_ = nullptr;
    }
    void sort() {
        order_.resize(rays_.size());
        std::iota(order_.begin(), order_.end(), 0u);
        const auto key = [&](std::uint32_t k) {
            return std::pair(static_cast<int>(rays_[k].y / 16), static_cast<int>(rays_[k].x / 16));
        };
        std::sort(order_.begin(), order_.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    }
    RTCRay ray(std::uint32_t k) const {
        RTCRay r{};
        r.org_x = rays_[k].x;
        r.org_y = rays_[k].y;
        r.org_z = 0.5f;
        r.dir_x = rays_[k].dx;
        r.dir_y = rays_[k].dy;
        r.tfar = 1;
        r.mask = ~0u;
        return r;
    }
    template <class Cast>
    void each_ray(const Cast& cast) {
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, order_.size(), 1024), [&](const auto& part) {
            RTCIntersectContext context;
            rtcInitIntersectContext(&context);
            context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
            for (std::size_t i = part.begin(); i < part.end(); ++i) cast(context, order_[i]);
        });
    }

    static void bounds(const RTCBoundsFunctionArguments* wanted) {
        const EmbreeCasts& self = *static_cast<const EmbreeCasts*>(wanted->geometryUserPtr);
        const workload::Rect& box = self.boxes_[wanted->primID];
        *wanted->bounds_o = {box.x0 - self.half_, box.y0 - self.half_, 0, 0,
                             box.x1 + self.half_, box.y1 + self.half_, 1, 0};
    }
    // Whether a ray enters a box, and when.
    bool enters(unsigned box, const RTCRay& r, float& t) const {
        const workload::Rect& b = boxes_[box];
        const float ix = 1 / r.dir_x, iy = 1 / r.dir_y;
        const bool right = r.dir_x >= 0, up = r.dir_y >= 0;
        const float before_x = b.x0 - (r.org_x + half_), behind_x = b.x1 - (r.org_x - half_);
        const float before_y = b.y0 - (r.org_y + half_), behind_y = b.y1 - (r.org_y - half_);
        t = std::max(std::max((right ? before_x : behind_x) * ix, (up ? before_y : behind_y) * iy), 0.0f);
        return t <=
               std::min(std::min((right ? behind_x : before_x) * ix, (up ? behind_y : before_y) * iy), 1.0f);
    }
    static void intersect(const RTCIntersectFunctionNArguments* a) {
        if (a->N != 1 || a->valid[0] == 0) return;
        const EmbreeCasts& self = *static_cast<const EmbreeCasts*>(a->geometryUserPtr);
        RTCRayHit& r = *reinterpret_cast<RTCRayHit*>(a->rayhit);
        float t = 0;
        if (!self.enters(a->primID, r.ray, t) ||
            !(t < r.ray.tfar || (t == r.ray.tfar && a->primID < r.hit.primID)))
            return;
        r.ray.tfar = t;
        r.hit.primID = a->primID;
        r.hit.geomID = 0;
    }
    static void occlude(const RTCOccludedFunctionNArguments* a) {
        if (a->N != 1 || a->valid[0] == 0) return;
        const EmbreeCasts& self = *static_cast<const EmbreeCasts*>(a->geometryUserPtr);
        RTCRay& r = *reinterpret_cast<RTCRay*>(a->ray);
        float t = 0;
        if (self.enters(a->primID, r, t)) r.tfar = -std::numeric_limits<float>::infinity();
    }

    const EmbreeDevice& device_;
    RTCScene scene_ = nullptr;
    std::vector<workload::Rect> boxes_;
    float half_ = 0;
    std::vector<workload::Ray> rays_;
    std::vector<std::uint32_t> order_;
    std::vector<CastHit> hits_;
    std::vector<std::uint8_t> blocked_;
};

}  // namespace throng::bench
