//! Whether the layers of a network fit together: one that passes can be evaluated on any board.

use super::{Block, Conv, Hidden, Matmul, Model, Norm, PolicyHead, ValueHead};
use crate::net::{GLOBALS, PLANES};

/// What no network of these kinds has more of: channels, blocks with those inside others, and points along the
/// side of a filter. It keeps the memory of a file that somebody made up near the file's size.
pub const CHANNELS_MAX: usize = 4096;
/// See [`CHANNELS_MAX`].
pub const BLOCKS_MAX: usize = 1000;
/// See [`CHANNELS_MAX`].
pub const FILTER_MAX: usize = 9;
/// The least range of a channel that is ever above 0.
const RANGE_MIN: f32 = 1e-12;

/// Outputs of the value layer, and of the score layer.
const VALUES: usize = 3;
const SCORES: usize = 4;
/// Pooled values for each channel.
const POOLS: usize = 3;

/// What is wrong with a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Two layers do not fit together.
    #[error("{layer} takes {takes} channels and gets {gets}")]
    Takes {
        /// The layer.
        layer: String,
        /// Its inputs.
        takes: usize,
        /// What comes from the layers before it.
        gets: usize,
    },
    /// A layer gives more or less than is asked for.
    #[error("{layer} gives {gives} channels and {wanted} are wanted")]
    Gives {
        /// The layer.
        layer: String,
        /// Its outputs.
        gives: usize,
        /// What comes after it.
        wanted: usize,
    },
    /// A layer has more or fewer numbers than its sizes say.
    #[error("{layer} has {found} numbers and {wanted} are wanted")]
    Count {
        /// The layer.
        layer: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// A filter has no middle, or a layer no channels.
    #[error("{0} has a filter of an even side or no channels")]
    Empty(String),
    /// More channels or blocks, or a larger filter than any network has.
    #[error("{0} is too large")]
    TooLarge(String),
    /// Ranges that no activations have: negative ones, or none above 0 in any layer.
    #[error("{0} has ranges that nothing has")]
    NoRange(String),
    /// A number is infinite or none.
    #[error("{0} has a number that is not finite")]
    NotFinite(String),
    /// Ranges are known of another number of layers than there are.
    #[error("there are ranges of {found} layers and {wanted} are wanted")]
    Ranges {
        /// Lists of ranges.
        found: usize,
        /// Two for each block.
        wanted: usize,
    },
}

type Check<T = ()> = Result<T, ModelError>;

impl Model {
    /// Checks all that an evaluation relies on: that each layer takes what the one before it gives,
    /// has as many numbers as its sizes say, and finite ones.
    ///
    /// # Errors
    /// [`ModelError`]; layers are named as in our own files.
    pub fn check(&self) -> Check {
        if count(&self.blocks) > BLOCKS_MAX {
            return Err(ModelError::TooLarge("the number of blocks".to_owned()));
        }
        let channels = conv("stem", &self.stem, PLANES)?;
        gives("stem_bias", matmul("stem_bias", &self.stem_bias, GLOBALS)?, channels)?;
        for (i, block) in self.blocks.iter().enumerate() {
            self::block(&format!("blocks.{i}"), block, channels)?;
        }
        norm("norm", &self.norm, channels)?;
        policy(&self.policy, channels)?;
        value(&self.value, channels)?;
        self.check_ranges()
    }

    /// Ranges are of all blocks, which have two convolutions each then, or of none.
    fn check_ranges(&self) -> Check {
        if self.ranges.is_empty() {
            return Ok(());
        }
        let mut inputs = Vec::new();
        for block in &self.blocks {
            match block {
                Block::Ordinary { first, second, .. } | Block::Pooling { first, second, .. } => {
                    inputs.extend([first.inputs, second.inputs]);
                }
                Block::Nested { .. } => {}
            }
        }
        let (found, wanted) = (self.ranges.len(), inputs.len());
        if found != wanted {
            return Err(ModelError::Ranges { found, wanted });
        }
        for (i, (ranges, inputs)) in self.ranges.iter().zip(inputs).enumerate() {
            let name = format!("ranges.{i}");
            numbers(&name, ranges, inputs)?;
            let is_range = |&range: &f32| range.abs() == 0.0 || range >= RANGE_MIN;
            if !ranges.iter().all(is_range) {
                return Err(ModelError::NoRange(name));
            }
        }
        // A layer may be dead, but not all of them.
        if self.ranges.iter().flatten().all(|&range| range < RANGE_MIN) {
            return Err(ModelError::NoRange("every layer".to_owned()));
        }
        Ok(())
    }
}

