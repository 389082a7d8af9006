// The first program of the README, cut down to what tells whether the package is whole.
#include <throng/throng.hpp>
#include <vector>

int main() {
    std::vector<float> x{1, 2, 9}, y{1, 1, 9}, half{1, 1, 1};

    throng::Engine engine;
    if (!engine.update(throng::Boxes::centre_half(x, y, half, half))) return 1;
    throng::PairList touching;
    if (!engine.frame().pairs(touching)) return 1;
    return touching.size() == 1 ? 0 : 1;
}
