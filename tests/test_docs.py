"""Tests that what the documents name exists: files, names, links, slash commands, settings,
commands, targets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, cast, get_type_hints

from discord import app_commands

import cogs.advciv
import cogs.any
import cogs.ti4
from bot.app import core_cogs
from bot.cli.parser import parser
from bot.settings import Settings
from cogs.router import Router

ROOT = Path(__file__).parents[1]
PAGES = chain.from_iterable(
    sorted(ROOT.glob(pattern))
    for pattern in ("*.md", "docs/*.md", "bot/*/*.md", "tests/*.md", "tests/plays/*.md")
)
DOCUMENTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
TREE = chain.from_iterable(
    (ROOT / top).rglob("*") for top in ("bot", "cogs", "data", "docs", "tests")
)
PATHS = [
    path.relative_to(ROOT).as_posix()
    for path in TREE
    if "__pycache__" not in path.parts and (path.suffix or any(path.iterdir()))
]
SOURCES = {
    path: (ROOT / path).read_text(encoding="utf-8") for path in PATHS if path.endswith(".py")
}
WORDS = set(re.findall(r"\w+", "\n".join(SOURCES.values())))
SETTINGS = {name.upper() for name in Settings.model_fields}

ELSEWHERE = {"specs/openapi.json", "FILE.svg", "bench.svg"}
"""Files of another repository, and files that a command makes."""

FOREIGN = {
    "INSERT",
    "LISTEN",
    "NOTIFY",
    "max_concurrency",
    "max_connections",
    "synchronous_commit",
} | {"synchronous_standby_names"}
"""Names of other programs."""


def quoted(pattern: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield what stands in backquotes and matches as a whole, with its document. Blocks of code are
    skipped.
    """
    for document, text in DOCUMENTS.items():
        prose = re.sub(r"^( *)```.*?^\1```", "", text, flags=re.DOTALL | re.MULTILINE)
        for each in re.findall(r"`([^`]+)`", prose):
            if match := re.fullmatch(pattern, " ".join(each.split())):
                yield document, match


def exists(path: str) -> bool:
    """Return whether a path exists. It may lack its beginning, as ``pillage.py`` does, and
    ``<game>`` is any game.
    """
    pattern = re.escape(path.rstrip("/")).replace(r"\*", "[^/]+")
    wanted = re.compile(r"(.*/)?" + re.sub(r"<\w+>", r"[^/]+", pattern))
    return (ROOT / path).exists() or any(map(wanted.fullmatch, PATHS))


def test_files() -> None:
    file = r"[\w<>*./-]*\w\.(?:jsonl?|lock|md|play|png|py|svg|toml|webp)\b"
    name = file + r"|\b(?:bot|cogs|data|tests)/[\w<>/]+|\.ci/\w+"
    named = set()
    for document, text in DOCUMENTS.items():
        named |= {(document, path) for path in re.findall(name, text)}
    assert len(named) > 200
    assert {
        each
        for each in named
        if each[1] not in ELSEWHERE and not exists(each[1].removeprefix("../"))
    } == set()


def test_links() -> None:
    links = list[tuple[str, str]]()
    for document, text in DOCUMENTS.items():
        links += [(document, link) for link in re.findall(r"\]\(([^):]+)\)", text)]
    assert len(links) > 50
    for document, link in links:
        path, _, anchor = link.partition("#")
        target = ROOT / document if not path else (ROOT / document).parent / path
        assert target.exists(), (document, link)
        headings = (
            re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            if anchor
            else []
        )
        headings = [re.sub(r"[^\w -]", "", heading) for heading in headings]
        known = {heading.lower().replace(" ", "-") for heading in headings}
        assert not anchor or anchor in known, (document, link)


def importable(name: str) -> bool:
    """Return whether ``package.module.name`` can be imported."""
    module, rest = name, list[str]()
    while module:
        try:
            found: Any = import_module(module)
        except ModuleNotFoundError:
            module, _, last = module.rpartition(".")
            rest.insert(0, last)
            continue
        return not rest or (len(rest) == 1 and hasattr(found, rest[0]))
    return False


def test_modules() -> None:
    named = {(document, match[0]) for document, match in quoted(r"(bot|cogs|data|tests)(\.\w+)+")}
    assert len(named) > 5
    assert {each for each in named if not importable(each[1])} == set()


def has(kind: str, member: str) -> bool:
    """Return whether a class of the program has a method, a property or a field."""
    found = [
        path for path, text in SOURCES.items() if re.search(rf"^class {kind}\b", text, re.MULTILINE)
    ]
    modules = (
        import_module(path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        for path in found
    )
    every = [getattr(module, kind) for module in modules]
    return any(hasattr(each, member) or member in get_type_hints(each) for each in every)


def test_names() -> None:
    """Classes with what they have, constants, functions, and words with an underscore."""
    name = r"([A-Z]\w+(?:\.[a-z]\w*)?|[a-z]+_\w+|[a-z]\w*(?=\())(?:\(.*\))?"
    named = {(document, match[1]) for document, match in quoted(name)}
    assert len(named) > 120
    known = WORDS | SETTINGS | FOREIGN
    for document, match in named:
        thing, _, attribute = match.partition(".")
        assert has(thing, attribute) if attribute else thing in known, (document, match)


def test_slash_commands() -> None:
    router = Router(cast(Any, None))
    every = [
        *core_cogs(cast(Any, None), cast(Any, None), router),
        *cogs.any.cogs(router),
        *cogs.ti4.cogs(router),
        *cogs.advciv.cogs(router),
    ]
    commands = chain.from_iterable(cog.walk_app_commands() for cog in every)
    found = {command.qualified_name: command for command in commands}
    found |= {name.partition(" ")[0]: each for name, each in found.items()}
    named = list(quoted(r"/((?:[a-z]+ ?)+)(?:(?<= )(\w+):.*)?"))
    assert len(named) > 80
    for document, match in named:
        if document == "tests/plays/README.md":  # its examples are grammar
            continue
        words, option = match[1].split(), match[2]
        whole, shorter = " ".join(words), " ".join(words[:-1])
        command = found.get(whole) or found.get(shorter)
        assert command is not None, (document, match[0])
        takes = command.parameters if isinstance(command, app_commands.Command) else ()
        assert not option or option in {each.display_name for each in takes}, (document, match[0])


def test_settings_targets_and_commands_of_the_program() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    [subcommands] = [each.choices for each in parser()._actions if each.choices]
    for document, text in DOCUMENTS.items():
        found = set(
            re.findall(r"\b(?:BOURSE|DATABASE|SHARD)_[A-Z]\w+|DISCORD_TOKEN|DISCORD_GUILD\w+", text)
        )
        assert found <= SETTINGS, document
        assert set(re.findall(r"(?:`|^    |; )make ([a-z]+)\b", text, re.MULTILINE)) <= targets, (
            document
        )
        assert set(re.findall(r"`bourse ([a-z-]+)", text)) <= set(subcommands), document


def test_what_to_paste_at_the_portal_fits() -> None:
    fields = dict(
        re.findall(r"^\| \*\*([\w ]+)\*\* \| (.+) \|$", DOCUMENTS["docs/hosting.md"], re.MULTILINE)
    )
    assert 0 < len(fields["Description"]) <= 400
    tags = fields["Tags"].split(", ")
    assert len(tags) == len(set(tags)) <= 5
    assert [tag for tag in tags if len(tag) > 20] == []
