use super::*;
use crate::board::{ColoredMove, Size};
use crate::game::Start;
use crate::rules::{Komi, Removal, Rules, preset};

fn engine(playouts: u64) -> Engine {
    let config =
        Config { seed: Some(1), playouts: Some(playouts), threads: 2, ..Config::default() };
    Engine::new(config).unwrap()
}

fn game(diagram: &str, to_play: Color) -> Game {
    let board = Board::from_diagram(diagram).unwrap();
    Game::from_start(Start { board, to_play, handicap: 0 }, Rules::CHINESE, Komi::default())
}

fn decide(engine: &mut Engine, game: &Game) -> Decision {
    let limits = engine.limits(None);
    engine.genmove(game, Request::new(game.to_play(), limits)).0
}

fn point(game: &Game, vertex: &str) -> Point {
    game.size().parse_point(vertex).unwrap()
}

/// Black lives on the left and White on the right, everything is settled.
const SETTLED: &str = "
    . X X O .
    X X O O O
    . X O . O
    X X O O O
    . X X O .";

#[test]
fn a_settled_game_is_passed_out() {
    let mut game = game(SETTLED, Color::Black);
    let mut engine = engine(2000);
    // Black has 12 points, White 13: whoever is ahead, there is nothing left to play.
    for _ in 0..2 {
        assert_eq!(decide(&mut engine, &game), Decision::Move(Move::Pass));
        game.play(ColoredMove { color: game.to_play(), mv: Move::Pass }).unwrap();
    }
    assert!(game.is_over());
    assert_eq!(engine.final_score(&game).to_string(), "W+1.0");
}

#[test]
fn a_change_of_tunables_forgets_the_tree() {
    let game = game(". . . . ./. . . . ./. . O . ./. . . . ./. . . . .", Color::Black);
    let mut engine = engine(500);
    let fresh = engine.tree.fullness();
    decide(&mut engine, &game);
    let grown = engine.tree.fullness();
    assert!(grown > fresh);
    let mut config = engine.config().clone();
    config.playouts = Some(600);
    engine.configure(config.clone()).unwrap();
    assert!((engine.tree.fullness() - grown).abs() < 1e-9, "a budget says nothing of the tree");
    config.params.set("rave_free", 0.5).unwrap();
    config.threads = 1;
    engine.configure(config.clone()).unwrap();
    assert!((engine.tree.fullness() - fresh).abs() < 1e-9);
    assert_eq!((engine.config(), engine.threads()), (&config, 1));
}

#[test]
fn a_hopeless_game_is_resigned_unless_forbidden() {
    let mut lost = game(". . . . ./. . . . ./. . O . ./. . . . ./. . . . .", Color::Black);
    lost.set_komi(Komi::from_points(100.0).unwrap());
    let mut color = Color::Black;
    // Passes make the game long enough; the stones stay as they are.
    for _ in 0..8 {
        lost.play(ColoredMove { color, mv: Move::Pass }).unwrap();
        color = !color;
    }
    let mut engine = engine(3000);
    // The first bad search may have erred.
    assert_ne!(decide(&mut engine, &lost), Decision::Resign);
    assert_ne!(decide(&mut engine, &lost), Decision::Resign, "the same turn again");
    for color in [Color::Black, Color::White] {
        lost.play(ColoredMove { color, mv: Move::Pass }).unwrap();
    }
    let (decision, report) = {
        let limits = engine.limits(None);
        engine.genmove(&lost, Request::new(Color::Black, limits))
    };
    assert!(report.best().unwrap().win_rate < 0.01);
    assert_eq!(decision, Decision::Resign);
    for color in [Color::Black, Color::White] {
        lost.play(ColoredMove { color, mv: Move::Pass }).unwrap();
    }
    engine.config_mut().allow_resign = false;
    assert_ne!(decide(&mut engine, &lost), Decision::Resign, "the third hopeless search");
    engine.config_mut().allow_resign = true;
    engine.config_mut().resign_after = 5;
    for expects_resign in [false, true] {
        for color in [Color::Black, Color::White] {
            lost.play(ColoredMove { color, mv: Move::Pass }).unwrap();
        }
        assert_eq!(decide(&mut engine, &lost) == Decision::Resign, expects_resign);
    }
}

#[test]
fn dead_stones_are_found_and_passes_change_nothing() {
    let mut game = game(
        "
        . . X . O . .
        . . X . O . .
        . O X . O . .
        . . X . O . X
        . . X . O . .
        . . X . O . .
        . . X . O . .",
        Color::Black,
    );
    let mut engine = engine(100);
    let dead: Vec<Point> = engine.final_status(&game).dead().iter().collect();
    assert_eq!(dead, [point(&game, "G4"), point(&game, "B5")]);
    let score = engine.final_score(&game);
    assert_eq!(score.to_string(), "0");
    for color in [Color::Black, Color::White] {
        game.play(ColoredMove { color, mv: Move::Pass }).unwrap();
        assert_eq!(engine.final_status(&game).dead().iter().collect::<Vec<_>>(), dead);
        assert_eq!(engine.final_score(&game), score);
    }
    game.set_rules(preset("tromp-taylor").unwrap().rules);
    assert_eq!(game.rules().removal, Removal::None);
    assert!(engine.final_status(&game).dead().is_empty());
    assert_eq!(engine.dead_estimate(&game, None).len(), 2);
}

