"""Check a game when it is loaded, for faults that would later break a table or the core's commands.

Each fault is one sentence for the operator. Discord limits the names, descriptions and number of
choices of slash commands. A game that exceeds a limit would break the core's commands too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from keyword import iskeyword
from typing import Any, get_args

from pydantic import PydanticUserError, TypeAdapter, ValidationError

from bot.rules.agreements import Agreements
from bot.rules.commands import Command
from bot.rules.entries import Entry
from bot.rules.feature import Features, SettingOption
from bot.rules.game import API, Game, GameInfo, Icon, SeatOption, Shape
from bot.rules.model.actions import Action
from bot.rules.model.codec import CUSTOM_ID_MAX, Codec, fields_of
from bot.rules.model.table import CORE_SETTINGS, GameState, Table, TableSettings
from bot.rules.views import STEPS_MAX
from data import Rule

RESERVED_IDS = frozenset(
    (
        "table",
        "seat",
        "holdings",
        "offer",
        "negotiation",
        "deal",
        "debt",
        "audit",
        "form",
        "privacy",
    )
)
"""The first parts of the names of the core's own entries, actions and commands."""

RESERVED_GROUPS = frozenset(
    {
        "table",
        "phase",
        "offer",
        "trade",
        "deal",
        "debt",
        "holdings",
        "negotiate",
        "history",
        "rules",
        "audit",
        "help",
        "privacy",
        "pings",
    }
)
"""The slash command groups of the core."""

CORE_TOPICS = frozenset({"offers", "quarrels"})
"""The topics of /help that the core has."""

OPTIONS_MAX, CHOICES_MAX, TEXT_MAX = 25, 25, 100
"""Discord's limits: options of a command, choices of an option, characters of a choice or a
description.
"""

LONGEST_PLACE = 18
"""The most characters of a custom_id before the kind of a command: the table's number is in it."""

_NAME = re.compile(r"[a-z0-9_-]{1,32}")
_ICON, _COLOUR = re.compile(r"[a-z0-9_]{2,32}"), re.compile(r"#[0-9a-fA-F]{6}")

_PARAMETERS = frozenset({"self", "interaction", "options"})
"""The other parameters of the function behind /table settings."""


def faults(game: Game, others: Sequence[Game], owner: Callable[[Game], str]) -> Iterator[str]:
    """Yield the faults of a game that runs beside these others, most important first; each is one
    sentence.

    ``owner`` names one of the others, with its package.
    """
    info = game.info
    if game.api != API:
        yield (
            f"it is for bot.api {game.api}, and this Bourse has {API}: install a version of one "
            "that fits the other."
        )
    if not _NAME.fullmatch(info.id):
        yield f"its id “{info.id}” should be 1 to 32 characters of a-z, 0-9, _ and -."
    if info.id in RESERVED_IDS:
        yield f"the id {info.id} is the core's."
    if not _is_text(info.name):
        yield f"its name should be a text of 1 to {TEXT_MAX} characters."
    if len(others) >= CHOICES_MAX:
        yield f"/table open would have more than {CHOICES_MAX} games."
    for other in others:  # all other names begin with the game's id
        if other.info.id == info.id:
            yield f"the id {info.id} is taken by {owner(other)}."
        if other.info.name.casefold() == info.name.casefold():
            yield f"the name “{info.name}” is taken by {owner(other)}."
        if clash := sorted(info.command_groups & other.info.command_groups):
            yield f"the command group /{clash[0]} is taken by {owner(other)}."
        if clash := sorted(
            {icon.name for icon in game.goods.icons} & {icon.name for icon in other.goods.icons}
        ):
            yield f"the icon {clash[0]} is taken by {owner(other)}."
    yield from _kinds(info.id, game.features)
    yield from _reads(info.id, game.features)
    for group in sorted(info.command_groups):
        if not _NAME.fullmatch(group):
            yield f"the command group “{group}” should be 1 to 32 characters of a-z, 0-9, _ and -."
    if clash := sorted(info.command_groups & RESERVED_GROUPS):
        yield f"the command group /{clash[0]} is the core's."
    yield from _settings(info, others)
    yield from _texts(info, others)
    yield from _functions(game)


