use super::*;
use crate::board::Move;
use crate::config::Config;
use crate::rules::Rules;
use crate::sgf::places;

const GAME: &[u8] = b"(;SZ[5];B[cc];W[bb]TE[1];B[cb])";

fn defaults() -> Defaults {
    let rules = Rules::default();
    Defaults { rules, rules_win: false, komi: rules.komi }
}

fn review(tree: &Tree, judgements: Vec<Judgement>) -> Review {
    Review { places: places(tree, &defaults()).unwrap(), judgements }
}

/// A judgement whose best move is a play on this point.
fn judgement(black_wins: f64, black_lead: f64, best: (Color, &str)) -> Judgement {
    let mv = Move::Play(Size::square(5).unwrap().parse_point(best.1).unwrap());
    let variation = vec![ColoredMove { color: best.0, mv }];
    Judgement { black_wins, black_lead, visits: 100, variation }
}

/// Black plays the best move, White throws the game away, Black loses a little.
fn judgements() -> Vec<Judgement> {
    vec![
        judgement(0.6, 2.0, (Color::Black, "C3")),
        judgement(0.5, 0.0, (Color::White, "C2")),
        judgement(0.9, 15.0, (Color::Black, "B3")),
        judgement(0.88, 5.0, (Color::White, "D4")),
    ]
}

#[test]
fn losses_are_those_of_the_mover() {
    let review = review(&Tree::parse(GAME).unwrap(), judgements());
    let turns: Vec<_> = review.turns().collect();
    let verdicts: Vec<_> = turns.iter().map(Turn::verdict).collect();
    assert_eq!(verdicts, [Verdict::Good, Verdict::Bad, Verdict::Doubtful]);
    // As the engine's, whatever the searches say.
    assert!(turns[0].is_best() && turns[0].loss() <= 0.0 && turns[0].points_lost() > 1.9);
    let about = |a: f64, b: f64| (a - b).abs() < 1e-9;
    assert!(about(turns[1].win_rate_loss(), 0.4) && about(turns[1].points_lost(), 15.0));
    assert!(about(turns[1].loss(), 0.55) && about(turns[2].loss(), 0.12));
    let numbers = |most| review.mistakes(most).iter().map(|turn| turn.number).collect::<Vec<_>>();
    assert_eq!((numbers(9), numbers(1)), (vec![2, 3], vec![2]));
    let black = review.summary(Color::Black);
    assert_eq!((black.moves, black.best, black.doubtful, black.bad), (2, 1, 1, 0));
    assert!(about(black.points_lost, 10.0));
}

#[test]
fn annotations_keep_the_tree_and_mark_mistakes_once() {
    let mut tree = Tree::parse(GAME).unwrap();
    let review = review(&tree, judgements());
    annotate(&mut tree, &review, 9);
    let value = |node: usize, name| tree.node(node).unwrap().text(name);
    assert_eq!(value(0, "SBKV").as_deref(), Some("60.00"));
    assert_eq!(value(3, "SBKS").as_deref(), Some("5.00"));
    assert_eq!(value(3, "DO").as_deref(), Some(""));
    // The file's own mark stays alone.
    assert_eq!((value(2, "TE").as_deref(), value(2, "BM")), (Some("1"), None));
    let comment = value(2, "C").unwrap();
    assert_eq!(
        comment,
        "keima: Black wins 90.0 %, B+15.0 (100 visits)\n\n\
         Loses 40.0 % and 15.0 points. Better is C2."
    );
    // Below the position before the move, behind the move.
    assert_eq!(tree.node(1).unwrap().children(), [2, 4]);
    assert_eq!(value(4, "W").as_deref(), Some("cd"));
    assert_eq!(tree.main_line_indexes().collect::<Vec<_>>(), [0, 1, 2, 3]);
}

#[test]
fn charts_are_drawn_of_any_review() {
    let tree = Tree::parse(GAME).unwrap();
    for judged in 0..=4 {
        let judgements = judgements()[..judged].to_vec();
        let svg = chart(&review(&tree, judgements), "A & B <C>").unwrap();
        assert!(svg.contains("A &amp; B &lt;C&gt;") && !svg.contains("NaN"), "{svg}");
        // In both panels.
        assert_eq!(svg.matches("<circle").count(), 2 * judged.saturating_sub(2));
    }
}

#[test]
fn a_set_up_is_nobodys_move() {
    let tree = Tree::parse(b"(;SZ[5];B[cc];AE[cc]AB[aa];W[bb])").unwrap();
    let mut judgements = judgements();
    judgements.push(judgement(0.1, -9.0, (Color::Black, "D4")));
    let review = review(&tree, judgements);
    let turns: Vec<_> =
        review.turns().map(|turn| (turn.number, turn.position, turn.node)).collect();
    assert_eq!(turns, [(1, 1, 1), (2, 3, 3)]);
}

#[test]
fn a_finished_game_is_counted() {
    let config = Config { threads: 1, ..Config::default() };
    let mut engine = Engine::new(config).unwrap();
    let limits = Limits { playouts: Some(20), ..Limits::default() };
    // Ten points each, and komi.
    let file = b"(;SZ[5]KM[-20.5]AB[ba:be]AW[da:de];B[];W[])";
    let tree = Tree::parse(file).unwrap();
    let stop = AtomicBool::new(false);
    let mut seen = Vec::new();
    let see = |judged, all| seen.push((judged, all));
    let review = Review::of_game((&tree, &defaults()), &mut engine, limits, &stop, see).unwrap();
    assert_eq!(seen, [(1, 3), (2, 3), (3, 3)]);
    let (node, end) = review.positions().last().unwrap();
    assert_eq!((node, end.visits), (2, 0));
    assert!((end.black_wins, end.black_lead) == (1.0, 20.5), "{end:?}");
    // Whoever is asked to stop keeps what there is.
    stop.store(true, Ordering::Relaxed);
    let none =
        Review::of_game((&tree, &defaults()), &mut engine, limits, &stop, |_, _| ()).unwrap();
    assert_eq!((none.positions().count(), none.places()), (0, 3));
}
