"""Wrong use and unreadable input: exit code 2 and a message that says what, where, what was expected, what to do."""

import json
import sqlite3
from pathlib import Path

import pytest

from knockon.terms.limits import INTAKE_BYTES_MAX
from tests.cli.conftest import Knockon
from tests.curate.trees import changed, written


def refused(knockon: Knockon, *arguments: str, stdin: str | bytes = "") -> str:
    done = knockon(*arguments, stdin=stdin)
    assert (done.code, done.out) == (2, "")
    return done.err.rstrip("\n")


def test_unknown_technique(knockon: Knockon) -> None:
    said = refused(knockon, "breaks", "tensor-paralelism")

    assert said.startswith("error: no technique is called 'tensor-paralelism'; did you mean 'tensor-parallelism'")


def test_unknown_model_named_by_option(knockon: Knockon) -> None:
    said = refused(knockon, "check", "--model", "Qwen/Qwen3-235B-A23B", "--", "vllm", "serve", "x")

    assert said.startswith("error: no model is called 'Qwen/Qwen3-235B-A23B'; did you mean 'Qwen/Qwen3-235B-A22B'")


def test_unknown_gpu(knockon: Knockon) -> None:
    assert refused(knockon, "check", "--gpu", "H2000", "--", "vllm", "serve", "x").startswith(
        "error: no gpu is called 'H2000'"
    )


def test_word_that_is_no_choice_is_said_in_our_own_words(knockon: Knockon) -> None:
    said = " ".join(refused(knockon, "check", "--fail-on", "sometimes", "--", "vllm", "serve", "x").split())

    assert "Invalid value for '--fail-on': 'sometimes' is not one of 'conflict'," in said


def test_unknown_fact(knockon: Knockon) -> None:
    said = refused(knockon, "check", "--set", "tensor_paralel_size=8", "--", "vllm", "serve", "x")

    assert said.startswith("error: no fact is called 'tensor_paralel_size'; did you mean 'tensor_parallel_size'")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tensor_parallel_size", "'tensor_parallel_size' sets nothing; expected fact=value"),
        ("tensor_parallel_size=many", "tensor_parallel_size cannot be 'many'; expected a whole number from 1 to 4096"),
        ("tensor_parallel_size=0", "tensor_parallel_size cannot be '0'; expected a whole number from 1 to 4096"),
    ],
)
def test_fact_without_a_possible_value(knockon: Knockon, text: str, said: str) -> None:
    assert refused(knockon, "check", "--set", text, "--", "vllm", "serve", "x").startswith(f"error: {said}; ")


@pytest.mark.parametrize("hostile", ["__import__('os').system('id')", "9**9**9", "(" * 5000, "1 if 1 else 2", "[1]*9"])
def test_hostile_expression_is_read_by_the_language_or_not_at_all(knockon: Knockon, hostile: str) -> None:
    said = refused(knockon, "check", "--set", f"tensor_parallel_size={hostile}", "--", "vllm", "serve", "x")

    assert said.startswith("error: ")
    assert "Traceback" not in said


def test_unknown_reading(knockon: Knockon) -> None:
    assert refused(knockon, "diagnose", "--set", "kv_cache_usage=0.9").startswith(
        "error: no reading is called 'kv_cache_usage'; did you mean 'kv_cache_usage_ratio'"
    )


def test_unknown_profile(knockon: Knockon) -> None:
    said = refused(knockon, "diagnose", "--profile", "h100", "--set", "kv_cache_usage_ratio=0.9")

    assert said.startswith("error: no profile is called 'h100'; ")
    assert "default" in said


def test_unknown_rule(knockon: Knockon) -> None:
    assert refused(knockon, "rules", "show", "K999") == (
        "error: no rule is called 'K999'; `knockon rules list` shows every id"
    )


def test_unknown_verb_and_option_are_answered_with_the_nearest(knockon: Knockon) -> None:
    verb, option = knockon("chekc"), knockon("check", "--moddel", "x")

    assert (verb.code, option.code) == (2, 2)
    assert "'check'" in verb.err
    assert "--model" in option.err


def test_unknown_cell(knockon: Knockon) -> None:
    said = refused(knockon, "place", "--stage", "inferense", "--layer", "L5", "--dimension", "storage")

    assert said.startswith("error: no stage is called 'inferense'; did you mean 'inference'?")


@pytest.mark.parametrize(("depth", "said"), [("0", "a depth of 0 follows nothing"), ("9", "over the limit of 8")])
def test_depth_out_of_range(knockon: Knockon, depth: str, said: str) -> None:
    assert said in refused(knockon, "breaks", "tensor-parallelism", "--depth", depth)


