//! Board sizes and their shares.

use std::str::FromStr;

use crate::board::Size;
use crate::rng::Rng;

/// Sides of the boards that nobody asked for by name.
const OTHER_SIDES: std::ops::RangeInclusive<usize> = 5..=19;
/// Of those, part that are squares.
const SQUARES: f32 = 0.5;

/// Sizes with their weights, and how much the others get.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    named: Vec<(Size, f32)>,
    /// Share of other sizes, 0 to 1.
    other: f32,
}

/// Why a text is no list of sizes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SizesError {
    /// A part of it is no `SIZE=WEIGHT`.
    #[error("{0:?} is no size with a weight, as in 9=4 or 9x13=1")]
    Form(String),
    /// Networks see boards of 2x2 to 25x25.
    #[error("{0}: sides are 2 to 25")]
    Side(String),
    /// A weight that is not above 0.
    #[error("{0}: a weight is a number above 0")]
    Weight(String),
}

impl Sizes {
    /// The same with this share, from 0 to 1, of other sizes.
    #[must_use]
    pub fn with_other(self, other: f32) -> Self {
        Self { other, ..self }
    }

    /// Draws one.
    pub(super) fn draw(&self, rng: &mut Rng) -> Size {
        let others = rng.chance(self.other).then(|| self.draw_other(rng)).flatten();
        let sum: f32 = self.named.iter().map(|(_, weight)| weight).sum();
        let mut rest = sum * rng.share();
        let chosen = self.named.iter().find(|(_, weight)| {
            rest -= weight;
            rest < 0.0
        });
        let named = chosen.or(self.named.last()).map_or(Size::STANDARD, |(size, _)| *size);
        others.unwrap_or(named)
    }

    fn draw_other(&self, rng: &mut Rng) -> Option<Size> {
        let is_square = rng.chance(SQUARES);
        let sizes = OTHER_SIDES
            .flat_map(|width| OTHER_SIDES.filter_map(move |height| Size::new(width, height)))
            .filter(|size| size.is_square() == is_square)
            .filter(|size| self.named.iter().all(|(named, _)| named != size));
        let sizes: Vec<Size> = sizes.collect();
        sizes.get(rng.below(sizes.len() as u32) as usize).copied()
    }
}

impl FromStr for Sizes {
    type Err = SizesError;

    /// Reads `9=4,9x13=1`; without a weight it is 1. No other sizes.
    fn from_str(text: &str) -> Result<Self, SizesError> {
        let named = text.split(',').map(weighed).collect::<Result<_, _>>()?;
        Ok(Self { named, other: 0.0 })
    }
}

fn weighed(text: &str) -> Result<(Size, f32), SizesError> {
    let (size, weight) = text.split_once('=').unwrap_or((text, "1"));
    let (width, height) = size.split_once('x').unwrap_or((size, size));
    let side = |side: &str| side.parse::<usize>().map_err(|_error| SizesError::Form(text.into()));
    let (width, height) = (side(width)?, side(height)?);
    let size = Size::new(width, height).filter(|_| width > 1 && height > 1);
    let size = size.ok_or_else(|| SizesError::Side(text.into()))?;
    let weight = weight.parse().ok().filter(|weight: &f32| weight.is_finite() && *weight > 0.0);
    Ok((size, weight.ok_or_else(|| SizesError::Weight(text.into()))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_as_asked_for() {
        let sizes = Sizes::from_str("9=4,9x13=1,19=3").unwrap().with_other(0.2);
        let mut rng = Rng::new(1);
        let drawn: Vec<Size> = (0..4000).map(|_| sizes.draw(&mut rng)).collect();
        let share = |width, height| {
            let wanted = Size::new(width, height).unwrap();
            drawn.iter().filter(|size| **size == wanted).count() as f32 / 4000.0
        };
        for (found, expected) in [(share(9, 9), 0.4), (share(9, 13), 0.1), (share(19, 19), 0.3)] {
            assert!((found - expected).abs() < 0.03, "{found} {expected}");
        }
        assert!(share(5, 5) > 0.0 && share(18, 18) > 0.0);
        let rectangles = drawn.iter().filter(|size| !size.is_square()).count() as f32 / 4000.0;
        assert!((rectangles - 0.2).abs() < 0.03, "9x13 and half of the others: {rectangles}");
        let none = sizes.with_other(0.0);
        for _ in 0..1000 {
            let drawn = none.draw(&mut rng);
            assert!(none.named.iter().any(|(size, _)| *size == drawn), "{drawn}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        let read = |text: &str| Sizes::from_str(text).unwrap_err();
        assert_eq!(read(""), SizesError::Form(String::new()));
        assert_eq!(read("9=1,x=2"), SizesError::Form("x=2".into()));
        assert_eq!(read("26"), SizesError::Side("26".into()));
        assert_eq!(read("9x1"), SizesError::Side("9x1".into()));
        assert_eq!(read("9=0"), SizesError::Weight("9=0".into()));
        assert_eq!(read("9=NaN"), SizesError::Weight("9=NaN".into()));
    }
}
