#!/bin/sh
# Runs php-fpm and nginx in the foreground, with their files in a temporary folder.
set -eu
cd "$(dirname "$0")"
run=$(mktemp -d)
started=
trap 'kill $started 2>/dev/null || :; wait; rm -rf "$run"' EXIT
trap 'exit 143' HUP INT TERM
here=$(pwd)
sed -e "s|@RUN@|$run|; s|@HERE@|$here|; s|@PORT@|$PORT|" nginx.conf >"$run/nginx.conf"
sed -e "s|@RUN@|$run|" php-fpm.conf >"$run/php-fpm.conf"
php webhooks.php
php-fpm8.2 --nodaemonize --force-stderr --allow-to-run-as-root --fpm-config "$run/php-fpm.conf" &
started=$!
while [ ! -S "$run/php.sock" ]; do kill -0 $started; sleep 0.05; done
nginx -c "$run/nginx.conf" &
started="$started $!"
wait $!
