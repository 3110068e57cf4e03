//! KataGo's `.bin.gz`: a compressed stream of words and blocks of numbers.
//!
//! A word ends at white space. A block is `@BIN@` and as many little-endian `f32` as the sizes before
//! it say. Format version 8 is read; others have other layers and are refused.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use crate::net::model::{Block, Conv, Matmul, Model, Norm, PolicyHead, ValueHead};

/// The format version that is read.
const VERSION: u32 = 8;
/// Most bytes that a file may have when it is unpacked: far more than any network of this kind.
const BYTES_MAX: u64 = 1 << 30;
/// Most channels of a layer, blocks of a trunk, and points of a filter's side.
const CHANNELS_MAX: usize = 4096;
const BLOCKS_MAX: usize = 1000;
const FILTER_MAX: usize = 9;

/// Why a file is no network that can be used.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The file cannot be read or unpacked.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file is larger than any network of this kind.
    #[error("the file is too large")]
    TooLarge,
    /// It ends too early.
    #[error("the file ends where {0} should stand")]
    Ends(&'static str),
    /// It has something else.
    #[error("{found:?} stands where {wanted} should")]
    Unexpected {
        /// What should be there.
        wanted: &'static str,
        /// What is there.
        found: String,
    },
    /// It is a network that is not supported.
    #[error("{0} is not supported")]
    Unsupported(String),
    /// Two layers do not fit together.
    #[error("{layer} takes {takes} channels and gets {gets}")]
    Misfit {
        /// The layer.
        layer: String,
        /// Its inputs.
        takes: usize,
        /// What comes from the layers before it.
        gets: usize,
    },
}

/// Reads a network.
///
/// # Errors
/// [`FormatError`].
pub fn read(file: impl Read) -> Result<Model, FormatError> {
    let mut bytes = Vec::new();
    MultiGzDecoder::new(file).take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(FormatError::TooLarge);
    }
    Parser { rest: &bytes }.model()
}

struct Parser<'a> {
    rest: &'a [u8],
}

impl<'a> Parser<'a> {
    fn model(&mut self) -> Result<Model, FormatError> {
        let name = self.word("the name of the network")?.to_owned();
        let version: u32 = self.number("the format version")?;
        if version != VERSION {
            return Err(FormatError::Unsupported(format!("format version {version}")));
        }
        let planes = self.size("the number of planes", CHANNELS_MAX)?;
        let globals = self.size("the number of global inputs", CHANNELS_MAX)?;
        self.word("the trunk")?;
        let count = self.size("the number of blocks", BLOCKS_MAX)?;
        for unused in ["trunk channels", "mid channels", "regular channels", "dilated", "pooling"] {
            self.size(unused, CHANNELS_MAX)?;
        }
        let stem = self.conv(planes)?;
        let stem_bias = self.matmul(globals)?;
        fits("the global inputs", stem_bias.outputs, stem.outputs)?;
        let trunk = stem.outputs;
        let blocks = (0..count).map(|_| self.block(trunk)).collect::<Result<_, _>>()?;
        let norm = self.norm_and_act(trunk)?;
        let policy = self.policy_head(trunk)?;
        let value = self.value_head(trunk)?;
        Ok(Model { name, stem, stem_bias, blocks, norm, policy, value })
    }

    fn block(&mut self, trunk: usize) -> Result<Block, FormatError> {
        let kind = self.word("the kind of a block")?;
        if !["ordinary_block", "gpool_block"].contains(&kind) {
            return Err(FormatError::Unsupported(format!("a block of kind {kind:?}")));
        }
        self.word("the name of a block")?;
        let before = self.norm_and_act(trunk)?;
        let first = self.conv(trunk)?;
        if kind == "ordinary_block" {
            let between = self.norm_and_act(first.outputs)?;
            let second = self.conv(first.outputs)?;
            fits("the trunk", second.outputs, trunk)?;
            return Ok(Block::Ordinary { before, first, between, second });
        }
        let pooled = self.conv(trunk)?;
        let pooled_norm = self.norm_and_act(pooled.outputs)?;
        let pooled_bias = self.matmul(3 * pooled.outputs)?;
        fits("a pooled bias", pooled_bias.outputs, first.outputs)?;
        let between = self.norm_and_act(first.outputs)?;
        let second = self.conv(first.outputs)?;
        fits("the trunk", second.outputs, trunk)?;
        Ok(Block::Pooling { before, first, pooled, pooled_norm, pooled_bias, between, second })
    }

