# Debian 13 on any machine of Debian's: a root of it in a folder, in which the README's two commands run as they do for a
# user. To be sourced.
# shellcheck shell=bash

# Outside of the sources, so that the next clone finds it as well. It has a gigabyte.
trixie_root=${THRONG_TRIXIE_ROOT:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/throng/trixie}
# Where the clone lies inside the root.
trixie_clone=/srv/throng

# The mirror that this machine's own packages come from.
debian_mirror() {
    # Each line is read, since apt-get takes a closed pipe for a failure.
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        awk '$1 == "Debian" && !mirror { mirror = $2 } END { print mirror }'
}

# Why this machine cannot have such a root; nothing if it can.
trixie_obstacle() {
    if [[ $(id -u) -ne 0 ]]; then
        echo 'only root may make a root of another system'
    elif ! command -v debootstrap >/dev/null; then
        echo 'there is no debootstrap'
    elif ! git rev-parse HEAD >/dev/null 2>&1; then
        echo 'there is no git repository to clone'
    elif ! unshare --mount --pid --fork --propagation private chroot / true 2>/dev/null; then
        echo 'this machine allows no mount of its own, or no chroot'
    elif [[ -z $(debian_mirror) ]]; then
        echo 'apt has no mirror of Debian here'
    fi
}

# Waits until no other run uses the root, and keeps it until this script ends.
reserve_trixie() {
    mkdir -p "$(dirname "$trixie_root")"
    exec {trixie_lock}>"$trixie_root.lock"
    if ! flock --nonblock "$trixie_lock"; then
        echo "Waiting for another run in $trixie_root" >&2
        flock "$trixie_lock"
    fi
}

# Runs a command by bash in the clone inside the root, without this machine's environment. Mounts and processes end with it.
in_trixie() {
    # shellcheck disable=SC2016
    unshare --mount --pid --fork --kill-child --propagation private bash -c '
        mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec chroot "$@"' - "$trixie_root" \
        /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        ${http_proxy:+"http_proxy=$http_proxy"} ${THRONG_BUDGET_FACTOR:+"THRONG_BUDGET_FACTOR=$THRONG_BUDGET_FACTOR"} \
        bash -c "cd $trixie_clone && $1"
}

# Makes the root, unless a whole one stands there, and clones what is here into it: what git knows, as it is now.
make_trixie() {
    local commit mirror
    if [[ ! -e $trixie_root/whole ]]; then
        mirror=$(debian_mirror)
        if [[ -e $trixie_root && ! -e $trixie_root.begun ]]; then
            echo "$trixie_root is there, and is not a root that this script has begun"
            return 1
        fi
        touch "$trixie_root.begun"
        rm -rf --one-file-system "$trixie_root"
        mkdir -p "$trixie_root"
        unshare --mount --propagation private debootstrap --variant=minbase --include=ca-certificates \
            trixie "$trixie_root" "$mirror" || return
        touch "$trixie_root/whole"
    fi
    rm -rf --one-file-system "$trixie_root$trixie_clone"
    mkdir "$trixie_root$trixie_clone"
    commit=$(git -c user.name=throng -c user.email=throng stash create) || return
    git archive "${commit:-HEAD}" | tar -x -C "$trixie_root$trixie_clone"
}

# The first of the README's commands, which has to leave a picture.
build_trixie() {
    make_trixie && in_trixie 'scripts/demo && ls throng-demo/*.png'
}

# The second one, and a host of the installed package.
test_trixie() {
    local status=0
    in_trixie 'scripts/test' || status=$?
    in_trixie 'ctest --preset release -L "^package$" --no-tests=error' || status=$?
    rm -rf --one-file-system "$trixie_root$trixie_clone"
    return "$status"
}
