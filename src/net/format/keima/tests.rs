use std::collections::BTreeMap;

use super::*;
use crate::board::Size;
use crate::game::Game;
use crate::net::testing::{Rng, model, modern};
use crate::net::{Features, Position, plain};

fn network(model: Model) -> Stored {
    let about = About {
        format: FORMAT.to_owned(),
        features: FEATURES.to_owned(),
        trained_on: Some("nothing".to_owned()),
        command: None,
        sha256: Some(hash(&model)),
    };
    Stored { model, about }
}

fn written(model: Model) -> Vec<u8> {
    write(&network(model), false).unwrap()
}

/// A file with other entries and tensors; a value of `None` takes an entry away.
fn changed(
    bytes: &[u8],
    entries: &[(&str, Option<&str>)],
    change: impl FnOnce(&mut BTreeMap<String, (Dtype, Vec<usize>, Vec<u8>)>),
) -> Vec<u8> {
    let (_, header) = SafeTensors::read_metadata(bytes).unwrap();
    let mut metadata = header.metadata().clone().unwrap();
    let file = SafeTensors::deserialize(bytes).unwrap();
    let mut tensors = file
        .iter()
        .map(|(name, view)| {
            (name.to_owned(), (view.dtype(), view.shape().to_vec(), view.data().to_vec()))
        })
        .collect();
    change(&mut tensors);
    let views: BTreeMap<String, TensorView<'_>> = tensors
        .iter()
        .map(|(name, (dtype, shape, data))| {
            (name.clone(), TensorView::new(*dtype, shape.clone(), data).unwrap())
        })
        .collect();
    metadata.insert("sha256".to_owned(), hash_of(&views));
    for (name, value) in entries {
        match value {
            Some(value) => drop(metadata.insert((*name).to_owned(), (*value).to_owned())),
            None => drop(metadata.remove(*name)),
        }
    }
    safetensors::serialize(views, Some(metadata)).unwrap()
}

