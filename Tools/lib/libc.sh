# The C library that the one-file tapsim is linked to: Debian 11's, so that it starts on every Linux since 2020. A program
# linked to the machine's own library needs a library that is at least as new.
# Sourced by Tools/package after setup.sh.

libc_release=bullseye

# Downloads the C library from Debian into a folder, where it is cached; apt checks the signature, and nothing is installed.
require_libc() {
    local folder=$1 mirror
    [ ! -e "$folder/complete" ] || return 0
    command -v apt-get >/dev/null 2>&1 || fail "downloading Debian 11's C library needs apt-get; or link to this machine's: Tools/package --own-libc"
    require_packages debian-archive-keyring
    for mirror in $(debian_mirrors); do
        rm -rf "$folder"
        if take_libc "$folder" "$mirror"; then
            unpack_libc "$folder"
            rm -r "$folder/apt"
            touch "$folder/complete"
            return
        fi
    done
    fail "no mirror has $libc_release; set one in TAPSIM_MIRROR, or link to this machine's C library: Tools/package --own-libc"
}

take_libc() {
    local folder=$1 mirror=$2 keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
    printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$mirror" "$libc_release" >"$folder/apt/sources"
    : >"$folder/apt/status"
    local apt=(apt-get -qq -o Dir::State::Lists="$folder/apt/lists" -o Dir::State::Status="$folder/apt/status"
        -o Dir::Cache="$folder/apt" -o Dir::Etc::SourceList="$folder/apt/sources" -o Dir::Etc::SourceParts=-
        -o Acquire::Languages=none -o APT::Sandbox::User=)
    printf 'Downloading the C library of Debian 11 from %s\n' "$mirror" >&2
    { "${apt[@]}" update &&
        (cd "$folder/apt" && "${apt[@]}" download "libc6/$libc_release" "libc6-dev/$libc_release"); } >&2
}

# The links in the packages are absolute and would lead to this machine's files; they are made relative to the folder.
unpack_libc() {
    local folder=$1 file
    for file in "$folder"/apt/*.deb; do dpkg-deb --extract "$file" "$folder"; done
    find "$folder" -lname '/*' | while IFS= read -r file; do
        ln -sfnr "$folder$(readlink "$file")" "$file"
    done
}
