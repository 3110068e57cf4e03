#!/usr/bin/env bash
# The figures of README.md: keima's own benchmark; its light and heavy boards beside libEGO's light
# playouts where binaries of it are given; and the instructions of a fixed amount of work, which no noise of the machine touches.
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

# keima_speeds SIZE: playouts a second on one thread, on the light board and on the heavy one.
keima_speeds() {
    "$engine" --threads 1 bench --json --repeats 1 --only light,heavy --size "$1" |
        python3 -c 'import json, sys
figures = json.load(sys.stdin)
print(*(figures[kind][sys.argv[1]]["one_thread_per_s"] for kind in ("light", "heavy")))' "$1"
}

# libego_speed PREFIX SIZE: light playouts a second, from libEGO's own line "N kpps".
libego_speed() {
    "$1-$2" "benchmark ${playouts[$2]}" 2>&1 | awk '/ kpps$/ { print 1000 * $1 }'
}

# median_of light|heavy SIZE: the row of the median ratio, from lines "light heavy libEGO".
median_of() {
    awk -v kind="$1" '{ speed = kind == "light" ? $1 : $2; print speed, $3, speed / $3 }' |
        sort -k3 -n |
        awk -v kind="$1" -v size="$2" '{ line[NR] = $0 } END { split(line[int((NR + 1) / 2)], m); printf "%-5s %4d %8.0f %9.0f %6.2f\n", kind, size, m[1], m[2], m[3] }'
}

printf '\nagainst libEGO\x27s light playouts, one thread\nboard size  keima/s  libEGO/s  ratio (median of %d)\n' "$repeats"
for size in 9 13 19; do
    pairs=$(for ((i = 0; i < repeats; i++)); do
        echo "$(keima_speeds "$size") $(libego_speed "$1" "$size")"
    done)
    for kind in light heavy; do
        median_of "$kind" "$size" <<<"$pairs"
    done
done
