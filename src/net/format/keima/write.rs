//! Writes networks, and counts and hashes their numbers.

use half::f16;
use serde_json::{Map, Value, json};

use super::{FORMAT, hash_tensors};
use crate::net::format::{FEATURES, FormatError, Stored};
use crate::net::model::{Block, Conv, Matmul, Model, Norm, PolicyHead, ValueHead};

/// Headers are filled up to a multiple of this many bytes, so that the numbers are aligned.
const ALIGNMENT: usize = 8;

/// The bytes of a file; with `half` weights (not biases, factors and ranges) have 16 bits.
///
/// # Errors
/// [`FormatError::Model`] if the layers do not fit together, [`FormatError::TooLargeForHalf`].
pub fn write(network: &Stored, half: bool) -> Result<Vec<u8>, FormatError> {
    let Stored { model, about } = network;
    model.check()?;
    let tensors = tensors(model);
    let encoded =
        tensors.iter().map(|tensor| tensor.encode(half)).collect::<Result<Vec<_>, _>>()?;
    let mut entries = Map::new();
    let mut entry = |name: &str, value: &str| entries.insert(name.to_owned(), value.into());
    entry("format", FORMAT);
    entry("name", &model.name);
    entry("features", FEATURES);
    entry("architecture", &model.architecture());
    entry("activation", model.activation.name());
    about.trained_on.iter().for_each(|value| drop(entry("trained_on", value)));
    about.command.iter().for_each(|value| drop(entry("command", value)));
    entry("sha256", &hash_encoded(&tensors, &encoded));

    let mut header = Map::from_iter([("__metadata__".to_owned(), Value::Object(entries))]);
    let mut data = Vec::new();
    // Wider numbers first: all are aligned then.
    for is_half in [false, true] {
        for (tensor, (dtype, bytes)) in tensors.iter().zip(&encoded) {
            if (*dtype == HALF) == is_half {
                let offsets = [data.len(), data.len() + bytes.len()];
                let info = json!({"dtype": dtype, "shape": tensor.shape, "data_offsets": offsets});
                header.insert(tensor.name.clone(), info);
                data.extend_from_slice(bytes);
            }
        }
    }
    let mut header = Value::Object(header).to_string().into_bytes();
    header.resize(header.len().next_multiple_of(ALIGNMENT), b' ');
    Ok([&(header.len() as u64).to_le_bytes()[..], &header, &data].concat())
}

/// The hash that a file with all numbers of 32 bits has.
pub fn hash(model: &Model) -> String {
    let tensors = tensors(model);
    let encoded: Vec<_> = tensors.iter().map(|tensor| (WHOLE, whole(tensor.numbers))).collect();
    hash_encoded(&tensors, &encoded)
}

/// How many numbers a network has learned.
pub fn parameters(model: &Model) -> usize {
    let is_learned = |tensor: &&Tensor<'_>| !tensor.name.starts_with("ranges.");
    tensors(model).iter().filter(is_learned).map(|tensor| tensor.numbers.len()).sum()
}

const WHOLE: &str = "F32";
const HALF: &str = "F16";

type Encoded = (&'static str, Vec<u8>);

fn hash_encoded(tensors: &[Tensor<'_>], encoded: &[Encoded]) -> String {
    let pairs = tensors.iter().zip(encoded);
    hash_tensors(pairs.map(|(tensor, (_, bytes))| (&*tensor.name, &*tensor.shape, &**bytes)))
}

fn whole(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

struct Tensor<'a> {
    name: String,
    shape: Vec<usize>,
    numbers: &'a [f32],
}

impl Tensor<'_> {
    fn encode(&self, half: bool) -> Result<Encoded, FormatError> {
        if !half || self.shape.len() < 2 {
            return Ok((WHOLE, whole(self.numbers)));
        }
        let numbers: Vec<f16> = self.numbers.iter().map(|&number| f16::from_f32(number)).collect();
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(FormatError::TooLargeForHalf(self.name.clone()));
        }
        Ok((HALF, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()))
    }
}

