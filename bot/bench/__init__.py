"""Benchmarks: each line is a ratio of two figures that are measured in turns on the machine at hand.

A tool at the top, as the rehearsal is: nothing imports it but the command line. `lines` holds the lines, by
subject, one function each; `workload` is the only module here that knows a game.
"""