# ---------------------------------------------------------------- entries and actions


def _kinds(id: str, features: Features) -> Iterator[str]:
    """Yield what is wrong with the kinds of entries, actions and commands, and with their names."""
    state: object = features.state
    kinds: Sequence[object] = features.entries
    if not isinstance(state, type) or not issubclass(state, GameState):
        yield "its state is not a subclass of GameState."
    for kind in kinds:
        if not isinstance(kind, type) or not issubclass(kind, Entry):
            yield f"{getattr(kind, '__name__', kind)} is not a subclass of Entry."
            continue
        if not hasattr(kind, "kind"):
            yield f'{kind.__name__} should say its kind, such as `kind = "{id}.bell"`.'
    for action in features.opens:
        if not issubclass(action, Action):
            yield f"{action.__name__} is not a subclass of Action."
            continue
        try:
            fields_of(action)
        except ValueError as fault:
            yield str(fault)
    pressed = [command for command in features.commands if command.kind]
    for command in pressed:
        yield from payload_faults(command)
        if not command.kind.startswith(f"{id}."):
            yield f"the kind of {command.__name__} should begin with “{id}.”."
    try:
        Codec(pressed, named_by="kind")
    except ValueError as fault:
        yield str(fault)
    names = [*(kind.kind for kind in features.entries), *(each.name for each in features.opens)]
    if outside := [name for name in names if not name.startswith(f"{id}.")]:
        yield f"{', '.join(outside)} should begin with “{id}.”."
    if len(set(names)) < len(names):
        yield "two of its entries or actions have one name."


def payload_faults(kind: type[Command]) -> Iterator[str]:
    """Yield why a button can't hold a command of this kind."""
    try:
        written = fields_of(kind, "kind")
    except ValueError as fault:
        yield str(fault)
    else:
        fields = sum(1 + field.longest for field in written)
        if len(kind.kind) + LONGEST_PLACE + fields > CUSTOM_ID_MAX:
            yield (
                f"{kind.__name__} has too many fields for a button, which holds {CUSTOM_ID_MAX} "
                "characters."
            )


def _reads(id: str, features: Features) -> Iterator[str]:
    """Yield what is wrong with the earlier versions that the entries read."""
    found = {(kind.kind, kind.model_fields["v"].default): kind for kind in features.entries}
    for kind in features.entries:
        for written, upgrade in vars(kind).get("reads", {}).items():
            match written:
                case (str(name), int(version)) if name.startswith(f"{id}.") and version > 0:
                    if other := found.get(written):
                        yield (
                            f"{kind.__name__} reads {name} (version {version}), which "
                            f"{other.__name__} does already."
                        )
                    found[written] = kind
                    if upgrade is not None and not callable(upgrade):
                        yield (
                            f"{kind.__name__} reads {name} (version {version}) with something that "
                            "is not a function."
                        )
                case _:
                    yield (
                        f"{kind.__name__} reads {written!r}, not a kind that begins with “{id}.” "
                        "and its v."
                    )


# ---------------------------------------------------------------- what is stored


def storage_faults(features: Features) -> Iterator[str]:
    """Yield which entries and states can't be written and read again as they were.

    This describes each of them as a JSON schema, which takes as long as a tenth of a start.
    """
    for kind in (*features.entries, features.state):
        try:
            adapter: TypeAdapter[Any] = TypeAdapter(kind)
            adapter.rebuild(raise_errors=True)  # it puts off what it can't resolve
            schema = adapter.json_schema()
        except NameError as error:
            yield (
                f"{kind.__name__} has a field of a type that is known to type checkers only: "
                f"import {error.name}."
            )
        except PydanticUserError as error:
            why = " ".join(error.message.split()).rstrip(".")
            yield f"{kind.__name__} has a field that can't be written to the ledger: {why}."
        else:
            yield from _read_again(kind.__name__, adapter, schema)


