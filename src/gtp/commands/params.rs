//! Commands that show and set parameters: KataGo's for programs, GoGui's for its dialogs.
//!
//! Parameters are the rows of [`SearchParams`] and a few settings under KataGo's names, those that
//! clients are known to use. A name of KataGo's that keima has no such thing for is unknown.

use serde_json::{Map, Number, Value};

use crate::board::Color;
use crate::config::{Config, ParamRow, Perspective, PlayoutParams, SearchParams, TreeParams};
use crate::engine::Engine;
use crate::gtp::args::Args;
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "kata-list-params",
        "",
        "the names of all parameters: maxVisits, maxPlayouts, maxTime, numSearchThreads, \
               ponderingEnabled, allowResignation, reportAnalysisWinratesAs, and the tunables of the search",
        |_, _| Ok(names().join(" ")),
    )
    .with_details(row_lines),
    Command::new("kata-get-param", "NAME", "the value of a parameter", get_param),
    Command::new(
        "kata-set-param",
        "NAME VALUE",
        "sets a parameter; maxVisits or maxPlayouts 1125899906842624 and maxTime 1000000 mean none",
        set_param,
    ),
    Command::new("kata-get-params", "", "all parameters with their values as JSON", get_params),
    Command::new(
        "kata-set-params",
        "{JSON}",
        "sets several parameters, all of them or none",
        set_params,
    ),
    Command::new(
        "lz-setoption",
        "[name NAME value VALUE]",
        "sets an option of Leela Zero's: Visits or Playouts (0 means no such limit) or Pondering; \
               without arguments lists them",
        set_option,
    ),
    Command::new(
        "gogui-param_search",
        "[NAME VALUE]",
        "shows or sets the tunables of the tree search",
        |session, args| dialog(session, args, &TreeParams::rows()),
    ),
    Command::new(
        "gogui-param_playout",
        "[NAME VALUE]",
        "shows or sets the tunables of the playouts",
        |session, args| dialog(session, args, &PlayoutParams::rows()),
    ),
];

/// Playouts or visits of a move that stand for no limit, as KataGo has it.
const PLAYOUTS_NONE: u64 = 1 << 50;
/// Seconds a move that stand for none: no more can be asked for.
const SECONDS_NONE: f64 = 1e6;

/// A setting under KataGo's name.
struct Setting {
    name: &'static str,
    get: fn(&Engine) -> Value,
    /// Why a value is refused; nothing is changed then.
    set: fn(&mut Config, &Value) -> Result<(), &'static str>,
}

const SETTINGS: [Setting; 7] = [
    Setting {
        name: "maxVisits",
        get: |engine| engine.config().visits.unwrap_or(PLAYOUTS_NONE).into(),
        set: |config, value| set_count(&mut config.visits, value),
    },
    Setting {
        name: "maxPlayouts",
        get: |engine| engine.config().playouts.unwrap_or(PLAYOUTS_NONE).into(),
        set: |config, value| set_count(&mut config.playouts, value),
    },
    Setting {
        name: "maxTime",
        get: |engine| {
            let time = engine.config().time_per_move;
            number(time.map_or(SECONDS_NONE, |time| time.as_secs_f64()))
        },
        set: |config, value| {
            let seconds = value.as_f64().filter(|&s| s > 0.0 && s <= SECONDS_NONE);
            let seconds = seconds.ok_or("must be above 0 and at most 1000000")?;
            let time = std::time::Duration::from_secs_f64(seconds);
            config.time_per_move = Some(time).filter(|_| seconds < SECONDS_NONE);
            Ok(())
        },
    },
    Setting {
        name: "numSearchThreads",
        get: |engine| engine.threads().into(),
        set: |config, value| {
            let threads = value.as_u64().filter(|n| (1..=1024).contains(n));
            config.threads = threads.ok_or("must be from 1 to 1024")? as usize;
            Ok(())
        },
    },
    Setting {
        name: "ponderingEnabled",
        get: |engine| engine.config().ponder.into(),
        set: |config, value| set_switch(&mut config.ponder, value),
    },
    Setting {
        name: "allowResignation",
        get: |engine| engine.config().allow_resign.into(),
        set: |config, value| set_switch(&mut config.allow_resign, value),
    },
    Setting {
        name: "reportAnalysisWinratesAs",
        get: |engine| {
            let in_force = engine.config().perspective;
            let named = PERSPECTIVES.iter().find(|(_, perspective)| *perspective == in_force);
            named.map_or(Value::Null, |&(name, _)| name.into())
        },
        set: |config, value| {
            let name = value.as_str().unwrap_or_default();
            let named = PERSPECTIVES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
            config.perspective = named.ok_or("must be SIDETOMOVE, BLACK or WHITE")?.1;
            Ok(())
        },
    },
];

/// Whose win rates an analysis shows, by KataGo's names.
const PERSPECTIVES: [(&str, Perspective); 3] = [
    ("SIDETOMOVE", Perspective::SideToMove),
    ("BLACK", Perspective::Side(Color::Black)),
    ("WHITE", Perspective::Side(Color::White)),
];

fn set_count(count: &mut Option<u64>, value: &Value) -> Result<(), &'static str> {
    let number = value.as_u64().filter(|n| (1..=PLAYOUTS_NONE).contains(n));
    let number = number.ok_or("must be from 1 to 1125899906842624")?;
    *count = Some(number).filter(|&n| n < PLAYOUTS_NONE);
    Ok(())
}

