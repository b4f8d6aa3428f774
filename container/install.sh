#!/bin/sh
# Installs a built checkout with the locked dependencies that it needs to run, and nothing else.
#   sh container/install.sh FOLDER    from the root of the checkout
set -eu
target=$1
mkdir -p "$target/receiver" "$target/container"
cp package.json package-lock.json LICENSE "$target/"
cp receiver/package.json "$target/receiver/"
cp container/healthy.mjs "$target/container/"
# With the optional peers, such as `pg` for INBOX=postgres://…, in the versions of the lock.
(cd "$target" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund)
cp -R dist "$target/dist"
cp -R receiver/dist "$target/receiver/dist"
