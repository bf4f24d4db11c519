"""The page of the command line: every verb with its arguments and options, as `--help` gives them."""

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from docs.reference.markdown import code, page, table
from knockon.cli.app import app

# Every verb has these; they are told once.
_EVERYWHERE = {"--help", "--install-completion", "--show-completion"}


def cli_page() -> str:
    """All verbs in the order of the help."""
    root: Any = get_command(app)
    context = root.make_context("knockon", [], resilient_parsing=True, obj={})
    return page(
        "Command line",
        f"{root.help} Every verb has `--help`; `knockon --install-completion` teaches the shell to complete verbs, "
        f"options and names. {root.epilog}",
        "service/knockon/cli/",
        table(["option", "says", "default"], _options(root, context)),
        *(
            part
            for name in root.list_commands(context)
            for part in _verb(root.get_command(context, name), name, context)
        ),
    )


def _verb(command: Any, name: str, parent: Any) -> Iterator[str]:
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"{'#' * len(context.command_path.split())} {context.command_path}"
    yield code(usage)
    yield (command.help or "").strip()
    yield table(["argument", "says", "default"], _arguments(command, context))
    yield table(["option", "says", "default"], _options(command, context))
    if hasattr(command, "list_commands"):
        for inner in command.list_commands(context):
            yield from _verb(command.get_command(context, inner), inner, context)


def _arguments(command: Any, context: Any) -> Iterator[list[str]]:
    for parameter in command.get_params(context):
        if parameter.param_type_name == "argument":
            yield [code(" ".join(parameter.get_usage_pieces(context))), parameter.help or "", _default(parameter)]


def _options(command: Any, context: Any) -> Iterator[list[str]]:
    for parameter in command.get_params(context):
        if (
            parameter.param_type_name != "option"
            or _EVERYWHERE & set(parameter.opts)
            or getattr(parameter, "hidden", False)
        ):
            continue
        spelled = ", ".join(code(name) for name in (*parameter.opts, *parameter.secondary_opts))
        value = "" if parameter.is_flag else f" {code(parameter.metavar or parameter.display_type(context))}"
        variable = f" Also {code(str(parameter.envvar))} in the environment." if parameter.envvar else ""
        yield [f"{spelled}{value}", f"{parameter.help or ''}{variable}", _default(parameter)]


def _default(parameter: Any) -> str:
    default = parameter.default
    if parameter.required:
        return "required"
    return "" if default in (None, False, (), []) or callable(default) else code(str(default))
