"""Gathers the pages of the documentation site and builds it: `make docs`, or ``python -m tests.site``.

The pages are those of docs/ and some from elsewhere in the repository; the page of all rules is made from the rules and
the plays. Warnings, such as a link to a page that is not there, are errors.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from bot.rehearsal.script import Play
from bot.rules.registry import games
from tests.rules_table import Shown, plays, shown, with_rules

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BUILD = ROOT / "build"

ELSEWHERE: Mapping[str, str] = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "bot/exports/SCHEMA.md": "exports.md",
    "bot/ledger/FORMAT.md": "ledger.md",
    "tests/README.md": "tests.md",
    "tests/plays/README.md": "plays.md",
}
"""Pages from outside docs/, with their names on the site."""

RULES = "tests/rules_table.py"
"""Makes the page of all rules; a link to it is one to the page."""

_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def gather(into: Path) -> None:
    """Put all pages and pictures into a folder."""
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(DOCS, into)
    for path, name in {**{f"docs/{page.name}": page.name for page in DOCS.glob("*.md")}, **ELSEWHERE}.items():
        text = (ROOT / path).read_text(encoding="utf-8")
        (into / name).write_text(_relinked(path, text, into), encoding="utf-8")
    (into / "rules.md").write_text("\n".join(rules_page(plays())), encoding="utf-8")


def _relinked(path: str, text: str, into: Path) -> str:
    """Return a page's text with links to where the pages are on the site.

    A link to a file that is no page becomes the file's name; a picture that is not there is left out.
    """
    names = {(ROOT / each).resolve(): name for each, name in (*ELSEWHERE.items(), (RULES, "rules.md"))}

    def link(match: re.Match[str]) -> str:
        picture, label, target = match.groups()
        file, hash, anchor = target.partition("#")
        if "://" in target or target.startswith(("mailto:", "#")):
            return match[0]
        if picture:
            return match[0] if (into / target).exists() else ""
        there = ((ROOT / path).parent / file).resolve()
        if there in names:
            return f"[{label}]({names[there]}{hash}{anchor})"
        if there.parent == DOCS and there.suffix == ".md":
            return f"[{label}]({there.name}{hash}{anchor})"
        return label if label.startswith("`") else f"`{label}`"

    return _LINK.sub(link, text)


def rules_page(every: list[Play]) -> Iterator[str]:
    """Yield the page of all rules, game by game, with the plays that show each."""
    yield "# All rules\n"
    yield "What Bourse knows of the rulebooks, in our own words. Each rule has plays that show it kept and refused, in"
    yield "tests/plays of the source: `bourse play FILE` runs one. `/rules show` says the same in Discord.\n"
    for game in with_rules():
        yield f"## {games()[game].info.name}\n"
        for each in shown(game, every):
            yield from _rule(each)


def _rule(each: Shown) -> Iterator[str]:
    yield f"### {each.rule.number} {each.rule.title}\n"
    yield f"{_escaped(each.rule.text)}\n"
    refused = _listed(each.refused) if each.refused else "nobody can break it"
    yield f"Kept: {_listed(each.kept)}. Refused: {refused}.\n"


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(f"`{name}`" for name in names[:3]) + more


def _escaped(text: str) -> str:
    """Return text in which square brackets and angle brackets mean themselves."""
    return re.sub(r"([\[\]<>])", r"\\\1", text)


def main() -> int:
    """Build the site into build/site; return the exit code."""
    gather(BUILD / "docs")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(
        command, check=False, cwd=ROOT, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True
    )
    if done.returncode:
        print(done.stdout, done.stderr.partition("Traceback")[0], sep="\n", file=sys.stderr)
        return 1
    print(f"{len(list((BUILD / 'site').rglob('index.html')))} pages in {BUILD / 'site'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
