#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "bench/common/numbers.hpp"
#include "bench/common/plot/bars.hpp"
#include "bench/common/plot/chart.hpp"
#include "bench/common/plot/scale.hpp"
#include "bench/common/plot/theme.hpp"

namespace throng::picture {

namespace {

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

class Pictures : public testing::Test {
protected:
    Pictures() { std::filesystem::create_directories(directory_); }
    ~Pictures() override {
        std::error_code ignored;
        std::filesystem::remove_all(directory_, ignored);
    }
    std::string path(const char* name) const { return directory_ + "/" + name; }

private:
    std::string directory_ = testing::TempDir() + "throng_pictures";
};

Chart some_chart() {
    return {.title = "Title",
            .subtitle = "subtitle",
            .x = {.label = "x"},
            .y = {.label = "y"},
            .lines = {{.name = "a line", .color = theme::series[0], .points = {{1, 2}, {2, 4}}}}};
}

}  // namespace

TEST_F(Pictures, AreWrittenInTheFormatOfTheirName) {
    for (const char* name : {"chart.png", "chart.svg"}) {
        Canvas canvas(path(name), 400, 300, theme::background);
        draw(canvas, {0, 0, 400, 300}, some_chart());
        canvas.write();
    }
    EXPECT_EQ(contents(path("chart.png")).substr(0, 4), "\x89PNG");
    EXPECT_NE(contents(path("chart.svg")).find("<svg"), std::string::npos);
}

TEST_F(Pictures, ShowEveryPartOfABar) {
    const Bars bars{
        .title = "Title", .axis = "axis", .parts = {"one", "two"}, .bars = {{"bar", {1, 2}, "3"}}};
    Canvas canvas(path("bars.svg"), 400, 300, theme::background);
    draw(canvas, {0, 0, 400, bars_height(1)}, bars);
    canvas.write();
    const std::string svg = contents(path("bars.svg"));
    // The first two colours of the theme, as SVG writes them: once in the row of names, and once in the bar.
    for (const char* color : {"rgb(90.196078%,62.352941%,0%)", "rgb(33.72549%,70.588235%,91.372549%)"}) {
        const std::size_t first = svg.find(color);
        ASSERT_NE(first, std::string::npos) << color;
        EXPECT_NE(svg.find(color, first + 1), std::string::npos) << color;
    }
}

TEST_F(Pictures, RefuseNamesOfOtherFormatsAndPlacesThatAreNotThere) {
    EXPECT_THROW(Canvas(path("chart.jpg"), 10, 10, theme::background), std::runtime_error);
    for (const char* name : {"missing/chart.png", "missing/chart.svg"}) {
        Canvas canvas(path(name), 10, 10, theme::background);
        EXPECT_THROW(canvas.write(), std::runtime_error) << name;
    }
}

TEST(Scale, TicksAreRoundAndInsideTheAxis) {
    const Scale linear(false, 0, 17.3, 0, 100);
    EXPECT_EQ(linear.ticks(9), (std::vector<double>{0, 2, 4, 6, 8, 10, 12, 14, 16}));
    const Scale logarithmic(true, 0.08, 150, 0, 100);
    const std::vector<double> expected{0.1, 1, 10, 100}, ticks = logarithmic.ticks(5);
    ASSERT_EQ(ticks.size(), expected.size());
    for (std::size_t i = 0; i < ticks.size(); ++i) EXPECT_DOUBLE_EQ(ticks[i], expected[i]);
}

TEST(Numbers, AreWrittenForReaders) {
    EXPECT_EQ(bench::number(1234567), "1,234,567");
    EXPECT_EQ(bench::number(-1234.5), "-1,234.5");
    EXPECT_EQ(bench::number(0.1), "0.1");
    EXPECT_EQ(bench::short_number(1200000), "1.2M");
    EXPECT_EQ(bench::short_number(9999), "9,999");
}

TEST(Numbers, TimesBelowAMillisecondAreMicroseconds) {
    EXPECT_EQ(bench::duration(0.000512), "0.51 µs");
    EXPECT_EQ(bench::duration(0.0421), "42.1 µs");
    EXPECT_EQ(bench::duration(0.9), "900 µs");
    EXPECT_EQ(bench::duration(6.904), "6.90 ms");
    EXPECT_EQ(bench::duration(143.4), "143 ms");
}

}  // namespace throng::picture
