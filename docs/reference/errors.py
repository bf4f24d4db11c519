"""The page of errors: what every message says, under which code, and the file that says it.

Read from the syntax trees of the package, and only what is certain: the text for the parameter `what` of a function
that makes an error, by the function's own signature. What is only known when it is said stands as `…`.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import knockon
from docs.reference.markdown import code, page, table

_PACKAGE = Path(knockon.__file__).parent
_UNSAID = "…"
Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class _Maker:
    """Something that makes an error: its parameters in order, and the code it gives by itself."""

    parameters: Sequence[str]
    code: str = ""
    what: str = "{what}"
    """The message around the text for `what`, or around the first text where there is no `what`."""

    def argument(self, name: str, call: ast.Call) -> ast.expr | None:
        """What a call gives for a parameter."""
        for word in call.keywords:
            if word.arg == name:
                return word.value
        at = self.parameters.index(name) if name in self.parameters else len(call.args)
        return call.args[at] if at < len(call.args) else None


# The classes that make their text themselves, and the one all text ends in.
_CLASSES: Mapping[str, _Maker] = {
    "Problem": _Maker(("code", "what", "expected", "fix", "at")),
    "NotFound": _Maker(("what", "name"), "unknown-{what}", "no {what} is called …"),
    "LimitExceeded": _Maker(("what",), "limit-exceeded", "{what} is over the limit of …"),
    # Of others: the words of a wrong call of a verb, and those that what catches them hands on.
    "BadParameter": _Maker(("what",)),
    "OSError": _Maker(("errno", "what")),
    "TypeError": _Maker(("what",)),
    "ValueError": _Maker(("what",)),
    # A complaint of something else, in other words; `what` has to be named.
    "replace": _Maker(()),
}
_PLAIN = frozenset(("Exception", "OSError", "TypeError", "ValueError"))


@cache
def syntax_trees() -> Mapping[Path, ast.Module]:
    """The syntax tree of every file of the package."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(_PACKAGE.rglob("*.py"))}


@cache
def errors_page() -> str:
    """Every message, by room and file."""
    rooms: dict[str, list[list[str]]] = {}
    for path in syntax_trees():
        place = path.relative_to(_PACKAGE)
        messages = ((one.words, one.kind) for one in _messages_of(path) if one.words)
        for said, kind in dict.fromkeys(messages):
            rooms.setdefault(place.parts[0], []).append([said, code(kind), code(str(place))])
    return page(
        "Errors",
        "Where a message is made. Search this page for words of the message, or for the code that GraphQL gives with "
        "it; the first line of the file says what its room is for. `…` is filled in when the message is said. Messages "
        "that are put together from a flag, a fact or a key only are not listed: they begin with what was wrong. Words "
        "that another message hands on stand where they are written.",
        "service/knockon/",
        *(part for room, rows in rooms.items() for part in (f"## {room}", table(["message", "code", "made in"], rows))),
    )


@cache
def makers_of(path: Path) -> Mapping[str, _Maker]:
    """What a file may make errors with, by the name it is called by there."""
    trees = syntax_trees()
    return {**_CLASSES, **_imported(trees[path], _makers), **_makers(path)}


def handed_on() -> Iterator[tuple[str, str]]:
    """(file, expression) of every message that only hands on what something else says, so that no row is made of it."""
    for path in syntax_trees():
        for one in _messages_of(path):
            if not one.words:
                yield str(path.relative_to(_PACKAGE)), one.source


@cache
def _makers(path: Path) -> dict[str, _Maker]:
    """Functions of one file that are told `what` and make an error of it, and classes that hold `what` is wrong."""
    found: dict[str, _Maker] = {}
    for node in ast.walk(syntax_trees()[path]):
        if isinstance(node, ast.ClassDef):
            fields = [
                each.target.id
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            ]
            if "what" in fields:
                found[node.name] = _Maker(fields)
            elif _PLAIN & {_name(base) for base in node.bases} and "__init__" not in _functions_of(node):
                found[node.name] = _CLASSES["ValueError"]
        if isinstance(node, ast.FunctionDef):
            named = [each.arg for each in (*node.args.args, *node.args.kwonlyargs) if each.arg != "self"]
            calls = [one for one in ast.walk(node) if isinstance(one, ast.Call) and _name(one.func) == "Problem"]
            if "what" in named and (calls or "code" in named):
                found[node.name] = _Maker(named, _own_code(calls) or _code_unless_given(node), _own_words(calls))
    return found


def _functions_of(node: ast.ClassDef) -> frozenset[str]:
    return frozenset(each.name for each in node.body if isinstance(each, ast.FunctionDef))


def _own_code(calls: Sequence[ast.Call]) -> str:
    """The code a maker gives to every error."""
    own = _CLASSES["Problem"].argument("code", calls[0]) if calls else None
    return own.value if isinstance(own, ast.Constant) and isinstance(own.value, str) else ""


def _code_unless_given(maker: ast.FunctionDef) -> str:
    """The code that a maker gives where its caller gives none."""
    plain, named = maker.args.args, maker.args.kwonlyargs
    defaults = [*zip(reversed(plain), reversed(maker.args.defaults), strict=False)]
    defaults += [(each, default) for each, default in zip(named, maker.args.kw_defaults, strict=True) if default]
    said = (default for each, default in defaults if each.arg == "code")
    return next((one.value for one in said if isinstance(one, ast.Constant) and isinstance(one.value, str)), "")


