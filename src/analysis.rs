//! What a search found, as the texts that programs draw: lines of `lz-analyze` and `kata-analyze`,
//! JSON for CGOS, Leela Zero's summary, GoGui's graphics; and in words (`words`).
//!
//! Formats by gtp.md 2.2, 2.4 and 2.6. Numbers are in fixed notation, moves in capitals, `pass` in small
//! letters; the variation comes last in a move's part, but for what was asked for behind it.

mod words;

pub use words::{explanation, table, visits, win_rates};

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::board::{Color, Move, Size};
use crate::score::Ownership;
use crate::search::report::{Candidate, Report, Step};

/// What a line shows beside the moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an argument of kata-analyze")]
pub struct Fields {
    /// A part about the position as a whole.
    pub root_info: bool,
    /// Who owns the points.
    pub ownership: bool,
    /// Standard deviation of the owners.
    pub ownership_deviation: bool,
    /// Who owns the points after each move.
    pub moves_ownership: bool,
    /// Standard deviation of those.
    pub moves_ownership_deviation: bool,
    /// Visits along each variation.
    pub variation_visits: bool,
    /// The same under KataGo's other name: no two lines share a position here.
    pub variation_edge_visits: bool,
    /// Probability of a game without result; no playout ends so.
    pub no_result: bool,
}

/// How a report is shown.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The board.
    pub size: Size,
    /// The side whose win rate and score are shown, and whose points are positive.
    pub side: Color,
    /// Moves to show, tried or not, if there are so many.
    pub moves_min: usize,
    /// Moves to show at most.
    pub moves_max: usize,
    /// What else to show.
    pub fields: Fields,
}

impl View {
    /// All tried moves, and nothing else.
    pub fn new(size: Size, side: Color) -> Self {
        let fields = Fields::default();
        Self { size, side, moves_min: 0, moves_max: usize::MAX, fields }
    }

    /// The moves to show, best first.
    fn moves<'r>(&self, report: &'r Report) -> impl Iterator<Item = Shown<'r>> {
        let fill = self.moves_min.saturating_sub(report.candidates.len());
        let moves = report.candidates.iter().chain(report.untried.iter().take(fill));
        let flips = self.side != report.color;
        moves.take(self.moves_max).map(move |candidate| Shown { candidate, flips })
    }

    /// A win rate of the report's side as the view's side sees it.
    fn win_rate(&self, report: &Report, win_rate: f64) -> f64 {
        if self.side == report.color { win_rate } else { 1.0 - win_rate }
    }

    /// A score of the report's side as the view's side sees it.
    fn score(&self, report: &Report, score: f64) -> f64 {
        if self.side == report.color { score } else { -score }
    }
}

/// A move as the view's side sees it.
struct Shown<'r> {
    candidate: &'r Candidate,
    flips: bool,
}

impl Shown<'_> {
    fn win_rate(&self) -> f64 {
        let win_rate = self.candidate.win_rate.clamp(0.0, 1.0);
        if self.flips { 1.0 - win_rate } else { win_rate }
    }

    fn lower_bound(&self) -> f64 {
        let bound = self.candidate.lower_bound();
        if self.flips { 1.0 - bound } else { bound }
    }

    fn score(&self) -> f64 {
        if self.flips { -self.candidate.score } else { self.candidate.score }
    }
}

/// The line of `lz-analyze`: whole numbers, rates in ten-thousandths.
pub fn lz(report: &Report, view: &View) -> String {
    line(view.moves(report).enumerate().map(|(order, shown)| {
        let Candidate { visits, prior, .. } = shown.candidate;
        format!(
            "{} visits {visits} winrate {} prior {} lcb {} order {order}{}",
            head(&shown, view),
            myriads(shown.win_rate()),
            myriads(*prior),
            myriads(shown.lower_bound()),
            variation(&shown.candidate.variation, view.size),
        )
    }))
}

/// The line of `analyze`, which Sabaki reads: as `lz-analyze` with scores, and with all that
/// `kata-analyze` can add.
pub fn plain(report: &Report, view: &View) -> String {
    let moves = line(view.moves(report).enumerate().map(|(order, shown)| {
        let Candidate { visits, prior, .. } = shown.candidate;
        format!(
            "{} visits {visits} winrate {} scoreLead {} prior {} lcb {} order {order}{}{}",
            head(&shown, view),
            myriads(shown.win_rate()),
            fixed(shown.score(), 2),
            myriads(*prior),
            myriads(shown.lower_bound()),
            variation(&shown.candidate.variation, view.size),
            behind_variation(&shown, view),
        )
    }));
    moves + &behind_moves(report, view)
}

