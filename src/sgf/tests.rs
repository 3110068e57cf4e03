use proptest::prelude::*;
use sgf_parse::go as oracle;

use super::*;
use crate::board::{Board, ByColor, ColoredMove, Move, Point, Size};
use crate::game::{Game, Start};
use crate::rules::{Komi, PRESETS, Rules};

const DEFAULTS: Defaults =
    Defaults { rules: Rules::CHINESE, rules_win: false, komi: Komi::from_hundredths(750) };

fn load(file: &[u8], stop: Stop) -> Result<Loaded, SgfError> {
    to_game(&Tree::parse(file)?, stop, &DEFAULTS)
}

/// Rows from the top, split by spaces.
fn diagram(game: &Game) -> String {
    game.board().to_diagram().replace('\n', " ")
}

#[test]
fn lenient_reading() {
    let corner = "X.. ... ..O";
    for (name, file, expected) in [
        ("plain", &b"(;SZ[3];B[aa];W[cc])"[..], corner),
        ("byte order mark", b"\xef\xbb\xbf(;SZ[3];B[aa];W[cc])", corner),
        ("mail", b"From: me (not you)\n\n  (;SZ[3];B[aa];W[cc])\nbye (;SZ[9])", corner),
        ("CR LF", b"(;GM[1]\r\nSZ[3]\r\n;B[aa]\r\n;W[cc]\r\n)\r\n", corner),
        ("white space", b" ( ; \n SZ [ 3] \t ; \n B \n [ aa ] ; W [cc] \n ) ", corner),
        ("long names", b"(;GaMe[1]SiZe[3];Black[aa];White[cc])", corner),
        ("small names", b"(;gm[1]sz[3];b[aa];w[cc])", corner),
        ("variations", b"(;SZ[3];B[aa](;W[cc](;N[end])(;B[bb]))(;W[bb];B[ba]))", corner),
        ("empty variation", b"(;SZ[3]();B[aa](;W[cc]))", corner),
        ("node behind a variation", b"(;SZ[3](;B[aa];W[cc]);B[bb])", corner),
        (
            "escapes",
            b"(;SZ[3]C[a \\] b \\\\ (;B[bb\\]) ; x]GN[\\\\];B[aa]C[;W[bb\\]];W[cc])",
            corner,
        ),
        (
            "no UTF-8",
            b"(;SZ[3]CA[ISO-8859-1]PB[M\xfcller]PW[\x82\xa0];B[aa]C[\xff\xfe];W[cc])",
            corner,
        ),
        ("unknown", b"(;SZ[3]XX[aa][bb]QQ[]K9[x]ZZZZ[1:2];B[aa]BL[12.5]TR[aa];W[cc]OW[3])", corner),
        ("empty passes", b"(;SZ[3];B[aa];W[];B[];W[cc])", corner),
        ("FF3 passes", b"(;SZ[3];B[aa];W[tt];B[tt];W[cc])", corner),
        ("moves in the root", b"(;SZ[3]B[aa];W[cc])", corner),
        ("two moves in a node", b"(;SZ[3];B[aa]W[cc])", corner),
        ("width and height", b"(;SZ[3:2];B[aa];W[cb])", "X.. ..O"),
        ("captures", b"(;SZ[3];W[aa];B[ba];W[cc];B[ab])", ".X. X.. ..O"),
        ("black twice", b"(;SZ[3];B[aa];B[bb])", "X.. .X. ..."),
        ("set-up", b"(;SZ[3]AB[aa][ba]\n[aa]AW[cc]PL[W])", "XX. ... ..O"),
        ("rectangles", b"(;SZ[3]AB[aa:bb]AW[cc:bc])", "XX. XX. .OO"),
        ("set-up in mid-game", b"(;SZ[3];B[aa];W[bb];AE[bb]AB[bc]AW[aa];W[cc])", "O.. ... .XO"),
        ("set-up beside a move", b"(;SZ[3];W[aa]AB[cc]AW[])", "O.. ... ..X"),
        ("no capture by set-up", b"(;SZ[3]AB[aa:ba]AW[ab:bb];AB[ca])", "XXX OO. ..."),
    ] {
        let loaded = load(file, Stop::End).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(diagram(&loaded.game), expected, "{name}");
    }
    assert_eq!(load(b"(;GM[1])", Stop::End).unwrap().game.size(), Size::square(19).unwrap());
}

