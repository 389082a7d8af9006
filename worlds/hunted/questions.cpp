#include "worlds/hunted/questions.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>

namespace throng::worlds {

namespace {

using Kind = Question::Kind;

void require(const Status& status, const char* what) {
    if (!status.ok()) throw std::runtime_error(std::string(what) + ": " + status.message());
}

double middle(double low, double high) { return 0.5 * (low + high); }
float narrower_half(const Box& box) {
    return std::min(0.5f * box.max_x - 0.5f * box.min_x, 0.5f * box.max_y - 0.5f * box.min_y);
}
throng::Point centre_of(const Box& box) {
    return {0.5f * box.min_x + 0.5f * box.max_x, 0.5f * box.min_y + 0.5f * box.max_y};
}

template <class Number>
Number take_nth(std::vector<Number>& numbers, std::size_t n) {
    const auto place = numbers.begin() + static_cast<std::ptrdiff_t>(std::min(n, numbers.size() - 1));
    std::nth_element(numbers.begin(), place, numbers.end());
    return *place;
}

// How far two numbers are apart in a world that may wrap around.
double apart(double a, double b, double period) {
    const double difference = a - b;
    return period > 0 ? difference - period * std::floor(difference / period + 0.5) : difference;
}

double distance_of_the_fourth(const Scene& scene, std::size_t of) {
    const Box& own = scene.boxes[of];
    const double x = middle(own.min_x, own.max_x), y = middle(own.min_y, own.max_y);
    std::vector<double> squares;
    for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
        if (i == of || (!scene.heights.empty() && !scene.heights[i].overlaps(scene.heights[of]))) continue;
        const Box& box = scene.boxes[i];
        const double dx = apart(middle(box.min_x, box.max_x), x, scene.period.x),
                     dy = apart(middle(box.min_y, box.max_y), y, scene.period.y);
        squares.push_back(dx * dx + dy * dy);
    }
    return squares.empty() ? 0 : std::sqrt(take_nth(squares, 3));
}

bool squares_fit(const Scene& scene, double reach) {
    double farthest = 0;
    for (const Box& box : scene.boxes)
        for (const float edge : {box.min_x, box.min_y, box.max_x, box.max_y})
            farthest = std::max(farthest, std::abs(double{edge}));
    return farthest < 1e18 && (reach == 0 || reach > 1e-18);
}

// No cast may be longer than a float can say.
float within_floats(double length) { return static_cast<float>(std::clamp(length, -1e37, 1e37)); }

}  // namespace

double without_many_turns(double length, const Period& period) noexcept {
    constexpr double turns = 4;
    for (const float around : {period.x, period.y})
        if (around > 0) length = std::min(length, turns * double{around});
    return length;
}

float reach_of(const Scene& scene, Random& random) {
    constexpr std::size_t looked_at = 32;
    std::vector<double> distances;
    std::vector<float> halves;
    for (std::size_t k = 0; k < looked_at; ++k) {
        const std::size_t i = random.below(scene.boxes.size());
        distances.push_back(distance_of_the_fourth(scene, i));
        halves.push_back(narrower_half(scene.boxes[i]));
    }
    const double reach = take_nth(distances, looked_at / 2);
    return within_floats(reach > 0 ? reach : 2 * double{take_nth(halves, looked_at / 2)});
}

void Asker::look_at(const Scene& scene, std::size_t casts, Random& random) {
    agents_ = scene.boxes.size();
    circles_of_few_.clear();
    filters_of_few_.clear();
    rays_.clear();
    circles_.clear();
    filters_.clear();
    if (agents_ == 0) return;
    reach_ = reach_of(scene, random);
    squares_fit_ = squares_fit(scene, reach_);
    const auto height_of = [&](std::size_t i) { return scene.heights.empty() ? Band{} : scene.heights[i]; };
    for (std::size_t k = 0; k < few; ++k) {
        const std::size_t i = random.below(agents_);
        const throng::Point at = centre_of(scene.boxes[i]);
        circles_of_few_.push_back({at.x, at.y, narrower_half(scene.boxes[i])});
        filters_of_few_.push_back({.self = static_cast<AgentId>(i), .heights = height_of(i)});
    }
    const auto radius = static_cast<float>(0.2 * without_many_turns(reach_, scene.period));
    for (std::size_t k = std::min(casts, agents_); k > 0; --k) {
        const std::size_t i = random.below(agents_);
        const throng::Point at = centre_of(scene.boxes[i]);
        const double length = without_many_turns(8.0 * reach_ * random.uniform(), scene.period);
        const Point way = on_circle(random.uniform());
        const float dx = within_floats(length * way.x), dy = within_floats(length * way.y);
        rays_.push_back(Cast::ray(at.x, at.y, dx, dy).at_heights(height_of(i)));
        circles_.push_back(Cast::circle(at.x, at.y, radius, dx, dy).at_heights(height_of(i)));
        filters_.push_back({.self = static_cast<AgentId>(i)});
    }
    hits_.resize(rays_.size());
    numbers_.resize(std::max(numbers_.size(), agents_));
}

