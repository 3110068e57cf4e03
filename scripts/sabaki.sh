#!/usr/bin/env bash
# Drive the engine with Sabaki's own GTP code (the npm package @sabaki/gtp).
# Without node, npm or their registry there is nothing to test with: it says so and succeeds.
#
#   scripts/sabaki.sh [ENGINE WORDS...]
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
    echo "skipped: $1"
    exit 0
}

if [[ $# -eq 0 ]]; then
    set -- "${CARGO_TARGET_DIR:-target}/release/keima" --time-per-move 0.2
fi
command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"

folder=gtp-tests/sabaki
npm install --prefix "$folder" --no-audit --no-fund --no-package-lock --fetch-retries=1 --loglevel=silent >&2 ||
    skip "npm could not install $folder/package.json (is its registry reachable?)"
timeout 120 node "$folder/drive.mjs" "$@"