def _own_words(calls: Sequence[ast.Call]) -> str:
    """What a maker says around the text it is told."""
    own = _CLASSES["Problem"].argument("what", calls[0]) if calls else None
    if not isinstance(own, ast.JoinedStr):
        return "{what}"
    return "".join(
        str(part.value)
        if isinstance(part, ast.Constant)
        else "{what}"
        if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Name) and part.value.id == "what"
        else _UNSAID
        for part in own.values
    )


def _imported(tree: ast.Module, local: Callable[[Path], Mapping[str, _Maker]]) -> dict[str, _Maker]:
    """Those of other files that one file imports."""
    found: dict[str, _Maker] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            path = _PACKAGE.parent / f"{node.module.replace('.', '/')}.py"
            makers = local(path) if path in syntax_trees() else {}
            found |= {each.asname or each.name: makers[each.name] for each in node.names if each.name in makers}
    return found


@dataclass(frozen=True)
class _Message:
    words: str
    """Empty where nothing of them is written at the call."""
    kind: str
    source: str
    """What is given at the call."""


@cache
def _messages_of(path: Path) -> Sequence[_Message]:
    return tuple(_messages(syntax_trees()[path], makers_of(path)))


def _messages(tree: ast.Module, makers: Mapping[str, _Maker]) -> Iterator[_Message]:
    """Every call that states a message, those left out where a maker says what it is told itself."""
    for scope in _scopes(tree):
        known: dict[str, list[str]] = {}
        # Texts given since the last message are the branches of the next one.
        branches: set[str] = set()
        told = _parameters(scope) if getattr(scope, "name", "") in makers else frozenset[str]()
        for node in _inside(scope):
            if isinstance(node, ast.Assign | ast.For):
                _note(node, known, branches)
            elif isinstance(node, ast.Call) and (maker := makers.get(_name(node.func))) is not None:
                branches.clear()
                said = _said(node, maker, known)
                yield from (one for one in said if one.words or one.source not in told)


def _parameters(scope: Scope) -> frozenset[str]:
    return frozenset(each.arg for each in ast.walk(scope) if isinstance(each, ast.arg))


def _said(call: ast.Call, maker: _Maker, known: Mapping[str, list[str]]) -> Iterator[_Message]:
    argument = maker.argument("what", call)
    if argument is None or (isinstance(argument, ast.Constant) and not isinstance(argument.value, str)):
        return
    given = maker.argument("code", call) if "code" in maker.parameters else None
    kinds = ["" if kind == _UNSAID else kind for kind in _texts(given, known)] if given is not None else [maker.code]
    texts = _texts(argument, known)
    # The branches of both are those of one choice, or each goes with each.
    pairs = zip(texts, kinds, strict=True) if len(texts) == len(kinds) else product(texts, kinds)
    for text, kind in pairs:
        message = maker.what.format(what=text)
        # A message of holes only cannot be searched for.
        words = message if any(character.isalpha() for character in message) else ""
        yield _Message(words, kind.format(what=text.replace(" ", "-")), ast.unparse(argument))


def _note(node: ast.Assign | ast.For, known: dict[str, list[str]], branches: set[str]) -> None:
    """Take in what names are given; what a loop or a call gives them is only known then."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        pairs: list[tuple[ast.expr, ast.expr | None]] = [(target, node.value if isinstance(node, ast.Assign) else None)]
        if isinstance(target, ast.Tuple):
            value = node.value if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) else None
            pairs = list(zip(target.elts, value.elts if value else [None] * len(target.elts), strict=True))
            pairs = _rows_of(node, target) or pairs
        for name, given in pairs:
            if isinstance(name, ast.Name):
                if name.id not in branches:
                    branches.add(name.id)
                    known[name.id] = []
                known[name.id].extend(text for text in _texts(given, known) if text not in known[name.id])


def _rows_of(node: ast.Assign | ast.For, target: ast.Tuple) -> list[tuple[ast.expr, ast.expr | None]]:
    """What a loop over rows that are written out gives its names: each what stands in its column."""
    if not (isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple)):
        return []
    rows = [row.elts for row in node.iter.elts if isinstance(row, ast.Tuple) and len(row.elts) == len(target.elts)]
    return [(name, row[column]) for column, name in enumerate(target.elts) for row in rows]


def _texts(node: ast.expr | None, known: Mapping[str, list[str]]) -> list[str]:
    """What an argument may read: a text, one with holes, either branch of a choice, a name that was given one."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=values):
            return ["".join(parts) for parts in product(*(_part(part, known) for part in values))]
        case ast.IfExp(body=body, orelse=orelse):
            return [*_texts(body, known), *_texts(orelse, known)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [before + after for before in _texts(left, known) for after in _texts(right, known)]
        case ast.Call(func=ast.Name(id="Text"), args=[english, *_]):
            return _texts(english, known)
        case ast.Name(id=name):
            return known.get(name, [_UNSAID])
        case _:
            return [_UNSAID]


def _part(part: ast.expr, known: Mapping[str, list[str]]) -> list[str]:
    """What a piece of a text with holes may read; a hole that a text was given to is filled."""
    if isinstance(part, ast.FormattedValue) and part.conversion == -1 and isinstance(part.value, ast.Name):
        given = known.get(part.value.id, [_UNSAID])
        return [text for text in given if text] if _UNSAID in given else given
    return [str(part.value)] if isinstance(part, ast.Constant) else [_UNSAID]


def _scopes(tree: ast.Module) -> Iterator[Scope]:
    yield tree
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _inside(scope: ast.AST) -> Iterator[ast.AST]:
    """Everything of a scope in the order of the text, functions inside it left out."""
    for node in ast.iter_child_nodes(scope):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
            yield from _inside(node)


def _name(called: ast.expr) -> str:
    return called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
