"""The checker behind scripts/check-arrows.sh: reads the table on stdin, walks a source folder.

It looks at paths that begin with `crate::`, in `use` items (nested groups included) and in
expressions, and leaves comments, strings and `super::` alone: paths to another module are
written from the crate's root here. Code under `#[cfg(test)]`, and a file `tests.rs`, may also
use what the row allows for tests.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

EXEMPT = ("lib.rs", "main.rs")
# A lifetime is no character literal, so that one asks for its closing quote.
OPAQUE = re.compile(r'//[^\n]*|/\*.*?\*/|r(#*)".*?"\1|"(?:\\.|[^"\\])*"|\'(?:\\.[^\']*|[^\\\'])\'',
                    re.DOTALL)
TEST_ITEM = re.compile(r"#\[cfg\((?:all\()?test\b[^\]]*\]")
TOKEN = re.compile(r"::|[{},*]|\w+|\S")


@dataclass
class Row:
    """What a module may use, in all its code and in its tests."""

    allowed: list[str] = field(default_factory=list)
    in_tests: list[str] = field(default_factory=list)


def parse_table(text: str) -> dict[str, Row]:
    """The rows by module (or file) name."""
    table: dict[str, Row] = {}
    for line in filter(str.strip, text.splitlines()):
        name, _, rest = line.partition(":")
        allowed, _, in_tests = rest.partition(";")
        table[name.strip()] = Row(allowed.split(), in_tests.split())
    return table


def blank_opaque(source: str) -> str:
    """The source with comments, strings and characters blanked out, its lines kept."""
    return OPAQUE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)


def test_ranges(code: str) -> list[range]:
    """Where the items under `#[cfg(test)]` stand."""
    ranges = []
    for match in TEST_ITEM.finditer(code):
        end, depth = match.end(), 0
        while end < len(code):
            depth += (code[end] in "{[(") - (code[end] in "}])")
            end += 1
            if depth == 0 and code[end - 1] in "};":
                break
        ranges.append(range(match.start(), end))
    return ranges


def crate_paths(code: str) -> Iterator[tuple[int, str]]:
    """Position and full path, without `crate::`, of everything named from the root."""
    for match in re.finditer(r"\bcrate::", code):
        yield from _expand(TOKEN.finditer(code, match.end()), "", match.start())


def _expand(tokens: Iterator[re.Match], prefix: str, start: int) -> Iterator[tuple[int, str]]:
    """Follow one path; at `{` follow each of its branches, which may have groups of their own."""
    path, position = prefix, start
    for token in tokens:
        text = token[0]
        if text == "{":
            yield from _group(tokens, path)
            return
        if text == "::":
            path += "::"
        elif (text.isidentifier() or text == "*") and (path == "" or path.endswith("::")):
            path += text
        else:
            break
    if path:
        yield position, path.removesuffix("::")  # of a turbofish


def _group(tokens: Iterator[re.Match], prefix: str) -> Iterator[tuple[int, str]]:
    path, position, renamed = prefix, 0, False
    for token in tokens:
        text = token[0]
        if text == "{":
            yield from _group(tokens, path)
            path = ""
        elif text in (",", "}"):
            if path not in ("", prefix):
                yield position, path
            if text == "}":
                return
            path, renamed = prefix, False
        elif text == "as":
            renamed = True
        elif not renamed:
            position = token.start()
            path = path.removesuffix("::") if text == "self" else path + text


def allows(patterns: list[str], path: str) -> bool:
    """Whether a pattern covers the path or something above it."""
    parts = path.split("::")
    heads = ["::".join(parts[: count + 1]) for count in range(len(parts))]
    return any(fnmatchcase(head, pattern) for head in heads for pattern in patterns)


def check_file(source: str, name: str, table: dict[str, Row]) -> Iterator[str]:
    """One line of complaint for each forbidden path in the file `name` (relative to src)."""
    module = name.split("/")[0].removesuffix(".rs")
    if module not in table:
        yield f"{name}: no row for module `{module}` in scripts/check-arrows.sh"
        return
    rows = [table[module], table.get(name, Row())]
    allowed = [module] + [pattern for row in rows for pattern in row.allowed]
    in_tests = [pattern for row in rows for pattern in row.in_tests]
    code = blank_opaque(source)
    tests = test_ranges(code)
    test_file = name.endswith("/tests.rs")
    for position, path in crate_paths(code):
        is_test = test_file or any(position in one for one in tests)
        if not allows(allowed + in_tests if is_test else allowed, path):
            line = code.count("\n", 0, position) + 1
            yield f"{name}:{line}: `{module}` may not use `crate::{path}`"


def main() -> int:
    root = Path(sys.argv[1])
    table = parse_table(sys.stdin.read())
    complaints = []
    for path in sorted(root.rglob("*.rs")):
        name = path.relative_to(root).as_posix()
        if name not in EXEMPT:
            complaints += check_file(path.read_text(encoding="utf-8"), name, table)
    for complaint in complaints:
        print(f"{root}/{complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
