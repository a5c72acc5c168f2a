"""The bot's daily work: a backup of its ledger, kept for a week, and removing tables closed long
ago.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from bot.ledger import database_file, unfinished
from bot.service import Service

log = logging.getLogger(__name__)

BACKUPS_KEPT = 7
"""The number of backups that are kept."""

FIRST_AFTER, LOOKED_EVERY = 60.0, 3600.0
"""Seconds until the first look whether a backup is due, since a start is busy, and between two
looks.
"""

NICE = 10
"""The niceness of the program that makes a backup: the bot goes first."""


async def remove_old_tables(service: Service, days: int) -> None:
    """Remove the tables that were closed more than this number of days ago, now and every hour,
    until cancelled.
    """
    while True:
        before = datetime.now(UTC) - timedelta(days)
        if removed := await service.remove_closed_before(int(before.timestamp() * 1000)):
            log.info(
                "Tables removed, since they were closed more than %d days ago: %d.", days, removed
            )
        await asyncio.sleep(LOOKED_EVERY)


async def make_backups(url: str, folder: Path) -> None:
    """Make a backup of a SQLite ledger every day (UTC), until cancelled. A failed one is tried
    again in an hour.
    """
    if fault := folder_fault(folder):
        log.error("There will be no backups: %s I look again every hour.", fault)
    await asyncio.sleep(FIRST_AFTER)
    while True:
        await back_up(url, folder, datetime.now(UTC).date())
        await asyncio.sleep(LOOKED_EVERY)


def folder_fault(folder: Path) -> str:
    """Return why no backup can be put into a folder, and what to do; empty if it can."""
    if not folder.is_dir():
        return f"there is no folder {folder.absolute()}. Make it, or change BOURSE_BACKUP_DIR."
    if not os.access(folder, os.W_OK | os.X_OK):
        return (
            f"I may not write in {folder.absolute()}. Give it to my user, or change "
            "BOURSE_BACKUP_DIR."
        )
    return ""


async def back_up(url: str, folder: Path, day: date) -> None:
    """Make the backup of a day unless it is there. Delete all but the newest `BACKUPS_KEPT`.

    ``bourse backup`` makes it: verifying takes long, and nobody at a table should wait for that.
    """
    stem = database_file(url).stem
    target = folder / f"{stem}-{day}.db"
    if target.exists():
        return
    _remove(folder, unfinished(folder / f"{stem}-*.db", "*").name + "*")  # a crash left them
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "bot",
        "backup",
        str(target),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        if hasattr(os, "setpriority"):
            with suppress(ProcessLookupError):  # it has ended
                os.setpriority(os.PRIO_PROCESS, program.pid, NICE)
        output, _ = await program.communicate()
    except BaseException:
        with suppress(ProcessLookupError):
            program.kill()
        await program.wait()
        _remove(folder, unfinished(target, "*").name + "*")
        raise
    said = " ".join(output.decode(errors="replace").split())
    if program.returncode:
        log.error(
            "Today's backup %s: %s", "was made" if program.returncode == 1 else "failed", said
        )
        return
    log.info("Today's backup is %s.", target)
    _remove_oldest(folder, stem)


def _remove(folder: Path, pattern: str) -> None:
    for each in folder.glob(pattern):
        each.unlink(missing_ok=True)


def _remove_oldest(folder: Path, stem: str) -> None:
    for old in sorted(folder.glob(f"{stem}-????-??-??.db"))[:-BACKUPS_KEPT]:
        old.unlink()
        old.with_name(f"{old.name}.heads").unlink(missing_ok=True)
