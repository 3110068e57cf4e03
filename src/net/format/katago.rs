//! KataGo's `.bin.gz`: a compressed stream of words and blocks of numbers.
//!
//! A word ends at white space. A block is `@BIN@` and as many little-endian `f32` as the sizes before
//! it say; in text files (`.txt.gz`) the numbers are words. Format versions 8 to 16 are read, as far as
//! their layers are convolutions. Of what a newer version has more, the second policy (of an optimist)
//! and all after it are left out, and so are the scores behind the fourth: nothing here asks for them.
//! Versions below 8 have other inputs, versions above 16 other layers.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::{About, FEATURES, FormatError, Stored, limited};
use crate::net::model::{
    Activation, BLOCKS_MAX, Block, CHANNELS_MAX, Conv, FILTER_MAX, Hidden, Matmul, Model, Norm,
    PolicyHead, ValueHead,
};
use crate::net::{GLOBALS, PLANES};

/// The format versions that are read.
const VERSION_MIN: u32 = 8;
const VERSION_MAX: u32 = 16;
/// Since these versions a file has more score outputs, names its activations, has several policies,
/// has factors of its outputs, has options and a hidden layer for the pass.
const VERSION_SCORES: u32 = 9;
const VERSION_ACTIVATIONS: u32 = 11;
const VERSION_POLICIES: u32 = 12;
const VERSION_FACTORS: u32 = 13;
const VERSION_OPTIONS: u32 = 15;
const VERSION_ACTION_VALUES: u32 = 16;
/// Outputs that are taken of the scores and of the policies.
const SCORES: usize = 4;
const POLICIES: usize = 1;
/// What the score outputs are multiplied by where a file does not say it, and in evaluations here.
const SCORE_FACTOR: f32 = 20.0;
/// Most nestings of blocks.
const DEPTH_MAX: usize = 4;

/// Reads a compressed network.
///
/// # Errors
/// [`FormatError`].
pub fn read(file: impl Read) -> Result<Model, FormatError> {
    Ok(read_stored(&limited(MultiGzDecoder::new(file))?)?.model)
}

/// Unpacks a file.
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, FormatError> {
    limited(MultiGzDecoder::new(bytes))
}

/// Reads a network that is not, or no longer, compressed.
pub(super) fn read_stored(bytes: &[u8]) -> Result<Stored, FormatError> {
    let mut parser = Parser { rest: bytes, version: 0, blocks: 0, activation: None };
    let model = parser.model()?;
    model.check()?;
    let about = About {
        format: format!("KataGo {}", parser.version),
        features: FEATURES.to_owned(),
        ..About::default()
    };
    Ok(Stored { model, about })
}

struct Parser<'a> {
    rest: &'a [u8],
    version: u32,
    /// Blocks so far, with those to come.
    blocks: usize,
    /// The activation so far.
    activation: Option<Activation>,
}

/// What the outputs of the score are multiplied by.
#[derive(Clone, Copy)]
struct Factors {
    score: f32,
    lead: f32,
}

impl<'a> Parser<'a> {
    fn model(&mut self) -> Result<Model, FormatError> {
        let name = self.word("the name of the network")?.to_owned();
        self.version = self.number("the format version")?;
        if !(VERSION_MIN..=VERSION_MAX).contains(&self.version) {
            return Err(unsupported(format!("format version {}", self.version)));
        }
        let planes = self.size("the number of planes", CHANNELS_MAX)?;
        let globals = self.size("the number of global inputs", CHANNELS_MAX)?;
        if (planes, globals) != (PLANES, GLOBALS) {
            return Err(unsupported(format!("an input of {planes} planes and {globals} numbers")));
        }
        let factors = self.factors()?;
        if self.version >= VERSION_OPTIONS {
            let names = ["an input of players", "another way of seeing area"];
            self.options(&names, 6)?;
        }
        self.word("the trunk")?;
        let count = self.size("the number of blocks", BLOCKS_MAX)?;
        for unused in ["trunk channels", "mid channels", "regular channels", "dilated", "pooling"] {
            self.size(unused, CHANNELS_MAX)?;
        }
        if self.version >= VERSION_OPTIONS {
            self.options(&["another kind of norm"], 5)?;
        }
        let stem = self.conv()?;
        let stem_bias = self.matmul()?;
        let blocks = self.blocks(count, 0)?;
        let norm = self.norm_and_act()?;
        let policy = self.policy_head()?;
        let value = self.value_head(factors)?;
        let activation = self.activation.unwrap_or_default();
        let ranges = Vec::new();
        Ok(Model { name, activation, stem, stem_bias, blocks, norm, policy, value, ranges })
    }

