//! `keima selfplay`: what it writes, and what it refuses.
//!
//! Its network lies beside the checkout, as that of the tests of networks.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output};

use keima::board::{ColoredMove, Move, Point, Size};
use keima::game::Game;
use libtest_mimic::{Failed, Trial};
use tempfile::tempdir;
use zip::ZipArchive;

use crate::engine::BINARY;
use crate::network::NETWORK;

pub(crate) fn trials() -> Vec<Trial> {
    let network = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/nets").join(NETWORK);
    let is_there = network.exists();
    vec![
        Trial::test("positions::are_those_of_legal_games", move || games(&network))
            .with_ignored_flag(!is_there),
        Trial::test("positions::refuses_mistakes", mistakes),
    ]
}

fn selfplay(network: &Path, folder: &Path, more: &[&str]) -> Result<Output, Failed> {
    let mut command = Command::new(BINARY);
    command.arg("selfplay").arg("--net").arg(network).arg("--out").arg(folder).args(more);
    Ok(command.output()?)
}

/// The bytes of an array behind its header.
fn array(archive: &mut ZipArchive<File>, name: &str) -> Result<Vec<u8>, Failed> {
    let mut bytes = Vec::new();
    archive.by_name(&format!("{name}.npy"))?.read_to_end(&mut bytes)?;
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    Ok(bytes.split_off(10 + header))
}

/// The same as whole numbers of 16 or 32 bits.
fn numbers(archive: &mut ZipArchive<File>, name: &str, width: usize) -> Result<Vec<usize>, Failed> {
    let bytes = array(archive, name)?;
    let number =
        |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte));
    Ok(bytes.chunks_exact(width).map(number).collect())
}

fn games(network: &Path) -> Result<(), Failed> {
    let folder = tempdir()?;
    let flags =
        ["--sizes", "5x4", "--other", "0", "--positions", "300", "--threads", "1", "--seed", "3"];
    let output = selfplay(network, folder.path(), &flags)?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = folder.path().join("s5x4-3-000.npz");
    assert_eq!(fs::read_dir(folder.path())?.count(), 1);
    let mut archive = ZipArchive::new(File::open(file)?)?;
    assert_eq!(array(&mut archive, "size")?, [5, 4]);
    let size = Size::new(5, 4).expect("a size");
    let points: Vec<Point> = size.iter_from_top().collect();
    let moves = numbers(&mut archive, "move", 2)?;
    let starts = numbers(&mut archive, "game_start", 4)?;
    let positions = numbers(&mut archive, "position", 4)?;
    let count = positions.len();
    assert!(count >= 300 && positions.is_sorted() && positions[count - 1] < moves.len());
    let mut game = Game::new(size);
    for (i, &number) in moves.iter().enumerate() {
        if starts.contains(&i) {
            game = Game::new(size);
        }
        let mv = points.get(number).map_or(Move::Pass, |&point| Move::Play(point));
        game.play(ColoredMove { color: game.to_play(), mv })?;
    }
    let odds = numbers(&mut archive, "policy_prob", 2)?;
    assert_eq!(odds.len(), 32 * count);
    for odds in odds.chunks_exact(32) {
        assert!(odds.is_sorted_by(|a, b| a >= b));
        assert!(odds.iter().sum::<usize>().abs_diff(65535) < 32, "{odds:?}");
    }
    for (name, bytes) in [("white_win", 2), ("white_lead8", 2), ("policy_index", 64), ("own4", 10)]
    {
        assert_eq!(array(&mut archive, name)?.len(), bytes * count, "{name}");
    }
    assert_eq!(array(&mut archive, "komi_half")?.len(), 2 * starts.len());
    let again = selfplay(network, folder.path(), &flags)?;
    let message = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(!again.status.success() && message.contains("this seed already"), "{message}");
    Ok(())
}

fn mistakes() -> Result<(), Failed> {
    let folder = tempdir()?;
    let nothing = folder.path().join("nothing");
    for (flags, expected) in [
        ("--sizes 9=x", "9=x: a weight is a number above 0"),
        ("--thin 0", "must be a whole number from 1 to 100"),
        ("--orientations 9", "must be a whole number from 1 to 8"),
        ("--other 2", "must be a number from 0 to 1"),
        ("", "keima: --net "),
    ] {
        let flags: Vec<&str> = flags.split_whitespace().collect();
        let output = selfplay(&nothing, folder.path(), &flags)?;
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && message.contains(expected), "{message}");
    }
    assert_eq!(fs::read_dir(folder.path())?.count(), 0);
    Ok(())
}
