//! `keima analyze`: games of every kind and files that are none, blunders, an interrupt.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use keima::board::Color;
use keima::rules::Rules;
use keima::sgf::{Defaults, Node, Tree, places};
use libtest_mimic::{Failed, Trial};
use tempfile::tempdir;

use crate::engine::BINARY;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("reviews::of_good_and_bad_files", files),
        Trial::test("reviews::show_what_was_better", blunder),
        Trial::test("reviews::keep_what_is_done", interrupt),
        Trial::test("reviews::never_replace_a_game", replaces_nothing),
        Trial::test("reviews::take_the_flags_of_play", flags_of_play),
    ]
}

/// Games that are read, by name, each with the number of positions that are judged.
const GAMES: [(&str, &[u8], usize); 17] = [
    ("plain", b"(;FF[4]GM[1]SZ[5]KM[6.5]PB[Ann]PW[Bob];B[cc];W[bc];B[cb];W[bb])", 5),
    ("handicap", b"(;SZ[9]HA[3]AB[gc][cg][gg];W[cc];B[ee])", 3),
    ("setup", b"(;SZ[5]AB[ab][bb]AW[ac][bc]PL[W]C[a problem])", 1),
    ("setup_between", b"(;SZ[5];B[cc];W[bb];AE[cc]AB[dd];W[cb])", 5),
    ("variations", b"(;SZ[5](;B[cc](;W[bb];B[cb])(;W[dd]C[or])))(;SZ[9];B[aa])", 4),
    ("old", b"(;GaMe[1]SiZe[5]VieW[];Black[cc];White[tt];Black[tt])", 4),
    ("marked", b"(;SZ[5];B[cc]BM[1]C[bad?];W[bb]SBKV[12.5]TE[1])", 3),
    ("latin", b"(;SZ[5]CA[ISO-8859-1]PB[M\xfcller]C[gr\xfc\xdfe];B[cc]C[\xe4\\]b\\\\])", 2),
    ("rectangle", b"(;SZ[7:3];B[ab];W[gb];B[da])", 4),
    ("passes", b"(;SZ[3];B[bb];W[];B[])", 4),
    ("no_moves", b"(;SZ[3])", 1),
    ("two_in_a_node", b"(;SZ[5]B[cc]W[bb];B[cb])", 4),
    ("twice_black", b"(;SZ[5];B[cc];B[bb];W[cb])", 4),
    ("mail", b"From: me (not you)\r\n\r\n(;SZ[5]\r\n;B[cc]\r\n;W[bb]\r\n)\r\nbye", 3),
    ("japanese", b"\xef\xbb\xbf(;SZ[5]RU[Japanese]KM[0]RE[B+R];B[cc];W[bb])", 3),
    ("controls", b"(;SZ[3]PB[a\x1b[31mb\x01\x00]C[one][two];B[bb])", 2),
    ("odd_numbers", b"(;SZ[5]KM[]HA[no]RU[my own]TM[-1];B[cc];W[bb]BL[x])", 3),
];

/// Files that are not, each with what is said about it.
const BROKEN: [(&str, &[u8], &str); 8] = [
    ("empty", b"", "there is no game tree"),
    ("text", b"hello", "there is no game tree"),
    ("cut", b"(;SZ[5];B[cc];W[b", "line 1: unreadable"),
    ("open", b"(;SZ[5];B[cc]", "the file ends inside its game tree"),
    ("chess", b"(;GM[3];W[e2e4])", "game number 3 is not Go"),
    ("large", b"(;SZ[37];B[aa])", "unsupported board size \"37\""),
    ("off_board", b"(;SZ[5];B[cc];W[jj])", "W[jj] is no point of the board"),
    ("occupied", b"(;SZ[5];B[cc];W[cc])", "move 2, white C3: the point is occupied"),
];

fn analyze(folder: &Path, games: &[PathBuf], more: &[&str]) -> Result<Output, Failed> {
    let mut command = Command::new(BINARY);
    command.args(["--threads", "1", "--seed", "1", "analyze", "--out"]).arg(folder);
    Ok(command.args(games).args(more).env("RUST_LOG", "warn").output()?)
}