#[test]
fn where_to_stop() {
    let file = b"(;SZ[3]AB[aa];W[bb];AW[ca];B[];W[cc](;B[ba];AE[cc])(;B[bc]))";
    let vertex = |text| Stop::BeforeVertex(Vertex::parse(text).unwrap());
    let (black, white) = (Color::Black, Color::White);
    let end = "XXO .O. ...";
    for (stop, expected, to_play, undoable) in [
        (Stop::BeforeMove(0), "X.. ... ...", white, 0),
        (Stop::BeforeMove(1), "X.. ... ...", white, 0),
        (Stop::BeforeMove(2), "X.O .O. ...", black, 0),
        (Stop::BeforeMove(3), "X.O .O. ...", white, 1),
        (Stop::BeforeMove(4), "X.O .O. ..O", black, 2),
        (Stop::BeforeMove(5), end, white, 0),
        (Stop::BeforeMove(usize::MAX), end, white, 0),
        (Stop::End, end, white, 0),
        (vertex("C1"), "X.O .O. ...", white, 1),
        (vertex("B3"), "X.O .O. ..O", black, 2),
        (vertex("A3"), end, white, 0),
        (vertex("Z25"), end, white, 0),
    ] {
        let Loaded { game, to_play: next, .. } = load(file, stop).unwrap();
        assert_eq!(diagram(&game), expected, "{stop:?}");
        assert_eq!((next, game.turns().len()), (to_play, undoable), "{stop:?}");
        assert_eq!(game.to_play(), to_play, "{stop:?}");
    }
    // Nothing behind the stop is looked at.
    assert!(load(b"(;SZ[3];B[aa];W[zz])", Stop::BeforeMove(2)).is_ok());
}

#[test]
fn handicap_and_side_to_move() {
    let (black, white) = (Color::Black, Color::White);
    for (file, handicap, to_play) in [
        (&b"(;SZ[5])"[..], 0, black),
        (b"(;SZ[5]HA[2]AB[bb][dd])", 2, white),
        (b"(;SZ[5]HA[2];AB[bb][dd])", 2, white),
        (b"(;SZ[5]HA[5]AB[bb])", 5, white),
        (b"(;SZ[2]HA[5]AB[aa])", 5, white),
        (b"(;SZ[5]HA[2]AB[bb][dd]PL[B])", 2, black),
        (b"(;SZ[5]PL[B]HA[2];AB[bb][dd])", 2, black),
        (b"(;SZ[5]HA[2]AB[bb][dd];W[cc];AE[cc])", 2, black),
        (b"(;SZ[5]HA[2])", 0, black),
        (b"(;SZ[5]HA[2]AW[bb])", 0, black),
        (b"(;SZ[5]HA[2];B[bb];AB[dd])", 0, white),
        (b"(;SZ[5]HA[1]AB[bb])", 0, black),
        (b"(;SZ[5]HA[626]AB[bb])", 0, black),
        (b"(;SZ[5]HA[-2]AB[bb])", 0, black),
        (b"(;SZ[5]AB[bb][dd])", 0, black),
        (b"(;SZ[5]AB[bb][dd]PL[white])", 0, white),
        (b"(;SZ[5];B[bb])", 0, white),
        (b"(;SZ[5];B[bb];PL[B])", 0, black),
        (b"(;SZ[5];W[bb])", 0, black),
    ] {
        let game = load(file, Stop::End).unwrap().game;
        let name = String::from_utf8_lossy(file);
        assert_eq!((game.start().handicap, game.to_play()), (handicap, to_play), "{name}");
    }
    for (file, start, next) in [
        (&b"(;SZ[5]HA[2]AB[bb][dd];B[cc])"[..], black, black),
        (b"(;SZ[5]AB[bb][dd];W[cc])", white, white),
        (b"(;SZ[5]PL[W];B[cc])", white, black),
    ] {
        let loaded = load(file, Stop::BeforeMove(1)).unwrap();
        let name = String::from_utf8_lossy(file);
        assert_eq!((loaded.game.to_play(), loaded.to_play), (start, next), "{name}");
    }
    let broken_order = load(b"(;SZ[5];B[bb];B[cc])", Stop::BeforeMove(2)).unwrap();
    assert_eq!((broken_order.game.to_play(), broken_order.to_play), (white, black));
}

