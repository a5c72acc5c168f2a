"""Builds the documentation site from its pages: `make docs`, or ``python -m tests.site``.

The pages are those of docs/, without their hidden plays, and some from elsewhere in the repository;
the page of all rules is made from the rules and the plays. Warnings, such as a link to a page that
is not there, are errors.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from bot.rehearsal.script import Play
from bot.rules.registry import games
from tests.rules_table import RuleShown, plays, shown, with_rules
from tests.shots import DOCS, HIDDEN

ROOT = Path(__file__).parents[1]
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
    for path, name in {
        **{f"docs/{page.name}": page.name for page in DOCS.glob("*.md")},
        **ELSEWHERE,
    }.items():
        text = HIDDEN.sub("", (ROOT / path).read_text(encoding="utf-8"))
        (into / name).write_text(_relinked(path, text, into), encoding="utf-8")
    (into / "rules.md").write_text("\n".join(rules_page(plays())), encoding="utf-8")


def _relinked(path: str, text: str, into: Path) -> str:
    """Return a page's text with links to where the pages are on the site.

    A link to a file that is no page becomes the file's name; a picture that is not there is left
    out.
    """
    pages = {**ELSEWHERE, RULES: "rules.md"}
    names = {(ROOT / page).resolve(): name for page, name in pages.items()}

    def link(match: re.Match[str]) -> str:
        picture, label, target = match.groups()
        file, hash, anchor = target.partition("#")
        if "://" in target or target.startswith(("mailto:", "#")):
            return match[0]
        if picture:
            return match[0] if (into / target).exists() else ""
        there = ((ROOT / path).parent / file).resolve()
        if there == ROOT / "README.md":
            return f"[{label}]({source() or 'contributing.md'})"
        if there in names:
            return f"[{label}]({names[there]}{hash}{anchor})"
        if there.parent == DOCS and there.suffix == ".md":
            return f"[{label}]({there.name}{hash}{anchor})"
        return label if label.startswith("`") else f"`{label}`"

    return _LINK.sub(link, text)


@cache
def source() -> str:
    """Return the address of the repository from which this one was cloned, or nothing if it has no
    page.
    """
    asked = subprocess.run(
        ["git", "remote", "get-url", "origin"],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    address = re.sub(
        r"^(ssh://)?git@([^:/]+)[:/]", r"https://\2/", asked.stdout.strip()
    ).removesuffix(".git")
    return address if address.startswith("https://") else ""


# ---------------------------------------------------------------- the page of all rules

_FIND = """<script>
const field = document.getElementById("find"), found = document.getElementById("found");
const open = (each) => {
    for (; each; each = each.parentElement?.closest("details")) each.open = true;
};
const go = () => {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const rule = named?.closest("details");
    if (rule) { open(rule); rule.scrollIntoView(); }
};
field.parentElement.hidden = false;
field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const group of document.querySelectorAll("details.group")) {
        let any = 0;
        for (const rule of group.querySelectorAll("details")) {
            rule.hidden = !words.every((word) => rule.textContent.toLowerCase().includes(word));
            any += !rule.hidden;
        }
        group.hidden = !any;
        group.open = words.length > 0 && any > 0;
        count += any;
    }
    found.textContent = words.length ? `${count} ${count === 1 ? "rule" : "rules"}` : "";
});
addEventListener("hashchange", go);
go();
</script>
"""


def rules_page(every: list[Play]) -> Iterator[str]:
    """Yield the page of all rules: of each game its groups, closed, and in each the rules,
    closed.
    """
    yield "# All rules\n"
    yield (
        "What Bourse knows of the rulebooks, in our own words. `/rules show` says the same in "
        "Discord.\n"
    )
    yield '<p hidden><label for="find">Find a rule: a word or a number</label><br>'
    yield (
        '<input id="find" type="search" autocomplete="off"><br><output id="found" '
        'for="find"></output></p>\n'
    )
    for game in with_rules():
        doubts = doubts_elsewhere(game)
        yield f"## {games()[game].info.name}\n"
        each_shown = {each.rule.number: each for each in shown(game, every)}
        for title, numbers in groups(game).items():
            yield '<details class="group"><summary>'
            yield (
                f'<h3 id="{_anchor(game, title)}">{escape(title)}</h3> '
                f"<span>{len(numbers)}</span></summary>"
            )
            for number in numbers:
                yield from _rule(each_shown[number], doubts[number])
            yield "</details>\n"
    yield (
        "Each rule has *plays*, scripts of a table that show it kept and refused: they are tests "
        "of Bourse, in"
    )
    yield "[tests/plays](plays.md) of its source.\n"
    yield _FIND


def groups(game: str) -> Mapping[str, list[str]]:
    """Return the numbers of a game's rules under the headings of its file: ``94 Transactions``."""
    found: dict[str, list[str]] = defaultdict(list)
    title = ""
    for line in (ROOT / "data" / game / "rules.toml").read_text("utf-8").splitlines():
        if heading := re.fullmatch(r"# -+ (?:(\d+), )?(.)(.*)", line):
            title = f"{heading[1] or ''} {heading[2].upper()}{heading[3]}".strip()
        elif number := re.fullmatch(r'\["?([^"]+)"?\]', line):
            found[title].append(number[1])
    return found


def doubts_elsewhere(game: str) -> Mapping[str, list[str]]:
    """Return what other files of a game's data doubt, by the number of the rule that they name."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "data" / game).glob("*.toml")):
        rows: Mapping[str, Any] = tomllib.loads(path.read_text("utf-8"))
        for row in rows.values() if path.stem != "rules" else ():
            if isinstance(row, dict) and "doubt" in row:
                found[row.get("rule") or row["name"]].append(row["doubt"])
    return found


def _rule(each: RuleShown, more_doubts: list[str]) -> Iterator[str]:
    rule = each.rule
    title = (
        f'<h4 id="{_anchor(each.game, rule.number)}">{escape(rule.number)} · '
        f"{escape(rule.title)}</h4>"
    )
    yield f"<details><summary>{title}</summary>"
    yield f"<p>{escape(rule.text, quote=False)}</p>"
    doubts = [doubt for doubt in (rule.doubt, *more_doubts) if doubt]
    for doubt in dict.fromkeys(doubts):
        yield f"<p class=doubt><b>Open question.</b> {escape(doubt, quote=False)}</p>"
    refused = f"refused in {_listed(each.refused)}" if each.refused else "nobody can break it"
    yield (
        f"<p class=plays>{escape(rule.source)}. Kept in {_listed(each.kept)}; "
        f"{refused}.</p></details>"
    )


def _anchor(game: str, name: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", f"{game} {name}".lower())


def _listed(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return "".join(f"<code>{escape(name)}</code>" for name in names[:1]) + more


def main() -> int:
    """Build the site into build/site; return the exit code."""
    gather(BUILD / "docs")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(
        command,
        check=False,
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        complaints, _, _ = done.stderr.partition("Traceback")
        print(done.stdout, complaints, sep="\n", file=sys.stderr)
        return 1
    print(f"{len(list((BUILD / 'site').rglob('index.html')))} pages in {BUILD / 'site'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
