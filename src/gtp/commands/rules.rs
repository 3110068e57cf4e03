//! Commands that show and change the rules.

use crate::gtp::args::Args;
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;
use crate::rules::{Komi, PRESETS, Rules, RulesError, preset};

pub(super) const COMMANDS: &[Command] = &[
    Command::new("kata-get-rules", "", "the rules in force, as JSON that can be set again", {
        |session, _| Ok(session.game().rules().to_json())
    }),
    Command::new(
        "kata-set-rules",
        "NAME | {JSON}",
        "sets the rules by name or by settings; the game goes on, komi changes only if given",
        set_rules,
    )
    .with_details(preset_lines),
    Command::new("kata-set-rule", "SETTING VALUE", "changes one setting of the rules", set_rule),
    Command::new("kgs-rules", "NAME", "sets the rules by name", kgs_rules)
        .with_details(preset_lines),
];

/// The presets, one a line.
fn preset_lines() -> String {
    let lines: Vec<String> =
        PRESETS.iter().map(|preset| format!("{}: {}", preset.name, preset.about)).collect();
    lines.join("\n")
}

/// Puts rules in force for this game and those to come.
fn choose(session: &mut Session, rules: Rules, komi: Option<Komi>) {
    let state = session.state_mut();
    state.session_rules = rules;
    state.are_rules_chosen = true;
    state.game.set_rules(rules);
    if let Some(komi) = komi {
        session.set_komi(komi);
    }
}

fn failure(error: &RulesError) -> Failure {
    Failure::new(error.to_string())
}

fn set_rules(session: &mut Session, args: &Args<'_>) -> Answer {
    args.word(0)?;
    let (rules, komi) = Rules::parse(args.rest()).map_err(|error| failure(&error))?;
    choose(session, rules, komi);
    Ok(String::new())
}

fn set_rule(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(2)?;
    let rules = session.game().rules().with_setting(args.word(0)?, args.word(1)?);
    choose(session, rules.map_err(|error| failure(&error))?, None);
    Ok(String::new())
}

/// More arguments may come in future versions of the protocol and are ignored.
fn kgs_rules(session: &mut Session, args: &Args<'_>) -> Answer {
    let name = args.word(0)?;
    let unknown = || failure(&RulesError::UnknownName(name.to_owned()));
    choose(session, preset(name).ok_or_else(unknown)?.rules, None);
    Ok(String::new())
}
