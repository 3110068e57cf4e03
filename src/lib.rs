//! keima: a Go (weiqi, baduk) engine that speaks GTP, as a library behind a thin binary.
//!
//! # Map
//!
//! A line of input goes down, a response comes back up:
//!
//! ```text
//!  line ->  +----------------------------- gtp -----------------------------+  -> response
//!           |  reader -> line -> args -> registry -> commands  => response  |
//!           +-----+------------------------+--------------------------+-----+
//!                 v                        v                          v
//!                sgf                    engine                     analysis
//!                 |      passes, resigns, judges status;     a report as lines that
//!                 |             owns the threads                programs draw
//!                 |                        v
//!                 |                      search  from a game and a budget to a report
//!                 v                     /     \
//!               game <-----------------+       v
//!        history, superko,                   playout  light and informed games to the end
//!        komi, handicap                       /   \
//!                 v                          v     v
//!               rules <------------------- score  rng
//!        plain settings, presets      counts a position
//!                  \                       |
//!                   +-------> board <------+
//!                   stones, chains, captures, hash
//! ```
//!
//! [`net`] evaluates positions of a [`game`] by neural networks; the search asks it through one file,
//! `search/evaluator/networked.rs`.
//! [`review`] lets the engine judge every position of a game and writes what it found into the file's tree.
//! In [`selfplay`] a network plays against itself, for positions that others learn from.
//! [`cli`] and [`mod@bench`] stand above all of these, `main` above them; [`config`] is plain data that
//! the flags fill in and the engine reads.
//!
//! # Where to change what
//!
//! - A command of GTP, its usage and its help: the row with its name in `gtp/commands`.
//! - What is done for one client: `gtp/client.rs`; what analysis lines look like: `analysis.rs`.
//! - When to pass and to resign: `engine/decide.rs`; what is dead: `engine/status.rs`.
//! - A rule of the playouts: `playout/policy.rs`, its probability: `playout/params.rs`.
//! - A rule set: `rules/presets.rs`. A flag: `cli/flags.rs` and [`config`];
//!   a subcommand: its file in `cli`.
//!
//! # Architecture invariants
//!
//! - A module uses only what `scripts/check-arrows.sh` lists for it; CI checks that.
//! - [`board`] knows no history, no komi and no protocol. Superko is the business of [`game`]; a
//!   search asks it for every move in its tree, playouts use simple ko only.
//! - Nothing below `gtp::response` writes to stdout, and no text of the protocol is found below
//!   [`gtp`]: an illegal move is an [`game::IllegalMove`] until a handler words it.
//! - Counting ([`score`]) does not search; which stones are dead is an input to it.
//! - All random numbers come from [`rng`]. A fixed seed and a budget in playouts give the same
//!   result: playouts of one position and the flat search with any number of threads, the tree
//!   search with one.
//! - Comments cite the project's references as `rules.md` (the model of the rules) and `gtp.md` (the
//!   protocol and its clients) with a section; developers find them beside the checkout.
//! - Unsafe code only in `net/kernels`, where intrinsics are called behind a proof that the processor has
//!   them; the `unsafe_code` lint denies it everywhere else.

pub mod analysis;
pub mod bench;
pub mod board;
pub mod cli;
pub mod config;
pub mod engine;
pub mod game;
pub mod gtp;
pub mod net;
pub mod params;
pub mod playout;
pub mod review;
pub mod rng;
pub mod rules;
pub mod score;
pub mod search;
pub mod selfplay;
pub mod sgf;
