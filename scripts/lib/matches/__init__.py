"""What scripts/match is made of, in the order of the flow; single games are lib/game.py's matter.

    options     the command line becomes a match; `openings` reads a file of them
    match       the program: plays what is not played yet, and reports
    log         finished games on disk, from which a killed match goes on
    records     games as SGF files
    tally       what the games of two engines say about them: `elo` with intervals, `sprt`
    standings   where the whole match stands
    report      the results as text, JSON and Markdown; `strength` makes a row of scripts/strength.md
    page        the results as one HTML file, with the plots of `plots`
"""
