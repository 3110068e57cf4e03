//! A neural network, and a playout beside it.

use std::sync::Arc;

use super::cache::{EvaluationCache, Judged, Key};
use super::playouts::Playouts;
use super::{Evaluation, Evaluator, Leaf, value};
use crate::board::{Color, ColoredMove, Heavy, Move, Point, Size, Suicide};
use crate::net::{self, Extractor, Position, Workspace};
use crate::rng::Rng;
use crate::search::node::PriorMove;
use crate::search::ownership::{JudgedOwners, OWNED, OwnerSums};
use crate::search::params::TreeParams;
use crate::search::tree::Task;

pub use crate::net::Network;

/// The largest lead that is believed, in points.
const LEAD_MAX: f32 = 2000.0;

/// Judges every new position by a network, whose value is mixed with the result of a playout. The
/// playouts tell who owns the points.
#[derive(Debug)]
pub(in crate::search) struct Networked<'a> {
    network: &'a Network,
    cache: &'a EvaluationCache,
    params: &'a TreeParams,
    playouts: Playouts<'a>,
    /// The position at the root.
    root: Position,
    extractor: Extractor,
    workspace: Workspace,
    owners: JudgedOwners,
    /// What the network said of the leaf whose moves were listed last.
    judged: Option<Arc<Judged>>,
}

impl<'a> Networked<'a> {
    pub(in crate::search) fn new(
        task: &Task<'a>,
        network: &'a Network,
        cache: &'a EvaluationCache,
        rng: Rng,
    ) -> Self {
        let root = &task.root;
        Self {
            network,
            cache,
            params: &task.params.tree,
            playouts: Playouts::new(task, rng),
            root: Position::new(root.game, root.color, root.komi_hundredths),
            extractor: Extractor::default(),
            workspace: Workspace::default(),
            owners: JudgedOwners::new(task.params.tree.net_playouts),
            judged: None,
        }
    }

    /// What the network says of a leaf, now or before.
    fn judge<const S: usize, const L: usize, const W: usize>(
        &mut self,
        leaf: &Leaf<'_, S, L, W>,
    ) -> Arc<Judged> {
        let key = Key {
            stones: leaf.board.hash(),
            is_black_to_play: leaf.to_play == Color::Black,
            ko: leaf.board.ko(),
            pass_ends: leaf.last_two().0 == 0,
            komi_hundredths: self.root.komi_hundredths,
        };
        // The history of the root may forbid more there than elsewhere.
        let is_root = leaf.moves.is_empty();
        if let Some(judged) = self.cache.get(&key).filter(|_| !is_root) {
            return judged;
        }
        let judged = Arc::new(self.ask(leaf));
        if !is_root {
            self.cache.insert(key, Arc::clone(&judged));
        }
        judged
    }