#[test]
fn komi_and_rules() {
    for (file, komi, rules) in [
        (&b"(;SZ[5]KM[5.5])"[..], 550, "unstated"),
        (b"(;SZ[5]KM[6,25]RU[Japanese])", 625, "japanese"),
        (b"(;SZ[5]KM[-3]RU[NZ])", -300, "new-zealand"),
        (b"(;SZ[5]KM[1e9]RU[GOE])", 1_000_000, "ing"),
        (b"(;SZ[5]KM[nan]RU[ ])", 750, "unstated"),
        (b"(;SZ[5]KM[375]RU[Chinese])", 750, "chinese"),
        (b"(;SZ[5]KM[650]RU[Japanese])", 650, "japanese"),
        (b"(;SZ[5]KM[250])", 25_000, "unstated"),
        (b"(;SZ[5]KM[]RU[Foo \\] rules])", 750, "unknown Foo ] rules"),
        (b"(;SZ[5];KM[0]RU[aga];B[aa]KM[1])", 0, "aga"),
    ] {
        let loaded = load(file, Stop::End).unwrap();
        let (name, expected) = match &loaded.file_rules {
            FileRules::Unstated => ("unstated".to_owned(), DEFAULTS.rules),
            FileRules::Known(preset) => (preset.name.to_owned(), preset.rules),
            FileRules::Unknown(name) => (format!("unknown {name}"), DEFAULTS.rules),
        };
        assert_eq!((name.as_str(), loaded.game.komi().hundredths()), (rules, komi));
        assert_eq!(*loaded.game.rules(), expected);
    }
    let tree = Tree::parse(b"(;SZ[5]RU[Japanese])").unwrap();
    let loaded = to_game(&tree, Stop::End, &Defaults { rules_win: true, ..DEFAULTS }).unwrap();
    assert_eq!(*loaded.game.rules(), DEFAULTS.rules);
    assert!(matches!(loaded.file_rules, FileRules::Known(preset) if preset.name == "japanese"));
}

#[test]
fn refusals() {
    for (name, file, expected) in [
        ("empty", &b""[..], "there is no game tree in the file"),
        ("text", b"hello (world)", "there is no game tree in the file"),
        ("open", b"(;SZ[9](;B[aa])\n", "the file ends inside its game tree"),
        ("open value", b"(;SZ[9]\n\n;B[aa", "line 3: unreadable"),
        ("no value", b"(;SZ[9];B;W[aa])", "line 1: unreadable"),
        ("stray character", b"(;SZ[9]\n%;B[aa])", "line 2: unreadable"),
        ("no node", b"(;SZ[9](B[aa]))", "property B stands outside of a node"),
        ("chess", b"(;GM[3])", "game number 3 is not Go"),
        ("size 0", b"(;SZ[0])", "unsupported board size \"0\""),
        ("size 26", b"(;SZ[26])", "unsupported board size \"26\""),
        ("huge size", b"(;SZ[999999999])", "unsupported board size \"999999999\""),
        ("off the board", b"(;SZ[9];B[ss])", "B[ss] is no point of the board"),
        ("a capital", b"(;SZ[9];B[AA])", "B[AA] is no point of the board"),
        ("set-up off the board", b"(;SZ[9]AB[aa:jj])", "AB[aa:jj] is no point of the board"),
        ("occupied", b"(;SZ[9];B[aa];W[aa])", "move 2, white A9: the point is occupied"),
        ("suicide", b"(;SZ[3]AB[ba][ab];W[aa])", "move 1, white A3: suicide"),
        ("suicide of one", b"(;SZ[3]RU[NZ]AB[ba][ab];W[aa])", "move 1, white A3: suicide"),
        (
            "ko",
            b"(;SZ[5]AB[ba][ab][bc]AW[bb][ca][db][cc];B[cb];W[bb])",
            "move 2, white B4: ko: it restores the position before the last move",
        ),
        (
            "no liberty",
            b"(;SZ[3];B[cc];AW[aa]AB[ba][ab])",
            "the stones set up before move 2 hold a chain without liberties",
        ),
    ] {
        let error = load(file, Stop::End).expect_err(name);
        assert_eq!(error.to_string(), expected, "{name}");
    }
}

