#!/usr/bin/env bash
# Which module may use which: the dependency arrows of src/, checked.
#
# Each row: module, `:`, what it may name after `crate::`, then after `;` what its tests may
# name as well. Patterns as in a shell; a bare module name covers everything below it.
# `path.rs: ...` adds to the row of its module for that one file. lib.rs and main.rs are exempt.
# A new arrow is a design change: it deserves its own commit with the reason.
set -euo pipefail
cd "$(dirname "$0")/.."

python3 -m scripts.lib.arrows src <<'TABLE'
rng:
params:
board: ; rng
rules: board::*Color board::*Size board::*Suicide
score: board rules
game: board rules ; rng
playout: board rules score rng params
net: game board rules
net/testing.rs: rng
search: game rules playout score board rng params
search/evaluator/networked.rs: net
sgf: game rules board
analysis: search::report score board
review: engine sgf game score board ; config rules
selfplay: net game board rules rng
config: board::*Color rules params search::*[Pp]arams* playout::*[Pp]arams*
engine: search game score config rng board rules
gtp: engine game sgf analysis rules score config board
cli: *
bench: *
logging:
perft: *
TABLE
