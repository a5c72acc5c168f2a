"""Pictures in the documentation, and the words that must be on them.

The plays of a page stand beside its pictures, hidden in comments: ``<!-- play``. A line ``#
offer.webp: bob.dm`` in a play is a *shot*: at this point of the play, the picture offer.webp shows
the newest message that Bob sees in his direct messages; ``bob.table "Open offers"`` the newest one
in the channel with this text. A name that occurs several times is a film. `tests.page.pictures`
takes the pictures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.rehearsal.grammar import read_play
from bot.rehearsal.plays import Performance, performed
from bot.rehearsal.scene import Seen
from bot.rehearsal.script import Act, Play, PressStep
from bot.rehearsal.stage import Stage
from tests.plays.played import on_a_copy

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = DOCS / "pictures"
WORDS = PICTURES / "words.json"
"""What is read on each picture, as it was when it was taken."""

HIDDEN = re.compile(r"<!-- play\n(.*?)-->\n?", re.DOTALL)
_SHOT = re.compile(r'# ([\w-]+\.webp): (\w+)\.(table|dm)(?: "([^"]+)")?')


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of what a person sees in a place, before the first step below this line of the
    play.

    ``text`` is in the message that is shown. ``press`` is the label of the button that is pressed
    next, in a film.
    """

    file: str
    who: str
    kind: str
    text: str
    line: int
    film: bool
    press: str | None = None


def pages() -> Mapping[str, Play]:
    """Return the play of each page that has one: the comments of the page, one below the other."""
    found = {
        page.stem: "".join(HIDDEN.findall(page.read_text("utf-8")))
        for page in sorted(DOCS.glob("*.md"))
    }
    return {name: read_play(text, f"docs/{name}.md") for name, text in found.items() if text}


def shots(name: str) -> list[Shot]:
    """Return the shots of a page, top to bottom."""
    text = "".join(HIDDEN.findall((DOCS / f"{name}.md").read_text("utf-8")))
    found = [
        (line, each)
        for line, row in enumerate(text.splitlines(), 1)
        if (each := _SHOT.fullmatch(row))
    ]
    files = [each[1] for _, each in found]
    steps = read_play(text).steps
    made = []
    for line, each in found:
        film = files.count(each[1]) > 1
        following = next((step.action for step in steps if step.line > line), None)
        press = None
        if film and isinstance(following, Act) and isinstance(following.action, PressStep):
            press = following.action.label
        made.append(Shot(each[1], each[2], each[3], each[4] or "", line, film, press))
    return made


async def perform(
    name: str, folder: Path, take: Callable[[Performance, Shot], Awaitable[None]]
) -> list[str]:
    """Play a page's play and take each of its shots. Return the lines that did not go as they
    say.
    """
    play, left = pages()[name], shots(name)
    async with performed(play, f"sqlite:///{folder}/{name}.db", factory=on_a_copy) as performance:
        performance.stage.display = str.title
        for step in play.steps:
            while left and left[0].line < step.line:
                await take(performance, left.pop(0))
            if wrong := [line for line in await performance.take(step) if not line.ok]:
                return [f"{name}.md: {line.text.strip()}: {line.reason}" for line in wrong]
        for shot in left:
            await take(performance, shot)
    return []


def message(stage: Stage, shot: Shot) -> Seen:
    """Return the message that a shot shows."""
    by_dm = shot.kind == "dm"
    seen = [each for each in stage.sees(shot.who) if each.where.startswith("DM") == by_dm]
    return next(each for each in reversed(seen) if shot.text in each.text)


def lines_of(seen: Seen) -> list[str]:
    """Return the words of a message, without the head of the ledger, which is another each time."""
    return re.sub(r"(Ledger #\d+) [0-9a-f]{20}", r"\1", seen.text).splitlines()


def words() -> dict[str, list[list[str]]]:
    """Return what was read on the pictures when they were taken: for each its screens, each with
    its lines.
    """
    found: dict[str, list[list[str]]] = json.loads(WORDS.read_text("utf-8"))
    return found
