#!/usr/bin/env bash
# Starts the one-file tapsim on a Debian that has none of the libraries TapSim is built with.
#
# usage: Tools/lib/check_package.sh TAPSIM FOLDER
#
# FOLDER keeps the Debian for the next time. It comes from TAPSIM_MIRROR, otherwise from where this machine's packages
# come from, and is of the same release, since what is built here starts where the C library is as new.
# Needs root: debootstrap makes devices, and chroot changes the root.
set -euo pipefail
tapsim=$1
folder=$2
bare="$folder/root"

say_no() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# Prints the mirror of this machine that has its release.
own_mirror() {
    apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' | sed -n "s/^$1 //p" | head -n 1
}

# Makes the bare Debian; an unfinished one is made again.
make_root() {
    local release mirror
    [ ! -e "$folder/complete" ] || return 0
    release=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
    mirror=${TAPSIM_MIRROR:-$(own_mirror "$release")}
    [ -n "$mirror" ] || say_no "no mirror of $release in this machine's package sources; name one in TAPSIM_MIRROR"
    rm -rf "$folder"
    mkdir -p "$folder"
    printf 'Making a bare %s from %s\n' "$release" "$mirror"
    debootstrap --variant=minbase "$release" "$bare" "$mirror" >"$folder/log" 2>&1 || {
        tail -n 5 "$folder/log" >&2
        say_no "debootstrap could not make a bare $release from $mirror; name another mirror in TAPSIM_MIRROR"
    }
    rm -rf "$bare"/var/cache/apt/archives/*.deb
    touch "$folder/complete"
}

# Proves that what tapsim must do without is not there.
check_bareness() {
    local found
    found=$(find "$bare" -xdev \( -name 'libyaml*' -o -name 'libcrypto*' -o -name 'libpcsclite*' -o -name 'libswift*' \))
    [ -z "$found" ] || say_no "this root is not bare: $found"
}

# Runs tapsim in the bare Debian: expect CODE WORDS ARGUMENT…
expect() {
    local wanted=$1 words=$2 code=0 output
    shift 2
    printf '$ tapsim %s\n' "$*"
    output=$(unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" /opt/tapsim/tapsim "$@"' \
        "$bare" "$@" 2>&1) || code=$?
    printf '%s\n' "$output" | tail -n 3
    [ "$code" -eq "$wanted" ] || say_no "exit code $code instead of $wanted"
    case "$output" in *"$words"*) ;; *) say_no "the output lacks: $words" ;; esac
}

[ "$(id -u)" -eq 0 ] || say_no "debootstrap and chroot need root; run as root: sudo $0 $*"
make_root
check_bareness
rm -rf "$bare/opt/tapsim"
mkdir "$bare/opt/tapsim"
cp -r "$tapsim" "$(dirname "$0")/../../Scenarios" "$bare/opt/tapsim"
expect 0 "tapsim " --version
expect 0 ", 0 failed" run /opt/tapsim/Scenarios/felica/suica-history.yaml
expect 0 ", 0 failed" run /opt/tapsim/Scenarios/ntag215/ndef.yaml
expect 3 "libpcsclite" list readers
expect 3 "libpcsclite" run --card suica --reader ACR122
