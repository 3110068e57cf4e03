//! Small random networks, and files of them in KataGo's format, for tests.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};

use super::features::{GLOBALS, PLANES};
use super::model::{Block, Conv, Matmul, Model, Norm, PolicyHead, ValueHead};
use crate::rng::Rng;

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
pub(super) fn model(seed: u64, channels: usize) -> Model {
    let rng = &mut Rng::new(seed);
    let (c, half) = (channels, channels / 2);
    Model {
        name: "test".to_owned(),
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
    }
}

/// The network as an unpacked file of format version 8.
pub(super) fn katago_text(model: &Model) -> Vec<u8> {
    let mut file = File::default();
    let channels = model.stem.outputs;
    file.words(&format!("{} 8 {PLANES} {GLOBALS} trunk", model.name));
    file.words(&format!("{} {channels} {channels} {channels} 0 {channels}", model.blocks.len()));
    file.conv(&model.stem);
    file.matmul(&model.stem_bias);
    for block in &model.blocks {
        file.block(block);
    }
    file.norm(&model.norm);
    let policy = &model.policy;
    file.words("policyhead");
    file.conv(&policy.points);
    file.conv(&policy.pooled);
    file.norm(&policy.pooled_norm);
    file.matmul(&policy.pooled_bias);
    file.norm(&policy.norm);
    file.conv(&policy.logits);
    file.matmul(&policy.pass);
    let value = &model.value;
    file.words("valuehead");
    file.conv(&value.points);
    file.norm(&value.norm);
    file.matmul(&value.hidden);
    file.bias(&value.hidden_bias);
    file.words("act");
    file.matmul(&value.value);
    file.bias(&value.value_bias);
    file.matmul(&value.score);
    file.bias(&value.score_bias);
    file.conv(&value.ownership);
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
        self.words("act");
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
        }
    }
}
