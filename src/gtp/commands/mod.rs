//! The handlers by topic. Each file holds its rows of the table and the functions behind them.

#![expect(
    clippy::unnecessary_wraps,
    reason = "all handlers have one type, also those that never fail"
)]

mod admin;
mod analyze;
mod cgos;
mod gogui;
mod gogui_rules;
mod gomill;
mod gtp1;
mod kata;
mod kgs;
mod last_search;
mod lz;
mod params;
mod play;
mod query;
mod reading;
mod regress;
mod rules;
mod score;
mod setup;
mod sgf;
mod time;
mod trial;

use super::registry::Command;

/// The rows of each topic.
pub(super) const TOPICS: &[&[Command]] = &[
    admin::COMMANDS,
    setup::COMMANDS,
    play::COMMANDS,
    analyze::COMMANDS,
    gtp1::COMMANDS,
    regress::COMMANDS,
    trial::COMMANDS,
    rules::COMMANDS,
    time::COMMANDS,
    score::COMMANDS,
    query::COMMANDS,
    reading::COMMANDS,
    sgf::COMMANDS,
    params::COMMANDS,
    kata::COMMANDS,
    lz::COMMANDS,
    gogui::COMMANDS,
    gogui_rules::COMMANDS,
    last_search::COMMANDS,
    kgs::COMMANDS,
    cgos::COMMANDS,
    gomill::COMMANDS,
];
