"""What SGLang makes of speculative decoding: the method, its numbers, the drafts that come with a model."""

from knockon.engines.seen import AS_ASKED
from knockon.engines.sglang.derive.seen import SPECULATION, Seen
from knockon.engines.sglang.families import OWN_DRAFTS
from knockon.terms.words import Text

_SETTINGS = {
    "speculative_steps_count": "spec.speculative_num_steps",
    "speculative_eagle_topk": "spec.speculative_eagle_topk",
    "speculative_draft_tokens_count": "spec.speculative_num_draft_tokens",
}
_TREE, _CHAIN = (5, 4, 8), (3, 1, 4)
# Models drafted as a tree where nobody gives numbers (arg_groups/speculative_hook.py:1439-1459).
_TREES = frozenset({"LlamaForCausalLM", "Grok1ForCausalLM", "Grok1VForCausalLM"})
_NGRAM_TOKENS = 12
_EAGLE = frozenset({"EAGLE", "EAGLE3", "STANDALONE"})
# Their drafters may be of the kind that SGLang serves by another method, which the drafter's config says.
_FROZEN_DRAFTS = "Gemma4"


def derive(seen: Seen) -> None:
    """Tell what follows about speculative decoding."""
    method = seen.drafts
    if method is None or seen.architecture.startswith(_FROZEN_DRAFTS):
        return
    if seen.text("speculative_method") == "nextn":
        why = Text("NEXTN is EAGLE with the model's own layers", "NEXTN 即使用模型自带层的 EAGLE")
        where = (SPECULATION, "_resolve_speculative_algorithm_alias, lines 81-118")
        seen.tell("speculative_method", "spec.speculative_algorithm", "eagle", why, cite=where)
    if method in _EAGLE:
        _eagle(seen, method)
    elif method in ("DFLASH", "DSPARK"):
        why = Text("blocks are drafted in one step", "整块一步生成")
        for name in ("speculative_steps_count", "speculative_eagle_topk"):
            seen.tell(name, _SETTINGS[name], 1, why, cite=(SPECULATION, "lines 329-366 and 757-789"))
    elif method == "NGRAM":
        _ngram(seen)
    if method == "EAGLE" and seen.architecture in OWN_DRAFTS and seen.asked("draft_model") is None:
        why = Text("the model brings its own draft layers", "模型自带草稿层")
        where = (SPECULATION, "lines 1120-1148")
        seen.tell("draft_model", "spec.speculative_draft_model_path", seen.model, why, cite=where)
    elif method == "DSPARK" and seen.asked("draft_model") is not None:
        seen.tell("draft_model", "spec.speculative_draft_model_path", seen.asked("draft_model"), AS_ASKED, cite=(
            SPECULATION, "lines 720-755",
        ))  # fmt: skip


def _eagle(seen: Seen, method: str) -> None:
    asked = {name: seen.asked(name) for name in _SETTINGS}
    steps, branches = asked["speculative_steps_count"], asked["speculative_eagle_topk"]
    where = (SPECULATION, "_auto_choose_speculative_params, lines 1430-1461")
    if seen.is_on("speculative_adaptive") or not seen.architecture:
        return
    if not isinstance(steps, int):
        if branches is None and asked["speculative_draft_tokens_count"] is None:
            numbers = _TREE if method != "STANDALONE" and seen.architecture in _TREES else _CHAIN
            why = Text("nobody gave numbers", "未指定数值")
            for (name, setting), value in zip(_SETTINGS.items(), numbers, strict=True):
                seen.tell(name, setting, value, why, cite=where)
        return
    for name, setting in _SETTINGS.items():
        seen.tell(name, setting, asked[name], AS_ASKED, cite=where)
    if branches == 1 and asked["speculative_draft_tokens_count"] != steps + 1:
        name = "speculative_draft_tokens_count"
        why = Text("a chain has one token more than steps", "链式草稿为步数加一")
        seen.tell(name, _SETTINGS[name], steps + 1, why, cite=(SPECULATION, "lines 1255-1266"))


def _ngram(seen: Seen) -> None:
    branches, asked = seen.number("ngram_branches_max"), seen.asked("speculative_draft_tokens_count")
    if branches is None or branches < 1:
        return
    where = (SPECULATION, "_handle_ngram, lines 1309-1330")
    tokens = asked if isinstance(asked, int) else _NGRAM_TOKENS
    why = Text("as many as branches of the search", "与搜索分支数相同")
    seen.tell("speculative_eagle_topk", _SETTINGS["speculative_eagle_topk"], branches, why, cite=where)
    why = AS_ASKED if asked is not None else Text("the default of n-gram drafts", "n-gram 草稿的默认值")
    name = "speculative_draft_tokens_count"
    seen.tell(name, _SETTINGS[name], tokens, why, cite=where)
    if seen.asked("speculative_steps_count") is None:
        name = "speculative_steps_count"
        why = Text("tokens divided by branches", "token 数除以分支数")
        seen.tell(name, _SETTINGS[name], tokens // branches, why, cite=where)
