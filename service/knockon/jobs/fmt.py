"""fmt: the files of the trees in their canonical form."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from knockon.curate.document import read_file
from knockon.curate.files import yaml_files
from knockon.curate.fmt import formatted


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
    for root, folder in (("catalog", catalog_dir), ("rules", rules_dir)):
        for inner, file in yaml_files(folder):
            if only and file.resolve() not in only:
                continue
            before = read_file(file, str(file)).text
            text = formatted(before, path=str(file), room=f"{root}/{inner}")
            yield Formatted(file, text, changed=text != before)
