use super::*;

const SIZE: fn() -> Size = || Size::square(3).unwrap();

fn step(text: &str, visits: u64) -> Step {
    let mv = SIZE().parse_point(text).map_or(Move::Pass, Move::Play);
    Step { mv, visits }
}

fn candidate(steps: &[Step], visits: u64, win_rate: f64, score: f64) -> Candidate {
    Candidate {
        mv: steps[0].mv,
        visits,
        win_rate,
        score,
        score_deviation: 5.0,
        value: win_rate,
        prior: 0.25,
        variation: steps.to_vec(),
        ownership: None,
    }
}

/// White's search on 3x3: B2 well tried, a pass a little, A1 not at all.
fn report() -> Report {
    let mut sums = vec![0; crate::board::ARRAY_LEN];
    for (text, sum) in [("A3", 10), ("B2", -10), ("C1", -5)] {
        sums[SIZE().parse_point(text).unwrap().index()] = sum;
    }
    Report {
        color: Color::White,
        candidates: vec![
            candidate(&[step("B2", 90), step("A1", 40), step("pass", 3)], 90, 0.75, 1.5),
            candidate(&[step("pass", 10)], 10, 0.0, -9.0),
        ],
        untried: vec![candidate(&[step("A1", 0)], 0, 0.5, 0.0)],
        playouts: 80,
        was_stopped: false,
        root_win_rate: 0.5,
        score: 0.5,
        score_deviation: 4.0,
        ownership: Ownership::from_sums(&sums, 10),
    }
}

#[test]
fn lz_lines_have_whole_numbers_and_the_variation_last() {
    let view = View::new(SIZE(), Color::White);
    assert_eq!(
        lz(&report(), &view),
        "info move B2 visits 90 winrate 7500 prior 2500 lcb 6516 order 0 pv B2 A1 pass \
         info move pass visits 10 winrate 0 prior 2500 lcb 0 order 1 pv pass"
    );
    let most = View { moves_max: 1, ..view };
    assert!(!lz(&report(), &most).contains("move pass"));
    let least = View { moves_min: 3, ..view };
    assert!(
        lz(&report(), &least)
            .ends_with("move A1 visits 0 winrate 5000 prior 2500 lcb 0 order 2 pv A1")
    );
}

#[test]
fn the_other_side_sees_the_opposite() {
    let view = View::new(SIZE(), Color::Black);
    assert!(
        lz(&report(), &view).starts_with("info move B2 visits 90 winrate 2500 prior 2500 lcb 3484")
    );
    assert!(plain(&report(), &view).contains("winrate 10000 scoreLead 9.00"));
}

#[test]
fn kata_lines_have_what_was_asked_for() {
    let fields = Fields {
        root_info: true,
        ownership: true,
        ownership_deviation: true,
        variation_visits: true,
        ..Fields::default()
    };
    let view = View { moves_max: 1, fields, ..View::new(SIZE(), Color::White) };
    assert_eq!(
        kata(&report(), &view),
        "info move B2 visits 90 edgeVisits 90 utility 0.500000 winrate 0.750000 scoreMean 1.500 \
         scoreStdev 5.000 scoreLead 1.500 scoreSelfplay 1.500 prior 0.250000 lcb 0.651559 \
         utilityLcb 0.303118 weight 90 order 0 pv B2 A1 pass pvVisits 90 40 3 \
         rootInfo visits 100 utility 0.350000 winrate 0.675000 scoreMean 0.500 scoreStdev 4.000 \
         scoreLead 0.500 scoreSelfplay 0.500 weight 100 \
         ownership -1.0000 0.0000 0.0000 0.0000 1.0000 0.0000 0.0000 0.0000 0.5000 \
         ownershipStdev 0.0000 1.0000 1.0000 1.0000 0.0000 1.0000 1.0000 1.0000 0.8660"
    );
}

#[test]
fn a_certain_win_is_one_with_a_point() {
    let mut report = report();
    report.candidates[0].win_rate = 1.0 + 1e-9;
    let view = View::new(SIZE(), Color::White);
    assert!(kata(&report, &view).contains(" winrate 1.000000 "));
    assert_eq!(fixed(-0.0004, 3), "0.000");
    assert_eq!(fixed(f64::NAN, 3), "0.000");
}

#[test]
fn cgos_gets_json() {
    let object: Value = serde_json::from_str(&cgos(&report(), SIZE())).unwrap();
    assert_eq!(object["visits"], 100);
    assert_eq!(object["moves"][0]["pv"], "B2 A1 pass");
    assert_eq!(object["moves"][1]["move"], "pass");
    assert_eq!(object["ownership"], "Afff+fffv");
}

#[test]
fn the_summary_is_leela_zeros() {
    assert_eq!(
        lz_summary(&report(), SIZE())[0],
        "  B2 ->      90 (V: 75.00%) (LCB: 65.16%) (N: 25.00%) PV: B2 A1 pass"
    );
}

#[test]
fn graphics_name_points_only() {
    let lines = gfx(&report(), SIZE());
    assert_eq!(lines[0], "VAR w B2 b A1 w pass");
    assert_eq!(lines[1], "INFLUENCE B2 0.900");
    assert_eq!(lines[2], "TEXT white B2: 75.0 % of 100, score +1.5");
}
