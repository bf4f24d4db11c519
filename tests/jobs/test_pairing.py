"""Prefill and decode launches as pairs: who sends to whom, and what the two do not agree on."""

import pytest

from knockon.engines import read_command
from knockon.jobs.check_many import Checked, check_many
from knockon.jobs.deployment import Asked
from knockon.jobs.described import Described
from knockon.terms.argument import arguments_of
from tests.shipped import shipped

SGLANG = "python -m sglang.launch_server --model-path {model} --disaggregation-mode {side}"
LLAMA = "meta-llama/Llama-3.1-70B-Instruct"
SMALL = "meta-llama/Llama-3.1-8B-Instruct"
NIXL = '{"kv_connector":"NixlConnector","kv_role":"kv_both"}'


def sglang(name: str, side: str, more: str = "", *, path: str = "pd.yaml", model: str = LLAMA) -> Described:
    return launch(name, f"{SGLANG.format(model=model, side=side)} {more}".split(), path=path)


def nixl(name: str, more: str = "", *, path: str = "pd.yaml", model: str = LLAMA, transfer: str = NIXL) -> Described:
    words = ["vllm", "serve", model, "--kv-transfer-config", transfer, *more.split()]
    return launch(name, words, path=path, version="0.33.0")


def trtllm(name: str, more: str = "", *, model: str = LLAMA) -> Described:
    words = ["trtllm-serve", model, "--set", "cache_transceiver_config.backend=UCX", *more.split()]
    return launch(name, words, path="pd.yaml")


def launch(name: str, words: list[str], *, path: str, version: str | None = None) -> Described:
    configured = read_command(arguments_of(words), version=version)
    return Described(path, "Deployment", name, Asked(configured=configured), together="set")


def grave(*described: Described) -> dict[str, list[str]]:
    """Name of a launch → the rules over pairs that count against it; notes are left out."""
    found = {}
    for one in check_many(shipped(), described):
        rules = [rule for rule in pair_rules(one) if rule != "K686"]
        if rules:
            found[one.described.name] = rules
    return found


def pair_rules(checked: Checked) -> list[str]:
    assert checked.answer is not None
    ids = [one.finding.rule.id for one in checked.answer.findings]
    spans = (("K680", "K689"), ("K693", "K697"), ("K873", "K877"))
    return [rule for rule in ids if any(first <= rule <= last for first, last in spans)]


@pytest.mark.parametrize(
    ("prefill", "decode", "rules"),
    [
        ("", "", []),
        ("--kv-cache-dtype fp8_e4m3", "", ["K681"]),
        ("", "--kv-cache-dtype fp8_e5m2", ["K681"]),
        ("--page-size 64", "--page-size 32", ["K682"]),
        ("--page-size 64", "", []),
        ("", "--pp-size 2", ["K683"]),
        ("--pp-size 2", "", []),
        ("--disaggregation-transfer-backend nixl", "", ["K684"]),
        ("--tp 4", "--tp 8", []),
        ("--tp 4 --kv-cache-dtype mxfp8", "--tp 8 --kv-cache-dtype mxfp8", ["K687"]),
    ],
)
def test_sides_of_one_file_are_held_against_each_other(prefill: str, decode: str, rules: list[str]) -> None:
    found = grave(sglang("p", "prefill", prefill), sglang("d", "decode", decode))

    assert found == ({"d": rules} if rules else {})


@pytest.mark.parametrize(
    ("prefill", "decode", "rules"),
    [
        ("", "", []),
        ("--kv-cache-dtype fp8", "--kv-cache-dtype fp8_e4m3", []),
        ("--kv-cache-dtype fp8", "", ["K681"]),
        ("-tp 4", "-tp 6", ["K693"]),
        ("-tp 2", "-tp 8", []),
        ("-tp 8", "-tp 2", []),
        ("-tp 16", "-tp 8", ["K694"]),
        ("--block-size 128", "--block-size 16", ["K695"]),
        ("--block-size 16", "--block-size 128", []),
        ("--block-size 128", "", []),
    ],
)
def test_sides_that_send_both_ways_are_told_by_their_names(prefill: str, decode: str, rules: list[str]) -> None:
    found = grave(nixl("llama-prefill", prefill), nixl("llama-decode", decode))

    assert found == ({"llama-decode": rules} if rules else {})


@pytest.mark.parametrize(
    ("prefill", "decode", "rules"),
    [
        ("", "", []),
        ("--kv_cache_dtype fp8", "", ["K681"]),
        ("--kv_cache_dtype fp8", "--kv_cache_dtype fp8", []),
        ("--set kv_cache_config.tokens_per_block=64", "", ["K873"]),
        ("--set cache_transceiver_config.backend=NIXL", "", ["K874"]),
        ("", "--set cache_transceiver_config.transceiver_runtime=PYTHON", ["K875"]),
        ("--cp_size 2", "--cp_size 2", ["K876"]),
        ("", "--cp_size 2", []),
        ("--tp_size 8", "--tp_size 4", []),
    ],
)
def test_sides_of_tensorrt_llm_are_told_by_their_names(prefill: str, decode: str, rules: list[str]) -> None:
    for sender, taker in (("llama-prefill", "llama-decode"), ("ctx-0", "gen-0"), ("long-context", "generation")):
        found = grave(trtllm(sender, prefill), trtllm(taker, decode))

        assert found == ({taker: rules} if rules else {})


def test_tensorrt_llm_may_say_its_side() -> None:
    found = grave(trtllm("a", "--server_role context"), trtllm("b", "--server_role generation --kv_cache_dtype fp8"))

    assert found == {"b": ["K681"]}


