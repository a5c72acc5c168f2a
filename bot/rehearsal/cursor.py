"""A cursor over one line of a play, which takes words, quoted texts and patterns in turn."""

from __future__ import annotations

import re

from bot.rehearsal.script import ExactText, Pattern, Sought

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


class LineError(Exception):
    """Why a line is not understood, with the forms that would be."""

    def __init__(self, reason: str, forms: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.forms = forms


class Cursor:
    """A position in a line. Taking something moves past it and the blanks that follow."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.skip()

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    @property
    def rest(self) -> str:
        """The text not taken yet."""
        return self.text[self.at :]

    @property
    def at_end(self) -> bool:
        """Whether nothing follows but a comment: a ``#`` with a blank after it, and the rest."""
        return not self.rest or self.rest == "#" or self.rest.startswith("# ")

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Take what the pattern matches here; None if it does not match."""
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            self.skip()
        return match

    def taken(self, pattern: re.Pattern[str]) -> str:
        """Take what the pattern matches here, and return it; empty if it does not match."""
        match = self.take(pattern)
        return match.group() if match else ""

    def word(self, *words: str) -> str | None:
        """Take the first of the words that stands here as a whole word; None if none does."""
        for word in words:
            end = self.at + len(word)
            ends = self.text[end : end + 1].strip() == ""
            if ends and self.text.startswith(word, self.at):
                self.at = end
                self.skip()
                return word
        return None

    def quoted(self, what: str) -> str:
        """Take a text in double quotes. Raises `LineError` with ``what`` it is if there is none."""
        match = self.take(_QUOTED)
        if match is None:
            raise LineError(
                f"{what} must be in double quotes, but here is {self.rest or 'nothing'}.",
                (f'"{self.rest.strip(chr(34)) or what}"',),
            )
        # Three escapes: quote, backslash, new line. Any other backslash stays.
        escapes = {r"\"": '"', r"\\": "\\", r"\n": "\n"}
        return re.sub(r'\\["\\n]', lambda escape: escapes[escape.group()], match.group(1))

    def quoted_list(self, what: str) -> tuple[str, ...]:
        """Take texts in double quotes, separated by commas."""
        values = [self.quoted(what)]
        while self.rest.startswith(","):
            self.at += 1
            self.skip()
            values.append(self.quoted(what))
        return tuple(values)

    def text_or_pattern(self) -> Sought:
        """Take a text in double quotes, or a pattern between slashes."""
        if not self.rest.startswith("/"):
            return ExactText(self.quoted("The text"))
        # Up to the last slash, so that slashes in the pattern need no backslash.
        end = self.text.rfind("/", self.at + 1)
        if end <= self.at + 1:
            raise LineError("The regular expression does not end.", ("sees /REGEX/",))
        pattern = self.text[self.at + 1 : end]
        try:
            re.compile(pattern)
        except re.error as error:
            raise LineError(f"This is not a regular expression: {error}.") from error
        self.at = end + 1
        self.skip()
        return Pattern(pattern)

    def end(self, forms: tuple[str, ...]) -> None:
        """Raise `LineError` unless the line ends here or a comment follows."""
        if not self.at_end:
            raise LineError(f"I don't understand {self.rest!r} at the end of this line.", forms)