/// Blocks, those inside others too.
fn count(blocks: &[Block]) -> usize {
    let inside = |block: &Block| match block {
        Block::Nested { blocks, .. } => count(blocks),
        Block::Ordinary { .. } | Block::Pooling { .. } => 0,
    };
    blocks.len() + blocks.iter().map(inside).sum::<usize>()
}

fn block(name: &str, block: &Block, channels: usize) -> Check {
    let layer = |part: &str| format!("{name}.{part}");
    match block {
        Block::Ordinary { before, first, between, second } => {
            norm(&layer("before"), before, channels)?;
            let middle = conv(&layer("first"), first, channels)?;
            norm(&layer("between"), between, middle)?;
            gives(&layer("second"), conv(&layer("second"), second, middle)?, channels)
        }
        Block::Pooling { before, first, pooled, pooled_norm, pooled_bias, between, second } => {
            norm(&layer("before"), before, channels)?;
            let middle = conv(&layer("first"), first, channels)?;
            let pooled = conv(&layer("pooled"), pooled, channels)?;
            norm(&layer("pooled_norm"), pooled_norm, pooled)?;
            let bias = matmul(&layer("pooled_bias"), pooled_bias, POOLS * pooled)?;
            gives(&layer("pooled_bias"), bias, middle)?;
            norm(&layer("between"), between, middle)?;
            gives(&layer("second"), conv(&layer("second"), second, middle)?, channels)
        }
        Block::Nested { before, narrow, blocks, after, widen } => {
            norm(&layer("before"), before, channels)?;
            let middle = conv(&layer("narrow"), narrow, channels)?;
            for (i, inner) in blocks.iter().enumerate() {
                self::block(&layer(&format!("blocks.{i}")), inner, middle)?;
            }
            norm(&layer("after"), after, middle)?;
            gives(&layer("widen"), conv(&layer("widen"), widen, middle)?, channels)
        }
    }
}

fn policy(head: &PolicyHead, channels: usize) -> Check {
    let points = conv("policy.points", &head.points, channels)?;
    let pooled = POOLS * conv("policy.pooled", &head.pooled, channels)?;
    norm("policy.pooled_norm", &head.pooled_norm, head.pooled.outputs)?;
    let bias = matmul("policy.pooled_bias", &head.pooled_bias, pooled)?;
    gives("policy.pooled_bias", bias, points)?;
    norm("policy.norm", &head.norm, points)?;
    gives("policy.logits", conv("policy.logits", &head.logits, points)?, 1)?;
    let hidden = head.pass_hidden.as_ref();
    let hidden =
        hidden.map(|layer| self::hidden("policy.pass_hidden", layer, pooled)).transpose()?;
    gives("policy.pass", matmul("policy.pass", &head.pass, hidden.unwrap_or(pooled))?, 1)
}

fn value(head: &ValueHead, channels: usize) -> Check {
    let points = conv("value.points", &head.points, channels)?;
    norm("value.norm", &head.norm, points)?;
    let hidden = matmul("value.hidden", &head.hidden, POOLS * points)?;
    numbers("value.hidden.bias", &head.hidden_bias, hidden)?;
    gives("value.value", matmul("value.value", &head.value, hidden)?, VALUES)?;
    numbers("value.value.bias", &head.value_bias, VALUES)?;
    gives("value.score", matmul("value.score", &head.score, hidden)?, SCORES)?;
    numbers("value.score.bias", &head.score_bias, SCORES)?;
    gives("value.ownership", conv("value.ownership", &head.ownership, points)?, 1)
}

/// Checks a layer that gets so many channels, as all that follow; returns how many it gives.
fn conv(layer: &str, conv: &Conv, gets: usize) -> Check<usize> {
    let Conv { height, width, inputs, outputs, ref weights } = *conv;
    takes(layer, inputs, gets)?;
    if outputs == 0 || height % 2 == 0 || width % 2 == 0 {
        return Err(ModelError::Empty(layer.to_owned()));
    }
    if outputs > CHANNELS_MAX || height.max(width) > FILTER_MAX {
        return Err(ModelError::TooLarge(layer.to_owned()));
    }
    let wanted = height.saturating_mul(width).saturating_mul(inputs).saturating_mul(outputs);
    numbers(layer, weights, wanted)?;
    Ok(outputs)
}

