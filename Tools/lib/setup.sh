# Shared by Tools/tapsim and Tools/test: finds the toolchain, reports missing packages, and installs them if permitted.
# Sourced by bash; expects $root, the top of the checkout.

needed_swift_major=6
needed_swift_minor=2

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 3
}

# Stops unless PATH contains a Swift toolchain of at least 6.2.
require_swift() {
    command -v swift >/dev/null 2>&1 || fail "no Swift toolchain in PATH; install Swift ${needed_swift_major}.${needed_swift_minor} or newer from https://www.swift.org/install"
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    local major=${version%%.*} minor=${version#*.}
    if [ -z "$version" ] || [ "$major" -lt "$needed_swift_major" ] ||
        { [ "$major" -eq "$needed_swift_major" ] && [ "$minor" -lt "$needed_swift_minor" ]; }; then
        fail "Swift ${version:-of unknown version} is too old; install ${needed_swift_major}.${needed_swift_minor} or newer from https://www.swift.org/install"
    fi
}

# Prints the given Debian packages that are not installed.
missing_packages() {
    local package
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$package"
    done
}

# Succeeds if packages may be installed without asking: with --yes, in CI, or as root.
may_install() {
    [ "${TAPSIM_YES:-}" = 1 ] || [ -n "${CI:-}" ] || [ "$(id -u)" -eq 0 ]
}

# Installs the given Debian packages, or prints the command; on macOS names the Homebrew formulae instead.
require_packages() {
    if [ "$(uname)" = Darwin ]; then
        [ -e "$(brew --prefix 2>/dev/null)/include/yaml.h" ] || fail "libyaml is missing; run: brew install libyaml"
        return
    fi
    command -v dpkg-query >/dev/null 2>&1 || {
        [ -e /usr/include/yaml.h ] || fail "libyaml's headers are missing; install libyaml (development files) with your package manager"
        [ -e /usr/include/openssl/evp.h ] || fail "OpenSSL's headers are missing; install OpenSSL (development files) with your package manager"
        return
    }
    local missing
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    local install="apt-get install -y --no-install-recommends ${missing% }"
    [ "$(id -u)" -eq 0 ] || install="sudo $install"
    printf 'missing: %s\n  %s\n' "${missing% }" "$install" >&2
    if ! may_install; then
        [ -t 0 ] || fail "run the command above, or start again with --yes"
        local answer
        read -r -p 'Run it now? [y/N] ' answer
        case "$answer" in y | Y | yes) ;; *) fail "run the command above, then start again" ;; esac
    fi
    run_install "$install" || fail "cannot install the packages; run the command above and check its output"
}

# A fresh machine may have no package lists: tries, refreshes the lists, and tries again.
run_install() {
    local command=$1 refresh="apt-get update"
    [ "$(id -u)" -eq 0 ] || refresh="sudo $refresh"
    DEBIAN_FRONTEND=noninteractive $command >&2 && return
    $refresh >&2 && DEBIAN_FRONTEND=noninteractive $command >&2
}

# Prints the mirrors of Debian releases: TAPSIM_MIRROR, or else this machine's mirror or the public one, and the archive of
# old releases.
debian_mirrors() {
    local own=
    if command -v apt-get >/dev/null 2>&1; then
        own=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sed -n 1p)
    fi
    printf '%s\n' "${TAPSIM_MIRROR:-${own:-http://deb.debian.org/debian}}"
    [ -n "${TAPSIM_MIRROR:-}" ] || printf '%s\n' http://archive.debian.org/debian
}

# Creates the virtual environment with the Python programs for tests, at the versions in Tools/lib/requirements.txt.
require_python() {
    local venv="$root/.venv" wanted="$root/Tools/lib/requirements.txt"
    if [ -x "$venv/bin/python" ] && cmp -s "$wanted" "$venv/requirements.txt"; then return; fi
    printf 'Preparing Python packages in .venv\n' >&2
    rm -rf "$venv"
    python3 -m venv "$venv" || fail "python3 cannot create a virtual environment; install python3-venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted" >&2 ||
        fail "cannot install the Python packages; check the network and run Tools/test again"
    cp "$wanted" "$venv/requirements.txt"
}
