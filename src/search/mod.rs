//! Search: from a game and a budget to statistics of the moves.
//!
//! [`flat::search`] scores every root move by playouts. What to make of the report (play, pass or
//! resign) is the engine's business.

pub mod flat;
pub mod limits;
mod ownership;
pub mod params;
pub mod report;
pub mod time;

pub use limits::{Limits, StopFlag};
pub use ownership::ownership;
pub use report::{Candidate, Report};
