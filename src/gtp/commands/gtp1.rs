//! Commands of GTP 1 that version 2 has renamed.

use super::play::{generate, play_at};
use crate::board::Color;
use crate::gtp::registry::Command;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("black", "VERTEX", "as play black", |session, args| {
        args.at_most(1)?;
        play_at(session, Color::Black, args, 0)
    }),
    Command::new("white", "VERTEX", "as play white", |session, args| {
        args.at_most(1)?;
        play_at(session, Color::White, args, 0)
    }),
    Command::new("genmove_black", "", "as genmove black", |session, _| {
        generate(session, Color::Black)
    }),
    Command::new("genmove_white", "", "as genmove white", |session, _| {
        generate(session, Color::White)
    }),
];
