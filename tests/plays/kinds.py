"""The kinds of messages that players read, from the code itself, and those that a play sends.

A kind is a public function of `bot.show` named ``…_card`` (``card notices.declined_card``), a
function of a feature that asks or tells one person something (``prompt ti4.pillage.take_now``,
``hint ti4.pillage.may_pillage``), or a subject of delivery (``subject declined``). A play sends a
kind if one of its requests has all the text of such a card.
"""

from __future__ import annotations

import pkgutil
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, wraps
from importlib import import_module
from importlib.metadata import entry_points
from inspect import isfunction
from types import FunctionType, ModuleType
from typing import Any

import pytest

from bot import show
from bot.delivery.desired import SUBJECTS, Desired, NegotiationThread, Replaced
from bot.rules.feature import all_of
from bot.rules.registry import games
from bot.rules.views import FollowUpView, PromptView
from bot.rules.visible_table import PROMPTS
from bot.show.cards import Card
from bot.show.results import follow_ups_of

SHOWS = {"prompt_card": PromptView, "follow_up_card": FollowUpView}
"""The cards that show what a feature asks or tells one person."""

NO_MESSAGES = (NegotiationThread, Replaced)
"""Subjects without a card: a thread, and an old message that only loses its buttons."""


@cache
def kinds() -> frozenset[str]:
    """Every kind of message there is."""
    subjects = {f"subject {kind.name}" for kind in SUBJECTS if kind not in NO_MESSAGES}
    return frozenset({*_cards(), *_askers().values(), *subjects})


@cache
def _cards() -> dict[str, FunctionType]:
    """Return the functions of `bot.show` that make a card, by kind."""
    cards = {}
    for found in pkgutil.iter_modules(show.__path__):
        module = import_module(f"bot.show.{found.name}")
        for name, made in vars(module).items():
            if not isfunction(made) or made.__module__ != module.__name__:
                continue
            if name.endswith("_card") and not name.startswith("_"):
                cards[f"card {found.name}.{name}"] = made
    return cards


@cache
def _askers() -> dict[Callable[..., Any], str]:
    """Return the kind of prompt or hint that each function returns."""
    kinds = {function: f"prompt {_name(function)}" for function in PROMPTS}
    for game in games().values():
        for feature in game.features.features:
            for function in all_of(feature.prompts):
                kinds[function] = f"prompt {_name(function)}"
            for function in all_of(feature.follow_ups):
                kinds[function] = f"hint {_name(function)}"
    return kinds


def _name(function: Callable[..., Any]) -> str:
    module = function.__module__.removeprefix("bot.").removeprefix("games.")
    return f"{module}.{function.__name__}"


# ---------------------------------------------------------------- what a play sends


@dataclass
class Made:
    """What was made in a play: for each kind the texts of its cards, and the kind of each prompt
    and hint, by its `id`, with itself.
    """

    texts: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    views: dict[int, tuple[object, str]] = field(default_factory=dict)

    def card(self, kind: str, card: object) -> None:
        if isinstance(card, Card):
            pieces = list[str]()
            for block in card.blocks:
                pieces += map(str.strip, re.split(r"<icon:[^>]*>|</?at[^>]*>", block))
            self.texts.add((kind, tuple(filter(None, pieces))))

    def sent(self, bodies: Collection[str]) -> frozenset[str]:
        """Return the kinds of which all the text is in one of these messages."""
        kinds = set[str]()
        for kind, pieces in self.texts:
            if any(_has_all(body, pieces) for body in bodies):
                kinds.add(kind)
        return frozenset(kinds)


def _has_all(body: str, pieces: Iterable[str]) -> bool:
    return all(piece in body for piece in pieces)


