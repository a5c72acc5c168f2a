"""Keeps what went between a play's bot and Discord, in files for who wants to look into it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

from bot.rehearsal.stage import Stage


class Keeper:
    """Writes down every request and every gateway payload, with the line of the play that led to it."""

    def __init__(self, stage: Stage, folder: Path | None) -> None:
        self._stage = stage
        self._requests = self._payloads = 0
        self._files: tuple[TextIO, TextIO] | None = None
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            self._files = (_opened(folder / "requests.jsonl"), _opened(folder / "gateway.jsonl"))
            self.write(0)

    def write(self, line: int) -> None:
        """Write what came since the last call."""
        if self._files is None:
            return
        requests, gateway = self._files
        log = self._stage.env.http_requests
        for entry in log[self._requests :]:
            told = {"method": entry.method, "path": entry.path, "params": entry.params, "json": entry.json}
            _object(requests, {"line": line, **told, "reason": entry.reason})
        self._requests = len(log)
        record = self._stage.env.backend.transcript
        for kind, event, payload in record[self._payloads :]:
            if kind == "GATEWAY":
                _object(gateway, {"line": line, "event": event, "payload": payload})
            elif kind != "HTTP":
                # SimCord held it back from the bot, or a part of it, and says why.
                _object(gateway, {"line": line, "event": event, kind.lower(): payload})
        self._payloads = len(record)

    def close(self) -> None:
        """Close the files."""
        for file in self._files or ():
            file.close()


def _opened(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8")


def _object(file: TextIO, told: dict[str, Any]) -> None:
    file.write(json.dumps(told, ensure_ascii=False, default=str) + "\n")
