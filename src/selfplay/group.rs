//! Games of one size that are played side by side, so that the network judges many positions at once.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::board::Size;
use crate::net::{Network, Workspace};
use crate::rng::{Rng, mix};

use super::table::{Labelling, Question, Record, Table};

/// Games at a time.
const TABLES: usize = 8;
/// Positions that are evaluated at once.
const BATCH: usize = 16;
/// Points of the boards of all games of a group: groups of all sizes have about as many positions.
const POINTS: usize = 16 * 19 * 19;

/// A number of games of one size, which depend on its seed and nothing else.
#[derive(Debug)]
pub(super) struct Group<'a> {
    pub(super) network: &'a Network,
    pub(super) size: Size,
    pub(super) labelling: Labelling,
    pub(super) seed: u64,
    /// Ends all games as they are.
    pub(super) stops: &'a [&'a AtomicBool],
}

impl Group<'_> {
    /// Games that are played unless they are stopped.
    fn count(&self) -> usize {
        (POINTS / self.size.points()).clamp(TABLES, 20 * TABLES)
    }

    /// Plays the games and returns those that came to their end.
    pub(super) fn play(&self, mut see: impl FnMut(&Record)) -> Vec<Record> {
        let mut workspace = Workspace::default();
        let mut records = Vec::new();
        let mut new = (0..self.count()).map(|number| {
            Table::new(self.size, self.labelling, Rng::new(mix(self.seed, number as u64)))
        });
        let mut tables: Vec<Table> = new.by_ref().take(TABLES).collect();
        while !tables.is_empty() && !self.stops.iter().any(|stop| stop.load(Relaxed)) {
            let over = self.turn(&mut tables, &mut workspace);
            for i in over.into_iter().rev() {
                let record = match new.next() {
                    Some(table) => std::mem::replace(&mut tables[i], table).into_record(),
                    None => tables.remove(i).into_record(),
                };
                see(&record);
                records.push(record);
            }
        }
        records
    }

    /// A turn at each table; those whose game is over, by ascending number.
    fn turn(&self, tables: &mut [Table], workspace: &mut Workspace) -> Vec<usize> {
        let questions: Vec<Question> = tables.iter_mut().map(Table::question).collect();
        let inputs: Vec<_> = questions.iter().flat_map(Question::inputs).collect();
        let mut evaluations = Vec::with_capacity(inputs.len());
        for batch in inputs.chunks(BATCH) {
            evaluations.extend(self.network.evaluate(batch, self.size, workspace));
        }
        let mut rest = &evaluations[..];
        let mut over = Vec::new();
        for (i, (table, question)) in tables.iter_mut().zip(&questions).enumerate() {
            let (own, others) = rest.split_at(question.count().min(rest.len()));
            rest = others;
            if table.answer(question, own) {
                over.push(i);
            }
        }
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Arithmetic, Kernel, testing};

    fn play(network: &Network, seed: u64, stops: &[&AtomicBool]) -> (Vec<Record>, usize) {
        let size = Size::new(4, 3).unwrap();
        let labelling = Labelling { thin: 4, orientations: 2 };
        let group = Group { network, size, labelling, seed, stops };
        let mut seen = 0;
        let records = group.play(|_| seen += 1);
        assert_eq!(seen, records.len());
        (records, group.count())
    }

    #[test]
    fn a_seed_gives_the_same_games() {
        let network = Network::new(&testing::model(3, 8), Arithmetic::Real, Kernel::Plain);
        let (records, count) = play(&network, 1, &[]);
        assert_eq!(records.len(), count);
        assert_eq!(records, play(&network, 1, &[]).0);
        assert_ne!(records, play(&network, 2, &[]).0);
    }

    #[test]
    fn a_stopped_group_has_no_unfinished_games() {
        let network = Network::new(&testing::model(3, 8), Arithmetic::Real, Kernel::Plain);
        let stop = AtomicBool::new(true);
        assert!(play(&network, 1, &[&AtomicBool::new(false), &stop]).0.is_empty());
    }
}
