//! The loader, features and plain evaluation of KataGo's networks, against KataGo's own outputs; the
//! subcommands of `keima net`.
//!
//! The reference lies beside the checkout; where it does not there is nothing to compare with.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::slice;
use std::time::{Duration, Instant};

use keima::board::Size;
use keima::net::format::katago;
use keima::net::reference::{Difference, Record};
use keima::net::{Arithmetic, Evaluation, Features, Kernel, Network, Position, Workspace};
use keima::net::{plain, ranges};
use libtest_mimic::{Failed, Trial};
use tempfile::tempdir;

use crate::engine::BINARY;

pub(crate) const NETWORK: &str = "g170-b6c96-s175395328-d26788732.bin.gz";

pub(crate) fn trials() -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/nets");
    let is_there = folder.join(NETWORK).exists();
    let [same_folder, third, fourth] = [folder.clone(), folder.clone(), folder.clone()];
    vec![
        Trial::test("network::agrees_with_katago", move || agrees(&folder))
            .with_ignored_flag(!is_there),
        Trial::test("network::converts_and_checks", move || converts(&same_folder))
            .with_ignored_flag(!is_there),
        Trial::test("network::integers_cost_little", move || integers(&third))
            .with_ignored_flag(!is_there),
        Trial::test("network::plays", move || plays(&fourth)).with_ignored_flag(!is_there),
        Trial::test("network::inside_is_what_was_trained", inside),
        Trial::test("network::refuses_flags_without_meaning", refuses),
        Trial::test("network::answers_at_once", at_once),
        Trial::test("network::is_shown", shown),
        Trial::test("network::names_what_is_missing", missing),
        Trial::test("network::writes_planes", planes),
        Trial::test("network::names_broken_files", broken),
    ]
}

/// Runs `keima net` with some input.
fn net(args: &[&str], input: &str) -> Result<Output, Failed> {
    keima(&[&["net"], args].concat(), input)
}

/// Runs keima with some input.
fn keima(args: &[&str], input: &str) -> Result<Output, Failed> {
    let mut command = Command::new(BINARY);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    // It may end before it has read all.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    Ok(child.wait_with_output()?)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A network of KataGo is the same network in our own format.
fn converts(folder: &Path) -> Result<(), Failed> {
    let (network, records) = (folder.join(NETWORK), folder.join("reference.jsonl"));
    let [network, records] = [&network, &records].map(|path| path.to_str().expect("plain names"));
    let out = tempdir()?;
    let out = out.path().join("out.safetensors");
    let out = out.to_str().expect("plain names");
    let ranges = |file: &str| -> Result<String, Failed> {
        let info = text(&net(&["info", file], "")?.stdout);
        assert!(info.contains("\narchitecture  b6c96\n"), "{info}");
        Ok(info.lines().find(|line| line.starts_with("ranges")).expect("a line").to_owned())
    };
    assert!(net(&["convert", network, out], "")?.status.success());
    assert!(ranges(network)?.ends_with("none") && ranges(out)?.ends_with("of all blocks"));
    for args in
        [&[out, records][..], &[out, records, "--integers"], &[network, records, "--integers"]]
    {
        let output = net(&[&["check"], args].concat(), "")?;
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    }
    let output = net(&["check", out, records, "--policy", "1e-9"], "")?;
    assert!(!output.status.success());
    assert_eq!(text(&output.stderr), "keima: above the tolerance: policy\n");
    Ok(())
}

/// The network inside gives what the trainer got for it; with integers nearly so.
fn inside() -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/net/embedded");
    let [network, records] =
        ["keima.safetensors", "keima.check.jsonl"].map(|name| folder.join(name));
    let [network, records] = [&network, &records].map(|path| path.to_str().expect("plain names"));
    // Of single moves and games, by the few bits of integers.
    let near = ["--integers", "--lead", "2", "--score", "2", "--ownership", "0.15"];
    for flags in [&[][..], &near] {
        let output = net(&[&["check", network, records], flags].concat(), "")?;
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    }
    let shown = |args: &[&str]| net(args, "").map(|output| text(&output.stdout));
    assert_eq!(shown(&["info", network])?, shown(&["info"])?);
    assert_eq!(shown(&["info", "--net", network])?, shown(&["info"])?);
    Ok(())
}

