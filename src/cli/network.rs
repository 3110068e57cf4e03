//! The network to play with: one from a file, or the one inside.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use crate::net::model::Model;
use crate::net::{Arithmetic, Kernel, Network, embedded, format, ranges_of_games};

#[derive(Debug, Args)]
pub(super) struct NetworkFlags {
    /// File of a neural network, KataGo's or keima's own, to use in the place of the one inside
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) net: Option<PathBuf>,
    /// Use no neural network
    #[arg(long, global = true, conflicts_with = "net")]
    pub(super) no_net: bool,
}

impl NetworkFlags {
    /// Whether a file is named.
    pub(super) fn is_named(&self) -> bool {
        self.net.is_some()
    }

    /// The network of `--net`, else the one inside, made ready for this machine.
    pub(super) fn read(&self) -> anyhow::Result<Network> {
        let mut model = match &self.net {
            Some(file) => {
                format::read_file(file).with_context(|| format!("--net {}", file.display()))?
            }
            None => format::read(embedded::NETWORK).context("the network inside")?,
        };
        calibrate(&mut model);
        let kernel = Kernel::best();
        let network = Network::new(&model, Arithmetic::fastest(kernel), kernel);
        log::info!("network {} ({}) on {}", network.name(), model.architecture(), network.kernel());
        Ok(network)
    }
}

/// Finds the ranges of a network that comes without, which takes a while.
pub(super) fn calibrate(model: &mut Model) {
    if model.ranges.is_empty() {
        log::info!("network {}: ranges of its layers are looked for in a few games", model.name);
        model.ranges = ranges_of_games(model);
    }
}
