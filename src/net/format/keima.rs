//! Our own files: safetensors, the layers of a [`Model`] by name.
//!
//! A convolution's tensor has the axes row, column, input, output (a filter of one point may have the
//! last two only), a matrix's input, output; the numbers are `F32`, `F16` or `BF16`. The header's map of
//! strings has
//!
//! - `format`: `keima-net-1`; `features`: `katago-7`, the inputs; both are checked;
//! - `name`; `architecture`, such as `b6c96`, which is checked against the tensors;
//! - `activation`: `relu` (also if it is left out), `mish` or `silu`;
//! - `trained_on`, `command`: for people, may be left out;
//! - `sha256`: the hash of all tensors in the order of their names, of each the name, a zero byte, its
//!   sides as little-endian `u64`, and its bytes as they stand in the file.
//!
//! The same network always gives the same bytes.

use std::collections::BTreeMap;

use half::{bf16, f16};
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use sha2::{Digest, Sha256};

use super::{About, FEATURES, FormatError, Stored};
use crate::net::model::{
    Activation, Block, Conv, Hidden, Matmul, Model, Norm, PolicyHead, ValueHead,
};

mod write;

pub use write::{hash, parameters, write};

/// The only format.
const FORMAT: &str = "keima-net-1";
/// Most nestings of blocks.
const DEPTH_MAX: usize = 4;

/// Reads a network.
///
/// # Errors
/// [`FormatError`].
pub fn read(bytes: &[u8]) -> Result<Model, FormatError> {
    Ok(read_stored(bytes)?.model)
}

/// Reads a network with what its header tells of it.
pub(super) fn read_stored(bytes: &[u8]) -> Result<Stored, FormatError> {
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(FormatError::Safetensors)?;
    let tensors = SafeTensors::deserialize(bytes).map_err(FormatError::Safetensors)?;
    let entry = |name: &str| header.metadata().as_ref().and_then(|entries| entries.get(name));
    let needed = |name: &str| {
        let missing = || FormatError::Missing(format!("the entry {name:?} of the header"));
        entry(name).ok_or_else(missing)
    };
    let (format, features) = (needed("format")?, needed("features")?);
    if format != FORMAT {
        return Err(FormatError::Unsupported(format!("the format {format:?}")));
    }
    if features != FEATURES {
        return Err(FormatError::Unsupported(format!("a network with the inputs {features:?}")));
    }
    let tensors: BTreeMap<_, _> =
        tensors.iter().map(|(name, view)| (name.to_owned(), view)).collect();
    agrees("sha256", needed("sha256")?, &hash_of(&tensors))?;
    let name = needed("name")?.clone();
    let activation = activation(entry("activation").map_or("relu", |name| name))?;
    let model = Reader { tensors }.model(name, activation)?;
    model.check()?;
    agrees("architecture", needed("architecture")?, &model.architecture())?;
    let about = About {
        format: format.clone(),
        features: features.clone(),
        trained_on: entry("trained_on").cloned(),
        command: entry("command").cloned(),
        sha256: entry("sha256").cloned(),
    };
    Ok(Stored { model, about })
}

fn activation(name: &str) -> Result<Activation, FormatError> {
    let found = Activation::ALL.into_iter().find(|activation| activation.name() == name);
    found.ok_or_else(|| FormatError::Unsupported(format!("the activation {name:?}")))
}

fn agrees(entry: &'static str, says: &str, are: &str) -> Result<(), FormatError> {
    if says == are {
        return Ok(());
    }
    Err(FormatError::Header { entry, says: says.to_owned(), are: are.to_owned() })
}

fn hash_of(tensors: &BTreeMap<String, TensorView<'_>>) -> String {
    hash_tensors(tensors.iter().map(|(name, view)| (&**name, view.shape(), view.data())))
}

/// The hash of tensors in the order of their names.
fn hash_tensors<'a>(tensors: impl Iterator<Item = (&'a str, &'a [usize], &'a [u8])>) -> String {
    let mut hasher = Sha256::new();
    for (name, shape, bytes) in tensors {
        hasher.update(name);
        hasher.update([0]);
        for &side in shape {
            hasher.update((side as u64).to_le_bytes());
        }
        hasher.update(bytes);
    }
    hex(&hasher.finalize())
}

fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(half.into(), 16);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).flatten().collect()
}

/// The SHA-256 of any bytes, in hexadecimal digits.
pub fn hash_of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Takes the tensors of a file one by one.
struct Reader<'a> {
    tensors: BTreeMap<String, TensorView<'a>>,
}