    fn policy_head(&mut self, trunk: usize) -> Result<PolicyHead, FormatError> {
        self.word("the policy head")?;
        let points = self.conv(trunk)?;
        let pooled = self.conv(trunk)?;
        let pooled_norm = self.norm_and_act(pooled.outputs)?;
        let pooled_bias = self.matmul(3 * pooled.outputs)?;
        fits("the policy's pooled bias", pooled_bias.outputs, points.outputs)?;
        let norm = self.norm_and_act(points.outputs)?;
        let logits = self.conv(points.outputs)?;
        fits("the policy", 1, logits.outputs)?;
        let pass = self.matmul(3 * pooled.outputs)?;
        fits("the policy of a pass", 1, pass.outputs)?;
        Ok(PolicyHead { points, pooled, pooled_norm, pooled_bias, norm, logits, pass })
    }

    fn value_head(&mut self, trunk: usize) -> Result<ValueHead, FormatError> {
        self.word("the value head")?;
        let points = self.conv(trunk)?;
        let norm = self.norm_and_act(points.outputs)?;
        let hidden = self.matmul(3 * points.outputs)?;
        let hidden_bias = self.bias(hidden.outputs)?;
        self.word("an activation")?;
        let value = self.matmul(hidden.outputs)?;
        let value_bias = self.bias(value.outputs)?;
        fits("the value", 3, value.outputs)?;
        let score = self.matmul(hidden.outputs)?;
        let score_bias = self.bias(score.outputs)?;
        fits("the score", 4, score.outputs)?;
        let ownership = self.conv(points.outputs)?;
        fits("the ownership", 1, ownership.outputs)?;
        Ok(ValueHead {
            points,
            norm,
            hidden,
            hidden_bias,
            value,
            value_bias,
            score,
            score_bias,
            ownership,
        })
    }

    fn conv(&mut self, gets: usize) -> Result<Conv, FormatError> {
        let name = self.word("the name of a convolution")?.to_owned();
        let height = self.size("the height of a filter", FILTER_MAX)?;
        let width = self.size("the width of a filter", FILTER_MAX)?;
        let inputs = self.size("the inputs of a convolution", CHANNELS_MAX)?;
        let outputs = self.size("the outputs of a convolution", CHANNELS_MAX)?;
        let dilation = [self.size("a dilation", 100)?, self.size("a dilation", 100)?];
        if dilation != [1, 1] {
            return Err(FormatError::Unsupported(format!("the dilated convolution {name}")));
        }
        if height % 2 == 0 || width % 2 == 0 {
            return Err(FormatError::Unsupported(format!("the even filter of {name}")));
        }
        fits(&name, inputs, gets)?;
        let weights = self.block_of(height * width * inputs * outputs)?;
        Ok(Conv { height, width, inputs, outputs, weights })
    }

    fn matmul(&mut self, gets: usize) -> Result<Matmul, FormatError> {
        let name = self.word("the name of a matrix")?.to_owned();
        let inputs = self.size("the inputs of a matrix", 3 * CHANNELS_MAX)?;
        let outputs = self.size("the outputs of a matrix", CHANNELS_MAX)?;
        fits(&name, inputs, gets)?;
        let weights = self.block_of(inputs * outputs)?;
        Ok(Matmul { inputs, outputs, weights })
    }

    fn bias(&mut self, gets: usize) -> Result<Vec<f32>, FormatError> {
        let name = self.word("the name of a bias")?.to_owned();
        let channels = self.size("the channels of a bias", CHANNELS_MAX)?;
        fits(&name, channels, gets)?;
        self.block_of(channels)
    }

