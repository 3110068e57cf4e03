//! Tables of tunables: one row each, from which the rest is made.
//!
//! [`params!`](crate::params!) turns rows of name, default, range and meaning into a struct whose
//! values can be listed and set by name, for the flag `--params` and for GTP.

use std::fmt;
use std::ops::RangeInclusive;

/// A tunable, for people and programs that list them.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name by which it is set.
    pub name: &'static str,
    /// The value that is used unless another one is set.
    pub default: f32,
    /// What it may be set to.
    pub range: RangeInclusive<f32>,
    /// Meaning, unit and source.
    pub help: &'static str,
}

/// Why a tunable cannot be set.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParamError {
    /// There is none of this name.
    #[error("unknown parameter {0}")]
    Unknown(String),
    /// The value lies outside of the row's range, or is not a number.
    #[error("{} must be from {} to {}", .0.name, .0.range.start(), .0.range.end())]
    Range(Row),
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (self.range.start(), self.range.end());
        write!(f, "{} {} ({low} to {high}):{}", self.name, self.default, self.help)
    }
}

/// Makes a struct of tunables from rows `name = default, range;` with their doc comments.
#[macro_export]
macro_rules! params {
    (
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident {
            $( #[doc = $help:literal] $field:ident = $default:literal, $low:literal ..= $high:literal; )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        $vis struct $Name {
            $( #[doc = $help] $vis $field: f32, )*
        }

        impl Default for $Name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $Name {
            /// Every row, in the order of the source.
            $vis fn rows() -> Vec<$crate::params::Row> {
                vec![ $( $crate::params::Row {
                    name: stringify!($field),
                    default: $default,
                    range: $low ..= $high,
                    help: $help,
                } ),* ]
            }

            /// The value of this name.
            $vis fn get(&self, name: &str) -> Option<f32> {
                match name {
                    $( stringify!($field) => Some(self.$field), )*
                    _ => None,
                }
            }

            /// Sets a value by name.
            ///
            /// # Errors
            /// If there is no such name, or the value lies outside of its range; nothing is changed
            /// then.
            $vis fn set(&mut self, name: &str, value: f32) -> Result<(), $crate::params::ParamError> {
                use $crate::params::ParamError;
                let rows = Self::rows();
                let Some(row) = rows.into_iter().find(|row| row.name == name) else {
                    return Err(ParamError::Unknown(name.to_owned()));
                };
                if !row.range.contains(&value) {
                    return Err(ParamError::Range(row));
                }
                match name {
                    $( stringify!($field) => self.$field = value, )*
                    _ => {}
                }
                Ok(())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::ParamError;

    params! {
        /// Two rows.
        struct Two {
            #[doc = " The first."]
            first = 0.5, 0.0..=1.0;
            #[doc = " The second."]
            second = 3.0, 0.0..=10.0;
        }
    }

    #[test]
    fn rows_are_listed_and_set_by_name() {
        let mut two = Two::default();
        assert_eq!(Two::rows().len(), 2);
        two.set("second", 4.0).unwrap();
        assert_eq!((two.get("first"), two.get("second")), (Some(0.5), Some(4.0)));
        assert!(matches!(two.set("third", 1.0), Err(ParamError::Unknown(_))));
        for bad in [f32::NAN, -0.1, 1.1] {
            assert!(matches!(two.set("first", bad), Err(ParamError::Range(_))), "{bad}");
        }
        assert_eq!(two.get("first"), Some(0.5), "nothing is changed by an error");
    }
}
