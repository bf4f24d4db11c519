"""Shell text → operators and words in parts, with their offsets. Nothing is expanded here."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from knockon.manifests.template import MASK
from knockon.manifests.tokens import Body, Literal, Operator, Param, Part, Raw, Token
from knockon.manifests.written import Written
from knockon.terms.errors import IntakeError, LimitExceeded, Problem
from knockon.terms.limits import COMMAND_ARGUMENTS_MAX, COMMAND_TEXT_MAX, SCRIPT_DEPTH_MAX, SCRIPT_WORDS_MAX

# Longest first, so that `&&` is not read as two `&`.
_OPERATOR = re.compile(r"&>>|<<<|<<-|;;&|&&|\|\||;;|;&|\|&|&>|>>|>&|>\||<<|<&|<>|[;&|><()\n]")
_BLANKS = re.compile(r"(?:[ \t\f\v\r]|\\\r?\n)+")
_PLAIN = re.compile(rf"[^ \t\r\f\v\n\\'\"$`;&|<>(){MASK}]+")
_IN_DOUBLE = re.compile(rf'[^"\\$`{MASK}]+')
_IN_HEREDOC = re.compile(rf"[^\\$`{MASK}]+")
_SEPARATORS = re.compile(r"[ \t\r\n\f\v;&|<>()]+")
_MASKED = re.compile(f"{MASK}+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
_BRACED = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*])(?P<items>\[[@*]\])?(?P<operator>:?[-=+?])?")
_ARRAY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")

_HEREDOCS = frozenset({"<<", "<<-"})
_ESCAPED_IN_DOUBLE = '$`"\\\n'


def tokens_of(script: Written) -> list[Token]:
    """Every word and operator of a script in order.

    Raises:
        IntakeError: a quote or bracket that is not closed.
        LimitExceeded: too much text or too many words.
    """
    if len(script.text) > COMMAND_TEXT_MAX:
        found = len(script.text)
        raise LimitExceeded("the text of the script", limit=COMMAND_TEXT_MAX, found=found, at=script.at(0))
    return _Lexer(script).tokens()


@dataclass(slots=True)
class _Waiting:
    """A `<<` whose lines have not begun yet."""

    operator: Operator
    delimiter: str = ""
    is_quoted: bool = False


@dataclass
class _Lexer:
    script: Written
    offset: int = 0
    depth: int = 0
    found: list[Token] = field(default_factory=list)
    waiting: list[_Waiting] = field(default_factory=list)

    def tokens(self) -> list[Token]:
        while self._to_word():
            token = self._token()
            self.found.append(token)
            if len(self.found) > SCRIPT_WORDS_MAX:
                limit, at = SCRIPT_WORDS_MAX, self.script.at(token.start)
                raise LimitExceeded("the number of words of the script", limit=limit, at=at, fix="split the file")
        return self.found

    def _token(self) -> Token:
        text = self.script.text
        operator = _OPERATOR.match(text, self.offset)
        if operator is None:
            return self._word()
        held = Operator(operator[0], self.offset)
        self.offset = operator.end()
        if held.text in _HEREDOCS:
            self.waiting.append(_Waiting(held))
        elif held.text == "\n" and self.waiting:
            self._bodies()
        return held

    def _to_word(self) -> bool:
        """Skip blanks, joined lines and comments; false at the end."""
        text = self.script.text
        while self.offset < len(text):
            blanks = _BLANKS.match(text, self.offset)
            if blanks is not None:
                self.offset = blanks.end()
            elif text[self.offset] == "#":
                end = text.find("\n", self.offset)
                self.offset = end if end >= 0 else len(text)
            else:
                return True
        return False

    def _word(self) -> Raw:
        text, start = self.script.text, self.offset
        parts: list[Part] = []
        while self.offset < len(text):
            plain = _PLAIN.match(text, self.offset)
            if plain is not None:
                parts.append(Literal(self.offset, plain.end(), plain[0], is_quoted=False))
                self.offset = plain.end()
                continue
            character = text[self.offset]
            if character in " \t\r\f\v" or _OPERATOR.match(text, self.offset):
                break
            parts += self._part(character)
        items = None
        if text.startswith("(", self.offset) and _ARRAY.fullmatch(text, start, self.offset):
            items = self._items()
        raw = Raw(start, self.offset, tuple(parts), items)
        if self.waiting and not self.waiting[-1].delimiter:
            last = self.waiting[-1]
            last.delimiter = text[start : self.offset].replace("'", "").replace('"', "").replace("\\", "")
            last.is_quoted = any(mark in text[start : self.offset] for mark in "'\"\\")
        return raw

    def _part(self, character: str) -> list[Part]:
        """What starts with a quote, a backslash, a dollar or a mark of a template."""
        start = self.offset
        if character == "'":
            return [self._single_quoted()]
        if character == '"':
            return self._double_quoted()
        if character == "\\":
            return self._escaped(is_quoted=False)
        if character == "$" and self.script.text.startswith(("$'", '$"'), start):
            self.offset += 1
            return self._part(self.script.text[self.offset])
        return [self._replaced(is_quoted=False)]

    def _escaped(self, *, is_quoted: bool) -> list[Part]:
        text, start = self.script.text, self.offset
        if text.startswith("\\\r\n", start):
            self.offset += 3
            return []
        escaped = text[start + 1 : start + 2]
        self.offset += 2
        if escaped == "\n":
            return []
        if is_quoted and (not escaped or escaped not in _ESCAPED_IN_DOUBLE):
            self.offset = start + 1
            return [Literal(start, start + 1, "\\", is_quoted=True)]
        return [Literal(start + 1, start + 2, escaped, is_quoted=True)] if escaped else []

    def _single_quoted(self) -> Literal:
        start = self.offset
        end = self.script.text.find("'", start + 1)
        if end < 0:
            raise self._open("'", start)
        self.offset = end + 1
        return Literal(start + 1, end, self.script.text[start + 1 : end], is_quoted=True)

    def _double_quoted(self) -> list[Part]:
        text, start = self.script.text, self.offset
        parts: list[Part] = [Literal(start + 1, start + 1, "", is_quoted=True)]
        self.offset += 1
        while self.offset < len(text):
            run = _IN_DOUBLE.match(text, self.offset)
            if run is not None:
                parts.append(Literal(self.offset, run.end(), run[0], is_quoted=True))
                self.offset = run.end()
            elif text[self.offset] == '"':
                self.offset += 1
                return parts[1:] if len(parts) > 1 else parts
            elif text[self.offset] == "\\":
                parts += self._escaped(is_quoted=True)
            else:
                parts.append(self._replaced(is_quoted=True))
        raise self._open('"', start)

    def _replaced(self, *, is_quoted: bool) -> Part:
        """A `$…`, a backquote or a part of a template; a lone dollar stands for itself."""
        text, start = self.script.text, self.offset
        masked = _MASKED.match(text, start)
        if masked is not None:
            self.offset = masked.end()
            return Param(start, self.offset, "template", is_quoted)
        if text[start] == "`":
            end = text.find("`", start + 1)
            self.offset = end + 1 if end >= 0 else len(text)
            return Param(start, self.offset, "unknown", is_quoted)
        if text.startswith("$(", start):
            self.offset = self._closing(start + 1)
            if text.startswith("$((", start) and text.startswith("))", self.offset - 2):
                return Param(start, self.offset, "arithmetic", is_quoted, text[start + 3 : self.offset - 2])
            return Param(start, self.offset, "unknown", is_quoted)
        if text.startswith("${", start):
            return self._braced(is_quoted=is_quoted)
        name = _NAME.match(text, start + 1)
        if name is None:
            self.offset = start + 1
            return Literal(start, start + 1, text[start], is_quoted)
        self.offset = name.end()
        return Param(start, self.offset, "variable", is_quoted, name[0], is_items=name[0] == "@")

    def _braced(self, *, is_quoted: bool) -> Param:
        text, start = self.script.text, self.offset
        end = self._closing(start + 1)
        head = _BRACED.match(text, start + 2, end - 1)
        self.offset = end
        if head is None:
            return Param(start, end, "unknown", is_quoted)
        rest: tuple[Part, ...] = ()
        operator = head["operator"] or ""
        if operator:
            rest = self._inside(head.end(), end - 1, is_quoted=is_quoted)
        elif head.end() != end - 1:
            operator = "other"
        items = head["items"] == "[@]" or head["name"] == "@"
        self.offset = end
        return Param(start, end, "variable", is_quoted, head["name"], operator, rest, items)

    def _inside(self, start: int, end: int, *, is_quoted: bool) -> tuple[Part, ...]:
        """The parts of what stands behind the operator in braces."""
        if self.depth >= SCRIPT_DEPTH_MAX:
            limit = SCRIPT_DEPTH_MAX
            raise LimitExceeded("the nesting of variables", limit=limit, at=self.script.at(start))
        inner = _Lexer(self.script.cut(start, end), 0, self.depth + 1)
        return _shifted(inner.quoted() if is_quoted else inner.unquoted(), start)

    def unquoted(self) -> tuple[Part, ...]:
        """The whole text as the inside of braces: operators and blanks are only characters there."""
        text = self.script.text
        parts: list[Part] = []
        while self.offset < len(text):
            blanks = _SEPARATORS.match(text, self.offset)
            if blanks is not None:
                parts.append(Literal(self.offset, blanks.end(), blanks[0], is_quoted=False))
                self.offset = blanks.end()
            else:
                parts += self._word().parts
        return tuple(parts)

    def quoted(self) -> tuple[Part, ...]:
        """The whole text as the inside of braces between double quotes."""
        text = self.script.text
        parts: list[Part] = []
        while self.offset < len(text):
            found = _IN_DOUBLE.match(text, self.offset)
            if found is not None:
                parts.append(Literal(self.offset, found.end(), found[0], is_quoted=True))
                self.offset = found.end()
            elif text[self.offset] == "\\":
                parts += self._escaped(is_quoted=True)
            elif text[self.offset] == '"':
                self.offset += 1
            else:
                parts.append(self._replaced(is_quoted=True))
        return tuple(parts)

    def _closing(self, opened: int) -> int:
        """The offset behind the bracket that closes the one at `opened`; quotes inside are skipped."""
        text = self.script.text
        closing = {"(": ")", "{": "}"}
        stack = [closing[text[opened]]]
        index = opened + 1
        while index < len(text):
            character = text[index]
            if character == "\\":
                index += 1
            elif character == "'" and stack[-1] == ")":
                index = text.find("'", index + 1)
                if index < 0:
                    break
            elif character in closing and (closing[character] == stack[-1] or text[index - 1] == "$"):
                stack.append(closing[character])
            elif character == stack[-1]:
                stack.pop()
                if not stack:
                    return index + 1
            index += 1
        raise self._open(text[opened], opened)

    def _items(self) -> tuple[Raw, ...]:
        """The words between the brackets of `NAME=(…)`."""
        opened = self.offset
        self.offset += 1
        text = self.script.text
        items: list[Raw] = []
        while self._to_word():
            operator = _OPERATOR.match(text, self.offset)
            if operator is None:
                items.append(self._word())
                if len(items) > COMMAND_ARGUMENTS_MAX:
                    limit = COMMAND_ARGUMENTS_MAX
                    raise LimitExceeded("the number of words of the command", limit=limit, at=self.script.at(opened))
                continue
            self.offset = operator.end()
            if operator[0] == ")":
                return tuple(items)
        raise self._open("(", opened)

    def _bodies(self) -> None:
        """Read the lines of every here-document whose operator stood on the line that has just ended."""
        text = self.script.text
        for held in self.waiting:
            start = line = self.offset
            end = len(text)
            while line < len(text):
                newline = text.find("\n", line)
                stop = newline if newline >= 0 else len(text)
                said = text[line:stop].rstrip("\r")
                if (said.lstrip("\t") if held.operator.text == "<<-" else said) == held.delimiter:
                    end = line
                    self.offset = stop
                    break
                line = stop + 1
            else:
                self.offset = len(text)
            held.operator.body = Body(start, end, self._body_parts(start, end, is_quoted=held.is_quoted))
        self.waiting.clear()

    def _body_parts(self, start: int, end: int, *, is_quoted: bool) -> tuple[Part, ...]:
        text = self.script.text
        if is_quoted:
            return (Literal(start, end, text[start:end], is_quoted=True),)
        inner = _Lexer(self.script.cut(start, end), 0, self.depth + 1)
        try:
            return _shifted(inner.heredoc(), start)
        except IntakeError:
            # A `$(` that the body does not close is not worth refusing the whole script for.
            return (Param(start, end, "unknown", is_quoted=True),)

    def heredoc(self) -> tuple[Part, ...]:
        """The rest of the text as the body of a here-document: double quotes are only characters there."""
        text = self.script.text
        parts: list[Part] = []
        while self.offset < len(text):
            found = _IN_HEREDOC.match(text, self.offset)
            if found is not None:
                parts.append(Literal(self.offset, found.end(), found[0], is_quoted=True))
                self.offset = found.end()
            elif text[self.offset] == "\\":
                parts += self._escaped(is_quoted=True)
            else:
                parts.append(self._replaced(is_quoted=True))
        return tuple(parts)

    def _open(self, quote: str, offset: int) -> IntakeError:
        kind = "bracket" if quote in "({" else "quote"
        closing = {"(": ")", "{": "}"}.get(quote, quote)
        problem = Problem(
            f"open-{kind}",
            f"the {kind} {quote} is not closed",
            expected=f"a closing {closing}",
            at=self.script.at(offset),
        )
        return IntakeError(problem)


def _shifted(parts: Sequence[Part], by: int) -> tuple[Part, ...]:
    """Parts of a cut-out text with their offsets in the whole one."""
    return tuple(
        replace(part, start=part.start + by, end=part.end + by)
        if isinstance(part, Literal)
        else replace(part, start=part.start + by, end=part.end + by, rest=_shifted(part.rest, by))
        for part in parts
    )
