//! Unconditional life: chains that survive any number of moves of the opponent without an answer.
//!
//! Source: D. B. Benson, Life in the Game of Go (1976); the territory of such chains as rules.md
//! 3.11 says. Cost: one flood fill of the board and a few passes over its chains; not for playouts.

use super::{Board, Color, Point, PointSet, Suicide};

/// What belongs to a color unconditionally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassAlive {
    /// Stones that cannot be captured.
    pub stones: PointSet,
    /// Points that these stones enclose so that the opponent cannot live there: empty ones, and
    /// stones of the opponent, which are dead.
    pub territory: PointSet,
}

/// A maximal connected set of points without stones of the color, with an empty point in it.
struct Region {
    points: PointSet,
    /// Numbers of the color's chains around it.
    chains: Vec<usize>,
    /// Numbers of the chains to which the region is vital: all its empty points (all its points
    /// where self-capture is allowed) are liberties of theirs.
    vital: Vec<usize>,
    is_healthy: bool,
}

impl Board {
    /// What is unconditionally alive or territory of `color`.
    pub fn pass_alive(&self, color: Color, suicide: Suicide) -> PassAlive {
        let chains: Vec<Vec<Point>> = self
            .chains()
            .into_iter()
            .filter(|(c, _)| *c == color)
            .map(|(_, chain)| chain)
            .collect();
        let mut number = vec![usize::MAX; super::ARRAY_LEN];
        for (i, chain) in chains.iter().enumerate() {
            for stone in chain {
                number[stone.index()] = i;
            }
        }
        let mut regions = self.regions_without(color, &number, suicide);
        let alive = live_chains(chains.len(), &mut regions);
        let mut result = PassAlive { stones: PointSet::EMPTY, territory: PointSet::EMPTY };
        for (chain, _) in chains.iter().zip(&alive).filter(|&(_, &is_alive)| is_alive) {
            result.stones.extend(chain.iter().copied());
        }
        for region in regions.iter().filter(|region| region.is_healthy) {
            let touches = |&p: &Point| self.size().neighbors(p).any(|q| result.stones.contains(q));
            if !region.chains.is_empty()
                && region.points.iter().filter(|p| !touches(p)).count() <= 1
            {
                result.territory.extend(region.points.iter());
            }
        }
        result
    }

    fn regions_without(&self, color: Color, number: &[usize], suicide: Suicide) -> Vec<Region> {
        let mut seen = PointSet::EMPTY;
        let mut regions = Vec::new();
        for start in self.empty_points() {
            if seen.contains(start) {
                continue;
            }
            let points = self.flood(start, |p| self.stone(p) != Some(color));
            seen.extend(points.iter());
            let around = |p: Point| {
                let stones = self.size().neighbors(p).map(|q| number[q.index()]);
                stones.filter(|&i| i != usize::MAX).collect::<Vec<_>>()
            };
            let mut chains: Vec<usize> = points.iter().flat_map(around).collect();
            chains.sort_unstable();
            chains.dedup();
            let mut vital = chains.clone();
            for point in points.iter() {
                if suicide != Suicide::None || self.stone(point).is_none() {
                    let touching = around(point);
                    vital.retain(|chain| touching.contains(chain));
                }
            }
            regions.push(Region { points, chains, vital, is_healthy: true });
        }
        regions
    }

    /// The connected points around `start` for which `belongs` holds.
    pub(super) fn flood(&self, start: Point, belongs: impl Fn(Point) -> bool) -> PointSet {
        let mut points = PointSet::EMPTY;
        let mut todo = vec![start];
        while let Some(point) = todo.pop() {
            if points.insert(point) {
                todo.extend(self.size().neighbors(point).filter(|&q| belongs(q)));
            }
        }
        points
    }
}

/// Drops chains with fewer than two vital regions and regions that touch a dropped chain, until
/// nothing changes; which chains are left.
fn live_chains(count: usize, regions: &mut [Region]) -> Vec<bool> {
    let mut alive = vec![true; count];
    loop {
        let mut eyes = vec![0; count];
        for region in regions.iter().filter(|region| region.is_healthy) {
            for &chain in &region.vital {
                eyes[chain] += 1;
            }
        }
        let is_dropped = |chain: usize| alive[chain] && eyes[chain] < 2;
        let dropped: Vec<usize> = (0..count).filter(|&chain| is_dropped(chain)).collect();
        if dropped.is_empty() {
            return alive;
        }
        for chain in dropped {
            alive[chain] = false;
        }
        for region in &mut *regions {
            region.is_healthy &= region.chains.iter().all(|&chain| alive[chain]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(diagram: &str, color: Color, suicide: Suicide) -> String {
        let board = Board::from_diagram(diagram).unwrap();
        let alive = board.pass_alive(color, suicide);
        let size = board.size();
        let text: Vec<u8> = size
            .iter_from_top()
            .map(|p| match (alive.stones.contains(p), alive.territory.contains(p)) {
                (true, _) => b'A',
                (_, true) => b'T',
                _ => b'.',
            })
            .collect();
        let rows: Vec<_> = text.chunks(size.width()).map(String::from_utf8_lossy).collect();
        rows.join("/")
    }

    #[test]
    fn positions() {
        let two_eyes = ".X.X./XXXX./...../.OOO./.O.O.";
        let dead_stone = ".X.O.X/XXXXXX/....../....../....../......";
        let big = "XXXXXX/X...OX/X.O..X/XXXXXX/X.X.X./XXXXXX";
        for (name, diagram, color, suicide, expected) in [
            ("two eyes", two_eyes, Color::Black, Suicide::None, "TATA./AAAA./...../...../....."),
            ("one eye", two_eyes, Color::White, Suicide::None, "...../...../...../...../....."),
            (
                "a dead stone inside",
                dead_stone,
                Color::Black,
                Suicide::None,
                "TATTTA/AAAAAA/....../....../....../......",
            ),
            (
                "stones inside a large region",
                big,
                Color::Black,
                Suicide::Multi,
                "AAAAAA/ATTTTA/ATTTTA/AAAAAA/ATATAT/AAAAAA",
            ),
        ] {
            assert_eq!(shown(diagram, color, suicide), expected, "{name}");
        }
    }
}
