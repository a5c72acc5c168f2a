"""Records the traffic between a play's bot and Discord in files, for debugging."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import orjson

from bot import private
from bot.rehearsal.stage import Stage


class Recorder:
    """Writes every request and gateway payload to a folder, with the line of the play that caused
    it.

    Without a folder it does nothing.
    """

    def __init__(self, stage: Stage, folder: Path | None) -> None:
        self._stage = stage
        self._requests = self._payloads = 0
        self._files: tuple[BinaryIO, BinaryIO] | None = None
        if folder is not None:
            private.require_folder(folder)
            self._files = (
                _made_anew(folder / "requests.jsonl"),
                _made_anew(folder / "gateway.jsonl"),
            )
            self.write(0)

    def write(self, line: int) -> None:
        """Write what was sent since the last call."""
        if self._files is None:
            return
        requests, gateway = self._files
        log = self._stage.env.http_requests
        for entry in log[self._requests :]:
            sent = {
                "method": entry.method,
                "path": entry.path,
                "params": entry.params,
                "json": entry.json,
            }
            _write(requests, {"line": line, **sent, "reason": entry.reason})
        self._requests = len(log)
        record = self._stage.env.backend.transcript
        for kind, event, payload in record[self._payloads :]:
            if kind == "GATEWAY":
                _write(gateway, {"line": line, "event": event, "payload": payload})
            elif kind != "HTTP":
                # SimCord did not pass it on to the bot, or only in part, and gives the reason.
                _write(gateway, {"line": line, "event": event, kind.lower(): payload})
        self._payloads = len(record)

    def close(self) -> None:
        """Close the files."""
        for file in self._files or ():
            file.close()


def _made_anew(path: Path) -> BinaryIO:
    private.remove(path)
    return private.create(path)


def _write(file: BinaryIO, value: dict[str, Any]) -> None:
    """Write a value as a line of JSON."""
    file.write(orjson.dumps(value, default=str, option=_AS_WRITTEN))


_AS_WRITTEN = orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_DATETIME