/// A flag that a subcommand would not look at is a mistake.
fn refuses() -> Result<(), Failed> {
    for (args, flag) in [
        (&["net", "info", "--net", "/no/such/file"][..], "/no/such/file: No such"),
        (&["net", "info", "--no-net"], "--no-net has"),
        (&["net", "info", "a", "--net", "b"], "--net has"),
        (&["net", "check", "a", "b", "--net", "c"], "--net has"),
        (&["net", "--params", "a", "planes"], "--params has"),
        (&["perft", "--size", "2x2", "--depth", "1", "--net", "a"], "--net has"),
        (&["bench", "--signature", "--net", "a"], "--net has"),
        (&["bench", "--signature", "--params", "a"], "--params has"),
        (&["selfplay", "--out", "a", "--no-net"], "--no-net has"),
    ] {
        let output = keima(args, "")?;
        let log = text(&output.stderr);
        assert!(!output.status.success() && log.contains(flag), "{args:?}: {log}");
    }
    Ok(())
}

/// From the start of the process to its first move, the fastest of some: others may use the machine.
fn at_once() -> Result<(), Failed> {
    let mut fastest = Duration::MAX;
    for _ in 0..10 {
        let start = Instant::now();
        let output =
            keima(&["--player", "net", "--playouts", "1"], "boardsize 9\ngenmove b\nquit\n")?;
        fastest = fastest.min(start.elapsed());
        assert!(output.status.success());
    }
    if fastest < Duration::from_millis(150) {
        return Ok(());
    }
    Err(format!("{fastest:?}").into())
}

fn shown() -> Result<(), Failed> {
    let questions = "kata-get-models\ngomill-describe_engine\nquit\n";
    let answers = text(&keima(&["--player", "net"], questions)?.stdout);
    assert!(answers.starts_with("= [{\"name\":\"keima-"), "{answers}");
    assert!(answers.contains("\nplayer net (keima-"), "{answers}");
    let answers = text(&keima(&["--no-net"], questions)?.stdout);
    assert!(answers.starts_with("= []\n") && answers.contains("\nplayer tree, "), "{answers}");
    Ok(())
}

/// Corners come first on a large board, also for who only judges the position itself.
fn plays(folder: &Path) -> Result<(), Failed> {
    let network = folder.join(NETWORK);
    let network = network.to_str().expect("plain names");
    let corners = ["C", "D", "E", "P", "Q", "R"];
    for playouts in ["1", "40"] {
        let args = ["--net", network, "--playouts", playouts, "--threads", "1", "--seed", "1"];
        let output = keima(&args, "boardsize 19\nkomi 7.5\ngenmove b\ngenmove w\nquit\n")?;
        let answers = text(&output.stdout);
        let moves = answers.split_whitespace().filter(|word| *word != "=");
        for mv in moves.take(2) {
            let (column, row) = mv.split_at(1);
            let row: usize = row.parse()?;
            assert!(corners.contains(&column) && (row <= 5 || row >= 15), "{answers}");
        }
    }
    Ok(())
}

fn missing() -> Result<(), Failed> {
    let output = keima(&["--player", "net", "--no-net"], "")?;
    let expected = "keima: --player net needs what --no-net forbids";
    assert_eq!(text(&output.stderr).trim_end(), expected);
    let output = keima(&["--net", "nothing.bin.gz"], "")?;
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(text(&output.stderr).contains("--net nothing.bin.gz: "), "{}", text(&output.stderr));
    Ok(())
}

fn planes() -> Result<(), Failed> {
    let game = r#"{"size":[9,9],"komi":7.5,"moves":[40,81],"positions":[0,2]}"#;
    let output = net(&["planes"], &format!("{game}\n{game}\n"))?;
    assert!(output.status.success());
    assert_eq!(output.stdout.len(), 4 * (19 * 4 + (22_usize * 81).div_ceil(8)));
    let output = net(&["planes"], &format!("{game}\n\n{game}\n"))?;
    assert!(!output.status.success());
    assert!(text(&output.stderr).starts_with("keima: line 2: not a game: "));
    Ok(())
}

fn broken() -> Result<(), Failed> {
    let folder = tempdir()?;
    let file = folder.path().join("file");
    let file = file.to_str().expect("plain names");
    for (content, expected) in [
        ("", "the file ends where the name of the network should stand"),
        ("net 99 ", "format version 99 is not supported"),
        ("\x1f\u{1}", "neither a network of KataGo nor a whole safetensors file: header too small"),
    ] {
        fs::write(file, content)?;
        let output = net(&["info", file], "")?;
        assert!(!output.status.success() && output.stdout.is_empty());
        assert_eq!(text(&output.stderr), format!("keima: {file}: {expected}\n"));
    }
    Ok(())
}

