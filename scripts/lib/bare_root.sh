# Bare systems: a root of Debian in a folder, where the README's commands run as for a user who has installed nothing
# else. So a package that a list lacks is missed here. To be sourced from the repository root.
#
#     <roots>/<suite>/base        as debootstrap made it, once; nothing is changed in it later
#     <roots>/<suite>/packages    what apt has fetched, so that the next run need not
#     <roots>/<suite>/run         the run's root: the base under an overlay, or a copy of it where there is no overlayfs
# shellcheck shell=bash

bare_suites='bookworm trixie'
# Outside of the sources, so that the next clone finds them as well. Each has about a gigabyte.
bare_roots=${THRONG_BARE_ROOTS:-${XDG_CACHE_HOME:-${HOME:-}/.cache}/throng/roots}

is_bare() { [[ " $bare_suites " == *" $1 "* ]]; }

# The mirror that this machine's own packages come from, unless `bare_mirror` has it already.
unset bare_mirror
debian_mirror() {
    if [[ -n ${bare_mirror:-} ]]; then
        echo "$bare_mirror"
        return
    fi
    # Each line is read, since apt-get takes a closed pipe for a failure.
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        awk '$1 == "Debian" && !mirror { mirror = $2 } END { print mirror }'
}

# Prints why this machine cannot have such a root; nothing if it can.
bare_obstacle() {
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
reserve_bare() {
    local lock
    mkdir -p "$bare_roots"
    exec {lock}>"$bare_roots/$1.lock"
    if ! flock --nonblock "$lock"; then
        echo "Waiting for another run in $bare_roots/$1" >&2
        flock "$lock"
    fi
}

# Debian 12 has the matrix's compilers, so what the release build has compiled comes from that build's cache. Debian 13
# runs without ccache.
declare -A more_in=([bookworm]=ccache)
# For the Python package, which is compiled twice there: from the clone and from its sdist.
declare -A compiled_soon=([trixie]='-DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_CXX_FLAGS_MINSIZEREL=-O0')
share_cache() {
    local folder
    if ! command -v ccache >/dev/null || [[ ! -x $bare_roots/$1/base/usr/bin/ccache ]]; then return; fi
    folder=$(ccache --get-config cache_dir)
    mkdir -p "$folder"
    echo "CCACHE_DIR=$folder"
    echo "CCACHE_MAXSIZE=$(ccache --get-config max_size)"
    echo "CCACHE_BASEDIR=$(ccache --get-config base_dir)"
    # Otherwise the same files would be compiled with other flags.
    echo "THRONG_WERROR=${THRONG_WERROR:-OFF}"
}

# Makes the base, unless a whole one stands there.
make_base() {
    local folder=$bare_roots/$1
    if [[ -e $folder/whole ]]; then return; fi
    rm -rf --one-file-system "$folder/base"
    mkdir -p "$folder/base" "$folder/packages/partial"
    unshare --mount --propagation private debootstrap --variant=minbase "--include=ca-certificates${more_in[$1]:+,${more_in[$1]}}" \
        "$1" "$folder/base" "$(debian_mirror)" || return
    # A mirror that is busy is asked again.
    echo 'Acquire::Retries "3";' >"$folder/base/etc/apt/apt.conf.d/retries"
    # Nothing of a root has to outlive a power cut.
    echo force-unsafe-io >"$folder/base/etc/dpkg/dpkg.cfg.d/unsafe-io"
    touch "$folder/whole"
}

overlay_mount=(mount -t overlay overlay -o 'lowerdir=base,upperdir=run/changes,workdir=run/work' run/root)

# A root without anything of a former run.
empty_root() {
    local folder=$bare_roots/$1
    make_base "$1" || return
    rm -rf --one-file-system "$folder/run"
    mkdir -p "$folder/run/changes" "$folder/run/work" "$folder/run/root"
    if ! (cd "$folder" && unshare --mount --propagation private "${overlay_mount[@]}" 2>/dev/null); then
        rmdir "$folder/run/changes"
        cp -a --reflink=auto "$folder/base/." "$folder/run/root"
    fi
}

# One with a clone of what is here: the files that git knows, as they are now.
fresh_root() {
    local commit
    empty_root "$1" || return
    commit=$(git -c user.name=throng -c user.email=throng stash create) || return
    git archive "${commit:-HEAD}" | in_root "$1" 'tar -x'
}

# After a failure it stays, to be looked at.
drop_root() { rm -rf --one-file-system "$bare_roots/$1/run"; }

# Runs commands by bash in the clone inside the root, which lies where it lies here, without this machine's environment and without an
# index for pip; the first that fails ends it. Mounts and processes end with it.
in_root() {
    local -a cache
    mapfile -t cache < <(share_cache "$1")
    # shellcheck disable=SC2016
    unshare --mount --pid --fork --kill-child --propagation private bash -ec '
        cd "$1"
        if [[ -e run/changes ]]; then '"${overlay_mount[*]}"'; fi
        mount --bind packages run/root/var/cache/apt/archives
        mount -t proc proc run/root/proc
        mount --rbind /dev run/root/dev
        mkdir -p "run/root$2"
        if [[ -n $3 ]]; then
            mkdir -p "run/root$3"
            mount --bind "$3" "run/root$3"
        fi
        shift 3
        exec chroot run/root "$@"' - "$bare_roots/$1" "$PWD" "${cache[0]:+${cache[0]#*=}}" \
        /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 PIP_NO_INDEX=1 \
        "CMAKE_ARGS=-DTHRONG_ISAS=baseline ${compiled_soon[$1]:-}" \
        ${http_proxy:+"http_proxy=$http_proxy"} "${cache[@]}" \
        bash -eo pipefail -c "cd ${PWD@Q}; $2"
}

# Of a page: the packages that it names for Debian, and the first block of a language after a line that begins so.
packages_on() { sed -n 's/.*Debian: `\(g++ [^`]*\)`.*/\1/p' "$1"; }
block_on() {
    awk -v fence='```' -v language="$2" -v from="$3" '
        index($0, from) == 1 { here = 1 }
        inside && $0 == fence { exit }
        inside
        here && $0 == fence language { inside = 1 }' "$1"
}

# Installs what a page names, and does what it says.
as_on_page() {
    local packages commands
    packages=$(packages_on "$2") commands=$(block_on "$2" sh '## Install')
    if [[ -z $packages || -z $commands ]]; then
        echo "$2 names no packages for Debian, or has no commands"
        return 1
    fi
    in_root "$1" "install() { DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends \"\$@\"; }
        apt-get -q update; install $packages; set -x
        $commands
        $3"
}

# The library as the README installs it, with hosts in C++ and C; then the Python package as its page has it, for one instruction
# set, which is soon compiled. Its build needs no package of Python's, so pip's isolated one works without an index. Debian 12's SciPy
# and the rest are those of the release build; Debian 13's are met here.
try_installing() {
    local program version with_scipy='' from_sources
    program=$(block_on bindings/python/README.md python '# ')
    # The sdist takes half a minute to compile, so Debian 12's pip only reads it.
    from_sources='python3 -m pip install --dry-run --no-index --no-build-isolation dist/*.tar.gz'
    if [[ $1 != bookworm ]]; then
        from_sources="${from_sources/--dry-run /}; python3 -c ${program@Q}"
        with_scipy="cd ${PWD@Q}/bindings/python
            install python3-pytest python3-scipy python3-shapely python3-rtree
            PYTHONPATH=\$PWD THRONG_LIBRARY=/where/you/like/lib/libthrong_c.so THRONG_TEST_SCALE=0.05 \
                python3 -X dev -W error -m pytest -q -rs -p no:cacheprovider tests"
    fi
    version=$(sed -n 's/^#define THRONG_VERSION_[A-Z]* \([0-9]*\)$/\1/p' engine/include/throng/version.hpp | paste -sd.)
    fresh_root "$1" && as_on_page "$1" README.md "
        ls /where/you/like/include/throng/throng.hpp
        install pkg-config
        consume() { cmake -DBUILD=build -DCONFIG=Release -DCOMPILER=/usr/bin/c++ '-DGENERATOR=Unix Makefiles' \"\$@\"; }
        consume -DWORK=/tmp/cpp -DCONSUMER=\$PWD/tests/install/consumer -DWITH_TBB=ON -DWITH_STRUCTURES=ON \
            -DVERSION=$version -P tests/install/install_and_consume.cmake
        consume -DWORK=/tmp/c -DEXAMPLE=\$PWD/bindings/c/example/bounce.c \
            -DSTRUCTURES=\$PWD/bindings/c/tests/structures.c -P bindings/c/tests/installed.cmake
        install \$(scripts/install-dependencies --list debs)
        scripts/debs --installed --build build" &&
        as_on_page "$1" bindings/python/README.md "
        cp -r dist /tmp
        cd /tmp
        python3 -c ${program@Q}
        python3 -m pip uninstall --yes throng
        $from_sources
        python3 -m pip install --force-reinstall --no-deps --no-index dist/*.whl
        python3 -c ${program@Q}
        ! python3 -m throng.demo 2>said
        grep python3-matplotlib said
        install python3-matplotlib
        python3 -m throng.demo --agents 20000 --frames 5
        ls throng-demo/crowd.png
        $with_scipy" && try_debs "$1" && drop_root "$1"
}

# The packages that scripts/debs has left in the root: by the three commands of the README, in a root without the repository and what built
# them, where hosts in C++, C and Python run. lintian looks at them here, where it is installed.
try_debs() {
    local hosts=$bare_roots/$1/hosts commands
    commands=$(block_on README.md sh 'As Debian packages')
    rm -rf "$hosts"
    mkdir "$hosts"
    in_root "$1" 'tar -c -C build/debs --exclude=build .' | tar -x -C "$hosts" || return
    if command -v lintian >/dev/null && ! lintian --allow-root --fail-on error "$hosts"/*.deb; then return 1; fi
    block_on README.md cpp '## In fifteen lines' >"$hosts/game.cpp"
    block_on bindings/python/README.md python '# ' >"$hosts/first.py"
    cp bindings/c/example/bounce.c "$hosts"
    {
        printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(host CXX)' 'add_executable(my_game game.cpp)'
        block_on README.md cmake '## Install'
    } >"$hosts/CMakeLists.txt"
    empty_root "$1" && tar -c -C "$hosts" . | in_root "$1" 'mkdir /tmp/hosts; tar -x -C /tmp/hosts' || return
    rm -r "$hosts"
    in_root "$1" "cd /tmp/hosts
        printf '%s;\n' 'APT::Get::Assume-Yes \"true\"' 'APT::Install-Recommends \"false\"' >/etc/apt/apt.conf.d/answers
        export DEBIAN_FRONTEND=noninteractive
        apt-get -q update
        set -x
        SECONDS=0
        ${commands:?README.md does not say how Debian packages are installed}
        echo From the packages to a running host: \$SECONDS s
        cc -std=c99 bounce.c \$(pkg-config --cflags --libs throng_c) -o bounce
        ./bounce 1000 20 | grep '1000 agents touched [1-9]'
        apt install ./python3-throng*.deb
        python3 first.py
        apt install cmake make
        cmake -B build && cmake --build build
        build/my_game
        if dpkg -s libxsimd-dev || dpkg -s libtbb-dev; then exit 1; fi"
}

# The cluster's page: a host in C++, C and Python, on more ranks than there may be cores, by OpenMPI 4 or 5. With the kernels that
# scripts/test has compiled.
try_cluster() {
    local lines='' from
    for from in '## Build and run' '## In C and Python' 'In Python, '; do
        lines+="$(block_on docs/cluster.md sh "$from")"$'\n'
    done
    lines=${lines/--preset release/--preset release "'$(isas_of quick)'"}
    echo "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
        export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
        set -x
        $lines
        set +x"
}

# The README's two commands in one clone, as a user gives them. In one system the demo comes first, in the other the
# tests, so that neither list of packages hides what the other lacks. The cluster's come in between in one of them.
try_scripts() {
    local demo='scripts/demo --help; scripts/demo; ls throng-demo/*.png' both
    case $1 in
    bookworm) both="$demo; scripts/test" ;;
    *) both="scripts/test; $(try_cluster); $demo" ;;
    esac
    fresh_root "$1" && in_root "$1" "$both" && drop_root "$1"
}
