//! Whose area each point is, as KataGo's networks see it: stones, what one color alone surrounds, and
//! dead stones inside of what lives unconditionally.

use super::stones::Stones;
use crate::board::{ARRAY_LEN, Cell, Color, Point, Size};

/// The owner of each point, [`Cell::Empty`] for nobody's.
pub(super) struct Area {
    owners: [Cell; ARRAY_LEN],
}

/// Points that are connected and hold no stone of one color.
#[derive(Default)]
struct Region {
    points: Vec<usize>,
    /// Chains of that color around it.
    border: Vec<usize>,
    /// Those of them that touch each of its empty points.
    vital_to: Vec<usize>,
    has_empty: bool,
    has_stone: bool,
    /// Points that touch no stone of the color.
    inner: usize,
}

impl Area {
    /// The area; `multi_suicide` says whether several stones may be given up at once.
    pub(super) fn new(stones: &mut Stones, size: Size, multi_suicide: bool) -> Self {
        let mut area = Self { owners: [Cell::Empty; ARRAY_LEN] };
        for color in Color::ALL {
            area.mark(stones, size, color, multi_suicide);
        }
        for point in size.iter() {
            let owner = &mut area.owners[point.index()];
            if *owner == Cell::Empty {
                *owner = stones.cell(point.index());
            }
        }
        area
    }

    /// The owner of a point.
    pub(super) fn owner(&self, p: usize) -> Option<Color> {
        self.owners[p].color()
    }

    fn mark(&mut self, stones: &mut Stones, size: Size, color: Color, multi_suicide: bool) {
        let mut chain_at = [usize::MAX; ARRAY_LEN];
        let mut chains = Vec::new();
        for point in size.iter().map(Point::index) {
            if stones.color(point) == Some(color) && chain_at[point] == usize::MAX {
                let chain = stones.chain(point).to_vec();
                for &stone in &chain {
                    chain_at[stone] = chains.len();
                }
                chains.push(chain);
            }
        }
        if chains.is_empty() {
            return;
        }
        let regions = regions(stones, size, color, &chain_at, multi_suicide);
        let alive = alive(chains.len(), &regions);
        for (chain, _) in chains.iter().zip(&alive).filter(|(_, is_alive)| **is_alive) {
            for &stone in chain {
                self.owners[stone] = color.into();
            }
        }
        for region in &regions {
            let is_enclosed = region.border.iter().all(|&chain| alive[chain]);
            if is_enclosed && (region.inner <= 1 || !region.has_stone) {
                for &p in &region.points {
                    self.owners[p] = color.into();
                }
            } else if !region.has_stone {
                for &p in &region.points {
                    if self.owners[p] == Cell::Empty {
                        self.owners[p] = color.into();
                    }
                }
            }
        }
    }
}

fn regions(
    stones: &Stones,
    size: Size,
    color: Color,
    chain_at: &[usize; ARRAY_LEN],
    multi_suicide: bool,
) -> Vec<Region> {
    let is_inside = |p: usize| stones.cell(p) != Cell::Border && stones.color(p) != Some(color);
    let mut seen = [false; ARRAY_LEN];
    // By chain, the region that it was found to border last.
    let mut borders = [usize::MAX; ARRAY_LEN];
    let mut regions: Vec<Region> = Vec::new();
    for (number, first) in size.iter().map(Point::index).enumerate() {
        if seen[first] || !is_inside(first) {
            continue;
        }
        seen[first] = true;
        let mut region = Region { points: vec![first], ..Region::default() };
        let mut is_first = true;
        let mut done = 0;
        while let Some(&p) = region.points.get(done) {
            done += 1;
            let (mut touching, mut count) = ([0; 4], 0);
            for q in stones.around(p) {
                if is_inside(q) {
                    if !std::mem::replace(&mut seen[q], true) {
                        region.points.push(q);
                    }
                } else if chain_at[q] != usize::MAX {
                    touching[count] = chain_at[q];
                    count += 1;
                }
            }
            let touching = &touching[..count];
            region.inner += usize::from(touching.is_empty());
            let is_empty = stones.is_empty(p);
            region.has_empty |= is_empty;
            region.has_stone |= !is_empty;
            if is_empty || multi_suicide {
                if std::mem::take(&mut is_first) {
                    region.vital_to.extend_from_slice(touching);
                    region.vital_to.sort_unstable();
                    region.vital_to.dedup();
                } else {
                    region.vital_to.retain(|chain| touching.contains(chain));
                }
            }
            for &chain in touching {
                if std::mem::replace(&mut borders[chain], number) != number {
                    region.border.push(chain);
                }
            }
        }
        if region.has_empty {
            regions.push(region);
        }
    }
    regions
}

/// Which chains live unconditionally (D. Benson 1976).
fn alive(count: usize, regions: &[Region]) -> Vec<bool> {
    let mut alive = vec![true; count];
    loop {
        let mut vital = vec![0; count];
        for region in regions.iter().filter(|r| r.border.iter().all(|&chain| alive[chain])) {
            for &chain in &region.vital_to {
                vital[chain] += 1;
            }
        }
        let mut has_changed = false;
        for (is_alive, vital) in alive.iter_mut().zip(vital) {
            has_changed |= *is_alive && vital < 2;
            *is_alive &= vital >= 2;
        }
        if !has_changed {
            return alive;
        }
    }
}
