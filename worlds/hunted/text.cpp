#include "worlds/hunted/text.hpp"

#include <charconv>
#include <cmath>
#include <concepts>
#include <iterator>
#include <limits>
#include <locale>
#include <sstream>
#include <system_error>

namespace throng::worlds {

namespace {

constexpr std::string_view version = "h1";

// The shortest text that reads back as the same number.
std::string number_text(double value) {
    char text[40];
    return {text, std::to_chars(text, std::end(text), value).ptr};
}

std::string call_text(Part part, const Call& call) {
    const Recipe& recipe = recipe_of(part, call);
    std::string text = recipe.name;
    char before = '(';
    for (std::size_t k = 0; k < recipe.named().size(); ++k) {
        if (call.values[k] == recipe.parameters[k].fallback) continue;
        text += before + std::string(recipe.parameters[k].name) + "=" + number_text(call.values[k]);
        before = ',';
    }
    return before == ',' ? text + ")" : text;
}

std::string field(Part part, const Call& call) {
    return ";" + std::string(name_of(part)) + "=" + call_text(part, call);
}

std::string layer_text(const Layer& layer) {
    std::string text = field(Part::place, layer.place);
    if (layer.size != plain(Part::size)) text += field(Part::size, layer.size);
    if (layer.at != plain(Part::at)) text += field(Part::at, layer.at);
    if (layer.share != 1) text += ";share=" + number_text(layer.share);
    return text;
}

struct Failure {
    std::string error;
    std::size_t position;
};

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    World world() {
        if (word() != version) fail("a world begins with " + std::string(version) + ";", 0);
        World world;
        world.layers.clear();
        while (at_ < text_.size()) {
            expect(';');
            one_field(world);
        }
        if (world.layers.empty()) fail("there is no layer: say place=...", at_);
        return world;
    }

private:
    [[noreturn]] static void fail(std::string error, std::size_t position) {
        throw Failure{std::move(error), position};
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void expect(char wanted) {
        if (peek() != wanted) fail(std::string("expected '") + wanted + "'", at_);
        ++at_;
    }
    std::string_view word() {
        const std::size_t begin = at_;
        const auto in_word = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        };
        while (in_word(peek())) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    template <std::integral Number>
    Number number() {
        Number value{};
        const char* const begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (error != std::errc()) fail("expected a number", at_);
        at_ += static_cast<std::size_t>(end - begin);
        return value;
    }
    // Reads what from_chars reads; libc++ has that for floats only since version 20. "nan" is read as well:
    // callers check the range, and their message names it.
    double real_number() {
        const std::size_t begin = at_;
        if (text_.substr(begin).starts_with("nan")) {
            at_ += 3;
            return std::numeric_limits<double>::quiet_NaN();
        }
        while (peek() != '\0' && std::string_view("0123456789.e+-").find(peek()) != std::string_view::npos)
            ++at_;
        std::istringstream in{std::string(text_.substr(begin, at_ - begin))};
        in.imbue(std::locale::classic());
        double value = 0;
        if (in.peek() == '+' || !(in >> value) || !in.eof()) fail("expected a number", begin);
        return value;
    }

    void one_field(World& world) {
        const std::size_t begin = at_;
        const std::string_view key = word();
        expect('=');
        if (key == "n") return agents(world);
        if (key == "seed") {
            world.seed = number<std::uint64_t>();
            return;
        }
        if (key == "share") return share(layer_of(world, begin));
        for (const Part part : parts)
            if (key == name_of(part)) return one_part(world, part, begin);
        fail("unknown field '" + std::string(key) + "'", begin);
    }
    void agents(World& world) {
        const std::size_t begin = at_;
        world.agents = number<std::size_t>();
        if (world.agents < 1 || world.agents > max_agents)
            fail("n is from 1 to " + std::to_string(max_agents), begin);
    }
    void share(Layer& layer) {
        const std::size_t begin = at_;
        layer.share = real_number();
        if (!(layer.share >= min_share && layer.share <= max_share))
            fail("share is from 1e-06 to 1e+06", begin);
    }
    Layer& layer_of(World& world, std::size_t begin) {
        if (world.layers.empty()) fail("this belongs to a layer, which begins with place=...", begin);
        return world.layers.back();
    }
    void one_part(World& world, Part part, std::size_t begin) {
        switch (part) {
        case Part::place:
            if (world.layers.size() == max_layers)
                fail("no more than " + std::to_string(max_layers) + " layers", begin);
            world.layers.emplace_back().place = call(part);
            return;
        case Part::size: layer_of(world, begin).size = call(part); return;
        case Part::at: layer_of(world, begin).at = call(part); return;
        case Part::ids: world.ids = call(part); return;
        case Part::then: world.then = call(part); return;
        case Part::wraps: world.wraps = call(part); return;
        case Part::heights: world.heights = call(part); return;
        }
    }

    Call call(Part part) {
        const std::size_t begin = at_;
        const std::string_view name = word();
        const std::optional<Call> found = find_recipe(part, name);
        if (!found) fail(std::string("unknown ") + name_of(part) + " '" + std::string(name) + "'", begin);
        Call made = *found;
        if (peek() != '(') return made;
        do {
            ++at_;
            argument(recipe_of(part, made), made.values);
        } while (peek() == ',');
        expect(')');
        return made;
    }
    void argument(const Recipe& recipe, Values& values) {
        const std::size_t begin = at_;
        const std::string_view name = word();
        std::size_t k = 0;
        while (k < recipe.named().size() && name != recipe.parameters[k].name) ++k;
        if (k == recipe.named().size())
            fail(std::string(recipe.name) + " has no parameter '" + std::string(name) + "'", begin);
        expect('=');
        const std::size_t value_begin = at_;
        values[k] = real_number();
        const Parameter& parameter = recipe.parameters[k];
        if (!parameter.allows(values[k])) fail(range_of(parameter), value_begin);
    }
    static std::string range_of(const Parameter& parameter) {
        const bool whole = parameter.kind == Parameter::Kind::whole_by_magnitude;
        return std::string(parameter.name) + " is " + (whole ? "a whole number " : "") + "from " +
               number_text(parameter.low) + " to " + number_text(parameter.high);
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

std::string recipe_text(Part part, const Recipe& recipe) {
    std::string text = std::string("  ") + name_of(part) + "=" + recipe.name;
    char before = '(';
    for (const Parameter& parameter : recipe.named()) {
        text += before + std::string(parameter.name) + "=" + number_text(parameter.fallback);
        before = ',';
    }
    if (before == ',') text += ")";
    return text + ": " + recipe.what + "\n";
}

}  // namespace

std::string to_text(const World& world) {
    std::string text =
        std::string(version) + ";n=" + std::to_string(world.agents) + ";seed=" + std::to_string(world.seed);
    for (const Layer& layer : world.layers) text += layer_text(layer);
    if (world.ids != plain(Part::ids)) text += field(Part::ids, world.ids);
    if (world.then != plain(Part::then)) text += field(Part::then, world.then);
    if (world.wraps != plain(Part::wraps)) text += field(Part::wraps, world.wraps);
    if (world.heights != plain(Part::heights)) text += field(Part::heights, world.heights);
    return text;
}

Parsed parse(std::string_view text) {
    try {
        return {Parser(text).world(), {}, 0};
    } catch (const Failure& failure) {
        return {std::nullopt, failure.error, failure.position};
    }
}

std::string listing() {
    std::string text;
    for (const Part part : parts)
        for (const Recipe& recipe : recipes_of(part)) text += recipe_text(part, recipe);
    return text;
}

}  // namespace throng::worlds
