# Shared by scripts/test, scripts/soak and scripts/coverage. To be sourced from the repository root.
# shellcheck shell=bash disable=SC2034

jobs=$(nproc)
source scripts/lib/bare_root.sh

# A leak or a race ends the test, so that no report scrolls by unseen.
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1

fuzz_targets=(histories around instruction_sets structures plans)

# Warnings are errors only on request: .ci/run does it.
warnings="-DTHRONG_WERROR=${THRONG_WERROR:-OFF}"

# Whether configurations run all quick tests, or only those that the matrix leaves to them.
all_quick=no

# Which tests of a configuration run.
labels_of() {
    if [[ $all_quick == yes ]]; then
        echo '-L ^(quick|package)$ -LE ^(bench|soak)$'
        return
    fi
    case $1 in
    quick) echo '-L ^quick$ -LE ^(bench|soak)$' ;;
    release) echo '-LE ^soak$' ;;
    libcxx | mingw) echo '-L ^(platform|package)$ -LE ^soak$' ;;
    clang | clang19 | aarch64 | wasm) echo '-L ^platform$ -LE ^soak$' ;;
    asan) echo '-L ^(quick|fuzz)$ -LE ^(counted|soak)$' ;;
    tsan) echo '-L ^threads$ -LE ^(counted|soak)$' ;;
    esac
}

# Prints what this machine lacks for a configuration; nothing if it can be built and run.
lacks_for() {
    case $1 in
    bookworm | trixie) bare_obstacle ;;
    mingw)
        if ! command -v x86_64-w64-mingw32-g++-posix >/dev/null; then
            echo 'there is no x86_64-w64-mingw32-g++-posix (Debian: g++-mingw-w64-x86-64-posix)'
        elif ! command -v wine64 wine /usr/lib/wine/wine64 >/dev/null; then
            echo 'there is no Wine (Debian: wine64)'
        fi
        ;;
    wasm)
        if ! command -v em++ >/dev/null; then
            echo 'there is no em++ (Debian: emscripten)'
        elif ! command -v node >/dev/null; then
            echo 'there is no node (Debian: nodejs)'
        fi
        ;;
    libcxx)
        if ! command -v clang++-19 >/dev/null; then
            echo 'there is no clang++-19 (Debian: clang-19 libc++-19-dev libc++abi-19-dev)'
        fi
        ;;
    esac
}

# The folder of the build, which is also the name of its preset.
build_of() { if [[ $1 == quick ]]; then echo release; else echo "$1"; fi; }

# What has to be built for them; everything if it prints nothing.
targets_of() {
    if [[ $all_quick == yes ]]; then
        echo '--target throng_quick_tests'
        return
    fi
    case $1 in
    quick) echo '--target throng_quick_tests' ;;
    clang | clang19 | aarch64 | libcxx | mingw | wasm) echo '--target throng_platform_tests' ;;
    asan) echo '--target throng_quick_tests tests/fuzz/all' ;;
    tsan) echo '--target throng_threads_tests' ;;
    esac
}

# The quick tests are for this machine, and compare its best instruction set with the one that every machine has.
isas_of() {
    case $1 in
    quick) echo '-DTHRONG_ISAS=baseline;native' ;;
    # Kernels are written once: the narrowest and the widest that run here. scripts/soak takes all.
    asan) echo '-DTHRONG_ISAS=baseline;native' ;;
    release) echo '-DTHRONG_ISAS=all' ;;
    esac
}

build_configuration() {
    local build
    if is_bare "$1"; then
        try_installing "$1"
        return
    fi
    build=$(build_of "$1")
    # shellcheck disable=SC2046
    cmake --preset "$build" "$warnings" $(isas_of "$1") && cmake --build --preset "$build" --parallel "$jobs" $(targets_of "$1")
}

# Which part of their work the tests of a build do in the matrix. scripts/soak lets them do all of it.
declare -A scales=([quick]=0.05 [release]=0.05 [clang]=0.05 [clang19]=0.05 [libcxx]=0.05 [asan]=0.02 [aarch64]=0.02 [tsan]=0.02
    [mingw]=0.02 [wasm]=0.02 [smoke-libcxx]=1 [smoke-mingw]=1 [smoke-wasm]=1)

run_ctest() {
    if is_bare "$1"; then
        try_scripts "$1" </dev/null
        return
    fi
    export THRONG_TEST_SCALE=${THRONG_TEST_SCALE:-${scales[$1]}}
    # shellcheck disable=SC2046
    ctest --preset "$(build_of "$1")" --parallel "$jobs" $(labels_of "$1") </dev/null
}

# Runs a command with its output in a file. Sets `elapsed` to the seconds that went by, and `used` to the seconds that
# it and its children took of all cores together.
measure() {
    local output=$1 start=$SECONDS status=0
    shift
    # A shell of its own, so that processes that were started before are not counted.
    used=$(
        "$@" >"$output" 2>&1 || status=$?
        seconds_used
        exit "$status"
    ) || status=$?
    elapsed=$((SECONDS - start))
    return "$status"
}

# What the processes that this shell started and waited for took, and those that they waited for.
ticks_in_a_second=$(getconf CLK_TCK)
seconds_used() {
    local fields
    read -r -a fields <"/proc/$BASHPID/stat"
    echo "$(((fields[15] + fields[16]) / ticks_in_a_second))"
}

# Runs all fuzz targets of the sanitized build at once, since each keeps one core busy; where there are fewer cores, they
# share them. Prints what each ended with, and what it said is in build/fuzz-<target>.log.
fuzz_for() {
    local seconds=$1 seed=$2 name
    local -A processes=()
    for name in "${fuzz_targets[@]}"; do
        "build/asan/tests/fuzz/throng_fuzz_$name" "-max_total_time=$seconds" "-seed=$seed" \
            "-artifact_prefix=build/$name-" "tests/fuzz/corpus/$name" </dev/null >"build/fuzz-$name.log" 2>&1 &
        processes[$name]=$!
    done
    for name in "${fuzz_targets[@]}"; do
        local status=0
        wait "${processes[$name]}" || status=$?
        echo "$name $status"
    done
}

# As ctest names them, or scripts/test of the quick tests.
names_of_failed() {
    sed -n -E '/^The following tests FAILED:/,$ s/^[[:space:]]+([0-9]+ - |quick: )//p' "$1" | awk '!seen[$0]++'
}

# The longest tests in a log of ctest's, and the seconds that each took.
slowest_tests() {
    sed -n -E 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) .* ([0-9.]+) sec.*$/\2 \1/p' "$1" | sort -rn |
        awk -v most="$2" 'NR <= most { printf "%s%s %.0f s", separator, $2, $1; separator = ", " }'
}
