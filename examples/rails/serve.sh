#!/bin/sh
# Debian 12: Rails 6.1, puma 5.6. Runs puma and nginx in the foreground, with their files in a temporary folder.
set -eu
cd "$(dirname "$0")"
run=$(mktemp -d)
started=
trap 'kill $started 2>/dev/null || :; wait; rm -rf "$run"' EXIT
trap 'exit 143' HUP INT TERM
sed -e "s|@RUN@|$run|; s|@PORT@|$PORT|" nginx.conf >"$run/nginx.conf"
puma --quiet --environment production --threads 16:16 --bind "unix://$run/puma.sock" &
started=$!
while [ ! -S "$run/puma.sock" ]; do kill -0 $started; sleep 0.05; done
nginx -c "$run/nginx.conf" &
started="$started $!"
wait $!
