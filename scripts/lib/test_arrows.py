"""The checker of module dependencies."""

import unittest

from lib.arrows import check_file, parse_table

TABLE = parse_table("""
board: ; rng
rules: board::*Color
game: board rules
search: game
search/evaluator.rs: net
config: search::*[Pp]arams*
cli: *
""")


class Arrows(unittest.TestCase):
    """One row per case: file, source, the forbidden paths."""

    ROWS = [
        ("game/mod.rs", "use crate::board::Board;", []),
        ("game/mod.rs", "use crate::game::history;", []),
        ("game/mod.rs", "use crate::search;", ["search"]),
        ("game.rs", "fn f() { crate::search::run::<u8>(1) }", ["search::run"]),
        ("game/mod.rs", "use crate::{board::{self, Color as C}, gtp::{args, line::{A, B as X}}};",
         ["gtp::args", "gtp::line::A", "gtp::line::B"]),
        ("game/mod.rs", "pub(in crate::game) fn f() {}\nuse crate::sgf::*;", ["sgf::*"]),
        ("game/mod.rs", "/// [crate::gtp]\n// crate::gtp\n/* crate::gtp */ const S: &str = \"crate::gtp\";", []),
        ("game/mod.rs", "fn f<'a>(x: &'a str) { let c = '\"'; } use crate::gtp; const Q: char = '\\'';", ["gtp"]),
        ("rules.rs", "use crate::board::Color; use crate::board::color::Color;", []),
        ("rules.rs", "use crate::board::Board;", ["board::Board"]),
        ("search/tree.rs", "use crate::net::Net;", ["net::Net"]),
        ("search/evaluator.rs", "use crate::net::Net;", []),
        ("config.rs", "use crate::search::params::SearchParams; use crate::search::Params;", []),
        ("config.rs", "use crate::search::run;", ["search::run"]),
        ("cli.rs", "use crate::anything;", []),
        ("board/mod.rs", "use crate::rng;\n#[cfg(test)]\nmod tests { use crate::rng; }", ["rng"]),
        ("board/mod.rs", "#[cfg(test)]\nmod tests { fn f() {} use crate::game; }", ["game"]),
        ("board/mod.rs", "#[cfg(test)]\nfn f(x: [u8; 3]) { crate::rng::new(x) }", []),
        ("board/mod.rs", "#[cfg(all(test, unix))]\nuse crate::rng::Rng;\nuse crate::rng;", ["rng"]),
        ("board/tests.rs", "use crate::rng;", []),
    ]

    def test_rows(self):
        for name, source, forbidden in self.ROWS:
            with self.subTest(source=source):
                found = [line.split("`crate::")[1].rstrip("`") for line in check_file(source, name, TABLE)]
                self.assertEqual(found, forbidden)

    def test_line_numbers(self):
        complaint = next(check_file("// one\n\nuse crate::{\n  board,\n  gtp,\n};", "game/mod.rs", TABLE))
        self.assertIn("game/mod.rs:5:", complaint)

    def test_module_without_row(self):
        self.assertIn("no row", next(check_file("", "novel.rs", TABLE)))


if __name__ == "__main__":
    unittest.main()
