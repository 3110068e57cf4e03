//! What kgsGtp, the bridge to KGS, asks for beside moves, rules and time.

use crate::gtp::args::Args;
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "kgs-game_over",
        "",
        "the game has ended or is adjourned: ends pondering, keeps the position",
        |session, _| {
            session.stop_pondering();
            Ok(String::new())
        },
    ),
    Command::new(
        "kgs-chat",
        "game|private NAME TEXT",
        "answers a message: asked for the score or the win rate, with the thoughts of the last \
         move; listed with the flag --kgs-chat only",
        chat,
    )
    .listed_if(|options| options.lists_chat),
];

/// A word in a message and what it is answered with.
type Topic = (&'static str, fn(&Session) -> String);

const TOPICS: [Topic; 4] =
    [("score", thoughts), ("win", thoughts), ("version", introduction), ("name", introduction)];

fn chat(session: &mut Session, args: &Args<'_>) -> Answer {
    if !matches!(args.word(0)?, "game" | "private") || args.len() < 2 {
        return Err(Failure::syntax());
    }
    let text = args.from(2).join(" ").to_ascii_lowercase();
    let topic = TOPICS.iter().find(|(word, _)| text.contains(word));
    Ok(topic.map_or_else(
        || format!("{} Ask me for my score or my win rate.", introduction(session)),
        |(_, answer)| answer(session),
    ))
}

fn introduction(session: &Session) -> String {
    format!("I am {} {}, a program.", session.name(), env!("CARGO_PKG_VERSION"))
}

fn thoughts(session: &Session) -> String {
    let last = session.record().last_remark().lines().next();
    last.unwrap_or("I have not moved yet.").to_owned()
}
