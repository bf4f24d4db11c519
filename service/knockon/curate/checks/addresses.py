"""The address of a citation leads to one thing that stays, not to a page that searches for it, and is its alone."""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import SplitResult, parse_qsl, urlsplit

from knockon.curate.tree import Tree
from knockon.terms.body import string
from knockon.terms.errors import Problem

# Parameters and folders under which sites keep their search: huggingface.co/papers?q=…, arxiv.org/search/?query=…
_SEARCHING_PARAMETERS = frozenset(("q", "query", "search", "search_query", "searchtype", "keyword", "keywords"))
_SEARCHING_FOLDERS = frozenset(("search", "find"))
# Sites where most sources lie, and what the page of one is called there.
_FORMS: Mapping[str, tuple[str, str]] = {
    "arxiv.org": (
        r"/(abs|pdf|html)/([0-9]{2}(0[1-9]|1[0-2])\.[0-9]{4,5}|[a-z-]+/[0-9]{7})(v[1-9][0-9]*)?",
        "https://arxiv.org/abs/ and the number of the paper, like 2309.06180",
    ),
    "github.com": (
        r"/[\w.-]+/[\w.-]+(/((issues|pull|discussions)/[0-9]+|(blob|tree|blame|commit|releases/tag)/.+))?/?",
        "a repository, or one issue, pull request, file, folder or release of it",
    ),
}


def problems(tree: Tree) -> Iterator[Problem]:
    """Addresses that search, that have another form than those of their site, or that two citations have."""
    citations: dict[str, str] = {}
    for key, located in tree.of_kind("citation").items():
        url = string(located.entry.body, "url")
        address = urlsplit(url)
        first = citations.setdefault(_page(address), key) if url else key
        if first != key:
            what, fix = f"{url!r} is the address of {first!r} too", "make them one; `where` says which part of it"
            yield Problem("duplicate-address", what, "one citation for each source", fix, located.at("url"))
        if _searches(address):
            fix = "open it, and take the address of what it found"
            yield Problem(
                "search-page", f"{url!r} is a search", "the page of the source itself", fix, located.at("url")
            )
        elif (site := address.hostname or "") in _FORMS:
            form, expected = _FORMS[site]
            if re.fullmatch(form, address.path) is None:
                yield Problem("odd-address", f"{url!r} names nothing on {site}", expected, "", located.at("url"))


def _page(address: SplitResult) -> str:
    """The address without what leads to the same page: www, a place in it, the form and version of a paper."""
    site, path = (address.hostname or "").removeprefix("www."), address.path.rstrip("/")
    if site == "arxiv.org":
        path = re.sub(r"^/(abs|pdf|html)(?=/)|(?<=[0-9])v[0-9]+$", "", path)
    return f"{site}{path}?{address.query}"


def _searches(address: SplitResult) -> bool:
    asked = {key.lower() for key, _ in parse_qsl(address.query, keep_blank_values=True)}
    # A file or folder of a repository may be called `search`.
    walked = set() if "/blob/" in address.path or "/tree/" in address.path else set(address.path.lower().split("/"))
    return bool(asked & _SEARCHING_PARAMETERS or walked & _SEARCHING_FOLDERS)
