//! Who the controller is, as far as it makes a difference.
//!
//! A client is recognized by what it sends ([`MARKS`]), and all that follows from it are defaults
//! ([`PROFILES`]). The user overrules it with the flag `--client` or the parameter `client`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::line::Line;
use crate::rules::{Rules, preset};

/// A kind of controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// Nobody in particular.
    Plain,
    /// GoGui.
    Gogui,
    /// kgsGtp, the bridge to KGS.
    Kgs,
    /// The client of the Computer Go Server.
    Cgos,
    /// gtp2ogs, the bridge to OGS.
    Ogs,
    /// Lizzie and its kin.
    Lizzie,
}

impl Client {
    /// The defaults for this client.
    pub(super) fn profile(self) -> &'static Profile {
        PROFILES.iter().find(|profile| profile.client == self).unwrap_or(&PROFILES[0])
    }
}

/// What is done differently for a client.
#[derive(Clone, Copy, Debug)]
pub(super) struct Profile {
    client: Client,
    /// The word for it in flags and parameters.
    name: &'static str,
    /// Whether searches draw on GoGui's board, by lines of stderr.
    pub(super) live_graphics: bool,
    /// Whether each move is followed by Leela Zero's line about it on stderr, which others read.
    pub(super) summary: bool,
    /// The rules of its games, unless the user names some.
    rules: Option<&'static str>,
    /// Time that stays on the clock.
    pub(super) reserve: Duration,
    /// Hopeless searches in a row before a game is given up.
    pub(super) resign_after: u32,
}

const PLAIN: Profile = Profile {
    client: Client::Plain,
    name: "plain",
    live_graphics: false,
    summary: false,
    rules: None,
    reserve: Duration::ZERO,
    resign_after: 2,
};

/// People make mistakes that engines do not make.
const RESIGN_TO_PEOPLE_AFTER: u32 = 3;

const PROFILES: [Profile; 6] = [
    PLAIN,
    Profile { client: Client::Gogui, name: "gogui", live_graphics: true, ..PLAIN },
    Profile { client: Client::Kgs, name: "kgs", resign_after: RESIGN_TO_PEOPLE_AFTER, ..PLAIN },
    // Its referee counts the board as it stands, so dead stones are taken before a pass, and its
    // clock is absolute and told in whole seconds (gtp.md 2.4).
    Profile {
        client: Client::Cgos,
        name: "cgos",
        rules: Some("cgos"),
        reserve: Duration::from_secs(1),
        ..PLAIN
    },
    Profile {
        client: Client::Ogs,
        name: "ogs",
        summary: true,
        resign_after: RESIGN_TO_PEOPLE_AFTER,
        ..PLAIN
    },
    Profile { client: Client::Lizzie, name: "lizzie", summary: true, ..PLAIN },
];

impl Profile {
    /// The rules of its games, unless the user names some.
    pub(super) fn rules(&self) -> Option<Rules> {
        Some(preset(self.rules?)?.rules)
    }
}

impl fmt::Display for Profile {
    /// What is special, for the log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: a game is given up after {} hopeless searches",
            self.name, self.resign_after
        )?;
        if self.live_graphics {
            f.write_str(", searches are drawn on the board")?;
        }
        if self.summary {
            f.write_str(", moves are explained on stderr")?;
        }
        if let Some(rules) = self.rules {
            write!(f, ", rules {rules} unless others are named")?;
        }
        if !self.reserve.is_zero() {
            write!(f, ", {:?} stay on the clock", self.reserve)?;
        }
        Ok(())
    }
}

/// Whom the user says the controller is; nobody means that it is found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientChoice(pub Option<Client>);

impl ClientChoice {
    /// The words for all choices.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ["auto"].into_iter().chain(PROFILES.iter().map(|profile| profile.name))
    }
}

impl fmt::Display for ClientChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.map_or("auto", |client| client.profile().name))
    }
}

impl FromStr for ClientChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self(None));
        }
        let profile = PROFILES.iter().find(|profile| profile.name == text);
        let profile = profile
            .ok_or_else(|| format!("known are {}", Self::names().collect::<Vec<_>>().join(", ")))?;
        Ok(Self(Some(profile.client)))
    }
}

/// What gives a client away.
#[derive(Clone, Copy, Debug)]
enum Mark {
    /// A command that only it sends.
    Command(&'static str),
    /// A carriage return before the line feed.
    CarriageReturn,
    /// Ids with each of the first commands, this many.
    Numbers(u32),
}

/// How much a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Nothing,
    /// Others may show it too: enough where nothing else is known.
    Guess,
    Sure,
}

/// Marks of clients. `gogui-version` came with GoGui 1.6; tools that come with GoGui send neither
/// that nor the analyze command. Carriage returns are gtp2ogs's, but whatever runs on Windows may
/// send them; `kgs-time_settings` and `kgs-genmove_cleanup` are used beyond KGS.
const MARKS: &[(Mark, Client, Weight)] = &[
    (Mark::Command("gogui-version"), Client::Gogui, Weight::Sure),
    (Mark::Command("gogui-analyze_commands"), Client::Gogui, Weight::Sure),
    (Mark::Command("kgs-rules"), Client::Kgs, Weight::Sure),
    (Mark::Command("kgs-chat"), Client::Kgs, Weight::Sure),
    (Mark::Command("kgs-game_over"), Client::Kgs, Weight::Sure),
    (Mark::Command("cgos-opponent_name"), Client::Cgos, Weight::Sure),
    (Mark::Command("cgos-opponent_rating"), Client::Cgos, Weight::Sure),
    (Mark::Command("cgos-genmove_analyze"), Client::Cgos, Weight::Sure),
    (Mark::Command("cgos-gameover"), Client::Cgos, Weight::Sure),
    (Mark::Command("kata-list_time_settings"), Client::Ogs, Weight::Guess),
    (Mark::CarriageReturn, Client::Ogs, Weight::Guess),
    (Mark::Command("lz-analyze"), Client::Lizzie, Weight::Guess),
    (Mark::Numbers(4), Client::Lizzie, Weight::Guess),
];

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(name) => f.write_str(name),
            Self::CarriageReturn => f.write_str("carriage returns"),
            Self::Numbers(_) => f.write_str("ids on everything"),
        }
    }
}

