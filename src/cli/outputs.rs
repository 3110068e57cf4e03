//! Where the results of reviews go: beside the games or into a folder, and never over a game.

use std::collections::HashSet;
use std::fs;
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
}
