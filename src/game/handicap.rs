//! Where handicap stones go.

use crate::board::{Point, Size};
use crate::rules::Placement;

/// The star points for `stones` handicap stones in the order in which they are placed; `None` if
/// the board or the number has no such layout (GTP 2 draft 4.1.1; rules.md 3.9).
///
/// `Placement::Sides` is the beginners' order, from one stone on; both others give GTP's.
pub fn star_points(size: Size, stones: usize, placement: Placement) -> Option<Vec<Point>> {
    let side = size.width();
    if !size.is_square() || side < 7 {
        return None;
    }
    let has_middle = side % 2 == 1 && side >= 9;
    let by_sides = placement == Placement::Sides;
    let least = if by_sides { 1 } else { 2 };
    if !(least..=if has_middle { 9 } else { 4 }).contains(&stones) {
        return None;
    }
    let low = if side < 13 { 2 } else { 3 };
    let (middle, high) = (side / 2, side - 1 - low);
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let center = (middle, middle);
    let on_sides = stones.saturating_sub(4);
    // The center takes part in odd numbers from five on, but with sides first only in nine.
    let with_center = if by_sides { stones == 9 } else { stones >= 5 && stones % 2 == 1 };
    let mut points: Vec<_> = corners[..stones.min(4)].to_vec();
    points.extend(&sides[..on_sides - usize::from(with_center)]);
    points.extend(with_center.then_some(center));
    points.into_iter().map(|(column, row)| size.point(column, row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(side: usize, stones: usize, placement: Placement) -> Option<String> {
        let size = Size::square(side)?;
        let points = star_points(size, stones, placement)?;
        Some(points.iter().map(|&p| size.vertex(p).to_string()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn layouts() {
        for (side, stones, placement, expected) in [
            (19, 2, Placement::Fixed, Some("D4 Q16")),
            (19, 5, Placement::Fixed, Some("D4 Q16 D16 Q4 K10")),
            (19, 5, Placement::Sides, Some("D4 Q16 D16 Q4 D10")),
            (19, 9, Placement::Free, Some("D4 Q16 D16 Q4 D10 Q10 K4 K16 K10")),
            (13, 3, Placement::Fixed, Some("D4 K10 D10")),
            (9, 1, Placement::Sides, Some("C3")),
            (9, 1, Placement::Fixed, None),
            (8, 4, Placement::Fixed, Some("C3 F6 C6 F3")),
            (8, 5, Placement::Fixed, None),
            (7, 5, Placement::Fixed, None),
            (6, 2, Placement::Fixed, None),
            (19, 10, Placement::Fixed, None),
        ] {
            assert_eq!(layout(side, stones, placement).as_deref(), expected, "{side} {stones}");
        }
    }
}
