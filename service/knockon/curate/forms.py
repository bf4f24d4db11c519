"""How ids and names of the trees look, and how complaints show a value that does not."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """How an id or a name must look; `expected` says it to people."""

    code: str
    pattern: str
    expected: str

    def accepts(self, text: str) -> bool:
        """Whether the whole text has this form."""
        return re.fullmatch(self.pattern, text) is not None


SLUG = Form("bad-slug", r"[a-z0-9]+(-[a-z0-9]+)*", "a kebab slug like paged-attention")
CITATION_KEY = Form("bad-slug", r"[a-z0-9]+([.-][a-z0-9]+)*", "a citation id like megatron-lm")
WORD = Form("bad-name", r"[a-z][a-z0-9_]*", "a name like kv_cache_tokens")
PRECEDENT_KEY = Form("bad-slug", r"[A-Za-z0-9]+([.-][A-Za-z0-9]+)*", "an id like EE-050 or checkout-2026-03")
MODEL_NAME = Form("bad-name", r"[A-Za-z0-9._-]+/[A-Za-z0-9._-]+", "owner/name, as its repository is called")


def shown(value: object) -> str:
    """A value as complaints show it: short, and in the words of YAML."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
