// Boxes as one of Embree's user geometries, a unit deep: the third dimension that it needs and no query
// uses. Only what the `embree` indexes need of Embree 3.
#pragma once

#include <embree3/rtcore.h>

#include <atomic>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "worlds/workload/workload.hpp"

namespace throng::bench {

class EmbreeDevice {
public:
    explicit EmbreeDevice(unsigned threads)
        : device_(rtcNewDevice(("threads=" + std::to_string(threads)).c_str())) {
        check("making the device");
        rtcSetDeviceMemoryMonitorFunction(device_, note_memory, &bytes_);
    }
    EmbreeDevice(const EmbreeDevice&) = delete;
    EmbreeDevice& operator=(const EmbreeDevice&) = delete;
    ~EmbreeDevice() {
        rtcSetDeviceMemoryMonitorFunction(device_, nullptr, nullptr);
        rtcReleaseDevice(device_);
    }

    RTCDevice get() const { return device_; }
    std::size_t bytes() const { return static_cast<std::size_t>(bytes_.load()); }

    // Throws if anything failed since the last call.
    void check(const char* what) const {
        const RTCError error = rtcGetDeviceError(device_);
        if (error != RTC_ERROR_NONE)
            throw std::runtime_error(std::string("Embree, ") + what + ": error " + std::to_string(error));
    }

private:
    static bool note_memory(void* bytes, ssize_t more, bool) {
        *static_cast<std::atomic<std::ptrdiff_t>*>(bytes) += more;
        return true;
    }

    std::atomic<std::ptrdiff_t> bytes_{0};
    RTCDevice device_;
};

class BoxScene {
public:
    // How the tree follows the boxes: RTC_BUILD_QUALITY_REFIT keeps its form for as long as their number is
    // the same, RTC_BUILD_QUALITY_LOW builds another one quickly.
    BoxScene(const EmbreeDevice& device, RTCBuildQuality quality)
        : device_(device),
          scene_(rtcNewScene(device.get())),
          geometry_(rtcNewGeometry(device.get(), RTC_GEOMETRY_TYPE_USER)) {
        rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_LOW);
        rtcSetGeometryBuildQuality(geometry_, quality);
        rtcSetGeometryBoundsFunction(geometry_, bounds, nullptr);
        rtcAttachGeometryByID(scene_, geometry_, 0);
        device_.check("making a scene");
    }
    BoxScene(const BoxScene&) = delete;
    BoxScene& operator=(const BoxScene&) = delete;
    ~BoxScene() {
        rtcReleaseGeometry(geometry_);
        rtcReleaseScene(scene_);
    }

    RTCScene get() const { return scene_; }
    std::span<const workload::Rect> boxes() const { return boxes_; }

    // Room for that many boxes, to be written before the next commit.
    std::span<workload::Rect> resize(std::size_t count) {
        if (count != boxes_.size()) {
            boxes_.resize(count);
            rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(count));
        }
        rtcSetGeometryUserData(geometry_, boxes_.data());
        return boxes_;
    }
    void commit() {
        rtcCommitGeometry(geometry_);
        rtcCommitScene(scene_);
        device_.check("committing a scene");
    }

private:
    static void bounds(const RTCBoundsFunctionArguments* wanted) {
        const workload::Rect& box =
            static_cast<const workload::Rect*>(wanted->geometryUserPtr)[wanted->primID];
        RTCBounds& out = *wanted->bounds_o;
        out.lower_x = box.x0;
        out.lower_y = box.y0;
        out.lower_z = 0;
        out.upper_x = box.x1;
        out.upper_y = box.y1;
        out.upper_z = 1;
    }

    const EmbreeDevice& device_;
    RTCScene scene_;
    RTCGeometry geometry_;
    std::vector<workload::Rect> boxes_;
};

}  // namespace throng::bench