@contextmanager
def noting(made: Made) -> Iterator[None]:
    """Note each card, prompt, hint and desired message that is made meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        for kind, plain, places in _card_functions():
            noting = _noting_card(made, kind, plain)
            for module in places:
                patch.setattr(module, plain.__name__, noting)
        for module in ("bot.rules.feature", "bot.rules.visible_table"):
            patch.setattr(f"{module}.gathered", _noting_views(made))
        patch.setattr(Desired, "__init__", _noting_subject(made, Desired.__init__))
        yield


@cache
def _card_functions() -> list[tuple[str, FunctionType, list[ModuleType]]]:
    """Return each kind of card with the function that makes it and the modules that have this
    function.
    """
    for point in entry_points(group="bourse.cogs"):
        point.load()  # a module imported later would keep what it imports from patched ones
    modules = [module for name, module in sys.modules.items() if name.startswith(("bot.", "cogs."))]
    places = []
    for kind, plain in _cards().items():
        users = [module for module in modules if vars(module).get(plain.__name__) is plain]
        places.append((kind, plain, users))
    return places


def _noting_card(made: Made, kind: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(plain)
    def card(*args: Any, **options: Any) -> Any:
        result = plain(*args, **options)
        made.card(kind, result)
        views = [value for value in args if isinstance(value, SHOWS.get(plain.__name__, ()))]
        if plain.__name__ == "result_card":  # a receipt has hints as lines
            views += follow_ups_of(args[1], args[0].seat or "", in_receipt=True)
        for view in views:
            if id(view) in made.views:
                made.card(made.views[id(view)][1], result)
        return result

    return card


def _noting_views(made: Made) -> Callable[..., list[Any]]:
    def gathered(functions: Iterable[Callable[..., Any]], *args: Any) -> list[Any]:
        views = []
        for function in functions:
            for view in function(*args):
                views.append(view)
                made.views[id(view)] = (view, _askers()[function])
        return views

    return gathered


def _noting_subject(made: Made, plain: Callable[..., None]) -> Callable[..., None]:
    def init(self: Desired, *args: Any, **options: Any) -> None:
        plain(self, *args, **options)
        made.card(f"subject {self.subject.name}", self.card)

    return init


# ---------------------------------------------------------------- which play shows which

USED_IN = {
    "any.goods": "any/goods_by_thumb.play",
    "any.rule": "any/questions.play",
    "board-player": "ti4/94.1_table_show.play",
    "browse": "offers/counter_to_all.play",
    "debt.part": "ti4/28.4_forgive_asks_once.play",
    "draft-pick": "advciv/28.3_counter_by_buttons.play",
    "hand-pick": "advciv/28.3_a_trade.play",
    "offer-other": "ti4/board_leads.play",
    "seat-choose": "ti4/board_menu.play",
    "setting-choose": "ti4/board_menu.play",
    "ti4.meets": "ti4/60.1_reminded_after_a_turn.play",
    "ti4.pick.note": "ti4/69_notes_by_pickers.play",
    "topic": "table/help.play",
}
"""Which play uses each menu; `tests.plays.played` requires that every choice leaves the menu as
new.
"""

SHOWN_IN = {
    "card board.again_card": "table/same_table_again.play",
    "card board.board_card": "ti4/support_and_alliance.play",
    "card board.closing_card": "table/closing_makes_room.play",
    "card board.paused_card": "table/paused.play",
    "card board.table_card": "ti4/board_menu.play",
    "card cards.text_card": "ti4/support_and_alliance.play",
    "card deals.deal_card": "advciv/28.1_nothing_binds.play",
    "card deals.deals_card": "advciv/28.1_nothing_binds.play",
    "card debts.debts_card": "ti4/28.4_debt_owed_and_paid.play",
    "card debts.forgive_card": "ti4/28.4_forgive_asks_once.play",
    "card deals.summary_card": "offers/closed_dms_private.play",
    "card evenings.evenings_card": "table/evenings.play",
    "card next_time.call_card": "table/same_table_again.play",
    "card next_time.come_card": "table/remind_us.play",
    "card next_time.met_card": "table/remind_us.play",
    "card next_time.next_time_card": "table/remind_us.play",
    "card next_time.reminder_card": "table/remind_us.play",
    "card next_time.sure_card": "table/remind_us.play",
    "subject again": "table/same_table_again.play",
    "subject next": "table/remind_us.play",
    "subject reminder": "table/remind_us.play",
    "card evening.evening_card": "table/an_evening.play",
    "card guide.games_card": "advciv/set_up.play",
    "card guide.guide_card": "advciv/set_up.play",
    "card guide.instead_card": "table/set_up_after_closing.play",
    "card guide.no_table_card": "table/set_up_by_command.play",
    "card guide.rule_card": "ti4/support_and_alliance.play",
    "card guide.topic_card": "table/help.play",
    "card guide.version_card": "table/help.play",
    "card hand_drafts.hand_draft_card": "advciv/28.3_composing_by_buttons.play",
    "card hand_drafts.hand_ready_card": "words/said_from_a_hand.play",
    "card hand_over.accepted_card": "advciv/28.3_sealed_taker.play",
    "card hand_over.hand_over_card": "advciv/28.1_nothing_binds.play",
    "card menu.change_setting_card": "ti4/board_menu.play",
    "card menu.free_seat_card": "ti4/board_menu.play",
    "card board.said_card": "table/say_it.play",
    "card menu.own_said_card": "table/say_it.play",
    "card menu.leave_card": "table/everything_has_a_button.play",
    "card menu.with_whom_card": "table/everything_has_a_button.play",
    "card menu.host_card": "ti4/board_menu.play",
    "card menu.menu_card": "ti4/board_menu.play",
    "card menu.my_goods_card": "ti4/support_and_alliance.play",
    "card menu.phase_card": "ti4/94.1_board_taps.play",
    "card menu.seats_card": "ti4/board_menu.play",
    "card menu.settings_card": "ti4/board_menu.play",
    "card menu.undo_card": "ti4/board_menu.play",
    "card notices.backed_out_card": "advciv/28.3_sealed_taker_leaves_one.play",
    "card notices.departed_card": "pings/left_the_server.play",
    "card notices.declined_card": "advciv/28.1_nothing_binds.play",
    "card notices.follow_up_card": "ti4/69_set_by_the_host.play",
    "card meant.meant_card": "offers/both_sides_in_one_field.play",
    "card notices.shared_prompt_card": "advciv/27.1_closed_dms.play",
    "card notices.news_card": "ti4/support_and_alliance.play",
    "card notices.notice_card": "ti4/92_trade_by_buttons.play",
    "card notices.pings_card": "pings/muted.play",
    "card notices.prompt_card": "ti4/support_and_alliance.play",
    "card notices.settled_card": "advciv/27.1_closed_dms.play",
    "card notices.undelivered_card": "advciv/27.1_closed_dms.play",
    "card notices.welcome_card": "table/first_minute.play",
    "card notices.withdrawn_card": "offers/back_out.play",
    "card notices.passed_over_card": "offers/altered_after_a_yes.play",
    "card notices.lapsed_card": "offers/lapsed.play",
    "card notices.taken_too_card": "advciv/28.1_a_second_agree.play",
    "card offer_cards.accept_card": "offers/not_accepted_yet.play",
    "card offer_cards.confirm_card": "ti4/94.2_told_when_both_agree.play",
    "card offer_cards.confirmed_card": "offers/back_out.play",
    "card offer_cards.gone_yes_card": "offers/gone_yes.play",
    "card offer_cards.missed_card": "advciv/28.3_sealed_taker.play",
    "card offer_cards.more_card": "offers/closed_dms_private.play",
    "card offer_cards.offer_card": "ti4/support_and_alliance.play",
    "card offer_cards.offers_card": "advciv/market_list.play",
    "card offer_cards.posted_receipt_card": "ti4/composing_by_buttons.play",
    "card offer_cards.private_offer_card": "offers/closed_dms_private.play",
    "card offer_cards.uncovered_card": "offers/gone_meanwhile.play",
    "card partners.new_offer_card": "ti4/composing_by_buttons.play",
    "card drafts.proposals_card": "ti4/composing_by_buttons.play",
    "card drafts.build_card": "ti4/composing_by_buttons.play",
    "card drafts.ready_card": "words/said_by_dm.play",
    "card partners.partners_card": "ti4/board_menu.play",
    "card privacy.ask_me_card": "audit/privacy.play",
    "card privacy.ask_table_card": "audit/privacy.play",
    "card privacy.privacy_card": "audit/privacy.play",
    "card results.hand_changed_card": "advciv/27.4_what_came_to_my_hand.play",
    "card results.holdings_card": "advciv/28.4_moderator.play",
    "card results.others_holdings_card": "advciv/27.4_others_hands.play",
    "card results.public_result_card": "offers/closed_dms_private.play",
    "card results.refusal_card": "audit/privacy.play",
    "card results.result_card": "ti4/support_and_alliance.play",
    "card setup.begun_card": "ti4/support_and_alliance.play",
    "card setup.change_card": "table/set_up_by_command.play",
    "card setup.option_card": "table/set_up_by_command.play",
    "card setup.order_card": "table/set_up_by_command.play",
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
    "prompt rules.visible_table.proposed_deals": "advciv/28.1_nothing_binds.play",
    "prompt rules.visible_table.kept_deals": "ti4/28.4_promise_with_an_end.play",
    "prompt rules.visible_table.matches": "advciv/market_list.play",
    "prompt ti4.hand_limit.prompts": "ti4/2.4_hand_limit.play",
    "prompt ti4.neighbors.prompts": "ti4/94_note_3_not_so.play",
    "hint ti4.neighbors.follow_ups": "ti4/94_note_3_not_so.play",
    "prompt ti4.pillage.take_now": "ti4/1.14_pillage_cant_be_dodged.play",
    "prompt ti4.requests.prompts": "ti4/support_and_alliance.play",
    "prompt ti4.pillage.prompts": "ti4/pillage_not_so.play",
    "prompt ti4.note_claims.prompts": "ti4/69.1_what_a_note_brings_later.play",
    "prompt ti4.take_back.prompts": "ti4/94.4.1_take_back.play",
    "prompt ti4.trade_agreements.prompts": "ti4/dark_pact_by_an_agreement.play",
    "hint advciv.drawing.follow_ups": "advciv/27.1_closed_dms.play",
    "hint advciv.holdings.hand_set": "advciv/27.4_set_by_the_host_is_told.play",
    "hint advciv.losing.follow_ups": "advciv/28.4_moderator.play",
    "hint advciv.taking.card_taken": "advciv/27.1_closed_dms.play",
    "hint advciv.taking.card_lost": "advciv/28.4_moderator.play",
    "hint advciv.trading.follow_ups": "advciv/27.1_fewer_typed_than_cities.play",
    "hint advciv.trade.follow_ups": "advciv/28.3_sealed_then_lost.play",
    "hint ti4.departures.notes_moved": "ti4/33.2_eliminated.play",
    "hint ti4.holdings.hints": "ti4/69_set_by_the_host.play",
    "hint ti4.holdings.notes_set": "ti4/69_set_by_the_host_is_told.play",
    "hint ti4.note_receipts.given": "ti4/69.5.1_in_play.play",
    "hint ti4.note_returns.goes_back": "ti4/69.3_status_phase.play",
    "hint ti4.note_returns.costs_a_token": "ti4/malevolency.play",
    "hint ti4.slips.stays_home": "ti4/69.3_slip_undone_after_a_gain.play",
    "hint ti4.take_back.unanswered": "ti4/94.4.1_take_back_lapsed.play",
    "hint ti4.note_shows.looked_at": "ti4/maban.play",
    "hint ti4.note_shows.hand_shown": "ti4/69.6_shown.play",
    "hint ti4.note_receipts.traded": "ti4/support_and_alliance.play",
    "hint ti4.notes.relic_gained": "ti4/22_what_a_note_costs.play",
    "hint ti4.notes.stays_with_planet": "ti4/terraform.play",
    "hint ti4.note_receipts.lies_there": "ti4/69.1_what_a_note_does.play",
    "hint ti4.note_receipts.took_effect": "ti4/black_ops.play",
    "hint ti4.note_receipts.took_effect_on_another": "ti4/black_ops.play",
    "hint ti4.pillage.goods_taken": "ti4/pillage_taken.play",
    "hint ti4.pillage.may_pillage": "ti4/pillage.play",
    "hint ti4.pillage.lie_in_wait": "ti4/lie_in_wait.play",
    "subject board": "ti4/support_and_alliance.play",
    "subject closing": "table/closing_makes_room.play",
    "subject confirm": "ti4/94.2_told_when_both_agree.play",
    "subject correction": "advciv/28.4_moderator.play",
    "subject deal": "advciv/28.1_nothing_binds.play",
    "subject departed": "pings/left_the_server.play",
    "subject declined": "advciv/28.1_nothing_binds.play",
    "subject evening": "table/an_evening.play",
    "subject follow-up": "ti4/69_set_by_the_host.play",
    "subject head": "audit/verify.play",
    "subject host": "table/paused.play",
    "subject headlines": "ti4/support_and_alliance.play",
    "subject gone-yes": "offers/gone_yes.play",
    "subject hidden-follow-up": "ti4/33.2_eliminated.play",
    "subject said": "words/said_in_the_channel.play",
    "card words.see_it_card": "words/said_in_the_channel.play",
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
