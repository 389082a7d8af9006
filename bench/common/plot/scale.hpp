// One axis of a chart: which numbers it shows, and where on the picture they lie.
#pragma once

#include <vector>

namespace throng::picture {

class Scale {
public:
    // From values to pixels; `first` may be greater than `last`, as it is upwards.
    Scale(bool logarithmic, double low, double high, double first, double last);

    double place(double value) const;
    // Round numbers from end to end, about as many as asked for.
    std::vector<double> ticks(int wanted) const;

private:
    std::vector<double> linear_ticks(int wanted) const;
    std::vector<double> logarithmic_ticks(int wanted) const;

    bool logarithmic_;
    double low_, high_, first_, last_;
};

}  // namespace throng::picture
