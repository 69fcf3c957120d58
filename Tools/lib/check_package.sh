#!/usr/bin/env bash
# Installs the packages of Tools/package as users do, and runs the programs in them.
#
# usage: Tools/lib/check_package.sh PACKAGES WHEELS here          on this machine: the wheel in its own environment,
#                                                                 the others unpacked into a folder
#        Tools/lib/check_package.sh PACKAGES WHEELS ROOTS NAME…   on bare systems of these releases
#
# PACKAGES contains the packages. WHEELS caches pytest, and ROOTS caches the systems. The systems have none of TapSim's build
# dependencies, and no Python unless TAPSIM_LONG is set, which also tests the wheel on them. Debian systems come from
# TAPSIM_MIRROR, by default from this machine's package mirror.
# The systems need root: debootstrap creates devices, and chroot changes the root.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/Tools/lib/setup.sh"
packages=$(cd "$1" && pwd)
wheels=$2
clients="$root/Tests/Clients"
is_long=${TAPSIM_LONG:-}
# The words before a command that make it run in a system; empty for this machine.
inside=()

say_no() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

the_only() {
    [ $# -eq 1 ] && [ -f "$1" ] || say_no "expected one package, found: $*"
    printf '%s' "$1"
}

# Runs a command where the packages are installed: expect CODE TEXT COMMAND ARGUMENT…
expect() {
    local wanted=$1 words=$2 code=0 output
    shift 2
    printf '$ %s\n' "$*"
    output=$("${inside[@]}" "$@" 2>&1) || code=$?
    printf '%s\n' "$output" | tail -n 3
    [ "$code" -eq "$wanted" ] || say_no "exit code $code instead of $wanted: $output"
    case "$output" in *"$words"*) ;; *) say_no "the output lacks: $words" ;; esac
}

# Downloads pytest for a version of Python, at the version of our own tests if that Python supports it.
take_pytest() {
    local python=$1 folder="$wheels/$1" wanted
    [ ! -e "$folder/complete" ] || return 0
    wanted=$(grep '^pytest==' "$root/Tools/lib/requirements.txt")
    mkdir -p "$folder"
    local take=("$root/.venv/bin/pip" download --quiet --disable-pip-version-check --dest "$folder"
        --only-binary=:all: --python-version "$python")
    # pip uses its own version of Python to decide what else pytest needs: these packages are for Python before 3.11.
    local older=(exceptiongroup tomli typing-extensions)
    "${take[@]}" "$wanted" "${older[@]}" 2>/dev/null || "${take[@]}" 'pytest>=7' "${older[@]}" ||
        say_no "cannot download pytest for Python $python"
    touch "$folder/complete"
}

# Installs the wheel with its extra into a virtual environment and runs the command and a test: check_wheel PLACE, a
# folder, as named inside the system, that contains `wheels`, `clients` and `Scenarios`.
check_wheel() {
    local place=$1 wheel
    wheel=$(basename "$(the_only "$packages"/*.whl)")
    "${inside[@]}" python3 -m venv "$place/venv" || say_no "cannot create a virtual environment"
    expect 0 "" "$place/venv/bin/pip" install --quiet --disable-pip-version-check --no-index \
        --find-links "$place/wheels" "$place/wheels/$wheel[pytest]"
    expect 0 "tapsim " "$place/venv/bin/tapsim" --version
    expect 0 ", 0 failed" "$place/venv/bin/tapsim" run "$place/Scenarios/felica/suica-history.yaml"
    expect 0 "1 passed" "$place/venv/bin/pytest" -p no:cacheprovider "$place/clients"
    expect 0 "" "$place/venv/bin/pip" uninstall --quiet --yes tapsim
    expect 1 "" test -e "$place/venv/bin/tapsim"
}

