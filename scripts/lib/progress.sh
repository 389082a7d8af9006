# Shows how far a long step is, from the step's own log. On a terminal a line is rewritten; elsewhere there is a line at
# each tenth, at most two a minute. To be sourced.
#
#     show_progress 'building' build/build.log
#     ... something that writes to that log ...
#     end_progress
#
# Or, for a command whose output is shown only if it fails, which ends the script:
#
#     quietly 'building' cmake --build ...
# shellcheck shell=bash

progress_watcher=

quietly() {
    local what=$1 status=0
    shift
    quiet_log=$(mktemp)
    # Begun before the trap, which is not the watcher's.
    show_progress "$what" "$quiet_log"
    trap 'rm -f "$quiet_log"' EXIT
    "$@" >"$quiet_log" 2>&1 || status=$?
    end_progress
    if [[ $status -ne 0 ]]; then
        grep -v -E '^(pm|dl)status:' "$quiet_log" >&2 || true
        echo "$what: failed" >&2
        exit 1
    fi
    rm -f "$quiet_log"
    trap - EXIT
}

show_progress() {
    watch_log "$@" &
    progress_watcher=$!
}

end_progress() {
    if [[ -z $progress_watcher ]]; then return; fi
    kill "$progress_watcher" 2>/dev/null || true
    wait "$progress_watcher" 2>/dev/null || true
    progress_watcher=
    if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
}

# The last count in a log: Ninja's [5/99], ctest's 5/99 Test, what apt says of its packages, or what this says of another script.
count_in() {
    tail -c 20000 "$1" 2>/dev/null | awk -F '[][/ ]+' '
        /^\[[0-9]+\/[0-9]+\] / { found = $2 " " $3 " of " $3 " steps" }
        /^ *[0-9]+\/[0-9]+ Test/ { sub(/^ */, ""); found = $1 " " $2 " of " $2 " tests" }
        match($0, /: [0-9]+ of [0-9]+ (steps|tests)/) {
            split(substr($0, RSTART + 2, RLENGTH - 2), word, " ")
            found = word[1] " " word[3] " of " word[3] " " word[4]
        }
        sub(/^dlstatus:[0-9]+:/, "") { found = int($0) " 100 % downloaded" }
        /^pmstatus:/ && match($0, /:[0-9.]+:/) { found = int(substr($0, RSTART + 1)) " 100 % installed" }
        END { if (found) print found }'
}

watch_log() {
    local what=$1 log=$2 begin=$SECONDS last=$SECONDS first='' tenth=0 now all unit left text
    # It ends with the script, even if that is killed.
    while sleep 1 && kill -0 "$$" 2>/dev/null; do
        text=$what
        if read -r now all unit < <(count_in "$log"); then
            text+=": $now $unit"
            first=${first:-$now}
            # Too early to tell the rest.
            if [[ $(((now - first) * 20)) -ge $all ]]; then
                left=$(((SECONDS - begin) * (all - now) / (now - first)))
                text+=", about $(in_words "$left") left"
            fi
        else
            now=0 all=1
        fi
        if [[ -t 2 ]]; then
            printf '\r\033[K%s' "$text" >&2
        elif [[ $((now * 10 / all)) -gt $tenth && $((SECONDS - last)) -ge 30 ]]; then
            tenth=$((now * 10 / all)) last=$SECONDS
            printf '%s\n' "$text" >&2
        fi
    done
}

in_words() {
    if [[ $1 -lt 50 ]]; then
        echo "$((($1 + 9) / 10 * 10)) seconds"
    elif [[ $1 -lt 90 ]]; then
        echo 'a minute'
    else
        echo "$((($1 + 30) / 60)) minutes"
    fi
}