    /// What the network says of a leaf.
    fn ask<const S: usize, const L: usize, const W: usize>(
        &mut self,
        leaf: &Leaf<'_, S, L, W>,
    ) -> Judged {
        let features = [self.extractor.features(&self.position(leaf.moves))];
        let size = self.root.size();
        let said = self.network.evaluate(&features, size, &mut self.workspace).swap_remove(0);
        let mut moves = vec![PriorMove { point: 0, visits: 1.0, value: said.pass }];
        for (point, &logit) in size.iter_from_top().zip(&said.policy) {
            let p = point.index();
            let is_open = leaf.board.is_empty(p) && leaf.board.is_legal(leaf.to_play, p);
            if is_open && !leaf.board.is_eyelike(leaf.to_play, p) {
                moves.push(PriorMove { point: p, visits: 1.0, value: logit });
            }
        }
        for mv in &mut moves {
            mv.value = finite(mv.value, f32::MIN);
        }
        softmax(&mut moves);
        moves.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.point.cmp(&b.point)));
        let sign = OWNED * leaf.to_play.sign() as f32;
        let owners = said.ownership.iter().map(|owner| (sign * owner) as i8).collect();
        let evaluation = judgement(&said, leaf.to_play, size, self.params);
        Judged { moves: moves.into(), owners, evaluation }
    }

    /// The position after some moves from the root. Repetitions but those by ko are legal in it: the
    /// tree looks after them.
    fn position(&self, moves: &[u16]) -> Position {
        if moves.is_empty() {
            return self.root.clone();
        }
        let mut position = self.root.clone();
        let mut color = position.to_play;
        for (turn, &point) in moves.iter().enumerate() {
            let mv = move_of(point.into());
            let is_shown_later = moves.len() - turn < position.boards.len();
            if is_shown_later {
                position.boards.rotate_right(1);
                position.boards[0] = position.boards[1].clone();
            }
            position.boards[0].apply(ColoredMove { color, mv });
            color = !color;
        }
        let latest = moves.iter().rev().map(|&point| move_of(point.into()));
        position.moves = latest.chain(position.moves).take(net::TURNS).collect();
        position.pass_ends = position.moves.first() == Some(&Move::Pass);
        position.to_play = color;
        let board = &position.boards[0];
        let ko = board.ko_point();
        position.repeats = ko.into_iter().collect();
        let is_legal = |&p: &Point| Some(p) != ko && board.is_legal(p, color, Suicide::None);
        position.legal = board.empty_points().filter(is_legal).collect();
        position
    }
}

fn finite(number: f32, otherwise: f32) -> f32 {
    if number.is_finite() { number } else { otherwise }
}

/// Black's value and score of what a network says for a side.
fn judgement(
    evaluation: &net::Evaluation,
    to_play: Color,
    size: Size,
    params: &TreeParams,
) -> Evaluation {
    // Weights that are finite may still add up to what is no number.
    let win = finite(evaluation.win_probability(), 0.5);
    let lead = finite(evaluation.lead, 0.0).clamp(-LEAD_MAX, LEAD_MAX);
    let (win, score) = match to_play {
        Color::Black => (win, lead),
        Color::White => (1.0 - win, -lead),
    };
    let value = value(win, score, size.points(), params.net_score);
    Evaluation { value, score, is_counted: false }
}

impl<const S: usize, const L: usize, const W: usize> Evaluator<S, L, W> for Networked<'_> {
    const IS_EAGER: bool = true;

    fn priors(&mut self, leaf: &Leaf<'_, S, L, W>, moves: &mut Vec<PriorMove>) {
        let judged = self.judge(leaf);
        moves.extend_from_slice(&judged.moves);
        self.judged = Some(judged);
    }

    fn evaluate(&mut self, leaf: &mut Leaf<'_, S, L, W>) -> Evaluation {
        let judged = self.judged.take().unwrap_or_else(|| self.judge(leaf));
        self.owners.add(self.root.size().iter_from_top().zip(judged.owners.iter().copied()));
        let judged = judged.evaluation;
        if !self.playouts.chance(self.params.net_playout_share) {
            return judged;
        }
        let weight = self.params.net_playouts;
        let played = self.playouts.evaluate(leaf);
        let value = (1.0 - weight) * judged.value + weight * played.value;
        Evaluation { value, is_counted: true, ..judged }
    }

    fn count(&mut self, board: &Heavy<S, L, W>) -> Evaluation {
        self.playouts.count(board)
    }

    fn owners(&self) -> OwnerSums {
        Evaluator::<S, L, W>::owners(&self.playouts).with_judged(&self.owners)
    }
}

/// Turns logits into probabilities.
fn softmax(moves: &mut [PriorMove]) {
    let most = moves.iter().map(|mv| mv.value).fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for mv in &mut *moves {
        mv.value = (mv.value - most).exp();
        sum += mv.value;
    }
    for mv in moves {
        mv.value /= sum;
    }
}