/// The line of `kata-analyze`.
pub fn kata(report: &Report, view: &View) -> String {
    let moves = line(view.moves(report).enumerate().map(|(order, shown)| {
        let Candidate { visits, score_deviation, prior, .. } = shown.candidate;
        let (score, bound) = (fixed(shown.score(), 3), shown.lower_bound());
        let no_result = if view.fields.no_result { " noResultValue 0.000000" } else { "" };
        format!(
            "{} visits {visits} edgeVisits {visits} utility {} winrate {} scoreMean {score} \
             scoreStdev {} scoreLead {score} scoreSelfplay {score} prior {} lcb {} utilityLcb {} \
             weight {visits}{no_result} order {order}{}{}",
            head(&shown, view),
            fixed(utility(shown.win_rate()), 6),
            fixed(shown.win_rate(), 6),
            fixed(*score_deviation, 3),
            fixed(*prior, 6),
            fixed(bound, 6),
            fixed(utility(bound), 6),
            variation(&shown.candidate.variation, view.size),
            behind_variation(&shown, view),
        )
    }));
    moves + &behind_moves(report, view)
}

/// The JSON object of `cgos-genmove_analyze`, on one line.
pub fn cgos(report: &Report, size: Size) -> String {
    let view = View { moves_max: 10, ..View::new(size, report.color) };
    let number = |x: f64, digits: i32| {
        let scale = 10_f64.powi(digits);
        json!((x * scale).round() / scale)
    };
    let moves: Vec<Value> = view
        .moves(report)
        .map(|shown| {
            json!({
                "move": size.move_text(shown.candidate.mv),
                "winrate": number(shown.win_rate(), 4),
                "score": number(shown.score(), 2),
                "prior": number(shown.candidate.prior, 4),
                "visits": shown.candidate.visits,
                "pv": moves_text(&shown.candidate.variation, size),
            })
        })
        .collect();
    let mut object = Map::new();
    object.insert("winrate".to_owned(), number(report.win_rate(), 4));
    object.insert("score".to_owned(), number(report.score, 2));
    object.insert("visits".to_owned(), json!(report.visits()));
    object.insert("moves".to_owned(), Value::Array(moves));
    object.insert("ownership".to_owned(), json!(cgos_ownership(report, size)));
    Value::Object(object).to_string()
}

/// One character a point, the upper left one first: the side to move's ownership in 63 steps.
fn cgos_ownership(report: &Report, size: Size) -> String {
    const STEPS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let sign = report.color.sign() as f32;
    let step = |owner: f32| (31.0 * (1.0 + owner.clamp(-1.0, 1.0))).round() as usize;
    size.iter_from_top()
        .map(|point| char::from(STEPS[step(sign * report.ownership.at(point))]))
        .collect()
}

/// Leela Zero's summary of a search, a line a move; some programs read it from stderr.
pub fn lz_summary(report: &Report, size: Size) -> Vec<String> {
    let candidates = report.candidates.iter();
    candidates
        .map(|candidate| {
            format!(
                "{:>4} -> {:>7} (V: {:5.2}%) (LCB: {:5.2}%) (N: {:5.2}%) PV: {}",
                size.move_text(candidate.mv),
                candidate.visits,
                100.0 * candidate.win_rate,
                100.0 * candidate.lower_bound(),
                100.0 * candidate.prior,
                moves_text(&candidate.variation, size),
            )
        })
        .collect()
}

/// Leela Zero's heat map: the priors of the plays in thousandths, a line a row from the top, then
/// that of a pass and the win rate.
pub fn heatmap(report: &Report, size: Size) -> Vec<String> {
    let listed = report.candidates.iter().chain(&report.untried);
    let priors: HashMap<Move, f64> = listed.map(|c| (c.mv, c.prior)).collect();
    let thousandths = |mv| (1000.0 * priors.get(&mv).copied().unwrap_or_default()).round() as u32;
    let cells: Vec<String> = size
        .iter_from_top()
        .map(|point| format!("{:>3}", thousandths(Move::Play(point))))
        .collect();
    let mut lines: Vec<String> = cells.chunks(size.width()).map(|row| row.join(" ")).collect();
    lines.push(format!("pass: {}", thousandths(Move::Pass)));
    lines.push(format!("winrate: {}", fixed(report.best().map_or(0.5, |best| best.win_rate), 6)));
    lines
}

