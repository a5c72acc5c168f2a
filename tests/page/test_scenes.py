"""Tests that the gallery's scenes can be played, and that each kind of card has one.

A picture is not missing because a button has another name now, or because a card is new. Scenes
that no card names are played in `make long`, and by `make screens`.
"""

from pathlib import Path

import pytest

from bot.rehearsal.places import Places
from bot.rehearsal.watching import PlayPlaces
from tests.page.scenes import SCENES, TI4, Broken, Scene, place_of, played
from tests.plays.kinds import Made, kinds, noting
from tests.plays.played import texts_in
from tests.scale import long

SHOWN_IN = {
    "card board.again_card": "same-table-again-asks",
    "card board.board_card": "ti4-set-up",
    "card board.closing_card": "ti4-closing",
    "card board.paused_card": "ti4-paused",
    "card board.table_card": "ti4-table-show",
    "card cards.text_card": "ti4-set-up",
    "card debts.debts_card": "ti4-debts",
    "card evenings.evenings_card": "evenings",
    "card next_time.call_card": "same-table-again",
    "card next_time.next_time_card": "next-time",
    "card notices.taken_too_card": "ti4-second-accepts",
    "card deals.deal_card": "ti4-deal",
    "card deals.deals_card": "ti4-deal",
    "card deals.summary_card": "ti4-negotiation",
    "card drafts.build_card": "ti4-build-it",
    "card drafts.proposals_card": "ti4-proposals",
    "card drafts.ready_card": "ti4-said",
    "card hand_drafts.hand_ready_card": "advciv-said",
    "card words.see_it_card": "ti4-said-here",
    "card meant.meant_card": "ti4-both-sides",
    "card evening.evening_card": "ti4-closed",
    "card guide.games_card": "set-up-game",
    "card guide.guide_card": "help-at-a-table",
    "card guide.instead_card": "set-up-asks",
    "card guide.no_table_card": "help",
    "card guide.rule_card": "ti4-rule",
    "card guide.topic_card": "help-topic",
    "card guide.version_card": "about",
    "card hand_drafts.hand_draft_card": "advciv-compose",
    "card hand_over.accepted_card": "advciv-missed",
    "card hand_over.hand_over_card": "advciv-hand-over",
    "card menu.change_setting_card": "ti4-change-setting",
    "card menu.free_seat_card": "ti4-free-seat",
    "card menu.leave_card": "ti4-leave",
    "card menu.menu_card": "ti4-more",
    "card menu.my_goods_card": "ti4-my-goods",
    "card menu.phase_card": "ti4-phase",
    "card board.said_card": "ti4-say-it",
    "card menu.own_said_card": "ti4-say-it",
    "card menu.host_card": "ti4-host",
    "card menu.seats_card": "ti4-seats",
    "card menu.settings_card": "ti4-settings",
    "card menu.undo_card": "ti4-undo",
    "card menu.with_whom_card": "ti4-deal-with",
    "card notices.backed_out_card": "advciv-one-left",
    "card notices.declined_card": "ti4-declined",
    "card notices.follow_up_card": "ti4-pillage",
    "card notices.lapsed_card": "ti4-lapsed",
    "card debts.forgive_card": "ti4-forgive",
    "card notices.passed_over_card": "ti4-passed-over",
    "card notices.news_card": "ti4-take-back",
    "card notices.notice_card": "ti4-trade-played",
    "card notices.pings_card": "pings",
    "card notices.prompt_card": "ti4-take-back",
    "card notices.settled_card": "advciv-answered",
    "card notices.shared_prompt_card": "advciv-asked-in-the-channel",
    "card notices.undelivered_card": "advciv-answered",
    "card notices.welcome_card": "set-up-neighbours",
    "card notices.departed_card": "ti4-left-the-server",
    "card notices.withdrawn_card": "ti4-backed-out",
    "card offer_cards.accept_card": "ti4-not-accepted-yet",
    "card offer_cards.confirm_card": "ti4-confirm",
    "card offer_cards.confirmed_card": "ti4-backed-out",
    "card offer_cards.gone_yes_card": "ti4-gone-yes",
    "card offer_cards.missed_card": "advciv-missed",
    "card offer_cards.more_card": "ti4-offer-more",
    "card offer_cards.offer_card": "ti4-offer",
    "card offer_cards.offers_card": "ti4-offers",
    "card offer_cards.posted_receipt_card": "ti4-offer",
    "card offer_cards.private_offer_card": "advciv-closed-dms",
    "card offer_cards.uncovered_card": "ti4-uncovered",
    "card partners.new_offer_card": "ti4-new-offer",
    "card partners.partners_card": "ti4-partners",
    "card privacy.ask_me_card": "privacy-me",
    "card privacy.ask_table_card": "privacy-table",
    "card privacy.privacy_card": "privacy",
    "card results.hand_changed_card": "advciv-gained",
    "card results.holdings_card": "advciv-hand",
    "card results.others_holdings_card": "ti4-holdings",
    "card results.public_result_card": "ti4-negotiation",
    "card results.refusal_card": "no-table-yet",
    "card results.result_card": "ti4-done",
    "card setup.begun_card": "ti4-set-up",
    "card setup.change_card": "set-up-change",
    "card setup.option_card": "set-up-option",
    "card setup.order_card": "set-up-order",
    "card setup.setup_card": "set-up",
    "card setup.whose_goods_card": "set-up-whose-goods",
    "card timeline.correction_card": "ti4-correction",
    "card timeline.details_card": "ti4-details",
    "card timeline.head_card": "ti4-verify",
    "card timeline.history_card": "ti4-history",
    "card timeline.ledger_card": "ti4-audit",
    "card timeline.offer_history_card": "ti4-offer-history",
    "card timeline.player_card": "ti4-audit-player",
    "card timeline.trade_card": "ti4-audit-trade",
    "card timeline.verify_card": "ti4-verify",
}
"""The scene that shows each kind of card. A new card needs a line here, and a picture that somebody
has looked at.
"""

