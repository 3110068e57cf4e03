//! What is asked of the engine.

use super::{Limits, Observer, Restrictions};
use crate::board::Color;

/// A search for a side's move, whoever's turn it is.
#[derive(Debug)]
pub struct Request<'a, 'o> {
    /// Whose move.
    pub color: Color,
    /// The budget.
    pub limits: Limits,
    /// Which moves may be looked at. The flat and the random player know those of the next move only.
    pub restrictions: Restrictions,
    /// Somebody who watches; the flat and the random player are seen at their end only.
    pub observer: Option<&'a mut Observer<'o>>,
    /// Whether any line of input ends the search.
    pub is_cancellable: bool,
}

impl<'a, 'o> Request<'a, 'o> {
    /// Any move, with nobody watching.
    pub fn new(color: Color, limits: Limits) -> Self {
        Self {
            color,
            limits,
            restrictions: Restrictions::default(),
            observer: None,
            is_cancellable: false,
        }
    }

    /// The same for permitted moves only.
    #[must_use]
    pub fn restricted(self, restrictions: Restrictions) -> Self {
        Self { restrictions, ..self }
    }

    /// The same with somebody watching.
    #[must_use]
    pub fn observed(self, observer: &'a mut Observer<'o>) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// The same, ended by any line of input.
    #[must_use]
    pub fn cancellable(self) -> Self {
        Self { is_cancellable: true, ..self }
    }
}
