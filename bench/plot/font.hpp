// A small font of our own, so that pictures can have words without a font file: 5 by 7 dots a glyph, for
// printable ASCII. Letters are as wide as they need; digits are all equally wide, so that columns of numbers
// line up.
#pragma once

#include <string_view>

namespace throng::picture {

struct Glyph {
    char letter;
    int drop;          // dots below the base line
    const char* dots;  // seven rows of five, with a blank between rows

    bool dot(int column, int row) const noexcept { return dots[row * 6 + column] == '#'; }
};

inline constexpr int glyph_rows = 7, glyph_columns = 5;

// Letters outside printable ASCII look like a question mark.
const Glyph& glyph(char letter) noexcept;

// The columns that a letter uses: the first, and how many.
struct Extent {
    int first, count;
};
Extent extent(const Glyph& glyph) noexcept;

// How many dots wide a line of text is, one blank column after each letter but the last.
int text_width(std::string_view text) noexcept;

}  // namespace throng::picture
