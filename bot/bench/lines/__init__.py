"""The lines of ``bourse bench``, by subject.

A line is a function in one of these modules (or in one of their own, where it brings its own tools), named in that
module's ``LINES``. A further module joins with one more line in `LINES` here.
"""

from bot.bench import postgres
from bot.bench.lines import length, peers, processes, settle, wire
from bot.bench.measure import Line

LINES: tuple[Line, ...] = (
    *settle.LINES,
    *length.LINES,
    *wire.LINES,
    *processes.LINES,
    *postgres.LINES,
    *peers.LINES,
)
"""Every line, in the order in which they are measured."""
