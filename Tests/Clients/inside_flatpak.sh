#!/bin/sh
# Runs a command where the file lies by which a program knows that it is inside a Flatpak: in a root of its own that shows
# all folders of the real one, and goes away with the command. Needs no root, but user namespaces.
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
