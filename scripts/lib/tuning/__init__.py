"""What scripts/tune is made of.

    tune        the program
    parameters  what is tuned: names, starts, steps and ranges, asked of the engine
    spsa        the optimizer; knows nothing of games
    duel        the seam to the games of scripts/match: two sets of values play pairs of games
    journal     the state file: what happened so far, appended to, so that a killed run goes on
    plot        the values over the iterations
"""
