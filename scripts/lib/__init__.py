"""What the programs in scripts/ share, from the bottom up; run `scripts/check.sh` for the tests.

    venv, program   how a program begins, with its packages, and how it ends
    files, log      results written whole; logs by which a killed program goes on
    pages, diagram  templates of HTML reports, and the boards in them
    gtp, cpu        a running engine, whatever it does, and what it costs
    clock, game     one game between two engines; `plan`: the games of a match
    series          work done piece by piece, several at a time; `cluster`: on several machines
    selfplay        the program scripts/selfplay
    arrows          the checker behind scripts/check-arrows.sh
    testing         what several tests need, with `fake_engine`

Packages of their own have `matches`, `regression` and `tuning`.
"""
