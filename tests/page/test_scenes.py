"""The scenes of the gallery can be played: a picture is not missing because a button has another name now."""

from pathlib import Path

import pytest

from bot.rehearsal.places import Places
from bot.rehearsal.watching import PREFIX, PlayPlaces
from tests.page.scenes import SCENES, TI4, Broken, Scene, played


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_a_scene_can_be_played(scene: Scene, tmp_path: Path) -> None:
    async with played(scene, tmp_path) as performance:
        places = Places(performance.stage.env, PlayPlaces(performance.stage), changed=lambda: None)
        assert all(places.get(f"{PREFIX}{key}") is not None for key in scene.look)
        assert scene.presses is None or any(key.startswith(f"{scene.presses[0]}.") for key in scene.look)


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
