"""Forges interactions, as Discord might deliver them and as it should not.

Each is a payload of a kind that exists (a command, what is typed into one of its options, a press,
a choice, a form) in which something may be wrong. It is made from the commands and actions that are
registered, so that new ones are forged too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import chain
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from simcord.interactions import command_leaves

from bot.rules.commands import Command, Press
from bot.rules.model.codec import SEPARATOR
from bot.show.custom_ids import codec, commands

Json = dict[str, Any]

COMMAND, COMPONENT, TYPING, FORM = 2, 3, 4, 5
"""Discord's numbers for interactions."""

SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, NUMBER = 1, 2, 3, 4, 5, 6, 10
"""Discord's numbers for options."""

MESSAGE = 3
"""Discord's number for a message command."""

MESSAGE_PARTS: Json = {
    "id": "5",
    "channel_id": "5",
    "type": 0,
    "content": "",
    "attachments": [],
    "embeds": [],
    "mentions": [],
    "mention_roles": [],
    "mention_everyone": False,
    "pinned": False,
    "tts": False,
    "edited_timestamp": None,
    "timestamp": "2026-01-01T00:00:00+00:00",
    "flags": 1 << 15,
}
"""The parts of a message that discord.py needs."""

BUTTON, SELECT = 2, 3
"""Discord's numbers for components."""

NUMBERS = (
    *(0, -1, 1, 2, 3, 7, 99, 2**31, 2**53),
    *(2**63 - 1, 2**63, 2**64 - 1, -(2**63), 10**30),
)
TEXTS = (
    "",
    " ",
    "\n",
    "0",
    "-1",
    "99",
    "3 tg",
    "2 c, 1 tg",
    "-3 tg",
    "999999999999999999999 tg",
    "3" * 5000,
    "x" * 6000,
    "3 tg," * 1200,
    "<@1>",
    "<@99999999999999999999999999>",
    "<@0> <@!7>",
    "<person:1>",
    "<seat:sol>",
    "<t:1:R>",
    "@everyone",
    "`" * 50,
    "**_~~||",
    "\x00",
    "\x07\x1b[31m",
    "\u202eabc\u202c",
    "\u200b\u200d\ufeff",
    "e\u0301" * 40,
    "\U0001f469\u200d\U0001f680" * 30,
    "٣ tg",
    "² tg",
    "½",
    "1e9",
    "nan",
    "inf",
    "#40",
    "10m",
    "999999d",
    "#99999999999999999999",
    "sol",
    "hacan",
    "nowhere",
    "transaction",
    "offer",
    "ti4",
    "yes",
    "None",
    "true",
    "null",
    "../..",
    "'; --",
    "{}",
    "[]",
    "%s",
    "{0}",
    "\\",
    ":",
    "::::",
    "a:b",
    "yellow",
    "salt",
    "3 salt, 1 ochre",
    "grain",
    "plague",
)
TOKENS = (
    "trade_good",
    "commodity",
    "fragment:cultural",
    "relic:shard_of_the_throne",
    "planet:mecatol_rex",
    "note",
    "note:ceasefire:hacan",
    "note:ceasefire:sol",
    "note:trade_agreement:sol",
    "note:ceasefire:nowhere",
    "note:nothing:hacan",
    "note:ceasefire",
    "note:",
    "note:::",
    "commodity:salt",
    "commodity:ochre",
    "commodity:gold",
    "calamity:piracy",
    "calamity:salt",
    "claim:salt",
    "unnamed",
    "cards",
    "salt",
    "credits",
    "",
)
"""Components of one game or the other, and of none."""
NEVER = ("", ":", "nothing", "offer", "offer:", "x" * 100, "offer:1:1:1:dance", "\x00", None, 7)
"""What was never a custom_id of ours."""

ODD_SHAPES: tuple[Json, ...] = (
    {"context": 7},
    {"context": None},
    {"locale": "xx"},
    {"entitlements": None},
    {"channel": {"id": "5", "type": 99}},
    {"data": {}},
    {"data": {"name": "offer"}},
    {"data": {"custom_id": ["offer"], "component_type": 2}},
    {"data": {"custom_id": {}, "components": []}},
    {"data": None},
    {"message": {}},
    {"app_permissions": "x"},
)
"""Parts of a payload that are not as Discord describes them."""