def test_setting_that_cannot_be(knockon: Knockon) -> None:
    done = knockon("serve", KNOCKON_PORT="abc")

    assert done.code == 2
    assert done.err.startswith("error: a setting cannot be used: KNOCKON_PORT: Input should be a valid integer")
    assert done.err.endswith("; correct the option, or the variable of the environment\n")


def test_earlier_scrape_without_a_later_one(knockon: Knockon) -> None:
    done = knockon("diagnose", "--before", "old.prom", "--set", "kv_cache_usage_ratio=0.9")

    assert done.code == 2
    assert "there is no FILE for every --before" in " ".join(done.err.split())


def test_metrics_of_no_known_kind(knockon: Knockon) -> None:
    Path("notes.txt").write_text("the GPU felt warm\n")

    said = refused(knockon, "diagnose", "notes.txt")

    assert said.startswith("notes.txt:1:")
    assert "readings" in said


def test_nothing_to_check(knockon: Knockon) -> None:
    done = knockon("check")

    assert done.code == 2
    assert "give a command after --" in done.err


def test_missing_file(knockon: Knockon) -> None:
    assert refused(knockon, "check", "none.sh") == (
        "none.sh:1:1: cannot be read: No such file or directory; expected a readable text file"
    )


def test_folder_without_a_launch(knockon: Knockon) -> None:
    said = refused(knockon, "check", ".")

    assert said.startswith(".:1:1: nothing in it starts an engine known here; expected a shell script, ")


def test_empty_file(knockon: Knockon) -> None:
    assert refused(knockon, "check", "-", stdin=" \n").startswith("<stdin>:1:1: the file is empty; expected a command")


def test_file_that_is_not_text(knockon: Knockon) -> None:
    assert refused(knockon, "check", "-", stdin=b"vllm\nser\xffve") == (
        "<stdin>:2:4: byte 0xff does not belong here; expected UTF-8 text; save the file as UTF-8"
    )


def test_file_of_fifty_megabytes_is_refused_unread(knockon: Knockon) -> None:
    with Path("huge.json").open("wb") as stream:
        stream.truncate(50 * 1024 * 1024)

    assert refused(knockon, "check", "huge.json") == (
        f"huge.json:1:1: the size of the file in bytes is over the limit of {INTAKE_BYTES_MAX:,}, found 52,428,800; "
        "give the part that matters"
    )
    assert refused(knockon, "diagnose", "huge.json").startswith("huge.json:1:1: the size of the file in bytes is over")


@pytest.mark.parametrize("deep", ['{"a":' * 2_000 + "1" + "}" * 2_000, '{"a":' * 200_000])
def test_deeply_nested_json(knockon: Knockon, deep: str) -> None:
    assert refused(knockon, "check", "-", stdin=deep) == (
        "<stdin>:1:1: the nesting of a JSON file is over the limit of 60"
    )


def test_deeply_nested_yaml(knockon: Knockon) -> None:
    Path("deep.yaml").write_text("facts: " + "[" * 500)

    assert refused(knockon, "check", "deep.yaml").startswith("deep.yaml:1:47: the nesting of a YAML file is over")


def test_unreadable_yaml(knockon: Knockon) -> None:
    Path("facts.yaml").write_text("facts:\n  a: 1\n  a: 2\n")
    Path("broken.yaml").write_text("facts: [")

    assert refused(knockon, "check", "facts.yaml").startswith("facts.yaml:3:3: ")
    assert refused(knockon, "check", "broken.yaml").startswith("broken.yaml:")


def test_unreadable_json(knockon: Knockon) -> None:
    assert refused(knockon, "check", "-", stdin='{"engine": vllm}') == (
        "<stdin>:1:12: not JSON: Expecting value; expected a JSON object"
    )


def test_file_of_another_format(knockon: Knockon) -> None:
    Path("deployment.yaml").write_text("apiVersion: apps/v1\nkind: Deployment\n")

    assert refused(knockon, "check", "deployment.yaml") == (
        "deployment.yaml:1:1: 'apiVersion' is not understood here; expected a command that starts an engine "
        "(`vllm serve MODEL …`), a model's config.json, or a YAML or JSON mapping with command, engine, "
        "engine_version, model, gpu, gpus, settings, facts"
    )


def test_command_that_starts_no_engine(knockon: Knockon) -> None:
    assert refused(knockon, "check", "--", "ls", "-l").startswith("<command>:1:1: 'ls -l' starts no engine known here")


