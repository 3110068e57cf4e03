//! Bitsets of points.

/// A set of points by index, to be iterated over once by ascending index.
#[derive(Clone, Debug)]
pub struct Bits<const WORDS: usize> {
    pub(super) words: [u64; WORDS],
    pub(super) word: usize,
}

impl<const WORDS: usize> Iterator for Bits<WORDS> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.word < WORDS {
            let word = &mut self.words[self.word];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(64 * self.word + bit);
            }
            self.word += 1;
        }
        None
    }
}