# Copies the files that a test of the wheel needs into a folder of this machine.
lay_out() {
    local folder=$1 python=$2
    take_pytest "$python"
    mkdir -p "$folder/clients"
    cp -r "$wheels/$python" "$folder/wheels"
    cp "$packages"/*.whl "$folder/wheels"
    cp "$clients/packages/test_installed.py" "$clients/udp_felica.py" "$folder/clients"
    cp -r "$root/Scenarios" "$folder"
}

# Checks the files installed below a prefix, and runs the program: check_installed PREFIX ZSH, zsh's completion folder.
check_installed() {
    local prefix=$1 program="$1/bin/tapsim" scenarios="$1/share/tapsim/Scenarios" name
    for name in man/man1/tapsim.1.gz bash-completion/completions/tapsim fish/vendor_completions.d/tapsim.fish \
        "$2/_tapsim" doc/tapsim/README.md doc/tapsim/docs/install.md doc/tapsim/examples \
        tapsim/Scenarios/schema/scenario-1.schema.json tapsim/wireshark/tapsim.lua; do
        expect 0 "" test -s "$prefix/share/$name"
    done
    expect 0 "TAPSIM" gzip -cd "$prefix/share/man/man1/tapsim.1.gz"
    expect 0 "tapsim " "$program" --version
    expect 0 ", 0 failed" "$program" run "$scenarios/felica/suica-history.yaml"
    expect 0 ", 0 failed" "$program" run "$scenarios/ntag215/ndef.yaml"
}

check_here() {
    local folder package
    folder=$(mktemp -d "${TMPDIR:-/tmp}/tapsim-wheel.XXXXXX")
    # Expanded now: the folder is local.
    trap "rm -rf '$folder'" EXIT
    lay_out "$folder" "$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
    check_wheel "$folder"
    package=$(the_only "$packages"/*.tar.gz)
    tar -C "$folder" -xf "$package"
    package=$(basename "$package" .tar.gz)
    check_installed "$folder/$package" zsh/site-functions
    dpkg-deb --extract "$(the_only "$packages"/*.deb)" "$folder/debian"
    check_installed "$folder/debian/usr" zsh/vendor-completions
}

# ----------------------------------------------------------------------------------------------------------------------
# Bare systems

# Creates the bare system of a release, with Python if the wheel is tested too; recreates an unfinished system.
make_root() {
    local release=$1 folder=$2 mirror mirrors
    local options=(--variant=minbase)
    [ ! -e "$folder/complete" ] || return 0
    [ -z "$is_long" ] || options+=(--include=python3-venv)
    mirrors=$(debian_mirrors)
    if [ "$release" = jammy ]; then
        # Ubuntu has python3-venv in universe.
        mirrors=http://archive.ubuntu.com/ubuntu
        options+=(--components=main,universe)
    fi
    for mirror in $mirrors; do
        rm -rf "$folder"
        mkdir -p "$folder"
        printf 'Making a bare %s from %s\n' "$release" "$mirror"
        if debootstrap "${options[@]}" "$release" "$folder/root" "$mirror" >"$folder/log" 2>&1; then
            chroot "$folder/root" apt-get clean
            touch "$folder/complete"
            return
        fi
        tail -n 5 "$folder/log" >&2
    done
    say_no "debootstrap cannot create a bare $release; set another mirror in TAPSIM_MIRROR"
}

# Checks that the libraries that tapsim must do without are absent.
check_bareness() {
    local found
    found=$(find "$1" -xdev \( -name 'libyaml*' -o -name 'libcrypto*' -o -name 'libpcsclite*' -o -name 'libswift*' \))
    [ -z "$found" ] || say_no "this system is not bare: $found"
}

# Checks the message of tapsim if the library for real readers is missing.
check_lack() {
    local program=$1
    expect 3 "libpcsclite" "$program" list readers
    expect 3 "libpcsclite" "$program" run --card suica --reader ACR122
}

check_release() {
    local release=$1 folder="$2/$1${is_long:+-python}" package
    local bare="$folder/root"
    make_root "$release" "$folder"
    rm -rf "$bare/opt/tapsim"
    mkdir "$bare/opt/tapsim"
    check_bareness "$bare"
    printf '# %s: %s\n' "$release" "$(chroot "$bare" ldd --version | head -n 1)"
    # This machine's temporary directory does not exist there.
    inside=(env --unset=TMPDIR unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$bare")
    cp "$packages"/*.deb "$packages"/*.tar.gz "$bare/opt/tapsim"

    package=$(basename "$(the_only "$packages"/*.deb)")
    expect 0 "" dpkg --install "/opt/tapsim/$package"
    check_installed /usr zsh/vendor-completions
    check_lack /usr/bin/tapsim
    expect 0 "" dpkg --remove tapsim
    expect 1 "" test -e /usr/bin/tapsim -o -e /usr/share/tapsim

    package=$(basename "$(the_only "$packages"/*.tar.gz)")
    expect 0 "" tar -C /opt/tapsim -xf "/opt/tapsim/$package"
    package="/opt/tapsim/${package%.tar.gz}"
    check_installed "$package" zsh/site-functions
    check_lack "$package/bin/tapsim"

    if [ -n "$is_long" ]; then
        lay_out "$bare/opt/tapsim" "$("${inside[@]}" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
        check_wheel /opt/tapsim
    fi
    rm -rf "$bare/opt/tapsim"
}

if [ "$3" = here ]; then
    check_here
    exit
fi
[ "$(id -u)" -eq 0 ] || say_no "debootstrap and chroot need root; run as root: sudo $0 $*"
roots=$3
shift 3
for release in "$@"; do check_release "$release" "$roots"; done
