//! The flags `--journal` and `--replay`: a session is written down and run again.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;

use crate::engine::{BINARY, Engine};

pub(crate) fn trials() -> Vec<Trial> {
    type Run = fn() -> Result<(), Failed>;
    let trials: [(&str, Run); 9] = [
        ("replays_byte_for_byte", replays_byte_for_byte),
        ("replays_without_a_seed", replays_without_a_seed),
        ("replays_an_interrupt", replays_an_interrupt),
        ("keeps_the_recorded_moves", keeps_the_recorded_moves),
        ("a_changed_answer_is_found", a_changed_answer_is_found),
        ("a_session_that_died", a_session_that_died),
        ("broken", broken),
        ("cannot_be_opened", cannot_be_opened),
        ("disk_full", disk_full),
    ];
    trials.into_iter().map(|(name, run)| Trial::test(format!("journal::{name}"), run)).collect()
}

/// A journal in a folder of its own.
struct Journal {
    folder: TempDir,
}

impl Journal {
    fn new() -> Result<Self, Failed> {
        Ok(Self { folder: tempfile::tempdir()? })
    }

    fn path(&self) -> String {
        self.folder.path().join("journal.jsonl").to_string_lossy().into_owned()
    }

    /// Starts an engine that writes it.
    fn engine(&self, flags: &[&str]) -> Engine {
        Engine::start(&[flags, &["--journal", &self.path()]].concat())
    }

    /// Records a session of commands that are all sent at once.
    fn record(&self, flags: &[&str], input: &[u8]) -> Result<(), Failed> {
        let mut engine = self.engine(flags);
        engine.write(input);
        engine.close_input();
        engine.rest();
        assert!(engine.finish().success());
        assert!(fs::read_to_string(self.path())?.contains("\"end\":\"input\"}\n"));
        Ok(())
    }

    fn replay(&self) -> Result<Output, Failed> {
        replay(Path::new(&self.path()))
    }

    /// The replay must find no difference, and compare so many answers this way.
    fn replays(&self, counts: &str) -> Result<(), Failed> {
        let output = self.replay()?;
        let report = String::from_utf8(output.stdout)?;
        assert!(output.status.success() && report.contains(counts), "{report}");
        Ok(())
    }
}

fn replay(path: &Path) -> Result<Output, Failed> {
    let mut command = Command::new(BINARY);
    command.arg("--replay").arg(path).env("RUST_LOG", "off").stdin(Stdio::null());
    Ok(command.output()?)
}

const QUICK: [&str; 6] = ["--seed", "5", "--threads", "1", "--playouts", "1000"];

fn replays_byte_for_byte() -> Result<(), Failed> {
    let journal = Journal::new()?;
    let input =
        b"\xef\xbb\xbfname\r\n12 boardsize 7\n# comment\n\nplay b \xc3\nplay\tb D4 # \xff\n\
                  genmove w\ngenmove b\nno_such_command\nshowboard\nundo\nreg_genmove b\n\
                  final_score\ncputime\nkata-set-param playout_ko 0.3\ngenmove b\n3 showboard";
    journal.record(&QUICK, input)?;
    journal.replays("byte for byte: 14, by their form: 1, different: 0")
}

fn replays_without_a_seed() -> Result<(), Failed> {
    let journal = Journal::new()?;
    let game = "boardsize 5\nget_random_seed\ngenmove b\ngenmove w\nclear_board\n";
    journal.record(&QUICK[2..], game.repeat(3).as_bytes())?;
    // The second session goes to the same file.
    journal.record(&QUICK[2..], game.as_bytes())?;
    journal.replays("byte for byte: 15, by their form: 0, different: 0")?;
    journal.replays("byte for byte: 5, by their form: 0, different: 0")
}

fn replays_an_interrupt() -> Result<(), Failed> {
    let journal = Journal::new()?;
    let mut engine = journal.engine(&["--threads", "1", "--playouts", "1000000000"]);
    engine.ask("boardsize 9");
    for stop in ["# interrupt", "quit"] {
        engine.send("genmove b");
        engine.expect_silence(Duration::from_millis(300));
        engine.send(stop);
        engine.receive();
    }
    engine.receive();
    assert!(engine.finish().success());
    journal.replays("byte for byte: 1, by their form: 3, different: 0")
}

