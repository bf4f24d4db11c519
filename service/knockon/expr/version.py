"""Versions as engines write them, in the order of their releases; a pre-release comes before its release."""

import re
from functools import lru_cache

# PEP 440's public part in its usual spellings ("0.10.2", "v0.11.0rc1", "0.12.0.post1.dev3+cu128").
# The local part behind "+" names a build of the same release and is left out.
_VERSION = re.compile(
    r"v?(?P<release>[0-9]{1,9}(?:\.[0-9]{1,9}){0,7})"
    r"(?:[-_.]?(?P<pre>a|alpha|b|beta|c|rc|pre|preview)[-_.]?(?P<pre_number>[0-9]{1,9})?)?"
    r"(?:[-_.]?post[-_.]?(?P<post>[0-9]{1,9}))?"
    r"(?:[-_.]?dev[-_.]?(?P<dev>[0-9]{1,9})?)?"
    r"(?:\+[A-Za-z0-9.\-_]{1,80})?"
)
_PHASES = {"a": 0, "alpha": 0, "b": 1, "beta": 1, "c": 2, "rc": 2, "pre": 2, "preview": 2}
_FINAL = 3
# No development release: after every one that has a number.
_RELEASED = 1 << 62

VersionKey = tuple[tuple[int, ...], tuple[int, int, int, int]]


@lru_cache(maxsize=1024)
def version_key(text: str) -> VersionKey | None:
    """The sort key of a version; equal versions ("0.10" and "0.10.0") have equal keys. None when `text` is none."""
    match = _VERSION.fullmatch(text)
    if match is None:
        return None
    release = [int(number) for number in match["release"].split(".")]
    while len(release) > 1 and release[-1] == 0:
        release.pop()
    post = int(match["post"]) if match["post"] else -1
    dev = _RELEASED
    if "dev" in match[0].partition("+")[0]:
        dev = int(match["dev"] or 0)
    if match["pre"]:
        phase, number = _PHASES[match["pre"]], int(match["pre_number"] or 0)
    else:
        # "1.0.dev2" comes before "1.0a1"; "1.0.post1.dev2" does not.
        phase, number = (_FINAL if dev == _RELEASED or post >= 0 else -1), 0
    return tuple(release), (phase, number, post, dev)
