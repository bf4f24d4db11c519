"""Reads Compose files: services with their commands, environments and GPUs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from knockon.manifests.base import File, FileSet, Launch, Notes, file_set
from knockon.manifests.document import Items, Keys, Node, Scalar, documents_of
from knockon.manifests.environment import variables_in
from knockon.manifests.found import Around
from knockon.manifests.launcher import launches_in_container
from knockon.manifests.launching import launch_of
from knockon.manifests.lookup import files_in, source_of
from knockon.manifests.script import launches_in_script
from knockon.manifests.word import Word, gap_of, split_words, with_placeholders, with_variables, word_of
from knockon.manifests.written import Written, whole
from knockon.terms.errors import KnockonError

_SERVICES = re.compile(r"^services[ \t]*:", re.MULTILINE)
_EXTENDS_MAX = 8
# https://docs.docker.com/compose/how-tos/multiple-compose-files/merge/: read without being named; single values and
# commands are replaced, mappings and the lists of these keys are put together.
_OVERRIDE = re.compile(r"((?:docker-)?compose)\.override(\.ya?ml)")
_PUT_TOGETHER = frozenset({"environment", "env_file"})


class Compose:
    """Compose files."""

    name = "compose"

    def recognises(self, file: File) -> bool:
        """A YAML file with services at its top."""
        return file.name.endswith((".yaml", ".yml")) and _SERVICES.search(file.text) is not None

    def read(self, file: File, *, others: Sequence[File]) -> tuple[Launch, ...]:
        """Read every service; see `Manifest.read`."""
        files = file_set(others)
        if _beside(file, files, is_override=False):
            # What it changes stands in the launches of the file it changes.
            files.use(file)
            return ()
        reader = _Reader(file, files, _project_variables(file, files))
        overrides = [services for each in _beside(file, files, is_override=True) for services in _services(each)]
        launches: list[Launch] = []
        for services in _services(file):
            together = services
            for override in overrides:
                together = _merged(together, override)
            for name, service in together.held.items():
                if isinstance(service, Keys):
                    launches += reader.launches(name, *_extended(service, together, file, files))
        return tuple(launches)


@dataclass(frozen=True, slots=True)
class _Reader:
    file: File
    files: FileSet
    variables: dict[str, Word]
    """What `${NAME}` stands for: the `.env` file beside the Compose file."""

    def launches(self, name: str, service: Keys, unread: Scalar | None) -> list[Launch]:
        """The launches of a service; `unread` is what it takes over from that is not among the files given."""
        notes = Notes()
        if unread is not None:
            notes.is_incomplete = True
            notes.add(
                unread.at,
                f"the service extends one of {unread.text}, which cannot be read among the files given;"
                " what it takes over is not known",
                f"该服务扩展自 {unread.text} 中的服务，但给定文件中读不到它；其沿用的内容未知",
            )
        for key, start in service.twice:
            notes.add(
                service.sheet.source.at(start),
                f"{key} is given twice; the last one is read",
                f"{key} 出现两次；以最后一个为准",
            )
        look = files_in(self.files, beside=self.file)
        around = Around(launches_in_script, notes, environment=self._environment(service, notes), files=look)
        image = service.held.get("image")
        found = launches_in_container(
            self._words(service.held.get("entrypoint")),
            self._words(service.held.get("command")),
            around,
            image=self._word(image) if isinstance(image, Scalar) else None,
            hint=name,
        )
        return [
            launch_of(
                each,
                notes,
                name=name,
                kind="compose",
                lookup=look,
                gpu_count=_gpu_count(service),
                replicas=_whole(_at(service, "deploy", "replicas") or service.held.get("scale")),
            )
            for each in found
        ]

    def _word(self, scalar: Scalar) -> Word:
        return with_variables(word_of(scalar.written), self.variables)

    def _words(self, node: Node | None) -> list[Word] | None:
        """A command: a list of words, or a text that is split as a shell would."""
        if isinstance(node, Items):
            return [with_placeholders(self._word(each)) for each in node.held if isinstance(each, Scalar)]
        if isinstance(node, Scalar) and not node.is_null:
            return split_words(self._word(node))
        return None

    def _environment(self, service: Keys, notes: Notes) -> dict[str, Word]:
        environment: dict[str, Word] = {}
        for named in _scalars(service.held.get("env_file"), "path"):
            path = self._word(named)
            held = self.files.at_path(path.text, beside=self.file) if not path.gaps else None
            if held is not None:
                environment |= variables_in(source_of(held))
            else:
                notes.add(
                    path.at,
                    f"the environment file {path.text} is not among the files given; its variables are not known",
                    f"给定文件中没有环境文件 {path.text}；其中的变量未知",
                )
        given = service.held.get("environment")
        if isinstance(given, Keys):
            for name, value in given.held.items():
                if isinstance(value, Scalar):
                    environment[name] = self._from_host(name, value.written) if value.is_null else self._word(value)
        elif isinstance(given, Items):
            for each in given.held:
                if isinstance(each, Scalar):
                    name, equals, _ = each.text.partition("=")
                    start = len(name) + 1
                    text = each.written.cut(start, len(each.text)) if equals else each.written
                    environment[name] = (
                        with_variables(word_of(text), self.variables) if equals else self._from_host(name, text)
                    )
        return environment

    def _from_host(self, name: str, written: Written) -> Word:
        """A variable without a value comes from where Compose is started."""
        held = self.variables.get(name)
        return held if held is not None else gap_of(Written(f"${{{name}}}", written.pieces[:1]))


def _services(file: File) -> list[Keys]:
    tops = documents_of(whole(file))
    return [held for top in tops if isinstance(top, Keys) and isinstance(held := top.held.get("services"), Keys)]


def _beside(file: File, files: FileSet, *, is_override: bool) -> list[File]:
    """The file that overrides this one, or the one that this one overrides; none where it is no such file."""
    folder, _, name = file.path.replace("\\", "/").rpartition("/")
    override = _OVERRIDE.fullmatch(name)
    if is_override == (override is not None):
        return []
    stem, dot, ending = name.partition(".")
    if override is None and stem not in ("compose", "docker-compose"):
        return []
    wanted = {f"{stem}.override{dot}{ending}"} if override is None else {f"{override[1]}{override[2]}"}
    paths = {f"{folder}/{each}" if folder else each for each in wanted}
    found = [each for each in files if each.path.replace("\\", "/") in paths]
    for each in found if is_override else ():
        files.use(each)
    return found


def _merged(base: Keys, own: Keys) -> Keys:
    """A mapping with another one over it, as Compose merges several files."""
    held = dict(base.held)
    for key, value in own.held.items():
        before = held.get(key)
        if isinstance(value, Keys) and isinstance(before, Keys):
            held[key] = _merged(before, value)
        elif isinstance(value, Items) and isinstance(before, Items) and key in _PUT_TOGETHER:
            held[key] = Items(value.sheet, value.start, value.end, [*before.held, *value.held])
        else:
            held[key] = value
    return Keys(base.sheet, base.start, base.end, held, base.twice)


def _project_variables(file: File, files: FileSet) -> dict[str, Word]:
    folder = file.path.replace("\\", "/").rpartition("/")[0]
    wanted = f"{folder}/.env" if folder else ".env"
    held = next((each for each in files if each.path.replace("\\", "/") == wanted), None)
    if held is None:
        return {}
    files.use(held)
    return variables_in(source_of(held))


def _extended(service: Keys, services: Keys, file: File, files: FileSet) -> tuple[Keys, Scalar | None]:
    """A service with what it takes over from the services it extends, of its own file or of others.

    https://docs.docker.com/reference/compose-file/services/#extends: what the service says itself wins.

    Returns:
        The service, and the name of the file that it extends a service of where that cannot be read.
    """
    seen, taken = [service], service
    while len(seen) < _EXTENDS_MAX:
        extends = seen[-1].held.get("extends")
        path = extends.held.get("file") if isinstance(extends, Keys) else None
        if isinstance(path, Scalar):
            found = files.at_path(path.text, beside=file)
            if found is None:
                return taken, path
            if found.path != file.path:
                try:
                    tops = _services(found)
                except KnockonError:
                    # It is told where that file is read.
                    return taken, path
                file, services = found, tops[0] if tops else Keys(service.sheet, service.start)
        named = extends.held.get("service") if isinstance(extends, Keys) else extends
        base = services.held.get(named.text) if isinstance(named, Scalar) else None
        if not isinstance(base, Keys) or any(base is each for each in seen):
            break
        seen.append(base)
        taken = Keys(service.sheet, service.start, service.end, _merged(base, taken).held, service.twice)
    return taken, None


def _gpu_count(service: Keys) -> int | None:
    """The GPUs that a service reserves; None for all of them, or when it does not say."""
    for devices in (_at(service, "deploy", "resources", "reservations", "devices"), service.held.get("gpus")):
        if not isinstance(devices, Items):
            continue
        for device in devices.held:
            if not isinstance(device, Keys) or not _is_gpu(device):
                continue
            ids = device.held.get("device_ids")
            count = _whole(device.held.get("count"))
            return len(ids.held) if isinstance(ids, Items) else count
    return None


def _is_gpu(device: Keys) -> bool:
    driver = device.held.get("driver")
    capabilities = _scalars(device.held.get("capabilities"), "")
    return isinstance(driver, Scalar) or any(each.text == "gpu" for each in capabilities)


def _at(node: Node, *keys: str) -> Node | None:
    held: Node | None = node
    for key in keys:
        held = held.held.get(key) if isinstance(held, Keys) else None
    return held


def _scalars(node: Node | None, key: str) -> list[Scalar]:
    """The texts of a text or a list; of a list of mappings, those under `key`."""
    scalars: list[Scalar] = []
    for each in node.held if isinstance(node, Items) else [node]:
        held = each.held.get(key) if isinstance(each, Keys) else each
        if isinstance(held, Items):
            scalars += [inner for inner in held.held if isinstance(inner, Scalar)]
        elif isinstance(held, Scalar):
            scalars.append(held)
    return scalars


def _whole(node: Node | None) -> int | None:
    text = node.text if isinstance(node, Scalar) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None
