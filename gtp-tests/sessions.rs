//! Behavior that a file of commands cannot show: streams that end, commands during a search, time,
//! whole games, files.

mod analysis;
mod games;
mod reports;
mod stderr;
mod streams;
mod timing;

use libtest_mimic::Trial;

/// The trials of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = streams::trials();
    trials.extend(stderr::trials());
    trials.extend(timing::trials());
    trials.extend(games::trials());
    trials.extend(analysis::trials());
    trials.extend(reports::trials());
    trials
}

/// A trial that fails by a panic.
fn trial(name: &str, run: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(format!("sessions::{name}"), move || {
        run();
        Ok(())
    })
}
