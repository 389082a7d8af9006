// AnyVisitor: a visitor without its type, in any of the four forms that a structure takes: one answer at a
// time or a span of them, with or without a word on whether to go on. The structure still gets a visitor of
// the same form: `in_its_form` makes one for it.
//
// It refers to the visitor that it was made from, and lives no longer than the call that it is passed to.
#pragma once

#include <concepts>

#include "structures/tests/test.hpp"
#include "throng/structures/queries.hpp"

namespace throng::structures::test {

template <class Answer>
class AnyVisitor {
public:
    template <class Visitor>
        requires(!std::same_as<std::remove_cvref_t<Visitor>, AnyVisitor> &&
                 throng::VisitorOf<Visitor, Answer>)
    AnyVisitor(Visitor&& visitor)
    noexcept
        : visitor_(const_cast<void*>(static_cast<const void*>(std::addressof(visitor)))),
          take_(take<std::remove_reference_t<Visitor>>),
          form_(form_of<Visitor>()) {}

    // Calls `ask` with a visitor that has this one's form and hands on what it gets, and throws what it
    // throws.
    template <class Ask>
    auto in_its_form(Ask&& ask) const {
        switch (form_) {
        case Form::one: return ask([this](const Answer& answer) { hand_on({&answer, 1}); });
        case Form::one_with_a_word:
            return ask([this](const Answer& answer) { return hand_on({&answer, 1}); });
        case Form::some: return ask([this](std::span<const Answer> answers) { hand_on(answers); });
        default: return ask([this](std::span<const Answer> answers) { return hand_on(answers); });
        }
    }

private:
    enum class Form { one, one_with_a_word, some, some_with_a_word };

    template <class Visitor>
    using Taken = std::conditional_t<std::invocable<Visitor&, std::span<const Answer>>,
                                     std::span<const Answer>, const Answer&>;
    template <class Visitor>
    static constexpr bool says_nothing = std::is_void_v<std::invoke_result_t<Visitor&, Taken<Visitor>>>;

    template <class Visitor>
    static constexpr Form form_of() {
        if (std::is_reference_v<Taken<Visitor>>)
            return says_nothing<Visitor> ? Form::one : Form::one_with_a_word;
        return says_nothing<Visitor> ? Form::some : Form::some_with_a_word;
    }
    template <class Visitor>
    static bool take(void* to, std::span<const Answer> answers) {
        const auto argument = [&]() -> Taken<Visitor> {
            if constexpr (std::is_reference_v<Taken<Visitor>>)
                return answers.front();
            else
                return answers;
        };
        Visitor& visitor = *static_cast<Visitor*>(to);
        if constexpr (says_nothing<Visitor>)
            return std::invoke(visitor, argument()), true;
        else
            return std::invoke(visitor, argument());
    }
    bool hand_on(std::span<const Answer> answers) const { return take_(visitor_, answers); }

    void* visitor_;
    bool (*take_)(void* to, std::span<const Answer> answers);
    Form form_;
};

using IdVisitor = AnyVisitor<ElementId>;
using PairVisitor = AnyVisitor<Pair>;
using PartVisitor = AnyVisitor<Part>;

}  // namespace throng::structures::test
