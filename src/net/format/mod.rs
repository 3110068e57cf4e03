//! Files of networks: KataGo's and our own, told apart by how they begin.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::model::{Model, ModelError};

pub mod katago;
pub mod keima;

/// What a compressed file begins with.
const GZIP: &[u8] = b"\x1f\x8b";
/// Most bytes that a file may have, unpacked too: far more than any network of these kinds.
const BYTES_MAX: u64 = 1 << 30;
/// Characters that are kept of a network's name.
const NAME_MAX: usize = 100;
/// The inputs that [`super::Features`] makes, by name.
const FEATURES: &str = "katago-7";

/// Why a file is no network that can be used.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The file cannot be read or unpacked.
    #[error(transparent)]
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
    /// It is no file of tensors.
    #[error("neither a network of KataGo nor a whole safetensors file: {0}")]
    Safetensors(safetensors::SafeTensorError),
    /// A tensor or an entry of the header lacks.
    #[error("{0} is missing")]
    Missing(String),
    /// There is a tensor that no network has.
    #[error("no network has a tensor {0:?}")]
    Unknown(String),
    /// A tensor has another number of axes.
    #[error("{tensor} has the shape {shape:?} and should have {wanted}")]
    Shape {
        /// Its name.
        tensor: String,
        /// Its sides.
        shape: Vec<usize>,
        /// What its sides should mean.
        wanted: &'static str,
    },
    /// An entry of the header does not agree with the tensors.
    #[error("the header says {entry} {says:?}, the tensors are {are:?}")]
    Header {
        /// The entry.
        entry: &'static str,
        /// Its value.
        says: String,
        /// What it should be.
        are: String,
    },
    /// A number is too large for the type that it is to be written in.
    #[error("{0} has a number that half precision cannot hold")]
    TooLargeForHalf(String),
    /// The layers do not fit together.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// A network and what its file tells of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// The network.
    pub model: Model,
    /// The rest.
    pub about: About,
}

/// What a file tells of its network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The file's format and version.
    pub format: String,
    /// The inputs of the network.
    pub features: String,
    /// What it was trained on.
    pub trained_on: Option<String>,
    /// The command that trained it.
    pub command: Option<String>,
    /// The hash of the weights that the file gives, and that was found right.
    pub sha256: Option<String>,
}

/// Reads a network of either format.
///
/// # Errors
/// [`FormatError`].
pub fn read(bytes: &[u8]) -> Result<Model, FormatError> {
    Ok(read_stored(bytes)?.model)
}

/// Reads a network of either format from a file.
///
/// # Errors
/// [`FormatError`].
pub fn read_file(path: &Path) -> Result<Model, FormatError> {
    read(&read_bytes(path)?)
}

/// The contents of a file that is not too large.
///
/// # Errors
/// [`FormatError::Io`] and [`FormatError::TooLarge`].
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, FormatError> {
    let file = File::open(path)?;
    // What is no plain file has no length.
    if file.metadata()?.len() > BYTES_MAX {
        return Err(FormatError::TooLarge);
    }
    limited(file)
}

/// Reads a network of either format with what its file tells of it.
///
/// # Errors
/// [`FormatError`].
pub fn read_stored(bytes: &[u8]) -> Result<Stored, FormatError> {
    // A safetensors file begins with the length of its header, eight bytes, the last of them 0.
    let is_text = bytes.iter().take(8).all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace());
    let mut stored = if bytes.starts_with(GZIP) {
        katago::read_stored(&katago::unpack(bytes)?)
    } else if is_text {
        katago::read_stored(bytes)
    } else {
        keima::read_stored(bytes)
    }?;
    // It becomes part of answers.
    let name = stored.model.name.chars().filter(|c| !c.is_control()).take(NAME_MAX);
    stored.model.name = name.collect();
    Ok(stored)
}

/// All that can be read.
fn limited(file: impl Read) -> Result<Vec<u8>, FormatError> {
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(FormatError::TooLarge);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::testing::{katago_text, model, packed};

    #[test]
    fn formats_are_told_apart() {
        let model = model(1, 6);
        let text = katago_text(&model);
        assert_eq!(read(&text).unwrap(), model);
        assert_eq!(read(&packed(&text)).unwrap(), model);
        let network = Stored { model: model.clone(), about: About::default() };
        assert_eq!(read(&keima::write(&network, false).unwrap()).unwrap(), model);
    }

    #[test]
    fn a_name_is_short_and_without_line_breaks() {
        let model = Model { name: format!("a\n\n{}", "b".repeat(5000)), ..model(1, 6) };
        let network = Stored { model, about: About::default() };
        let name = read(&keima::write(&network, false).unwrap()).unwrap().name;
        assert_eq!(name, format!("a{}", "b".repeat(99)));
    }

    #[test]
    fn other_files_are_errors() {
        let message = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert_eq!(message(b""), "the file ends where the name of the network should stand");
        assert_eq!(message(b"# Title\n"), "\"Title\" stands where the format version should");
        let expected = "neither a network of KataGo nor a whole safetensors file: header too small";
        assert_eq!(message(b"\0\0\0"), expected);
        assert!(matches!(read(b"\x1f\x8b rest"), Err(FormatError::Io(_))));
        assert!(matches!(read_file(Path::new("/no/such/file")), Err(FormatError::Io(_))));
    }
}
