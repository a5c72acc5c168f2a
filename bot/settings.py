"""The operator's settings, from environment variables and the file ``.env``.

The environment takes precedence over ``.env``. All mistakes are reported together at the start,
each in one sentence with the setting and its valid values. An unknown name is a mistake too, since
it is usually misspelt.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from importlib.metadata import entry_points
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from dotenv.parser import parse_stream
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
)

from bot import private
from bot.errors import OperatorError

SHARDS_MAX = 2**15
"""The upper bound (exclusive) on the number of shards. Discord recommends about one for a thousand
servers.
"""


KEY_MIN = 32
"""The minimum length of the key, in characters: 128 random bits in hex."""


NO_QUOTES = r"[^\s\"']+"
"""The form of a token as it may be written. Quotes would be sent to Discord as part of it."""


class SettingsError(OperatorError):
    """Invalid settings. The text has one line with a sentence for each mistake, and contains no
    secret.
    """


def installed_games() -> list[str]:
    """Return the sorted ids of the installed games, without loading them."""
    return sorted({point.name for point in entry_points(group="bourse.games")})


def _address(*schemes: str) -> AfterValidator:
    """Return a validator for an address with a host and one of these schemes."""

    def check(text: str) -> str:
        parts = urlsplit(text)
        # other bad ports raise ValueError
        if parts.scheme not in schemes or not parts.hostname or parts.port == 0:
            raise ValueError
        return text.rstrip("/")

    return AfterValidator(check)


def _database(text: str) -> str:
    """Accept a file as ``sqlite:///file``, or ``postgresql://user@host/db``."""
    # Without the slashes it would be taken for a file's name, and shown with its password.
    # A file's name after two slashes would be parsed as a host.
    if not text.startswith(("sqlite:///", "postgresql://")):
        raise ValueError
    if not urlsplit(text).path.strip("/"):
        raise ValueError
    return text


def _secret(pattern: str) -> AfterValidator:
    """Return a validator for a secret of this form, which may stand between blanks."""

    def check(secret: SecretStr) -> SecretStr:
        word = secret.get_secret_value().strip()
        if not re.fullmatch(pattern, word):
            raise ValueError
        return SecretStr(word)

    return AfterValidator(check)


def _game(name: str) -> str:
    if name not in installed_games():
        raise ValueError
    return name


def _not_blank(value: object) -> object:
    """Refuse a blank path, which would mean the current folder."""
    if not str(value).strip():
        raise ValueError
    return value


