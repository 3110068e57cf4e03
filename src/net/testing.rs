//! Small random networks, and files of them in KataGo's format, for tests.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};

use super::features::{GLOBALS, PLANES};
use super::model::{Activation, Block, Conv, Hidden, Matmul, Model, Norm, PolicyHead, ValueHead};
pub(super) use crate::rng::Rng;

/// A number in -1..1.
fn random(rng: &mut Rng) -> f32 {
    rng.below(20_001) as f32 / 10_000.0 - 1.0
}

fn numbers(rng: &mut Rng, count: usize) -> Vec<f32> {
    (0..count).map(|_| random(rng)).collect()
}

fn conv(rng: &mut Rng, side: usize, inputs: usize, outputs: usize) -> Conv {
    let weights = numbers(rng, side * side * inputs * outputs);
    Conv { height: side, width: side, inputs, outputs, weights }
}

fn matmul(rng: &mut Rng, inputs: usize, outputs: usize) -> Matmul {
    Matmul { inputs, outputs, weights: numbers(rng, inputs * outputs) }
}

fn norm(rng: &mut Rng, channels: usize) -> Norm {
    Norm { scale: numbers(rng, channels), bias: numbers(rng, channels) }
}

/// A network with an ordinary block and a pooling one, of so many channels.
pub(crate) fn model(seed: u64, channels: usize) -> Model {
    let rng = &mut Rng::new(seed);
    let (c, half) = (channels, channels / 2);
    Model {
        name: "test".to_owned(),
        activation: Activation::Relu,
        stem: conv(rng, 3, PLANES, c),
        stem_bias: matmul(rng, GLOBALS, c),
        blocks: vec![
            Block::Ordinary {
                before: norm(rng, c),
                first: conv(rng, 3, c, c),
                between: norm(rng, c),
                second: conv(rng, 3, c, c),
            },
            Block::Pooling {
                before: norm(rng, c),
                first: conv(rng, 3, c, half),
                pooled: conv(rng, 3, c, half),
                pooled_norm: norm(rng, half),
                pooled_bias: matmul(rng, 3 * half, half),
                between: norm(rng, half),
                second: conv(rng, 3, half, c),
            },
        ],
        norm: norm(rng, c),
        policy: PolicyHead {
            points: conv(rng, 1, c, half),
            pooled: conv(rng, 1, c, half),
            pooled_norm: norm(rng, half),
            pooled_bias: matmul(rng, 3 * half, half),
            norm: norm(rng, half),
            logits: conv(rng, 1, half, 1),
            pass_hidden: None,
            pass: matmul(rng, 3 * half, 1),
        },
        value: ValueHead {
            points: conv(rng, 1, c, half),
            norm: norm(rng, half),
            hidden: matmul(rng, 3 * half, c),
            hidden_bias: numbers(rng, c),
            value: matmul(rng, c, 3),
            value_bias: numbers(rng, 3),
            score: matmul(rng, c, 4),
            score_bias: numbers(rng, 4),
            ownership: conv(rng, 1, half, 1),
        },
        ranges: Vec::new(),
    }
}

/// The same with a nested block, a hidden layer for the pass, and another activation.
pub(super) fn modern(seed: u64, channels: usize) -> Model {
    let mut model = model(seed, channels);
    let rng = &mut Rng::new(seed + 1);
    let half = channels / 2;
    let inner = Block::Ordinary {
        before: norm(rng, half),
        first: conv(rng, 3, half, half),
        between: norm(rng, half),
        second: conv(rng, 3, half, half),
    };
    model.activation = Activation::Mish;
    model.blocks.push(Block::Nested {
        before: norm(rng, channels),
        narrow: conv(rng, 1, channels, half),
        blocks: vec![inner.clone(), inner],
        after: norm(rng, half),
        widen: conv(rng, 1, half, channels),
    });
    let (weights, bias) = (matmul(rng, 3 * half, half), numbers(rng, half));
    model.policy.pass_hidden = Some(Hidden { matmul: weights, bias });
    model.policy.pass = matmul(rng, half, 1);
    model
}

/// The network as an unpacked file of format version 8.
pub(super) fn katago_text(model: &Model) -> Vec<u8> {
    katago_file(model, 8)
}

/// The network as an unpacked file of another format version: outputs that only this version has
/// are all 9, and the scores' factors are 10.
pub(super) fn katago_file(model: &Model, version: u32) -> Vec<u8> {
    let mut file = File { version, activation: model.activation, ..File::default() };
    let channels = model.stem.outputs;
    file.words(&format!("{} {version} {PLANES} {GLOBALS}", model.name));
    if version >= 13 {
        file.words("20 10 20 10 40 0.25 150");
    }
    if version >= 15 {
        file.words("0 0 0 0 0 0 0 0");
    }
    file.words("trunk");
    file.words(&format!("{} {channels} {channels} {channels} 0 {channels}", model.blocks.len()));
    if version >= 15 {
        file.words("0 0 0 0 0 0");
    }
    file.conv(&model.stem);
    file.matmul(&model.stem_bias);
    for block in &model.blocks {
        file.block(block);
    }
    file.norm(&model.norm);
    file.policy(&model.policy);
    file.value(&model.value);
    file.bytes
}