def _read_again(name: str, adapter: TypeAdapter[Any], schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield why a value, made up by the schema, is another one when it was written and read
    again.
    """
    try:
        value = adapter.validate_python(_example(schema, schema.get("$defs", {})))
    # the class may check more than its schema says; a wrong type is a fault
    except ValidationError as error:
        kinds = {each["type"] for each in error.errors()}
        if wrong := sorted(
            kind for kind in kinds if kind.endswith("_type") or kind == "is_instance_of"
        ):
            yield (
                f"{name} can't be read from the ledger: {error.errors()[0]['loc']} is refused as "
                f"{wrong[0]}."
            )
        return
    try:
        again = adapter.validate_json(adapter.dump_json(value))
    except (ValueError, TypeError) as error:
        yield f"{name} can't be written and read again ({' '.join(str(error).split())})."
    else:
        if again != value:
            yield f"{name} is not the same when it was written and read again."


def _example(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Any:
    """Return a value that fits a JSON schema, with one element in each list and mapping.

    Where a class holds more of itself, there is none.
    """
    match schema:
        case {"$ref": str(ref)}:
            name = ref.rpartition("/")[2]
            below = {other: each for other, each in defs.items() if other != name}
            return _example(defs[name], below)
        case {"items": {"$ref": str(ref)}} if ref.rpartition("/")[2] not in defs:
            return []
        case {"anyOf": [{"$ref": str(ref)}, *others]} if ref.rpartition("/")[2] not in defs:
            return _example({"anyOf": others}, defs)
        case {"additionalProperties": {"$ref": str(ref)}} if ref.rpartition("/")[2] not in defs:
            return {}
        case {"const": value} | {"enum": [value, *_]}:
            return value
        case {"anyOf": [first, *_]} | {"oneOf": [first, *_]} | {"allOf": [first, *_]}:
            return _example(first, defs)
        case {"type": "object", "properties": properties}:
            return {name: _example(each, defs) for name, each in properties.items()}
        case {"type": "object", "additionalProperties": Mapping() as each}:
            return {
                _example(schema.get("propertyNames", {"type": "string"}), defs): _example(
                    each, defs
                )
            }
        case {"type": "array", "prefixItems": items}:
            return [_example(each, defs) for each in items]
        case {"type": "array", "items": each}:
            return [_example(each, defs)]
        case {"type": kind}:
            return {
                "string": "red",
                "integer": 1,
                "number": 0.5,
                "boolean": True,
                "object": {},
                "array": [],
            }.get(kind)
        case _:
            return None


# ---------------------------------------------------------------- facts and functions


def _settings(info: GameInfo, others: Sequence[Game]) -> Iterator[str]:
    """Yield what is wrong with the phases and the table settings."""
    if not info.phases:
        yield "it has no phases."
    elif not _distinct_texts(info.phases):
        yield f"its phases should be distinct texts of 1 to {TEXT_MAX} characters."
    for name in ("own_phases", "phase_titles"):
        if unknown := sorted({*getattr(info, name)}.difference(info.phases)):
            yield f"{unknown[0]} is among its {name}, and not among its phases."
    for option in info.options:
        yield from _option(option, others)
    added = [option.name for option in info.options]
    yield from (
        f"it adds the setting {name} twice." for name, count in Counter(added).items() if count > 1
    )
    if unknown := sorted(info.settings.difference(CORE_SETTINGS, added)):
        yield f"the setting {unknown[0]} is neither the core's nor one that it adds."
    settings = {*CORE_SETTINGS, *added}
    for other in others:
        settings.update(option.name for option in other.info.options)
    if len(settings) > OPTIONS_MAX:
        yield f"/table settings would have more than {OPTIONS_MAX} options."


def _option(option: SettingOption, others: Sequence[Game]) -> Iterator[str]:
    name = option.name
    if (
        not _NAME.fullmatch(name)
        or not name.isidentifier()
        or iskeyword(name)
        or name in _PARAMETERS
    ):
        # Discord would take a hyphen or a first digit, but the option is a parameter of a Python
        # function.
        yield (
            f"the setting “{name}” should be 1 to 32 characters of a-z, 0-9 and _, and a name in "
            "Python."
        )
    if name in CORE_SETTINGS:
        yield f"the setting {name} is the core's."
    if not _is_text(option.description):
        yield f"the description of the setting {name} should have 1 to {TEXT_MAX} characters."
    if not 2 <= len(option.values) <= CHOICES_MAX or not _distinct_texts(option.values):
        yield (
            f"the setting {name} should have 2 to {CHOICES_MAX} distinct values of 1 to {TEXT_MAX} "
            "characters."
        )
    if option.first not in option.values and option.read is None:
        yield f"the setting {name} begins with a value that it does not have."
    values = {*option.values}
    for other in others:
        for theirs in other.info.options:
            if theirs.name == name:
                values.update(theirs.values)
    if len(values) > CHOICES_MAX:
        yield (
            f"the setting {name} would have more than {CHOICES_MAX} values with those of other "
            "games."
        )


def _texts(info: GameInfo, others: Sequence[Game]) -> Iterator[str]:
    if "start" not in info.help:
        yield "its help has no topic “start”."
    if not all(map(_is_text, info.help)) or not all(
        _is_text(text.partition("\n")[0]) for text in info.help.values()
    ):
        yield (
            f"the topics of its help, and their first lines, should have 1 to {TEXT_MAX} "
            "characters."
        )
    if len(CORE_TOPICS.union(info.help, *(other.info.help for other in others))) > OPTIONS_MAX:
        yield f"/help would have more than {OPTIONS_MAX} topics."
    rulebook: Any = info.rulebook()
    if not isinstance(rulebook, Mapping) or not all(
        isinstance(rule, Rule) and rule.number == number for number, rule in rulebook.items()
    ):
        yield "its rulebook is not a mapping from numbers to Rules."
    worth: Any = info.agreements
    if not isinstance(worth, Agreements) or not _is_text(worth.terms_hint):
        yield (
            f"its agreements should be Agreements with a hint for terms of 1 to {TEXT_MAX} "
            "characters."
        )
    elif worth.deals_bind and not (worth.deal.get("") and worth.unbreakable):
        yield (
            "its deals bind, and its agreements don't say so: the text for one that binds, and why "
            "it must be kept."
        )


PNG = b"\x89PNG"
"""The beginning of a PNG."""


def _functions(game: Game) -> Iterator[str]:
    """Yield what is wrong with the icons, the seats, and the board of a table that was just
    opened.
    """
    info, begins = game.info, f"{game.info.id.replace('-', '_')}_"
    icons: Iterable[object] = game.goods.icons
    for icon in icons:
        if (
            not isinstance(icon, Icon)
            or not _ICON.fullmatch(icon.name)
            or not icon.name.startswith(begins)
        ):
            yield (
                "an icon should be an Icon with a name of 2 to 32 characters of a-z, 0-9 and _, "
                f"after “{begins}”."
            )
        elif icon.shape not in (None, *get_args(Shape)) or not _COLOUR.fullmatch(icon.colour):
            yield (
                f"the icon {icon.name} has no shape or colour that can be drawn ({icon.shape}, "
                f"{icon.colour})."
            )
    seats: Iterable[object] = game.seats.every()
    if wrong := [
        seat
        for seat in seats
        if not isinstance(seat, SeatOption) or game.seats.find(seat.id) != seat
    ]:
        yield f"its seat {wrong[0]!r} is not a SeatOption that can be found by its id."
    table = Table(
        id=1,
        seq=1,
        game=info.id,
        name=info.name,
        host=1,
        open=True,
        phase=info.phases[0],
        state=game.features.state(),
        settings=TableSettings(options={option.name: option.values[0] for option in info.options}),
    )
    board = game.commands.board(table)
    if (count := len(board.buttons)) > STEPS_MAX:
        yield (
            f"its board has {count} buttons for next steps, and there is room for {STEPS_MAX}: use "
            "the menu."
        )
    if board.pictured and game.draw is None:
        yield (
            f"its board says what a picture shows ({board.pictured}), and nothing draws it: see "
            "`draw`."
        )
    elif (
        board.pictured
        and game.draw is not None
        and not game.draw(game.public(table)).startswith(PNG)
    ):
        yield "what draws the picture on its board returns no PNG."


def _distinct_texts(values: Collection[object]) -> bool:
    return all(map(_is_text, values)) and len(set(values)) == len(values)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= TEXT_MAX
