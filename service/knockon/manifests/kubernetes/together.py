"""The resources of the same files: Together that containers take from, runtimes that services name."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from knockon.manifests.base import File, FileSet
from knockon.manifests.document import Items, Keys, Node, Scalar, documents_of
from knockon.manifests.tree import keys_at, text_at
from knockon.manifests.written import whole
from knockon.terms.errors import KnockonError


@dataclass
class Together:
    """What the files hold, looked up by kind and name; the file itself comes first."""

    file: File
    documents: list[Node]
    others: FileSet
    _found: dict[tuple[str, str], Keys | None] = field(default_factory=dict)

    def resource(self, kind: str, name: str) -> Keys | None:
        """The resource of a kind and name; None when no file holds it."""
        if not name:
            return None
        if (kind, name) not in self._found:
            self._found[kind, name] = self._look(kind, name)
        return self._found[kind, name]

    def data(self, name: str) -> Keys | None:
        """The data of the ConfigMap `name`; None when no file holds it."""
        return keys_at(self.resource("ConfigMap", name), "data")

    def value(self, name: str, key: str) -> Scalar | None:
        """One entry of a ConfigMap."""
        data = self.data(name)
        held = data.held.get(key) if data is not None else None
        return held if isinstance(held, Scalar) else None

    def _look(self, kind: str, name: str) -> Keys | None:
        found = _named(self.documents, kind, name)
        if found is not None:
            return found
        for file in self.others.mentioning(kind):
            if name in file.text and file != self.file:
                try:
                    found = _named(documents_of(whole(file)), kind, name)
                except KnockonError:
                    # Its own reading says what is wrong with that file.
                    continue
                if found is not None:
                    self.others.use(file)
                    return found
        return None


def flattened(documents: Sequence[Node]) -> list[Keys]:
    """Every resource, those inside lists of resources too."""
    resources: list[Keys] = []
    for document in documents:
        if not isinstance(document, Keys):
            continue
        items = document.held.get("items")
        if text_at(document, "kind").endswith("List") and isinstance(items, Items):
            resources += [each for each in items.held if isinstance(each, Keys)]
        else:
            resources.append(document)
    return resources


def _named(documents: Sequence[Node], kind: str, name: str) -> Keys | None:
    for resource in flattened(documents):
        if text_at(resource, "kind") == kind and text_at(resource, "metadata", "name") == name:
            return resource
    return None
