//! Tunables of informed playouts, one row each.
//!
//! Starting values are those of search.md 2.1 and 2.3, which collects what peers published; the
//! ledger of the games that changed them is scripts/strength.md.

crate::params! {
    /// How likely an informed playout follows each of its rules, in the order of the rules.
    pub struct PlayoutParams {
        #[doc = " Retaking a ko that was taken one move ago."]
        playout_ko = 0.4, 0.0..=1.0;
        #[doc = " Looking for chains in atari next to the last move."]
        playout_capture = 0.9, 0.0..=1.0;
        #[doc = " Not running with a chain in atari that the next atari catches all the same."]
        playout_ladder = 0.9, 0.0..=1.0;
        #[doc = " Looking for chains with two liberties next to the last move."]
        playout_atari = 0.9, 0.0..=1.0;
        #[doc = " Playing the vital point of a small eye space next to the last move."]
        playout_nakade = 0.8, 0.0..=1.0;
        #[doc = " Looking for 3x3 patterns around the last two moves."]
        playout_pattern = 1.0, 0.0..=1.0;
        #[doc = " Refusing a move that puts own stones in atari for nothing, however few."]
        playout_self_atari = 0.6, 0.0..=1.0;
        #[doc = " Refusing a self-atari of that many stones always, nakade shapes excepted."]
        playout_self_atari_stones = 4.0, 1.0..=400.0;
        #[doc = " Playing where a false eye is attacked instead of filling it."]
        playout_eye_fill = 0.6, 0.0..=1.0;
    }
}