#[test]
fn rules_of_the_file_decide_on_suicide_and_superko_repeats_pass() {
    let suicide = b"(;SZ[3]RU[NZ]AW[aa]AB[ca][bb][ab];W[ba])";
    assert_eq!(diagram(&load(suicide, Stop::End).unwrap().game), "..X XX. ...");
    let mut game = load(b"(;SZ[2:1];B[aa];W[ba];B[];W[];B[aa])", Stop::End).unwrap().game;
    assert_eq!(diagram(&game), "X.");
    let repeat = game.undo().unwrap().colored_move;
    assert_eq!(game.play(repeat), Err(IllegalMove::Superko));
}

#[test]
fn nesting_has_no_limit() {
    const DEPTH: usize = 100_000;
    let file = format!("(;SZ[9]{}{}", "(;C[x]".repeat(DEPTH), ")".repeat(DEPTH + 1));
    let tree = Tree::parse(file.as_bytes()).unwrap();
    assert_eq!((tree.node_count(), tree.main_line().count()), (DEPTH + 1, DEPTH + 1));
    assert!(to_game(&tree, Stop::End, &DEFAULTS).is_ok());
    let open = "(;C[x]".repeat(DEPTH);
    assert_eq!(Tree::parse(open.as_bytes()), Err(SgfError::Truncated));
}

#[test]
fn a_truncated_file_is_broken_wherever_it_ends() {
    let file = b"(;GM[1]FF[4]SZ[9]KM[5.5];B[cc];W[gg](;B[gc]C[a\\]b])(;W[cg];B[ee]))";
    assert!(Tree::parse(file).is_ok());
    for end in 0..file.len() {
        assert!(Tree::parse(&file[..end]).is_err(), "{end}");
    }
}

#[test]
fn nodes_know_their_neighbors() {
    let tree = Tree::parse(b"(;N[a];N[b](;N[c])(;N[d];N[e]))").unwrap();
    let name = |index: usize| tree.node(index).and_then(|node| node.text("N"));
    let [b] = tree.root().children() else { panic!("one child") };
    let children: Vec<_> = tree.node(*b).unwrap().children().iter().map(|&i| name(i)).collect();
    assert_eq!(children, [Some("c".to_owned()), Some("d".to_owned())]);
    assert_eq!(tree.node(*b).unwrap().parent(), Some(0));
    assert_eq!((tree.root().parent(), tree.node(5)), (None, None));
}

#[test]
fn written_text() {
    let board = Board::from_diagram(".X... / ..... / ...X. / O....").unwrap();
    let start = Start { board, to_play: Color::White, handicap: 2 };
    let rules = crate::rules::preset("aga").unwrap().rules;
    let mut game = Game::from_start(start, rules, Komi::from_hundredths(50));
    let point = game.size().parse_point("C3").unwrap();
    for (color, mv) in [(Color::White, Move::Play(point)), (Color::Black, Move::Pass)] {
        game.play(ColoredMove { color, mv }).unwrap();
    }
    let info = GameInfo {
        application: "keima".to_owned(),
        version: "1.2".to_owned(),
        names: ByColor { black: Some("a]\nb".to_owned()), white: None },
        date: Some("2024-02-29".to_owned()),
        result: Some("W+0.5".to_owned()),
        ..GameInfo::default()
    };
    let expected = "(;FF[4]GM[1]CA[UTF-8]AP[keima:1.2]SZ[5:4]KM[0.5]RU[AGA]PB[a\\] b]\n\
        DT[2024-02-29]RE[W+0.5]HA[2]AB[ba][dc]AW[ad]PL[W]\n\
        ;W[cb];B[])";
    assert_eq!(to_text(&game, &info), expected);
    let tree = Tree::parse(expected.as_bytes()).unwrap();
    assert_eq!(tree.root().text("PB").as_deref(), Some("a] b"));
    assert_eq!(to_game(&tree, Stop::End, &DEFAULTS).unwrap().game, game);
}

