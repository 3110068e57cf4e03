use std::time::Duration;

use super::*;
use crate::board::{Board, ColoredMove, Move, Size};
use crate::game::Start;
use crate::rules::{KoRule, Komi, Rules};

/// A game that starts from a diagram.
fn game(rows: &str, to_play: Color, komi: f64) -> Game {
    let board = Board::from_diagram(rows).unwrap();
    let start = Start { board, to_play, handicap: 0 };
    Game::from_start(start, Rules::default(), Komi::from_points(komi).unwrap())
}

fn playouts(number: u64) -> Limits {
    Limits { playouts: Some(number), ..Limits::default() }
}

/// Parameters without an early end.
fn patient() -> SearchParams {
    let mut params = SearchParams::default();
    params.set("stop_share", 1e9).unwrap();
    params.set("sure_margin", 1.0).unwrap();
    params
}

fn search_with(tree: &mut Tree, game: &Game, limits: Limits, threads: usize) -> Report {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let komi_hundredths = game.komi().hundredths();
    let root = Root { game, color: game.to_play(), komi_hundredths, bias_hundredths: 0, seed: 3 };
    let (restrictions, params) = (Restrictions::default(), patient());
    let task = Task {
        root,
        restrictions: &restrictions,
        limits,
        params: &params,
        goal: None,
        network: None,
    };
    tree.search(&task, &pool, &StopFlag::default(), None)
}

fn search(game: &Game, number: u64, threads: usize) -> Report {
    search_with(&mut Tree::new(64 << 20), game, playouts(number), threads)
}

fn best(game: &Game, report: &Report) -> String {
    match report.best().unwrap().mv {
        Move::Play(point) => game.size().vertex(point).to_string(),
        Move::Pass => "pass".to_owned(),
    }
}

#[test]
fn a_search_with_one_thread_repeats() {
    let game = Game::new(Size::square(9).unwrap());
    let first = search(&game, 1500, 1);
    assert_eq!(first.playouts, 1500);
    assert_eq!(search(&game, 1500, 1), first);
}

#[test]
fn visits_add_up_with_one_thread_and_with_three() {
    let game = Game::new(Size::square(7).unwrap());
    for threads in [1, 3] {
        let report = search(&game, 3000, threads);
        let visits: u64 = report.candidates.iter().map(|candidate| candidate.visits).sum();
        assert_eq!((report.playouts, visits), (3000, 3000), "{threads} threads");
        assert!(report.candidates.iter().all(|c| (0.0..=1.0).contains(&c.win_rate)));
    }
}

#[test]
fn every_board_can_be_searched() {
    for (width, height) in [(1, 1), (2, 1), (2, 2), (3, 7), (19, 2), (25, 25)] {
        let game = Game::new(Size::new(width, height).unwrap());
        let report = search(&game, 60, 2);
        assert!(report.best().is_some(), "{width}x{height}");
    }
}

#[test]
fn nobody_passes_on_an_empty_board() {
    for (width, height) in [(3, 3), (5, 5), (6, 5), (7, 7), (9, 9)] {
        let game = Game::new(Size::new(width, height).unwrap());
        let report = search(&game, 100, 1);
        assert_ne!(report.best().unwrap().mv, Move::Pass, "{width}x{height}");
    }
}

#[test]
fn a_chain_runs_only_if_no_ladder_catches_it() {
    // White's three stones are in atari and can run to F5, towards the lower right.
    let rows = |h3: char| {
        format!(
            "........./........./........./..XXXX.../.XOOO..../..XXX..../.......{h3}./........./\
             ........."
        )
    };
    for (h3, runs) in [('.', false), ('O', true)] {
        let game = game(&rows(h3), Color::White, 0.0);
        let played = best(&game, &search(&game, 2000, 1));
        assert_eq!(played == "F5", runs, "{h3}: {played}");
    }
}

/// Plays every visited line of the tree by the rules of the game.
fn check_lines(tree: &Tree, node: &node::Node, game: &Game) -> usize {
    let mut lines = 0;
    for child in tree.children(node).iter().filter(|child| child.visits() > 0) {
        let mv = match child.point() {
            0 => Move::Pass,
            point => Move::Play(Point::from_index(point)),
        };
        let mut after = game.clone();
        let played = after.play(ColoredMove { color: game.to_play(), mv });
        assert!(played.is_ok(), "{mv:?} after {:?}: {played:?}", game.turns());
        lines += 1 + check_lines(tree, child, &after);
    }
    lines
}

#[test]
fn every_line_of_the_tree_obeys_superko() {
    for ko in [KoRule::Positional, KoRule::Situational] {
        for (width, height) in [(2, 2), (3, 2), (4, 2)] {
            let size = Size::new(width, height).unwrap();
            let rules = Rules { ko, ..Rules::default() };
            let game = Game::with_rules(size, rules, Komi::from_points(0.5).unwrap());
            let mut tree = Tree::new(64 << 20);
            search_with(&mut tree, &game, playouts(4000), 1);
            let lines = check_lines(&tree, tree.root_node(), &game);
            assert!(lines > 50, "{width}x{height}: {lines}");
        }
    }
}

#[test]
fn what_was_found_out_is_kept_for_the_next_move() {
    let mut game = Game::new(Size::square(9).unwrap());
    let mut tree = Tree::new(64 << 20);
    let first = search_with(&mut tree, &game, playouts(4000), 1);
    for _ in 0..2 {
        let report = search_with(&mut tree, &game, playouts(1), 1);
        let mv = report.best().unwrap().mv;
        game.play(ColoredMove { color: game.to_play(), mv }).unwrap();
    }
    let kept = search_with(&mut tree, &game, playouts(1), 1);
    let visits: u64 = kept.candidates.iter().map(|candidate| candidate.visits).sum();
    assert!(visits > 100 && visits < first.playouts, "{visits}");
    // The scores are those of all visits, not of the one playout more.
    let again = search_with(&mut tree, &game, playouts(1), 1);
    for kept in kept.candidates.iter().take(3) {
        let again = again.candidates.iter().find(|again| again.mv == kept.mv).unwrap();
        assert!((kept.score - again.score).abs() < 2.0, "{} {}", kept.score, again.score);
    }
    let scores: Vec<f64> = kept.candidates.iter().take(3).map(|c| c.score).collect();
    let differ = |a: f64, b: f64| (a - b).abs() > 1e-6;
    assert!(differ(scores[0], scores[1]) && differ(scores[1], scores[2]), "{scores:?}");
    // Another game begins afresh.
    let other = Game::new(Size::square(9).unwrap());
    let fresh = search_with(&mut tree, &other, playouts(10), 1);
    assert_eq!(fresh.candidates.iter().map(|c| c.visits).sum::<u64>(), 10);
}

#[test]
fn a_full_memory_ends_the_growth_and_not_the_search() {
    let game = Game::new(Size::square(19).unwrap());
    let mut tree = Tree::new(1);
    let report = search_with(&mut tree, &game, playouts(3000), 2);
    assert_eq!(report.playouts, 3000);
    assert!(tree.fullness() > 0.5 && tree.fullness() <= 1.0);
}

#[test]
fn time_and_stop_end_a_search() {
    let game = Game::new(Size::square(9).unwrap());
    let limits = Limits { time: Some(Duration::from_millis(30)), ..Limits::default() };
    let start = std::time::Instant::now();
    let report = search_with(&mut Tree::new(64 << 20), &game, limits, 2);
    assert!(start.elapsed() < Duration::from_millis(500), "{:?}", start.elapsed());
    assert!(report.playouts > 0);
}
