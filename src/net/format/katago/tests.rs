//! Files that the tests write, good and bad.

use super::*;
use crate::net::testing::{katago_file, katago_text, model, modern, packed};

fn read_text(text: &[u8]) -> Result<Model, FormatError> {
    read(&packed(text)[..])
}

#[test]
fn what_was_written_is_read() {
    let model = model(1, 6);
    assert_eq!(read_text(&katago_text(&model)).unwrap(), model);
}

#[test]
fn a_cut_file_is_an_error() {
    let text = katago_text(&model(2, 2));
    for end in (0..text.len() - 1).step_by(7) {
        assert!(read_text(&text[..end]).is_err(), "{end}");
    }
    let packed = packed(&text);
    assert!(matches!(read(&packed[..packed.len() / 2]), Err(FormatError::Io(_))));
    assert!(matches!(read(&text[..]), Err(FormatError::Io(_))), "it is not packed");
}

#[test]
fn what_is_not_supported_is_named() {
    let text = katago_text(&model(3, 2));
    let message = |from: &str, to: &str| {
        let at = text.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        let changed = [&text[..at], to.as_bytes(), &text[at + from.len()..]].concat();
        read_text(&changed).unwrap_err().to_string()
    };
    for (from, to, expected) in [
        (" 8 22 ", " 7 22 ", "format version 7 is not supported"),
        (" 8 22 ", " 17 22 ", "format version 17 is not supported"),
        (" 8 22 19", " 8 13 19", "an input of 13 planes and 19 numbers is not supported"),
        ("ordinary_block", "transformer_block", "a block of kind \"transformer_block\""),
        ("conv 3 3 22 2 1 1", "conv 3 3 22 2 2 2", "the dilated convolution conv"),
        ("conv 3 3 22 2 1 1", "conv 2 3 22 2 1 1", "the even filter of conv"),
        ("conv 3 3 22 2 1 1", "conv 3 3 22 99999 1 1", "\"99999\" stands where"),
        ("conv 3 3 22 2 1 1", "conv 3 3 22 x 1 1", "\"x\" stands where the outputs"),
        ("@BIN@", "@TXT@", "stands where a block of numbers"),
    ] {
        let message = message(from, to);
        assert!(message.contains(expected), "{to}: {message}");
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let message = |model: &Model| read_text(&katago_text(model)).unwrap_err().to_string();
    let mut broken = model(4, 2);
    broken.value.score_bias[1] = f32::NAN;
    assert_eq!(message(&broken), "value.score.bias has a number that is not finite");
    let mut broken = model(4, 4);
    broken.norm = model(4, 2).norm;
    assert_eq!(message(&broken), "norm takes 2 channels and gets 4");
}

#[test]
fn later_versions_are_read() {
    let read = |bytes: &[u8]| read_stored(bytes).unwrap();
    let (plain, modern) = (model(5, 4), modern(5, 4));
    let halved = |model: &Model| {
        let mut model = model.clone();
        let score = &mut model.value;
        for row in score.score.weights.chunks_exact_mut(4).chain([&mut score.score_bias[..]]) {
            row[0] /= 2.0;
            row[2] /= 2.0;
        }
        model
    };
    for version in 8..=16 {
        // Without a hidden layer for the pass before version 15, with one after.
        let model = if version < 15 { &plain } else { &modern };
        let network = read(&katago_file(model, version));
        let expected = if version < 13 { model.clone() } else { halved(model) };
        assert_eq!(network.model, expected, "{version}");
        assert_eq!(network.about.format, format!("KataGo {version}"));
    }
}

#[test]
fn options_of_later_versions_are_named() {
    let text = katago_file(&modern(6, 4), 16);
    for (from, to, expected) in [
        ("\n0 0 0 0 0 0 0 0", "\n1 0 0 0 0 0 0 0", "an input of players"),
        ("\n0 0 0 0 0 0 0 0", "\n0 1 0 0 0 0 0 0", "another way of seeing area"),
        ("\n0 0 0 0 0 0 0 0", "\n0 0 0 0 0 0 3 0", "an unknown option"),
        ("\n0 0 0 0 0 0\n", "\n1 0 0 0 0 0\n", "another kind of norm"),
        ("\n20 10 20 ", "\n20 10 30 ", "the factor 30 of the score's deviation"),
        ("\n20 10 20 ", "\n20 10 0 ", "the factor 0 of an output"),
        ("act ACTIVATION_MISH", "act ACTIVATION_GELU", "the activation \"ACTIVATION_GELU\""),
        ("act ACTIVATION_MISH", "act ACTIVATION_RELU", "a network with several activations"),
        ("act ACTIVATION_MISH", "act ACTIVATION_IDENTITY", "a network with several activations"),
    ] {
        let at = text.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        let changed = [&text[..at], to.as_bytes(), &text[at + from.len()..]].concat();
        let message = read_stored(&changed).unwrap_err().to_string();
        assert_eq!(message, format!("{expected} is not supported"));
    }
}

/// Exporters write older networks as version 15 with a layer that does nothing.
#[test]
fn a_linear_layer_for_the_pass_is_folded() {
    let mut model = modern(7, 4);
    let hidden = model.policy.pass_hidden.as_mut().unwrap();
    hidden.bias.fill(0.0);
    let Hidden { matmul, .. } = hidden.clone();
    let text = katago_file(&model, 15);
    let before = b"act ACTIVATION_MISH\nmatmul 2 2\n";
    let at = text.windows(before.len()).position(|part| part == before).unwrap();
    let linear = b"act ACTIVATION_IDENTITY\n";
    let changed = [&text[..at], linear, &text[at + linear.len() - 4..]].concat();
    let policy = read_stored(&changed).unwrap().model.policy;
    assert_eq!(policy.pass_hidden, None);
    let [a, b] = model.policy.pass.weights[..] else { panic!("two inputs") };
    let row = &matmul.weights[..2];
    assert!((policy.pass.weights[0] - (row[0] * a + row[1] * b)).abs() < 1e-6);
}

#[test]
fn numbers_may_be_text() {
    let model = model(8, 2);
    let bytes = katago_text(&model);
    let (mut text, mut rest) = (Vec::new(), &bytes[..]);
    // Blocks end in a line break, and each has the size that the words before it say: take the
    // numbers from a parser that counts them.
    while let Some(at) = rest.windows(5).position(|part| part == b"@BIN@") {
        text.extend_from_slice(&rest[..at]);
        rest = &rest[at + 5..];
        while rest[0] != b'\n' || !is_word(&rest[1..]) {
            let number = f32::from_le_bytes(rest[..4].try_into().unwrap());
            text.extend_from_slice(format!("{number} ").as_bytes());
            rest = &rest[4..];
        }
    }
    text.extend_from_slice(rest);
    assert_eq!(read_stored(&text).unwrap().model, model);
}

/// Whether a word of the format, a block or the end of the file follows.
fn is_word(rest: &[u8]) -> bool {
    const WORDS: [&[u8]; 10] = [
        b"conv ",
        b"matmul ",
        b"bias ",
        b"norm ",
        b"act\n",
        b"policyhead",
        b"valuehead",
        b"@BIN@",
        b"ordinary_block",
        b"gpool_block",
    ];
    rest.is_empty() || WORDS.iter().any(|word| rest.starts_with(word))
}
