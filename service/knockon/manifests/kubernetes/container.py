"""One container of a pod → the engines it starts: words, variables, files from ConfigMaps."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from knockon.manifests.base import Notes
from knockon.manifests.document import Items, Keys, Node, Scalar
from knockon.manifests.found import Around, Found
from knockon.manifests.kubernetes.together import Together
from knockon.manifests.launcher import launches_in_container, program_name
from knockon.manifests.program import looks_like_vllm
from knockon.manifests.script import launches_in_script
from knockon.manifests.tree import at, items_at, keys_at, scalar_at, text_at
from knockon.manifests.word import (
    Word,
    concatenated,
    gap_of,
    split_words,
    with_placeholders,
    with_references,
    word_of,
)
from knockon.manifests.written import Written

_SHELLS = re.compile(r"(?:ba|da|z|k|a)?sh")
_SHELL_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$([A-Z_][A-Z0-9_]*)")


@dataclass
class Container:
    """A container of a pod, with what surrounds it."""

    node: Keys
    pod: Keys
    together: Together
    notes: Notes = field(default_factory=Notes)
    variables: Mapping[str, Word] = field(default_factory=dict)
    """What the workload's controller sets."""
    more_arguments: Sequence[Word] = ()

    def launches(self, *, before: Sequence[Word] | None = None, hint: str = "") -> list[Found]:
        """What the container starts.

        Args:
            before: the command, where something else than the container itself says it.
            hint: other names that may tell what the image is.
        """
        self._say_twice()
        environment = self.environment()
        entry = before if before is not None else self.words("command", environment)
        arguments = self.words("args", environment)
        if self.more_arguments:
            arguments = [*(arguments or ()), *self.more_arguments]
        if not _is_shell(entry):
            arguments = arguments and [self._unreplaced(word, environment) for word in arguments]
            entry = entry and [self._unreplaced(word, environment) for word in entry]
        self._say_inserted()
        around = Around(launches_in_script, self.notes, environment=environment, files=self.look)
        image = image_word(self.node.held.get("image"))
        name = f"{text_at(self.node, 'name')} {hint}"
        return launches_in_container(entry, arguments, around, image=image, hint=name if looks_like_vllm(name) else "")

    def words(self, key: str, environment: Mapping[str, Word]) -> list[Word] | None:
        """`command` or `args`; None when it is not given."""
        node = self.node.held.get(key)
        if isinstance(node, Scalar) and not node.is_null:
            # Kubernetes wants a list; charts take a text and split it.
            return [with_references(word, environment) for word in split_words(word_of(node.written))]
        if not isinstance(node, Items):
            return None
        words = [word_of(each.written) for each in node.held if isinstance(each, Scalar)]
        return [with_placeholders(with_references(word, environment)) for word in words]

    def environment(self) -> dict[str, Word]:
        """The variables of the container; a later one may refer to those before it."""
        environment: dict[str, Word] = dict(self.variables)
        for source in items_at(self.node, "envFrom"):
            self._from_source(source, environment)
        env = self.node.held.get("env")
        if isinstance(env, Keys):
            # Charts often take a mapping.
            for name, value in env.held.items():
                if isinstance(value, Scalar):
                    environment[name] = word_of(value.written)
        for each in items_at(self.node, "env"):
            name = text_at(each, "name")
            word = self._variable(each, name, environment) if name else None
            if word is not None:
                environment[name] = word
        return environment

    def _variable(self, node: Node, name: str, environment: Mapping[str, Word]) -> Word | None:
        value = at(node, "value")
        if isinstance(value, Scalar):
            return with_references(word_of(value.written), environment)
        secret = keys_at(node, "valueFrom", "secretKeyRef")
        if secret is not None:
            self.notes.add(
                secret.at,
                f"{name} comes from Secret {text_at(secret, 'name')}; its value is not read",
                f"{name} 来自 Secret {text_at(secret, 'name')}；不读取其取值",
            )
            return None
        reference = keys_at(node, "valueFrom", "configMapKeyRef")
        if reference is None:
            # A field of the pod is only known where it runs: a reference to it stays one.
            return None
        map_name, key = text_at(reference, "name"), text_at(reference, "key")
        held = self.together.value(map_name, key)
        if held is not None:
            return word_of(held.written)
        self.notes.add(
            reference.at,
            f"{name} comes from key {key} of ConfigMap {map_name}, which is not among the files given",
            f"{name} 来自 ConfigMap {map_name} 的键 {key}，而给定文件中没有它",
        )
        return None

    def _from_source(self, source: Node, environment: dict[str, Word]) -> None:
        prefix = text_at(source, "prefix")
        secret = keys_at(source, "secretRef")
        if secret is not None:
            self.notes.add(
                secret.at,
                f"variables come from Secret {text_at(secret, 'name')}; they are not read",
                f"部分变量来自 Secret {text_at(secret, 'name')}；不读取",
            )
        reference = keys_at(source, "configMapRef")
        if reference is None:
            return
        data = self.together.data(text_at(reference, "name"))
        if data is None:
            self.notes.add(
                reference.at,
                f"variables come from ConfigMap {text_at(reference, 'name')}, which is not among the files given",
                f"部分变量来自 ConfigMap {text_at(reference, 'name')}，而给定文件中没有它",
            )
            return
        for name, value in data.held.items():
            # Keys that are no names of variables (files, mostly) are left out, as Kubernetes does.
            if isinstance(value, Scalar) and (prefix + name).isidentifier():
                environment[prefix + name] = word_of(value.written)

    def look(self, path: str) -> Written | None:
        """A file that a ConfigMap is mounted as."""
        maps = {
            text_at(volume, "name"): keys_at(volume, "configMap")
            for volume in items_at(self.pod, "volumes")
            if keys_at(volume, "configMap") is not None
        }
        for mount in items_at(self.node, "volumeMounts"):
            held = maps.get(text_at(mount, "name"))
            root, part = text_at(mount, "mountPath").rstrip("/"), text_at(mount, "subPath")
            if held is None or not root:
                continue
            inside = part if part and path == root else path[len(root) + 1 :] if path.startswith(f"{root}/") else ""
            if not inside:
                continue
            paths = {text_at(each, "path"): text_at(each, "key") for each in items_at(held, "items")}
            value = self.together.value(text_at(held, "name"), paths.get(inside, inside))
            if value is not None:
                return value.written
        return None

    def _unreplaced(self, word: Word, environment: Mapping[str, Word]) -> Word:
        """`${NAME}` outside a shell: nothing replaces it, unless something rendered the file before."""
        match = _SHELL_VARIABLE.fullmatch(word.text) or _SHELL_VARIABLE.search(word.text)
        if match is None or word.gaps or (match[2] and match[0] != word.text):
            return word
        name = match[1] or match[2]
        if name in environment:
            self.notes.add(
                word.at,
                f"Kubernetes replaces $({name}), not {match[0]}; the engine gets {match[0]} as it stands",
                f"Kubernetes 只替换 $({name})，不替换 {match[0]}；引擎得到的是原样的 {match[0]}",
            )
        parts = [
            Word(word.written.cut(0, match.start()), word.at),
            gap_of(word.written.cut(*match.span())),
            Word(word.written.cut(match.end(), len(word.text)), word.at),
        ]
        return concatenated(parts, at=word.at)

    def _say_twice(self) -> None:
        for key, start in self.node.twice:
            self.notes.add(
                self.node.sheet.source.at(start),
                f"{key} is given twice; the last one is read",
                f"{key} 出现两次；以最后一个为准",
            )

    def _say_inserted(self) -> None:
        """Lines of a template that may add words to the command."""
        for key in ("command", "args"):
            node = self.node.held.get(key)
            if not isinstance(node, Items):
                continue
            inserted = node.sheet.template.inserted
            first = bisect_left(inserted, node.start, key=lambda region: region.start)
            for region in inserted[first:]:
                if region.start >= node.end:
                    break
                shown = " ".join(node.sheet.file.text[slice(*_in_file(node, region.start, region.end))].split())
                self.notes.is_incomplete = True
                self.notes.add(
                    node.sheet.source.at(region.start),
                    f"{shown} is left out: it is not known here and may hold further arguments",
                    f"忽略 {shown}：此处不知道其内容，其中可能还有参数",
                )


def image_word(node: Node | None) -> Word | None:
    """The name of an image: a text, or the parts that charts keep apart."""
    if isinstance(node, Scalar):
        return None if node.is_null else word_of(node.written)
    repository = scalar_at(node, "repository")
    if repository is None:
        return None
    tag = scalar_at(node, "tag")
    word = word_of(repository.written)
    if tag is None:
        return word
    colon = Word(Written(":", tag.written.pieces[:1]), word.at)
    return concatenated([word, colon, word_of(tag.written)], at=word.at)


def _is_shell(words: Sequence[Word] | None) -> bool:
    return any(_SHELLS.fullmatch(program_name(word)) for word in (words or ())[:2])


def _in_file(node: Items, start: int, end: int) -> tuple[int, int]:
    _, offset = node.sheet.source.source(start)
    return offset, offset + end - start