NOT_IN_SCENES = {
    "card guide.arrival_card",
    "card guide.about_card",
    "card board.gone_card",
    "card guide.bring_card",
    "card guide.bring_instead_card",
    "card next_time.come_card",
    "card next_time.met_card",
    "card next_time.reminder_card",
    "card next_time.sure_card",
    "card timeline.put_back_card",
}
"""Cards of a server that the bot joins, and of a table whose channel is gone: a play has one server
and one channel (`tests/cogs/test_arrival.py`, `tests/wire/test_places.py`). Answers about the next
time, which pass with the time that a scene waits (`tests/plays/table/remind_us.play`). And what is
read after a ledger was put back, which no play does (`tests/wire/test_put_back.py`).
"""

FIRST = {scene.name.partition("-")[0]: scene for scene in reversed(SCENES)}
"""A scene of each family (`ti4-…`, `advciv-…`, `set-up-…`); `make long` plays all of them."""


def test_every_kind_of_card_names_its_scene() -> None:
    cards = {kind for kind in kinds() if kind.startswith("card ")}
    assert cards - set(SHOWN_IN) == NOT_IN_SCENES, "a card that no scene shows"
    assert set(SHOWN_IN) <= cards, "a card that there is no more"
    assert set(SHOWN_IN.values()) <= {scene.name for scene in SCENES}


@pytest.mark.slow
@pytest.mark.parametrize(
    "scene",
    [*FIRST.values(), *long(scene for scene in SCENES if scene not in FIRST.values())],
    ids=lambda scene: scene.name,
)
async def test_a_scene_can_be_played_and_shows_what_names_it(scene: Scene, tmp_path: Path) -> None:
    made = Made()
    with noting(made):
        async with played(scene, tmp_path) as performance:
            places = Places(performance.stage.env, PlayPlaces(performance.stage))
            messages = performance.stage.env.backend.messages
            bodies = list[str]()
            for place in [place_of(places, key) for key in scene.look]:
                for message in messages.get(place.channel.id, {}).values():
                    if message.visible_to(place.viewer.id):
                        shown = [message.content, message.embeds, message.components]
                        bodies.append("\n".join(texts_in(shown)))
    assert scene.presses is None or any(
        key.startswith(f"{scene.presses[0]}.") for key in scene.look
    )
    assert {kind for kind, name in SHOWN_IN.items() if name == scene.name} <= made.sent(bodies)


def test_their_names_are_the_names_of_files() -> None:
    names = [scene.name for scene in SCENES]
    assert len(set(names)) == len(names)
    assert all(name.replace("-", "").isalnum() for name in names)


@pytest.mark.parametrize(
    ("scene", "says"),
    [
        (
            Scene("gone", TI4 + 'bob: press "Vanished"\n', ()),
            'press "Vanished": bob can see no enabled button',
        ),
        (
            Scene("other", TI4 + 'alice: /holdings show\n  sees "dilithium"\n', ()),
            "the reply to alice holds",
        ),
        (Scene("closed", TI4, (), ("bob", "Vanished")), "bob sees no button Vanished"),
    ],
)
async def test_a_line_that_no_longer_does_what_it_did_is_named(
    scene: Scene, says: str, tmp_path: Path
) -> None:
    with pytest.raises(Broken, match=says):
        async with played(scene, tmp_path):
            pass


async def test_a_picture_that_fails_is_named_and_the_others_are_taken() -> None:
    gallery = pytest.importorskip("tests.page.gallery", reason="playwright is not installed")
    failures: list[str] = []
    taken: list[str] = []
    for name in ("ti4-offer.bob.dm", "ti4-done.alice.table"):
        async with gallery.told(name, failures):
            if name.startswith("ti4-offer"):
                raise gallery.PlaywrightError("Timeout 30000ms exceeded.\nCall log: …")
            taken.append(name)
    assert failures == ["ti4-offer.bob.dm: Timeout 30000ms exceeded."]
    assert taken == ["ti4-done.alice.table"]