fn matmul(layer: &str, matmul: &Matmul, gets: usize) -> Check<usize> {
    let Matmul { inputs, outputs, ref weights } = *matmul;
    takes(layer, inputs, gets)?;
    if outputs == 0 {
        return Err(ModelError::Empty(layer.to_owned()));
    }
    if outputs > CHANNELS_MAX {
        return Err(ModelError::TooLarge(layer.to_owned()));
    }
    numbers(layer, weights, inputs.saturating_mul(outputs))?;
    Ok(outputs)
}

fn hidden(layer: &str, hidden: &Hidden, gets: usize) -> Check<usize> {
    let outputs = matmul(layer, &hidden.matmul, gets)?;
    numbers(&format!("{layer}.bias"), &hidden.bias, outputs)?;
    Ok(outputs)
}

fn norm(layer: &str, norm: &Norm, gets: usize) -> Check {
    takes(layer, norm.scale.len(), gets)?;
    numbers(&format!("{layer}.scale"), &norm.scale, gets)?;
    numbers(&format!("{layer}.bias"), &norm.bias, gets)
}

fn takes(layer: &str, takes: usize, gets: usize) -> Check {
    let layer = || layer.to_owned();
    if takes == gets { Ok(()) } else { Err(ModelError::Takes { layer: layer(), takes, gets }) }
}

fn gives(layer: &str, gives: usize, wanted: usize) -> Check {
    let layer = || layer.to_owned();
    if gives == wanted { Ok(()) } else { Err(ModelError::Gives { layer: layer(), gives, wanted }) }
}

fn numbers(layer: &str, numbers: &[f32], wanted: usize) -> Check {
    let (layer, found) = (layer.to_owned(), numbers.len());
    if found != wanted {
        return Err(ModelError::Count { layer, found, wanted });
    }
    if !numbers.iter().all(|number| number.is_finite()) {
        return Err(ModelError::NotFinite(layer));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::model::Activation;
    use crate::net::testing::{model, modern};

    #[test]
    fn what_fits_passes() {
        assert_eq!(model(1, 6).check(), Ok(()));
        assert_eq!(modern(2, 4).check(), Ok(()));
        assert_eq!(modern(2, 4).activation, Activation::Mish);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        type Spoil = fn(&mut Model);
        let cases: [(Spoil, &str); 15] = [
            (|m| m.stem.inputs = 21, "stem takes 21 channels and gets 22"),
            (|m| m.stem_bias.outputs = 5, "stem_bias has 114 numbers and 95 are wanted"),
            (|m| m.stem.height = 2, "stem has a filter of an even side or no channels"),
            (|m| m.norm.scale.push(1.0), "norm takes 7 channels and gets 6"),
            (|m| m.norm.bias.truncate(5), "norm.bias has 5 numbers and 6 are wanted"),
            (
                |m| m.policy.pass.outputs = 0,
                "policy.pass has a filter of an even side or no channels",
            ),
            (
                |m| m.value.score_bias[1] = f32::NAN,
                "value.score.bias has a number that is not finite",
            ),
            (
                |m| {
                    m.policy.logits =
                        Conv { outputs: 2, weights: vec![0.0; 6], ..m.policy.logits.clone() }
                },
                "policy.logits gives 2 channels and 1 are wanted",
            ),
            (|m| m.stem.width = 11, "stem is too large"),
            (|m| m.stem_bias.outputs = 5000, "stem_bias is too large"),
            (|m| m.blocks = vec![m.blocks[0].clone(); 1001], "the number of blocks is too large"),
            (
                |m| m.ranges = [6, 6, 6, 3].map(|n| vec![0.0; n]).to_vec(),
                "every layer has ranges that nothing has",
            ),
            (
                |m| m.ranges = vec![vec![1.0, 0.0, 0.0, 0.0, 0.0, -1.0]; 4],
                "ranges.0 has ranges that nothing has",
            ),
            (|m| m.ranges = vec![vec![1.0; 6]], "there are ranges of 1 layers and 4 are wanted"),
            (|m| m.ranges = vec![vec![1.0; 6]; 4], "ranges.3 has 6 numbers and 3 are wanted"),
        ];
        for (spoil, expected) in cases {
            let mut model = model(3, 6);
            spoil(&mut model);
            assert_eq!(model.check().unwrap_err().to_string(), expected);
        }
    }
}
