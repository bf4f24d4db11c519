"""load / publish: YAML trees to a new revision, the whole tree or nothing; and revisions back as knowledge."""

from pathlib import Path

from knockon.curate.lint import held_tree
from knockon.jobs.knowledge import Knowledge, knowledge_of
from knockon.store.revision import Revision
from knockon.store.store import Store


def load(store: Store, catalog_dir: Path, rules_dir: Path, *, author: str, message: str) -> Revision:
    """Publish both trees as one revision; the same content as the latest revision changes nothing.

    Raises:
        CurationError: the trees do not hold together; nothing is published. StoreError: the database cannot take it.
    """
    return store.publish(held_tree(catalog_dir, rules_dir), author=author, message=message)


def knowledge_at(store: Store, number: int | None = None) -> Knowledge:
    """The knowledge of revision `number`, the latest when None; raises NotFound and StoreError."""
    if number is None:
        latest = store.latest()
        number = latest.number if latest else None
    return knowledge_of(store.read(number), number=number)
