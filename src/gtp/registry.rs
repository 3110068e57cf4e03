//! The one table of commands: name, usage, help, handler. `list_commands`, `known_command` and
//! `help` read it, and so does the dispatcher.

use super::args::Args;
use super::commands;
use super::response::{Answer, Failure};
use super::session::Session;

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
}

/// What runs a command.
pub(super) type Handler = fn(&mut Session, &Args<'_>) -> Answer;

impl Command {
    /// A row of the table.
    pub(super) const fn new(
        name: &'static str,
        usage: &'static str,
        help: &'static str,
        handler: Handler,
    ) -> Self {
        Self { name, usage, help, details: None, varies: false, handler }
    }

    /// The same row of a command that answers with measurements.
    pub(super) const fn varying(self) -> Self {
        Self { varies: true, ..self }
    }

    /// The same row with more help.
    pub(super) const fn with_details(self, details: fn() -> String) -> Self {
        Self { details: Some(details), ..self }
    }
}

/// All commands by topic. `protocol_version` comes first: one GUI reads the list only after it.
pub fn table() -> impl Iterator<Item = &'static Command> {
    commands::TOPICS.iter().flat_map(|topic| topic.iter())
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
