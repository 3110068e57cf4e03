//! Search: from a game and a budget to statistics of the moves.
//!
//! [`flat::search`] scores every root move by playouts. What to make of the report (play, pass or
//! resign) is the engine's business.

pub mod flat;
pub mod limits;
mod local;
mod ownership;
pub mod params;
pub mod report;
mod semeai;
pub mod time;

pub use limits::{Limits, StopFlag};
pub use local::keeps;
pub use ownership::ownership;
pub use report::{Candidate, Report};
pub use semeai::is_seki;