def test_tensorrt_llm_sends_no_kv_without_its_transceiver() -> None:
    alone = [launch(name, ["trtllm-serve", LLAMA, "--kv_cache_dtype", kind], path="pd.yaml")
             for name, kind in (("ctx", "fp8"), ("gen", "auto"))]  # fmt: skip

    assert grave(*alone) == {}


def test_roles_that_say_who_sends_need_no_names() -> None:
    sends = '{"kv_connector":"MooncakeConnector","kv_role":"kv_producer"}'
    takes = '{"kv_connector":"NixlConnector","kv_role":"kv_consumer"}'

    assert grave(nixl("a", transfer=sends), nixl("b", transfer=takes)) == {"b": ["K696"]}


@pytest.mark.parametrize(
    ("role", "decode", "rules"),
    [
        ("kv_consumer", "-tp 2", []),
        ("kv_consumer", "-tp 4", ["K877"]),
        # Each keeps a cache for itself.
        ("kv_both", "-tp 4", []),
    ],
)
def test_lmcache_hands_over_where_roles_say_so(role: str, decode: str, rules: list[str]) -> None:
    sends = '{"kv_connector":"LMCacheConnectorV1","kv_role":"kv_producer"}'
    takes = f'{{"kv_connector":"LMCacheConnectorV1","kv_role":"{role}"}}'
    found = grave(nixl("prefill", "-tp 2", transfer=sends), nixl("decode", decode, transfer=takes))

    assert found == ({"decode": rules} if rules else {})


def test_names_that_say_no_side_make_no_pair() -> None:
    assert grave(nixl("a", "--kv-cache-dtype fp8"), nixl("b")) == {}


def test_handshake_that_is_not_enforced_lets_other_names_pass() -> None:
    overlooked = (
        '{"kv_connector":"NixlConnector","kv_role":"kv_both",'
        '"kv_connector_extra_config":{"enforce_handshake_compat":false}}'
    )
    other = "meta-llama/Llama-3.3-70B-Instruct"

    assert grave(nixl("prefill"), nixl("decode", model=other)) == {"decode": ["K689"]}
    assert grave(nixl("prefill"), nixl("decode", model=other, transfer=overlooked)) == {}


def test_path_may_hold_the_model_that_the_other_side_names() -> None:
    assert grave(nixl("prefill"), nixl("decode", model="/models/llama")) == {}


def test_each_decode_launch_belongs_to_the_prefill_launch_of_its_model() -> None:
    found = grave(
        sglang("p70", "prefill", "--kv-cache-dtype fp8_e4m3"),
        sglang("p8", "prefill", model=SMALL),
        sglang("d70", "decode", "--kv-cache-dtype fp8_e4m3"),
        sglang("d8", "decode", model=SMALL),
    )

    assert found == {}


def test_only_prefill_launch_of_another_model_is_the_wrong_one() -> None:
    assert grave(sglang("p", "prefill"), sglang("d", "decode", model=SMALL)) == {"d": ["K680"]}
    # Where another decode launch is there for it, nobody sends to this one.
    assert grave(sglang("p", "prefill"), sglang("d", "decode"), sglang("e", "decode", model=SMALL)) == {}


def test_what_several_prefill_launches_do_not_agree_on_is_not_known() -> None:
    found = grave(
        sglang("p1", "prefill", "--kv-cache-dtype fp8_e4m3 --disaggregation-transfer-backend nixl"),
        sglang("p2", "prefill", "--disaggregation-transfer-backend nixl"),
        sglang("d", "decode"),
    )

    assert found == {"d": ["K684"]}


def test_two_files_are_a_pair_where_nothing_else_could_be() -> None:
    prefill = sglang("p", "prefill", "--kv-cache-dtype fp8_e4m3", path="a/prefill.sh")
    decode = sglang("d", "decode", path="a/decode.sh")
    variant = sglang("v", "decode", "--kv-cache-dtype fp8_e4m3", path="a/decode-fp8.sh")

    assert grave(prefill, decode) == {"d": ["K681"]}
    assert grave(prefill, decode, variant) == {}


def test_launches_of_other_engines_and_other_sets_are_no_pair() -> None:
    prefill = sglang("prefill", "prefill", "--kv-cache-dtype fp8_e4m3")
    alone = Described("pd.yaml", "Deployment", "d", sglang("d", "decode").asked)

    assert grave(prefill, nixl("decode")) == {}
    assert grave(prefill, alone) == {}


def test_pair_is_told_and_every_fact_says_where_it_is_from() -> None:
    *_, decode = check_many(shipped(), [sglang("p", "prefill", "--tp 4"), sglang("d", "decode", "--tp 8")])

    assert decode.answer is not None
    deployment = decode.answer.deployment
    assert "judged together with the prefill launch Deployment/p, which sends to it" in [n.en for n in deployment.notes]
    assert deployment.facts["peer_tensor_parallel_size"].value == 4
    said = deployment.facts["peer_tensor_parallel_size"].origin.text
    assert said == "flag --tp-size of the prefill launch Deployment/p (<command>:1:109)"
    assert decode.answer.verdict.value == "fine"


def test_way_out_changes_this_side_only() -> None:
    *_, decode = check_many(
        shipped(), [sglang("p", "prefill", "--page-size 64"), sglang("d", "decode", "--page-size 32")]
    )

    assert decode.answer is not None
    changes = [[(change.name, change.value) for change in near.changes] for near in decode.answer.nearest]
    assert changes == [[("kv_block_size_tokens", 64)]]