/// Positions of the reference, each with what a network is told of it.
struct Reference {
    record: Record,
    position: Position,
    features: Features,
}

fn reference(folder: &Path) -> Result<Vec<Reference>, Failed> {
    let text = fs::read_to_string(folder.join("reference.jsonl"))?;
    let read = |line: &str| {
        let record = Record::parse(line)?;
        let position = record.position()?;
        let features = Features::new(&position);
        Ok(Reference { record, position, features })
    };
    text.lines().map(read).collect()
}

/// The differences of an evaluation.
fn differences(
    references: &[Reference],
    mut evaluate: impl FnMut(&Features, Size) -> Evaluation,
) -> Result<Vec<Difference>, Failed> {
    let compare = |Reference { record, position, features }: &Reference| {
        Ok(record.compare(position, &evaluate(features, position.size()))?)
    };
    references.iter().map(compare).collect()
}

#[expect(clippy::print_stdout, reason = "the differences are worth knowing when the test passes")]
fn agrees(folder: &Path) -> Result<(), Failed> {
    let model = katago::read(File::open(folder.join(NETWORK))?)?;
    let references = reference(folder)?;
    let check = |name: String, found: Vec<Difference>| {
        let worst = found.iter().copied().reduce(Difference::most).expect("records");
        println!("{name}: {worst:?}");
        let is_near = worst.policy <= 1e-4
            && worst.win <= 1e-4
            && worst.lead <= 0.01
            && worst.score <= 0.01
            && worst.ownership <= 1e-3;
        if is_near { Ok(()) } else { Err(Failed::from(format!("{name}: {worst:?}"))) }
    };
    let plain = |features: &Features, size| plain::evaluate(&model, features, size);
    check("plain".to_owned(), differences(&references, plain)?)?;
    for kernel in Kernel::ALL.into_iter().filter(|kernel| kernel.is_available()) {
        let network = Network::new(&model, Arithmetic::Real, kernel);
        let mut workspace = Workspace::default();
        let found = differences(&references, |features, size| {
            network.evaluate(slice::from_ref(features), size, &mut workspace).remove(0)
        })?;
        check(format!("kernel {kernel}"), found)?;
    }
    Ok(())
}

/// Integers cost little, also where their scales come from other positions.
#[expect(clippy::print_stdout, reason = "the differences are worth knowing when the test passes")]
fn integers(folder: &Path) -> Result<(), Failed> {
    let mut model = katago::read(File::open(folder.join(NETWORK))?)?;
    let (seen, unseen): (Vec<_>, Vec<_>) =
        reference(folder)?.into_iter().enumerate().partition(|(i, _)| i % 2 == 0);
    let [seen, unseen] = [seen, unseen].map(|half| half.into_iter().map(|(_, r)| r).collect());
    let (seen, unseen): (Vec<Reference>, Vec<Reference>) = (seen, unseen);
    let batches = seen.iter().map(|r| (slice::from_ref(&r.features), r.position.size()));
    model.ranges = ranges(&model, batches);
    let network = Network::new(&model, Arithmetic::Integer, Kernel::best());
    assert_eq!(network.arithmetic(), Arithmetic::Integer);
    let mut workspace = Workspace::default();
    let mut tops = 0;
    let found = differences(&unseen, |features, size| {
        let evaluation =
            network.evaluate(slice::from_ref(features), size, &mut workspace).remove(0);
        tops += usize::from(top(&evaluation) == top(&plain::evaluate(&model, features, size)));
        evaluation
    })?;
    let count = found.len();
    let sum = found.into_iter().reduce(Difference::plus).expect("records");
    let kl = sum.policy_kl / count as f32;
    println!("integers: policy KL {kl:.5}, {tops} of {count} top moves alike, sums {sum:?}");
    assert!(kl <= 0.005, "policy KL {kl}");
    assert!(tops as f32 >= 0.94 * count as f32, "{tops} of {count} top moves alike");
    Ok(())
}

/// The likeliest point; the number of points for a pass.
fn top(evaluation: &Evaluation) -> usize {
    let logits = evaluation.policy.iter().chain([&evaluation.pass]).enumerate();
    logits.max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(i, _)| i)
}
