"""A cursor over one line of a play: takes words, quoted texts and patterns from it, one after the other."""

from __future__ import annotations

import re

from bot.rehearsal.script import Pattern, Sought, Text

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


class Misread(Exception):
    """Why a line is not understood, and what would have been; whoever reads the play adds where it stands."""

    def __init__(self, why: str, understood: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.why = why
        self.understood = understood


class Cursor:
    """See the module. What it takes, and the blanks after it, are behind it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.skip()

    def skip(self) -> None:
        """Go past blanks."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    @property
    def rest(self) -> str:
        """What is not taken yet."""
        return self.text[self.at :]

    @property
    def ended(self) -> bool:
        """Nothing follows but a comment, which is a lone ``#`` and what comes after it."""
        return not self.rest or self.rest == "#" or self.rest.startswith("# ")

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Take what the pattern finds right here."""
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
            self.skip()
        return match

    def word(self, *words: str) -> str | None:
        """Take one of the words, where it stands as a whole word."""
        for word in words:
            end = self.at + len(word)
            if self.text.startswith(word, self.at) and not self.text[end : end + 1].strip():
                self.at = end
                self.skip()
                return word
        return None

    def quoted(self, what: str) -> str:
        """Take a text in double quotes; ``what`` it is, is told where none stands."""
        match = self.take(_QUOTED)
        if match is None:
            raise Misread(
                f"{what} stands in double quotes, and here stands {self.rest or 'nothing'}.",
                (f'"{self.rest.strip(chr(34)) or what}"',),
            )
        return _unescaped(match.group(1))

    def quoted_list(self, what: str) -> tuple[str, ...]:
        """Take texts in double quotes, with commas between."""
        values = [self.quoted(what)]
        while self.rest.startswith(","):
            self.at += 1
            self.skip()
            values.append(self.quoted(what))
        return tuple(values)

    def sought(self) -> Sought:
        """Take what is looked for: a text in double quotes, or a pattern between slashes."""
        if not self.rest.startswith("/"):
            return Text(self.quoted("The text"))
        # To the last slash, so that a slash inside needs no backslash.
        end = self.text.rfind("/", self.at + 1)
        if end <= self.at + 1:
            raise Misread("The regular expression does not end.", ("sees /REGEX/",))
        pattern = self.text[self.at + 1 : end]
        try:
            re.compile(pattern)
        except re.error as error:
            raise Misread(f"This is no regular expression: {error}.") from error
        self.at = end + 1
        self.skip()
        return Pattern(pattern)

    def end(self, understood: tuple[str, ...]) -> None:
        """Have the line end here, except for a comment."""
        if not self.ended:
            raise Misread(f"What is {self.rest!r} at its end?", understood)


def _unescaped(text: str) -> str:
    """Resolve the three escapes: a quote, a backslash and a new line. Any other backslash is a backslash."""
    return re.sub(r'\\(["\\n])', lambda match: "\n" if match.group(1) == "n" else match.group(1), text)
