//! A search in words, for people who read game records and GoGui's analyze menu.

use super::{fixed, moves_text};
use crate::board::{Move, Size};
use crate::score::Ownership;
use crate::search::report::{Candidate, Report};

/// Moves that are listed at most.
const LISTED: usize = 10;
/// Moves of a variation that are told at most.
const EXPECTED: usize = 8;
/// A move with less than this share of the best one's visits is not worth a mark on the board.
const MARKED_SHARE: f64 = 0.01;
/// A point has turned if its average owner changed by this much, of 2 from one color to the other.
const TURNED: f32 = 0.5;

/// What came of a search and why: `chosen` is the move, or nothing if the game was given up; `before`
/// tells who owned the points when the same side searched last.
pub fn explanation(
    report: &Report,
    chosen: Option<Move>,
    before: Option<&Ownership>,
    size: Size,
) -> String {
    let mut lines = Vec::new();
    let candidate = chosen.and_then(|mv| tried(report).find(|candidate| candidate.mv == mv));
    lines.push(match (chosen, candidate) {
        (None, _) => "resigns: no move of weight has a chance".to_owned(),
        (Some(mv), None) => format!("{}: not from the search", size.move_text(mv)),
        (Some(_), Some(candidate)) => figures(candidate, size),
    });
    if let Some([_, answers @ ..]) = candidate.map(|candidate| &candidate.variation[..])
        && !answers.is_empty()
    {
        let answers = &answers[..answers.len().min(EXPECTED)];
        lines.push(format!("expects {}", moves_text(answers, size)));
    }
    if let Some(other) = tried(report).find(|candidate| Some(candidate.mv) != chosen) {
        let is_best = report.best() == Some(other);
        let relation = if is_best { "the search prefers" } else { "next best is" };
        lines.push(format!("{relation} {}", figures(other, size)));
    }
    lines.extend(before.and_then(|before| swing(report, before, size)));
    lines.join("\n")
}

/// The candidates that were looked at.
fn tried(report: &Report) -> impl Iterator<Item = &Candidate> {
    report.candidates.iter().filter(|candidate| candidate.visits > 0)
}

/// How many points have changed their likely owner.
fn swing(report: &Report, before: &Ownership, size: Size) -> Option<String> {
    let turned = |sign: f32| {
        let change = |point| sign * (report.ownership.at(point) - before.at(point));
        size.iter().filter(|&point| change(point) >= TURNED).count()
    };
    let (black, white) = (turned(1.0), turned(-1.0));
    let text = format!("points turned since our last search: {black} to Black, {white} to White");
    (black + white > 0).then_some(text)
}

/// A move and its numbers.
fn figures(candidate: &Candidate, size: Size) -> String {
    let Candidate { mv, visits, win_rate, score, .. } = candidate;
    let (win_rate, score) = (fixed(100.0 * win_rate, 1), fixed(*score, 1));
    format!("{}: win rate {win_rate} %, score {score}, visits {visits}", size.move_text(*mv))
}

/// The best moves with their numbers, one a line.
pub fn table(report: &Report, size: Size) -> String {
    let (playouts, visits) = (report.playouts, report.visits());
    let mut lines = vec![format!("{} to play, {playouts} playouts, {visits} visits", report.color)];
    lines.extend(tried(report).take(LISTED).map(|candidate| figures(candidate, size)));
    lines.join("\n")
}

/// Points and texts in pairs, for the moves that are worth a mark.
fn pairs(report: &Report, size: Size, text: fn(&Candidate) -> String) -> String {
    let most = report.candidates.iter().map(|candidate| candidate.visits).max().unwrap_or(0);
    let is_worth = |candidate: &&Candidate| {
        candidate.mv != Move::Pass && candidate.visits as f64 >= MARKED_SHARE * most as f64
    };
    let marked = tried(report).filter(is_worth);
    let pairs =
        marked.map(|candidate| format!("{} {}", size.move_text(candidate.mv), text(candidate)));
    pairs.collect::<Vec<_>>().join(" ")
}

/// Moves with their win rates in percent, in pairs.
pub fn win_rates(report: &Report, size: Size) -> String {
    pairs(report, size, |candidate| fixed(100.0 * candidate.win_rate, 0))
}

/// Moves with their visits, in pairs.
pub fn visits(report: &Report, size: Size) -> String {
    pairs(report, size, |candidate| candidate.visits.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::search::report::Step;

    fn size() -> Size {
        Size::square(9).unwrap()
    }

    fn play(vertex: &str) -> Move {
        Move::Play(size().parse_point(vertex).unwrap())
    }

    fn candidate(moves: &[Move], visits: u64, win_rate: f64) -> Candidate {
        Candidate {
            mv: moves[0],
            visits,
            win_rate,
            score: 20.0 * win_rate - 10.0,
            score_deviation: 5.0,
            value: win_rate,
            prior: 0.1,
            variation: moves.iter().map(|&mv| Step { mv, visits }).collect(),
            ownership: None,
        }
    }

    /// A search of White's; Black owns the points of `black`.
    fn report(candidates: Vec<Candidate>, black: &[&str]) -> Report {
        let mut sums = vec![0; crate::board::ARRAY_LEN];
        for vertex in black {
            sums[size().parse_point(vertex).unwrap().index()] = 1;
        }
        let ownership = Ownership::from_sums(&sums, 1);
        let empty = Report::of_move(Color::White, Move::Pass);
        Report { candidates, playouts: 1000, ownership, ..empty }
    }

    fn usual() -> Report {
        let candidates = vec![
            candidate(&[play("D4"), play("F6"), Move::Pass], 800, 0.6),
            candidate(&[Move::Pass], 120, 0.45),
            candidate(&[play("E5"), play("D4")], 80, 0.5123),
            candidate(&[play("A1")], 1, 0.0),
        ];
        report(candidates, &["E5", "E6"])
    }

    #[test]
    fn explanations() {
        let best = "D4: win rate 60.0 %, score 2.0, visits 800";
        let pass = "pass: win rate 45.0 %, score -1.0, visits 120";
        for (chosen, before, expected) in [
            (Some(play("D4")), None, format!("{best}\nexpects F6 pass\nnext best is {pass}")),
            (Some(Move::Pass), None, format!("{pass}\nthe search prefers {best}")),
            (Some(play("J9")), None, format!("J9: not from the search\nthe search prefers {best}")),
            (
                None,
                Some(report(Vec::new(), &["E5", "F6"])),
                format!(
                    "resigns: no move of weight has a chance\nthe search prefers {best}\n\
                     points turned since our last search: 1 to Black, 1 to White"
                ),
            ),
        ] {
            let before = before.as_ref().map(|before| &before.ownership);
            assert_eq!(explanation(&usual(), chosen, before, size()), expected);
        }
        let random = Report::of_move(Color::Black, play("D4"));
        let text = explanation(&random, Some(play("D4")), None, size());
        assert_eq!(text, "D4: not from the search");
    }

    #[test]
    fn forms_of_the_analyze_menu() {
        let report = usual();
        assert_eq!(win_rates(&report, size()), "D4 60 E5 51");
        assert_eq!(visits(&report, size()), "D4 800 E5 80");
        let lines = table(&report, size());
        let head = format!(
            "white to play, 1000 playouts, {} visits\nD4: win rate 60.0 %",
            report.visits()
        );
        assert!(lines.starts_with(&head), "{lines}");
        assert_eq!(lines.lines().count(), 5);
    }
}