def _lower(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def _numbers(value: object) -> object:
    """Parse distinct numbers separated by commas, and sort them."""
    if not isinstance(value, str):
        return value
    found = tuple(int(word) for word in value.split(","))
    if len(set(found)) < len(found):
        raise ValueError
    return tuple(sorted(found))


class Settings(BaseModel):
    """All settings. A description completes the sentence about a wrong value: "what works is …"."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    discord_token: Annotated[SecretStr, _secret(NO_QUOTES)] | None = Field(
        None,
        description="the token of your application's Bot page, one word without quotes or spaces; "
        "without it, Bourse opens a rehearsal table on this machine",
    )
    discord_guild_id: int | None = Field(
        None,
        gt=0,
        lt=2**64,
        description="the number that Copy Server ID gives, such as 81384788765712384",
    )
    discord_api_url: Annotated[str, _address("http", "https")] | None = Field(
        None, repr=False, description="an address that begins with http:// or https://"
    )
    discord_gateway_url: Annotated[str, _address("ws", "wss")] | None = Field(
        None, repr=False, description="an address that begins with ws:// or wss://"
    )
    database_url: Annotated[str, AfterValidator(_database)] = Field(
        "sqlite:///bourse.db",
        repr=False,
        description="a file, such as sqlite:///bourse.db (three slashes), or a PostgreSQL "
        "database, such as "
        "postgresql://bourse@localhost/bourse",
    )
    shard_ids: (
        Annotated[tuple[Annotated[int, Field(ge=0)], ...], BeforeValidator(_numbers)] | None
    ) = Field(
        None,
        description="the numbers of this process's shards, separated by commas and counted from 0, "
        "such as 0,1",
    )
    shard_count: int | None = Field(
        None,
        gt=0,
        lt=SHARDS_MAX,
        description="the number of shards of all processes together, such as 4",
    )
    bourse_key: Annotated[SecretStr, _secret(rf"[!-~]{{{KEY_MIN},}}")] | None = Field(
        None,
        description="at least 32 letters and digits in one word, such as those that `openssl rand "
        "-hex 32` prints; "
        "left out, the key is in the file of BOURSE_KEY_FILE",
    )
    bourse_key_file: Annotated[Path, BeforeValidator(_not_blank)] | None = Field(
        None, description="a file outside the database; if left out, it is beside the SQLite file"
    )
    bourse_backup_dir: Annotated[Path, BeforeValidator(_not_blank)] | None = Field(
        None,
        description="a folder, such as /var/backups/bourse; left out, you make backups yourself",
    )
    bourse_port: int = Field(
        8765,
        ge=0,
        lt=2**16,
        description="a number from 1 to 65535, such as 8765, or 0 for any free port",
    )
    bourse_game: Annotated[str, BeforeValidator(_lower), AfterValidator(_game)] | None = Field(
        None, description="{games}: the game that the rehearsal begins with"
    )
    bourse_tables_per_server: int = Field(
        2500,
        gt=0,
        lt=2**31,
        description="a number from 1 up, such as 2500: the most open tables on one server",
    )
    bourse_tables_per_person: int = Field(
        25,
        gt=0,
        lt=2**31,
        description="a number from 1 up, such as 25: the most open tables of one person",
    )
    bourse_entries_per_day: int = Field(
        2000,
        gt=0,
        lt=2**31,
        description="a number from 1 up, such as 2000: the most entries of one person in a day",
    )
    bourse_tables_per_day: int = Field(
        20,
        gt=0,
        lt=2**31,
        description="a number from 1 up, such as 20: the most tables that one person opens in a "
        "day",
    )
    bourse_keep_closed_days: int | None = Field(
        None,
        gt=0,
        lt=2**20,
        description="a number of days from 1 up, such as 365; left out, closed tables stay",
    )
    bourse_burst: int = Field(
        40,
        ge=10,
        lt=2**31,
        description="a number from 10 up, such as 40: what one person may do at once",
    )
    bourse_messages: Annotated[Literal["on", "off"], BeforeValidator(_lower)] = Field(
        "on", description="on or off: whether people can write to the bot as they would say it"
    )
    bourse_log: Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(_lower)] = (
        Field("info", description="debug, info, warning or error")
    )
    bourse_log_format: Annotated[Literal["text", "json"], BeforeValidator(_lower)] = Field(
        "text", description="text or json"
    )
    bourse_http_port: int | None = Field(
        None,
        ge=0,
        lt=2**16,
        description="a number from 1 to 65535, such as 9464, or 0 for any free port; left out, "
        "nothing is served",
    )
    bourse_http_host: str = Field(
        "127.0.0.1",
        min_length=1,
        description="an address of this machine, such as 127.0.0.1 or 0.0.0.0",
    )
    bourse_source: Annotated[str, _address("https", "http")] | None = Field(
        None, description="the address of the source code that you run, which begins with https://"
    )

    def key(self) -> str | Path | None:
        """Return the ledger's key, or the file that holds it, for `Ledger.open`."""
        return self.bourse_key.get_secret_value() if self.bourse_key else self.bourse_key_file

    def secrets(self) -> list[str]:
        """Return the values that must not appear in the log."""
        return [each.get_secret_value() for each in (self.discord_token, self.bourse_key) if each]


NAMES = tuple(name.upper() for name in Settings.model_fields)
PREFIXES = ("DISCORD_", "BOURSE_")
"""Prefixes of Bourse's environment variables. An unknown name with one of them is a mistake."""

_TOKEN = re.compile(r"[\w-]{20,}\.[\w-]+\.[\w-]{20,}")
"""The shape of a Discord token, to recognise a token that was pasted into another setting."""


def load(**overrides: Any) -> Settings:
    """Return the settings: ``overrides`` by field name, else the environment, else ``.env`` in the
    current folder.

    Raises `SettingsError` with every invalid value, every unknown name, and every unreadable line
    of ``.env``.
    """
    environment = {name.upper(): value for name, value in os.environ.items()}
    written, mistakes = _dotenv(Path(".env"))
    given = {name.upper(): value for name, value in overrides.items()}
    mistakes += _unknown(given, "")
    mistakes += _unknown(written, " (in .env)")
    mistakes += _unknown(
        (name for name in environment if name.startswith(PREFIXES)), " (in the environment)"
    )
    found = written | environment | given
    values = {name: found[name] for name in NAMES if name in found}
    settings, wrong = _settings(values)
    for name in wrong:
        place = (
            ""
            if name in given
            else " (in the environment)"
            if name in environment
            else " (in .env)"
        )
        works = Settings.model_fields[name.lower()].description or ""
        works = works.replace(
            "{games}", " or ".join(installed_games()) or "none, because no game is installed"
        )
        mistakes.append(f"{name}{place} {_describe(name, values[name])}. Try {works}.")
    mistakes += _contradictions(settings, wrong)
    if mistakes:
        raise SettingsError("\n".join(mistakes))
    return settings


def _settings(values: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """Return the settings, and the names of those with an invalid value.

    The default replaces an invalid value, so that the other values can be checked against each
    other. The error itself is not kept: it contains the values, which may be secrets, and would be
    chained to the next error.
    """
    fields = {name.lower(): value for name, value in values.items()}
    try:
        return Settings(**fields), []
    except ValidationError as error:
        wrong = list(dict.fromkeys(str(each["loc"][0]) for each in error.errors()))
    defaults = {name: Settings.model_fields[name].default for name in wrong}
    return Settings(**fields | defaults), [name.upper() for name in wrong]


def _contradictions(settings: Settings, wrong: Container[str]) -> Iterator[str]:
    """Yield a sentence for each value that does not go with another. ``wrong`` are names with an
    invalid value.
    """
    ids, count, in_file = (
        settings.shard_ids,
        settings.shard_count,
        settings.database_url.startswith("sqlite"),
    )
    if "SHARD_IDS" in wrong or "SHARD_COUNT" in wrong or "DATABASE_URL" in wrong:
        pass  # that is said already
    elif ids is not None and count is not None:
        given = ",".join(map(str, ids))
        if ids[-1] >= count:
            yield (
                f"SHARD_IDS is '{given}', but SHARD_COUNT is {count}. Try numbers from 0 to "
                f"{count - 1}."
            )
        elif len(ids) < count and in_file:
            yield (
                f"SHARD_IDS is '{given}' of {count} shards, but only one process can use a SQLite "
                "file. "
                "Use all of them, or a PostgreSQL database in DATABASE_URL."
            )
    elif ids is not None or count is not None:
        missing, wanted = ("SHARD_IDS", "0,1") if ids is None else ("SHARD_COUNT", "4")
        yield (
            f"SHARD_IDS and SHARD_COUNT go together, and {missing} is not set. Set both, "
            f"for example {missing}={wanted} as well, or neither."
        )
    token = settings.discord_token.get_secret_value() if settings.discord_token else None
    if (
        token
        and not settings.discord_api_url
        and not re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", token)
    ):
        yield (
            "DISCORD_TOKEN is no bot's token: that is three words with dots between them. It is "
            "not shown here, since "
            "it may be another secret. Press Reset Token on the page Bot of your application at "
            "Discord's developer "
            "portal, and copy what it shows."
        )
    if settings.bourse_backup_dir and not in_file:
        yield (
            "BOURSE_BACKUP_DIR is for a SQLite file, but DATABASE_URL is on PostgreSQL. Leave it "
            "out, and make backups "
            "with pg_dump."
        )


def _dotenv(path: Path) -> tuple[dict[str, str], list[str]]:
    """Return the values in ``.env`` by upper-case name, and a sentence for each invalid line.

    Both are empty if there is no such file.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")  # Windows editors write a byte order mark
    except FileNotFoundError:
        return {}, []
    except (OSError, UnicodeDecodeError):
        return {}, [".env can't be read. Save it as UTF-8 text, and check that you may read it."]
    values, mistakes = dict[str, str](), list[str]()
    # not interpolated: a password may contain a dollar sign
    for line in parse_stream(StringIO(text)):
        if line.error or (line.key and line.value is None):
            blank = line.original.string[: -len(line.original.string.lstrip())].count("\n")
            number = line.original.line + blank
            mistakes.append(
                f"Line {number} of .env is not understood. Try a line such as BOURSE_PORT=8765."
            )
        elif line.key and line.value is not None:
            values[line.key.upper()] = line.value
    return values, mistakes


def env_file_warning() -> str:
    """Return a warning if other users of this machine can read or change ``.env``, else an empty
    string.
    """
    try:
        if not private.is_open_to_others(Path(".env")):
            return ""
    except OSError:
        return ""
    return (
        "Others on this machine can read or change .env, and your bot's token is kept there. Type: "
        "chmod 600 .env"
    )


def _unknown(names: Iterable[str], place: str) -> list[str]:
    """Return a sentence for each name that is not a setting, suggesting the most similar one if
    there is one.
    """
    found = []
    for name in names:
        if name not in NAMES:
            near = difflib.get_close_matches(name, NAMES, n=1)
            instead = (
                f"did you mean {near[0]}?"
                if near
                else "take it out, or look it up in .env.example."
            )
            found.append(f"Bourse has no setting {name}{place}; {instead}")
    return found


def _describe(name: str, value: object) -> str:
    """Describe an invalid value for the report, without anything that may be a secret."""
    text = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
    if not text.strip():
        return "is empty"
    if name in ("DISCORD_TOKEN", "BOURSE_KEY") or _TOKEN.search(text) or "password" in text:
        return "is not right (it may hold a secret, so it is not shown)"
    before, at, after = text.rpartition("@")
    if at:
        scheme, colon, _ = before.partition(":")
        text = f"{scheme if colon else ''}{colon}***@{after}"
    return f"is {text!r}"