    fn norm_and_act(&mut self, gets: usize) -> Result<Norm, FormatError> {
        let name = self.word("the name of a norm")?.to_owned();
        let channels = self.size("the channels of a norm", CHANNELS_MAX)?;
        let epsilon: f32 = self.number("the epsilon of a norm")?;
        let has_scale = self.size("whether a norm has a scale", 1)? == 1;
        let has_bias = self.size("whether a norm has a bias", 1)? == 1;
        fits(&name, channels, gets)?;
        let (mean, variance) = (self.block_of(channels)?, self.block_of(channels)?);
        let mut scale = if has_scale { self.block_of(channels)? } else { vec![1.0; channels] };
        let mut bias = if has_bias { self.block_of(channels)? } else { vec![0.0; channels] };
        for i in 0..channels {
            scale[i] /= (variance[i] + epsilon).sqrt();
            bias[i] -= scale[i] * mean[i];
        }
        self.word("an activation")?;
        Ok(Norm { scale, bias })
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn word(&mut self, wanted: &'static str) -> Result<&'a str, FormatError> {
        self.skip_space();
        let end = self.rest.iter().position(u8::is_ascii_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if word.is_empty() {
            return Err(FormatError::Ends(wanted));
        }
        std::str::from_utf8(word).map_err(|_error| unexpected(wanted, word))
    }

    fn number<T: std::str::FromStr>(&mut self, wanted: &'static str) -> Result<T, FormatError> {
        let word = self.word(wanted)?;
        word.parse().map_err(|_error| unexpected(wanted, word.as_bytes()))
    }

    fn size(&mut self, wanted: &'static str, max: usize) -> Result<usize, FormatError> {
        let word = self.word(wanted)?;
        let size = word.parse().ok().filter(|&size| size <= max);
        size.ok_or_else(|| unexpected(wanted, word.as_bytes()))
    }

    /// A block of so many numbers.
    fn block_of(&mut self, count: usize) -> Result<Vec<f32>, FormatError> {
        const MARK: &[u8] = b"@BIN@";
        const WANTED: &str = "a block of numbers";
        self.skip_space();
        let Some(rest) = self.rest.strip_prefix(MARK) else {
            let found = &self.rest[..self.rest.len().min(MARK.len())];
            return Err(unexpected(WANTED, found));
        };
        let (bytes, rest) = rest.split_at_checked(4 * count).ok_or(FormatError::Ends(WANTED))?;
        self.rest = rest;
        let (numbers, _) = bytes.as_chunks::<4>();
        let numbers: Vec<f32> = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        match numbers.iter().find(|number| !number.is_finite()) {
            Some(number) => Err(unexpected("a finite number", number.to_string().as_bytes())),
            None => Ok(numbers),
        }
    }
}

fn unexpected(wanted: &'static str, found: &[u8]) -> FormatError {
    let found = String::from_utf8_lossy(&found[..found.len().min(40)]).into_owned();
    FormatError::Unexpected { wanted, found }
}

fn fits(layer: &str, takes: usize, gets: usize) -> Result<(), FormatError> {
    let layer = layer.to_owned();
    if takes == gets { Ok(()) } else { Err(FormatError::Misfit { layer, takes, gets }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::testing::{katago_text, model, packed};

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
            (" 8 22 ", " 15 22 ", "format version 15 is not supported"),
            ("ordinary_block", "transformer_block", "a block of kind \"transformer_block\""),
            ("conv 3 3 22 2 1 1", "conv 3 3 22 2 2 2", "the dilated convolution conv"),
            ("conv 3 3 22 2 1 1", "conv 2 3 22 2 1 1", "the even filter of conv"),
            ("conv 3 3 22 2 1 1", "conv 3 3 21 2 1 1", "conv takes 21 channels and gets 22"),
            ("conv 3 3 22 2 1 1", "conv 3 3 22 99999 1 1", "\"99999\" stands where"),
            ("conv 3 3 22 2 1 1", "conv 3 3 22 x 1 1", "\"x\" stands where the outputs"),
            ("@BIN@", "@TXT@", "\"@TXT@\" stands where a block of numbers"),
        ] {
            let message = message(from, to);
            assert!(message.contains(expected), "{to}: {message}");
        }
    }

    #[test]
    fn numbers_must_be_finite() {
        let mut broken = model(4, 2);
        broken.value.score_bias[1] = f32::NAN;
        let error = read_text(&katago_text(&broken)).unwrap_err().to_string();
        assert!(error.contains("NaN"), "{error}");
    }
}