/// Black alone can start the fight in the corner, at any time and for a ko that he takes first: White
/// is dead, by rule under Japanese rules, and under the others because Black may remove all threats
/// before he starts.
#[test]
fn bent_four_in_the_corner_is_dead() {
    let mut game = game(
        "
        . X . X . X .
        X X X X X X X
        X X X . . . .
        O O X . . . .
        . O X X . . .
        X O O O X . .
        X X . O X . .",
        Color::Black,
    );
    let mut engine = engine(100);
    for rules in ["japanese", "korean", "chinese"] {
        game.set_rules(preset(rules).unwrap().rules);
        let status = engine.final_status(&game);
        let dead: Vec<Point> = status.dead().iter().collect();
        let white: Vec<Point> =
            game.board().stones().filter(|&(_, c)| c == Color::White).map(|(p, _)| p).collect();
        assert_eq!(dead, white, "{rules}");
    }
}

#[test]
fn cleaning_up_takes_dead_stones_then_passes() {
    let mut game = game(
        "
        . . . X O . .
        . X . X O . O
        . . . X O O O
        X X X X O . O
        . O . X O O O
        . . . X O . .
        X X X X O O .",
        Color::Black,
    );
    let mut engine = engine(300);
    assert_eq!(engine.dead_estimate(&game, None).iter().collect::<Vec<_>>(), [point(&game, "B3")]);
    let mut moves = 0;
    while game.board().stone(point(&game, "B3")) == Some(Color::White) {
        let limits = engine.limits(None);
        let mv = engine.genmove_cleanup(&game, Color::Black, limits);
        assert_ne!(mv, Move::Pass);
        if let Move::Play(point) = mv {
            assert!(!game.board().is_eyelike(point, Color::Black));
        }
        game.play(ColoredMove { color: Color::Black, mv }).unwrap();
        moves += 1;
        assert!(moves < 8, "it takes four moves at most to capture one stone");
    }
    let limits = engine.limits(None);
    assert_eq!(engine.genmove_cleanup(&game, Color::Black, limits), Move::Pass);
}

#[test]
fn budgets_follow_flags_and_clock() {
    let second = Duration::from_secs(1);
    let clock = Some(Allotment { usual: second, max: 2 * second, cap: 4 * second });
    for (playouts, per_move, clock, expected) in [
        (None, None, None, (None, Some(5 * second), None)),
        (None, None, clock, (None, Some(second), Some(2 * second))),
        (Some(9), None, None, (Some(9), None, None)),
        (Some(9), None, clock, (Some(9), Some(4 * second), None)),
        (None, Some(5 * second), clock, (None, Some(4 * second), None)),
        (None, Some(3 * second), None, (None, Some(3 * second), None)),
    ] {
        let config = Config { playouts, time_per_move: per_move, ..Config::default() };
        let limits = Engine::new(config).unwrap().limits(clock);
        let Limits { playouts, time, time_max, .. } = limits;
        assert_eq!((playouts, time, time_max), expected);
    }
}

#[test]
fn a_budget_in_visits_counts_those_of_earlier_searches() {
    let mut engine = engine(300);
    engine.config_mut().visits = Some(1000);
    let game = Game::new(Size::square(9).unwrap());
    let request = || Request::new(Color::Black, Limits { visits: Some(1000), ..Limits::default() });
    assert_eq!(engine.limits(None), Limits { playouts: Some(300), ..request().limits });
    let (_, first) = engine.best_move(&game, Request::new(Color::Black, engine.limits(None)));
    let (_, second) = engine.best_move(&game, request());
    assert!(first.playouts > 50 && second.playouts <= 1000 - first.playouts);
    // A tree that is forgotten before the search does not count.
    for _ in 0..3 {
        let (mv, report) = engine.best_move_by_seed(&game, request(), 7);
        assert!(report.playouts > 300, "{} playouts for {mv:?}", report.playouts);
    }
}

#[test]
fn without_any_time_a_move_is_still_a_likely_one() {
    let game = Game::new(Size::square(9).unwrap());
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let mut engine = engine(1);
    for seed in 0..6 {
        let request = Request::new(Color::Black, limits);
        let (mv, report) = engine.best_move_by_seed(&game, request, seed);
        // The clock is not looked at before each of them.
        assert!((1..=16).contains(&report.playouts));
        let all = report.candidates.iter().chain(&report.untried);
        let likeliest = all.map(|candidate| candidate.prior).fold(0.0, f64::max);
        let chosen = report.best().unwrap();
        assert_eq!(chosen.mv, mv);
        assert!(chosen.prior > 0.3 * likeliest, "{} of {likeliest}", chosen.prior);
    }
}

