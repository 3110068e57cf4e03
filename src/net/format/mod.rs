//! Files of networks.

pub mod katago;
