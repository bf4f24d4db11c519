import subprocess
import sys

import pytest

from knockon.expr.vocabulary import NameInfo, Vocabulary
from knockon.terms.errors import NotFound

VOCABULARY = Vocabulary(
    {
        name: NameInfo(name, "fact", "int")
        for name in (
            "tensor_parallel_size",
            "pipeline_parallel_size",
            "num_key_value_heads",
            "num_attention_heads",
            "threshold.kv_usage_high",
            "ttft_s_p95",
            "ttft_s_p99",
            "kv_cache_usage_spread_ratio",
            "kv_cache_usage_ratio",
        )
    }
)


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("tensor_paralel_size", ("tensor_parallel_size",)),
        ("num_kv_heads", ("num_key_value_heads",)),
        ("kv_usage_high", ("threshold.kv_usage_high",)),
        ("ttft_p95", ("ttft_s_p95",)),
        ("num_heads", ("num_attention_heads", "num_key_value_heads")),
        ("kv_cache_usage", ("kv_cache_usage_ratio", "kv_cache_usage_spread_ratio")),
        ("zzz", ()),
    ],
)
def test_nearest_names_come_best_first(word: str, near: tuple[str, ...]) -> None:
    assert VOCABULARY.nearest(word) == near


def test_unknown_name_is_not_found_with_suggestions() -> None:
    with pytest.raises(NotFound) as raised:
        VOCABULARY.info("tensor_paralel_size")

    assert str(raised.value) == "no name is called 'tensor_paralel_size'; did you mean 'tensor_parallel_size'?"
    assert raised.value.suggestions == ("tensor_parallel_size",)


def test_known_name_is_given_back() -> None:
    assert VOCABULARY.info("ttft_s_p95") is VOCABULARY.names["ttft_s_p95"]
    assert VOCABULARY.get("zzz") is None


def test_happy_path_imports_no_similarity_search() -> None:
    code = (
        "import sys; from knockon.backends import BACKENDS; from knockon.expr.parse import parse\n"
        "from knockon.expr.vocabulary import NameInfo, Vocabulary\n"
        "v = Vocabulary({'a': NameInfo('a', 'fact', 'int')})\n"
        "BACKENDS['python'].compile([parse('a > 1')], v).judge({'a': 2})\n"
        "print(sorted({'rapidfuzz', 'yaml', 'pydantic', 'numpy'} & set(sys.modules)))"
    )

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout == "[]\n"
