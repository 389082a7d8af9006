#include "bench/hunt/history.hpp"

#include <algorithm>

#include "bench/hunt/queries.hpp"
#include "worlds/hunted/frames.hpp"

namespace throng::hunt {

namespace {

class History {
public:
    History(const worlds::World& world, const MakeSubject& make, const Plan& plan, Listener& listener)
        : frames_(world), plan_(plan), listener_(listener), random_(world.seed), subject_(make(scene())) {}

    void play() {
        for (;;) {
            update();
            const std::size_t frame = moment_.frame;
            const bool last = frame + 1 == plan_.frames;
            if (frame < 2 || last)
                ask_all();
            else
                ask_for_pairs();
            if (last) break;
            frames_.next();
            moment_.frame = frames_.number();
        }
        note(Operation::memory, static_cast<double>(subject_->bytes()), static_cast<double>(boxes().size()),
             0);
        edit();
        frames_.next();
        move_all();
        update();
        ask_for_pairs();
    }

private:
    worlds::Scene scene() const { return worlds::scene_of(frames_); }
    const std::vector<Box>& boxes() const { return frames_.boxes(); }
    Band height_of(AgentId id) const { return frames_.heights().empty() ? Band{} : frames_.heights()[id]; }
    template <class Body>
    double cost_of(Body&& body) {
        const double begin = subject_->spent();
        body();
        return subject_->spent() - begin;
    }
    double agents() const { return static_cast<double>(boxes().size()); }
    bool wanted(Operation operation) const { return plan_.wanted(operation) && subject_->can(operation); }

    void note(Operation operation, double amount, double asked, double answers) {
        if (wanted(operation)) listener_.took({operation, moment_, amount, std::max(asked, 1.0), answers});
    }
    void update() {
        listener_.begins(Operation::update, moment_, agents(), 0);
        note(Operation::update, cost_of([&] { subject_->update(scene()); }), agents(), 0);
        if (!wanted(Operation::trials)) return;
        listener_.begins(Operation::trials, moment_, agents(), 0);
        subject_->follow(scene());
    }
    // `ask` returns how many answers there were; `expected` is how many there may be.
    template <class Ask>
    void time_queries(Operation operation, double queries, double expected, Ask&& ask) {
        if (!wanted(operation)) return;
        listener_.begins(operation, moment_, queries, expected);
        std::uint64_t answers = 0;
        const double cost = cost_of([&] { answers = ask(); });
        note(operation, cost, queries, static_cast<double>(answers));
    }

    // The answers to all of these queries, by a sample of them.
    double expected_answers(const BoxBatch& queries) {
        if (queries.size() == 0) return 0;
        listener_.begins(Operation::single, moment_, few, 0);
        double answers = 0;
        for (std::size_t k = 0; k < few; ++k) {
            const std::size_t i = random_.below(queries.size());
            answers += static_cast<double>(subject_->single(queries.queries[i], queries.filter(i)));
        }
        return answers / few * static_cast<double>(queries.size());
    }
    double expected_answers(const ShapeBatch& queries) {
        const ShapeBatch some = queries.first(few);
        listener_.begins(Operation::single, moment_, static_cast<double>(some.size()), 0);
        return static_cast<double>(subject_->list_shapes(some)) / static_cast<double>(some.size()) *
               static_cast<double>(queries.size());
    }
    // Whether that many answers may be asked for.
    bool bearable(double answers, double queries) const { return answers <= plan_.max_answers * queries; }