#[test]
fn a_majority_of_what_cannot_be_taken_is_a_sure_win() {
    let board = ". X . X .
                 X X X X X
                 . . . . .
                 O O O O O
                 . O . O .";
    let mut game = game(board, Color::Black);
    let engine = engine(1);
    game.set_komi(Komi::from_points(-6.0).unwrap());
    // Black has 10 points for sure and 6 more; the other 15 could be White's.
    assert!(engine.is_won_for_sure(&game, Color::Black));
    assert!(!engine.is_won_for_sure(&game, Color::White));
    game.set_komi(Komi::from_points(-5.0).unwrap());
    assert!(!engine.is_won_for_sure(&game, Color::Black), "a draw is no win");
    game.set_komi(Komi::from_points(5.5).unwrap());
    assert!(engine.is_won_for_sure(&game, Color::White));
    game.set_rules(preset("aga-button").unwrap().rules);
    assert!(!engine.is_won_for_sure(&game, Color::White), "the button may be Black's");
    game.set_rules(preset("japanese").unwrap().rules);
    game.set_komi(Komi::from_points(50.0).unwrap());
    assert!(!engine.is_won_for_sure(&game, Color::White), "territory can be filled up");
}

#[test]
fn a_move_without_time_is_no_pass() {
    let mut engine = Engine::new(Config { threads: 1, ..Config::default() }).unwrap();
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    for side in [9, 25] {
        let game = Game::new(Size::square(side).unwrap());
        let (decision, _) = engine.genmove(&game, Request::new(Color::Black, limits));
        assert!(matches!(decision, Decision::Move(Move::Play(_))), "{side}");
    }
}

#[test]
fn a_short_search_does_not_pass_in_the_opening() {
    for playouts in [50, 200, 500] {
        let mut game = Game::new(Size::square(9).unwrap());
        let center = Move::Play(point(&game, "E5"));
        game.play(ColoredMove { color: Color::Black, mv: center }).unwrap();
        assert_ne!(decide(&mut engine(playouts), &game), Decision::Move(Move::Pass), "{playouts}");
    }
}

#[test]
fn a_stop_ends_a_search_early() {
    let mut engine = Engine::new(Config { threads: 1, ..Config::default() }).unwrap();
    let game = Game::new(Size::square(9).unwrap());
    let stop = engine.stop_flag();
    let stopper = std::thread::spawn(move || {
        while !stop.stop_after(Duration::from_millis(20)) {
            std::thread::yield_now();
        }
    });
    let start = std::time::Instant::now();
    let limits = engine.limits(None);
    let (decision, _) = engine.genmove(&game, Request::new(Color::Black, limits));
    stopper.join().unwrap();
    assert!(matches!(decision, Decision::Move(Move::Play(_))));
    assert!(start.elapsed() < Duration::from_secs(3), "five seconds were allowed");
}

#[test]
fn pondering_ends_for_input_and_its_tree_is_used() {
    let mut engine = engine(300);
    let mut game = Game::new(Size::square(9).unwrap());
    let Decision::Move(mv) = decide(&mut engine, &game) else { panic!("resigned") };
    game.play(ColoredMove { color: Color::Black, mv }).unwrap();
    let stop = engine.stop_flag();
    stop.announce();
    // Something waits already.
    engine.ponder(&game);
    stop.take_up();
    let announcer = {
        let stop = engine.stop_flag();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            stop.announce();
        })
    };
    let start = std::time::Instant::now();
    engine.ponder(&game);
    announcer.join().unwrap();
    assert!(start.elapsed() < Duration::from_secs(5), "it ends before its minute is over");
    stop.take_up();
    let visits = |report: &Report| report.candidates.iter().map(|c| c.visits).sum::<u64>();
    let limits = Limits { playouts: Some(1), ..Limits::default() };
    let (_, report) = engine.genmove(&game, Request::new(Color::White, limits));
    assert!(visits(&report) > 500, "{} visits", visits(&report));
    game.play(ColoredMove { color: Color::White, mv: report.best().unwrap().mv }).unwrap();
    let (_, report) = engine.genmove(&game, Request::new(Color::Black, limits));
    assert!(visits(&report) > 50, "{} visits", visits(&report));
}

#[test]
fn handicap_and_territory_shift_the_komi_of_the_search() {
    let mut game = Game::new(Size::square(19).unwrap());
    assert_eq!(decide::dynamic_komi(&game), 0);
    let stones = crate::game::star_points(game.size(), 4, crate::rules::Placement::Fixed).unwrap();
    game.place_handicap(&stones).unwrap();
    assert_eq!(decide::dynamic_komi(&game), 2800);
    for i in 0..100 {
        let color = if i % 2 == 0 { Color::White } else { Color::Black };
        game.play(ColoredMove { color, mv: Move::Pass }).unwrap();
    }
    assert_eq!(decide::dynamic_komi(&game), 1400);
    assert_eq!(decide::territory_shift(&game, Color::White), 0, "area counts");
    game.set_rules(preset("japanese").unwrap().rules);
    assert_eq!(decide::territory_shift(&game, Color::White), 350);
    assert_eq!(decide::territory_shift(&game, Color::Black), 450);
}
