//! From games to files of labelled positions.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::board::Size;

use super::judgement::{MOVES, owner_bytes};
use super::npz::Npz;
use super::table::Record;
use super::{SelfplayError, Tally};

/// Collects games and writes a file whenever there are enough positions of a size.
#[derive(Debug)]
pub(super) struct Files {
    folder: PathBuf,
    seed: u64,
    /// Labelled positions of a full file.
    full: usize,
    /// Games that wait, by width and height.
    shelves: BTreeMap<(usize, usize), Shelf>,
    /// What was taken and written so far.
    pub(super) tally: Tally,
}

#[derive(Debug, Default)]
struct Shelf {
    /// Number of the next file.
    number: usize,
    positions: usize,
    games: Vec<Record>,
}

impl Files {
    /// Files in a folder, which is made if need be.
    ///
    /// # Errors
    /// The folder cannot be used, or there are files of this seed.
    pub(super) fn new(folder: &Path, seed: u64, full: usize) -> Result<Self, SelfplayError> {
        let failed = |error| SelfplayError::File(folder.to_owned(), error);
        fs::create_dir_all(folder).map_err(failed)?;
        for entry in fs::read_dir(folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let name = name.to_string_lossy();
            let parts: Vec<&str> = name.split('-').collect();
            if parts.len() == 3 && parts[1] == seed.to_string() {
                return Err(SelfplayError::Seed(folder.join(&*name)));
            }
        }
        let shelves = BTreeMap::new();
        Ok(Self { folder: folder.to_owned(), seed, full, shelves, tally: Tally::default() })
    }

    /// Takes a game; without labels it is dropped.
    pub(super) fn add(&mut self, game: Record) -> Result<(), SelfplayError> {
        let labels = game.labels.len();
        self.tally.add(&game);
        if labels == 0 {
            return Ok(());
        }
        let size = game.size;
        let shelf = self.shelves.entry((size.width(), size.height())).or_default();
        shelf.games.push(game);
        shelf.positions += labels;
        if shelf.positions >= self.full { self.write(size) } else { Ok(()) }
    }

    /// Writes what waits.
    pub(super) fn finish(&mut self) -> Result<(), SelfplayError> {
        let waiting = self.shelves.values().filter_map(|shelf| shelf.games.first());
        let sizes: Vec<Size> = waiting.map(|game| game.size).collect();
        sizes.into_iter().try_for_each(|size| self.write(size))
    }

    /// Writes the games of a size; a file that is there is whole.
    fn write(&mut self, size: Size) -> Result<(), SelfplayError> {
        let Some(shelf) = self.shelves.get_mut(&(size.width(), size.height())) else {
            return Ok(());
        };
        let games = std::mem::take(&mut shelf.games);
        let name = format!("s{size}-{}-{:03}.npz", self.seed, shelf.number);
        (shelf.positions, shelf.number) = (0, shelf.number + 1);
        let unfinished = self.folder.join(format!("{name}.unfinished"));
        let file = self.folder.join(name);
        let write = || {
            let output = BufWriter::new(File::create(&unfinished)?);
            arrays(size, &games, Npz::new(output))?.flush()?;
            fs::rename(&unfinished, &file)
        };
        write().map_err(|error| SelfplayError::File(file.clone(), error))?;
        self.tally.files += 1;
        log::info!("{}: {} games", file.display(), games.len());
        Ok(())
    }
}

/// Writes the arrays of games of one size.
fn arrays<W: Write + io::Seek>(size: Size, games: &[Record], mut npz: Npz<W>) -> io::Result<W> {
    let mut first = 0;
    let (mut starts, mut positions) = (Vec::new(), Vec::new());
    for game in games {
        starts.push(first);
        positions.extend(game.labels.iter().map(|label| first + label.turn));
        first += game.moves.len() as u32;
    }
    let komi: Vec<i16> = games.iter().map(|game| game.komi_half).collect();
    let labels = || games.iter().flat_map(|game| &game.labels);
    npz.array("size", None, &[size.width() as u8, size.height() as u8])?;
    npz.array("game_start", None, &starts)?;
    npz.array("komi_half", None, &komi)?;
    npz.array("move", None, games.iter().flat_map(|game| &game.moves))?;
    npz.array("position", None, &positions)?;
    npz.array("white_win", None, labels().map(|label| &label.white_win))?;
    npz.array("white_lead8", None, labels().map(|label| &label.white_lead8))?;
    npz.array("policy_index", Some(MOVES), labels().flat_map(|label| &label.policy_index))?;
    npz.array("policy_prob", Some(MOVES), labels().flat_map(|label| &label.policy_prob))?;
    npz.array("own4", Some(owner_bytes(size)), labels().flat_map(|label| &label.own4))?;
    npz.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::judgement::Label;

    fn game(side: usize, labels: u32) -> Record {
        let size = Size::square(side).unwrap();
        let label = |turn| Label {
            turn,
            white_win: 1,
            white_lead8: 2,
            policy_index: [3; MOVES],
            policy_prob: [4; MOVES],
            own4: vec![5; owner_bytes(size)],
        };
        let labels = (0..labels).map(label).collect();
        Record { size, komi_half: 15, moves: vec![0; 9], labels, unusable: 0 }
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn full_files_are_written_and_the_rest_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new");
        let mut files = Files::new(&out, 7, 10).unwrap();
        for labels in [4, 0, 4, 4, 5] {
            files.add(game(5, labels)).unwrap();
        }
        files.add(game(19, 1)).unwrap();
        assert_eq!((files.tally.positions, names(&out)), (18, vec!["s5x5-7-000.npz".to_owned()]));
        files.finish().unwrap();
        files.finish().unwrap();
        let all = ["s19x19-7-000.npz", "s5x5-7-000.npz", "s5x5-7-001.npz"];
        assert_eq!((files.tally.files, names(&out)), (3, all.map(str::to_owned).to_vec()));
        let again = Files::new(&out, 7, 10).unwrap_err().to_string();
        assert!(again.ends_with("there are positions of this seed already"), "{again}");
        assert!(Files::new(&out, 8, 10).is_ok());
    }
}
