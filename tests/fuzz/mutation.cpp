#include "fuzz/mutation.hpp"

#include "support/test.hpp"

namespace throng::fuzz {
namespace {

using test::Random;

using Place = Input::difference_type;

Place some_place(const Input& input, Random& random) {
    return static_cast<Place>(random.below(input.size() + 1));
}

void insert(Input& input, Random& random, const Input& what) {
    input.insert(input.begin() + some_place(input, random), what.begin(), what.end());
}

Input random_bytes(std::size_t count, Random& random) {
    Input bytes(count);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    return bytes;
}

// A piece of an input, and where it begins.
Input some_piece(const Input& input, Random& random) {
    const Place begin = some_place(input, random);
    const std::size_t length = std::min(input.size() - static_cast<std::size_t>(begin), random.below(64) + 1);
    return {input.begin() + begin, input.begin() + begin + static_cast<Place>(length)};
}

void erase_a_piece(Input& input, Random& random) {
    const Place begin = some_place(input, random);
    const std::size_t length = std::min(input.size() - static_cast<std::size_t>(begin), random.below(32) + 1);
    input.erase(input.begin() + begin, input.begin() + begin + static_cast<Place>(length));
}

void flip_a_bit(Input& input, Random& random) {
    if (input.empty()) return;
    const std::size_t bit = random.below(input.size() * 8);
    input[bit / 8] = static_cast<std::uint8_t>(input[bit / 8] ^ 1u << bit % 8);
}

void change_a_byte(Input& input, Random& random) {
    static constexpr std::uint8_t telling[] = {0,  1,  2,  7,   8,   15,  16,  31,
                                               32, 63, 64, 127, 128, 224, 254, 255};
    if (input.empty()) return;
    std::uint8_t& byte = input[random.below(input.size())];
    switch (random.below(3)) {
    case 0: byte = telling[random.below(std::size(telling))]; break;
    case 1: byte = static_cast<std::uint8_t>(byte + static_cast<unsigned>(random.between(-4, 4))); break;
    default: byte = static_cast<std::uint8_t>(random.next());
    }
}

void write_a_float(Input& input, Random& random) {
    using limits = std::numeric_limits<float>;
    static constexpr float telling[] = {
        0,     -0.0f,  limits::min(),      limits::denorm_min(), limits::max(),
        1,     1e-30f, limits::infinity(), limits::quiet_NaN(),  limits::lowest(),
        1e30f, 1e7f,   16777216.0f,        limits::epsilon()};
    if (input.size() < 4) return;
    const auto bits = detail::bits_as<std::uint32_t>(
        random.one_in(2) ? telling[random.below(std::size(telling))] : random.any_finite());
    const std::size_t place = random.below(input.size() - 3);
    for (unsigned k = 0; k < 4; ++k) input[place + k] = static_cast<std::uint8_t>(bits >> (8 * k));
}

// Everything up to some place of one, and everything from some place of the other.
void splice(Input& input, const Input& other, Random& random) {
    input.erase(input.begin() + some_place(input, random), input.end());
    input.insert(input.end(), other.begin() + some_place(other, random), other.end());
}

void change(Input& input, const std::vector<Input>& corpus, Random& random) {
    const Input& other = corpus.empty() ? input : corpus[random.below(corpus.size())];
    switch (random.below(10)) {
    case 0:
    case 1: return flip_a_bit(input, random);
    case 2:
    case 3:
    case 4: return change_a_byte(input, random);
    case 5: return write_a_float(input, random);
    case 6: return insert(input, random, random_bytes(1 + random.below(8), random));
    case 7: return erase_a_piece(input, random);
    case 8: return insert(input, random, some_piece(other, random));
    default: return splice(input, Input(other), random);
    }
}

}  // namespace

Input mutated(const std::vector<Input>& corpus, Random& random) {
    if (corpus.empty() || random.one_in(10)) return random_bytes(random.below(300), random);
    Input input = corpus[random.below(corpus.size())];
    for (std::size_t left = 1 + random.below(6); left > 0; --left) change(input, corpus, random);
    if (input.size() > max_bytes) input.resize(max_bytes);
    return input;
}

}  // namespace throng::fuzz