fn move_of(point: usize) -> Move {
    if point == 0 { Move::Pass } else { Move::Play(Point::from_index(point)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::net::{Arithmetic, Features, Kernel, testing};
    use crate::search::params::SearchParams;
    use crate::search::{Limits, Report, Restrictions, Root, StopFlag, Tree};

    fn network() -> Network {
        Network::new(&testing::model(3, 8), Arithmetic::Real, Kernel::Plain)
    }

    fn root(game: &Game) -> Root<'_> {
        let komi_hundredths = game.komi().hundredths();
        Root { game, color: game.to_play(), komi_hundredths, bias_hundredths: 0, seed: 1 }
    }

    /// Runs with the task of a game that a network searches.
    fn with_task<T>(game: &Game, network: &Network, f: impl FnOnce(&Task<'_>) -> T) -> T {
        let (restrictions, params) = (Restrictions::default(), SearchParams::default());
        let limits = Limits { playouts: Some(60), ..Limits::default() };
        let (goal, network) = (None, Some(network));
        let root = root(game);
        let restrictions = &restrictions;
        f(&Task { root, restrictions, limits, params: &params, goal, network })
    }

    fn play(game: &mut Game, moves: &str) -> Vec<u16> {
        let size = game.size();
        let mut indices = Vec::new();
        for vertex in moves.split(' ') {
            let mv = size.parse_point(vertex).map_or(Move::Pass, Move::Play);
            game.play(ColoredMove { color: game.to_play(), mv }).expect("a legal move");
            indices.push(if let Move::Play(point) = mv { point.index() as u16 } else { 0 });
        }
        indices
    }

    #[test]
    fn a_leaf_tells_the_network_what_the_game_would() {
        // A ko is taken and taken back twice, with passes between. The end of a game is never asked for.
        let moves = "C4 D4 B3 E3 C2 D2 D3 C3 A1 pass D3 G7 pass C3 G6 pass";
        let network = network();
        for split in 0..15 {
            let (head, tail) =
                moves.split_at(moves.match_indices(' ').nth(split).map_or(2, |(i, _)| i));
            let mut game = Game::new(Size::square(7).expect("a size"));
            play(&mut game, head);
            with_task(&game.clone(), &network, |task| {
                let cache = EvaluationCache::new(0);
                let networked = Networked::new(task, &network, &cache, Rng::new(1));
                let mut path = Vec::new();
                for vertex in tail.split_whitespace() {
                    path.extend(play(&mut game, vertex));
                    let expected = Position::new(&game, game.to_play(), game.komi().hundredths());
                    let found = networked.position(&path);
                    assert_eq!(Features::new(&found), Features::new(&expected), "{head}, {path:?}");
                    assert_eq!(found.legal, expected.legal, "{head}, {path:?}");
                }
            });
        }
    }

    fn search(game: &Game) -> Report {
        let network = network();
        with_task(game, &network, |task| {
            Tree::new(1 << 20).search_alone(task, &StopFlag::default())
        })
    }

    #[test]
    fn without_a_budget_the_root_is_judged() {
        let (game, network) = (Game::new(Size::square(7).expect("a size")), network());
        let mut report = with_task(&game, &network, |task| {
            let task = Task { limits: Limits::default(), ..*task };
            Tree::new(1 << 20).search_alone(&task, &StopFlag::default())
        });
        assert_eq!((report.playouts, report.candidates.len()), (1, 0));
        let likeliest = report.untried[0].clone();
        report.promote(likeliest.mv);
        let best = report.best().expect("a move");
        assert_eq!((best.mv, best.visits, best.prior), (likeliest.mv, 1, likeliest.prior));
        assert!((best.win_rate - report.win_rate()).abs() < 1e-9 && report.score.abs() > 0.0);
    }

    #[test]
    fn a_search_repeats_and_its_priors_are_probabilities() {
        let mut game = Game::new(Size::square(7).expect("a size"));
        play(&mut game, "C3 E5 D4");
        let report = search(&game);
        assert_eq!(report.candidates, search(&game).candidates);
        let all = report.candidates.iter().chain(&report.untried);
        let sum: f64 = all.map(|candidate| candidate.prior).sum();
        assert!((sum - 1.0).abs() < 0.01, "{sum}");
        assert_eq!(report.visits(), report.playouts - 1, "the first playout judges the root");
    }
}
