//! The grammar of SGF: bytes to tokens, nothing of Go.
//!
//! A flat stream of tokens, since the nesting of a file has no bound and must not use up the
//! call stack. One small parser a rule; nom's types end here.
//!
//! Reads more than FF\[4\] allows: white space and control characters between any two tokens,
//! property names of any length with lower-case letters or digits in them. Values stay raw bytes
//! with their escapes.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take, take_while, take_while1};
use nom::combinator::{map, recognize, value, verify};
use nom::multi::{many0_count, many1};
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser};

/// What a file is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `(`: what follows hangs below the present node.
    Open,
    /// `)`: back to the node of the matching `(`.
    Close,
    /// `;`: a new node.
    Node,
    /// A property of the present node.
    Property {
        /// As in the file.
        name: &'a [u8],
        /// Without brackets, with escapes; at least one.
        values: Vec<&'a [u8]>,
    },
}

/// Bytes that are read as no token, at an offset of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    pub(super) offset: usize,
}

/// The tokens from `start` on, up to the end of the input or the first error.
pub(super) fn tokens(
    input: &[u8],
    start: usize,
) -> impl Iterator<Item = Result<Token<'_>, Unreadable>> {
    let mut rest = input.get(start..).unwrap_or_default();
    std::iter::from_fn(move || {
        let blanks = rest.iter().take_while(|&&byte| is_space(byte)).count();
        rest = &rest[blanks..];
        if rest.is_empty() {
            return None;
        }
        let offset = input.len() - rest.len();
        let Ok((after, token)) = token(rest) else {
            rest = &[];
            return Some(Err(Unreadable { offset }));
        };
        rest = after;
        Some(Ok(token))
    })
}

/// Offset of the first game tree: a `(` with a `;` behind it. Anything may stand before it, such
/// as a byte order mark or the head of a mail.
pub(super) fn find_tree(input: &[u8]) -> Option<usize> {
    let opens = input.iter().enumerate().filter(|&(_, &byte)| byte == b'(').map(|(i, _)| i);
    opens.into_iter().find(|&i| {
        let mut inside = input[i + 1..].iter().skip_while(|&&byte| is_space(byte));
        inside.next() == Some(&b';')
    })
}

const fn is_space(byte: u8) -> bool {
    byte <= b' '
}

fn space(input: &[u8]) -> IResult<&[u8], &[u8]> {
    take_while(is_space)(input)
}

fn token(input: &[u8]) -> IResult<&[u8], Token<'_>> {
    let structure = alt((
        value(Token::Open, tag("(")),
        value(Token::Close, tag(")")),
        value(Token::Node, tag(";")),
    ));
    alt((structure, property)).parse(input)
}

fn property(input: &[u8]) -> IResult<&[u8], Token<'_>> {
    let values = many1(preceded(space, bracketed));
    map(pair(name, values), |(name, values)| Token::Property { name, values }).parse(input)
}

fn name(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let word = take_while1(|byte: u8| byte.is_ascii_alphanumeric());
    let named = verify(word, |word: &[u8]| word[0].is_ascii_alphabetic());
    terminated(named, space).parse(input)
}

/// A value in its brackets: up to the first `]` that is not escaped.
fn bracketed(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let escape = recognize(pair(tag("\\"), take(1usize)));
    let body = recognize(many0_count(alt((is_not("\\]"), escape))));
    delimited(tag("["), body, tag("]")).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_at_the_first_bare_bracket() {
        for (input, expected) in [
            (&b"[]x"[..], Some(&b""[..])),
            (b"[aa]", Some(b"aa")),
            (b"[a\\]b]]", Some(b"a\\]b")),
            (b"[\\\\]]", Some(b"\\\\")),
            (b"[[:(;]", Some(b"[:(;")),
            (b"[\xff\xfe]", Some(b"\xff\xfe")),
            (b"[a\\]", None),
            (b"[a\\", None),
            (b"[a", None),
            (b"a]", None),
        ] {
            assert_eq!(bracketed(input).ok().map(|(_, body)| body), expected, "{input:?}");
        }
    }

    #[test]
    fn white_space_may_stand_between_any_tokens() {
        let property = |name, values| Token::Property { name, values };
        let read: Vec<_> = tokens(b"x( ;\r\n SiZe\t[9] AB [aa]\n[b b] ) \n", 1).collect();
        let expected = [
            Token::Open,
            Token::Node,
            property(&b"SiZe"[..], vec![&b"9"[..]]),
            property(b"AB", vec![b"aa", b"b b"]),
            Token::Close,
        ];
        assert_eq!(read, expected.map(Ok));
    }

    #[test]
    fn an_error_ends_the_stream() {
        for (input, tokens_before, offset) in [
            (&b"(;B;W[aa])"[..], 2, 2),
            (b"(;B[aa];W[", 4, 8),
            (b"(;[aa])", 2, 2),
            (b"(;B[aa]%)", 3, 7),
            (b"(;9B[aa])", 2, 2),
        ] {
            let read: Vec<_> = tokens(input, 0).collect();
            assert_eq!(read.len(), tokens_before + 1, "{input:?}");
            assert_eq!(read.last(), Some(&Err(Unreadable { offset })), "{input:?}");
        }
    }

    #[test]
    fn a_tree_starts_with_a_node() {
        for (input, expected) in [
            (&b"(;"[..], Some(0)),
            (b"\xef\xbb\xbf(;", Some(3)),
            (b"a (b) c\n( \r\n;", Some(8)),
            (b"((;B[aa]))", Some(1)),
            (b"(B[aa])", None),
            (b"(", None),
            (b"", None),
        ] {
            assert_eq!(find_tree(input), expected, "{input:?}");
        }
    }
}
