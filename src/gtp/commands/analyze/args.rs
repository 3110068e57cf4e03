//! The arguments that all analysis commands share (gtp.md 2.6).
//!
//! `[COLOR] [CENTISECONDS] [KEY VALUE...]`; Leela Zero allows them in any order, so do we. They are
//! read completely before anything is answered: behind the header no failure can be told.

use std::time::Duration;

use crate::analysis::Fields;
use crate::board::{Color, Point, PointSet, Size, Vertex};
use crate::engine::{Restriction, Restrictions};
use crate::gtp::args::{Args, VertexArg, color, vertex};
use crate::gtp::response::Failure;

/// What an analysis command asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AnalyzeArgs {
    pub(super) color: Option<Color>,
    /// Time between two lines; without it only the last one is wanted.
    pub(super) interval: Option<Duration>,
    pub(super) moves_min: usize,
    pub(super) moves_max: Option<usize>,
    pub(super) restrictions: Restrictions,
    pub(super) fields: Fields,
}

impl AnalyzeArgs {
    /// Reads the arguments; keys that add fields only if the command knows them.
    pub(super) fn parse(args: &Args<'_>, size: Size, has_fields: bool) -> Result<Self, Failure> {
        let mut wish = Self::default();
        let mut restrictions = Vec::new();
        let words: Vec<&str> = args.from(0).iter().map(String::as_str).collect();
        let mut rest = &words[..];
        while let [word, behind @ ..] = rest {
            rest = behind;
            if let Some(side) = color(word) {
                if wish.color.replace(side).is_some() {
                    return Err(Failure::syntax());
                }
            } else if word.starts_with(|c: char| c.is_ascii_digit()) {
                wish.interval = interval(word)?;
            } else if matches!(*word, "avoid" | "allow") {
                let [side, points, turns, behind @ ..] = rest else {
                    return Err(Failure::syntax());
                };
                rest = behind;
                restrictions.push(restriction(*word == "allow", [side, points, turns], size)?);
            } else {
                let [value, behind @ ..] = rest else { return Err(Failure::syntax()) };
                rest = behind;
                wish.set(word, value, has_fields)?;
            }
        }
        if are_mixed(&restrictions) {
            return Err(Failure::syntax());
        }
        wish.restrictions = Restrictions::new(restrictions);
        Ok(wish)
    }

    fn set(&mut self, key: &str, value: &str, has_fields: bool) -> Result<(), Failure> {
        match key {
            "interval" => self.interval = interval(value)?,
            "minmoves" => self.moves_min = number(value)?,
            "maxmoves" => self.moves_max = Some(number(value)?),
            _ => {
                let field = has_fields.then(|| field(&mut self.fields, key)).flatten();
                *field.ok_or_else(Failure::syntax)? = match value.to_ascii_lowercase().as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(Failure::syntax()),
                };
            }
        }
        Ok(())
    }
}

fn field<'a>(fields: &'a mut Fields, key: &str) -> Option<&'a mut bool> {
    Some(match key {
        "rootInfo" => &mut fields.root_info,
        "ownership" => &mut fields.ownership,
        "ownershipStdev" => &mut fields.ownership_deviation,
        "movesOwnership" => &mut fields.moves_ownership,
        "movesOwnershipStdev" => &mut fields.moves_ownership_deviation,
        "pvVisits" => &mut fields.variation_visits,
        "pvEdgeVisits" => &mut fields.variation_edge_visits,
        "noResultValue" => &mut fields.no_result,
        _ => return None,
    })
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, Failure> {
    text.parse().map_err(|_error| Failure::syntax())
}

/// Hundredths of a second; none for 0. More than a day is as good as a day.
fn interval(text: &str) -> Result<Option<Duration>, Failure> {
    const DAY: u64 = 24 * 3600 * 100;
    let centiseconds: u64 = number(text)?;
    let interval = Duration::from_millis(10 * centiseconds.min(DAY));
    Ok(Some(interval).filter(|interval| !interval.is_zero()))
}

