//! numpy's files of several arrays: a zip archive of `.npy` files.
//!
//! Source: numpy.lib.format, version 1.0 of the format.

use std::fmt::Write as _;
use std::io::{self, Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The header is filled up to a multiple of this.
const ALIGNMENT: usize = 64;
/// Magic string, version 1.0.
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
/// Bytes that are packed at a time.
const PIECE: usize = 1 << 16;

/// A number that arrays are made of.
pub(super) trait Number {
    /// As numpy calls the type.
    const TYPE: &str;

    /// Adds it to some bytes.
    fn put(&self, bytes: &mut Vec<u8>);
}

macro_rules! number {
    ($($type:ty = $name:literal),*) => {
        $(impl Number for $type {
            const TYPE: &str = $name;

            fn put(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_le_bytes());
            }
        })*
    };
}

number!(u8 = "|u1", u16 = "<u2", u32 = "<u4", i16 = "<i2");

/// Writes such a file.
#[derive(Debug)]
pub(super) struct Npz<W: Write + Seek> {
    zip: ZipWriter<W>,
}

impl<W: Write + Seek> Npz<W> {
    pub(super) fn new(output: W) -> Self {
        Self { zip: ZipWriter::new(output) }
    }

    /// Adds an array of rows: of one dimension if they have no length of their own.
    pub(super) fn array<'a, T: Number + 'a>(
        &mut self,
        name: &str,
        row: Option<usize>,
        numbers: impl IntoIterator<Item = &'a T>,
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        numbers.into_iter().for_each(|number| number.put(&mut bytes));
        let count = bytes.len() / size_of::<T>();
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        self.zip.start_file(format!("{name}.npy"), options)?;
        self.zip.write_all(&header(T::TYPE, count, row))?;
        bytes.chunks(PIECE).try_for_each(|piece| self.zip.write_all(piece))
    }

    /// Ends the file.
    pub(super) fn finish(self) -> io::Result<W> {
        Ok(self.zip.finish()?)
    }
}

fn header(kind: &str, count: usize, row: Option<usize>) -> Vec<u8> {
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': (");
    // Writing to a string cannot fail.
    let _ = match row {
        None => write!(text, "{count},), }}"),
        Some(row) => write!(text, "{}, {row}), }}", count / row.max(1)),
    };
    let length = (MAGIC.len() + 2 + text.len() + 1).next_multiple_of(ALIGNMENT);
    let length = length - MAGIC.len() - 2;
    let mut bytes = MAGIC.to_vec();
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(format!("{text:<width$}\n", width = length - 1).into_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};

    use zip::ZipArchive;

    use super::*;

    #[test]
    fn headers_are_as_numpy_writes_them() {
        let bytes = header("<u2", 12, Some(3));
        assert_eq!(bytes.len(), 128);
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let text = String::from_utf8(bytes[10..].to_vec()).unwrap();
        let expected = "{'descr': '<u2', 'fortran_order': False, 'shape': (4, 3), }";
        assert_eq!(text.trim_end_matches([' ', '\n']), expected);
        assert!(text.ends_with(" \n"));
        let text = String::from_utf8(header("|u1", 2, None)[10..].to_vec()).unwrap();
        assert!(text.contains("'shape': (2,), }"));
    }

    #[test]
    fn arrays_come_back() {
        let mut npz = Npz::new(Cursor::new(Vec::new()));
        npz.array("a", None, &[1_i16, -2]).unwrap();
        npz.array("b", Some(2), &[3_u8, 4, 5, 6]).unwrap();
        let mut archive = ZipArchive::new(npz.finish().unwrap()).unwrap();
        for (name, expected) in [("a.npy", [1, 0, 254, 255]), ("b.npy", [3, 4, 5, 6])] {
            let mut bytes = Vec::new();
            archive.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes[bytes.len() - 4..], expected);
            assert_eq!(bytes.len() % ALIGNMENT, 4);
        }
    }
}
