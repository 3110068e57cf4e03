#!/usr/bin/env bash
# The figures of README.md: keima's own benchmark; beside libEGO's light playouts where binaries of it
# are given; and the instructions of a fixed amount of work, which no noise of the machine touches.
#
#   scripts/bench.sh                 keima alone
#   scripts/bench.sh /path/libego    also /path/libego-9, -13 and -19, each libEGO's engine compiled
#                                    for that size, with RandomLightMove (there as a comment) for
#                                    its sampler in goboard/benchmark.cpp; measured at 9c50391
#   scripts/bench.sh --instructions  callgrind's count for `bench --signature` (needs valgrind)
#
# Run it on a quiet machine. Ratios are medians of pairs that were run in turn.
set -euo pipefail
cd "$(dirname "$0")/.."

engine=target/release/keima
repeats=5
cargo build --release --quiet

if [[ ${1:-} == --instructions ]]; then
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$engine" bench --signature 2>&1 |
        sed -nE 's/.*Collected : ([0-9]+)/instructions \1/p'
    exit
fi

"$engine" bench --repeats "$repeats"
[[ $# -eq 0 ]] && exit

declare -A playouts=([9]=100000 [13]=50000 [19]=25000)

# keima_speed SIZE: light playouts a second on one thread.
keima_speed() {
    "$engine" --threads 1 bench --json --repeats 1 |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["light"][sys.argv[1]]["one_thread_per_s"])' "$1"
}

# libego_speed PREFIX SIZE: the same from libEGO's own line "N kpps".
libego_speed() {
    "$1-$2" "benchmark ${playouts[$2]}" 2>&1 | awk '/ kpps$/ { print 1000 * $1 }'
}

printf '\nagainst libEGO, light playouts on one thread\nsize  keima/s  libEGO/s  ratio (median of %d)\n' "$repeats"
for size in 9 13 19; do
    for ((i = 0; i < repeats; i++)); do
        echo "$(keima_speed "$size") $(libego_speed "$1" "$size")"
    done | awk '{ print $1, $2, $1 / $2 }' | sort -k3 -n |
        awk -v size="$size" '{ line[NR] = $0 } END { split(line[int((NR + 1) / 2)], m); printf "%4d %8.0f %9.0f %6.2f\n", size, m[1], m[2], m[3] }'
done
