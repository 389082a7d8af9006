#include "bench/hunt/output.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "worlds/hunted/text.hpp"

namespace throng::hunt {

namespace {

const char* end_text(End end) {
    switch (end) {
    case End::finished: return "";
    case End::stalled: return " stopped";
    case End::failed: return " failed";
    case End::crashed: return " crashed";
    case End::dismissed: break;
    }
    return " dismissed";
}

const Score* find_score(const Verdict& verdict, std::size_t operation, std::size_t phase) {
    const Score* found = nullptr;
    for (const Score& score : verdict.scores)
        if (score.operation == static_cast<Operation>(operation) &&
            score.phase == static_cast<Phase>(phase) && (found == nullptr || score.ratio > found->ratio))
            found = &score;
    return found;
}

// The worst of all phases, also of those that do not count.
const Score* worst_score(const Verdict& verdict, std::size_t operation) {
    const Score* found = nullptr;
    for (const Score& score : verdict.scores)
        if (score.operation == static_cast<Operation>(operation) &&
            (found == nullptr || score.ratio > found->ratio))
            found = &score;
    return found;
}

// In parentheses, if it does not count.
std::string ratio_text(const Score& score) {
    char text[40];
    std::snprintf(text, sizeof text, score.is_brief ? "(%.2f)" : "%.2f", score.ratio);
    return text;
}

void print_head(const char* ratio) {
    std::printf("%9s %7s %-20s %-8s %s\n", ratio, "growth", "operation", "frame", "world");
}
void print_find(const Find& find) {
    std::printf("%9.2f ", find.score.ratio);
    if (find.growth > 0)
        std::printf("%7.1f ", find.growth);
    else
        std::printf("%7s ", "");
    std::printf("%-20s %-8s %s%s\n", name_of(find.score.operation), name_of(find.score.phase),
                worlds::to_text(find.world).c_str(), end_text(find.end));
}

}  // namespace

void print_progress(const Progress& progress) {
    if (const Find* fault = progress.fault) {
        std::fprintf(stderr, "fault in %s: %s%s\n", name_of(fault->score.operation),
                     worlds::to_text(fault->world).c_str(), end_text(fault->end));
        return;
    }
    std::fprintf(stderr, "%zu worlds in %.0f s", progress.worlds, progress.seconds);
    if (const Find* worst = progress.worst)
        std::fprintf(stderr, ", worst so far: %.1f %s %s", worst->score.ratio,
                     name_of(worst->score.operation), worlds::to_text(worst->world).c_str());
    std::fputc('\n', stderr);
}

void print_bred(const Hunt& hunt, const std::vector<Operation>& wanted, std::size_t top) {
    print_head("steps");
    for (const Operation operation : wanted)
        for (std::size_t k = 0; k < std::min(top, hunt.bred(operation).size()); ++k)
            print_find(hunt.bred(operation)[k]);
    std::printf("The same by time:\n");
}

void print_finds(const Hunt& hunt, const std::vector<Operation>& wanted) {
    print_head("ratio");
    for (const Operation operation : wanted)
        for (const Find& find : hunt.finds(operation)) print_find(find);
    std::printf("%zu worlds in %.0f s, %.0f a minute\n", hunt.worlds(), hunt.seconds(),
                60 * static_cast<double>(hunt.worlds()) / hunt.seconds());
}

void print_worst(const Find* worst) {
    if (worst == nullptr)
        std::printf("worst: 0 none none\n");
    else
        std::printf("worst: %.2f %s %s\n", worst->score.ratio, name_of(worst->score.operation),
                    worlds::to_text(worst->world).c_str());
}

void print_table(const worlds::World& world, const Verdict& verdict, bool steps) {
    std::printf("%s\n%-20s", worlds::to_text(world).c_str(), "ratio");
    for (const char* const phase : phases) std::printf(" %9s", phase);
    std::printf("   worst %s, answers\n", steps ? "steps" : "time");
    for (std::size_t k = 0; k < operation_count; ++k) {
        const Score* const worst = worst_score(verdict, k);
        if (worst == nullptr) continue;
        std::printf("%-20s", operations[k].name);
        for (std::size_t phase = 0; phase < phase_count; ++phase) {
            const Score* const score = find_score(verdict, k, phase);
            if (score != nullptr)
                std::printf(" %9s", ratio_text(*score).c_str());
            else
                std::printf(" %9s", "");
        }
        if (static_cast<Operation>(k) == Operation::memory)
            std::printf("   %.0f bytes\n", worst->amount);
        else if (steps)
            std::printf("   %.0f, %.0f\n", worst->amount, worst->answers);
        else
            std::printf("   %.3f ms, %.0f\n", 1000 * worst->amount, worst->answers);
    }
    if (verdict.end != End::finished)
        std::printf("%s: %s\n", end_text(verdict.end) + 1, verdict.what.c_str());
}

}  // namespace throng::hunt