/// Searches on two threads differ; the game that was played stays that of the journal.
fn keeps_the_recorded_moves() -> Result<(), Failed> {
    let journal = Journal::new()?;
    let flags = r#"["--seed","1","--threads","2","--playouts","60","--no-resign"]"#;
    let start = format!(r#"{{"start":{{"version":"0","flags":{flags},"seed":1}}}}"#);
    let dialogue = [
        ("boardsize 5", "= "),
        ("genmove b", "= A1"),
        ("play w A1", "? illegal move"),
        ("play w A2", "= "),
        ("genmove b", "= resign"),
        ("kgs-genmove_cleanup w", "= B1"),
        ("list_stones w", "= A2 B1"),
        ("list_stones b", "= "),
    ];
    let lines = dialogue.iter().flat_map(|(command, answer)| {
        let question = format!(r#"{{"in":"{command}\n"}}"#);
        [question, format!(r#"{{"varies":true,"out":"{answer}\n\n"}}"#)]
    });
    let lines = std::iter::once(start).chain(lines);
    let text: Vec<_> =
        lines.map(|line| line.replacen('{', r#"{"process":1,"ms":0,"#, 1) + "\n").collect();
    fs::write(journal.path(), text.concat())?;
    journal.replays("byte for byte: 0, by their form: 8, different: 0")
}

fn a_changed_answer_is_found() -> Result<(), Failed> {
    let journal = Journal::new()?;
    journal.record(&QUICK, b"boardsize 9\ngenmove b\nlist_stones w\n")?;
    let text = fs::read_to_string(journal.path())?;
    let changed = text.replace("\"out\":\"= \\n\\n\"", "\"out\":\"= A1\\n\\n\"");
    fs::write(journal.path(), changed)?;
    let output = journal.replay()?;
    let report = String::from_utf8(output.stdout)?;
    let message = String::from_utf8(output.stderr)?;
    assert_eq!(output.status.code(), Some(1), "{report}");
    // Both the first and the last answer are empty; the lines are those of the commands.
    let line = |start: &str| {
        text.lines().position(|line| line.contains(&format!("\"in\":\"{start}"))).map(|i| i + 1)
    };
    for command in ["boardsize 9", "list_stones w"] {
        let number = line(command).ok_or("the command is in the journal")?;
        let difference = format!("line {number}: {command}\n  recorded: = A1\n  found:    = \n");
        assert!(report.contains(&difference), "{report}");
    }
    assert!(
        report.contains("different: 2") && message.contains("answers that differ: 2"),
        "{message}"
    );
    Ok(())
}

/// The journal of a session that was killed in mid-search, and in mid-line.
fn a_session_that_died() -> Result<(), Failed> {
    let journal = Journal::new()?;
    journal.record(&QUICK, b"boardsize 5\ngenmove b\n")?;
    let text = fs::read_to_string(journal.path())?;
    let line = text.lines().position(|line| line.contains("genmove")).ok_or("the command")?;
    let kept: Vec<_> = text.lines().take(line + 1).chain([r#"{"process":1,"m"#]).collect();
    fs::write(journal.path(), kept.join("\n"))?;
    journal.replays(": genmove b\n  recorded: (no answer)\n  found:    = ")
}

fn broken() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("journal");
    for (text, reason) in [
        ("boardsize 9\ngenmove b\n", "line 1 is not one of a journal"),
        ("", "no session in it"),
        (
            "{\"process\":1,\"ms\":0,\"start\":{\"version\":\"0\",\"flags\":[\"--no-such\"],\"seed\":1}}\n",
            "the flags of line 1",
        ),
    ] {
        fs::write(&path, text)?;
        let output = replay(&path)?;
        let message = String::from_utf8(output.stderr)?;
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty() && message.starts_with("keima: --replay"), "{message}");
        assert!(message.contains(reason) && message.trim_end().lines().count() == 1, "{message}");
    }
    Ok(())
}

fn cannot_be_opened() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let output =
        Command::new(BINARY).arg("--journal").arg(folder.path()).stdin(Stdio::null()).output()?;
    let message = String::from_utf8(output.stderr)?;
    assert!(!output.status.success() && message.contains("--journal"), "{message}");
    Ok(())
}

/// A journal that cannot be written is told once and disturbs nobody.
fn disk_full() -> Result<(), Failed> {
    if !Path::new("/dev/full").exists() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let log = folder.path().join("log");
    let log_flag = ["--log-file", log.to_str().ok_or("a path in UTF-8")?];
    let mut command = Command::new(BINARY);
    command.args(QUICK).args(["--journal", "/dev/full"]).args(log_flag);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let commands = b"boardsize 5\ngenmove b\nname\nquit\n";
    std::io::Write::write_all(child.stdin.as_mut().ok_or("a pipe")?, commands)?;
    let output = child.wait_with_output()?;
    let answers = String::from_utf8(output.stdout)?;
    assert!(answers.starts_with("= \n\n= ") && answers.ends_with("= keima\n\n= \n\n"), "{answers}");
    assert!(output.status.success());
    assert_eq!(fs::read_to_string(log)?.matches("the journal ends here").count(), 1);
    Ok(())
}
