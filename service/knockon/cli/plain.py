"""Reads what is typed as what it says, without the validation library that typer loads even to read a text as a text.

That library costs a quarter of the CPU time of a whole `knockon check`. Anything that is not plainly a text, a list of
texts or one of the allowed words is handed to typer's own reader, with its error messages.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin

from typer import BadParameter
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from knockon.terms.likeness import shares_enough

_NOT_PLAIN = object()


class Verb(TyperCommand):
    """A verb whose plain options are read plainly."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments."""
        read_plainly(self.get_params(ctx))
        with _only_near_options():
            return super().parse_args(ctx, args)


class Group(TyperGroup):
    """A verb with verbs of its own."""

    def __init__(self, **settings: Any) -> None:
        """As typer makes it; which verb may be meant is ours to say."""
        super().__init__(**{**settings, "suggest_commands": False})

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what stands before the inner verb."""
        read_plainly(self.get_params(ctx))
        with _only_near_options():
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The inner verb; a wrong one is answered with those that may be meant."""
        try:
            return super().resolve_command(ctx, args)
        except TyperException as error:
            near = _near(args[0], get_close_matches(args[0], self.list_commands(ctx))) if args else []
            if near or (near := self._inside(ctx, args[:1])):
                error.message = f"{error.message.rstrip('.')}. Did you mean {', '.join(map(repr, near))}?"
            raise

    def _inside(self, ctx: Any, args: list[str]) -> list[str]:
        """The same verb inside another one: `search` is `catalog search`."""
        groups = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)} if args else {}
        return [
            f"{name} {args[0]}"
            for name, group in groups.items()
            if isinstance(group, Group) and args[0] in group.list_commands(ctx)
        ]


@contextmanager
def _only_near_options() -> Iterator[None]:
    """Have a wrong option answered only with options that pass the bar of every other "did you mean"."""
    try:
        yield
    except TyperException as error:
        if possibilities := getattr(error, "possibilities", None):
            error.possibilities = _near(error.option_name, possibilities)  # type: ignore[attr-defined]
        raise


def _near(asked: str, known: Iterable[str]) -> list[str]:
    return [one for one in known if shares_enough(asked, one)]


def read_plainly(parameters: Iterable[Any]) -> None:
    """Give every parameter the plain reader; versions of typer that have none of this keep their own."""
    for parameter in parameters:
        if getattr(parameter, "type_descriptor", None) is not None:
            parameter._runtime_param = _Plain(parameter.type_descriptor)  # noqa: SLF001  typer has no public way


class _Plain:
    """Stands in for typer's reader of one parameter."""

    def __init__(self, described: Any) -> None:
        self._described = described

    def coerce(self, value: Any, *, param: Any, ctx: Any) -> Any:
        """The value as the verb takes it."""
        read = _plainly(value, self._described.annotation, is_many=param.multiple or param.nargs == -1)
        if read is not _NOT_PLAIN:
            return read
        from typer._coercion import build_runtime_param

        try:
            return build_runtime_param(self._described).coerce(value, param=param, ctx=ctx)
        except BadParameter as error:
            # The validation library says of what kind its error is before it says the error.
            error.message = error.message.removeprefix("Value error, ")
            raise


def _plainly(value: Any, annotation: Any, *, is_many: bool) -> Any:
    if value is None:
        return () if is_many else None
    if annotation is str and isinstance(value, str):
        return value
    if get_origin(annotation) is Literal and value in get_args(annotation):
        return value
    if annotation == list[str] and isinstance(value, list | tuple) and all(isinstance(one, str) for one in value):
        return list(value)
    return _NOT_PLAIN


COMMAND = "knockon.command"
"""Where a verb's context keeps the command after `--`."""


class WithCommand(Verb):
    """A verb after whose `--` stands a whole command, kept apart from the verb's own files and options."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take the command away before the options are read."""
        if "--" in args:
            at = args.index("--")
            args, ctx.meta[COMMAND] = args[:at], args[at + 1 :]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage line with the command at its end."""
        return [*super().collect_usage_pieces(ctx), "[-- COMMAND...]"]
