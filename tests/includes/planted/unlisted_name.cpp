// A fault: a name that the table does not have.
#include <vector>

std::vector<int> shifted(std::vector<int> values) {
    std::shift_left(values.begin(), values.end(), 1);
    return values;
}
