#!/bin/sh
# Runs a command with the file by which a program detects that it is inside a Flatpak, in its own root directory that shows
# all folders of the real root and disappears with the command. Requires user namespaces, but not root.
# usage: unshare -r -m inside_flatpak.sh FOLDER COMMAND…
set -e
root=$1
shift
mount -t tmpfs none "$root"
for path in /*; do
    if [ -L "$path" ]; then
        cp -P "$path" "$root/"
    elif [ -d "$path" ]; then
        mkdir "$root$path"
        mount --rbind "$path" "$root$path"
    fi
done
touch "$root/.flatpak-info"
exec chroot "$root" "$@"
