//! Every kernel against the plain evaluation, on random networks and inputs.

use proptest::prelude::*;

use super::testing::{self, Rng};
use super::{Arithmetic, Evaluation, Features, GLOBALS, Kernel, Network, PLANES, Workspace};
use super::{plain, ranges};
use crate::board::Size;

/// Inputs as they might be: planes of 0 and 1.
fn features(rng: &mut Rng, size: Size) -> Features {
    let mut planes = vec![0.0; PLANES * size.points()];
    for plane in &mut planes {
        *plane = f32::from(u8::from(rng.below(4) == 0));
    }
    let globals = (0..GLOBALS).map(|_| rng.below(1000) as f32 / 500.0 - 1.0).collect();
    Features { planes, globals }
}

/// All outputs in a row.
fn numbers(evaluation: &Evaluation) -> Vec<f32> {
    let Evaluation { policy, pass, value, score, score_deviation, lead, ownership } = evaluation;
    let mut numbers = policy.clone();
    numbers.extend(ownership);
    numbers.extend(value);
    numbers.extend([*pass, *score, *score_deviation, *lead]);
    numbers
}

/// The largest difference, as a share of the largest output.
fn difference(a: &Evaluation, b: &Evaluation) -> f32 {
    let (a, b) = (numbers(a), numbers(b));
    let most = a.iter().fold(1.0_f32, |most, a| most.max(a.abs()));
    a.iter().zip(&b).map(|(a, b)| (a - b).abs() / most).fold(0.0, f32::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn kernels_agree_with_the_plain_evaluation(
        width in 2_usize..=25,
        height in 2_usize..=25,
        batch in 1_usize..4,
        channels in prop::sample::select(vec![8_usize, 22, 32, 48]),
        seed in any::<u64>(),
    ) {
        check(Size::new(width, height).expect("a size"), batch, channels, seed)?;
    }
}

fn check(size: Size, batch: usize, channels: usize, seed: u64) -> Result<(), TestCaseError> {
    let mut model = testing::model(seed, channels);
    let mut rng = Rng::new(seed);
    let inputs: Vec<Features> = (0..batch).map(|_| features(&mut rng, size)).collect();
    let expected: Vec<Evaluation> =
        inputs.iter().map(|inputs| plain::evaluate(&model, inputs, size)).collect();
    model.ranges = ranges(&model, [(&inputs[..], size)]);
    let mut integers = None;
    // Those that this machine lacks as well: the plain one takes their place.
    for kernel in Kernel::ALL {
        let mut workspace = Workspace::default();
        let network = Network::new(&model, Arithmetic::Real, kernel);
        let found = network.evaluate(&inputs, size, &mut workspace);
        for (found, expected) in found.iter().zip(&expected) {
            let difference = difference(expected, found);
            prop_assert!(difference < 1e-4, "{kernel}: {difference}");
        }
        let network = Network::new(&model, Arithmetic::Integer, kernel);
        let found = network.evaluate(&inputs, size, &mut workspace);
        for (found, expected) in found.iter().zip(&expected) {
            let difference = difference(expected, found);
            prop_assert!(difference < 0.05, "{kernel}, integers: {difference}");
        }
        // What is not a sum of integers is rounded alike, but for the convolutions of points.
        let plain = integers.get_or_insert_with(|| found.clone());
        for (found, plain) in found.iter().zip(plain) {
            let difference = difference(plain, found);
            prop_assert!(difference < 1e-4, "{kernel}, integers, against plain: {difference}");
        }
    }
    Ok(())
}

#[test]
fn every_size_agrees() {
    for side in 2..=25 {
        let size = Size::square(side).expect("a size");
        check(size, 1, 16, side as u64).expect("agreement");
    }
}

#[test]
fn a_workspace_serves_all_sizes_and_networks() {
    let mut rng = Rng::new(5);
    let models = [testing::model(1, 16), testing::model(2, 40)];
    let mut workspace = Workspace::default();
    for side in [9, 5, 9, 19, 3] {
        let size = Size::square(side).expect("a size");
        let inputs = [features(&mut rng, size)];
        for model in &models {
            let network = Network::new(model, Arithmetic::Real, Kernel::best());
            let found = &network.evaluate(&inputs, size, &mut workspace)[0];
            let difference = difference(&plain::evaluate(model, &inputs[0], size), found);
            assert!(difference < 1e-4, "{side}: {difference}");
        }
    }
}