fn message(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

#[test]
fn what_was_written_is_read() {
    let mut ranged = model(1, 6);
    ranged.ranges = vec![vec![1.5; 6], vec![2.5; 6], vec![0.0; 6], vec![3.0; 3]];
    for model in [model(1, 6), ranged, modern(2, 4)] {
        let network = network(model);
        let bytes = write(&network, false).unwrap();
        assert_eq!(read_stored(&bytes).unwrap(), network);
        assert_eq!(write(&network, false).unwrap(), bytes, "always the same bytes");
    }
}

#[test]
fn half_precision_is_near() {
    let model = model(3, 6);
    let whole = written(model.clone());
    let bytes = write(&network(model.clone()), true).unwrap();
    assert!(bytes.len() < whole.len() * 3 / 4, "{} of {}", bytes.len(), whole.len());
    let halved = read(&bytes).unwrap();
    assert_eq!(halved.norm, model.norm);
    for (half, whole) in halved.stem.weights.iter().zip(&model.stem.weights) {
        assert!((half - whole).abs() < 1e-3);
    }
    let mut large = model;
    large.stem.weights[0] = 1e5;
    let error = write(&network(large), true).unwrap_err().to_string();
    assert_eq!(error, "stem.weight has a number that half precision cannot hold");
}

#[test]
fn other_types_are_read() {
    let bytes = changed(&written(model(4, 2)), &[], |tensors| {
        let (dtype, _, data) = tensors.get_mut("norm.scale").unwrap();
        *dtype = Dtype::BF16;
        *data = [1.5, -2.0].into_iter().flat_map(|x| bf16::from_f32(x).to_le_bytes()).collect();
    });
    assert_eq!(read(&bytes).unwrap().norm.scale, [1.5, -2.0]);
    let bytes = changed(&written(model(4, 2)), &[], |tensors| {
        let (dtype, _, data) = tensors.get_mut("norm.scale").unwrap();
        *dtype = Dtype::I8;
        data.truncate(2);
    });
    assert_eq!(message(&bytes), "the type I8 of norm.scale is not supported");
    let bytes = changed(&written(model(4, 2)), &[], |tensors| {
        let (_, shape, _) = tensors.get_mut("policy.logits.weight").unwrap();
        shape.drain(..2);
    });
    assert_eq!(read(&bytes).unwrap(), model(4, 2), "filters of one point without their sides");
}

#[test]
fn entries_are_checked() {
    let bytes = written(model(5, 2));
    let entry = |name, value| message(&changed(&bytes, &[(name, value)], |_| {}));
    assert_eq!(entry("format", Some("net-9")), "the format \"net-9\" is not supported");
    let expected = "a network with the inputs \"katago-6\" is not supported";
    assert_eq!(entry("features", Some("katago-6")), expected);
    let expected = "the header says architecture \"b6c96\", the tensors are \"b2c2\"";
    assert_eq!(entry("architecture", Some("b6c96")), expected);
    assert_eq!(entry("activation", Some("gelu")), "the activation \"gelu\" is not supported");
    assert!(entry("sha256", Some("00")).starts_with("the header says sha256 \"00\", the tensors"));
    for name in ["format", "name", "features", "architecture", "sha256"] {
        assert_eq!(entry(name, None), format!("the entry {name:?} of the header is missing"));
    }
    for name in ["trained_on", "command", "activation"] {
        assert!(read(&changed(&bytes, &[(name, None)], |_| {})).is_ok(), "{name}");
    }
}

#[test]
fn tensors_are_checked() {
    let bytes = written(model(6, 4));
    let zeros = |shape: &[usize]| {
        (Dtype::F32, shape.to_vec(), vec![0; 4 * shape.iter().product::<usize>()])
    };
    let with = |name: &str, shape: &[usize]| {
        let tensor = zeros(shape);
        message(&changed(&bytes, &[], |tensors| drop(tensors.insert(name.to_owned(), tensor))))
    };
    for (name, shape, expected) in [
        ("stem.weight", &[3, 3, 21, 4][..], "stem takes 21 channels and gets 22"),
        ("stem.weight", &[2, 3, 22, 4], "stem has a filter of an even side or no channels"),
        ("stem.weight", &[3, 3, 22, 0], "stem has a filter of an even side or no channels"),
        ("norm.scale", &[5], "norm takes 5 channels and gets 4"),
        ("policy.logits.weight", &[1, 1, 2, 3], "policy.logits gives 3 channels and 1 are wanted"),
        (
            "blocks.1.second.weight",
            &[3, 3, 2, 5],
            "blocks.1.second gives 5 channels and 4 are wanted",
        ),
        ("blocks.3.before.scale", &[4], "no network has a tensor \"blocks.3.before.scale\""),
        ("extra", &[1], "no network has a tensor \"extra\""),
        ("ranges.0", &[4], "there are ranges of 1 layers and 4 are wanted"),
        ("norm.scale", &[1, 4], "norm.scale has the shape [1, 4] and should have one side"),
    ] {
        assert_eq!(with(name, shape), expected);
    }
    for name in ["stem.weight", "blocks.0.between.bias", "policy.pass.weight", "value.score.bias"] {
        let bytes = changed(&bytes, &[], |tensors| drop(tensors.remove(name)));
        assert_eq!(message(&bytes), format!("the tensor {name:?} is missing"));
    }
    let bytes = changed(&bytes, &[], |tensors| {
        let (_, _, data) = tensors.get_mut("value.value.bias").unwrap();
        data[..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    });
    assert_eq!(message(&bytes), "value.value.bias has a number that is not finite");
}

#[test]
fn a_cut_file_is_an_error() {
    let bytes = written(model(7, 2));
    for end in 0..bytes.len() {
        assert!(read(&bytes[..end]).is_err(), "{end}");
    }
}

/// Whatever a flipped bit makes of a file, it is an error or a network that can be evaluated.
#[test]
fn flipped_bits_do_not_panic() {
    let bytes = written(model(8, 2));
    let start = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let size = Size::square(3).unwrap();
    let game = Game::new(size);
    let features = Features::new(&Position::new(&game, game.to_play(), 750));
    let rng = &mut Rng::new(9);
    for round in 0..4000 {
        let mut flipped = bytes.clone();
        // Most of them in the header: there is more to break.
        let end = if round % 4 == 0 { bytes.len() } else { start };
        let at = rng.below(end as u32) as usize;
        flipped[at] ^= 1 << rng.below(8);
        match read(&flipped) {
            Ok(model) => drop(plain::evaluate(&model, &features, size)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        assert!(at < start || read(&flipped).is_err(), "the hash covers byte {at}");
    }
}
