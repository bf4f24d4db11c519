"""fmt: the files of the trees in their canonical form."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from knockon.curate.checks.pairs import pairs
from knockon.curate.document import content_of, read_bytes
from knockon.curate.files import yaml_files
from knockon.curate.fmt import formatted
from knockon.curate.shelf import Shelf, digest_of
from knockon.curate.translations import FILE_NAME, extended, read_ledger, refreshed
from knockon.curate.tree import collect_tree
from knockon.terms.errors import CurationError


@dataclass(frozen=True, slots=True)
class Formatted:
    """One file, and whether it is or was other than its canonical form."""

    file: Path
    text: str
    """The canonical form."""
    changed: bool


def fmt(catalog_dir: Path, rules_dir: Path, *, only: frozenset[Path] = frozenset()) -> Iterator[Formatted]:
    """Every YAML file of both trees in its canonical form, one after another; nothing is written.

    Args:
        catalog_dir: the folder of techniques and what belongs to them.
        rules_dir: the folder of rules and what belongs to them.
        only: resolved paths of the files wanted; all when empty.

    Raises:
        IntakeError: what rewrites YAML is not installed. CurationError: a file cannot be read.
    """
    shelf = Shelf.of(catalog_dir, rules_dir)
    if not only:
        # What is kept is kept of files that were read; for a few of them that would cost more than it saves.
        collect_tree(catalog_dir, rules_dir, shelf=shelf)
    try:
        for root, folder in (("catalog", catalog_dir), ("rules", rules_dir)):
            for inner, path in yaml_files(folder):
                file = Path(path)
                if not only or file.resolve() in only:
                    yield _formatted(file, f"{root}/{inner}", shelf)
    finally:
        shelf.close()


def _formatted(file: Path, inner: str, shelf: Shelf) -> Formatted:
    content = content_of(file, str(file))
    digest = digest_of(inner, content)
    if shelf.is_formatted(digest):
        # Writing a file with its comments costs twenty times the reading of it.
        return Formatted(file, content.decode(), changed=False)
    before = read_bytes(content, str(file)).text
    text = formatted(before, path=str(file), room=inner)
    if text == before:
        shelf.found_formatted(digest)
    return Formatted(file, text, changed=text != before)


def translations(catalog_dir: Path, rules_dir: Path, *, confirmed: frozenset[Path] | None = None) -> Formatted | None:
    """The record of which English each Chinese sentence was made from, with what came since; nothing is written.

    Args:
        catalog_dir: the folder of techniques and what belongs to them.
        rules_dir: the folder of rules and what belongs to them.
        confirmed: resolved paths of files whose Chinese says what their English says today, whatever is recorded;
            all files when empty. None confirms nothing, and a tree without a record stays without one.

    Returns:
        The file of the record; None where there is none, or where not all of the trees can be read.

    Raises:
        CurationError: the record cannot be read, or a file of the trees cannot and something is to be confirmed.
    """
    ledger = read_ledger(catalog_dir)
    if ledger is None and confirmed is None:
        return None
    tree = collect_tree(catalog_dir, rules_dir)
    if tree.problems:
        # A sentence that could not be read would be forgotten, and be taken for a new one later.
        if confirmed is not None:
            raise CurationError(tree.problems)
        return None
    said = pairs(tree)
    paths = {pair.located.document.path for pair in said} if confirmed is not None else set()
    again = frozenset(path for path in paths if not confirmed or Path(path).resolve() in confirmed)
    file = catalog_dir / FILE_NAME
    text = refreshed(said, ledger or {}, confirmed=again)
    return Formatted(file, text, changed=ledger is None or text != file.read_text(encoding="utf-8"))


def translations_with(catalog_dir: Path, rules_dir: Path, file: Path) -> Formatted | None:
    """The record with the sentences of one new file of the trees; nothing is written.

    Returns:
        The file of the record; None where there is none, so that none is needed.

    Raises:
        CurationError: the record cannot be read.
    """
    ledger = read_ledger(catalog_dir)
    if ledger is None:
        return None
    said = (pair for pair in pairs(collect_tree(catalog_dir, rules_dir)) if Path(pair.located.document.path) == file)
    return Formatted(catalog_dir / FILE_NAME, extended(said, ledger), changed=True)