def test_value_of_a_flag_that_cannot_be(knockon: Knockon) -> None:
    said = refused(knockon, "check", "--", "vllm", "serve", "Qwen/Qwen3-235B-A22B", "--tensor-parallel-size", "many")

    assert said.startswith("<command>:1:")
    assert "--tensor-parallel-size" in said


def test_fact_of_a_wrong_type_in_a_file(knockon: Knockon) -> None:
    Path("facts.yaml").write_text("engine: vllm\nfacts:\n  tensor_parallel_size: [8]\n")

    assert refused(knockon, "check", "facts.yaml") == (
        "facts.yaml:3:3: facts.tensor_parallel_size cannot be [8]; expected a number, text, true or false"
    )


def test_broken_tree_is_published_neither_whole_nor_in_part(knockon: Knockon) -> None:
    catalog, rules = written(Path("good"))
    trees = ("--database-url", "sqlite:///k.db", "--catalog", str(catalog), "--rules", str(rules))
    assert knockon("catalog", "load", *trees).code == 0
    before = everything("k.db")
    english = "goal: {en: Hold more}"
    bad_catalog, bad_rules = written(
        Path("bad"),
        changed("catalog/techniques/inference/sharding.yaml", "goal: {en: Hold more, zh: 装得更多}", english),
    )

    said = refused(
        knockon, "catalog", "load", "--database-url", "sqlite:///k.db",
        "--catalog", str(bad_catalog), "--rules", str(bad_rules),
    )  # fmt: skip

    assert said.startswith("bad/catalog/techniques/inference/sharding.yaml:10:")
    assert everything("k.db") == before


def test_database_that_is_locked(knockon: Knockon) -> None:
    catalog, rules = written(Path("tree"))
    load = ("catalog", "load", "--catalog", str(catalog), "--rules", str(rules), "--database-url", "sqlite:///k.db")
    assert knockon(*load).code == 0
    written(Path("tree"), changed("catalog/techniques/inference/sharding.yaml", "{en: Sharding,", "{en: Shards,"))
    before = everything("k.db")

    other = sqlite3.connect("k.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    said = refused(knockon, *load, "--wait", "0.05")
    other.execute("ROLLBACK")
    other.close()

    assert said.startswith("error: the database sqlite:///k.db is locked by another program; ")
    assert everything("k.db") == before


def test_database_whose_folder_is_missing(knockon: Knockon) -> None:
    said = refused(knockon, "catalog", "load", "--database-url", "sqlite:///none/k.db")

    assert said.startswith("error: the database sqlite:///none/k.db cannot be made: its folder is not there; ")


def test_database_of_a_newer_version(knockon: Knockon) -> None:
    catalog, rules = written(Path("tree"))
    load = ("catalog", "load", "--catalog", str(catalog), "--rules", str(rules), "--database-url", "sqlite:///k.db")
    assert knockon(*load).code == 0
    with sqlite3.connect("k.db") as database:
        database.execute("UPDATE alembic_version SET version_num = 'f00dfeed'")
    database.close()
    before = everything("k.db")

    said = refused(knockon, *load)

    assert said.startswith("error: the database sqlite:///k.db ")
    assert "newer" in said
    assert everything("k.db") == before


def test_database_of_another_kind(knockon: Knockon) -> None:
    said = refused(knockon, "catalog", "load", "--database-url", "mysql://user:secret@host/db")

    assert said.startswith("error: a database of kind 'mysql' is not supported; ")
    assert "secret" not in said


def everything(file: str) -> list[str]:
    with sqlite3.connect(file) as database:
        held = list(database.iterdump())
    database.close()
    return held


def test_options_file_with_a_name_that_no_file_has_is_not_read(knockon: Knockon) -> None:
    done = knockon("check", "--", "vllm", "serve", "Qwen/Qwen3-8B", "--config", "a" * 5_000)

    assert (done.code, done.err) == (0, "")
    assert "which was not read" in " ".join(done.out.split())


def test_reading_of_a_file_that_cannot_be_is_told_before_any_hypothesis(knockon: Knockon) -> None:
    Path("readings.yaml").write_text("readings:\n  kv_cache_usage_ratio: 99\n  waiting_count: 37\n")
    told = (
        "kv_cache_usage_ratio is not used: 99 is above the greatest possible value 1; "
        "ratios run from 0 to 1, a percentage must be divided by 100"
    )
    page, done = knockon("diagnose", "readings.yaml"), knockon("diagnose", "readings.yaml", "--format", "json")

    # One value that an exporter wrote badly must not cost the others; what stands on our own line can be put right.
    assert (page.code, done.code) == (0, 0)
    head = " ".join(page.out.split("\n\n")[1].split())
    assert head == f"• {told}"
    assert json.loads(done.out)["notes"][0]["en"] == told