#[test]
fn properties_and_comments() {
    let mut game = Game::new(Size::square(3).unwrap());
    for color in [Color::Black, Color::White] {
        game.play(ColoredMove { color, mv: Move::Pass }).unwrap();
    }
    let given = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let info = GameInfo {
        version: "1".to_owned(),
        properties: vec![given("EV", "[x]"), given("KM", "1"), given("EV", "a:b")],
        comments: [(2, "two\nlines ]".to_owned()), (3, "no such turn".to_owned())].into(),
        ..GameInfo::default()
    };
    let text = to_text(&game, &info);
    assert_eq!(
        text,
        "(;FF[4]GM[1]CA[UTF-8]AP[keima:1]SZ[3]KM[1]RU[Chinese]EV[a\\:b]\n;B[];W[]C[two\nlines \\]])"
    );
    let tree = Tree::parse(text.as_bytes()).unwrap();
    let comment = tree.main_line().last().and_then(|node| node.text("C"));
    assert_eq!(comment.as_deref(), Some("two\nlines ]"));
}

/// A game from random numbers: stones, handicap, turns in and out of order, passes.
fn random_game() -> impl Strategy<Value = Game> {
    let size = (1..=25usize, 1..=25usize).prop_filter_map("a size", |(w, h)| Size::new(w, h));
    let stones = prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..12);
    let turns = prop::collection::vec((any::<prop::sample::Index>(), 0..20u8), 0..150);
    let rest = (0..PRESETS.len(), -2000..2000i32, 0..6usize, any::<bool>());
    (size, stones, turns, rest).prop_map(
        |(size, stones, turns, (rules, komi, handicap, is_white))| {
            let color = |is_white| if is_white { Color::White } else { Color::Black };
            let points: Vec<Point> = size.iter().collect();
            let mut board = Board::new(size);
            for (index, is_white) in stones {
                let extra = (*index.get(&points), color(is_white));
                let stones: Vec<_> = board.stones().chain([extra]).collect();
                board = Board::with_stones(size, stones).unwrap_or(board);
            }
            let has_black = board.stones().any(|(_, color)| color == Color::Black);
            let can_count = has_black && (2..size.points()).contains(&handicap);
            let handicap = if can_count { handicap } else { 0 };
            let start = Start { board, to_play: color(is_white), handicap };
            let mut game =
                Game::from_start(start, PRESETS[rules].rules, Komi::from_hundredths(komi));
            for (index, kind) in turns {
                let color = if kind == 0 { !game.to_play() } else { game.to_play() };
                let mv = if kind == 1 { Move::Pass } else { Move::Play(*index.get(&points)) };
                // Illegal ones are left out.
                let _ = game.play_leniently(ColoredMove { color, mv });
            }
            game
        },
    )
}

/// The moves that another reader finds on the main line.
fn oracle_moves(text: &str, size: Size) -> Vec<ColoredMove> {
    let root = oracle::parse(text).unwrap().remove(0);
    let convert = |mv: oracle::Move| match mv {
        oracle::Move::Pass => Move::Pass,
        oracle::Move::Move(oracle::Point { x, y }) => {
            let row = size.height() - 1 - usize::from(y);
            Move::Play(size.point(x.into(), row).unwrap())
        }
    };
    let moves = root.main_variation().filter_map(|node| match node.get_move()? {
        oracle::Prop::B(mv) => Some(ColoredMove { color: Color::Black, mv: convert(*mv) }),
        oracle::Prop::W(mv) => Some(ColoredMove { color: Color::White, mv: convert(*mv) }),
        _ => None,
    });
    moves.collect()
}

