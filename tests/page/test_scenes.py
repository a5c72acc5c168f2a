"""The scenes of the gallery can be played, and there is one for each kind of card.

A picture is not missing because a button has another name now, or because a card is new.
"""

from pathlib import Path

import pytest

from bot.rehearsal.places import Places
from bot.rehearsal.watching import PlayPlaces
from tests.page.scenes import SCENES, TI4, Broken, Scene, place_of, played
from tests.plays.kinds import Made, kinds, noting
from tests.plays.played import texts_in

SHOWN_IN: dict[str, str] = {}
"""The scene that shows each kind of card. A new card needs a line here, and a picture that somebody has looked at."""

NOT_IN_SCENES = {"card guide.arrival_card", "card guide.about_card"}
"""Cards of a server that the bot joins, which no play can show (`tests/cogs/test_arrival.py`)."""


def test_every_kind_of_card_names_its_scene() -> None:
    cards = {kind for kind in kinds() if kind.startswith("card ")}
    assert cards - set(SHOWN_IN) == NOT_IN_SCENES, "a card that no scene shows"
    assert set(SHOWN_IN) <= cards, "a card that there is no more"
    assert set(SHOWN_IN.values()) <= {scene.name for scene in SCENES}


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_a_scene_can_be_played_and_shows_what_names_it(scene: Scene, tmp_path: Path) -> None:
    made = Made()
    with noting(made):
        async with played(scene, tmp_path) as performance:
            places = Places(performance.stage.env, PlayPlaces(performance.stage), changed=lambda: None)
            messages = performance.stage.env.backend.messages
            bodies = [
                "\n".join(texts_in({"content": message.content, "components": message.components}))
                for place in (place_of(places, key) for key in scene.look)
                for message in messages.get(place.channel.id, {}).values()
                if message.visible_to(place.reader.user.id)
            ]
    assert scene.presses is None or any(key.startswith(f"{scene.presses[0]}.") for key in scene.look)
    seen = {kind for kind, pieces in made.texts if any(all(piece in body for piece in pieces) for body in bodies)}
    assert {kind for kind, name in SHOWN_IN.items() if name == scene.name} <= seen


def test_their_names_are_the_names_of_files() -> None:
    names = [scene.name for scene in SCENES]
    assert len(set(names)) == len(names)
    assert all(name.replace("-", "").isalnum() for name in names)


@pytest.mark.parametrize(
    ("scene", "says"),
    [
        (Scene("gone", TI4 + 'bob: press "Vanished"\n', ()), 'press "Vanished": bob can see no enabled button'),
        (Scene("other", TI4 + 'alice: /holdings show\n  sees "dilithium"\n', ()), "the reply to alice holds"),
        (Scene("closed", TI4, (), ("bob", "Vanished")), "bob sees no button Vanished"),
    ],
)
async def test_a_line_that_no_longer_does_what_it_did_is_named(scene: Scene, says: str, tmp_path: Path) -> None:
    with pytest.raises(Broken, match=says):
        async with played(scene, tmp_path):
            pass