/// Packs a file.
pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

#[derive(Default)]
struct File {
    bytes: Vec<u8>,
    version: u32,
    activation: Activation,
}

/// Rows with more columns, which are all 9.
fn widened(numbers: &[f32], columns: usize, more: usize) -> Vec<f32> {
    let nines = vec![9.0; more];
    numbers.chunks_exact(columns).flat_map(|row| [row, &nines].concat()).collect()
}

impl File {
    fn words(&mut self, words: &str) {
        self.bytes.extend_from_slice(words.as_bytes());
        self.bytes.push(b'\n');
    }

    fn numbers(&mut self, numbers: &[f32]) {
        self.bytes.extend_from_slice(b"@BIN@");
        self.bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self.bytes.push(b'\n');
    }

    fn conv(&mut self, conv: &Conv) {
        let Conv { height, width, inputs, outputs, weights } = conv;
        self.words(&format!("conv {height} {width} {inputs} {outputs} 1 1"));
        self.numbers(weights);
    }

    fn matmul(&mut self, matmul: &Matmul) {
        self.words(&format!("matmul {} {}", matmul.inputs, matmul.outputs));
        self.numbers(&matmul.weights);
    }

    fn bias(&mut self, bias: &[f32]) {
        self.words(&format!("bias {}", bias.len()));
        self.numbers(bias);
    }

    /// Statistics that change nothing: mean 0, variance 1.
    fn norm(&mut self, norm: &Norm) {
        let channels = norm.scale.len();
        self.words(&format!("norm {channels} 0 1 1"));
        self.numbers(&vec![0.0; channels]);
        self.numbers(&vec![1.0; channels]);
        self.numbers(&norm.scale);
        self.numbers(&norm.bias);
        self.act();
    }

    fn act(&mut self) {
        let kind = self.activation.name().to_uppercase();
        let kind = if self.version >= 11 { format!(" ACTIVATION_{kind}") } else { String::new() };
        self.words(&format!("act{kind}"));
    }

    fn policy(&mut self, head: &PolicyHead) {
        let more = match self.version {
            16.. => 3,
            12.. => 1,
            _ => 0,
        };
        self.words("policyhead");
        self.conv(&head.points);
        self.conv(&head.pooled);
        self.norm(&head.pooled_norm);
        self.matmul(&head.pooled_bias);
        self.norm(&head.norm);
        let weights = widened(&head.logits.weights, 1, more);
        self.conv(&Conv { outputs: 1 + more, weights, ..head.logits.clone() });
        if let Some(hidden) = &head.pass_hidden {
            self.matmul(&hidden.matmul);
            self.bias(&hidden.bias);
            self.act();
        }
        let weights = widened(&head.pass.weights, 1, more);
        self.matmul(&Matmul { outputs: 1 + more, weights, ..head.pass.clone() });
    }

    fn value(&mut self, head: &ValueHead) {
        let more = if self.version >= 9 { 2 } else { 0 };
        self.words("valuehead");
        self.conv(&head.points);
        self.norm(&head.norm);
        self.matmul(&head.hidden);
        self.bias(&head.hidden_bias);
        self.act();
        self.matmul(&head.value);
        self.bias(&head.value_bias);
        let weights = widened(&head.score.weights, 4, more);
        self.matmul(&Matmul { outputs: 4 + more, weights, ..head.score.clone() });
        self.bias(&widened(&head.score_bias, 4, more));
        self.conv(&head.ownership);
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Ordinary { before, first, between, second } => {
                self.words("ordinary_block block");
                self.norm(before);
                self.conv(first);
                self.norm(between);
                self.conv(second);
            }
            Block::Pooling { before, first, pooled, pooled_norm, pooled_bias, between, second } => {
                self.words("gpool_block block");
                self.norm(before);
                self.conv(first);
                self.conv(pooled);
                self.norm(pooled_norm);
                self.matmul(pooled_bias);
                self.norm(between);
                self.conv(second);
            }
            Block::Nested { before, narrow, blocks, after, widen } => {
                self.words(&format!("nested_bottleneck_block block {}", blocks.len()));
                self.norm(before);
                self.conv(narrow);
                for block in blocks {
                    self.block(block);
                }
                self.norm(after);
                self.conv(widen);
            }
        }
    }
}
