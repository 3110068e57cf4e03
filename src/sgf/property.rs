//! Single values: bytes between brackets to points, moves, numbers and text, and back.
//!
//! Columns are letters from the left, rows letters from the top: `aa` is the upper left corner.
//! Capitals would count on from the 27th line: they are off our boards.

use std::fmt;

use crate::board::{Color, Move, Point, Size};

/// The point in a value; `None` if it is unreadable or off the board.
pub(super) fn point(value: &[u8], size: Size) -> Option<Point> {
    let (column, row) = coordinates(value)?;
    from_top(column, row, size)
}

/// The points in a value of a list: one point, a rectangle `aa:cc` in any order of its corners, or
/// none in an empty value. `None` if it is unreadable or reaches beyond the board.
pub(super) fn points(value: &[u8], size: Size) -> Option<Vec<Point>> {
    if value.trim_ascii().is_empty() {
        return Some(Vec::new());
    }
    let mut corners = value.splitn(2, |&byte| byte == b':').map(coordinates);
    let first = corners.next()??;
    let second = corners.next().unwrap_or(Some(first))?;
    let rows = first.1.min(second.1)..=first.1.max(second.1);
    let columns = first.0.min(second.0)..=first.0.max(second.0);
    let all = rows.flat_map(|row| columns.clone().map(move |column| (column, row)));
    all.map(|(column, row)| from_top(column, row, size)).collect()
}

/// The move in a value: a point, or a pass, which is empty or, up to 19x19, `tt`. `None` if it is
/// unreadable or off the board.
pub(super) fn mv(value: &[u8], size: Size) -> Option<Move> {
    let is_ff3_pass = size.width() <= 19 && size.height() <= 19 && value.trim_ascii() == b"tt";
    if value.trim_ascii().is_empty() || is_ff3_pass {
        return Some(Move::Pass);
    }
    point(value, size).map(Move::Play)
}

/// Column and row, counted from 0 at the upper left corner.
fn coordinates(value: &[u8]) -> Option<(usize, usize)> {
    let &[column, row] = value.trim_ascii() else { return None };
    let index = |letter: u8| letter.is_ascii_lowercase().then(|| usize::from(letter - b'a'));
    Some((index(column)?, index(row)?))
}

fn from_top(column: usize, row: usize, size: Size) -> Option<Point> {
    size.point(column, (size.height() - 1).checked_sub(row)?)
}

/// Writes a point.
pub(super) fn write_point(point: Point, size: Size) -> String {
    let letter = |index: usize| char::from(b'a' + index as u8);
    let row = size.height() - 1 - size.row(point);
    [letter(size.column(point)), letter(row)].into_iter().collect()
}

/// Writes a move; a pass is empty.
pub(super) fn write_move(mv: Move, size: Size) -> String {
    match mv {
        Move::Play(point) => write_point(point, size),
        Move::Pass => String::new(),
    }
}

/// The board size in a value, `N` or `WIDTH:HEIGHT`; `None` if it is unreadable or unsupported.
pub(super) fn size(value: &[u8]) -> Option<Size> {
    let mut sides = value.splitn(2, |&byte| byte == b':').map(integer);
    let width = usize::try_from(sides.next()??).ok()?;
    let height = match sides.next() {
        Some(height) => usize::try_from(height?).ok()?,
        None => width,
    };
    Size::new(width, height)
}

/// The whole number in a value.
pub(super) fn integer(value: &[u8]) -> Option<i64> {
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}

/// The number in a value, finite; a decimal comma counts as a point.
pub(super) fn real(value: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(value).ok()?.trim().replace(',', ".");
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The color in a value: any word that starts with b or w, in any case.
pub(super) fn color(value: &[u8]) -> Option<Color> {
    match value.trim_ascii().first()?.to_ascii_lowercase() {
        b'b' => Some(Color::Black),
        b'w' => Some(Color::White),
        _ => None,
    }
}

/// The text in a value. A backslash takes the next character literally and vanishes together with
/// a line break; line breaks of any kind become a line feed, other white space a space.
pub(super) fn text(value: &[u8]) -> String {
    let raw = String::from_utf8_lossy(value);
    let mut characters = raw.chars().peekable();
    let mut text = String::with_capacity(raw.len());
    let mut is_escaped = false;
    while let Some(character) = characters.next() {
        let is_break = matches!(character, '\n' | '\r');
        if is_break {
            // The other half of CR LF or LF CR is the same line break.
            let other = if character == '\n' { '\r' } else { '\n' };
            characters.next_if_eq(&other);
        }
        if character == '\\' && !is_escaped {
            is_escaped = true;
            continue;
        }
        match character {
            _ if is_break && is_escaped => {}
            _ if is_break => text.push('\n'),
            _ if character.is_whitespace() => text.push(' '),
            _ => text.push(character),
        }
        is_escaped = false;
    }
    text
}

/// A text to be written as one line: what would end the value is escaped, controls are spaces.
/// The colon, which splits composed values, is escaped too: that does no harm elsewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '\\' | ']' | ':' => write!(f, "\\{character}")?,
                _ if character.is_control() => f.write_str(" ")?,
                _ => write!(f, "{character}")?,
            }
        }
        Ok(())
    }
}

