"""The page of errors: what every message says, under which code, and the file that says it.

Read from the syntax trees of the package, and only what is certain: the text for the parameter `what` of a function
that makes an error, by the function's own signature. What is only known when it is said stands as `…`.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
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
}


@cache
def syntax_trees() -> Mapping[Path, ast.Module]:
    """The syntax tree of every file of the package."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(_PACKAGE.rglob("*.py"))}


@cache
def errors_page() -> str:
    """Every message, by room and file."""
    trees = syntax_trees()
    local = {path: _makers(tree) for path, tree in trees.items()}
    rooms: dict[str, list[list[str]]] = {}
    for path, tree in trees.items():
        makers = {**_CLASSES, **_imported(tree, local), **local[path]}
        place = path.relative_to(_PACKAGE)
        for said, kind in dict.fromkeys(_messages(tree, makers)):
            rooms.setdefault(place.parts[0], []).append([said, code(kind), code(str(place))])
    return page(
        "Errors",
        "Where a message is made. Search this page for words of the message, or for the code that GraphQL gives with "
        "it; the first line of the file says what its room is for. `…` is filled in when the message is said. Messages "
        "that are put together from a flag, a fact or a key only are not listed: they begin with what was wrong.",
        "service/knockon/",
        *(part for room, rows in rooms.items() for part in (f"## {room}", table(["message", "code", "made in"], rows))),
    )


def _makers(tree: ast.Module) -> dict[str, _Maker]:
    """Functions of one file that are told `what` and make an error of it, and rows of tables of errors."""
    found: dict[str, _Maker] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            fields = [
                each.target.id
                for each in node.body
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
            ]
            if {"code", "what"} <= set(fields):
                found[node.name] = _Maker(fields)
        if isinstance(node, ast.FunctionDef):
            named = [each.arg for each in (*node.args.args, *node.args.kwonlyargs) if each.arg != "self"]
            calls = [one for one in ast.walk(node) if isinstance(one, ast.Call) and _name(one.func) == "Problem"]
            if "what" in named and (calls or "code" in named):
                found[node.name] = _Maker(named, _own_code(calls) or _code_unless_given(node), _own_words(calls))
    return found


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


def _imported(tree: ast.Module, local: Mapping[Path, Mapping[str, _Maker]]) -> dict[str, _Maker]:
    """Those of other files that one file imports."""
    found: dict[str, _Maker] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            path = _PACKAGE.parent / f"{node.module.replace('.', '/')}.py"
            makers = local.get(path, {})
            found |= {each.asname or each.name: makers[each.name] for each in node.names if each.name in makers}
    return found


def _messages(tree: ast.Module, makers: Mapping[str, _Maker]) -> Iterator[tuple[str, str]]:
    """(message, code) of every call that states a message."""
    for scope in _scopes(tree):
        known: dict[str, list[str]] = {}
        was_used = False
        for node in _inside(scope):
            if isinstance(node, ast.Assign):
                # Texts given since the last message are the branches of the next one.
                known, was_used = ({}, False) if was_used else (known, False)
                _note(node, known)
            elif isinstance(node, ast.Call) and (maker := makers.get(_name(node.func))) is not None:
                was_used = True
                yield from _said(node, maker, known)


def _said(call: ast.Call, maker: _Maker, known: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    argument = maker.argument("what", call)
    given = maker.argument("code", call) if "code" in maker.parameters else None
    kind = _texts(given, known)[0] if given is not None else maker.code
    kind = "" if kind == _UNSAID else kind
    for text in _texts(argument, known):
        message = maker.what.format(what=text)
        # A message of holes only cannot be searched for.
        if any(character.isalpha() for character in message):
            yield message, kind.format(what=text.replace(" ", "-"))


def _note(node: ast.Assign, known: dict[str, list[str]]) -> None:
    for target in node.targets:
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts, strict=True))
        for name, value in pairs:
            if isinstance(name, ast.Name):
                known.setdefault(name.id, []).extend(_texts(value, known))


def _texts(node: ast.expr | None, known: Mapping[str, list[str]]) -> list[str]:
    """What an argument may read: a text, one with holes, either branch of a choice, a name that was given one."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=values):
            return ["".join(str(part.value) if isinstance(part, ast.Constant) else _UNSAID for part in values)]
        case ast.IfExp(body=body, orelse=orelse):
            return [*_texts(body, known), *_texts(orelse, known)]
        case ast.BinOp(left=left, op=ast.Add()):
            return [f"{text}{_UNSAID}" for text in _texts(left, known)]
        case ast.Call(func=ast.Name(id="Text"), args=[english, *_]):
            return _texts(english, known)
        case ast.Name(id=name):
            return known.get(name, [_UNSAID])
        case _:
            return [_UNSAID]


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