/// Whatever the bytes are: a value or an error.
fn read_anyhow(bytes: &[u8]) {
    let Ok(tree) = Tree::parse(bytes) else { return };
    let vertex = Vertex::parse("B2").unwrap();
    for stop in [Stop::End, Stop::BeforeMove(2), Stop::BeforeVertex(vertex)] {
        if let Ok(loaded) = to_game(&tree, stop, &DEFAULTS) {
            loaded.game.board().check();
        }
    }
    for index in 0..tree.node_count() {
        let node = tree.node(index).unwrap();
        for property in node.properties() {
            node.text(property.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_written_game_is_read_back(game in random_game()) {
        let text = to_text(&game, &GameInfo::default());
        prop_assert!(text.lines().all(|line| !line.is_empty() && line.len() <= 80), "{text}");
        let tree = Tree::parse(text.as_bytes()).unwrap();
        let loaded = to_game(&tree, Stop::End, &DEFAULTS).unwrap();
        prop_assert_eq!(&loaded.game, &game);
        prop_assert_eq!(loaded.to_play, game.to_play());
        let moves: Vec<_> = game.turns().iter().map(|turn| turn.colored_move).collect();
        prop_assert_eq!(oracle_moves(&text, game.size()), moves);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
        read_anyhow(&bytes);
        read_anyhow(&[b"(;", bytes.as_slice(), b"])"].concat());
    }

    #[test]
    fn any_likely_text_is_read_or_refused(
        body in r"(;|\(;|\)|(B|W|AB|AW|AE|PL|HA|SZ|KM|RU)\[[a-d]{0,2}(:[a-d]{2})?\]|[\[\]\\:0-9 ]){0,60}",
    ) {
        read_anyhow(format!("(;SZ[4]{body})").as_bytes());
    }
}

#[test]
fn places_are_the_positions_before_moves_and_the_end() {
    let tree = |file: &[u8]| Tree::parse(file).unwrap();
    let at = |file: &[u8]| {
        let mut found = Vec::new();
        visit(&tree(file), &DEFAULTS, |game, place| {
            let played = place.played.map(|(_, node)| node);
            found.push((place.node, diagram(game), place.to_play, played));
            true
        })
        .unwrap();
        assert_eq!(places(&tree(file), &DEFAULTS).unwrap().len(), found.len());
        found
    };
    let (black, white) = (Color::Black, Color::White);
    let place = |node, diagram: &str, color, played| (node, diagram.to_owned(), color, played);
    // A variation takes indexes between those of the main line; a comment is no position of its own.
    assert_eq!(
        at(b"(;SZ[3];C[hello](;B[aa](;W[bb];C[end])(;W[cc]))(;B[cc]))"),
        [
            place(1, "... ... ...", black, Some(2)),
            place(2, "X.. ... ...", white, Some(3)),
            place(4, "X.. .O. ...", black, None),
        ]
    );
    // Two moves in one node; a set-up between moves; the wrong side to move.
    assert_eq!(
        at(b"(;SZ[3]B[aa]W[bb];AB[cc];W[ca])"),
        [
            place(0, "... ... ...", black, Some(0)),
            place(0, "X.. ... ...", white, Some(0)),
            place(0, "X.. .O. ...", black, None),
            place(1, "X.. .O. ..X", white, Some(2)),
            place(2, "X.O .O. ..X", black, None),
        ]
    );
    // No node shows the position between a set-up and the move beside it.
    assert_eq!(
        at(b"(;SZ[3];B[aa];AE[aa]W[bb])"),
        [
            place(0, "... ... ...", black, Some(1)),
            place(1, "X.. ... ...", white, None),
            place(2, "... ... ...", white, Some(2)),
            place(2, "... .O. ...", black, None),
        ]
    );
    assert_eq!(at(b"(;SZ[2])"), [place(0, ".. ..", black, None)]);
    let error = places(&tree(b"(;SZ[3];B[aa];W[aa])"), &DEFAULTS).map(|_| ());
    assert_eq!(error, load(b"(;SZ[3];B[aa];W[aa])", Stop::End).map(|_| ()));
    assert!(error.is_err());
}
