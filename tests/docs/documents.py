"""The pages that people read, and what can be taken out of them: links, paths, fenced blocks."""

import re
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
# docs/generated/ has a test of its own, and is written from what these tests read.
PAGES = sorted(
    [
        *CHECKOUT.glob("*.md"),
        *(page for page in (CHECKOUT / "docs").rglob("*.md") if "generated" not in page.parts),
    ]
)


def name_of(page: Path) -> str:
    """The page as people call it."""
    return str(page.relative_to(CHECKOUT))


def blocks(text: str, kind: str) -> list[str]:
    """The fenced blocks of one kind, without their fences."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def links(text: str) -> list[str]:
    """Where links lead, addresses on other hosts left out."""
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]


def paths(text: str) -> Iterator[str]:
    """Files and folders named in running text, patterns (`<name>`, `*`, `…`) left out."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    for word in re.findall(r"`([^`\s]+)`", prose):
        # A unit like byte/token has the form of a path too; a file has an ending, a folder a slash behind it.
        if re.fullmatch(r"[\w.-]+/([\w.-]+/)*([\w.-]+\.\w+)?", word):
            yield word