ODD = (
    *(None, True, False, 1.5, 0, -1, 2**63),
    *([], {}, ["a"], {"a": 1}, "", "x" * 6000),
)
"""Values of types that do not belong there."""


def foreign(chance: random.Random) -> list[str]:
    """Return values such as a select of goods has, but of whichever game, and of copies that are
    not there.
    """
    some = chance.choices(TOKENS, k=chance.randrange(1, 4))
    return [
        f"{each}{chance.choice(('', '', '#0', '#1', '#99', '=1', '#x', '*2'))}" for each in some
    ]


@dataclass(frozen=True)
class Forged:
    """One interaction: its kind, its data, and what else of its payload is other than usual.

    ``impossible``: nobody may come to have recorded anything with it.
    """

    type: int
    data: Json
    changes: Mapping[str, Any] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    in_dm: bool = False
    impossible: bool = False
    what: str = ""


@dataclass
class Forger:
    """Makes interactions at random for the registered ``commands``, the people with these ids and
    their tables.
    """

    commands: Sequence[Json]
    users: Mapping[int, Json]
    chance: random.Random
    me: Json = field(default_factory=dict)
    "The bot, as a user."
    seen: Callable[[], Sequence[str]] = lambda: ()
    "The custom_ids that are to be seen at the moment, so that presses hit what is there too."

    def one(self) -> Forged:
        """Return the next interaction."""
        every = (self.command, self.typing, self.press, self.form, self.menu)
        make = self.chance.choices(every, (4, 3, 5, 2, 1))[0]
        return self._displaced(make())

    # ---------------------------------------------------------------- commands

    def command(self) -> Forged:
        """Return a command with values of all sorts."""
        path, leaf = self._leaf()
        options = [
            self._option(each)
            for each in leaf.get("options") or []
            if each.get("required") or self._maybe(0.5)
        ]
        return self._typed(COMMAND, path, self._bent(options))

    def typing(self) -> Forged:
        """Return what is asked for suggestions, mostly in an option that has them."""
        path, leaf = self._leaf()
        known = leaf.get("options") or []
        options = [self._option(each) for each in known if self._maybe(0.5)]
        asked = [each for each in known if each.get("autocomplete")] or known
        if asked:
            one = self._option(self.chance.choice(asked)) | {"focused": True}
            one["value"] = one["value"] if self._maybe(0.3) else str(one["value"])
            options = [each for each in options if each["name"] != one["name"]] + [one]
        if self._maybe(0.5):
            options = self._bent(options)
        return self._typed(TYPING, path, options)

    def _leaf(self) -> tuple[list[str], Json]:
        slash = [command for command in self.commands if command.get("type", 1) == 1]
        return self.chance.choice(list(chain.from_iterable(map(command_leaves, slash))))

    def _typed(self, type: int, path: Sequence[str], options: list[Any]) -> Forged:
        name, *below = path
        if self._maybe(0.02):
            below = self.chance.choice(([], [*below, "nowhere"], ["nowhere"]))
        if self._maybe(0.02):
            name = self.chance.choice(("nowhere", "", "offer", "x" * 6000))
        for place, word in enumerate(reversed(below)):
            options = [{"name": word, "type": GROUP if place else SUBCOMMAND, "options": options}]
        data: Json = {"id": "1", "name": name, "type": 1, "options": options}
        if self._maybe(0.02):
            data["type"] = self.chance.choice((2, 3, 4, 99))
        if self._maybe(0.02):
            data.pop("options")
        if self._maybe(0.9):
            data["resolved"] = {"users": dict(self._resolved()), "members": {}}
        return Forged(type, data, what=f"/{' '.join(path)}")

    def _option(self, option: Json) -> Json:
        value = self._value(option)
        return {"name": option["name"], "type": option["type"], "value": value}

    def _value(self, option: Json) -> Any:
        if self._maybe(0.05):
            return self.chance.choice(ODD)
        if (choices := option.get("choices")) and self._maybe(0.8):
            return self.chance.choice(choices)["value"]
        match option["type"]:
            case 3:
                return self.chance.choice(TEXTS)
            case 4 | 10:
                return self.chance.choice(NUMBERS)
            case 5:
                return self._maybe(0.5)
            case _:
                nobody = ["1", "0", "-1", str(2**63), str(2**64), "x", ""]
                return self.chance.choice([*map(str, self.users), *nobody])

    def _bent(self, options: list[Any]) -> list[Any]:
        """Return the options, now and then without one, with one twice, with one of another type or
        name.
        """
        if not options or self._maybe(0.8):
            return options
        one = self.chance.randrange(len(options))
        match self.chance.randrange(5):
            case 0:
                del options[one]
            case 1:
                options.append(options[one])
            case 2:
                type = self.chance.choice((*range(3, 12), 99))
                options[one] = options[one] | {"type": type}
            case 3:
                options[one] = options[one] | {"name": "nothing"}
            case _:
                options.append({"name": "more", "type": 3, "value": "more"})
        return options

    def _resolved(self) -> Iterator[tuple[str, Json]]:
        for id, user in self.users.items():
            if self._maybe(0.8):
                yield str(id), user

    def menu(self) -> Forged:
        """Return a user or message command, on somebody or something that is there, or is not."""
        menus = [command for command in self.commands if command.get("type", 1) != 1]
        one = self.chance.choice(menus)
        nobody = ["1", "x", "", None, 7]
        who = self.chance.choice([*map(str, self.users), *nobody])
        kind = one["type"] if self._maybe(0.9) else self.chance.choice((2, 3, 4, "2", None))
        data: Json = {"id": "1", "name": one["name"], "type": kind, "target_id": who}
        data["resolved"] = {"users": dict(self._resolved()), "members": {}}
        if one["type"] == MESSAGE or self._maybe(0.1):
            data["target_id"] = who = self.chance.choice(("5", "6", who))
            author = self.chance.choice([self.me, *self.users.values(), {"id": "1"}])
            custom_id, _ = self._custom_id()
            row = {
                "type": 1,
                "components": [{"type": 2, "style": 1, "label": "x", "custom_id": custom_id}],
            }
            components = self.chance.choice(
                ([row], [{"type": 17, "components": [row]}], [], [row, row], None)
            )
            data["resolved"]["messages"] = {
                "5": {**MESSAGE_PARTS, "author": author, "components": components}
            }
        if self._maybe(0.1):
            data.pop(self.chance.choice(list(data)))
        if self._maybe(0.05):
            # SimCord reads the others
            data["resolved"] = self.chance.choice((None, {}, {"users": None}))
        return Forged(COMMAND, data, what=str(one["name"]))

    # ---------------------------------------------------------------- components and forms

    def press(self) -> Forged:
        """Return a press or a choice: of what is there, of what might be, of what never was."""
        custom_id, impossible = self._custom_id()
        kind = self.chance.choice((BUTTON, BUTTON, SELECT, SELECT, 5, 99))
        data: Json = {"custom_id": custom_id, "component_type": kind}
        if self._maybe(0.7):
            lists: Sequence[Any] = (
                [],
                ["7"],
                ["a", "b"],
                self._texts(3),
                ["1"] * 30,
                [1, None],
                ["sol"],
            )
            data["values"] = self.chance.choice((*lists, *[foreign(self.chance)] * 5))
        return Forged(COMPONENT, data, impossible=impossible, what=str(custom_id)[:100])

    def form(self) -> Forged:
        """Return a form with fields that it has, lacks, or never had."""
        custom_id, impossible = self._custom_id()
        data: Json = {"custom_id": custom_id, "components": self._fields()}
        return Forged(FORM, data, impossible=impossible, what=str(custom_id)[:100])

    def _fields(self) -> list[Any]:
        names = (
            "give",
            "give_also",
            "want",
            "want_also",
            "terms",
            "note",
            "goods",
            "cards",
            "more",
            "calamities",
            "hand",
            "pool",
            "mining",
            "cities",
            "reason",
            "x" * 120,
            "",
        )
        rows: list[Any] = []
        for _ in range(self.chance.randrange(7)):
            one: Json = {
                "type": 4,
                "custom_id": self.chance.choice(names),
                "value": self.chance.choice(TEXTS),
            }
            match self.chance.randrange(10):
                case 8 | 9:  # radio buttons
                    kinds = ("none", "later", "now", "both", "card", "dance", "", None, ["now"], 7)
                    one = {"type": 21, "custom_id": "kind", "value": self.chance.choice(kinds)}
                case 0:
                    one = {"type": 3, "custom_id": one["custom_id"], "values": self._texts(3)}
                case 5:
                    one = {"type": 3, "custom_id": one["custom_id"], "values": foreign(self.chance)}
                case 1:
                    one = {
                        "type": 3,
                        "custom_id": one["custom_id"],
                        "values": self.chance.choice(ODD),
                    }
                case 2:
                    one.pop("value")
                case 3:
                    one["value"] = self.chance.choice(ODD)
                case 4:
                    one.pop("custom_id")
            rows.append(
                self.chance.choice(
                    (
                        {"type": 18, "component": one},
                        {"type": 18, "component": one},
                        {"type": 1, "components": [one]},
                        {"type": 1, "components": []},
                        {"type": 18},
                        {"type": 10, "content": "text"},
                    )
                )
            )
        return rows

    def _custom_id(self) -> tuple[Any, bool]:
        """Return a custom_id, and whether what it names can't be there."""
        seen = self.seen()
        if seen and self._maybe(0.35):
            return self.chance.choice(seen), False
        if self._maybe(0.1):
            return self.chance.choice(NEVER), True
        kinds: Mapping[str, type] = codec().kinds
        if self._maybe(0.5):
            kinds = commands().kinds
        name, kind = self.chance.choice(list(kinds.items()))
        hints = get_type_hints(kind)
        every = [each.name for each in fields(kind)]
        elsewhere = (issubclass(kind, Command) or "table" in hints) and self._maybe(0.3)
        table = None
        if elsewhere:
            others = [number for number in NUMBERS if number not in (1, 2)]
            table = str(self.chance.choice(others))
        texts = [
            table if each == "table" and table else self.field_text(hints[each]) for each in every
        ]
        if issubclass(kind, Command):
            texts = [table or self.field_text(int), name, *texts]
            name = Press.name
        return SEPARATOR.join((name, *texts)), elsewhere

    def field_text(self, hint: object) -> str:
        """Return the text of a custom_id's field: of the type that it has, or not."""
        if self._maybe(0.05):
            odd = ("", "x", "-0", "007", "1_0", "٣", " 1", "9" * 60)
            return self.chance.choice(odd)
        if NoneType in get_args(hint):
            return "" if self._maybe(0.3) else self.field_text(get_args(hint)[0])
        if get_origin(hint) is Literal:
            return str(self.chance.choice(get_args(hint)))
        if hint is bool:
            return self.chance.choice("01")
        if hint is str:
            texts = (
                "sol",
                "hacan",
                "",
                "nowhere",
                "x" * 40,
                "\u202e",
                "1",
                "give",
                "want",
                *foreign(self.chance),
            )
            return self.chance.choice(texts).replace("%", "%25").replace(SEPARATOR, "%3A")
        return str(self.chance.choice((1, 1, 1, 2, 3, *NUMBERS)))

    def _texts(self, most: int) -> list[str]:
        count = self.chance.randrange(most + 1)
        return self.chance.choices(TEXTS, k=count)

    # ---------------------------------------------------------------- where it comes from

    def _displaced(self, made: Forged) -> Forged:
        """Return it, now and then as if it came from a DM, a group, another server or nowhere."""
        if self._maybe(0.75):
            return made
        match self.chance.randrange(9):
            case 0 | 1:
                return self._at(made, "in a DM", in_dm=True)
            case 2:
                group = {
                    "id": "77",
                    "type": 3,
                    "recipients": [],
                    "name": "group",
                    "last_message_id": None,
                }
                return self._at(
                    made,
                    "in a group",
                    {"channel": group, "channel_id": "77", "context": 2},
                    in_dm=True,
                )
            case 3:
                return self._at(
                    made, "from another server", {"guild_id": "4242"}, missing=("channel",)
                )
            case 4:
                return self._at(
                    made,
                    "from an unknown channel",
                    {"channel_id": str(2**63)},
                    missing=("channel",),
                )
            case 5:
                return self._at(made, "from no channel", missing=("channel", "channel_id"))
            case 6:
                return self._at(made, "without its message", missing=("message",))
            case 7:
                return self._at(made, "from no member", missing=("member",))
            case _:
                return self._at(made, "of an odd shape", self.chance.choice(ODD_SHAPES))

    def _at(
        self,
        made: Forged,
        where: str,
        changes: Mapping[str, Any] | None = None,
        *,
        missing: tuple[str, ...] = (),
        in_dm: bool = False,
    ) -> Forged:
        return Forged(
            made.type,
            made.data,
            changes or {},
            missing,
            in_dm,
            made.impossible,
            f"{made.what} {where}",
        )

    def _maybe(self, share: float) -> bool:
        return self.chance.random() < share
