#!/bin/sh
# Compiles the C clients into a folder; buffer overflows end them at once.
#
# usage: build.sh FOLDER
set -eu
cd "$(dirname "$0")"
common="-std=gnu11 -O1 -Wall -Wextra -Werror -D_FORTIFY_SOURCE=3 -fstack-protector-all"
pcsc="pcsc_reader.c pn532.c client.c $(pkg-config --cflags --libs libpcsclite)"
pn533="pn533_reader.c usb_pipe.c pn532.c client.c $(pkg-config --cflags --libs libusb-1.0)"
ccid="ccid_reader.c usb_pipe.c pn532.c client.c $(pkg-config --cflags --libs libusb-1.0)"
# Words are split on purpose.
# shellcheck disable=SC2086
compile() { name=$1; shift; cc $common -o "$folder/$name" "$@" & processes="$processes $!"; }
folder=$1 processes=
compile felica_zoo felica_zoo.c felica.c $pcsc
compile felica_pn533 felica_zoo.c felica.c $pn533
compile felica_ccid felica_zoo.c felica.c $ccid
compile felica_libnfc felica_zoo.c felica.c libnfc_reader.c client.c $(pkg-config --cflags --libs libnfc)
compile felica_write_zoo felica_write_zoo.c felica.c $pcsc
compile stamp_zoo stamp_zoo.c felica.c $pcsc
compile patient_zoo patient_zoo.c client.c $(pkg-config --cflags --libs libpcsclite)
compile kiosk_zoo kiosk_zoo.c client.c $(pkg-config --cflags --libs libpcsclite)
compile services_zoo services_zoo.c felica.c $pcsc
compile ntag_zoo ntag_zoo.c ntag.c ndef.c $pcsc
compile ntag_write_zoo ntag_write_zoo.c ntag.c ndef.c $pcsc
for process in $processes; do wait "$process"; done
