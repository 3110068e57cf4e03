//! The network to play with: one from a file, or the one inside.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use crate::net::model::Model;
use crate::net::{Arithmetic, Kernel, Network, embedded, format, ranges_of_games};

#[derive(Debug, Args)]
pub(super) struct NetworkFlags {
    /// File of a neural network, KataGo's or keima's own, to use in the place of the one inside
    #[arg(long, value_name = "FILE", global = true)]
    net: Option<PathBuf>,
    /// Use no neural network
    #[arg(long, global = true, conflicts_with = "net")]
    pub(super) no_net: bool,
}

impl NetworkFlags {
    /// Whether a file is named.
    pub(super) fn is_named(&self) -> bool {
        self.net.is_some()
    }

    /// The network of `--net`, else the one inside if one is needed.
    pub(super) fn read(&self, is_needed: bool) -> anyhow::Result<Option<Arc<Network>>> {
        let network = match &self.net {
            Some(file) => Some(read_network(file)?),
            None if is_needed => Some(embedded_network()?),
            None => None,
        };
        Ok(network.map(Arc::new))
    }
}

/// The network of a file, made ready for this machine.
pub(super) fn read_network(file: &Path) -> anyhow::Result<Network> {
    let mut model = format::read_file(file).with_context(|| format!("--net {}", file.display()))?;
    if model.ranges.is_empty() {
        model.ranges = ranges_of_games(&model);
    }
    Ok(prepare(&model))
}

fn embedded_network() -> anyhow::Result<Network> {
    Ok(prepare(&format::read(embedded::NETWORK).context("the network inside")?))
}

fn prepare(model: &Model) -> Network {
    let kernel = Kernel::best();
    let network = Network::new(model, Arithmetic::fastest(kernel), kernel);
    log::info!("network {} ({}) on {}", network.name(), model.architecture(), network.kernel());
    network
}
