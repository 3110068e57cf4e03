//! Groups that share territory, and which of them are in seki (rules.md 3.6).

use super::count::{Counts, Lifted};
use crate::board::{ARRAY_LEN, ByColor, Color, Point, PointSet};

/// A maximal set of connected stones.
#[derive(Debug)]
struct Chain {
    color: Color,
    stones: Vec<Point>,
    liberties: PointSet,
    /// The family that the chain belongs to.
    family: usize,
}

/// Chains of one color, joined whenever they touch the same surrounded region: the group of the
/// group tax, too, since chains that only neutral points lie between cannot rely on each other.
#[derive(Debug)]
pub(super) struct Family {
    color: Color,
    pub(super) stones: PointSet,
    /// Liberties that are nobody's points: the opponent touches them or their region too.
    pub(super) shared: PointSet,
    /// Points of the regions that only this color touches.
    own: PointSet,
    /// Points that the owner must fill: the only liberty of one of the chains.
    fill: PointSet,
    has_chain_in_atari: bool,
}

/// The families of a position.
#[derive(Debug)]
pub(super) struct Groups<'a> {
    position: &'a Lifted,
    families: Vec<Family>,
}

impl<'a> Groups<'a> {
    pub(super) fn new(position: &'a Lifted) -> Self {
        let mut chains = Vec::new();
        // Index of the chain at each stone.
        let mut chain_at = vec![usize::MAX; ARRAY_LEN];
        for point in position.size.iter() {
            let Some(color) = position.stone(point) else { continue };
            if chain_at[point.index()] != usize::MAX {
                continue;
            }
            let (stones, border) = position.region(point);
            for stone in &stones {
                chain_at[stone.index()] = chains.len();
            }
            let liberties = border.iter().filter(|&p| position.stone(p).is_none()).collect();
            chains.push(Chain { color, stones, liberties, family: chains.len() });
        }
        let regions = empty_regions(position);
        for region in &regions {
            if region.owner.is_some() {
                join(&mut chains, region.border.iter().map(|stone| chain_at[stone.index()]));
            }
        }
        let mut families: Vec<Family> =
            chains.iter().map(|chain| Family::new(chain.color)).collect();
        for region in &regions {
            for stone in region.border.iter() {
                let family = &mut families[chains[chain_at[stone.index()]].family];
                if region.owner.is_some() {
                    family.own.extend(region.points.iter().copied());
                }
            }
        }
        for chain in &chains {
            let family = &mut families[chain.family];
            family.stones.extend(chain.stones.iter().copied());
            let own = family.own;
            family.shared.extend(chain.liberties.iter().filter(|&point| !own.contains(point)));
            if chain.liberties.len() == 1 {
                family.has_chain_in_atari = true;
                family.fill.extend(chain.liberties.iter());
            }
        }
        // Chains that joined the family of another one left an entry without members.
        families.retain(|family| !family.stones.is_empty());
        Self { position, families }
    }

    /// Adds the counts that depend on regions and families.
    pub(super) fn count(&self, counts: &mut Counts) {
        for family in &self.families {
            let color = family.color;
            let own = family.own.len();
            counts.own[color] += own;
            if !self.is_in_seki(family) {
                counts.own_no_seki[color] += family.countable().count();
                counts.tax[color] += 2;
            }
            if !family.is_in_seki_strictly() {
                counts.own_no_seki_strict[color] += own;
                counts.tax_strict[color] += 2;
            }
        }
    }

    /// The empty points that only one color surrounds.
    pub(super) fn territory(&self) -> ByColor<PointSet> {
        let mut territory: ByColor<PointSet> = ByColor::default();
        for family in &self.families {
            territory[family.color].extend(family.own.iter());
        }
        territory
    }

    /// The families in seki by the test `seki=auto`.
    pub(super) fn in_seki(&self) -> impl Iterator<Item = &Family> {
        self.families.iter().filter(|family| self.is_in_seki(family))
    }

    /// The test `seki=auto`: little room for eyes, and a liberty that is shared or must be filled.
    fn is_in_seki(&self, family: &Family) -> bool {
        (!family.shared.is_empty() || !family.fill.is_empty()) && self.eye_potential(family) < 2
    }

    /// Eyes that the family can make of its countable points: one in a part of up to three points,
    /// two in a larger one.
    fn eye_potential(&self, family: &Family) -> usize {
        let mut left: PointSet = family.countable().collect();
        let mut eyes = 0;
        while let Some(first) = left.first() {
            left.remove(first);
            let mut part = vec![first];
            let mut done = 0;
            while let Some(&here) = part.get(done) {
                done += 1;
                for next in self.position.size.neighbors(here) {
                    if left.remove(next) {
                        part.push(next);
                    }
                }
            }
            eyes += if part.len() <= 3 { 1 } else { 2 };
        }
        eyes
    }
}

impl Family {
    fn new(color: Color) -> Self {
        Self {
            color,
            own: PointSet::EMPTY,
            fill: PointSet::EMPTY,
            stones: PointSet::EMPTY,
            shared: PointSet::EMPTY,
            has_chain_in_atari: false,
        }
    }

    /// Surrounded points that need not be filled.
    fn countable(&self) -> impl Iterator<Item = Point> + '_ {
        self.own.iter().filter(|&point| !self.fill.contains(point))
    }

    /// The test `seki=strict`: the literal reading of the Japanese article 8.
    fn is_in_seki_strictly(&self) -> bool {
        !self.shared.is_empty() || self.has_chain_in_atari
    }
}

/// A maximal connected set of empty points.
#[derive(Debug)]
struct Region {
    points: Vec<Point>,
    /// The stones around it.
    border: PointSet,
    /// The only color around it, if there is just one.
    owner: Option<Color>,
}

fn empty_regions(position: &Lifted) -> Vec<Region> {
    let mut seen = PointSet::EMPTY;
    let mut regions = Vec::new();
    for point in position.size.iter() {
        if position.stone(point).is_some() || seen.contains(point) {
            continue;
        }
        let (points, border) = position.region(point);
        seen.extend(points.iter().copied());
        let touches = |color| border.iter().any(|stone| position.stone(stone) == Some(color));
        let owner = match (touches(Color::Black), touches(Color::White)) {
            (true, false) => Some(Color::Black),
            (false, true) => Some(Color::White),
            _ => None,
        };
        regions.push(Region { points, border, owner });
    }
    regions
}

/// Puts the families of these chains together. Positions are small, so relabeling all is cheap.
fn join(chains: &mut [Chain], members: impl Iterator<Item = usize>) {
    let mut head = None;
    for member in members {
        let (into, from) = (*head.get_or_insert(chains[member].family), chains[member].family);
        if into != from {
            for chain in &mut *chains {
                if chain.family == from {
                    chain.family = into;
                }
            }
        }
    }
}