/// All tensors of a network, by name.
fn tensors(model: &Model) -> Vec<Tensor<'_>> {
    let mut list = Tensors::default();
    list.conv("stem", &model.stem);
    list.matmul("stem_bias", &model.stem_bias);
    list.blocks("blocks", &model.blocks);
    list.norm("norm", &model.norm);
    list.policy_head(&model.policy);
    list.value_head(&model.value);
    for (i, ranges) in model.ranges.iter().enumerate() {
        list.add(format!("ranges.{i}"), vec![ranges.len()], ranges);
    }
    list.tensors.sort_by(|a, b| a.name.cmp(&b.name));
    list.tensors
}

#[derive(Default)]
struct Tensors<'a> {
    tensors: Vec<Tensor<'a>>,
}

impl<'a> Tensors<'a> {
    fn add(&mut self, name: String, shape: Vec<usize>, numbers: &'a [f32]) {
        self.tensors.push(Tensor { name, shape, numbers });
    }

    fn blocks(&mut self, name: &str, blocks: &'a [Block]) {
        for (i, block) in blocks.iter().enumerate() {
            self.block(&format!("{name}.{i}"), block);
        }
    }

    fn block(&mut self, name: &str, block: &'a Block) {
        let layer = |part: &str| format!("{name}.{part}");
        match block {
            Block::Ordinary { before, first, between, second }
            | Block::Pooling { before, first, between, second, .. } => {
                self.norm(&layer("before"), before);
                self.conv(&layer("first"), first);
                self.norm(&layer("between"), between);
                self.conv(&layer("second"), second);
            }
            Block::Nested { before, narrow, blocks, after, widen } => {
                self.norm(&layer("before"), before);
                self.conv(&layer("narrow"), narrow);
                self.blocks(&layer("blocks"), blocks);
                self.norm(&layer("after"), after);
                self.conv(&layer("widen"), widen);
            }
        }
        if let Block::Pooling { pooled, pooled_norm, pooled_bias, .. } = block {
            self.conv(&layer("pooled"), pooled);
            self.norm(&layer("pooled_norm"), pooled_norm);
            self.matmul(&layer("pooled_bias"), pooled_bias);
        }
    }

    fn policy_head(&mut self, head: &'a PolicyHead) {
        self.conv("policy.points", &head.points);
        self.conv("policy.pooled", &head.pooled);
        self.norm("policy.pooled_norm", &head.pooled_norm);
        self.matmul("policy.pooled_bias", &head.pooled_bias);
        self.norm("policy.norm", &head.norm);
        self.conv("policy.logits", &head.logits);
        if let Some(hidden) = &head.pass_hidden {
            self.matmul("policy.pass_hidden", &hidden.matmul);
            self.list("policy.pass_hidden.bias", &hidden.bias);
        }
        self.matmul("policy.pass", &head.pass);
    }

    fn value_head(&mut self, head: &'a ValueHead) {
        self.conv("value.points", &head.points);
        self.norm("value.norm", &head.norm);
        self.matmul("value.hidden", &head.hidden);
        self.list("value.hidden.bias", &head.hidden_bias);
        self.matmul("value.value", &head.value);
        self.list("value.value.bias", &head.value_bias);
        self.matmul("value.score", &head.score);
        self.list("value.score.bias", &head.score_bias);
        self.conv("value.ownership", &head.ownership);
    }

    fn conv(&mut self, layer: &str, conv: &'a Conv) {
        let shape = vec![conv.height, conv.width, conv.inputs, conv.outputs];
        self.add(format!("{layer}.weight"), shape, &conv.weights);
    }

    fn matmul(&mut self, layer: &str, matmul: &'a Matmul) {
        let shape = vec![matmul.inputs, matmul.outputs];
        self.add(format!("{layer}.weight"), shape, &matmul.weights);
    }

    fn norm(&mut self, layer: &str, norm: &'a Norm) {
        self.list(&format!("{layer}.scale"), &norm.scale);
        self.list(&format!("{layer}.bias"), &norm.bias);
    }

    fn list(&mut self, name: &str, numbers: &'a [f32]) {
        self.add(name.to_owned(), vec![numbers.len()], numbers);
    }
}
