"""The scenes of the gallery. Each is what happens, as lines of a play, and where to look afterwards.

To add one, write a `Scene` below. Its lines are those of tests/plays/README.md, expectations included: a line that no
longer does what it did ends the gallery with the line and the reason.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.rehearsal.grammar import read_play
from bot.rehearsal.plays import Performance, performed


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene with a name, which its pictures have too.

    ``look``: the places whose pictures are taken, such as ``bob.dm`` or ``alice.table``. ``presses``: afterwards, in
    the browser, who presses which button, the last one of that label in the place; the picture then shows what opened,
    such as a form.
    """

    name: str
    steps: str
    look: tuple[str, ...]
    presses: tuple[str, str] | None = None


TI4 = """
alice: /table open game:ti4 name:"Friday night"
alice: /table sit seat:hacan
bob: /table sit seat:sol
carol: /table sit seat:xxcha
alice: /holdings set player:@alice goods:"4 tg, 6 c"
alice: /holdings set player:@bob goods:"2 tg, 4 c"
alice: /holdings set player:@carol goods:"3 tg, 1 cultural fragment"
alice: /neighbors join first:@alice second:@bob
alice: /neighbors join first:@bob second:@carol
alice: /turn start player:@alice
"""
"""Three people at a table of Twilight Imperium 4, Alice's turn."""

ADVCIV = """
alice: /table open game:advciv name:"Saturday"
alice: /table sit seat:egypt
bob: /table sit seat:crete
carol: /table sit seat:babylon
alice: /holdings set player:@alice goods:"3 salt, grain, oil, silver, epidemic"
alice: /holdings set player:@bob goods:"3 grain, 2 salt, iron, bronze"
alice: /holdings set player:@carol goods:"2 oil, 2 iron, hides, cloth, famine"
alice: /trading open minutes:30
"""
"""Three nations with hands, and trading open."""

OFFER = """
alice: /offer post to:@bob give:"2 tg, ceasefire" want:"3 c"
"""

HIDDEN = """
alice: /offer post to:@bob give:"grain, oil, ? (silver)" want:"2 salt, ?"
"""

SCENES = (
    # ------------------------------------------------------------ Twilight Imperium 4
    Scene("ti4-set-up", TI4, ("alice.table",)),
    Scene("ti4-board", TI4 + 'alice: /offer post give:"1 tg"\ncarol: /offer post to:@bob give:"1 tg" want:"1 c"\n'
          + OFFER, ("alice.table", "bob.table")),
    Scene("ti4-offer", TI4 + OFFER, ("alice.table", "bob.dm")),
    Scene("ti4-offer-with-terms", TI4 + 'alice: /offer post to:@bob give:"1 tg" terms:"keep your mechs out of Abyz"\n',
          ("alice.table", "bob.dm")),
    Scene("ti4-done", TI4 + OFFER + 'bob: press "Accept"\n  records transaction\n',
          ("alice.table", "alice.dm", "bob.dm")),
    Scene("ti4-declined", TI4 + OFFER + 'bob: press "Decline"\n', ("alice.table", "alice.dm", "bob.dm")),
    Scene("ti4-refused", TI4 + OFFER + 'bob: press "Accept"\nalice: /offer post to:@bob give:"1 tg"\n'
          'bob: press "Accept"\n  refused 94.1\n', ("alice.table", "bob.dm")),
    Scene("ti4-not-now", TI4 + 'bob: /offer post to:@carol give:"1 c" want:"1 tg"\n', ("bob.table", "carol.dm")),
    Scene("ti4-bad-input", TI4 + 'alice: /offer post to:@bob give:"2 bananas"\n  refused\n', ("alice.table",)),
    Scene("ti4-counter-form", TI4 + OFFER, ("bob.dm",), ("bob", "Counter")),
    Scene("ti4-new-offer", TI4 + 'alice: press "New offer"\n', ("alice.table",)),
    Scene("ti4-proposals", TI4 + "alice: /trade with:@bob\n", ("alice.table",)),
    Scene("ti4-build-it", TI4 + 'alice: /trade with:@bob\nalice: press "Build it…"\nalice: press "Give +1 🟡"\n',
          ("alice.table",)),
    Scene("ti4-holdings", TI4 + "alice: /holdings show\n", ("alice.table",)),
    Scene("ti4-table-show", TI4 + OFFER + "carol: /table show\n", ("carol.table",)),
    Scene("ti4-audit", TI4 + OFFER + 'bob: press "Accept"\nalice: /audit ledger\n', ("alice.table",)),
    Scene("ti4-rule", TI4 + "alice: /rules show number:94.1\n", ("alice.table",)),
    Scene("help", "alice: /help\n", ("alice.table",)),
    # ------------------------------------------------------------ Advanced Civilization
    Scene("advciv-board", ADVCIV + "carol: /offer post want:silver\n" + HIDDEN, ("alice.table", "carol.table")),
    Scene("advciv-offer", ADVCIV + HIDDEN, ("alice.table", "bob.dm", "alice.dm")),
    Scene("advciv-hand-over", ADVCIV + HIDDEN + 'bob: press "Agree"\n', ("bob.dm", "alice.dm", "carol.table")),
    Scene("advciv-hand", ADVCIV + "alice: /cards hand\n", ("alice.table",)),
    Scene("advciv-refused", ADVCIV + 'alice: /offer post to:@bob give:"grain" want:"salt"\n', ("alice.table",)),
)  # fmt: skip


class Broken(Exception):
    """A line of a scene did not do what it should; the text says which, and why."""


@asynccontextmanager
async def played(scene: Scene, folder: Path) -> AsyncIterator[Performance]:
    """Play a scene, and give the stage as it is then. Raises `Broken`."""
    play = read_play(scene.steps, scene.name)
    async with performed(play, f"sqlite:///{folder}/{scene.name}.db") as performance:
        for step in play.steps:
            for line in await performance.take(step):
                if not line.ok:
                    raise Broken(f"line {line.line}, {line.text.strip()}: {line.reason}")
        if scene.presses is not None and not performance.stage.has(*scene.presses):
            raise Broken(f"{scene.presses[0]} sees no button {scene.presses[1]}")
        yield performance
