"""Tests of the settings, and of the sentences for mistakes."""

import os
import re
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.cli import commands, program
from bot.settings import (
    NAMES,
    PREFIXES,
    Settings,
    SettingsError,
    env_file_warning,
    installed_games,
    load,
)

EXAMPLE = Path(__file__).parent.parent / ".env.example"
TOKEN = "MTE2NzI4OTQ1MTIzNDU2Nzg5.GaBcDe." + "x" * 38


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to start in, and an environment that sets nothing."""
    monkeypatch.chdir(tmp_path)
    for name in os.environ:
        if name.upper().startswith(PREFIXES) or name.upper() in NAMES:
            monkeypatch.delenv(name)
    return tmp_path


def sentence(**overrides: object) -> str:
    """What `load` says against these settings."""
    with pytest.raises(SettingsError) as caught:
        load(**overrides)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None or caught.value.__suppress_context__
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_all_mistakes_come_at_once_each_in_a_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".env").write_text(
        "BOURSE_PORT=many\nthis is = not it\nDISCORD_TOKN=x\nSHARD_IDS=0,1\n"
    )
    monkeypatch.setenv("BOURSE_LOG", "loud")
    monkeypatch.setenv("BOURSE_GAMES", "ti4")
    with pytest.raises(SettingsError) as caught:
        load()
    assert caught.value.__cause__ is None
    said = str(caught.value).splitlines()
    begins = (
        "Line 2 of .env ",
        "Bourse has no setting DISCORD_TOKN (in .env)",
        "Bourse has no setting BOURSE_GAMES",
        "BOURSE_PORT (in .env) is 'many'",
        "BOURSE_LOG (in the environment) is 'loud'",
        "SHARD_IDS and SHARD_COUNT",
    )
    assert len(said) == len(begins)
    for begin in begins:
        assert any(line.startswith(begin) for line in said), (begin, said)


def test_nothing_set_is_a_rehearsal() -> None:
    settings = load()
    assert settings.discord_token is None
    assert settings.database_url == "sqlite:///bourse.db"
    assert settings.bourse_port == 8765
    assert settings.bourse_log == "info"


def test_environment_wins_over_dotenv_and_overrides_win_over_both(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".env").write_text("BOURSE_PORT=1001\nBOURSE_LOG=debug\nDISCORD_GUILD_ID=7\n")
    monkeypatch.setenv("BOURSE_PORT", "1002")
    monkeypatch.setenv("BOURSE_LOG", "Warning")
    settings = load(bourse_log="error")
    assert (settings.bourse_port, settings.bourse_log, settings.discord_guild_id) == (
        1002,
        "error",
        7,
    )


def test_a_token_in_dotenv_can_be_overridden_by_none(folder: Path) -> None:
    (folder / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n")
    assert load().discord_token == SecretStr(TOKEN)
    assert load(discord_token=None).discord_token is None


def test_dotenv_as_windows_saves_it(folder: Path) -> None:
    (folder / ".env").write_bytes(b"\xef\xbb\xbfBOURSE_PORT=1001\r\n\r\nBOURSE_LOG='debug'\r\n")
    assert load().bourse_port == 1001


WRONG = {
    "DISCORD_TOKEN": ("", "   ", f"Bot {TOKEN}", f'"{TOKEN}"'),
    "DISCORD_GUILD_ID": ("my server", "-1"),
    "DISCORD_API_URL": ("localhost:7878", "ws://localhost", "http://localhost:78780"),
    "DISCORD_GATEWAY_URL": ("http://localhost",),
    "DATABASE_URL": (
        "",
        "bourse.db",
        "sqlite://bourse.db",
        "sqlite:///",
        "sqlite:bourse.db",
        "postgresql:bourse:hunter2@localhost/bourse",
        "postgresql:/bourse:hunter2@localhost/bourse",
        "postgres://bourse@localhost/bourse",
        "postgresql://bourse@localhost",
        "mysql://bourse@localhost/bourse",
    ),
    "SHARD_IDS": ("", "one", "0,", "0 1", "0,0", "-1,0", "[0]"),
    "SHARD_COUNT": ("", "two", "0", "32768"),
    "BOURSE_PORT": ("eighty", "-1", "65536"),
    "BOURSE_GAME": ("", "chess", "../x"),
    "BOURSE_LOG": ("verbose",),
    "BOURSE_KEEP_CLOSED_DAYS": ("", "0", "year"),
    "BOURSE_KEY_FILE": ("",),
    "BOURSE_BACKUP_DIR": ("", " "),
}


def test_a_wrong_value_is_named_with_what_works(
    monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for name, values in WRONG.items():
        for value in values:
            with subtests.test(f"{name}={value}"), monkeypatch.context() as patch:
                patch.setenv(name, value)
                said = sentence()
                assert said.startswith(f"{name} (in the environment) is ")
                assert ". Try " in said
                assert TOKEN not in said
                assert "hunter2" not in said
                if not value.strip():
                    assert "is empty" in said
                elif name != "DISCORD_TOKEN" and "@" not in value:
                    assert value in said


@pytest.mark.parametrize(
    "pasted", ["paste-your-token-here", "81384788765712384", "f0" * 32, f"{TOKEN}.more", "a..b"]
)
def test_a_token_that_is_none_is_said_without_discord(pasted: str) -> None:
    """The example's line, an application's id, its public key: Discord need not be asked."""
    said = sentence(discord_token=pasted)
    assert said.startswith("DISCORD_TOKEN is no bot's token")
    assert pasted not in said
    # a proxy's own
    assert load(discord_token=pasted, discord_api_url="http://localhost:7878/api/v10").discord_token


def test_where_a_wrong_value_stands(folder: Path) -> None:
    (folder / ".env").write_text("BOURSE_PORT=eighty\n")
    assert sentence().startswith("BOURSE_PORT (in .env) is 'eighty'. Try ")
    assert sentence(bourse_port="ninety").startswith("BOURSE_PORT is 'ninety'. Try ")


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:///bourse.db",
        "sqlite:////srv/bourse.db",
        "postgresql://u@h/db",
        "postgresql://u:p@h:5432/db",
        "postgresql://u:@/db?host=/run/postgresql",
    ],
)
def test_databases_that_work(url: str) -> None:
    assert load(database_url=url).database_url == url


POSTGRES = "postgresql://bourse@localhost/bourse"


def test_shards_that_work(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (load().shard_ids, load().shard_count) == (None, None)
    some = load(shard_ids="3, 1", shard_count="4", database_url=POSTGRES)
    assert (some.shard_ids, some.shard_count) == ((1, 3), 4)
    every = load(shard_ids="1,0", shard_count="2")
    assert (every.shard_ids, every.shard_count) == ((0, 1), 2)
    monkeypatch.setenv("SHARD_IDS", "0")
    monkeypatch.setenv("SHARD_COUNT", "1")
    assert load().shard_ids == (0,)
    assert load(shard_ids=None, shard_count=None).shard_ids is None


def test_shards_that_contradict_something() -> None:
    assert sentence(shard_ids="0") == (
        "SHARD_IDS and SHARD_COUNT go together, and SHARD_COUNT is not set. "
        "Set both, for example SHARD_COUNT=4 as well, or neither."
    )
    assert "SHARD_IDS is not set. Set both, for example SHARD_IDS=0,1" in sentence(shard_count="2")
    said = sentence(shard_ids="0,4", shard_count="4", database_url=POSTGRES)
    assert said == "SHARD_IDS is '0,4', but SHARD_COUNT is 4. Try numbers from 0 to 3."
    said = sentence(shard_ids="0", shard_count="2")
    assert said.startswith(
        "SHARD_IDS is '0' of 2 shards, but only one process can use a SQLite file. Use "
    )


def test_backups_are_of_a_file() -> None:
    assert load(bourse_backup_dir="backups").bourse_backup_dir == Path("backups")
    said = sentence(bourse_backup_dir="backups", database_url="postgresql://u@h/db")
    assert said.startswith(
        "BOURSE_BACKUP_DIR is for a SQLite file, but DATABASE_URL is on PostgreSQL."
    )
    assert "pg_dump" in said


def test_addresses_that_work() -> None:
    settings = load(
        discord_api_url="http://127.0.0.1:9/api/v10/", discord_gateway_url="wss://gateway.example"
    )
    assert settings.discord_api_url == "http://127.0.0.1:9/api/v10"
    assert settings.discord_gateway_url == "wss://gateway.example"


def test_a_game_is_one_that_is_installed() -> None:
    assert load().bourse_game is None
    for game in installed_games():
        assert load(bourse_game=game.upper()).bourse_game == game
    said = sentence(bourse_game="chess")
    assert said.startswith(f"BOURSE_GAME is 'chess'. Try {' or '.join(installed_games())}: ")


def test_an_unknown_name_gets_the_nearest_known(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKN", TOKEN)
    said = sentence()
    assert (
        said
        == "Bourse has no setting DISCORD_TOKN (in the environment); did you mean DISCORD_TOKEN?"
    )
    monkeypatch.delenv("DISCORD_TOKN")
    (folder / ".env").write_text("DATABASE_ULR=sqlite:///x.db\n")
    assert sentence() == "Bourse has no setting DATABASE_ULR (in .env); did you mean DATABASE_URL?"
    (folder / ".env").write_text("COLOUR=blue\n")
    said = sentence()
    assert (
        said
        == "Bourse has no setting COLOUR (in .env); take it out, or look it up in .env.example."
    )
    (folder / ".env").unlink()
    assert "bourse_prot".upper() in sentence(bourse_prot=1)


def test_other_programs_variables_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLOUR", "blue")
    load()


@pytest.mark.parametrize(
    ("text", "line"), [("BOURSE_PORT=1\nBOURSE_LOG\n", 2), ("# a\n\nthis is = not it\n", 3)]
)
def test_a_line_that_is_not_understood(folder: Path, text: str, line: int) -> None:
    (folder / ".env").write_text(text)
    assert sentence().startswith(f"Line {line} of .env ")


def test_a_dotenv_that_is_no_text(folder: Path) -> None:
    (folder / ".env").write_bytes(b"DISCORD_TOKEN=\xff\xfe")
    assert sentence().startswith(".env ")


def test_no_secret_is_ever_printed() -> None:
    settings = load(
        discord_token=TOKEN, database_url="postgresql://bourse:hunter2@db.example/bourse"
    )
    assert TOKEN not in repr(settings) + str(settings)
    assert "hunter2" not in repr(settings) + str(settings)
    assert "hunter2" not in sentence(database_url="postgres://bourse:hunter2@db.example/bourse")
    assert "hunter2" not in sentence(database_url="postgres:bourse:hunt@hunter2@db.example/bourse")
    assert "hunter2" not in sentence(database_url="postgres://db.example/bourse?password=hunter2")
    assert "db.example" in sentence(database_url="postgres://bourse:hunter2@db.example/bourse")
    assert TOKEN not in sentence(discord_guild_id=TOKEN)  # pasted into the wrong line


def test_every_setting_says_what_works() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_the_example_names_every_setting_and_no_other() -> None:
    named = re.findall(r"^#?([A-Z_]+)=", EXAMPLE.read_text(), re.MULTILINE)
    assert sorted(named) == sorted(NAMES)


def test_the_example_begins_with_the_settings_that_matter() -> None:
    first, rest = EXAMPLE.read_text().split("# ---------------- Few need what follows.")
    assert len(re.findall(r"^#?[A-Z_]+=", first, re.MULTILINE)) == 10
    assert re.findall(r"^#?([A-Z_]+)=", first, re.MULTILINE)[0] == "DISCORD_TOKEN"
    assert rest


def test_the_example_loads_as_written_and_sets_what_is_so_anyway(folder: Path) -> None:
    plain = load()
    (folder / ".env").write_text(EXAMPLE.read_text())
    assert load() == plain


def test_the_example_loads_with_everything_switched_on(folder: Path) -> None:
    (folder / ".env").write_text(
        re.sub(r"^#([A-Z_]+=)", r"\1", EXAMPLE.read_text(), flags=re.MULTILINE)
    )
    settings = load()
    assert settings.model_fields_set == set(Settings.model_fields)


# ---------------------------------------------------------------- .env and others on this machine


@pytest.mark.parametrize(
    ("mode", "warns"),
    [
        (0o600, False),
        (0o400, False),
        (0o700, False),
        (0o644, True),
        (0o640, True),
        (0o604, True),
        (0o620, True),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="this system has no such permissions")
def test_an_env_file_that_others_may_read_is_remarked_on(
    folder: Path, mode: int, warns: bool
) -> None:
    (folder / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n")
    (folder / ".env").chmod(mode)
    said = env_file_warning()
    assert bool(said) == warns
    assert said.endswith("Type: chmod 600 .env") == warns
    assert TOKEN not in said


def test_without_an_env_file_there_is_nothing_to_remark_on() -> None:
    assert env_file_warning() == ""


@pytest.mark.skipif(os.name != "posix", reason="this system has no such permissions")
def test_it_is_said_at_the_start_in_one_line(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "_rehearse", lambda settings: 0)
    monkeypatch.setattr(program.signal, "signal", lambda *_: None)
    (folder / ".env").write_text("BOURSE_PORT=8770\n")
    (folder / ".env").chmod(0o644)
    assert program.main([]) == 0
    assert [message for message in caplog.messages if ".env" in message] == [env_file_warning()]
    caplog.clear()
    (folder / ".env").chmod(0o600)
    assert program.main([]) == 0
    assert not [message for message in caplog.messages if ".env" in message]
