"""Reads the commands that start TensorRT-LLM's server, and the YAML options file they name."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from knockon.engines.base import Configured, Effective, Given, Refused, Start, UnknownFlag
from knockon.engines.facts import facts_of_environment, facts_of_reads
from knockon.engines.flags import Read, Taken, nearest, read_flags
from knockon.engines.program import module_of, program_of
from knockon.engines.reading import Asked, finished, model_named, named_files
from knockon.engines.release import release_of, within
from knockon.engines.table import Flag, FlagTable, load_table
from knockon.engines.trtllm.derive.limits import longest_of
from knockon.engines.trtllm.derive.seen import Seen
from knockon.engines.trtllm.effective import effective_settings
from knockon.engines.trtllm.lists import list_facts, with_graph_size
from knockon.engines.values import loose_value
from knockon.terms.argument import Argument
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.fact import Fact, Origin
from knockon.terms.placed import as_placed, place_of
from knockon.terms.words import Json, JsonObject, Text

_MODULES = frozenset({"tensorrt_llm.commands.serve"})
# Other servers behind the same program: an encoder, a proxy in front of several engines, their workers.
_OTHER_SERVERS = frozenset({"disaggregated", "disaggregated_mpi_worker", "embeddings", "mm_embedding_serve", "grpc"})
# In the 1.4 line a flag wins over the options file; before it the file won (tensorrt_llm/commands/serve.py).
_FLAGS_WIN_SINCE = "1.4.0rc0"
# A key this like a known one is a misspelling; a less like one may be a field we do not map.
_MISSPELLED_MIN = 85


class TrtLlm:
    """TensorRT-LLM."""

    name = "trtllm"

    def recognises(self, arguments: Sequence[Argument]) -> Start | None:
        """`trtllm-serve [serve] MODEL …`; not its other servers."""
        module = module_of(arguments)
        if program_of(arguments) == "trtllm-serve":
            index, program = 1, "trtllm-serve"
        elif module is not None and module.name in _MODULES:
            index, program = module.index, f"python -m {module.name}"
        else:
            return None
        following = arguments[index].text if index < len(arguments) else ""
        if following in _OTHER_SERVERS:
            return None
        return Start(index + 1 if following == "serve" else index, program)

    def read(
        self,
        arguments: Sequence[Argument],
        *,
        version: str | None = None,
        environment: Sequence[Given] = (),
        files: Mapping[str, JsonObject] | None = None,
    ) -> Configured:
        """Read the words after the program; see `Engine.read`."""
        table = flag_table()
        if version is not None:
            release_of(version)
        asked = Asked(version, environment, files or {})
        taken = read_flags(arguments, table)
        named = named_files(taken, asked.files)
        settings = _settings_flag(table)
        from_files = [
            Read(settings, as_placed(asked.files[file.path]), file.at, source=file.path) for file in named if file.read
        ]
        overrides = [_override(settings, read, table) for read in taken.reads if read.flag.name == "--set"]
        in_files = facts_of_reads(from_files, table, version=version)
        in_flags = facts_of_reads(taken.reads, table, version=version)
        flags_win = version is None or within(version, since=_FLAGS_WIN_SINCE, until=None)
        facts = facts_of_environment(environment, table, version=version)
        facts |= (in_files | in_flags) if flags_win else (in_flags | in_files)
        for override in overrides:
            facts |= facts_of_reads([override], table, version=version)
        facts = with_graph_size(_with_attention_groups(facts | list_facts((*from_files, *overrides))))
        notes = tuple(_twice(name, facts[name]) for name in in_files if _differs(in_files[name], in_flags.get(name)))
        settings_taken = Taken((), (), tuple(_misspelled(from_files, table)), notes)
        return finished(
            table,
            asked,
            facts=facts,
            reads=(*from_files, *taken.reads),
            model=model_named(taken.reads, taken.positionals[:1], model_flags=()),
            taken=(taken, settings_taken),
            files=named,
            refused=tuple(Refused("", word.text, _ONE_MODEL, word.at) for word in taken.positionals[1:]),
        )

    def follow(self, stated: Mapping[str, Fact]) -> dict[str, Fact]:
        """What was stated and wanted, the longest sequence of the model and its KV type; see `Engine.follow`."""
        found: dict[str, Fact] = {}
        reuse, longest = stated.get("enable_prefix_caching"), longest_of(Seen(stated, model=None))
        if reuse is not None:
            # The engine may run without it: rules speak of the wish.
            found["kv_reuse_wanted"] = replace(reuse, name="kv_reuse_wanted")
        if longest is not None:
            name, origin = "model_len_limit_tokens", Origin("derived", "the model's config, as TensorRT-LLM reads it")
            found[name] = Fact(name, longest, origin)
        if "enable_speculative_decoding" in stated:
            name, origin = "draft_model_given", Origin("derived", "whether the options name a draft model")
            found[name] = Fact(name, "draft_model" in stated, origin)
        if (kv_type := _kv_type(stated)) is not None:
            name, origin = "kv_cache_dtype_in_use", Origin("derived", "as asked; auto is what the checkpoint says")
            found[name] = Fact(name, kv_type, origin)
        return {**found, **stated}

    def effective(self, facts: Mapping[str, Fact], *, model_name: str | None = None) -> tuple[Effective, ...]:
        """What TensorRT-LLM will run; see `Engine.effective`."""
        return effective_settings(facts, model_name=model_name)


def flag_table() -> FlagTable:
    """The flags of trtllm-serve."""
    return load_table(Path(__file__).with_name("flags.yaml"))


def _kv_type(facts: Mapping[str, Fact]) -> str | None:
    """The KV type as asked, else as the checkpoint asks, else "auto", the model's; None where either is not known."""
    told = {name: facts[name].value for name in _KV_TYPE if name in facts}
    asked, checkpoint = told.get("kv_cache_dtype"), told.get("checkpoint_kv_cache_dtype")
    if isinstance(asked, str) and asked != "auto":
        return asked
    if asked != "auto" or "attention_kind" not in told or told.get("checkpoint_quantization_hidden") is True:
        return None
    return checkpoint if isinstance(checkpoint, str) else "auto"


