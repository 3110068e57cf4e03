//! Success and failure as bytes of the wire: the only code that writes stdout.

use std::io::{self, Write};

/// Failures may quote what was sent, but stay short.
const MAX_FAILURE_CHARS: usize = 120;

/// Why a command failed, in the protocol's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(String);

impl Failure {
    /// The text of a wrong number or kind of arguments.
    pub fn syntax() -> Self {
        Self::new("syntax error")
    }

    /// A failure with this text, one short line.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into().chars().take(MAX_FAILURE_CHARS).collect())
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// What a handler answers.
pub type Answer = Result<String, Failure>;

/// Writes one response, in one piece: `=` or `?`, the id, always a space, the text, two line
/// feeds.
///
/// # Errors
/// Those of the writer: the controller has gone.
fn write(out: &mut dyn Write, id: Option<&str>, answer: &Answer) -> io::Result<()> {
    let (sign, text) = match answer {
        Ok(text) => ('=', clean(text)),
        Err(failure) => ('?', clean(failure.text()).replace('\n', " ")),
    };
    let response = format!("{sign}{} {text}\n\n", id.unwrap_or_default());
    out.write_all(response.as_bytes())?;
    out.flush()
}

/// A response in the making: lines that are written as they come, once it has begun.
pub(super) struct Stream<'a> {
    out: &'a mut dyn Write,
    id: Option<&'a str>,
    has_begun: bool,
    result: io::Result<()>,
}

impl<'a> Stream<'a> {
    /// The response to a command with this id.
    pub(super) fn new(out: &'a mut dyn Write, id: Option<&'a str>) -> Self {
        Self { out, id, has_begun: false, result: Ok(()) }
    }

    /// Writes the header at once: from here on a failure cannot be told any more. There is no space
    /// in it, as Leela Zero and KataGo have it.
    pub(super) fn begin(&mut self) {
        self.has_begun = true;
        self.write(&format!("={}\n", self.id.unwrap_or_default()));
    }

    /// Writes a line; `false` if nobody can read it.
    pub(super) fn line(&mut self, text: &str) -> bool {
        self.write(&format!("{}\n", clean(text).trim_start()));
        self.result.is_ok()
    }

    fn write(&mut self, text: &str) {
        if self.result.is_ok() {
            self.result = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        }
    }

    /// Ends the response: with the text of the answer as last line if it has begun, else with the
    /// whole answer.
    ///
    /// # Errors
    /// Those of the writer, now or earlier.
    pub(super) fn end(mut self, answer: &Answer) -> io::Result<()> {
        if !self.has_begun {
            return write(self.out, self.id, answer);
        }
        match answer {
            Ok(text) if !text.is_empty() => _ = self.line(text),
            Ok(_) => {}
            Err(failure) => log::error!("failed after its header: {}", failure.text()),
        }
        self.write("\n");
        self.result
    }
}

/// Takes out what would break the framing: an empty line ends a response, so inner ones become a
/// dot. A text that starts with a line feed starts on the line after the sign.
fn clean(text: &str) -> String {
    let text = text.trim_end();
    let (first, body) = match text.strip_prefix('\n') {
        Some(body) => ("\n", body),
        None => ("", text),
    };
    let lines: Vec<String> = body
        .split('\n')
        .map(|line| {
            let plain: String = line.chars().filter(|c| !c.is_control()).collect();
            plain.trim_end().to_owned()
        })
        .collect();
    let is_single = lines.len() == 1;
    let shown: Vec<&str> = lines
        .iter()
        .map(|line| if line.is_empty() && !is_single { "." } else { line.as_str() })
        .collect();
    format!("{first}{}", shown.join("\n"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(id: Option<&str>, answer: &Answer) -> String {
        let mut out = Vec::new();
        write(&mut out, id, answer).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn framing() {
        assert_eq!(written(None, &Ok(String::new())), "= \n\n");
        assert_eq!(written(Some("007"), &Ok("D4".to_owned())), "=007 D4\n\n");
        assert_eq!(written(Some("1"), &Err(Failure::new("illegal move"))), "?1 illegal move\n\n");
        assert_eq!(written(None, &Ok("a \n\nb\r\n\n".to_owned())), "= a\n.\nb\n\n");
        assert_eq!(written(None, &Ok("\n  A B\n".to_owned())), "= \n  A B\n\n");
        assert_eq!(written(None, &Err(Failure::new("two\nlines"))), "? two lines\n\n");
    }

    proptest! {
        #[test]
        fn a_response_ends_once(text in "[a\n\r\t ]{0,8}", fails: bool) {
            let answer = if fails { Err(Failure::new(text)) } else { Ok(text) };
            let written = written(Some("5"), &answer);
            prop_assert!(written.starts_with(['=', '?']));
            prop_assert_eq!(&written[1..3], "5 ");
            let body = written.strip_suffix("\n\n").unwrap();
            prop_assert!(!body.contains("\n\n") && !body.contains('\r'), "{written:?}");
            prop_assert!(!body[3..].ends_with('\n'), "{written:?}");
        }
    }
}
