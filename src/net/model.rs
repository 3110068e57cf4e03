//! What a network is made of: layers with their weights, as numbers only.
//!
//! Points are rows from the top left corner; the values of a point lie together, channel by channel.
//! The network is a residual one with pre-activated blocks, some of which pool over the whole board
//! (KataGo's design; D. Wu, Accelerating Self-Play Learning in Go, 2019).

mod check;

pub use check::{BLOCKS_MAX, CHANNELS_MAX, FILTER_MAX, ModelError};

/// What follows every norm and every hidden layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Activation {
    /// The rectifier, `max(x, 0)`.
    #[default]
    Relu,
    /// `x * tanh(ln(1 + e^x))`.
    Mish,
    /// `x / (1 + e^-x)`.
    Silu,
}

impl Activation {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Relu, Self::Mish, Self::Silu];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relu => "relu",
            Self::Mish => "mish",
            Self::Silu => "silu",
        }
    }
}

/// A convolution without bias; points beyond the edge count as zero, so that the size stays.
#[derive(Clone, Debug, PartialEq)]
pub struct Conv {
    /// Height of the filter, odd.
    pub height: usize,
    /// Width of the filter, odd.
    pub width: usize,
    /// Channels that go in.
    pub inputs: usize,
    /// Channels that come out.
    pub outputs: usize,
    /// Weights by row, column, input and output, the output fastest.
    pub weights: Vec<f32>,
}

/// A product with a matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Matmul {
    /// Values that go in.
    pub inputs: usize,
    /// Values that come out.
    pub outputs: usize,
    /// Weights by input and output, the output fastest.
    pub weights: Vec<f32>,
}

/// A batch norm with its statistics folded in: `x * scale + bias` for each channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Norm {
    /// Factors.
    pub scale: Vec<f32>,
    /// Summands.
    pub bias: Vec<f32>,
}

/// A residual block, which adds to the trunk.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Two convolutions, each after a norm and an activation.
    Ordinary {
        /// Before the first convolution.
        before: Norm,
        /// The first convolution.
        first: Conv,
        /// Between the two.
        between: Norm,
        /// The second convolution.
        second: Conv,
    },
    /// The same, where a bias pooled from the whole board is added after the first convolution.
    Pooling {
        /// Before the first convolutions.
        before: Norm,
        /// The first convolution.
        first: Conv,
        /// The convolution whose outputs are pooled.
        pooled: Conv,
        /// Before the pooling.
        pooled_norm: Norm,
        /// From the pooled values to a bias for each channel of `first`.
        pooled_bias: Matmul,
        /// Between the two.
        between: Norm,
        /// The second convolution.
        second: Conv,
    },
    /// Blocks on fewer channels, between two convolutions of single points.
    Nested {
        /// Before the first convolution.
        before: Norm,
        /// To the channels of the inner blocks.
        narrow: Conv,
        /// The inner blocks.
        blocks: Vec<Block>,
        /// After them.
        after: Norm,
        /// Back to the channels of the trunk.
        widen: Conv,
    },
}

/// A layer of hidden values.
#[derive(Clone, Debug, PartialEq)]
pub struct Hidden {
    /// Its weights.
    pub matmul: Matmul,
    /// Its bias.
    pub bias: Vec<f32>,
}

/// From the trunk to a number for each point and one for a pass.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyHead {
    /// Values of points.
    pub points: Conv,
    /// Values that are pooled.
    pub pooled: Conv,
    /// Before the pooling.
    pub pooled_norm: Norm,
    /// From the pooled values to a bias for each channel of `points`.
    pub pooled_bias: Matmul,
    /// After the bias.
    pub norm: Norm,
    /// To the logit of each point.
    pub logits: Conv,
    /// Between the pooled values and what follows, if there is such a layer.
    pub pass_hidden: Option<Hidden>,
    /// From the pooled (or the hidden) values to the logit of a pass.
    pub pass: Matmul,
}

/// From the trunk to who wins, by how much, and who owns the points.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueHead {
    /// Values of points.
    pub points: Conv,
    /// After them.
    pub norm: Norm,
    /// From the pooled values to a hidden layer.
    pub hidden: Matmul,
    /// Its bias.
    pub hidden_bias: Vec<f32>,
    /// To the logits of win, loss and no result.
    pub value: Matmul,
    /// Their bias.
    pub value_bias: Vec<f32>,
    /// To the score's mean, its spread, the lead, the remaining variance in time.
    pub score: Matmul,
    /// Their bias.
    pub score_bias: Vec<f32>,
    /// To the owner of each point.
    pub ownership: Conv,
}

/// A network.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// What its maker called it.
    pub name: String,
    /// The activation, everywhere the same.
    pub activation: Activation,
    /// The first convolution.
    pub stem: Conv,
    /// From the global inputs to a bias for each channel of the trunk.
    pub stem_bias: Matmul,
    /// The residual blocks.
    pub blocks: Vec<Block>,
    /// After the last block.
    pub norm: Norm,
    /// The policy head.
    pub policy: PolicyHead,
    /// The value head.
    pub value: ValueHead,
    /// The largest value of each channel that goes into the first and then into the second convolution
    /// of each block, seen in many positions; empty if nobody looked. Integer kernels scale by it.
    pub ranges: Vec<Vec<f32>>,
}

impl Model {
    /// Its size in words: `b6c96` has six blocks and 96 channels, `nbt` tells of nested blocks.
    pub fn architecture(&self) -> String {
        let is_nested = self.blocks.iter().any(|block| matches!(block, Block::Nested { .. }));
        let nested = if is_nested { "nbt" } else { "" };
        format!("b{}c{}{nested}", self.blocks.len(), self.stem.outputs)
    }

    /// Whether it has layers that only [`super::plain`] evaluates: another activation than the
    /// rectifier, nested blocks, a hidden layer for the pass.
    pub fn needs_plain(&self) -> bool {
        self.activation != Activation::Relu
            || self.policy.pass_hidden.is_some()
            || self.blocks.iter().any(|block| matches!(block, Block::Nested { .. }))
    }
}
