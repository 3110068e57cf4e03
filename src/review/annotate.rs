//! A review in the tree of a file, as Sabaki and other editors show it.

use super::{Judgement, Review, Turn, Verdict};
use crate::board::Size;
use crate::sgf::Tree;

/// Marks of a move, of which a node may have one (FF\[4\], move annotation).
const MARKS: [&str; 4] = ["BM", "DO", "IT", "TE"];

/// Writes what the engine thinks into the tree that the places of the review come from: win rate and
/// score of each position for Sabaki's graph (`SBKV`, `SBKS`: Black's, in percent and points) and as a
/// comment; a mark for bad and doubtful moves that have none; for the `most` worst of them what would
/// have been better, as a comment and a variation. All that the tree has stays.
pub fn annotate(tree: &mut Tree, review: &Review, most: usize) {
    let Some(size) = review.size() else { return };
    let mut positions = review.positions().peekable();
    while let Some((node, judgement)) = positions.next() {
        // A bad file has a node with two moves, which is about the last position.
        let is_last = positions.peek().is_none_or(|(next, _)| *next != node);
        if let Some(node) = tree.node_mut(node).filter(|_| is_last) {
            node.set("SBKV", &format!("{:.2}", 100.0 * judgement.black_wins));
            node.set("SBKS", &format!("{:.2}", judgement.black_lead));
            node.add_comment(&position_text(judgement));
        }
    }
    for turn in review.turns() {
        mark(tree, &turn);
    }
    for turn in review.mistakes(most) {
        show_better(tree, &turn, size);
    }
}

/// Win rate and score.
fn position_text(judgement: &Judgement) -> String {
    let Judgement { black_wins, black_lead, visits, .. } = judgement;
    let percent = 100.0 * black_wins;
    if *visits == 0 {
        return format!("keima: counted as {}", lead(*black_lead));
    }
    format!("keima: Black wins {percent:.1} %, {} ({visits} visits)", lead(*black_lead))
}

/// A lead as results are written: `B+3.5`.
pub(super) fn lead(black_lead: f64) -> String {
    let side = if black_lead < 0.0 { 'W' } else { 'B' };
    format!("{side}+{:.1}", black_lead.abs())
}

fn mark(tree: &mut Tree, turn: &Turn<'_>) {
    let name = match turn.verdict() {
        Verdict::Good => return,
        Verdict::Doubtful => "DO",
        Verdict::Bad => "BM",
    };
    let Some(node) = tree.node_mut(turn.node) else { return };
    if MARKS.iter().all(|mark| node.value(mark).is_none()) {
        // A double value for BM, none for DO.
        node.set(name, if name == "BM" { "1" } else { "" });
    }
}

fn show_better(tree: &mut Tree, turn: &Turn<'_>, size: Size) {
    let Some(best) = turn.before.variation.first() else { return };
    let text = format!(
        "Loses {:.1} % and {:.1} points. Better is {}.",
        100.0 * turn.win_rate_loss().max(0.0),
        turn.points_lost().max(0.0),
        size.move_text(best.mv),
    );
    if let Some(node) = tree.node_mut(turn.node) {
        node.add_comment(&text);
    }
    if turn.node == turn.node_before {
        // No node shows the position before the move.
        return;
    }
    let moves = turn.before.variation.iter().copied();
    let first = tree.add_variation(turn.node_before, moves, size);
    if let Some(node) = first.and_then(|first| tree.node_mut(first)) {
        node.add_comment(&position_text(turn.before));
    }
}