    /// Reads factors of the outputs, of which those count whose outputs are used.
    fn factors(&mut self) -> Result<Factors, FormatError> {
        if self.version < VERSION_FACTORS {
            return Ok(Factors { score: SCORE_FACTOR, lead: SCORE_FACTOR });
        }
        let mut factors = [0.0; 7];
        for factor in &mut factors {
            *factor = self.number::<f32>("a factor of an output")?;
            if !(*factor > 0.0 && factor.is_finite()) {
                return Err(unsupported(format!("the factor {factor} of an output")));
            }
        }
        // The deviation is multiplied after a function that is not linear, so that its weights
        // cannot take another factor over.
        let [_, score, deviation, lead, ..] = factors;
        if (deviation - SCORE_FACTOR).abs() > f32::EPSILON {
            return Err(unsupported(format!("the factor {deviation} of the score's deviation")));
        }
        Ok(Factors { score, lead })
    }

    /// Reads numbers that are 0 unless the network uses what they stand for; some are free still.
    fn options(&mut self, names: &[&str], free: usize) -> Result<(), FormatError> {
        for i in 0..names.len() + free {
            let option: i32 = self.number("an option")?;
            if option != 0 {
                let name = names.get(i).copied().unwrap_or("an unknown option");
                return Err(unsupported(name.to_owned()));
            }
        }
        Ok(())
    }

    fn blocks(&mut self, count: usize, depth: usize) -> Result<Vec<Block>, FormatError> {
        self.blocks += count;
        if self.blocks > BLOCKS_MAX {
            return Err(unsupported(format!("a network of {} blocks", self.blocks)));
        }
        (0..count).map(|_| self.block(depth)).collect()
    }

    fn block(&mut self, depth: usize) -> Result<Block, FormatError> {
        let kind = self.word("the kind of a block")?.to_owned();
        let is_known = ["ordinary_block", "gpool_block", "nested_bottleneck_block"];
        if !is_known.contains(&&*kind) || depth > DEPTH_MAX {
            return Err(unsupported(format!("a block of kind {kind:?}")));
        }
        self.word("the name of a block")?;
        if kind == "nested_bottleneck_block" {
            let count = self.size("the number of blocks", BLOCKS_MAX)?;
            let (before, narrow) = (self.norm_and_act()?, self.conv()?);
            let blocks = self.blocks(count, depth + 1)?;
            let (after, widen) = (self.norm_and_act()?, self.conv()?);
            return Ok(Block::Nested { before, narrow, blocks, after, widen });
        }
        let before = self.norm_and_act()?;
        let first = self.conv()?;
        if kind == "ordinary_block" {
            let (between, second) = (self.norm_and_act()?, self.conv()?);
            return Ok(Block::Ordinary { before, first, between, second });
        }
        let pooled = self.conv()?;
        let pooled_norm = self.norm_and_act()?;
        let pooled_bias = self.matmul()?;
        let (between, second) = (self.norm_and_act()?, self.conv()?);
        Ok(Block::Pooling { before, first, pooled, pooled_norm, pooled_bias, between, second })
    }