fn set_switch(switch: &mut bool, value: &Value) -> Result<(), &'static str> {
    *switch = value.as_bool().ok_or("must be true or false")?;
    Ok(())
}

/// Options of Leela Zero's, how it describes their values, and the setting behind them.
const OPTIONS: [(&str, &str, &str); 3] = [
    ("Visits", "spin default 0 min 0 max 1000000000", "maxVisits"),
    ("Playouts", "spin default 0 min 0 max 1000000000", "maxPlayouts"),
    ("Pondering", "check default false", "ponderingEnabled"),
];

fn names() -> Vec<&'static str> {
    let rows = SearchParams::rows();
    let settings = SETTINGS.iter().map(|setting| setting.name);
    settings.chain(rows.iter().map(|row| row.name)).collect()
}

/// The tunables, one a line.
fn row_lines() -> String {
    let lines: Vec<String> = SearchParams::rows().iter().map(ParamRow::to_string).collect();
    lines.join("\n")
}

/// A number as JSON: a whole one without a fraction.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 2_f64.powi(53) {
        return (value as i64).into();
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// A tunable as JSON: with the digits that it was written with, not those of its binary value.
fn tunable(value: f32) -> Value {
    value.to_string().parse().map_or(Value::Null, number)
}

fn get(engine: &Engine, name: &str) -> Result<Value, Failure> {
    if let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) {
        return Ok((setting.get)(engine));
    }
    let value = engine.config().params.get(name);
    value.map(tunable).ok_or_else(|| Failure::new(format!("unknown parameter {name}")))
}

fn set(config: &mut Config, name: &str, value: &Value) -> Result<(), Failure> {
    if let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) {
        let result = (setting.set)(config, value);
        return result.map_err(|reason| Failure::new(format!("{name} {reason}")));
    }
    // What is no number gets the failure of a wrong one.
    let number = value.as_f64().unwrap_or(f64::NAN) as f32;
    config.params.set(name, number).map_err(|error| Failure::new(error.to_string()))
}

/// Sets all of these or none.
fn set_all<'a>(
    engine: &mut Engine,
    values: impl IntoIterator<Item = (&'a str, &'a Value)>,
) -> Result<(), Failure> {
    let mut config = engine.config().clone();
    for (name, value) in values {
        set(&mut config, name, value)?;
    }
    engine.configure(config).map_err(|error| Failure::new(error.to_string()))
}

fn get_param(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let value = get(session.engine(), args.word(0)?)?;
    Ok(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

fn get_params(session: &mut Session, _: &Args<'_>) -> Answer {
    to_json(session.engine())
}

/// The number of threads for people.
pub(super) fn threads_text(engine: &Engine) -> String {
    let threads = engine.threads();
    format!("{threads} thread{}", if threads == 1 { "" } else { "s" })
}

/// All parameters with their values.
pub(super) fn to_json(engine: &Engine) -> Answer {
    let values: Result<Map<_, _>, _> =
        names().into_iter().map(|name| Ok((name.to_owned(), get(engine, name)?))).collect();
    values.map(|values| Value::Object(values).to_string())
}

fn set_param(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(2)?;
    let name = args.word(0)?;
    set_all(session.engine(), [(name, &value_arg(args, 1)?)])?;
    Ok(String::new())
}

/// Argument `i` as a truth value, a word or a number.
fn value_arg(args: &Args<'_>, i: usize) -> Result<Value, Failure> {
    Ok(match args.word(i)?.to_ascii_lowercase().as_str() {
        "true" => true.into(),
        "false" => false.into(),
        word if word.starts_with(|c: char| c.is_ascii_alphabetic()) => word.into(),
        _ => number(args.float(i)?),
    })
}

/// Names of options may consist of several words, in any case.
fn set_option(session: &mut Session, args: &Args<'_>) -> Answer {
    if args.is_empty() {
        let lines = OPTIONS.map(|(name, kind, _)| format!("option name {name} type {kind}"));
        return Ok(lines.join("\n"));
    }
    let words = args.from(0);
    let value = words.iter().position(|word| word == "value").ok_or_else(Failure::syntax)?;
    if words[0] != "name" || value + 2 != words.len() {
        return Err(Failure::syntax());
    }
    let name = words[..value].get(1..).unwrap_or_default().join(" ");
    let option = OPTIONS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(&name));
    let (.., setting) = option.ok_or_else(|| Failure::new(format!("unknown parameter {name}")))?;
    let value = match value_arg(args, value + 1)? {
        none if none == 0 => PLAYOUTS_NONE.into(),
        value => value,
    };
    set_all(session.engine(), [(*setting, &value)])?;
    Ok(String::new())
}

fn set_params(session: &mut Session, args: &Args<'_>) -> Answer {
    let values: Map<String, Value> =
        serde_json::from_str(args.rest()).map_err(|_error| Failure::syntax())?;
    set_all(session.engine(), values.iter().map(|(name, value)| (name.as_str(), value)))?;
    Ok(String::new())
}

/// What GoGui makes a dialog of, and what its *OK* sends.
fn dialog(session: &mut Session, args: &Args<'_>, rows: &[ParamRow]) -> Answer {
    if args.is_empty() {
        let params = &session.engine().config().params;
        let lines = rows.iter().filter_map(|row| {
            params.get(row.name).map(|value| format!("[string] {} {value}", row.name))
        });
        return Ok(lines.collect::<Vec<_>>().join("\n"));
    }
    let name = args.word(0)?;
    if !rows.iter().any(|row| row.name == name) {
        return Err(Failure::new(format!("unknown parameter {name}")));
    }
    set_param(session, args)
}
