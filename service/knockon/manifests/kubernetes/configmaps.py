"""ConfigMaps of the same files: variables and files that containers take from them."""

from dataclasses import dataclass, field

from knockon.manifests.base import File, FileSet
from knockon.manifests.document import Keys, Node, Scalar, documents_of
from knockon.manifests.tree import keys_at, text_at
from knockon.manifests.written import whole
from knockon.terms.errors import KnockonError


@dataclass
class ConfigMaps:
    """The ConfigMaps that the files hold; those of the file itself first."""

    file: File
    documents: list[Node]
    others: FileSet
    _found: dict[str, Keys | None] = field(default_factory=dict)

    def data(self, name: str) -> Keys | None:
        """The data of the ConfigMap `name`; None when no file holds it."""
        if name not in self._found:
            self._found[name] = self._look(name)
        return self._found[name]

    def value(self, name: str, key: str) -> Scalar | None:
        """One entry of a ConfigMap."""
        data = self.data(name)
        held = data.held.get(key) if data is not None else None
        return held if isinstance(held, Scalar) else None

    def _look(self, name: str) -> Keys | None:
        found = _named(self.documents, name)
        if found is not None:
            return found
        for file in self.others.mentioning("ConfigMap"):
            if name in file.text and file is not self.file and file != self.file:
                try:
                    found = _named(documents_of(whole(file)), name)
                except KnockonError:
                    # Its own reading says what is wrong with that file.
                    continue
                if found is not None:
                    return found
        return None


def flattened(documents: list[Node]) -> list[Keys]:
    """Every resource, those inside lists of resources too."""
    resources: list[Keys] = []
    for document in documents:
        if not isinstance(document, Keys):
            continue
        items = document.held.get("items")
        if text_at(document, "kind").endswith("List") and items is not None and not isinstance(items, Scalar | Keys):
            resources += [each for each in items.held if isinstance(each, Keys)]
        else:
            resources.append(document)
    return resources


def _named(documents: list[Node], name: str) -> Keys | None:
    for resource in flattened(documents):
        if text_at(resource, "kind") == "ConfigMap" and text_at(resource, "metadata", "name") == name:
            return keys_at(resource, "data")
    return None