    fn policy_head(&mut self) -> Result<PolicyHead, FormatError> {
        self.word("the policy head")?;
        let points = self.conv()?;
        let pooled = self.conv()?;
        let pooled_norm = self.norm_and_act()?;
        let pooled_bias = self.matmul()?;
        let norm = self.norm_and_act()?;
        let policies = match self.version {
            VERSION_ACTION_VALUES.. => 4,
            VERSION_POLICIES.. => 2,
            _ => 1,
        };
        let mut logits = self.conv()?;
        keep("a policy", &mut logits.outputs, &mut logits.weights, policies, POLICIES)?;
        let mut pass = self.matmul()?;
        let mut pass_hidden = None;
        let mut is_linear = false;
        if self.version >= VERSION_OPTIONS {
            let bias = self.bias()?;
            let activation = self.activation()?;
            is_linear = activation.is_none();
            if activation.is_some() {
                self.everywhere(activation)?;
            }
            pass_hidden = Some(Hidden { matmul: pass, bias });
            pass = self.matmul()?;
        }
        keep("the policy of a pass", &mut pass.outputs, &mut pass.weights, policies, POLICIES)?;
        if let Some(hidden) = pass_hidden.take_if(|_| is_linear) {
            pass = one_layer(&hidden, &pass)?;
        }
        Ok(PolicyHead { points, pooled, pooled_norm, pooled_bias, norm, logits, pass_hidden, pass })
    }

