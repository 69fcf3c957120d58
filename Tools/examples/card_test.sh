#!/bin/sh
# A test in shell: serves a card, lets a program read it, and judges what the program sent.
# usage: card_test.sh CLIENT [ARG…]      TAPSIM names the command (default: tapsim in PATH)
set -eu
tapsim=${TAPSIM:-tapsim}

# The service ends with this shell, $$. eval sets the variables, and fails if the service does not start.
eval "$("$tapsim" serve --env --parent $$ --card suica:balance=3120,trips=20 --card ndef &)"
"$tapsim" ctl remove ndef

"$@"

"$tapsim" ctl verify --never felica.write --never ntag.write
"$tapsim" ctl swap suica ndef --gap 50ms
"$tapsim" ctl journal --last 5
"$tapsim" ctl stop