/// GoGui's graphics of a search: the variation, how often each move was tried, a status line.
pub fn gfx(report: &Report, size: Size) -> Vec<String> {
    let mut lines = Vec::new();
    let Some(best) = report.best() else { return lines };
    let mut color = report.color;
    let mut steps = String::from("VAR");
    for step in &best.variation {
        // Writing to a string does not fail.
        let _ = write!(steps, " {} {}", color_letter(color), size.move_text(step.mv));
        color = !color;
    }
    lines.push(steps);
    let visits = report.visits().max(1) as f64;
    let plays = report.candidates.iter().filter(|candidate| candidate.mv != Move::Pass);
    let shares: Vec<String> = plays
        .map(|candidate| {
            let share = candidate.visits as f64 / visits;
            format!("{} {}", size.move_text(candidate.mv), fixed(share, 3))
        })
        .collect();
    if !shares.is_empty() {
        lines.push(format!("INFLUENCE {}", shares.join(" ")));
    }
    lines.push(format!(
        "TEXT {} {}: {:.1} % of {}, score {:+.1}",
        report.color,
        size.move_text(best.mv),
        100.0 * best.win_rate,
        report.visits(),
        best.score
    ));
    lines
}

fn color_letter(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

/// All moves' parts on one line; programs split it at ` info `.
fn line(moves: impl Iterator<Item = String>) -> String {
    moves.collect::<Vec<_>>().join(" ")
}

fn head(shown: &Shown<'_>, view: &View) -> String {
    format!("info move {}", view.size.move_text(shown.candidate.mv))
}

fn variation(steps: &[Step], size: Size) -> String {
    format!(" pv {}", moves_text(steps, size))
}

fn moves_text(steps: &[Step], size: Size) -> String {
    steps.iter().map(|step| size.move_text(step.mv)).collect::<Vec<_>>().join(" ")
}

/// What may follow a variation.
fn behind_variation(shown: &Shown<'_>, view: &View) -> String {
    let Fields { variation_visits, variation_edge_visits, .. } = view.fields;
    let mut text = String::new();
    for (name, is_wanted) in
        [(" pvVisits", variation_visits), (" pvEdgeVisits", variation_edge_visits)]
    {
        if is_wanted {
            text.push_str(name);
            for step in &shown.candidate.variation {
                // Writing to a string does not fail.
                let _ = write!(text, " {}", step.visits);
            }
        }
    }
    if let Some(ownership) = &shown.candidate.ownership {
        let Fields { moves_ownership, moves_ownership_deviation, .. } = view.fields;
        text += &owners(" movesOwnership", moves_ownership, ownership, view, mean);
        let name = " movesOwnershipStdev";
        text += &owners(name, moves_ownership_deviation, ownership, view, deviation);
    }
    text
}

/// What may follow all moves.
fn behind_moves(report: &Report, view: &View) -> String {
    let mut text = String::new();
    if view.fields.root_info {
        let visits = report.visits();
        let win_rate = view.win_rate(report, report.win_rate());
        let score = fixed(view.score(report, report.score), 3);
        text = format!(
            " rootInfo visits {visits} utility {} winrate {} scoreMean {score} scoreStdev {} \
             scoreLead {score} scoreSelfplay {score} weight {visits}",
            fixed(utility(win_rate), 6),
            fixed(win_rate, 6),
            fixed(report.score_deviation, 3),
        );
    }
    let Fields { ownership, ownership_deviation, .. } = view.fields;
    text += &owners(" ownership", ownership, &report.ownership, view, mean);
    text + &owners(" ownershipStdev", ownership_deviation, &report.ownership, view, deviation)
}

/// A number a point if that is wanted, row by row from the upper left.
fn owners(
    name: &str,
    is_wanted: bool,
    ownership: &Ownership,
    view: &View,
    number: fn(f64) -> f64,
) -> String {
    if !is_wanted {
        return String::new();
    }
    let sign = f64::from(view.side.sign());
    view.size.iter_from_top().fold(name.to_owned(), |mut text, point| {
        // Writing to a string does not fail.
        let _ = write!(text, " {}", fixed(number(sign * f64::from(ownership.at(point))), 4));
        text
    })
}

fn mean(owner: f64) -> f64 {
    owner
}

/// Standard deviation of an owner with this mean: each playout gives a point to one side.
fn deviation(mean: f64) -> f64 {
    (1.0 - mean * mean).max(0.0).sqrt()
}

/// A win rate on KataGo's scale from -1 to 1.
fn utility(win_rate: f64) -> f64 {
    2.0 * win_rate - 1.0
}

/// A rate in ten-thousandths.
fn myriads(rate: f64) -> u32 {
    (10_000.0 * rate.clamp(0.0, 1.0)).round() as u32
}

/// Fixed notation, without a negative zero and finite whatever comes.
fn fixed(x: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", if x.is_finite() { x } else { 0.0 });
    let is_zero = text.bytes().all(|byte| b"-0.".contains(&byte));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

#[cfg(test)]
mod tests;