fn restriction(
    allows: bool,
    [side, list, turns]: [&str; 3],
    size: Size,
) -> Result<Restriction, Failure> {
    let color = color(side).ok_or_else(Failure::syntax)?;
    let turns: usize = number(turns)?;
    if turns == 0 {
        return Err(Failure::syntax());
    }
    let mut restriction =
        Restriction { color, points: PointSet::EMPTY, pass: false, allows, turns };
    for item in list.split(',') {
        let (from, to) = item.split_once(':').unwrap_or((item, item));
        match (vertex(from), vertex(to)) {
            (Some(VertexArg::Pass), Some(VertexArg::Pass)) => restriction.pass = true,
            (Some(VertexArg::Point(from)), Some(VertexArg::Point(to))) => {
                restriction.points.extend(rectangle(from, to, size)?.iter());
            }
            _ => return Err(Failure::syntax()),
        }
    }
    Ok(restriction)
}

/// The points between two corners.
fn rectangle(from: Vertex, to: Vertex, size: Size) -> Result<PointSet, Failure> {
    let corner = |vertex| size.at(vertex).ok_or_else(Failure::syntax);
    let corners = [corner(from)?, corner(to)?];
    let is_between = |x: usize, [a, b]: [usize; 2]| (a.min(b)..=a.max(b)).contains(&x);
    let (columns, rows) = (corners.map(|p| size.column(p)), corners.map(|p| size.row(p)));
    let inside = |&p: &Point| is_between(size.column(p), columns) && is_between(size.row(p), rows);
    Ok(size.iter().filter(inside).collect())
}

/// Whether a side has allowed moves beside other restrictions: KataGo refuses that, and which one
/// would win is anybody's guess.
fn are_mixed(restrictions: &[Restriction]) -> bool {
    restrictions.iter().filter(|restriction| restriction.allows).any(|allowing| {
        restrictions.iter().filter(|other| other.color == allowing.color).count() > 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Move;

    fn parse(text: &str) -> Result<AnalyzeArgs, Failure> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        AnalyzeArgs::parse(&Args::new(&words, text), Size::square(9).unwrap(), true)
    }

    #[test]
    fn arguments_come_in_any_order() {
        let expected = AnalyzeArgs {
            color: Some(Color::White),
            interval: Some(Duration::from_millis(250)),
            moves_min: 3,
            ..AnalyzeArgs::default()
        };
        for text in ["w 25 minmoves 3", "minmoves 3 25 W", "white interval 25 minmoves 3"] {
            assert_eq!(parse(text), Ok(expected.clone()), "{text}");
        }
        assert_eq!(parse("b 0").unwrap().interval, None);
        assert!(parse("ownership true rootInfo TRUE pvVisits false").unwrap().fields.root_info);
    }

    #[test]
    fn vertices_come_in_lists_and_rectangles() {
        let wish = parse("avoid b A1,pass,H8:J9 3 avoid w D4 1").unwrap();
        let size = Size::square(9).unwrap();
        let at = |text: &str| Move::Play(size.parse_point(text).unwrap());
        let permits = |color, turn, mv| wish.restrictions.permit(color, turn, mv);
        for mv in [at("A1"), at("H8"), at("H9"), at("J8"), at("J9"), Move::Pass] {
            assert!(!permits(Color::Black, 2, mv) && permits(Color::White, 0, mv), "{mv:?}");
        }
        assert!(permits(Color::Black, 0, at("D4")) && !permits(Color::White, 0, at("D4")));
        assert!(permits(Color::White, 1, at("D4")));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for text in [
            "1 nosuchkey 3",
            "interval",
            "interval x",
            "-5",
            "1.5",
            "b w",
            "ownership maybe",
            "avoid b A1",
            "avoid b A1 0",
            "avoid x A1 1",
            "avoid b T19 1",
            "avoid b A1: 1",
            "avoid b , 1",
            "allow b A1 1 avoid b B2 1",
            "allow b A1 1 allow b B2 1",
            "minmoves -1",
        ] {
            assert_eq!(parse(text), Err(Failure::syntax()), "{text}");
        }
        assert!(parse("allow b A1 1 avoid w B2 1").is_ok());
    }
}
