"""From files and formulas to verdicts: plugins, routes, searches, replay, and the command line."""
