use proptest::prelude::*;

use super::*;
use crate::board::Suicide;
use crate::rng::Rng;

fn rules(ko: KoRule, suicide: Suicide) -> Rules {
    Rules { ko, suicide, ..Rules::CHINESE }
}

/// A game in which both sides made random turns, about one in ten a pass.
fn random_game(size: Size, rules: Rules, seed: u64, turns: usize) -> Game {
    let mut rng = Rng::new(seed);
    let mut game = Game::with_rules(size, rules, rules.komi);
    let points: Vec<_> = size.iter().collect();
    for _ in 0..turns {
        let color = if rng.below(9) == 0 { !game.to_play() } else { game.to_play() };
        let point = points[rng.below(points.len() as u32) as usize];
        let mv = if rng.below(10) == 0 { Move::Pass } else { Move::Play(point) };
        let before = game.clone();
        if game.play(ColoredMove { color, mv }).is_err() {
            assert_eq!(game, before, "an illegal move changes nothing");
        }
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn play_then_undo_is_identity(
        width in 1..=7usize, height in 1..=7usize, seed: u64, ko in 0..4usize, kind in 0..3usize,
    ) {
        let ko = [KoRule::Simple, KoRule::Positional, KoRule::Situational, KoRule::Natural][ko];
        let suicide = [Suicide::None, Suicide::Multi, Suicide::Any][kind];
        let size = Size::new(width, height).unwrap();
        let game = random_game(size, rules(ko, suicide), seed, 80);
        let mut back = game.clone();
        let mut undone = Vec::new();
        while let Some(turn) = back.undo() {
            undone.push(turn);
        }
        prop_assert_eq!(&back, &game.cleared());
        for turn in undone.iter().rev() {
            let legal = back.legal_points(turn.color());
            let removed = back.play(turn.colored_move).unwrap();
            prop_assert_eq!(removed, turn.removed);
            let mut same = back.clone();
            same.undo();
            prop_assert_eq!(same.legal_points(turn.color()), legal);
            same.play(turn.colored_move).unwrap();
            prop_assert_eq!(same.board().ko_point(), back.board().ko_point());
        }
        prop_assert_eq!(&back, &game);
    }

    #[test]
    fn bans_of_the_ko_rules_include_each_other(seed: u64) {
        let size = Size::new(3, 2).unwrap();
        let game = random_game(size, rules(KoRule::Simple, Suicide::Multi), seed, 60);
        let legal = |ko| {
            let mut game = game.clone();
            game.set_rules(rules(ko, Suicide::Multi));
            game.legal_points(game.to_play())
        };
        let positional = legal(KoRule::Positional);
        for ko in [KoRule::Simple, KoRule::Situational, KoRule::Natural] {
            let wider = legal(ko);
            prop_assert!(positional.iter().all(|point| wider.contains(point)), "{ko:?}");
        }
    }
}

#[test]
fn white_last_and_the_button_change_the_end() {
    let pass = |color| ColoredMove { color, mv: Move::Pass };
    let after = |rules: Rules, first: Color, passes: usize| {
        let mut game = Game::with_rules(Size::square(5).unwrap(), rules, rules.komi);
        let mut color = first;
        for _ in 0..passes {
            game.play(pass(color)).unwrap();
            color = !color;
        }
        game.is_over()
    };
    let white_last = Rules { white_last: true, ..Rules::CHINESE };
    let button = Rules { button: true, ..Rules::CHINESE };
    assert!(!after(Rules::CHINESE, Color::Black, 1));
    assert!(after(Rules::CHINESE, Color::White, 2));
    assert!(after(white_last, Color::Black, 2));
    assert!(!after(white_last, Color::White, 2));
    assert!(after(white_last, Color::White, 3));
    assert!(!after(button, Color::Black, 2));
    assert!(after(button, Color::Black, 3));
}

#[test]
fn handicap_needs_an_empty_board() {
    let mut game = Game::new(Size::square(9).unwrap());
    let points = star_points(game.size(), 2, crate::rules::Placement::Fixed).unwrap();
    assert_eq!(game.place_handicap(&[points[0], points[0]]), Err(HandicapError::Repeated));
    assert_eq!(game.place_handicap(&[]), Err(HandicapError::Stones));
    game.place_handicap(&points).unwrap();
    assert_eq!((game.to_play(), game.start().handicap), (Color::White, 2));
    assert_eq!(game.place_handicap(&points), Err(HandicapError::BoardNotEmpty));
    assert!(game.undo().is_none());
}
