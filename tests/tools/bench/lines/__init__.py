"""The lines of ``make bench``, by subject.

A line is a function in one of these modules (or in one of their own, where it brings its own
tools), named in that module's ``LINES``. A further module joins with one more line in `LINES` here.
"""

from tests.tools.bench import postgres
from tests.tools.bench.lines import length, processes, settle, views, wire
from tests.tools.bench.measure import Line

LINES: tuple[Line, ...] = (
    *settle.LINES,
    *length.LINES,
    *wire.LINES,
    *processes.LINES,
    *postgres.LINES,
    *views.LINES,
)
"""Every line, in the order in which they are measured."""
