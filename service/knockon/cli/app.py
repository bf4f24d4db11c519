"""The command line: which verbs there are, and the edge where errors become messages and exit codes.

Not for what a verb does: that is `verbs/`, imported one by one, so that no verb pays for another's libraries.
"""

import os
import sys
import traceback
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, cast

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from knockon.cli import complete
from knockon.cli.output import Output, tell
from knockon.cli.plain import Group
from knockon.terms.errors import KnockonError
from knockon.terms.words import Text
from knockon.version import version

if TYPE_CHECKING:
    from typing import TextIO

# In the order of `knockon --help`: the questions first, then what curators and operators do.
VERBS: Mapping[str, str] = {
    name: f"knockon.cli.verbs.{name}"
    for name in (
        "check", "diagnose", "history", "advise", "compare", "locate", "breaks", "place", "rules", "profile", "catalog",
        "schema", "serve", "selftest",
    )
}  # fmt: skip

WRONG_USE = 2
OUR_FAULT = 3

# How to see what there is, by the code of the problem, where the problem cannot know that it is told on a command line.
_LISTED: Mapping[str, Callable[[], Text]] = {
    "unknown-technique": lambda: Text(
        "`knockon catalog list techniques` lists every technique", "`knockon catalog list techniques` 列出全部技术"
    ),
    "unknown-quantity": lambda: Text(
        "`knockon catalog list quantities` lists every quantity", "`knockon catalog list quantities` 列出全部量"
    ),
    "unknown-gpu": lambda: Text(
        f"`knockon catalog list gpus` lists them: {', '.join(complete.gpus(''))}",
        f"`knockon catalog list gpus` 列出全部 GPU：{', '.join(complete.gpus(''))}",
    ),
    "unknown-model": lambda: Text(
        f"`knockon catalog list models` lists the {len(complete.models(''))} known models; "
        "any other is known by its config.json: --model config.json",
        f"`knockon catalog list models` 列出已知的 {len(complete.models(''))} 个模型；"
        "其他模型由其 config.json 给出：--model config.json",
    ),
}


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

    def invoke(self, ctx: Any) -> Any:
        """Run the verb; what typer complains of is framed in the language asked for."""
        try:
            return super().invoke(ctx)
        except TyperException:
            from knockon.cli.complaint import frame_in, language_asked

            frame_in(language_asked(sys.argv[1:], os.environ))
            raise


app = typer.Typer(
    cls=Verbs,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 clean, 1 findings, 2 wrong use, unreadable input or unwritable output, 3 our fault.",
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
    _tell_of_cache()


# Who may write to it, and how to take that away where this user can.
_WRITERS = {
    "owner": ("it belongs to another user;", "它属于其他用户；请"),
    "group": (
        "its group may write to it; take that away (chmod go-w), or",
        "所属组可写；请收回该权限（chmod go-w），或",
    ),
    "others": (
        "everybody may write to it; take that away (chmod go-w), or",
        "任何人可写；请收回该权限（chmod go-w），或",
    ),
}


def _tell_of_cache() -> None:
    """Say on the error stream that a cache folder is left alone; what lies in it would be run."""
    from knockon.kept import untrusted_folder

    if (found := untrusted_folder(os.environ)) is None:
        return
    from knockon.cli.complaint import language_asked

    folder, who = found
    en, zh = _WRITERS[who]
    if language_asked(sys.argv[1:], os.environ) == "zh":
        tell(f"提示：不使用缓存目录 {folder}：{zh}用 KNOCKON_CACHE_DIR 指定自己的目录")
    else:
        tell(f"note: the cache folder {folder} is not used: {en} name one of your own with KNOCKON_CACHE_DIR")


def run() -> None:
    """Run the command line of this process and end it with an exit code; no error is ever raised past it."""
    before, output = (sys.stdout, sys.stderr), Output(sys.stdout)
    sys.stdout = cast("TextIO", output)
    if sys.stderr is not None:
        sys.stderr = cast("TextIO", Output(sys.stderr))
    _keep_plain()
    try:
        _run(output)
    finally:
        sys.stdout, sys.stderr = before


def _run(output: Output) -> None:
    said: dict[str, bool] = {"debug": bool(os.environ.get("KNOCKON_DEBUG"))}
    try:
        get_command(app)(prog_name="knockon", obj=said)
    except SystemExit:
        # What was written without an error may still have waited in a buffer.
        lost = output.end()
        if lost is None:
            raise
        _fail(_unwritable(lost), WRONG_USE, is_debugging=said["debug"])
    except KnockonError as error:
        _fail(_shown(error), WRONG_USE, is_debugging=said["debug"])
    except Exception as error:  # noqa: BLE001  the outermost edge
        lost = output.end() if isinstance(error, OSError) else None
        if lost is None:
            _fail(_our_fault(error), OUR_FAULT, is_debugging=said["debug"])
        _fail(_unwritable(lost), WRONG_USE, is_debugging=said["debug"])


def _keep_plain() -> None:
    """Have help and usage errors without escape codes where answers have none."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        # rich takes colours away by itself, and leaves bold and dim; typer reads this when it first needs rich.
        os.environ["_TYPER_FORCE_DISABLE_TERMINAL"] = "1"


def _shown(error: KnockonError) -> str:
    from knockon.cli.complaint import complaint, language_asked

    language = language_asked(sys.argv[1:], os.environ)
    listed = _LISTED.get(error.code)
    return complaint(error, language, listed=getattr(listed(), language) if listed is not None else "")


def _unwritable(error: OSError) -> str:
    return f"error: standard output cannot be written: {error.strerror or error}"


def _our_fault(error: Exception) -> str:
    return (
        f"internal error: {type(error).__name__}: {error}\n"
        f"This is a defect of Knock-on {version()}, not of your input. Please report it with this command and the "
        "output of the same command with `knockon --debug …`."
    )


def _fail(message: str, code: int, *, is_debugging: bool) -> NoReturn:
    if is_debugging:
        tell(traceback.format_exc())
    tell(message)
    sys.exit(code)