fn write(folder: &Path, files: &[(&str, &[u8])]) -> Result<Vec<PathBuf>, Failed> {
    let path = |name: &str| folder.join(format!("{name}.sgf"));
    for (name, bytes) in files {
        fs::write(path(name), bytes)?;
    }
    Ok(files.iter().map(|(name, _)| path(name)).collect())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn files() -> Result<(), Failed> {
    let folder = tempdir()?;
    let out = folder.path().join("out");
    let good = GAMES.map(|(name, bytes, _)| (name, bytes));
    let bad = BROKEN.map(|(name, bytes, _)| (name, bytes));
    let mut games = write(folder.path(), &[&good[..], &bad].concat())?;
    games.push(folder.path().join("missing.sgf"));
    let output = analyze(&out, &games, &["--playouts", "20"])?;
    let log = text(&output.stderr);
    assert!(!output.status.success() && log.contains("9 of 26 games were not reviewed"), "{log}");
    for (name, _, error) in BROKEN {
        let lines: Vec<_> = log.lines().filter(|l| l.contains(&format!("{name}.sgf:"))).collect();
        assert!(matches!(lines[..], [line] if line.contains(error)), "{name}: {lines:?}");
        assert!(!out.join(format!("{name}.svg")).exists(), "{name}");
    }
    assert_eq!(log.lines().count(), BROKEN.len() + 2, "{log}");
    for ((name, bytes, positions), path) in GAMES.iter().zip(&games) {
        assert_eq!(fs::read(path)?, *bytes, "{name}");
        is_reviewed(&out, name, bytes, *positions)?;
    }
    let told = text(&output.stdout);
    assert!(!told.contains(|c: char| c.is_control() && c != '\n'), "{told:?}");
    assert!(told.contains("Ann (B) - Bob (W), plain.sgf\nblack: 2 moves"), "{told}");
    Ok(())
}

/// All that the file had is there, and the judgements of its positions.
fn is_reviewed(out: &Path, name: &str, bytes: &[u8], positions: usize) -> Result<(), Failed> {
    let reviewed = fs::read(out.join(format!("{name}.reviewed.sgf")))?;
    let [before, after] = [bytes, &reviewed].map(|bytes| Tree::parse(bytes).expect("a tree"));
    assert!(sgf_parse::parse(&text(&reviewed)).is_ok(), "{name}");
    for index in 0..before.node_count() {
        let (old, new) = (before.node(index).expect("a node"), after.node(index).expect("a node"));
        let key = |node: &Node| -> BTreeMap<String, Vec<Vec<u8>>> {
            let values = node.properties().iter().map(|property| {
                (property.name().to_owned(), property.values().map(<[u8]>::to_vec).collect())
            });
            values
                .filter(|(name, _)| !["C", "SBKV", "SBKS", "BM", "DO"].contains(&&**name))
                .collect()
        };
        assert_eq!(key(old), key(new), "{name}");
        let comment = |node: &Node| node.value("C").unwrap_or_default().to_vec();
        assert!(comment(new).starts_with(&comment(old)), "{name}");
        assert_eq!(old.value("BM").or(new.value("BM")), new.value("BM"), "{name}");
    }
    let rules = Rules::default();
    let defaults = Defaults { rules, rules_win: false, komi: rules.komi };
    let places = places(&before, &defaults)?;
    assert_eq!(places.len(), positions, "{name}");
    for place in places {
        let node = after.node(place.node).expect("a node");
        let wins: f64 = node.text("SBKV").expect("a win rate").parse()?;
        assert!((0.0..=100.0).contains(&wins), "{name}: {wins}");
        let lead: f64 = node.text("SBKS").expect("a score").parse()?;
        assert!(lead.abs() <= 100.0, "{name}: {lead}");
        assert!(node.text("C").expect("a comment").contains("keima: "), "{name}");
    }
    let svg = fs::read_to_string(out.join(format!("{name}.svg")))?;
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{name}");
    assert!(!svg.contains("NaN") && !svg.contains(|c: char| c.is_control() && c != '\n'), "{name}");
    Ok(())
}

/// Black could take a stone that counts with C3, and passes.
fn blunder() -> Result<(), Failed> {
    let folder = tempdir()?;
    let game: &[u8] = b"(;SZ[7:5]RU[Tromp-Taylor]KM[-4]\
        AB[ba][da][ab][bb][cb][db][ac][dc][ad][bd][cd][dd]\
        AW[ea][fa][eb][fb][gb][bc][ec][fc][gc][ed][fd][gd][ae][be][ce][de][ee][ge];B[];W[])";
    let games = write(folder.path(), &[("pass", game)])?;
    let output = analyze(folder.path(), &games, &["--playouts", "2000"])?;
    assert!(output.status.success(), "{}", text(&output.stderr));
    let tree = Tree::parse(&fs::read(folder.path().join("pass.reviewed.sgf"))?)?;
    let pass = tree.node(1).expect("the pass");
    assert!(pass.value("BM").is_some());
    let comment = pass.text("C").expect("a comment");
    assert!(comment.contains("Better is C3."), "{comment}");
    let better = tree.root().children().last().and_then(|&index| tree.node(index));
    assert_eq!(better.and_then(|node| node.text("B")).as_deref(), Some("cc"));
    let table = text(&output.stdout);
    assert!(table.contains(&format!("{} pass", Color::Black)) && table.contains(" C3"), "{table}");
    Ok(())
}

fn interrupt() -> Result<(), Failed> {
    let folder = tempdir()?;
    let game: &[u8] = b"(;SZ[9];B[cc];W[gg];B[gc];W[cg];B[ee];W[ec];B[eg])";
    let games = write(folder.path(), &[("long", game), ("next", game)])?;
    let mut command = Command::new(BINARY);
    command.args(["--threads", "1", "analyze", "--time-per-move", "0.5"]).args(&games);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    thread::sleep(Duration::from_millis(1800));
    let start = Instant::now();
    Command::new("kill").args(["-INT", &child.id().to_string()]).status()?;
    let output = child.wait_with_output()?;
    assert!(start.elapsed() < Duration::from_secs(5), "it goes on");
    let (told, log) = (text(&output.stdout), text(&output.stderr));
    assert!(log.contains("interrupted; what was done is kept"), "{log}");
    assert!(told.contains(" of 8 positions"), "{told}");
    let reviewed = text(&fs::read(folder.path().join("long.reviewed.sgf"))?);
    let judged = reviewed.matches("SBKV").count();
    assert!((1..8).contains(&judged), "{judged}");
    assert!(folder.path().join("long.svg").exists());
    assert!(!folder.path().join("next.svg").exists());
    Ok(())
}

fn replaces_nothing() -> Result<(), Failed> {
    let folder = tempdir()?;
    let game: &[u8] = b"(;SZ[3])";
    let games = write(folder.path(), &[("a", game), ("a.reviewed", game)])?;
    let output = analyze(folder.path(), &games, &["--playouts", "2"])?;
    let log = text(&output.stderr);
    assert!(log.contains("would replace another file") && log.contains("1 of 2 games"), "{log}");
    assert_eq!(fs::read(&games[1])?, game);
    // Nowhere to write to: one error, no panic.
    let output = analyze(&games[0], &games, &["--playouts", "2"])?;
    let log = text(&output.stderr);
    assert!(!output.status.success() && log.contains("--out") && log.lines().count() == 1, "{log}");
    Ok(())
}

fn flags_of_play() -> Result<(), Failed> {
    let folder = tempdir()?;
    let games = write(folder.path(), &[("a", b"(;SZ[5])")])?;
    let run =
        |flags: &[&str]| Command::new(BINARY).args(flags).arg("analyze").args(&games).output();
    let output = run(&["--threads", "1", "--playouts", "3"])?;
    assert!(output.status.success(), "{}", text(&output.stderr));
    let reviewed = text(&fs::read(folder.path().join("a.reviewed.sgf"))?);
    assert!(reviewed.contains("(2 visits)") || reviewed.contains("(3 visits)"), "{reviewed}");
    let output = run(&["--player", "random"])?;
    let log = text(&output.stderr);
    assert!(!output.status.success() && log.contains("--player random does not"), "{log}");
    // Whoever reads has gone: the end, without a complaint about games.
    let shell = format!("\"{BINARY}\" analyze --playouts 3 \"{}\" | true", games[0].display());
    let output = Command::new("sh").args(["-c", &shell]).env("RUST_LOG", "warn").output()?;
    assert_eq!(text(&output.stderr), "");
    Ok(())
}
