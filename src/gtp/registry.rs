//! The one table of commands: name, usage, help, handler. `list_commands`, `known_command` and
//! `help` read it, and so does the dispatcher.

use super::args::Args;
use super::commands;
use super::response::{Answer, Failure, Stream};
use super::session::{Options, Session};

/// A command of the protocol.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Its arguments.
    pub usage: &'static str,
    /// What it does and answers, for people.
    pub help: &'static str,
    /// More for people: lines behind the help.
    pub(super) details: Option<fn() -> String>,
    /// Whether it answers with measurements, which no seed repeats.
    pub(super) varies: bool,
    pub(super) handler: Handler,
    /// Whether controllers are told of it; they may use it all the same.
    is_listed: fn(&Options) -> bool,
}

/// What runs a command.
#[derive(Clone, Copy, Debug)]
pub(super) enum Handler {
    /// Answers in one piece.
    Plain(fn(&mut Session, &Args<'_>) -> Answer),
    /// May write lines before it answers.
    Streaming(fn(&mut Session, &Args<'_>, &mut Stream<'_>) -> Answer),
}

impl Handler {
    pub(super) fn run(
        self,
        session: &mut Session,
        args: &Args<'_>,
        stream: &mut Stream<'_>,
    ) -> Answer {
        match self {
            Self::Plain(handler) => handler(session, args),
            Self::Streaming(handler) => handler(session, args, stream),
        }
    }
}

impl Command {
    /// A row of the table.
    pub(super) const fn new(
        name: &'static str,
        usage: &'static str,
        help: &'static str,
        handler: fn(&mut Session, &Args<'_>) -> Answer,
    ) -> Self {
        Self::with_handler(name, usage, help, Handler::Plain(handler))
    }

    /// A row of the table, for a command that writes lines before it answers.
    pub(super) const fn streaming(
        name: &'static str,
        usage: &'static str,
        help: &'static str,
        handler: fn(&mut Session, &Args<'_>, &mut Stream<'_>) -> Answer,
    ) -> Self {
        Self::with_handler(name, usage, help, Handler::Streaming(handler))
    }

    const fn with_handler(
        name: &'static str,
        usage: &'static str,
        help: &'static str,
        handler: Handler,
    ) -> Self {
        Self { name, usage, help, details: None, varies: false, handler, is_listed: |_| true }
    }

    /// The same row of a command that answers with measurements, or with what it has found by some time.
    pub(super) const fn varying(self) -> Self {
        Self { varies: true, ..self }
    }

    /// The same row with more help.
    pub(super) const fn with_details(self, details: fn() -> String) -> Self {
        Self { details: Some(details), ..self }
    }

    /// The same row, which controllers are told of only with such options.
    pub(super) const fn listed_if(self, is_listed: fn(&Options) -> bool) -> Self {
        Self { is_listed, ..self }
    }
}

/// All commands by topic. `protocol_version` comes first: one GUI reads the list only after it.
pub fn table() -> impl Iterator<Item = &'static Command> {
    commands::TOPICS.iter().flat_map(|topic| topic.iter())
}

/// The commands that controllers are told of.
pub fn listed(options: &Options) -> impl Iterator<Item = &'static Command> {
    table().filter(|command| (command.is_listed)(options))
}

/// The command of this name, exactly.
pub(super) fn find(name: &str) -> Option<&'static Command> {
    table().find(|command| command.name == name)
}

/// The failure of a name that is not in the table; the log hints at one that differs in case.
pub(super) fn unknown(name: &str) -> Failure {
    if let Some(near) = table().find(|command| command.name.eq_ignore_ascii_case(name)) {
        log::warn!("commands are case-sensitive: {name} is not {}", near.name);
    }
    Failure::new("unknown command")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        let mut names: Vec<_> = table().map(|command| command.name).collect();
        assert_eq!(names[0], "protocol_version");
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "a name is listed twice");
        for command in table() {
            assert!(!command.name.contains(char::is_whitespace));
            assert!(!command.help.is_empty() && !command.help.contains('\n'), "{}", command.name);
        }
    }
}