    bool ask_for_pairs() {
        constexpr Operation own_size[] = {Operation::count_pairs, Operation::pairs, Operation::small,
                                          Operation::small_count, Operation::coherent};
        if (std::none_of(std::begin(own_size), std::end(own_size),
                         [this](Operation operation) { return wanted(operation); }))
            return false;
        expected_ = expected_answers(sample(scene(), few, random_)) / few * agents();
        if (!bearable(expected_, agents())) return false;
        // Every agent answers its own query, and a pair answers two.
        expected_pairs_ = std::max(expected_ - agents(), 0.0) / 2;
        if (subject_->can(Operation::count_pairs)) count_pairs();
        return bearable(expected_, agents());
    }
    // A sample may miss where most answers are, and what is stopped is judged by how many it would have had.
    // So they are counted before they are listed.
    void count_pairs() {
        const Operation blamed = wanted(Operation::count_pairs) ? Operation::count_pairs : Operation::pairs;
        listener_.begins(blamed, moment_, agents(), expected_pairs_);
        const double cost = cost_of([&] { expected_pairs_ = static_cast<double>(subject_->count_pairs()); });
        note(Operation::count_pairs, cost, agents(), expected_pairs_);
        expected_ = agents() + 2 * expected_pairs_;
    }
    void ask_all() {
        if (ask_for_pairs()) {
            time_queries(Operation::pairs, agents(), expected_pairs_, [&] { return subject_->pairs(); });
            ask_small();
        }
        ask_wide();
        ask_shapes();
        ask_singles();
        ask_questions();
        ask_for_trials();
    }
    void ask_small() {
        if (!wanted(Operation::small) && !wanted(Operation::small_count) && !wanted(Operation::coherent))
            return;
        BoxBatch queries = shuffled(scene(), random_).first(plan_.max_queries);
        const auto count = static_cast<double>(queries.size());
        const double expected = expected_ * count / agents();
        time_queries(Operation::small_count, count, expected, [&] { return subject_->count(queries); });
        time_queries(Operation::small, count, expected, [&] { return subject_->list(queries); });
        if (!wanted(Operation::coherent)) return;
        queries = coherent(scene());
        time_queries(Operation::coherent, agents(), expected_, [&] { return subject_->list(queries); });
    }
    void ask_wide() {
        if (!wanted(Operation::wide) && !wanted(Operation::wide_count)) return;
        const BoxBatch queries = wide(scene(), larger_queries(), random_);
        const auto count = static_cast<double>(queries.size());
        const double expected = expected_answers(queries);
        time_queries(Operation::wide_count, count, expected, [&] { return subject_->count(queries); });
        if (bearable(expected, count))
            time_queries(Operation::wide, count, expected, [&] { return subject_->list(queries); });
    }
    std::size_t larger_queries() const { return std::min(boxes().size() / 10 + 1, plan_.max_queries); }
    void ask_shapes() {
        ask_with(Operation::circles, circles);
        ask_with(Operation::segments, segments);
    }
    template <class Make>
    void ask_with(Operation operation, Make&& make) {
        if (!wanted(operation) || boxes().empty()) return;
        const ShapeBatch queries = make(scene(), larger_queries(), random_);
        const auto count = static_cast<double>(queries.size());
        const double expected = expected_answers(queries);
        if (bearable(expected, count))
            time_queries(operation, count, expected, [&] { return subject_->list_shapes(queries); });
    }
    void ask_singles() {
        const BoxBatch queries = sample(scene(), 512, random_);
        time_queries(Operation::single, static_cast<double>(queries.size()), 0, [&] {
            std::uint64_t answers = 0;
            for (std::size_t i = 0; i < queries.size(); ++i)
                answers += subject_->single(queries.queries[i], queries.filter(i));
            return answers;
        });
    }
    // Those of worlds/hunted/questions.hpp.
    void ask_questions() {
        const auto is_wanted = [this](const worlds::Question& question) {
            return wanted(operation_of(question));
        };
        if (boxes().empty() ||
            std::none_of(std::begin(worlds::questions), std::end(worlds::questions), is_wanted))
            return;
        subject_->look_at(scene(), std::min<std::size_t>(10'000, plan_.max_queries), random_);
        for (const worlds::Question& question : worlds::questions) {
            if (!is_wanted(question)) continue;
            const Operation operation = operation_of(question);
            const auto asked = static_cast<double>(subject_->size_of(question));
            listener_.begins(operation, moment_, asked, 0);
            if (!subject_->is_promised(question)) continue;
            const double expected = subject_->expected_answers(question);
            if (expected <= plan_.max_answers_of_questions * asked)
                time_queries(operation, asked, expected, [&] { return subject_->ask(question); });
        }
    }
    void ask_for_trials() {
        if (boxes().empty() || !wanted(Operation::trials)) return;
        std::vector<Edit> moves;
        for (int k = 0; k < 256; ++k) moves.push_back(edit_of(any_agent(), true));
        time_queries(Operation::trials, static_cast<double>(moves.size()), 0,
                     [&] { return subject_->try_moves(moves); });
    }

    double time_edits(Operation operation, const std::vector<Edit>& edits) {
        listener_.begins(operation, moment_, static_cast<double>(edits.size()), 0);
        return cost_of([&] { subject_->edit(edits); });
    }
    AgentId any_agent() { return static_cast<AgentId>(random_.below(boxes().size())); }
    Edit edit_of(AgentId id, bool is_nudged) const {
        return {id, is_nudged ? nudged(boxes()[id]) : boxes()[id], height_of(id)};
    }

    void edit() {
        if (boxes().empty() || !subject_->can(Operation::one_edit)) return;
        const auto there = [&](AgentId id) { return std::vector<Edit>{edit_of(id, true)}; };
        const auto back = [&](AgentId id) { return std::vector<Edit>{edit_of(id, false)}; };
        moment_.edited = true;
        const AgentId any = any_agent();
        note(Operation::first_edit, time_edits(Operation::first_edit, there(any)), 1, 0);
        time_edits(Operation::one_edit, back(any));
        double longest = 0;
        for (int k = 0; k < 24; ++k) {
            const AgentId id = any_agent();
            double shortest = time_edits(Operation::one_edit, there(id));
            for (int again = 0; again < 4; ++again)
                shortest = std::min(shortest,
                                    time_edits(Operation::one_edit, again % 2 == 0 ? back(id) : there(id)));
            longest = std::max(longest, shortest);
        }
        note(Operation::one_edit, longest, 1, 0);
        edit_many();
        note(Operation::memory, static_cast<double>(subject_->bytes()), agents(), 0);
        ask_for_pairs();
        ask_singles();
    }
    void edit_many() {
        if (!wanted(Operation::many_edits)) return;
        std::vector<Edit> edits;
        double shortest = 1e30;
        for (int k = 0; k < 3; ++k) {
            edits.clear();
            for (std::size_t i = boxes().size() / 100 + 1; i > 0; --i) {
                edits.push_back(edit_of(any_agent(), true));
            }
            shortest = std::min(shortest, time_edits(Operation::many_edits, edits));
        }
        note(Operation::many_edits, shortest, static_cast<double>(edits.size()), 0);
    }
    // All agents to their places in the next frame, as far as they are there in both.
    void move_all() {
        if (!wanted(Operation::moves)) return;
        std::vector<Edit> edits;
        for (AgentId id = 0; id < boxes().size(); ++id) edits.push_back(edit_of(id, false));
        note(Operation::moves, time_edits(Operation::moves, edits), agents(), 0);
    }

    static constexpr int few = 64;

    worlds::Frames frames_;
    const Plan& plan_;
    Listener& listener_;
    worlds::Random random_;
    std::unique_ptr<Subject> subject_;
    Moment moment_;
    // Answers to the agents' own boxes in this frame, and pairs.
    double expected_ = 0, expected_pairs_ = 0;
};

}  // namespace

void play(const worlds::World& world, const MakeSubject& make, const Plan& plan, Listener& listener) {
    History(world, make, plan, listener).play();
}

}  // namespace throng::hunt
