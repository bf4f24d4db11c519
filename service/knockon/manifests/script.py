"""Shell scripts: which engines they start, with the variables they set themselves put in.

Control flow is followed as far as that is decided by the text: every branch is read, and after it only what all
branches agree on is known. Functions are read where they are called. Nothing is ever run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from knockon.manifests.branches import Value, merged
from knockon.manifests.expansion import Scope, expanded, text_of
from knockon.manifests.found import Around, Found, refuse_many
from knockon.manifests.launcher import launches_in_words, program_name
from knockon.manifests.lexer import tokens_of
from knockon.manifests.tokens import REDIRECTIONS, Literal, Operator, Part, Raw, Token
from knockon.manifests.word import Word, check_count, concatenated, gap_of
from knockon.manifests.written import Written
from knockon.terms.limits import SCRIPT_DEPTH_MAX

_OPENING = frozenset({"if", "while", "until", "for", "case", "select"})
_CLOSING = frozenset({"fi", "done", "esac"})
_PASSING = frozenset({"then", "do", "{", "}", "!", "time", "coproc"})
_ASSIGNING = frozenset({"export", "declare", "typeset", "local", "readonly"})
_BRANCH_ENDS = frozenset({";;", ";&", ";;&"})


def launches_in_script(script: Written, around: Around) -> list[Found]:
    """The engines that a script starts, in the order of its text.

    Raises:
        IntakeError: a quote or bracket that is not closed.
        LimitExceeded: too much text, too many words, too deep.
    """
    reading = _Reading(script, around, made=dict(around.made))
    reading.run(tokens_of(script))
    reading.uncalled()
    return reading.found


@dataclass
class _Branches:
    """An `if`, `case` or loop: the variables before it and at the end of each branch that has been read."""

    before: dict[str, Value]
    ends: list[dict[str, Value]] = field(default_factory=list)
    is_complete: bool = False
    """One branch is taken for certain: there is an `else` or a `*)`."""


@dataclass
class _Function:
    tokens: Sequence[Token]
    script: Written
    is_called: bool = False
    is_running: bool = False


@dataclass
class _Command:
    raws: list[Raw] = field(default_factory=list)
    stdin: Written | None = None
    output: Raw | None = None


@dataclass
class _Reading:
    script: Written
    around: Around
    variables: dict[str, Value] = field(default_factory=dict)
    exported: set[str] = field(default_factory=set)
    exports_all: bool = False
    functions: dict[str, _Function] = field(default_factory=dict)
    made: dict[str, Written] = field(default_factory=dict)
    frames: list[_Branches] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    calls: int = 0
    is_cut: bool = False
    """The command before this one starts an engine, and only a line break ends it."""

    def run(self, tokens: Sequence[Token]) -> None:
        """Read commands one after the other."""
        if tokens:
            self.around.budget.spend(len(tokens), self.script.at(tokens[0].start))
        command = _Command()
        index = 0
        while index < len(tokens):
            token = tokens[index]
            index += 1
            if isinstance(token, Raw):
                command.raws.append(token)
            elif token.text in REDIRECTIONS:
                index += self._redirect(command, token, tokens[index] if index < len(tokens) else None)
            else:
                end = self._function_end(command, token, tokens, index)
                if end:
                    index = end
                else:
                    count = len(self.found)
                    self._command(command)
                    if command.raws:
                        self.is_cut = len(self.found) > count and token.text == "\n"
                    if token.text in _BRANCH_ENDS and self.frames:
                        self._next_branch()
                command = _Command()
        self._command(command)

    def uncalled(self) -> None:
        """Read the functions that nothing has called: their arguments are not known."""
        for function in [*self.functions.values()]:
            if not function.is_called:
                self._call(function, None)

    def _redirect(self, command: _Command, operator: Operator, target: Token | None) -> int:
        """Take a redirection; how many tokens its target is."""
        last = command.raws[-1] if command.raws else None
        if last is not None and last.end == operator.start and last.keyword.isdigit():
            # `2>`: the number is the redirection's, not a word of the command.
            command.raws.pop()
        if operator.body is not None:
            body = operator.body
            scope = self._scope()
            command.stdin = text_of(body.parts, scope, start=body.start).written
        if not isinstance(target, Raw):
            return 0
        if operator.text in (">", ">>", ">|"):
            command.output = target
        return 1

    def _function_end(self, command: _Command, token: Operator, tokens: Sequence[Token], index: int) -> int:
        """Where a function that starts here ends; 0 when none does."""
        raws = [raw for raw in command.raws if raw.keyword != "function"]
        is_marked = len(raws) < len(command.raws)
        following = tokens[index] if index < len(tokens) else None
        is_empty_pair = token.text == "(" and isinstance(following, Operator) and following.text == ")"
        if is_empty_pair and len(raws) == 1 and raws[0].keyword:
            start, name = index + 1, raws[0].keyword
        elif is_marked and len(raws) in (1, 2) and token.text == "\n" and raws[-1].keyword in ("{", raws[0].keyword):
            start, name = index - len(raws) + (1 if len(raws) > 1 else 0), raws[0].keyword
        else:
            return 0
        depth = 0
        for place in range(start, len(tokens)):
            each = tokens[place]
            keyword = each.keyword if isinstance(each, Raw) else ""
            depth += (keyword == "{") - (keyword == "}")
            if keyword == "}" and depth <= 0:
                body = tokens[start:place]
                self.functions[name] = _Function(body, self.script)
                return place + 1
        return 0

    def _command(self, command: _Command) -> None:
        raws = self._without_keywords(command.raws)
        if not raws:
            return
        assigned: dict[str, Word] = {}
        index = 0
        while index < len(raws) and (name := _assigned_name(raws[index])):
            value = self._assigned_value(raws[index], name)
            if isinstance(value, Word):
                assigned[name.rstrip("+")] = value
            index += 1
        if index == len(raws):
            for raw in raws:
                self._assign(raw)
            return
        self._simple(raws[index:], assigned, command)

    def _without_keywords(self, raws: list[Raw]) -> list[Raw]:
        """The command behind the reserved words in front, whose meaning for the variables is kept."""
        while raws:
            keyword = raws[0].keyword
            if keyword in _OPENING:
                self.frames.append(_Branches(dict(self.variables)))
                if keyword in ("for", "select"):
                    self._loop_variable(raws[1:])
                    return []
                if keyword == "case":
                    self._pattern(raws[3:])
                    return []
            elif keyword in ("else", "elif"):
                if self.frames:
                    self._next_branch()
                    self.frames[-1].is_complete |= keyword == "else"
            elif keyword in _CLOSING:
                self._close()
            elif keyword not in _PASSING:
                if len(raws) == 1 and keyword == "*":
                    self._pattern(raws)
                return raws
            raws = raws[1:]
        return []

    def _pattern(self, raws: Sequence[Raw]) -> None:
        if self.frames and any(raw.keyword == "*" for raw in raws):
            self.frames[-1].is_complete = True

    def _loop_variable(self, raws: Sequence[Raw]) -> None:
        """`for NAME in A B`: only a single item is known."""
        if not raws or not raws[0].keyword.isidentifier():
            return
        name = raws[0].keyword
        items = self._words(raws[2:])
        unknown = gap_of(Written(f"${name}", self.script.cut(raws[0].start, raws[0].end).pieces))
        self.variables[name] = items[0] if len(items) == 1 and not items[0].is_open else unknown

    def _next_branch(self) -> None:
        frame = self.frames[-1]
        frame.ends.append(self.variables)
        self.variables = dict(frame.before)

    def _close(self) -> None:
        if not self.frames:
            return
        frame = self.frames.pop()
        ends = [*frame.ends, self.variables]
        self.variables = merged(ends if frame.is_complete else [frame.before, *ends])

    def _simple(self, raws: Sequence[Raw], assigned: Mapping[str, Word], command: _Command) -> None:
        program = raws[0].plain or ""
        if program in _ASSIGNING:
            for raw in raws[1:]:
                self._declare(raw, is_exported=program == "export")
            return
        words = self._words(raws)
        if not words:
            return
        if self.is_cut and words[0].text.startswith("--"):
            shown = words[0].text
            self.around.notes.add(
                words[0].at,
                f"a line break ends the command before {shown}; {shown} is not part of it",
                f"{shown} 之前的换行结束了命令；{shown} 不属于该命令",
            )
        if program in self.functions:
            self._call(self.functions[program], tuple(words[1:]))
        elif program in ("unset", "shift", "set", "read", ".", "source"):
            self._builtin(program, words)
        elif command.stdin is not None and program_name(words[0]) in ("cat", "tee"):
            self._made(words, command)
        else:
            around = replace(self.around, environment=self._environment(assigned), made=self.made)
            self.found += launches_in_words(words, around, stdin=command.stdin)
            refuse_many(len(self.found), words[0].at)

    def _builtin(self, program: str, words: Sequence[Word]) -> None:
        names = [word.text for word in words[1:]]
        if program == "unset":
            for name in names:
                self.variables.pop(name, None)
        elif program == "read":
            self.variables |= {
                word.text: gap_of(word.written, is_open=True) for word in words[1:] if word.text.isidentifier()
            }
        elif program == "shift":
            self.around = replace(self.around, positional=(self.around.positional or ())[1:] or None)
        elif program == "set":
            self.exports_all = self.exports_all or "-a" in names or "allexport" in names
            if "--" in names:
                self.around = replace(self.around, positional=tuple(words[names.index("--") + 2 :]))
        else:
            held = self.around.file(names[0]) if names else None
            if held is not None:
                self._within(held, tokens_of(held), self.around.positional)

    def _made(self, words: Sequence[Word], command: _Command) -> None:
        """`cat > PATH <<EOF` and `tee PATH <<EOF`: the file is known from here on."""
        assert command.stdin is not None, "only called for a here-document"
        if program_name(words[0]) == "tee":
            paths = [word for word in words[1:] if not word.text.startswith("-")]
        else:
            paths = expanded(command.output, self._scope()) if command.output is not None else []
        for path in paths:
            if not path.gaps:
                self.made[path.text] = command.stdin

    def _call(self, function: _Function, positional: tuple[Word, ...] | None) -> None:
        function.is_called = True
        if function.is_running:
            self._stop("a function calls itself", "函数调用了自身")
            return
        function.is_running = True
        self._within(function.script, function.tokens, positional)
        function.is_running = False

    def _within(self, script: Written, tokens: Sequence[Token], positional: tuple[Word, ...] | None) -> None:
        """Read other commands with the same variables."""
        if self.calls >= SCRIPT_DEPTH_MAX:
            limit = SCRIPT_DEPTH_MAX
            self._stop(f"functions and sourced scripts are nested over {limit} deep", f"函数与脚本嵌套超过 {limit} 层")
            return
        outer_script, outer_around = self.script, self.around
        self.calls += 1
        self.script = script
        self.around = replace(self.around, positional=positional, depth=self.around.depth + 1)
        self.run(tokens)
        self.script, self.around = outer_script, outer_around
        self.calls -= 1

    def _stop(self, why: str, zh: str) -> None:
        """Say that what is called here is not read."""
        at = self.script.at(0)
        self.around.notes.add(at, f"not everything in it is read: {why}", f"未读取全部内容：{zh}")

    def _declare(self, raw: Raw, *, is_exported: bool) -> None:
        """One word behind `export` or `declare`."""
        name = _assigned_name(raw)
        if name:
            self._assign(raw)
        else:
            name = raw.plain or ""
        if is_exported and name.rstrip("+").isidentifier():
            self.exported.add(name.rstrip("+"))

    def _assign(self, raw: Raw) -> None:
        name = _assigned_name(raw)
        value = self._assigned_value(raw, name)
        self.variables[name.rstrip("+")] = value
        if self.exports_all:
            self.exported.add(name.rstrip("+"))

    def _assigned_value(self, raw: Raw, name: str) -> Value:
        """What `NAME=…`, `NAME+=…` or `NAME=(…)` gives the variable."""
        scope = self._scope()
        before = scope.value(name[:-1]) if name.endswith("+") else None
        if raw.items is not None:
            items = self._words(raw.items)
            array = (*(before if isinstance(before, tuple) else [before] if before else ()), *items)
            check_count(len(array), self.script.at(raw.start))
            return array
        first = raw.parts[0]
        start = first.start + len(name) + 1
        rest: list[Part] = []
        if isinstance(first, Literal) and start < first.end:
            rest.append(Literal(start, first.end, first.text[len(name) + 1 :], is_quoted=False))
        rest += raw.parts[1:]
        value_start = rest[0].start if rest and isinstance(rest[0], Literal) else start
        value = text_of(rest, scope, start=value_start)
        if before is None:
            return value
        if isinstance(before, tuple):
            return (*before, value)
        return concatenated([before, value], at=before.at)

    def _words(self, raws: Sequence[Raw]) -> list[Word]:
        """Words as written, with what is known put in; raises LimitExceeded."""
        scope = self._scope()
        words: list[Word] = []
        for raw in raws:
            words += expanded(raw, scope)
            check_count(len(words), self.script.at(raw.start))
        return words

    def _scope(self) -> Scope:
        return Scope(self.script, self.variables, self.around.environment, self.around.positional)

    def _environment(self, assigned: Mapping[str, Word]) -> dict[str, Word]:
        """What a command is given: what surrounds the script, what the script exports, what stands in front."""
        environment = dict(self.around.environment)
        for name, value in self.variables.items():
            if isinstance(value, Word) and (name in self.exported or name in environment):
                environment[name] = value
        return {**environment, **assigned}


def _assigned_name(raw: Raw) -> str:
    """The name that a word assigns, with a plus when it appends; empty for any other word."""
    first = raw.parts[0] if raw.parts else None
    if not isinstance(first, Literal) or first.is_quoted:
        return ""
    name, equals, _ = first.text.partition("=")
    plain = name.removesuffix("+")
    return name if equals and plain.isidentifier() and plain.isascii() else ""
