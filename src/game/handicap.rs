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

/// Points for exactly this many stones of free handicap, fewer than the board has points: star
/// points as long as there are some, then each time the point farthest from all stones, of equal
/// ones that on the better line (the third and fourth), then the lowest.
pub fn free_points(size: Size, stones: usize) -> Vec<Point> {
    let mut points =
        (2..=stones).rev().find_map(|n| star_points(size, n, Placement::Free)).unwrap_or_default();
    let place = |p: Point| (size.column(p) as i32, size.row(p) as i32);
    let mut rest: Vec<(Point, i32)> = size
        .iter()
        .filter(|point| !points.contains(point))
        .map(|point| (point, i32::MAX))
        .collect();
    // Distance to the nearest stone, kept up to date as stones are added.
    let approach = |rest: &mut Vec<(Point, i32)>, stone: Point| {
        for (point, distance) in rest {
            let ((x, y), (a, b)) = (place(*point), place(stone));
            *distance = (*distance).min((x - a).abs() + (y - b).abs());
        }
    };
    for &stone in &points {
        approach(&mut rest, stone);
    }
    let line_error = |point: Point| {
        let (x, y) = place(point);
        let edge = |i: i32, side: usize| i.min(side as i32 - 1 - i);
        let line = edge(x, size.width()).min(edge(y, size.height()));
        (2 * line - 5).abs()
    };
    while points.len() < stones {
        let best = rest
            .iter()
            .enumerate()
            .max_by_key(|(i, (point, distance))| (*distance, -line_error(*point), -(*i as i32)));
        let Some((i, _)) = best else { break };
        let (stone, _) = rest.remove(i);
        approach(&mut rest, stone);
        points.push(stone);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_points_are_as_many_as_asked() {
        for (width, height) in [(1, 3), (2, 2), (5, 5), (9, 9), (7, 4), (19, 19), (25, 25)] {
            let size = Size::new(width, height).unwrap();
            for stones in 2..size.points() {
                let points = free_points(size, stones);
                let distinct: std::collections::BTreeSet<_> = points.iter().collect();
                assert_eq!((points.len(), distinct.len()), (stones, stones), "{size} {stones}");
                if size.points() > 100 && stones == 15 {
                    break;
                }
            }
        }
        let size = Size::square(19).unwrap();
        assert_eq!(free_points(size, 9), star_points(size, 9, Placement::Fixed).unwrap());
    }

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
