//! Where the results of reviews go: beside the games or into a folder, and never over
//! one of the games.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// The files that a review makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Results {
    /// The game with comments and variations.
    pub(super) sgf: PathBuf,
    /// The curves.
    pub(super) svg: PathBuf,
}

impl Results {
    /// Opens new files for both, so that it is known before a long search whether they can be written.
    pub(super) fn open(&self) -> anyhow::Result<[Pending; 2]> {
        Ok([Pending::new(&self.sgf)?, Pending::new(&self.svg)?])
    }
}

/// A file that takes its name when it is complete. What had the name before stays until then, and a
/// link of that name is replaced, not followed.
#[derive(Debug)]
pub(super) struct Pending {
    file: File,
    unfinished: PathBuf,
    path: PathBuf,
}

impl Pending {
    fn new(path: &Path) -> anyhow::Result<Self> {
        let context = || format!("cannot write {}", path.display());
        if path.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory)).with_context(context);
        }
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}", std::process::id()));
        let unfinished = path.with_file_name(name);
        let file = File::create_new(&unfinished).with_context(context)?;
        Ok(Self { file, unfinished, path: path.to_owned() })
    }

    /// Writes the file and gives it its name.
    pub(super) fn finish(mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.sync_all());
        let named = written.and_then(|()| fs::rename(&self.unfinished, &self.path));
        named.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // Gone by then if it has its name.
        let _ = fs::remove_file(&self.unfinished);
    }
}

/// The names that are taken.
#[derive(Debug)]
pub(super) struct Outputs<'a> {
    folder: Option<&'a Path>,
    /// All games, and the results so far.
    taken: HashSet<PathBuf>,
}

impl<'a> Outputs<'a> {
    /// For these games, and into this folder if there is one, which is made.
    pub(super) fn new(games: &[PathBuf], folder: Option<&'a Path>) -> anyhow::Result<Self> {
        if let Some(folder) = folder {
            fs::create_dir_all(folder).with_context(|| format!("--out {}", folder.display()))?;
        }
        // A game that is not there is an error of its own, later.
        let taken = games.iter().filter_map(|game| fs::canonicalize(game).ok()).collect();
        Ok(Self { folder, taken })
    }

    /// Where the results of a game go: `GAME.reviewed.sgf` and `GAME.svg`. Earlier ones of the same
    /// name are replaced, but no game and nothing that was written since the start.
    pub(super) fn of_game(&mut self, game: &Path) -> anyhow::Result<Results> {
        let Some(stem) = game.file_stem() else { bail!("no file") };
        let beside = game.parent().unwrap_or(Path::new(""));
        let folder = self.folder.unwrap_or(beside);
        let file = |end: &str| {
            let mut name = stem.to_os_string();
            name.push(end);
            folder.join(name)
        };
        let results = Results { sgf: file(".reviewed.sgf"), svg: file(".svg") };
        for path in [&results.sgf, &results.svg] {
            if !self.taken.insert(plain(path)) {
                bail!("the result {} would replace another file of this call", path.display());
            }
        }
        Ok(results)
    }
}

/// The same path for the same file, whether or not it exists.
fn plain(path: &Path) -> PathBuf {
    let Some(name) = path.file_name() else { return path.to_owned() };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
    let joined = folder.map_or_else(|_error| path.to_owned(), |folder| folder.join(name));
    fs::canonicalize(&joined).unwrap_or(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_replace_no_game_and_no_other_result() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["a.sgf", "a.reviewed.sgf", "b.svg", "c.sgf"] {
            fs::write(path(name), "(;)").unwrap();
        }
        fs::create_dir(path("sub")).unwrap();
        let games = ["a.sgf", "a.reviewed.sgf", "b.svg", "c.sgf", "sub/c.sgf"].map(path);
        let mut beside = Outputs::new(&games, None).unwrap();
        assert!(beside.of_game(&games[0]).is_err(), "a.reviewed.sgf is a game");
        assert!(beside.of_game(&games[2]).is_err(), "b.svg is a game");
        let results = beside.of_game(&games[3]).unwrap();
        assert_eq!(results, Results { sgf: path("c.reviewed.sgf"), svg: path("c.svg") });
        assert!(beside.of_game(&games[4]).is_ok());
        let out = path("new/out");
        let mut together = Outputs::new(&games, Some(&out)).unwrap();
        assert_eq!(together.of_game(&games[3]).unwrap().svg, out.join("c.svg"));
        assert!(together.of_game(&games[4]).is_err(), "the same name");
        assert!(Outputs::new(&games, Some(&path("a.sgf"))).is_err());
    }

    #[test]
    fn files_take_their_names_when_they_are_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let results = Results { sgf: path("a.reviewed.sgf"), svg: path("a.svg") };
        // A second name of a game, which a result must not write through.
        fs::write(path("a.sgf"), "(;)").unwrap();
        fs::hard_link(path("a.sgf"), &results.sgf).unwrap();
        let [sgf, svg] = results.open().unwrap();
        assert_eq!(fs::read(&results.sgf).unwrap(), b"(;)");
        sgf.finish(b"new").unwrap();
        drop(svg);
        assert_eq!(fs::read(path("a.sgf")).unwrap(), b"(;)");
        assert_eq!(fs::read(&results.sgf).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        fs::create_dir(&results.svg).unwrap();
        assert!(results.open().is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}
