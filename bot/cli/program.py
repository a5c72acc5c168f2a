"""The program: parses a command line, runs the command and returns the exit code."""

from __future__ import annotations

import logging
import os
import signal
import sys
from contextlib import suppress
from io import TextIOWrapper

from bot import logs
from bot.cli.commands import bot, end_on_signals
from bot.cli.parser import RunCommand, parser
from bot.errors import OperatorError, TryAgain
from bot.settings import load

log = logging.getLogger("bourse")

EXIT_OK, EXIT_ERROR, EXIT_AGAIN = 0, 2, 75
"""Exit codes. Commands return 1 for a negative result, such as a failed play or a broken chain. 75
is what sysexits.h calls a temporary failure: a service manager starts the bot again. After 2 that
would help nobody.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run a command line, by default the process's own, and return the exit code.

    Errors are reported in sentences; a traceback appears only with BOURSE_LOG=debug.
    """
    # a table may be called "Friday 🎲", and the terminal or pipe may not be UTF-8
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        options = parser().parse_args(arguments)
    except BrokenPipeError:  # of the help: argparse of 3.11.2 lets it through
        return _unread()
    command: RunCommand = options.run
    try:
        settings = load()
        logs.configure(settings.bourse_log, settings.bourse_log_format, settings.secrets())
        return command(settings, options)
    except OperatorError as error:
        _complain(str(error))
        if isinstance(error, TryAgain):
            return EXIT_AGAIN
    except KeyboardInterrupt:
        return EXIT_OK
    except BrokenPipeError:
        return _unread()
    except OSError as error:
        log.debug("the command failed", exc_info=True)
        where = f"{error.filename}: " if error.filename is not None else ""
        _complain(f"{where}{error.strerror or error}.")
    except Exception as error:
        if isinstance(error.__cause__, SystemExit | KeyboardInterrupt):
            # a signal arrived while a class was being created: Python 3.11 wraps the exception
            return EXIT_OK
        log.debug("the command failed", exc_info=True)
        lines = str(error).strip().splitlines()
        detail = f" ({lines[0].rstrip('.')})" if lines else ""
        _complain(
            f"Something unexpected failed{detail}. "
            "Please report it with what you typed; BOURSE_LOG=debug before it shows where it "
            "happened."
        )
    if options.stay and command is bot:
        _complain(
            "I wait until you stop me: starting me again does not help before that is mended."
        )
        end_on_signals()
        with suppress(KeyboardInterrupt):
            signal.pause()
    return EXIT_ERROR


def _unread() -> int:
    """Discard what is still in the buffer at exit: its reader has closed the pipe, as `head`
    does.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_OK


def _complain(text: str) -> None:
    """Write each line of the text to standard error, prefixed with ``bourse:``."""
    sys.stderr.write("".join(f"bourse: {line}\n" for line in text.splitlines()))