std::size_t Asker::size_of(const Question& question) const noexcept {
    if (!question.is_cast()) return agents_;
    return question.one_by_one ? std::min(rays_.size(), most_one_by_one) : rays_.size();
}

bool Asker::is_promised(const Frame& frame, const Question& question) const {
    if (!squares_fit_) return false;
    return question.kind != Kind::first_hits || !starts_in_many_boxes(frame, question);
}

bool Asker::starts_in_many_boxes(const Frame& frame, const Question& question) const {
    constexpr std::size_t many = 25;
    const std::vector<Cast>& casts = casts_of(question);
    const std::size_t some = std::min(few, casts.size());
    std::size_t all = 0;
    std::vector<Box> boxes;
    for (std::size_t k = 0; k < some; ++k) {
        boxes.clear();
        const Circle start{casts[k].start.min_x, casts[k].start.min_y, casts[k].radius};
        require(frame.for_each_overlap(start, [&boxes](AgentId, const Box& box) { boxes.push_back(box); },
                                       {.heights = casts[k].heights}),
                "overlaps");
        const auto is_less = [](const Box& a, const Box& b) {
            return std::tie(a.min_x, a.min_y, a.max_x, a.max_y) <
                   std::tie(b.min_x, b.min_y, b.max_x, b.max_y);
        };
        std::sort(boxes.begin(), boxes.end(), is_less);
        all += static_cast<std::size_t>(std::unique(boxes.begin(), boxes.end()) - boxes.begin());
    }
    return all > many * some;
}

double Asker::expected_answers(const Frame& frame, const Question& question) const {
    const double all = static_cast<double>(size_of(question));
    if (all == 0 || question.kind == Kind::first_hits) return all;
    if (question.kind == Kind::nearest) return 8 * all;
    if (!question.is_cast()) return all * answers_around_a_few(frame, question);
    const std::size_t some = std::min(few, rays_.size());
    return all * static_cast<double>(casts_one_by_one(frame, question, some)) / static_cast<double>(some);
}

// Of one agent on average. A pair is an answer of two.
double Asker::answers_around_a_few(const Frame& frame, const Question& question) const {
    std::uint64_t found = 0;
    for (std::size_t k = 0; k < few; ++k) {
        Circle circle = circles_of_few_[k];
        const bool from_centre = question.kind != Kind::pairs || question.agents_as == AgentsAs::centres;
        circle.radius = question.reach * reach_ + (from_centre ? 0 : circle.radius);
        circle.agents_as = question.agents_as;
        const Count count = frame.count(circle, filters_of_few_[k]);
        require(count.status, "count");
        found += count.total;
    }
    const double each = static_cast<double>(found) / static_cast<double>(few);
    return question.kind == Kind::pairs ? each / 2 : each;
}

std::uint64_t Asker::ask(const Frame& frame, const Question& question) {
    if (question.one_by_one) return casts_one_by_one(frame, question, size_of(question));
    const float reach = question.reach * reach_;
    std::uint64_t answers = 0;
    switch (question.kind) {
    case Kind::pairs: {
        const Count found = frame.count_pairs({.within = reach, .agents_as = question.agents_as});
        require(found.status, question.name);
        return found.total;
    }
    case Kind::numbers:
        require(frame.count_neighbours({.radius = reach, .agents_as = question.agents_as}, numbers_),
                question.name);
        for (std::size_t i = 0; i < agents_; ++i) answers += numbers_[i];
        return answers;
    case Kind::lists:
        require(frame.neighbours({.radius = reach, .agents_as = question.agents_as}, lists_), question.name);
        return lists_.ids().size();
    case Kind::nearest:
        require(frame.neighbours({.count = 8}, lists_), question.name);
        return lists_.ids().size();
    case Kind::first_hits: return first_hits(frame, casts_of(question));
    case Kind::all_hits: break;
    }
    require(frame.all_hits(casts_of(question), all_hits_, filters_), question.name);
    return all_hits_.hits().size();
}

std::uint64_t Asker::first_hits(const Frame& frame, const std::vector<Cast>& casts) {
    require(frame.first_hits(casts, hits_, filters_), "first_hits");
    return static_cast<std::uint64_t>(
        std::count_if(hits_.begin(), hits_.end(), [](const CastHit& hit) { return hit.found(); }));
}

std::uint64_t Asker::casts_one_by_one(const Frame& frame, const Question& question, std::size_t count) const {
    const std::vector<Cast>& casts = casts_of(question);
    std::uint64_t answers = 0;
    for (std::size_t k = 0; k < count; ++k) {
        if (question.kind == Kind::first_hits) {
            const FirstHit first = frame.first_hit(casts[k], filters_[k]);
            require(first.status, question.name);
            answers += first.hit.found();
            continue;
        }
        require(frame.for_each_hit(
                    casts[k], [&answers](const CastHit&) { ++answers; }, filters_[k]),
                question.name);
    }
    return answers;
}

}  // namespace throng::worlds