_KV_TYPE = ("kv_cache_dtype", "checkpoint_kv_cache_dtype", "checkpoint_quantization_hidden", "attention_kind")
_ONE_MODEL = Text(
    "TensorRT-LLM takes one model; this word belongs to no flag", "TensorRT-LLM 只接受一个模型；该词不属于任何参数"
)


def _with_attention_groups(facts: dict[str, Fact]) -> dict[str, Fact]:
    """Attention data parallelism gives every rank of the tensor parallel group its own requests."""
    enabled, size = facts.get("enable_attention_data_parallel"), facts.get("tensor_parallel_size")
    if enabled is None or enabled.value is not True or size is None:
        return facts
    origin = Origin(enabled.origin.kind, f"{enabled.origin.text} with {size.origin.text}", enabled.origin.at)
    return facts | {"attention_data_parallel_size": Fact("attention_data_parallel_size", size.value, origin)}


def _settings_flag(table: FlagTable) -> Flag:
    settings = table.settings
    assert settings is not None, "flags.yaml of trtllm has the fields of the options file"
    return settings


def _override(settings: Flag, read: Read, table: FlagTable) -> Read:
    """`--set path.to.field=value` as the nested value it stands for."""
    text = read.value[-1] if isinstance(read.value, list) and read.value else read.value
    path, equals, value = str(text).partition("=")
    if not equals or "" in path.split("."):
        problem = Problem(
            code="wrong-value",
            what=f"--set cannot be {str(text)[:80]!r}",
            expected="PATH=VALUE such as kv_cache_config.tokens_per_block=64",
            at=read.at,
        )
        raise IntakeError(problem)
    nested: Json = loose_value(value, suffixes=table.forms.suffixes)
    for key in reversed(path.split(".")):
        nested = {key: nested}
    return Read(replace(settings, name=read.flag.name), nested, read.at)


def _misspelled(reads: Sequence[Read], table: FlagTable) -> list[UnknownFlag]:
    """The keys of options files that are nearly a known one, after those they stand in."""
    paths = [path.split(".") for path in _settings_flag(table).keys]
    return [
        UnknownFlag(".".join((*inside, key)), place_of(read.value, inside[0] if inside else key) or read.at, meant)
        for read in reads
        for inside, key in _keys_of(read.value, ())
        if (meant := _meant(key, inside, paths))
    ]


def _keys_of(value: Json, inside: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every key of nested mappings, after the keys that lead to it."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield inside, key
        yield from _keys_of(inner, (*inside, key))


def _meant(key: str, inside: tuple[str, ...], paths: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The known keys of the same mapping that one nearly is; none where it is known itself."""
    depth = len(inside)
    known = {path[depth] for path in paths if len(path) > depth and tuple(path[:depth]) == inside}
    if key in known:
        return ()
    return tuple(".".join((*inside, one)) for one in nearest(key, sorted(known), likeness_min=_MISSPELLED_MIN))


def _differs(in_file: Fact, in_flag: Fact | None) -> bool:
    return in_flag is not None and in_flag.value != in_file.value


def _twice(name: str, counted: Fact) -> Text:
    return Text(
        f"{name} is set by a flag and by the options file; {counted.value} ({counted.origin.text}) counts here",
        f"{name} 同时由参数和选项文件设置；此处以 {counted.value}（{counted.origin.text}）为准",
    )
