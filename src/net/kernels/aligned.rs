//! Memory that begins with a cache line, so that no vector straddles two.

use std::ops::{Deref, DerefMut};

/// Bytes of a cache line, and of the longest vector.
const LINE: usize = 64;

/// A slice of words or numbers that begins with a cache line.
#[derive(Debug, Default)]
pub(crate) struct Aligned<T> {
    memory: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Copy + Default> Aligned<T> {
    /// So many zeros.
    pub(crate) fn zeros(length: usize) -> Self {
        let memory = vec![T::default(); length + LINE / size_of::<T>()];
        let start = memory.as_ptr().align_offset(LINE).min(memory.len() - length);
        Self { memory, start, length }
    }

    /// Makes it at least so long; what was in it is lost if it grows.
    pub(crate) fn grow(&mut self, length: usize) {
        if self.length < length {
            *self = Self::zeros(length);
        }
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.memory[self.start..self.start + self.length]
    }
}

impl<T> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.memory[self.start..self.start + self.length]
    }
}