impl Reader<'_> {
    fn model(mut self, name: String, activation: Activation) -> Result<Model, FormatError> {
        let model = Model {
            name,
            activation,
            stem: self.conv("stem")?,
            stem_bias: self.matmul("stem_bias")?,
            blocks: self.blocks("blocks", 0)?,
            norm: self.norm("norm")?,
            policy: self.policy_head()?,
            value: self.value_head()?,
            ranges: self.ranges()?,
        };
        match self.tensors.pop_first() {
            Some((name, _)) => Err(FormatError::Unknown(name)),
            None => Ok(model),
        }
    }

    /// Blocks with the numbers from 0 on.
    fn blocks(&mut self, name: &str, depth: usize) -> Result<Vec<Block>, FormatError> {
        let mut blocks = Vec::new();
        loop {
            let name = format!("{name}.{}", blocks.len());
            let prefix = format!("{name}.");
            let mut rest = self.tensors.range(prefix.clone()..);
            if depth > DEPTH_MAX || rest.next().is_none_or(|(next, _)| !next.starts_with(&prefix)) {
                return Ok(blocks);
            }
            blocks.push(self.block(&name, depth)?);
        }
    }

    fn block(&mut self, name: &str, depth: usize) -> Result<Block, FormatError> {
        let layer = |part: &str| format!("{name}.{part}");
        let before = self.norm(&layer("before"))?;
        if self.has(&layer("narrow")) {
            return Ok(Block::Nested {
                before,
                narrow: self.conv(&layer("narrow"))?,
                blocks: self.blocks(&layer("blocks"), depth + 1)?,
                after: self.norm(&layer("after"))?,
                widen: self.conv(&layer("widen"))?,
            });
        }
        let first = self.conv(&layer("first"))?;
        let between = self.norm(&layer("between"))?;
        let second = self.conv(&layer("second"))?;
        if !self.has(&layer("pooled")) {
            return Ok(Block::Ordinary { before, first, between, second });
        }
        Ok(Block::Pooling {
            before,
            first,
            pooled: self.conv(&layer("pooled"))?,
            pooled_norm: self.norm(&layer("pooled_norm"))?,
            pooled_bias: self.matmul(&layer("pooled_bias"))?,
            between,
            second,
        })
    }

    fn policy_head(&mut self) -> Result<PolicyHead, FormatError> {
        let hidden = "policy.pass_hidden";
        Ok(PolicyHead {
            points: self.conv("policy.points")?,
            pooled: self.conv("policy.pooled")?,
            pooled_norm: self.norm("policy.pooled_norm")?,
            pooled_bias: self.matmul("policy.pooled_bias")?,
            norm: self.norm("policy.norm")?,
            logits: self.conv("policy.logits")?,
            pass_hidden: if self.has(hidden) {
                let (matmul, bias) = (self.matmul(hidden)?, self.numbers(hidden, "bias")?);
                Some(Hidden { matmul, bias })
            } else {
                None
            },
            pass: self.matmul("policy.pass")?,
        })
    }

    fn value_head(&mut self) -> Result<ValueHead, FormatError> {
        Ok(ValueHead {
            points: self.conv("value.points")?,
            norm: self.norm("value.norm")?,
            hidden: self.matmul("value.hidden")?,
            hidden_bias: self.numbers("value.hidden", "bias")?,
            value: self.matmul("value.value")?,
            value_bias: self.numbers("value.value", "bias")?,
            score: self.matmul("value.score")?,
            score_bias: self.numbers("value.score", "bias")?,
            ownership: self.conv("value.ownership")?,
        })
    }

    fn ranges(&mut self) -> Result<Vec<Vec<f32>>, FormatError> {
        let mut ranges = Vec::new();
        while let Some(view) = self.tensors.remove(&format!("ranges.{}", ranges.len())) {
            ranges.push(list(&format!("ranges.{}", ranges.len()), &view)?);
        }
        Ok(ranges)
    }

    fn has(&self, layer: &str) -> bool {
        self.tensors.contains_key(&format!("{layer}.weight"))
    }

    fn conv(&mut self, layer: &str) -> Result<Conv, FormatError> {
        let (name, view) = self.take(layer, "weight")?;
        let [height, width, inputs, outputs] = match *view.shape() {
            [height, width, inputs, outputs] => [height, width, inputs, outputs],
            [inputs, outputs] => [1, 1, inputs, outputs],
            _ => return Err(shape(name, &view, "four sides: rows, columns, inputs, outputs")),
        };
        Ok(Conv { height, width, inputs, outputs, weights: numbers(&name, &view)? })
    }

    fn matmul(&mut self, layer: &str) -> Result<Matmul, FormatError> {
        let (name, view) = self.take(layer, "weight")?;
        let [inputs, outputs] = *view.shape() else {
            return Err(shape(name, &view, "two sides: inputs, outputs"));
        };
        Ok(Matmul { inputs, outputs, weights: numbers(&name, &view)? })
    }

    fn norm(&mut self, layer: &str) -> Result<Norm, FormatError> {
        Ok(Norm { scale: self.numbers(layer, "scale")?, bias: self.numbers(layer, "bias")? })
    }

    fn numbers(&mut self, layer: &str, part: &str) -> Result<Vec<f32>, FormatError> {
        let (name, view) = self.take(layer, part)?;
        list(&name, &view)
    }

    fn take(&mut self, layer: &str, part: &str) -> Result<(String, TensorView<'_>), FormatError> {
        let name = format!("{layer}.{part}");
        let missing = || FormatError::Missing(format!("the tensor {name:?}"));
        let view = self.tensors.remove(&name).ok_or_else(missing)?;
        Ok((name, view))
    }
}

fn shape(tensor: String, view: &TensorView<'_>, wanted: &'static str) -> FormatError {
    FormatError::Shape { tensor, shape: view.shape().to_vec(), wanted }
}

/// The numbers of a tensor of one axis.
fn list(name: &str, view: &TensorView<'_>) -> Result<Vec<f32>, FormatError> {
    match view.shape() {
        [_] => numbers(name, view),
        _ => Err(shape(name.to_owned(), view, "one side")),
    }
}

fn numbers(name: &str, view: &TensorView<'_>) -> Result<Vec<f32>, FormatError> {
    let (halves, _) = view.data().as_chunks::<2>();
    Ok(match view.dtype() {
        Dtype::F32 => {
            let (numbers, _) = view.data().as_chunks::<4>();
            numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
        }
        Dtype::F16 => halves.iter().map(|&bytes| f16::from_le_bytes(bytes).to_f32()).collect(),
        Dtype::BF16 => halves.iter().map(|&bytes| bf16::from_le_bytes(bytes).to_f32()).collect(),
        other => return Err(FormatError::Unsupported(format!("the type {other} of {name}"))),
    })
}

#[cfg(test)]
mod tests;
