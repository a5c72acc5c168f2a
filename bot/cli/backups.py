"""Copies of a ledger in a SQLite file: ``bourse backup`` makes and verifies one, ``bourse restore``
puts it back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bot import private
from bot.cli.maintenance import verify_ledger
from bot.cli.output import Echo, Tell, silent
from bot.errors import OperatorError
from bot.ledger import (
    KeySource,
    LedgerError,
    copied,
    database_file,
    heads_in,
    held_alone,
    is_current_file,
    key_source,
    lacks_log,
    mark_put_back,
    require_whole,
)
from bot.service import PostedHead, read_head

log = logging.getLogger(__name__)


def back_up(url: str, target: Path, key: KeySource, echo: Echo, *, tell: Tell = silent) -> int:
    """Copy the ledger into a file, verify the copy, and write its tables' heads beside it. Return
    the exit code.

    The code is 1 if the copy has a fault: the ledger then has it too. Such a copy is kept, but no
    heads are written.

    Raises `OperatorError` when there is no ledger, it is on PostgreSQL, its key is missing, or the
    file exists already or can't be written. No file is left then.
    """
    kept = key_source(url, key)
    beside = heads_file(target)
    try:
        require_whole(url)
        with copied(url, target, lambda done, total: tell("pages", done, total)) as part:
            current, faults = is_current_file(part), list[str]()
            if current:
                faults = _faults(part, (), kept, tell)
            if not faults:
                _write_heads(part, target, beside)
    except LedgerError as error:
        raise OperatorError(str(error)) from error
    for line in faults:
        echo(line)
    if faults:
        echo(
            f"{target} is a copy of the ledger, and the ledger has what is listed above. Keep your "
            "earlier copies."
        )
        return 1
    checked = "a verified copy" if current else "a copy"
    echo(f"{target} is {checked} of the ledger. The heads of its tables are in {beside}.")
    if not current:
        echo(
            "An older Bourse wrote the ledger, so only its pages are checked. bourse upgrades it "
            "at its next start; "
            "bourse verify checks the rest then."
        )
    where = "in BOURSE_KEY" if isinstance(kept, str) else f"in {kept}"
    echo(f"The key is not in the copy: it is {where}. Keep the two apart.")
    return 0


def restore(url: str, backup: Path, key: KeySource, echo: Echo, *, tell: Tell = silent) -> int:
    """Put a copy in the ledger's place after verifying it, and move the ledger aside. Return the
    exit code.

    The code is 1, and nothing is changed, if the copy has a fault or lacks a head of the file
    beside it.

    Raises `OperatorError` when the ledger is in use or on PostgreSQL, the copy is not a ledger, or
    the key is missing.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    try:
        target = database_file(url)
        if not backup.exists():
            raise OperatorError(f"There is no file {backup}. Name a copy that bourse backup wrote.")
        replaced = target.with_name(f"{target.name}.replaced-{stamp}")
        there, is_cut = target.exists(), lacks_log(backup)
        heads = read_heads(heads_file(backup)) if heads_file(backup).exists() else []
        with (
            held_alone(url),
            copied(
                str(backup), target, lambda done, total: tell("pages", done, total), aside=replaced
            ) as part,
        ):
            if faults := _faults(part, heads, key_source(url, key), tell):
                raise _Faulty(faults)
        marked = _marked(target)
    except _Faulty as error:
        for line in error.faults:
            echo(line)
        echo(
            f"{backup} was changed after it was written, or is damaged. Nothing was restored; try "
            "an earlier copy."
        )
        return 1
    except LedgerError as error:
        raise OperatorError(str(error)) from error
    echo(f"{target} is now as in {backup}{', and fits its heads' if heads else ''}.")
    if marked:
        echo("At its next start the bot tells each open table up to when its record reaches.")
    if is_cut:
        echo(f"{backup} was copied without its log: what was recorded last is not in it.")
    if there:
        echo(
            f"What was there before is {replaced}. Delete it when you no longer need it: every "
            "hand is in it."
        )
    echo(
        "Whoever was forgotten after that copy was made is in it again, and so are tables removed "
        "since. "
        "bourse forget and bourse tables remove take them out."
    )
    return 0


def _marked(target: Path) -> bool:
    """Leave the mark that the ledger was put back. Return whether it is there."""
    try:
        mark_put_back(target)
    except (OSError, LedgerError) as error:
        log.warning("the tables will not be told that the ledger was put back: %s", error)
        return False
    return True


class _Faulty(Exception):
    """A copy is not what this bot wrote."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = faults


def _faults(copy: Path, heads: Sequence[PostedHead], key: KeySource, tell: Tell) -> list[str]:
    """Verify a copy as ``bourse verify`` does. Return its lines, or none if nothing was changed.
    Upgrades the copy.
    """
    lines: list[str] = []
    verifying = verify_ledger(str(copy), heads, lines.append, key=key, tell=tell)
    return lines if asyncio.run(verifying) else []


# ---------------------------------------------------------------- heads


def heads_file(copy: Path) -> Path:
    """Return the file of a copy's heads, beside it."""
    return copy.with_name(f"{copy.name}.heads")


def _write_heads(part: Path, target: Path, beside: Path) -> None:
    """Write the heads of a finished copy, one a line, replacing those of a copy that was
    deleted.
    """
    lines = [
        f"# The last entry of each table in {target.name}. bourse verify --heads {beside.name} "
        "checks that your ledger "
        "still has them.",
        *(f"{table}:{head}" for table, head in heads_in(part)),
    ]
    private.remove(beside)
    with private.create(beside) as file:
        file.write("".join(f"{line}\n" for line in lines).encode())


def read_heads(file: Path) -> list[PostedHead]:
    """Return the heads in a file that ``bourse backup`` wrote. Raises `OperatorError` for any other
    file.
    """
    try:
        lines = [
            line
            for line in file.read_text(encoding="utf-8").splitlines()
            if not line.startswith("#")
        ]
    except FileNotFoundError:
        raise OperatorError(
            f"There is no file {file}. bourse backup writes one beside each copy."
        ) from None
    except UnicodeDecodeError:
        lines = [""]
    found = [read_head(line) for line in lines]
    if any(head is None for head in found):
        raise OperatorError(
            f"{file} is not a file of heads, as bourse backup writes them: TABLE:HASH on each line."
        )
    return [head for head in found if head is not None]
