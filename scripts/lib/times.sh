# Where the minutes of scripts/test went. To be sourced, after matrix.sh.
# shellcheck shell=bash

declare -A seconds_to_build=() seconds_to_test=()

# What the processes of a configuration took of all cores together, halved: the seconds on two cores.
note_times() { seconds_to_build[$1]=$(($2 / 2)) seconds_to_test[$1]=$(($3 / 2)); }

# Everything in one table, the configurations in their order, and beside each its budget.
say_times() {
    local name build test all=0
    printf '\n%-14s %8s %8s %8s %8s\n' 'on two cores' build test sum budget
    for name in "$@"; do
        build=${seconds_to_build[$name]:-0} test=${seconds_to_test[$name]:-0}
        all=$((all + build + test))
        printf '%-14s %6d s %6d s %6d s %6d s\n' "$name" "$build" "$test" "$((build + test))" "${budgets[$name]}"
    done
    printf '%-14s %8s %8s %6d s\n' sum '' '' "$all"
}

# The longest steps of the build, and the longest tests.
say_longest() {
    local name=$1 most=$2 log
    log=build/$(build_of "$name")/.ninja_log
    if [[ -e $log ]]; then
        printf '\n%s, the longest steps of the build\n' "$name"
        longest_steps "$log" "$most"
    fi
    if [[ -e build/test-$name.log ]]; then
        printf '\n%s, the longest tests\n' "$name"
        slowest_tests "build/test-$name.log" "$most" | sed 's/, /\n/g; s/$/\n/' |
            awk 'NF { time = $(NF - 1); printf "%6d s  %s\n", time, $1 }'
    fi
}

# Ninja writes begin and end in milliseconds, the time of the file, the file, and a hash. What a step made last stands last.
longest_steps() {
    awk -F '\t' 'NF == 5 { took[$4] = ($2 - $1) / 1000 } END { for (file in took) printf "%6.0f s  %s\n", took[file], file }' "$1" |
        sort -rn | head -n "$2"
}
