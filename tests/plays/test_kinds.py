"""Each kind of message that players read names a play that shows it, and the bot does send it in that play."""

from __future__ import annotations

import pytest

from tests.plays.kinds import kinds, sent

SHOWN_IN = {
    "card board.board_card": "ti4/support_and_alliance.play",
    "card board.closed_card": "table/closing_makes_room.play",
    "card board.closing_card": "table/closing_makes_room.play",
    "card board.paused_card": "table/paused.play",
    "card board.table_card": "ti4/board_menu.play",
    "card cards.text_card": "ti4/support_and_alliance.play",
    "card deals.deal_card": "advciv/28.1_nothing_binds.play",
    "card deals.deals_card": "advciv/28.1_nothing_binds.play",
    "card deals.summary_card": "offers/closed_dms_private.play",
    "card evening.evening_card": "table/an_evening.play",
    "card guide.games_card": "advciv/set_up.play",
    "card guide.guide_card": "advciv/set_up.play",
    "card guide.no_table_card": "table/set_up_by_command.play",
    "card guide.rule_card": "ti4/support_and_alliance.play",
    "card guide.topic_card": "table/help.play",
    "card guide.version_card": "table/help.play",
    "card hand_drafts.hand_draft_card": "advciv/28.3_composing_by_buttons.play",
    "card hand_over.accepted_card": "advciv/28.3_sealed_taker.play",
    "card hand_over.hand_over_card": "advciv/28.1_nothing_binds.play",
    "card menu.change_setting_card": "ti4/board_menu.play",
    "card menu.free_seat_card": "ti4/board_menu.play",
    "card menu.menu_card": "ti4/board_menu.play",
    "card menu.my_goods_card": "ti4/support_and_alliance.play",
    "card menu.phase_card": "ti4/94.1_board_taps.play",
    "card menu.seats_card": "ti4/board_menu.play",
    "card menu.settings_card": "ti4/board_menu.play",
    "card menu.undo_card": "ti4/board_menu.play",
    "card notices.backed_out_card": "advciv/28.3_sealed_taker_leaves_one.play",
    "card notices.declined_card": "advciv/28.1_nothing_binds.play",
    "card notices.follow_up_card": "ti4/support_and_alliance.play",
    "card notices.shared_prompt_card": "advciv/27.1_closed_dms.play",
    "card notices.notice_card": "ti4/92_trade_by_buttons.play",
    "card notices.pings_card": "pings/muted.play",
    "card notices.prompt_card": "ti4/support_and_alliance.play",
    "card notices.replaced_card": "pings/asked_again.play",
    "card notices.settled_card": "advciv/27.1_closed_dms.play",
    "card notices.undelivered_card": "advciv/27.1_closed_dms.play",
    "card notices.welcome_card": "table/first_minute.play",
    "card notices.withdrawn_card": "offers/back_out.play",
    "card notices.lapsed_card": "offers/lapsed.play",
    "card offers.accept_card": "ti4/94.2_told_when_both_agree.play",
    "card offers.confirm_card": "ti4/94.2_told_when_both_agree.play",
    "card offers.confirmed_card": "offers/back_out.play",
    "card offers.missed_card": "advciv/28.3_sealed_taker.play",
    "card offers.more_card": "offers/closed_dms_private.play",
    "card offers.offer_card": "ti4/support_and_alliance.play",
    "card offers.offers_card": "advciv/market_list.play",
    "card offers.private_offer_card": "offers/closed_dms_private.play",
    "card offers.taken_card": "advciv/28.3_sealed_taker.play",
    "card partners.new_offer_card": "ti4/composing_by_buttons.play",
    "card drafts.proposals_card": "ti4/composing_by_buttons.play",
    "card drafts.build_card": "ti4/composing_by_buttons.play",
    "card partners.partners_card": "ti4/board_menu.play",
    "card privacy.ask_me_card": "audit/privacy.play",
    "card privacy.ask_table_card": "audit/privacy.play",
    "card privacy.privacy_card": "audit/privacy.play",
    "card results.holdings_card": "advciv/28.4_moderator.play",
    "card results.others_holdings_card": "advciv/27.4_others_hands.play",
    "card results.public_result_card": "offers/closed_dms_private.play",
    "card results.refusal_card": "audit/privacy.play",
    "card results.result_card": "ti4/support_and_alliance.play",
    "card setup.begun_card": "ti4/support_and_alliance.play",
    "card setup.change_card": "table/set_up_by_command.play",
    "card setup.option_card": "table/set_up_by_command.play",
    "card setup.order_card": "table/set_up_by_command.play",
    "card setup.seats_card": "table/help.play",
    "card setup.setup_card": "ti4/support_and_alliance.play",
    "card setup.whose_goods_card": "table/set_up_by_command.play",
    "card timeline.correction_card": "advciv/28.4_moderator.play",
    "card timeline.details_card": "table/history_in_sentences.play",
    "card timeline.head_card": "audit/verify.play",
    "card timeline.history_card": "ti4/board_menu.play",
    "card timeline.ledger_card": "audit/correct.play",
    "card timeline.offer_history_card": "ti4/94.4.1_take_back.play",
    "card timeline.player_card": "advciv/28.1_nothing_binds.play",
    "card timeline.trade_card": "audit/secrets_stay.play",
    "card timeline.verify_card": "audit/privacy.play",
    "prompt advciv.surrendering.prompts": "advciv/31.71_how_many_are_kept.play",
    "prompt advciv.taking.prompts": "advciv/27.1_closed_dms.play",
    "prompt rules.visibility._deal_prompt": "advciv/28.1_nothing_binds.play",
    "prompt rules.visibility._match_prompt": "advciv/market_list.play",
    "prompt ti4.hand_limit.prompts": "ti4/2.4_hand_limit.play",
    "prompt ti4.neighbors.prompts": "ti4/94_note_3_not_so.play",
    "prompt ti4.pillage.prompts 1": "ti4/pillage_not_so.play",
    "prompt ti4.requests.prompts": "ti4/support_and_alliance.play",
    "prompt ti4.take_back.prompts": "ti4/94.4.1_take_back.play",
    "prompt ti4.trade_agreements._prompt": "ti4/dark_pact_by_an_agreement.play",
    "hint advciv.drawing.follow_ups": "advciv/27.1_closed_dms.play",
    "hint advciv.losing.follow_ups": "advciv/28.4_moderator.play",
    "hint advciv.taking.follow_ups 1": "advciv/27.1_closed_dms.play",
    "hint advciv.taking.follow_ups 2": "advciv/28.4_moderator.play",
    "hint advciv.trade.follow_ups": "advciv/28.3_sealed_then_lost.play",
    "hint ti4.departures.notes_moved": "ti4/33.2_eliminated.play",
    "hint ti4.note_gifts.received": "ti4/69.5.1_in_play.play",
    "hint ti4.note_returns.reminders": "ti4/69.3_status_phase.play",
    "hint ti4.note_shows.told 1": "ti4/maban.play",
    "hint ti4.note_shows.told 2": "ti4/69.6_shown.play",
    "hint ti4.notes.on_a_planet": "ti4/terraform.play",
    "hint ti4.notes.play_now": "ti4/support_and_alliance.play",
    "hint ti4.notes.took_effect 1": "ti4/black_ops.play",
    "hint ti4.notes.took_effect 2": "ti4/black_ops.play",
    "hint ti4.pillage._lie_in_wait": "ti4/lie_in_wait.play",
    "hint ti4.pillage.hints 1": "ti4/pillage_taken.play",
    "hint ti4.pillage.hints 2": "ti4/pillage.play",
    "subject board": "ti4/support_and_alliance.play",
    "subject closing": "table/closing_makes_room.play",
    "subject confirm": "ti4/94.2_told_when_both_agree.play",
    "subject correction": "advciv/28.4_moderator.play",
    "subject deal": "advciv/28.1_nothing_binds.play",
    "subject declined": "advciv/28.1_nothing_binds.play",
    "subject evening": "table/an_evening.play",
    "subject follow-up": "ti4/support_and_alliance.play",
    "subject head": "audit/verify.play",
    "subject headlines": "ti4/support_and_alliance.play",
    "subject hidden-follow-up": "ti4/33.2_eliminated.play",
    "subject hidden-prompt": "ti4/support_and_alliance.play",
    "subject missed": "advciv/28.3_sealed_taker.play",
    "subject notice": "ti4/92_trade_by_buttons.play",
    "subject offer": "ti4/support_and_alliance.play",
    "subject personal": "ti4/support_and_alliance.play",
    "subject prompt": "advciv/28.1_nothing_binds.play",
    "subject public-deal": "ti4/33.2_eliminated.play",
    "subject result": "ti4/support_and_alliance.play",
    "subject setup": "ti4/support_and_alliance.play",
    "subject summary": "offers/closed_dms_private.play",
    "subject told": "offers/back_out.play",
    "subject welcome": "table/first_minute.play",
    "subject transaction": "offers/closed_dms_private.play",
}
"""The play that shows each kind. A new card, prompt, hint or subject needs a line here."""

NOT_IN_PLAYS = {"card guide.arrival_card", "card guide.about_card", "prompt ti4.pillage.prompts 2"}
"""Kinds that no play can show: in a play the bot joins no server (`tests/cogs/test_arrival.py` shows those cards), and
no earlier version has asked anything (`tests/games/ti4/test_effects.py`).
"""


def test_every_kind_of_message_names_its_play() -> None:
    assert kinds() - set(SHOWN_IN) == NOT_IN_PLAYS, "a message that no play shows"
    assert set(SHOWN_IN) <= kinds(), "a message that there is no more"


def test_a_play_does_not_show_what_is_not_sent_in_it() -> None:
    found = sent("first_trade.play")
    assert {"card results.result_card", "subject result"} <= found
    assert not found & {"card notices.pings_card", "prompt ti4.pillage.prompts", "subject declined"}


@pytest.mark.slow
@pytest.mark.parametrize("play", sorted(set(SHOWN_IN.values())))
def test_a_play_shows_what_names_it(play: str) -> None:
    assert {kind for kind, name in SHOWN_IN.items() if name == play} <= sent(play)