/// The letter of a color in `B`, `W` and `PL`.
pub(super) const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// A text of some lines as it stands in a value.
pub(super) fn escaped(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| Escaped(line).to_string()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The points of a list as a diagram.
    fn diagram(value: &[u8], size: Size) -> Option<String> {
        let stones = points(value, size)?.into_iter().map(|point| (point, Color::Black));
        Some(crate::board::Board::with_stones(size, stones).ok()?.to_diagram())
    }

    #[test]
    fn rectangles_go_from_corner_to_corner() {
        let size = Size::new(4, 3).unwrap();
        for (value, expected) in [
            (&b""[..], Some("....\n....\n....")),
            (b" aa ", Some("X...\n....\n....")),
            (b"dc", Some("....\n....\n...X")),
            (b"ba:cb", Some(".XX.\n.XX.\n....")),
            (b"cb:ba", Some(".XX.\n.XX.\n....")),
            (b"bb:ca", Some(".XX.\n.XX.\n....")),
            (b"ac:dc", Some("....\n....\nXXXX")),
            (b"ac:dd", None),
            (b"aa:", None),
            (b"aa:bb:cc", None),
            (b"ad", None),
            (b"ea", None),
            (b"AA", None),
            (b"a1", None),
            (b"aaa", None),
            (b"\xff\xff", None),
        ] {
            assert_eq!(diagram(value, size).as_deref(), expected, "{:?}", text(value));
        }
    }

    #[test]
    fn passes_depend_on_the_size() {
        let square = |side| Size::square(side).unwrap();
        assert_eq!(mv(b"tt", square(19)), Some(Move::Pass));
        assert_eq!(mv(b"tt", square(9)), Some(Move::Pass));
        assert_eq!(mv(b"", square(25)), Some(Move::Pass));
        assert_eq!(mv(b"tt", square(21)), square(21).parse_point("U2").map(Move::Play));
        assert_eq!(mv(b"tt", Size::new(20, 20).unwrap()), square(20).point(19, 0).map(Move::Play));
        assert_eq!(mv(b"tt", Size::new(20, 5).unwrap()), None);
        assert_eq!(mv(b"ss", square(9)), None);
    }

    #[test]
    fn numbers() {
        for (value, expected) in [
            (&b"6.5"[..], Some(6.5)),
            (b" 6,5 ", Some(6.5)),
            (b"-3", Some(-3.0)),
            (b"+7", Some(7.0)),
            (b"", None),
            (b"nan", None),
            (b"inf", None),
            (b"6.5 points", None),
            (b"\xff", None),
        ] {
            assert_eq!(real(value), expected, "{:?}", text(value));
        }
        for (value, expected) in [
            (&b"9"[..], Size::new(9, 9)),
            (b" 9 : 13 ", Size::new(9, 13)),
            (b"25", Size::new(25, 25)),
            (b"26", None),
            (b"0", None),
            (b"-9", None),
            (b"9:", None),
            (b"99999999999999999999999", None),
            (b"", None),
        ] {
            assert_eq!(size(value), expected, "{:?}", text(value));
        }
        assert_eq!(color(b"white"), Some(Color::White));
        assert_eq!(color(b"B"), Some(Color::Black));
        assert_eq!(color(b""), None);
    }

    #[test]
    fn texts() {
        for (value, expected) in [
            (&b"a \\] b \\\\ c"[..], "a ] b \\ c"),
            (b"soft\\\nbreak\\\r\nhere", "softbreakhere"),
            (b"hard\r\nbreak\n\rhere\rand\nthere", "hard\nbreak\nhere\nand\nthere"),
            (b"a\tb\\\tc", "a b c"),
            (b"1\\:2", "1:2"),
            (b"M\xfcller", "M\u{fffd}ller"),
            (b"trailing\\", "trailing"),
        ] {
            assert_eq!(text(value), expected);
        }
        for plain in ["a]b\\c:d", "", "[(;)]"] {
            assert_eq!(text(Escaped(plain).to_string().as_bytes()), plain);
        }
        assert_eq!(Escaped("two\nlines").to_string(), "two lines");
    }
}
