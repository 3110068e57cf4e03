#!/usr/bin/env bash
# Everything that CI checks, in order; goes on after a failure and sums up at the end.
# Needs the Rust toolchain, Python 3.11 with its venv module, and git; node is optional.
# shellcheck disable=SC2317  # the functions are called through `step`
set -euo pipefail
cd "$(dirname "$0")/.."

engine=${CARGO_TARGET_DIR:-target}/release/keima
summary=()
failed=0

# step HEADING COMMAND...: run the command under a heading and note how it went.
step() {
    local heading=$1 start=$SECONDS verdict=ok
    shift
    printf '\n==== %s\n' "$heading"
    if ! "$@"; then
        verdict=FAILED
        failed=1
    fi
    summary+=("$(printf '%-6s %4d s  %s' "$verdict" $((SECONDS - start)) "$heading")")
}

docs() {
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps
}

python_tests() {
    scripts/lib/venv.py -m unittest discover -s scripts/lib -t scripts &&
        # But what needs torch, a download of 3 GB: scripts/train/train test.
        scripts/lib/venv.py -m unittest discover -s scripts/train -t scripts
}

regression() {
    scripts/regress --engine "$engine" gtp-tests/regression/*.tst
}

# The bench signature moves with any change of play, so a commit that changes play names the new
# one (`Bench: N`), and one that claims no functional change is caught here.
signature() {
    local expected actual
    expected=$(git log -1 -E --grep='^Bench: [0-9]+$' --format=%B |
        sed -nE 's/^Bench: ([0-9]+)$/\1/p' | tail -n 1)
    if [[ -z $expected ]]; then
        echo "skipped: no commit here names a signature (none does yet, or the clone is shallow)"
        return
    fi
    actual=$("$engine" bench --signature) || return
    echo "expected $expected, got $actual"
    [[ $actual == "$expected" ]]
}

# An external black-box test of the protocol, used where it lies beside the checkout.
conformance() {
    local tester=../shared/tools/gtp_conformance.py
    if [[ -e $tester ]]; then
        python3 "$tester" --level nice -- "$engine" --referee
    else
        echo "skipped: no conformance test beside the checkout"
    fi
}

step "format" cargo fmt --check
step "clippy" cargo clippy --all-targets -- -D warnings
step "module arrows" scripts/check-arrows.sh
step "tests, release" cargo test --release
step "library tests with assertions and overflow checks" cargo test --lib
step "docs" docs
step "tests of the scripts" python_tests
# `cargo test` built the engine with the test features; from here on it is the real one.
step "release build" cargo build --release
step "regression suites" regression
step "deep perft" scripts/perft-deep --engine "$engine"
step "bench signature" signature
step "Sabaki's GTP library" scripts/sabaki.sh "$engine" --time-per-move 0.2
step "GTP conformance" conformance

printf '\n==== summary\n'
printf '%s\n' "${summary[@]}"
exit "$failed"