/// Finds out who the controller is.
#[derive(Debug)]
pub(super) struct Recognizer {
    choice: ClientChoice,
    seen: Client,
    weight: Weight,
    commands: u32,
    /// Those of them that had an id.
    numbered: u32,
}

impl Recognizer {
    /// Nothing is known yet but what the user says.
    pub(super) fn new(choice: ClientChoice) -> Self {
        let (seen, weight) = (Client::Plain, Weight::Nothing);
        Self { choice, seen, weight, commands: 0, numbered: 0 }
    }

    /// Whom the user says it is.
    pub(super) fn choice(&self) -> ClientChoice {
        self.choice
    }

    /// The defaults in force.
    pub(super) fn profile(&self) -> &'static Profile {
        self.choice.0.unwrap_or(self.seen).profile()
    }

    /// Follows the user from now on; returns whether other defaults are in force.
    pub(super) fn choose(&mut self, choice: ClientChoice) -> bool {
        let before = self.profile().client;
        self.choice = choice;
        self.has_changed(before, "told so")
    }

    /// Looks at a command; returns whether other defaults are in force.
    pub(super) fn notice(&mut self, line: &Line) -> bool {
        self.commands += 1;
        self.numbered += u32::from(line.id.is_some());
        let before = self.profile().client;
        let says_more = |client, weight: Weight| {
            weight > self.weight || (weight == Weight::Sure && client != self.seen)
        };
        let mut marks = MARKS.iter();
        let found = marks
            .find(|&&(mark, client, weight)| self.shows(mark, line) && says_more(client, weight));
        let Some(&(mark, client, weight)) = found else { return false };
        (self.seen, self.weight) = (client, weight);
        self.has_changed(before, &mark.to_string())
    }

    fn shows(&self, mark: Mark, line: &Line) -> bool {
        match mark {
            Mark::Command(name) => line.name == name,
            Mark::CarriageReturn => line.has_carriage_return,
            Mark::Numbers(commands) => self.commands == commands && self.numbered == commands,
        }
    }

    fn has_changed(&self, before: Client, reason: &str) -> bool {
        let profile = self.profile();
        let has_changed = profile.client != before;
        if has_changed {
            log::info!("client {profile} ({reason})");
        }
        has_changed
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::{Input, parse};
    use super::*;

    /// Whom the recognizer takes a controller for that sends these lines.
    fn recognized(recognizer: &mut Recognizer, lines: &[&str]) -> Client {
        for line in lines {
            if let Input::Command(line) = parse(line.as_bytes()) {
                recognizer.notice(&line);
            }
        }
        recognizer.profile().client
    }

    #[test]
    fn clients_are_recognized() {
        for (lines, client) in [
            (&["name", "version", "protocol_version", "list_commands"][..], Client::Plain),
            (&["list_commands", "gogui-interrupt", "gogui-version 1.6.0"], Client::Gogui),
            (&["1 name", "2 gogui-analyze_commands", "3 kgs-genmove_cleanup b"], Client::Gogui),
            (&["list_commands\r", "kgs-time_settings none\r", "genmove b\r"], Client::Ogs),
            (&["list_commands\r", "kgs-rules chinese\r"], Client::Kgs),
            (&["list_commands", "cgos-opponent_name x", "genmove b"], Client::Cgos),
            (&["0 name", "1 version", "2 boardsize 19", "3 komi 7.5"], Client::Lizzie),
            (&["0 name", "version", "2 boardsize 19", "3 komi 7.5", "4 name"], Client::Plain),
            (&["0 name", "1 version", "2 boardsize 19"], Client::Plain),
            // A guess gives way to what is sure, never the other way round.
            (&["0 a", "1 a", "2 a", "3 a", "4 cgos-gameover B+1", "5 a\r"], Client::Cgos),
            (&["kgs-rules aga", "gogui-version 1"], Client::Gogui),
        ] {
            let found = recognized(&mut Recognizer::new(ClientChoice::default()), lines);
            assert_eq!(found, client, "{lines:?}");
        }
    }

    #[test]
    fn the_user_has_the_last_word() {
        let mut recognizer = Recognizer::new("plain".parse().unwrap());
        assert_eq!(recognized(&mut recognizer, &["gogui-version 1"]), Client::Plain);
        assert!(recognizer.choose(ClientChoice(None)), "what was seen meanwhile counts");
        assert_eq!(recognizer.profile().client, Client::Gogui);
        assert!(recognizer.choose("kgs".parse().unwrap()));
        assert!(!recognizer.choose("kgs".parse().unwrap()));
    }

    #[test]
    fn the_profiles_are_sound() {
        for name in ClientChoice::names() {
            let choice: ClientChoice = name.parse().unwrap();
            assert_eq!(choice.to_string(), name);
        }
        for profile in PROFILES {
            assert_eq!(profile.rules().is_some(), profile.rules.is_some(), "{profile}");
        }
        assert!("gnugo".parse::<ClientChoice>().unwrap_err().contains("auto, plain, gogui"));
    }
}
