#!/bin/sh
# Debian 12: Rails 6.1, puma 5.6. Runs puma and nginx in the foreground, with their files in a temporary folder.
set -eu
cd "$(dirname "$0")"
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
sed -e "s|@RUN@|$run|; s|@PORT@|$PORT|" nginx.conf >"$run/nginx.conf"
puma --quiet --environment production --threads 16:16 --bind "unix://$run/puma.sock" &
puma=$!
while [ ! -S "$run/puma.sock" ]; do kill -0 $puma; sleep 0.05; done
nginx -c "$run/nginx.conf"