    fn value_head(&mut self, factors: Factors) -> Result<ValueHead, FormatError> {
        self.word("the value head")?;
        let points = self.conv()?;
        let norm = self.norm_and_act()?;
        let (hidden, hidden_bias) = (self.matmul()?, self.bias()?);
        let activation = self.activation()?;
        self.everywhere(activation)?;
        let (value, value_bias) = (self.matmul()?, self.bias()?);
        let (mut score, mut score_bias) = (self.matmul()?, self.bias()?);
        let scores = if self.version >= VERSION_SCORES { 6 } else { SCORES };
        let mut biases = score_bias.len();
        keep("a score", &mut score.outputs, &mut score.weights, scores, SCORES)?;
        keep("a score's bias", &mut biases, &mut score_bias, scores, SCORES)?;
        for row in score.weights.chunks_exact_mut(SCORES).chain([&mut score_bias[..]]) {
            row[0] *= factors.score / SCORE_FACTOR;
            row[2] *= factors.lead / SCORE_FACTOR;
        }
        let ownership = self.conv()?;
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

    fn conv(&mut self) -> Result<Conv, FormatError> {
        let name = self.word("the name of a convolution")?.to_owned();
        let height = self.size("the height of a filter", FILTER_MAX)?;
        let width = self.size("the width of a filter", FILTER_MAX)?;
        let inputs = self.size("the inputs of a convolution", CHANNELS_MAX)?;
        let outputs = self.size("the outputs of a convolution", CHANNELS_MAX)?;
        let dilation = [self.size("a dilation", 100)?, self.size("a dilation", 100)?];
        if dilation != [1, 1] {
            return Err(unsupported(format!("the dilated convolution {name}")));
        }
        if height % 2 == 0 || width % 2 == 0 {
            return Err(unsupported(format!("the even filter of {name}")));
        }
        let weights = self.block_of(height * width * inputs * outputs)?;
        Ok(Conv { height, width, inputs, outputs, weights })
    }

    fn matmul(&mut self) -> Result<Matmul, FormatError> {
        self.word("the name of a matrix")?;
        let inputs = self.size("the inputs of a matrix", 3 * CHANNELS_MAX)?;
        let outputs = self.size("the outputs of a matrix", CHANNELS_MAX)?;
        let weights = self.block_of(inputs * outputs)?;
        Ok(Matmul { inputs, outputs, weights })
    }

    fn bias(&mut self) -> Result<Vec<f32>, FormatError> {
        self.word("the name of a bias")?;
        let channels = self.size("the channels of a bias", CHANNELS_MAX)?;
        self.block_of(channels)
    }

    fn norm_and_act(&mut self) -> Result<Norm, FormatError> {
        self.word("the name of a norm")?;
        let channels = self.size("the channels of a norm", CHANNELS_MAX)?;
        let epsilon: f32 = self.number("the epsilon of a norm")?;
        let has_scale = self.size("whether a norm has a scale", 1)? == 1;
        let has_bias = self.size("whether a norm has a bias", 1)? == 1;
        let (mean, variance) = (self.block_of(channels)?, self.block_of(channels)?);
        let mut scale = if has_scale { self.block_of(channels)? } else { vec![1.0; channels] };
        let mut bias = if has_bias { self.block_of(channels)? } else { vec![0.0; channels] };
        for i in 0..channels {
            scale[i] /= (variance[i] + epsilon).sqrt();
            bias[i] -= scale[i] * mean[i];
        }
        let activation = self.activation()?;
        self.everywhere(activation)?;
        Ok(Norm { scale, bias })
    }

    /// Reads an activation, `None` if it is the identity.
    fn activation(&mut self) -> Result<Option<Activation>, FormatError> {
        self.word("an activation")?;
        if self.version < VERSION_ACTIVATIONS {
            return Ok(Some(Activation::Relu));
        }
        match self.word("the kind of an activation")? {
            "ACTIVATION_IDENTITY" => Ok(None),
            "ACTIVATION_RELU" => Ok(Some(Activation::Relu)),
            "ACTIVATION_MISH" => Ok(Some(Activation::Mish)),
            "ACTIVATION_SILU" => Ok(Some(Activation::Silu)),
            other => Err(unsupported(format!("the activation {other:?}"))),
        }
    }

    /// Asks that an activation be that of the layers before it.
    fn everywhere(&mut self, activation: Option<Activation>) -> Result<(), FormatError> {
        let known = self.activation.or(activation);
        if activation.is_none() || known != activation {
            return Err(unsupported("a network with several activations".to_owned()));
        }
        self.activation = known;
        Ok(())
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
            return (0..count).map(|_| self.number(WANTED)).collect();
        };
        let (bytes, rest) = rest.split_at_checked(4 * count).ok_or(FormatError::Ends(WANTED))?;
        self.rest = rest;
        let (numbers, _) = bytes.as_chunks::<4>();
        Ok(numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
    }
}

/// Keeps the first `keep` of the outputs of a layer, which must be `wanted`.
fn keep(
    layer: &str,
    outputs: &mut usize,
    weights: &mut Vec<f32>,
    wanted: usize,
    keep: usize,
) -> Result<(), FormatError> {
    if *outputs != wanted {
        return Err(unsupported(format!("{layer} of {outputs} outputs")));
    }
    *weights = weights.chunks_exact(wanted).flat_map(|row| &row[..keep]).copied().collect();
    *outputs = keep;
    Ok(())
}

/// Two layers with nothing between them as one, if that needs no bias.
fn one_layer(hidden: &Hidden, last: &Matmul) -> Result<Matmul, FormatError> {
    let Hidden { matmul, bias } = hidden;
    let rows = matmul.weights.chunks_exact(matmul.outputs.max(1));
    if last.outputs != 1 || last.inputs != matmul.outputs || bias.iter().any(|&bias| bias != 0.0) {
        return Err(unsupported("the policy of a pass".to_owned()));
    }
    let product = |row: &[f32]| row.iter().zip(&last.weights).map(|(a, b)| a * b).sum();
    let weights = rows.map(product).collect();
    Ok(Matmul { inputs: matmul.inputs, outputs: 1, weights })
}

fn unsupported(what: String) -> FormatError {
    FormatError::Unsupported(what)
}

fn unexpected(wanted: &'static str, found: &[u8]) -> FormatError {
    let found = String::from_utf8_lossy(&found[..found.len().min(40)]).into_owned();
    FormatError::Unexpected { wanted, found }
}

#[cfg(test)]
mod tests;
