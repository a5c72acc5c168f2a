"""The kinds of messages that players read, from the code itself, and those that a play sends.

A kind is a public function of `bot.show` named ``…_card`` (``card notices.declined_card``), a place
in the rules that asks or tells one person something (``prompt ti4.pillage.prompts``, ``hint
ti4.pillage.hints``), or a subject of delivery (``subject declined``). A play sends a kind if one of
its requests has all the text of such a card.
"""

from __future__ import annotations

import ast
import pkgutil
import re
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, wraps
from importlib import import_module
from importlib.metadata import entry_points
from inspect import isfunction
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

from bot import show
from bot.delivery.desired import SUBJECTS, Desired, NegotiationThread, Replaced
from bot.rules.views import FollowUpView, PromptView
from bot.show.cards import Card
from bot.show.results import follow_ups_of

ROOT = Path(__file__).parents[2]

OF_ONE_PERSON = {"PromptView": "prompt", "FollowUpView": "hint"}
"""What a feature makes to ask or tell one person something."""

MADE_OF = {"prompt_card": PromptView, "follow_up_card": FollowUpView}
"""The cards that show it."""

NO_MESSAGES = (NegotiationThread, Replaced)
"""Subjects without a card: a thread, and an old message that only loses its buttons."""


@cache
def kinds() -> frozenset[str]:
    """Every kind of message there is."""
    subjects = {f"subject {kind.name}" for kind in SUBJECTS if kind not in NO_MESSAGES}
    return frozenset({*_cards(), *_places().values(), *subjects})


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
def _places() -> dict[tuple[str, int], str]:
    """Return the kind that is made in each line of the rules where one is."""
    found: dict[tuple[str, int], str] = {}
    for path in sorted((ROOT / "bot").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(f"{name}(" in text for name in OF_ONE_PERSON):
            continue
        module = (
            ".".join(path.relative_to(ROOT).with_suffix("").parts)
            .removeprefix("bot.")
            .removeprefix("games.")
        )
        for function in ast.walk(ast.parse(text)):
            if isinstance(function, ast.FunctionDef):
                calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
                made = [(call, call.func.id) for call in calls if isinstance(call.func, ast.Name)]
                made = sorted(
                    (each for each in made if each[1] in OF_ONE_PERSON),
                    key=lambda each: each[0].lineno,
                )
                for number, (call, name) in enumerate(made, start=1):
                    kind = (
                        f"{OF_ONE_PERSON[name]} {module}.{function.name}"
                        f"{f' {number}' if len(made) > 1 else ''}"
                    )
                    lines = range(call.lineno, (call.end_lineno or call.lineno) + 1)
                    found |= {(str(path), line): kind for line in lines}
    return found


# ---------------------------------------------------------------- what a play sends


@dataclass
class Made:
    """What was made in a play: for each kind the texts of its cards, and where a prompt or hint
    comes from.
    """

    texts: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    places: dict[int, tuple[object, str]] = field(default_factory=dict)

    def card(self, kind: str, card: object) -> None:
        if isinstance(card, Card):
            pieces = (
                piece.strip()
                for block in card.blocks
                for piece in re.split(r"<icon:[^>]*>|</?at[^>]*>", block)
            )
            self.texts.add((kind, tuple(filter(None, pieces))))

    def sent(self, bodies: Collection[str]) -> frozenset[str]:
        """Return the kinds of which all the text is in one of these messages."""
        return frozenset(
            kind
            for kind, pieces in self.texts
            if any(all(piece in body for piece in pieces) for body in bodies)
        )


@contextmanager
def noting(made: Made) -> Iterator[None]:
    """Note each card, prompt, hint and desired message that is made meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        for kind, plain, places in _card_functions():
            noting = _noting_card(made, kind, plain)
            for module in places:
                patch.setattr(module, plain.__name__, noting)
        for view in MADE_OF.values():
            patch.setattr(view, "__init__", _noting_place(made, view.__init__))
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
        shown = [each for each in args if isinstance(each, MADE_OF.get(plain.__name__, ()))]
        if plain.__name__ == "result_card":  # a receipt has hints as lines
            shown = follow_ups_of(args[1], args[0].seat or "", in_receipt=True)
        for each in shown:
            if id(each) in made.places:
                made.card(made.places[id(each)][1], result)
        return result

    return card


def _noting_place(made: Made, plain: Callable[..., None]) -> Callable[..., None]:
    def init(self: object, *args: Any, **options: Any) -> None:
        plain(self, *args, **options)
        caller = sys._getframe(1)
        if kind := _places().get((caller.f_code.co_filename, caller.f_lineno)):
            made.places[id(self)] = (self, kind)

    return init


def _noting_subject(made: Made, plain: Callable[..., None]) -> Callable[..., None]:
    def init(self: Desired, *args: Any, **options: Any) -> None:
        plain(self, *args, **options)
        made.card(f"subject {self.subject.name}", self.card)

    return init


# ---------------------------------------------------------------- which play shows which

USED_IN = {
    "board-player": "ti4/94.1_table_show.play",
    "browse": "offers/counter_to_all.play",
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
    "card board.board_card": "ti4/support_and_alliance.play",
    "card board.closed_card": "table/closing_makes_room.play",
    "card board.closing_card": "table/closing_makes_room.play",
    "card board.paused_card": "table/paused.play",
    "card board.table_card": "ti4/board_menu.play",
    "card cards.text_card": "ti4/support_and_alliance.play",
    "card deals.deal_card": "advciv/28.1_nothing_binds.play",
    "card deals.deals_card": "advciv/28.1_nothing_binds.play",
    "card debts.debts_card": "ti4/28.4_debt_owed_and_paid.play",
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
    "card guide.no_table_card": "table/set_up_by_command.play",
    "card guide.rule_card": "ti4/support_and_alliance.play",
    "card guide.topic_card": "table/help.play",
    "card guide.version_card": "table/help.play",
    "card hand_drafts.hand_draft_card": "advciv/28.3_composing_by_buttons.play",
    "card hand_over.accepted_card": "advciv/28.3_sealed_taker.play",
    "card hand_over.hand_over_card": "advciv/28.1_nothing_binds.play",
    "card menu.change_setting_card": "ti4/board_menu.play",
    "card menu.free_seat_card": "ti4/board_menu.play",
    "card board.said_card": "table/say_it.play",
    "card menu.own_said_card": "table/say_it.play",
    "card menu.host_card": "ti4/board_menu.play",
    "card menu.menu_card": "ti4/board_menu.play",
    "card menu.my_goods_card": "ti4/support_and_alliance.play",
    "card menu.phase_card": "ti4/94.1_board_taps.play",
    "card menu.seats_card": "ti4/board_menu.play",
    "card menu.settings_card": "ti4/board_menu.play",
    "card menu.undo_card": "ti4/board_menu.play",
    "card notices.backed_out_card": "advciv/28.3_sealed_taker_leaves_one.play",
    "card notices.declined_card": "advciv/28.1_nothing_binds.play",
    "card notices.follow_up_card": "ti4/69_set_by_the_host.play",
    "card notices.shared_prompt_card": "advciv/27.1_closed_dms.play",
    "card notices.news_card": "ti4/support_and_alliance.play",
    "card notices.notice_card": "ti4/92_trade_by_buttons.play",
    "card notices.pings_card": "pings/muted.play",
    "card notices.prompt_card": "ti4/support_and_alliance.play",
    "card notices.replaced_card": "pings/asked_again.play",
    "card notices.settled_card": "advciv/27.1_closed_dms.play",
    "card notices.undelivered_card": "advciv/27.1_closed_dms.play",
    "card notices.welcome_card": "table/first_minute.play",
    "card notices.withdrawn_card": "offers/back_out.play",
    "card notices.lapsed_card": "offers/lapsed.play",
    "card notices.taken_too_card": "advciv/28.1_a_second_agree.play",
    "card offer_cards.accept_card": "ti4/94.2_told_when_both_agree.play",
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
    "prompt rules.visibility._kept_prompt": "ti4/28.4_promise_with_an_end.play",
    "prompt rules.visibility._match_prompt": "advciv/market_list.play",
    "prompt ti4.hand_limit.prompts": "ti4/2.4_hand_limit.play",
    "prompt ti4.neighbors.prompts": "ti4/94_note_3_not_so.play",
    "prompt ti4.pillage.prompts": "ti4/1.14_pillage_cant_be_dodged.play",
    "prompt ti4.requests.prompts": "ti4/support_and_alliance.play",
    "prompt ti4.settling.asked": "ti4/pillage_not_so.play",
    "prompt ti4.take_back.prompts": "ti4/94.4.1_take_back.play",
    "prompt ti4.trade_agreements.prompts": "ti4/dark_pact_by_an_agreement.play",
    "hint advciv.drawing.follow_ups": "advciv/27.1_closed_dms.play",
    "hint advciv.losing.follow_ups": "advciv/28.4_moderator.play",
    "hint advciv.taking.follow_ups 1": "advciv/27.1_closed_dms.play",
    "hint advciv.taking.follow_ups 2": "advciv/28.4_moderator.play",
    "hint advciv.trading.follow_ups": "advciv/27.1_fewer_typed_than_cities.play",
    "hint advciv.trade.follow_ups": "advciv/28.3_sealed_then_lost.play",
    "hint ti4.departures.notes_moved": "ti4/33.2_eliminated.play",
    "hint ti4.holdings.hints": "ti4/69_set_by_the_host.play",
    "hint ti4.note_gifts.hints": "ti4/69.5.1_in_play.play",
    "hint ti4.note_returns.reminders 1": "ti4/69.3_status_phase.play",
    "hint ti4.note_returns.reminders 2": "ti4/malevolency.play",
    "hint ti4.note_shows.hints 1": "ti4/maban.play",
    "hint ti4.note_shows.hints 2": "ti4/69.6_shown.play",
    "hint ti4.notes.hints 1": "ti4/support_and_alliance.play",
    "hint ti4.notes.hints 2": "ti4/22_what_a_note_costs.play",
    "hint ti4.notes.hints 3": "ti4/terraform.play",
    "hint ti4.notes.lies_there": "ti4/69.1_what_a_note_does.play",
    "hint ti4.notes.took_effect 1": "ti4/black_ops.play",
    "hint ti4.notes.took_effect 2": "ti4/black_ops.play",
    "hint ti4.pillage.hints": "ti4/pillage_taken.play",
    "hint ti4.pillage._offered": "ti4/pillage.play",
    "hint ti4.pillage._lie_in_wait": "ti4/lie_in_wait.play",
    "subject board": "ti4/support_and_alliance.play",
    "subject closing": "table/closing_makes_room.play",
    "subject confirm": "ti4/94.2_told_when_both_agree.play",
    "subject correction": "advciv/28.4_moderator.play",
    "subject deal": "advciv/28.1_nothing_binds.play",
    "subject declined": "advciv/28.1_nothing_binds.play",
    "subject evening": "table/an_evening.play",
    "subject follow-up": "ti4/69_set_by_the_host.play",
    "subject head": "audit/verify.play",
    "subject host": "table/paused.play",
    "subject headlines": "ti4/support_and_alliance.play",
    "subject gone-yes": "offers/gone_yes.play",
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
