"""The command line: which verbs there are, and the outermost edge, where errors become messages and exit codes.

Not for what a verb does: that is `verbs/`, imported one by one, so that no verb pays for another's libraries.
"""

import os
import sys
import traceback
from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.main import get_command

from knockon.cli.plain import Group
from knockon.terms.errors import KnockonError
from knockon.version import version

# In the order of `knockon --help`: the questions first, then what curators and operators do.
VERBS: Mapping[str, str] = {
    name: f"knockon.cli.verbs.{name}"
    for name in (
        "check", "diagnose", "locate", "breaks", "place", "rules", "profile", "catalog", "schema", "serve",
        "selftest",
    )
}  # fmt: skip

CLEAN = 0
FINDINGS = 1
WRONG_USE = 2
OUR_FAULT = 3
_INTERRUPTED = 130


class Verbs(Group):
    """The verbs, each imported when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Every verb, in the order of the help."""
        del ctx
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The verb; None when there is none of that name."""
        del ctx
        if cmd_name in VERBS and cmd_name not in self.commands:
            command = get_command(import_module(VERBS[cmd_name]).app)
            command.name = cmd_name
            self.commands[cmd_name] = command
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The verb that the arguments begin with; a wrong one is answered with the nearest."""
        if args and args[0] not in VERBS:
            for name in VERBS:
                self.get_command(ctx, name)
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=Verbs,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 clean, 1 findings, 2 wrong use or unreadable input, 3 our fault.",
)


def _say_version(is_wanted: bool) -> None:
    if is_wanted:
        print(f"knockon {version()}")
        raise typer.Exit


@app.callback()
def knockon(
    context: typer.Context,
    *,
    show_version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", envvar="KNOCKON_DEBUG", help="Show where in the program an error arose.")
    ] = False,
) -> None:
    """Show where the cost of an optimization lands: place it, see what it breaks, check a deployment, find the wall."""
    del show_version
    context.obj["debug"] = debug


def run() -> None:
    """Run the command line of this process and end it with an exit code; nothing is ever raised past it."""
    said: dict[str, bool] = {"debug": bool(os.environ.get("KNOCKON_DEBUG"))}
    try:
        get_command(app)(prog_name="knockon", obj=said)
    except KnockonError as error:
        _fail(_shown(error), WRONG_USE, is_debugging=said["debug"])
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except Exception as error:  # noqa: BLE001  the outermost edge
        _fail(_our_fault(error), OUR_FAULT, is_debugging=said["debug"])


def _shown(error: KnockonError) -> str:
    """The message; one that starts with its place stays so, that editors and CI can follow it."""
    text = str(error)
    return text if error.problem.at else f"error: {text}"


def _our_fault(error: Exception) -> str:
    return (
        f"internal error: {type(error).__name__}: {error}\n"
        f"This is a defect of Knock-on {version()}, not of your input. Please report it with this command and the "
        "output of the same command with `knockon --debug …`."
    )


def _fail(message: str, code: int, *, is_debugging: bool) -> None:
    if is_debugging:
        traceback.print_exc()
    print(message, file=sys.stderr)
    sys.exit(code)
