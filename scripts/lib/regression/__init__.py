"""What scripts/regress is made of, in the order of the flow.

    regress     the program
    suite       a .tst file becomes steps with expectations
    runner      an engine takes the steps; each test becomes a result
    position    the board that a test failed on, asked of the engine
    results     a run with all its results, in memory and as JSON
    compare     what changed since the last run, and where engines differ
    table       the report on a terminal
    page        the report as one HTML file
"""
